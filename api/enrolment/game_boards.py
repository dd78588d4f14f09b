"""A game whose board is printed is shown to this machine: its empty boards, and what the person's copy prints."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from api.enrolment.listing import DocumentAndLines
from api.games.spots.registry import SpotGame, find_spot_game, select_spot_games
from api.inputs.text import read_text_file
from scoring.errors import ScoringError
from scoring.spots.components import ComponentsError
from vision.arrays import Image
from vision.enrolment.games import GameEnrolment, GameEnrolments
from vision.errors import EnrolmentError, InputError
from vision.photo.decoding import Photo


def enrol_board(game: str, photo: Path | None, picture: str | None, components: Path | None) -> DocumentAndLines:
    """Keep a picture of an empty board, a person's components, or both; what was done, as a document and in words.

    What is still missing is told, with where it is printed; what is told wrongly is refused and nothing kept. Raises
    ComponentsError `components_invalid`, `component_missing` for the size of the board, EnrolmentError, InputError.
    """
    spot_game, store = find_spot_game(game), GameEnrolments()
    previous = store.load(game)
    text = previous.components
    if components is not None:
        text = read_text_file(components, "The components file cannot be opened.")
    pictures = dict(previous.pictures)
    spot_game.rules.components(text or None)
    if photo is not None:
        if picture is None:
            raise InputError("bad_usage", "--picture NAME tells which of the game's boards the photo shows.")
        pictures[picture] = _rectify(Photo.from_path(photo), picture, text)
    enrolment = GameEnrolment(game, text, pictures)
    missing = list(list_missing_facts(spot_game, enrolment))
    store.save(enrolment)
    names = sorted(pictures)
    done = {"game": game, "pictures": names, "missing": [_build_error_body(error) for error in missing]}
    return done, [f"enrolled: {game}, pictures: {', '.join(names) or 'none'}", *_format_missing(missing)]


def describe_enrolled_games() -> DocumentAndLines:
    """Describe what was enrolled of each game, as a document and in words."""
    store, document, lines = GameEnrolments(), dict[str, Any](), list[str]()
    for spot_game in select_spot_games(store.games()):
        game = spot_game.name
        try:
            enrolment = store.load(game)
            missing = list(list_missing_facts(spot_game, enrolment))
        except (EnrolmentError, ScoringError) as error:
            document[game] = {"problem": error.code, "text": error.text}
            lines.append(f"{game}: {error.text}")
            continue
        names = sorted(enrolment.pictures)
        pieces = {name: len(looks) for name, looks in enrolment.pieces.items()}
        document[game] = {
            "pictures": names,
            "pieces": pieces,
            "missing": [_build_error_body(error) for error in missing],
        }
        piece_lines = [f"{game}: pieces: {', '.join(pieces)}"] if pieces else []
        lines += [f"{game}: pictures: {', '.join(names) or 'none'}", *piece_lines, *_format_missing(missing)]
    return document, lines


def list_missing_facts(spot_game: SpotGame, enrolment: GameEnrolment) -> Iterator[ComponentsError | EnrolmentError]:
    """Yield what the rules and the reader still need to be told; raises ComponentsError `components_invalid`."""
    yield from spot_game.rules.missing(spot_game.rules.components(enrolment.components or None))
    if not enrolment.pictures:
        return
    try:
        spot_game.build_reader(enrolment)
    except EnrolmentError as error:
        yield error
    except ComponentsError as error:
        if error.code != "component_missing":
            raise
        yield error


def _rectify(photo: Photo, picture: str, text: str) -> Image:
    """Rectify the board to a view from straight above; `[pictures.NAME]` has its size and its corners in the photo."""
    from vision.printed.board import is_valid_quad, rectify_picture
    from vision.printed.layout import read_pictures

    key = f"pictures.{picture}"
    facts = read_pictures(text).get(picture)
    if facts is None:
        message = (
            f"{key}.size_mm is not known: measure the board and write its width and height into your components file."
        )
        raise ComponentsError("component_missing", message, key=f"{key}.size_mm", printed="nowhere: measure the board")
    width, height = photo.width, photo.height
    corners = np.array(facts.corners_px or [(0, 0), (width, 0), (width, height), (0, height)], np.float64)
    if not is_valid_quad(corners, (width, height)):
        message = f"{key}.corners_px are no four corners of a board in a photo of {width} x {height}: NW, NE, SE, SW."
        raise ComponentsError("components_invalid", message, key=f"{key}.corners_px")
    return rectify_picture(photo.pixels, corners, facts.size_mm)


def _build_error_body(error: ComponentsError | EnrolmentError) -> dict[str, Any]:
    return {"code": error.code, "text": error.text, "details": error.details}


def _format_missing(missing: list[ComponentsError | EnrolmentError]) -> Iterator[str]:
    return (f"still missing: {error.text}" for error in missing)
