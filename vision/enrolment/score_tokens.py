"""Tokens of 50 and 100 points that a person enrolled: a picture of each side, and its points.

A file `NAME.npz` has `picture`, a PNG's bytes (the side alone, from straight above), and `metadata`, a text of JSON.
Files lie in `score-tokens` in the user's data folder (`vision.enrolment.store`).
"""

from __future__ import annotations

import io
import json
from dataclasses import dataclass
from datetime import date
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.carcassonne.score_board.spaces import COLOURS, TILE_MM
from scoring.player_colours import describe_unknown_colour, find_colour
from vision.arrays import Floats, Image
from vision.enrolment.store import NamedFiles, check_name, resolve_data_folder
from vision.errors import EnrolmentError
from vision.flat_boards.board import EnrolledBoard, rectify_picture
from vision.flat_boards.detector import is_findable_board
from vision.photo.decoding import Photo
from vision.photo.pyramid import Halves

FORMAT = "wondertally/score-token/1"
MAX_POINTS = 500
"""Maximum number of points of a token. A guess."""
SIDE_MM = TILE_MM
"""Assumed length of a token's longer side: its true size does not matter for its print. A guess."""
OUTLINE_PX = 600
"""Longer side of the picture in which a token is separated from the background. A guess."""
BORDER_SHARE = 0.015
"""Width of the photo's border that shows only the background, as a share of its longer side. A guess."""
AREA_SHARES = (0.15, 0.9)
"""Minimum and maximum share of the photo that the token may fill. A guess."""
MIN_SPREAD_LAB = 4.0
"""Minimum standard deviation of a background's colours, even of the plainest. A guess."""
MAD_TO_SIGMA = 1.4826
"""Standard deviation of a normal distribution over its median absolute deviation. By the rule for this distribution."""
CARD_SPREAD_RATIOS = (3.0, 5.0, 8.0, 12.0)
"""Multiples of the background's standard deviation by which the card may differ from it; one of these separates the two
where the next may not. A guess."""
MIN_FILLED_SHARE = 0.9
"""Minimum share of its hull, and of the area of its four corners, that a piece of card fills, and inverse of the
maximum. A guess."""


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


def find_card_corners(photo: Halves) -> Floats | None:
    """Find the (4, 2) pixels NW, NE, SE, SW of the one piece of card in a photo; None if none lies alone.

    The background is estimated from the photo's border: the card, or at least its rim, differs from it by several
    standard deviations.
    """
    small, scale = photo.shrunk(min(1.0, OUTLINE_PX / max(photo.size)))
    lab = cv2.GaussianBlur(cv2.cvtColor(small, cv2.COLOR_BGR2LAB), (0, 0), 2).astype(np.float32)
    rim = max(2, round(BORDER_SHARE * max(small.shape[:2])))
    ground = np.ones(small.shape[:2], bool)
    ground[rim:-rim, rim:-rim] = False
    middle = np.median(lab[ground], axis=0)
    spread = np.maximum(MAD_TO_SIGMA * np.median(np.abs(lab[ground] - middle), axis=0), MIN_SPREAD_LAB)
    away = np.linalg.norm((lab - middle) / spread, axis=2)
    cards = [
        card
        for least in CARD_SPREAD_RATIOS
        if (card := _find_card(np.asarray(away > least, np.uint8), rim)) is not None
    ]
    largest = max(cards, key=lambda card: cv2.contourArea(card.astype(np.float32)), default=None)
    return None if largest is None else (largest + 0.5) / scale


def _find_card(mask: NDArray[np.uint8], rim: int) -> Floats | None:
    """Find the (4, 2) corners of the largest thing in a (h, w) mask; None if it is no whole card."""
    outlines = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)[0]
    if not outlines:
        return None
    largest = max(outlines, key=cv2.contourArea)
    hull = cv2.convexHull(largest)
    corners = _fit_four_corners(hull)
    if corners is None or (corners < rim).any() or (corners > np.array(mask.shape[::-1]) - rim).any():
        return None
    filled = cv2.contourArea(largest), cv2.contourArea(hull), cv2.contourArea(corners.astype(np.float32))
    is_card = all(MIN_FILLED_SHARE <= inner / outer <= 1 / MIN_FILLED_SHARE for inner, outer in pairwise(filled))
    return corners if is_card and AREA_SHARES[0] <= filled[-1] / mask.size <= AREA_SHARES[1] else None


def _fit_four_corners(hull: cv2.typing.MatLike) -> Floats | None:
    """Approximate a (n, 1, 2) hull by (4, 2) corners, clockwise from the upper left; None if that is impossible."""
    around = cv2.arcLength(hull, closed=True)
    for off in np.linspace(0.01, 0.1, 19):
        corners = cv2.approxPolyDP(hull, off * around, closed=True)[:, 0].astype(np.float64)
        if len(corners) == 4:
            turned = corners - corners.mean(0)
            ordered = corners[np.argsort(np.arctan2(turned[:, 1], turned[:, 0]))]
            return np.asarray(np.roll(ordered, -int(ordered.sum(axis=1).argmin()), axis=0))
    return None
