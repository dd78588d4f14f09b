"""A game whose board is printed is shown to this machine: its empty boards, and what the person's copy prints."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from api.games.spots.registry import SpotGame, find_spot_game, select_spot_games
from scoring.errors import ScoringError
from scoring.spots.components import ComponentsError
from vision.arrays import Image
from vision.enrolment.games import GameEnrolment, GameEnrolments
from vision.errors import EnrolmentError, InputError
from vision.photo.decoding import Photo


def enrol_board(
    game: str, photo: Path | None, picture: str | None, components: Path | None
) -> tuple[dict[str, Any], list[str]]:
    """Keep a picture of an empty board, a person's components, or both; what was done, as a document and in words.

    What is still missing is told, with where it is printed; what is told wrongly is refused and nothing kept. Raises
    ComponentsError `components_invalid`, `component_missing` for the size of the board, EnrolmentError, InputError.
    """
    own, store = find_spot_game(game), GameEnrolments()
    known = store.load(game)
    text = known.components if components is None else _text(components)
    pictures = dict(known.pictures)
    own.rules.components(text or None)
    if photo is not None:
        if picture is None:
            raise InputError("bad_usage", "--picture NAME tells which of the game's boards the photo shows.")
        pictures[picture] = _rectified(Photo.from_path(photo), picture, text)
    enrolment = GameEnrolment(game, text, pictures)
    missing = list(_missing(own, enrolment))
    store.save(enrolment)
    shown = sorted(pictures)
    done = {"game": game, "pictures": shown, "missing": [_as_json(error) for error in missing]}
    return done, [f"enrolled: {game}, pictures: {', '.join(shown) or 'none'}", *_lines(missing)]


def describe_enrolled_games() -> tuple[dict[str, Any], list[str]]:
    """What was shown of each game, as a document and in words."""
    store, told, lines = GameEnrolments(), dict[str, Any](), list[str]()
    for spot_game in select_spot_games(store.games()):
        game = spot_game.name
        try:
            enrolment = store.load(game)
            missing = list(_missing(spot_game, enrolment))
        except (EnrolmentError, ScoringError) as error:
            told[game] = {"problem": error.code, "text": error.text}
            lines.append(f"{game}: {error.text}")
            continue
        shown = sorted(enrolment.pictures)
        pieces = {name: len(looks) for name, looks in enrolment.pieces.items()}
        told[game] = {"pictures": shown, "pieces": pieces, "missing": [_as_json(error) for error in missing]}
        known = [f"{game}: pieces: {', '.join(pieces)}"] if pieces else []
        lines += [f"{game}: pictures: {', '.join(shown) or 'none'}", *known, *_lines(missing)]
    return told, lines


def _missing(own: SpotGame, enrolment: GameEnrolment) -> Iterator[ComponentsError | EnrolmentError]:
    """What the rules still need to be told, and what the reader does; raises ComponentsError `components_invalid`."""
    yield from own.rules.missing(own.rules.components(enrolment.components or None))
    if not enrolment.pictures:
        return
    try:
        own.build_reader(enrolment)
    except EnrolmentError as error:
        yield error
    except ComponentsError as error:
        if error.code != "component_missing":
            raise
        yield error


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError("file_not_found", "The components file cannot be opened.", {"file": str(file)}) from error


def _rectified(photo: Photo, picture: str, text: str) -> Image:
    """The board alone, from straight above, as `[pictures.NAME]` tells its size and its corners in the photo."""
    from vision.printed.board import is_valid_quad, rectify_picture
    from vision.printed.layout import read_pictures

    key = f"pictures.{picture}"
    facts = read_pictures(text).get(picture)
    if facts is None:
        told = (
            f"{key}.size_mm is not known: measure the board and write its width and height into your components file."
        )
        raise ComponentsError("component_missing", told, key=f"{key}.size_mm", printed="nowhere: measure the board")
    width, height = photo.width, photo.height
    corners = np.array(facts.corners_px or [(0, 0), (width, 0), (width, height), (0, height)], np.float64)
    if not is_valid_quad(corners, (width, height)):
        told = f"{key}.corners_px are no four corners of a board in a photo of {width} x {height}: NW, NE, SE, SW."
        raise ComponentsError("components_invalid", told, key=f"{key}.corners_px")
    return rectify_picture(photo.pixels, corners, facts.size_mm)


def _as_json(error: ComponentsError | EnrolmentError) -> dict[str, Any]:
    return {"code": error.code, "text": error.text, "details": error.details}


def _lines(missing: list[ComponentsError | EnrolmentError]) -> Iterator[str]:
    return (f"still missing: {error.text}" for error in missing)
