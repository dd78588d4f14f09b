"""Enrolment of score boards of Carcassonne, each from a photo of it while empty, and of tokens of points."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
from PIL import Image, ImageDraw

from api.enrolment.listing import DocumentAndLines, describe_replaced, list_taken_names
from api.inputs.photos import open_photo
from api.inputs.text import read_text_file
from api.render.drawing import (
    DARK,
    LIGHT,
    SUBPIXEL,
    Scale,
    convert_to_bgr,
    dim_photo,
    draw_label,
    get_player_rgb,
    scale_to_subpixels,
    write_picture,
)
from scoring.counts import format_count
from vision.arrays import Image as Pixels
from vision.enrolment.score_boards import EnrolledScoreBoard, EnrolledToken, ScoreBoards, ScoreTokens, build_score_token
from vision.enrolment.store import find_free_name
from vision.errors import EnrolmentError

_FIRST = get_player_rgb("red")


def enrol_score_board(photo: Path, name: str, spaces: Path, annotated: Path | None) -> DocumentAndLines:
    """Keep a score board, replacing one of the same name; return the result as a document and as lines.

    `annotated` is the path for a picture of the board with its spaces numbered. Raises WondertallyError.
    """
    from vision.enrolling.score_spaces import build_score_board

    if name in list_taken_names(ScoreBoards()):
        raise EnrolmentError("enrolment_exists", details={"name": name})
    board_photo, text = open_photo(photo), read_text_file(spaces, "The file of spaces cannot be opened.")
    enrolled = build_score_board(name, board_photo, text)
    if annotated is not None:
        write_picture(annotated, draw_numbered_spaces(enrolled))
    replaced = describe_replaced(ScoreBoards(), name)
    ScoreBoards().save(enrolled, again=True)
    last = len(enrolled.spaces) - 1
    done = {"score_board": name, "last_space": last, "lap": enrolled.lap}
    lines = [f"enrolled: score board {name}, spaces 0 to {last}, {enrolled.lap} points once round", *replaced]
    return done, lines if annotated is None else [*lines, f"check that each space has its number: {annotated}"]


def draw_numbered_spaces(enrolled: EnrolledScoreBoard) -> Pixels:
    """Draw the board from above (h, w, 3) BGR, its spaces outlined and numbered; the first one is highlighted."""
    height, width = enrolled.picture.shape[:2]
    canvas = dim_photo(enrolled.picture)
    px_mm = np.array([width, height]) / enrolled.size_mm
    areas = [np.array(area.exterior.coords) * px_mm for area in enrolled.layout.areas]
    scale = Scale.of([1.6 * float(np.sqrt(cv2.contourArea(area.astype(np.float32)))) for area in areas], width, height)
    rings = [scale_to_subpixels(area) for area in areas]
    for colour, line in ((DARK, 3), (LIGHT, 1)):
        cv2.polylines(canvas, rings, True, colour, line * scale.line, cv2.LINE_AA, SUBPIXEL)
    picture = Image.fromarray(canvas)
    draw = ImageDraw.Draw(picture)
    for space, (x, y) in enumerate((enrolled.spaces * px_mm).tolist()):
        draw_label(draw, (x, y), str(space), DARK if space else _FIRST, scale)
    return convert_to_bgr(picture)


def describe_score_board(score_board: EnrolledScoreBoard) -> str:
    """Describe an enrolled score board in words."""
    spaces = f"spaces 0 to {len(score_board.spaces) - 1}, {score_board.lap} points once round"
    return f"score board of {score_board.source}, {score_board.made}, {spaces}"


def enrol_score_token(photo: Path, points: int, colour: str | None, name: str | None) -> DocumentAndLines:
    """Keep one side of a token, replacing one of the same name; return the result as a document and as lines.

    The `name` defaults to that of the photo. Raises WondertallyError.
    """
    if name in (names := list_taken_names(ScoreTokens())):
        raise EnrolmentError("enrolment_exists", details={"name": name})
    enrolled = build_score_token(name or find_free_name(photo.stem, names), open_photo(photo), points, colour)
    replaced = describe_replaced(ScoreTokens(), enrolled.name)
    ScoreTokens().save(enrolled, again=True)
    colour_fact = {} if enrolled.colour is None else {"colour": enrolled.colour}
    done = {"score_token": enrolled.name, "points": enrolled.points, **colour_fact}
    return done, [f"enrolled: {enrolled.name}, {_describe_points(enrolled)}", *replaced]


def describe_score_token(token: EnrolledToken) -> str:
    """Describe an enrolled token in words."""
    return f"{_describe_points(token)}, of {token.source}, {token.made}"


def _describe_points(token: EnrolledToken) -> str:
    whose = "" if token.colour is None else f" of {token.colour}"
    return f"token of {format_count(token.points, 'point')}{whose}"
