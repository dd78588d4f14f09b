"""Tokens of 50 and 100 points that a person enrolled: a picture of each side, and its points.

A file `NAME.npz` has `picture`, a PNG's bytes (the side alone, from straight above), and `metadata`, a text of JSON.
Files lie in `score-tokens` in the user's data folder (`vision.enrolment.store`).
"""

from __future__ import annotations

import io
import json
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import cv2
import numpy as np

from scoring.carcassonne.score_board.spaces import TILE_MM
from scoring.player_colours import COLOURS, describe_unknown_colour, find_colour
from vision.arrays import Image
from vision.enrolment.store import NamedFiles, check_name, resolve_data_folder
from vision.errors import EnrolmentError
from vision.flat_boards.board import EnrolledBoard, rectify_picture
from vision.flat_boards.card_corners import find_card_corners
from vision.flat_boards.detector import is_findable_board
from vision.photo.decoding import Photo

FORMAT = "wondertally/score-token/1"
MAX_POINTS = 500
"""Maximum number of points of a token. A guess."""
SIDE_MM = TILE_MM
"""Assumed length of a token's longer side: its true size does not matter for its print. A guess."""


@dataclass(frozen=True, slots=True, eq=False)
class TaughtToken:
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


class ScoreTokens(NamedFiles[TaughtToken]):
    """The tokens in a folder, which need not exist. Raises EnrolmentError for files that cannot be read or written."""

    def __init__(self, folder: Path | None = None) -> None:
        super().__init__(folder or resolve_data_folder() / "score-tokens")

    def packed(self, token: TaughtToken) -> bytes:
        """Return the bytes of a token's file, without its name."""
        metadata = {"format": FORMAT, "source": token.source, "made": token.made, "points": token.points}
        data = io.BytesIO()
        picture = np.asarray(cv2.imencode(".png", token.picture)[1], np.uint8).ravel()
        np.savez(data, picture=picture, metadata=np.array(json.dumps({**metadata, "colour": token.colour})))
        return data.getvalue()

    def unpacked(self, name: str, data: bytes) -> TaughtToken:
        """Read a token from the bytes of `packed`; damaged data may raise any exception."""
        with np.load(io.BytesIO(data), allow_pickle=False) as parts:
            metadata = json.loads(str(parts["metadata"]))
            picture = cv2.imdecode(parts["picture"].astype(np.uint8), cv2.IMREAD_COLOR)
        if metadata["format"] != FORMAT:
            raise ValueError("written by another version")
        points, colour = int(metadata["points"]), metadata["colour"]
        if picture is None or not 0 < points <= MAX_POINTS or (colour is not None and colour not in COLOURS):
            raise ValueError("no token")
        return TaughtToken(
            name, str(metadata["source"]), str(metadata["made"]), np.asarray(picture, np.uint8), points, colour
        )


def build_score_token(name: str, photo: Photo, points: int, colour: str | None = None) -> TaughtToken:
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
    taught = TaughtToken(name, photo.file, date.today().isoformat(), picture, points, owner)
    if not is_findable_board(taught.print):
        raise EnrolmentError("print_too_plain")
    return taught
