"""Enrolment of a game with a printed board: its empty boards, and the values that a person's copy prints."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from api.enrolment.board_showing import add_components, pack_board_file, unpack_board_file
from api.enrolment.listing import DocumentAndLines
from api.errors import guard_writing
from api.inputs.photos import open_photo
from api.inputs.text import find_meant, read_text_file
from api.render.drawing import write_picture
from api.spots.registry import SpotGame, find_spot_game, select_spot_games
from scoring.documents import parse_toml
from scoring.errors import ScoringError
from scoring.spots.components import ComponentsError
from vision.arrays import Image
from vision.enrolment.games import GameEnrolment, GameEnrolments
from vision.errors import EnrolmentError, InputError
from vision.flat_boards.layout import read_pictures
from vision.photo.decoding import Photo

BOARD_FILE_ENDING = ".zip"
LAYOUT_PARTS = {"map": ("map",), "resources": ("resources",), "resources-b": ("resources_b",)}
"""Parts of a layout that lie on a picture, by its name or the name's first word; other pictures show all parts."""


def enrol_board(
    game: str,
    photo: Path | None,
    picture: str | None,
    components: Path | None,
    out: Path | None = None,
    annotated: Path | None = None,
) -> DocumentAndLines:
    """Keep a picture of an empty board, a person's components, or both; return the result as a document and as lines.

    Instead of a photo, a file with all boards of a game is accepted. `out` is the path for writing such a file,
    `annotated` the path for a picture of the board with its layout. Missing values are listed with the place where they
    are printed; with an invalid value nothing is kept. Values of a file are added: those that it does not name stay.
    Raises ComponentsError `components_invalid`, `component_missing` for the size of the board, EnrolmentError,
    InputError.
    """
    spot_game, store = find_spot_game(game), GameEnrolments()
    previous = store.load(game)
    text = previous.components
    if components is not None:
        text = add_components(spot_game, text, read_text_file(components, "The components file cannot be opened."))
    pictures = dict(previous.pictures)
    pieces: Mapping[str, tuple[Image, ...]] = {}
    if photo is not None and photo.name.endswith(BOARD_FILE_ENDING):
        if picture is not None or components is not None:
            raise InputError("bad_usage", "A file of boards takes no --picture or --components: it contains both.")
        sent = _unpack_file(photo)
        if sent.game != game:
            raise InputError("other_game", details={"game": sent.game, "file": str(photo)})
        text, photo = add_components(spot_game, text, sent.components), None
        pictures, pieces = {**pictures, **sent.pictures}, sent.pieces
    spot_game.rules.components(text or None)
    if photo is not None:
        if picture is None:
            raise InputError("bad_usage", "Name the game's board in the photo with --picture NAME.")
        if forms := spot_game.load_forms():  # a game without a list of pictures accepts any name
            _refuse_unknown_picture(picture, [*forms, *read_pictures(text)])
        pictures[picture] = _rectify(open_photo(photo), picture, text)
    enrolment = GameEnrolment(game, text, pictures, pieces)
    missing = list(list_missing_facts(spot_game, enrolment))
    written = [] if annotated is None else [_write_annotated(annotated, enrolment, picture)]
    store.save(enrolment)
    if out is not None:
        if not pictures:
            raise EnrolmentError("nothing_to_enrol", "No picture of a board is enrolled yet.", {"game": game})
        with guard_writing(out):
            out.write_bytes(pack_board_file(enrolment))
        written.append(f"boards: {out}")
    names = sorted(pictures)
    done = {"game": game, "pictures": names, "missing": [_build_error_body(error) for error in missing]}
    return done, [f"enrolled: {game}, pictures: {', '.join(names) or 'none'}", *_format_missing(missing), *written]


def take_game_back(game: str) -> DocumentAndLines:
    """Undo the last change of a game's enrolment, and describe the one in force; raises EnrolmentError."""
    store = GameEnrolments()
    store.take_back(game)
    names, steps = list(store.picture_names(game)), store.count_steps(game)
    lines = [f"{game}: back to the previous enrolment, pictures: {', '.join(names) or 'none'}"]
    return {"game": game, "pictures": names, "steps": steps}, lines


def describe_enrolled_games() -> DocumentAndLines:
    """Describe the enrolment of each game, as a document and as lines."""
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
    """Yield an error for each value that the rules or the reader still lack; raises ComponentsError
    `components_invalid`.
    """
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


def find_board_file_game(file: Path) -> str | None:
    """Find the game of a file of boards; return None for a photo.

    Raises InputError `file_not_found`, EnrolmentError `board_file_invalid`.
    """
    return _unpack_file(file).game if file.name.endswith(BOARD_FILE_ENDING) else None


def _unpack_file(file: Path) -> GameEnrolment:
    try:
        return unpack_board_file(file.read_bytes())
    except OSError as error:
        raise InputError("file_not_found", details={"file": str(file)}) from error
    except EnrolmentError as error:
        raise EnrolmentError(error.code, error.text, {"file": str(file), **error.details}) from error


def _write_annotated(file: Path, enrolment: GameEnrolment, picture: str | None) -> str:
    """Write a picture of a board with its layout, of the given or the first board; return a line about the file."""
    from vision.flat_boards.layout_picture import draw_layout

    if picture is not None and enrolment.pictures:
        _refuse_unknown_picture(picture, enrolment.pictures)
    name = picture or next(iter(sorted(enrolment.pictures)), None)
    facts = read_pictures(enrolment.components).get(name or "")
    if name is None or facts is None or name not in enrolment.pictures:
        raise EnrolmentError("nothing_to_enrol", "No picture of a board is enrolled yet.", {"game": enrolment.game})
    layout = parse_toml(enrolment.components).get("layout", {})
    parts = LAYOUT_PARTS.get(name) or LAYOUT_PARTS.get(name.split("-")[0], layout)
    own_part = {key: part for key, part in layout.items() if key in parts}
    write_picture(file, draw_layout(enrolment.pictures[name], facts.size_mm, own_part))
    return f"check that everything is where it is printed: {file}"


def _refuse_unknown_picture(picture: str, known: Iterable[str]) -> None:
    names = list(dict.fromkeys(known))
    if picture not in names:
        raise EnrolmentError("no_such_picture", details={"name": picture, **find_meant(picture, names), "known": names})


def _rectify(photo: Photo, picture: str, text: str) -> Image:
    """Rectify the board to a view from straight above, by its size and corners in `[pictures.NAME]`."""
    from vision.flat_boards.board import is_valid_quad, rectify_picture

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
