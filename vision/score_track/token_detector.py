"""A search in a photo for enrolled tokens of points by their print.

All tokens of a kind have the same print, and nearly the same on both sides: the side of a found token is decided by how
well each side fits there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from vision.arrays import Floats
from vision.enrolment.score_boards import EnrolledToken
from vision.flat_boards.detector import BoardFinder, Demands
from vision.flat_boards.features import Viewing
from vision.localise.search import paint_over_squares
from vision.photo.pyramid import Halves

DEMANDS = Demands(inliers=12, alike=0.6, size=0.0001, features=30_000)
"""Requirements for a token: it is small, with few features, and hardly anything lies on it; a cloth may be full of
other features. A guess."""
TOKEN_PX = 110.0
"""Size of a tile in the searched picture, which is at most twice as large as the photo. A guess."""
WINDOW_TILES = 4.0
"""Width of the windows that are searched, which overlap by half: a token lies wholly in one of them, although a near
one looks larger. A guess."""
MAX_TOKENS = 12
"""Maximum number of tokens of a kind in a photo. Bounds time."""
MAX_SAME_DISTANCE_SIDES = 0.5
"""Detections whose middles are nearer than this, in sides of a token, are one token. A guess."""
MIN_SIDE_LEAD_SHARE = 0.03
"""Minimum lead of one side over another, in the share of parts that look as enrolled. A guess."""


@dataclass(frozen=True, slots=True, eq=False)
class FoundToken:
    """A token in a photo: its identity, its (4, 2) corners, its likeness (0 to 1), and whether its side is sure."""

    enrolled: EnrolledToken
    corners_px: Floats
    alike: float
    sure: bool

    @property
    def middle(self) -> Floats:
        """The (2,) pixel of its middle."""
        return np.asarray(self.corners_px.mean(0))


class TokenFinder:
    """A finder of some enrolled tokens, whose features are computed once."""

    def __init__(self, tokens: Iterable[EnrolledToken]) -> None:
        self._finders = [(enrolled, BoardFinder(enrolled.print, DEMANDS)) for enrolled in tokens]

    def find(self, photo: Halves, tile_px: float, covered: Floats) -> tuple[FoundToken, ...]:
        """Find the tokens in a photo, given the size of a tile in it; none lies on the `covered` (n, 4, 2) corners."""
        if not self._finders:
            return ()
        uncovered = paint_over_squares(photo, covered)
        both_sides = len({enrolled.points for enrolled, _ in self._finders}) > 1
        viewing = Viewing(round(max(uncovered.size) * min(2.0, TOKEN_PX / tile_px)))
        return merge_overlapping_tokens(
            [
                FoundToken(enrolled, lie.to_photo(finder.board.corners), lie.alike, sure=both_sides)
                for enrolled, finder in self._finders
                for lie in finder.find_all(
                    uncovered, MAX_TOKENS, looks=(viewing,), window_px=WINDOW_TILES * tile_px, is_tilted=False
                )
            ]
        )


def merge_overlapping_tokens(tokens: Sequence[FoundToken]) -> tuple[FoundToken, ...]:
    """Return the best of several detections at each place, the most likely place first."""
    merged: list[FoundToken] = []
    for token in sorted(tokens, key=lambda candidate: -candidate.alike):
        reach = MAX_SAME_DISTANCE_SIDES * float(np.linalg.norm(token.corners_px[1] - token.corners_px[0]))
        same = [i for i, other in enumerate(merged) if np.linalg.norm(other.middle - token.middle) < reach]
        if not same:
            merged.append(token)
            continue
        best = merged[same[0]]
        other_side = best.enrolled.points != token.enrolled.points or best.enrolled.colour != token.enrolled.colour
        if other_side and best.alike - token.alike < MIN_SIDE_LEAD_SHARE:
            merged[same[0]] = FoundToken(best.enrolled, best.corners_px, best.alike, sure=False)
    return tuple(merged)
