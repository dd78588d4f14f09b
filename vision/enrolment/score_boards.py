"""Score boards that a person enrolled, and tokens of 50 and 100 points.

A file `NAME.npz` in `score-boards` in the user's data folder (`vision.enrolment.store`) has `picture`, a PNG's bytes
(the empty board alone, from straight above), `spaces` (n, 2), their middles in millimetres from the picture's
north-west corner, 0 first, `size_mm` (2,), and `metadata`, a text of JSON. One in `score-tokens` has the `picture` of
one side of a token, and `metadata` with its points and owner."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.carcassonne.score_board.spaces import TILE_MM, ScoreLayout, build_score_layout
from scoring.player_colours import COLOURS, describe_unknown_colour, find_colour
from vision.arrays import Floats, Image
from vision.enrolment.store import NamedFiles, check_name, resolve_data_folder
from vision.errors import EnrolmentError
from vision.flat_boards.board import EnrolledBoard, rectify_picture
from vision.flat_boards.card_corners import find_card_corners
from vision.flat_boards.detector import is_findable_board
from vision.photo.decoding import Photo

BOARD_FORMAT = "wondertally/score-board/1"
MAX_SPACES = 400
"""Maximum number of spaces on a score board. Bounds memory."""


@dataclass(frozen=True, eq=False)
class EnrolledScoreBoard:
    """A score board: its empty picture (h, w, 3) BGR, its size, the middles (n, 2) of its spaces, 0 first; millimetres.

    `lap` is a lap in points; `source` is the photo's file name, `made` the day (ISO 8601).
    """

    name: str
    source: str
    made: str
    picture: Image
    size_mm: tuple[float, float]
    spaces: Floats
    lap: int

    @cached_property
    def layout(self) -> ScoreLayout:
        """The board's spaces as areas."""
        return build_score_layout(self.size_mm, [(float(x), float(y)) for x, y in self.spaces], self.lap)

    @property
    def board(self) -> EnrolledBoard:
        """The board as a print that can be searched for."""
        return EnrolledBoard(self.picture, self.size_mm)


def _pack(entry: EnrolledScoreBoard | EnrolledToken, metadata: Mapping[str, Any], **parts: Floats) -> bytes:
    """Return the bytes of a file: its picture, its metadata with the photo and the day, and further parts."""
    data, picture = io.BytesIO(), np.asarray(cv2.imencode(".png", entry.picture)[1], np.uint8).ravel()
    text = json.dumps({**metadata, "source": entry.source, "made": entry.made})
    np.savez(data, picture=picture, metadata=np.array(text), **parts)  # type: ignore[arg-type]
    return data.getvalue()


def _unpack(data: bytes, form: str) -> tuple[Image, Mapping[str, Any], Mapping[str, NDArray[Any]]]:
    """Return the picture, the metadata and all parts of a file; raises ValueError if it has another format."""
    with np.load(io.BytesIO(data), allow_pickle=False) as file:
        parts = dict(file)
    metadata = json.loads(str(parts["metadata"]))
    picture = cv2.imdecode(parts["picture"].astype(np.uint8), cv2.IMREAD_COLOR)
    if metadata["format"] != form or picture is None:
        raise ValueError("written by another version, or without a picture")
    return np.asarray(picture, np.uint8), metadata, parts


class ScoreBoards(NamedFiles[EnrolledScoreBoard]):
    """The score boards in a folder, which need not exist. Raises EnrolmentError for files it cannot read or write."""

    def __init__(self, folder: Path | None = None) -> None:
        super().__init__(folder or resolve_data_folder() / "score-boards")

    def packed(self, board: EnrolledScoreBoard) -> bytes:
        """Return the bytes of a board's file, without its name."""
        size_mm = np.array(board.size_mm, np.float64)
        return _pack(board, {"format": BOARD_FORMAT, "lap": board.lap}, spaces=board.spaces, size_mm=size_mm)

    def unpacked(self, name: str, data: bytes) -> EnrolledScoreBoard:
        """Read a board from the bytes of `packed`; damaged data may raise any exception."""
        picture, metadata, parts = _unpack(data, BOARD_FORMAT)
        spaces, (width, height) = parts["spaces"].astype(np.float64), parts["size_mm"].astype(np.float64).tolist()
        source, made, lap = str(metadata["source"]), str(metadata["made"]), int(metadata["lap"])
        if spaces.shape != (len(spaces), 2) or not 2 <= len(spaces) <= MAX_SPACES:
            raise ValueError("no score board")
        if not (
            2 <= lap <= MAX_SPACES
            and np.isfinite(spaces).all()
            and 0 < min(width, height) <= max(width, height) < np.inf
        ):
            raise ValueError("no size, spaces or laps of a score board")
        return EnrolledScoreBoard(name, source, made, picture, (width, height), spaces, lap)


TOKEN_FORMAT = "wondertally/score-token/1"
MAX_POINTS = 500
"""Maximum number of points of a token. A guess."""
SIDE_MM = TILE_MM
"""Assumed length of a token's longer side: its true size does not matter for its print. A guess."""


@dataclass(frozen=True, slots=True, eq=False)
class EnrolledToken:
    """One side of a token: its picture (h, w, 3) BGR, its points, and its owner if its print shows that.

    `source` is the photo's file name, `made` the day (ISO 8601).
    """

    name: str
    source: str
    made: str
    picture: Image
    points: int
    colour: str | None

    @property
    def print(self) -> EnrolledBoard:
        """The token's side as a print that can be searched for."""
        height, width = self.picture.shape[:2]
        longer = max(height, width)
        return EnrolledBoard(self.picture, (SIDE_MM * width / longer, SIDE_MM * height / longer))


class ScoreTokens(NamedFiles[EnrolledToken]):
    """The tokens in a folder, which need not exist. Raises EnrolmentError for files that cannot be read or written."""

    def __init__(self, folder: Path | None = None) -> None:
        super().__init__(folder or resolve_data_folder() / "score-tokens")

    def packed(self, token: EnrolledToken) -> bytes:
        """Return the bytes of a token's file, without its name."""
        return _pack(token, {"format": TOKEN_FORMAT, "points": token.points, "colour": token.colour})

    def unpacked(self, name: str, data: bytes) -> EnrolledToken:
        """Read a token from the bytes of `packed`; damaged data may raise any exception."""
        picture, metadata, _ = _unpack(data, TOKEN_FORMAT)
        points, colour = int(metadata["points"]), metadata["colour"]
        if not 0 < points <= MAX_POINTS or (colour is not None and colour not in COLOURS):
            raise ValueError("no token")
        return EnrolledToken(name, str(metadata["source"]), str(metadata["made"]), picture, points, colour)


def build_score_token(name: str, photo: Photo, points: int, colour: str | None = None) -> EnrolledToken:
    """Build the side of a token that a photo shows alone on a plain background.

    Raises EnrolmentError: `bad_name`, `bad_score_token`, `colour_unknown`, `token_not_seen`, `print_too_plain`.
    """
    check_name(name)
    if not 0 < points <= MAX_POINTS:
        raise EnrolmentError("bad_score_token", details={"points": points})
    owner = None if colour is None else find_colour(colour)
    if colour is not None and owner not in COLOURS:
        raise EnrolmentError("colour_unknown", details=describe_unknown_colour(colour))
    corners = find_card_corners(photo.halves)
    if corners is None:
        raise EnrolmentError("token_not_seen")
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    width, height = (sides[0] + sides[2]) / 2, (sides[1] + sides[3]) / 2
    size = (SIDE_MM * width / max(width, height), SIDE_MM * height / max(width, height))
    picture = rectify_picture(photo.pixels, corners, size)
    enrolled = EnrolledToken(name, photo.file, date.today().isoformat(), picture, points, owner)
    if not is_findable_board(enrolled.print):
        raise EnrolmentError("print_too_plain")
    return enrolled
