"""Looks in a photo for the tokens of points that a person taught, by what is printed on them.

All tokens of a kind bear the same print, and both sides nearly the same: what is found at one place is told apart by
how well each side fits there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from vision.arrays import Floats
from vision.enrolment.score_tokens import TaughtToken
from vision.localise.search import paint_over_squares
from vision.photo.pyramid import Halves
from vision.printed.detector import BoardFinder, Demands
from vision.printed.photo_features import Viewing

DEMANDS = Demands(inliers=12, alike=0.6, size=0.0001, features=30_000)
"""What is demanded of a token: it is small, with few features, and hardly anything lies on it; a cloth may be full
of other ones."""
TOKEN_PX = 110.0
"""The size of a tile in the picture that is looked at, or twice the photo's where that is less."""
WINDOW_TILES = 4.0
"""A token lies wholly in one of the windows of this width that begin half of it apart, though a near one looms
larger."""
MAX_TOKENS = 12
MAX_SAME_DISTANCE_SIDES = 0.5
"""Lies whose middles are nearer than this, in sides of a token, are one token."""
MIN_SIDE_LEAD_SHARE = 0.03
"""One side must look as enrolled in this much more of its parts than another one, to be told from it."""


@dataclass(frozen=True, slots=True, eq=False)
class FoundToken:
    """A token in a photo: which it is, its (4, 2) corners there, how `alike` it is (0 to 1), and if that is sure."""

    taught: TaughtToken
    corners_px: Floats
    alike: float
    sure: bool

    @property
    def middle(self) -> Floats:
        """(2,) pixels."""
        return np.asarray(self.corners_px.mean(0))


class TokenFinder:
    """A finder of some enrolled tokens; what each is known by is worked out once."""

    def __init__(self, tokens: Iterable[TaughtToken]) -> None:
        self._finders = [(taught, BoardFinder(taught.print, DEMANDS)) for taught in tokens]

    def find(self, photo: Halves, tile_px: float, covered: Floats) -> tuple[FoundToken, ...]:
        """Find the tokens in a photo in which a tile is so large; none lies on what is `covered`, (n, 4, 2) corners."""
        if not self._finders:
            return ()
        uncovered = paint_over_squares(photo, covered)
        both_sides = len({taught.points for taught, _ in self._finders}) > 1
        viewing = Viewing(round(max(uncovered.size) * min(2.0, TOKEN_PX / tile_px)))
        return merge_overlapping_tokens(
            [
                FoundToken(taught, lie.to_photo(finder.board.corners), lie.alike, sure=both_sides)
                for taught, finder in self._finders
                for lie in finder.find_all(
                    uncovered, MAX_TOKENS, looks=(viewing,), window_px=WINDOW_TILES * tile_px, is_tilted=False
                )
            ]
        )


def merge_overlapping_tokens(tokens: Sequence[FoundToken]) -> tuple[FoundToken, ...]:
    """Return what several prints found at one place as the likeliest of it, the likeliest place first."""
    merged: list[FoundToken] = []
    for token in sorted(tokens, key=lambda candidate: -candidate.alike):
        reach = MAX_SAME_DISTANCE_SIDES * float(np.linalg.norm(token.corners_px[1] - token.corners_px[0]))
        same = [i for i, other in enumerate(merged) if np.linalg.norm(other.middle - token.middle) < reach]
        if not same:
            merged.append(token)
            continue
        best = merged[same[0]]
        other_side = best.taught.points != token.taught.points or best.taught.colour != token.taught.colour
        if other_side and best.alike - token.alike < MIN_SIDE_LEAD_SHARE:
            merged[same[0]] = FoundToken(best.taught, best.corners_px, best.alike, sure=False)
    return tuple(merged)
