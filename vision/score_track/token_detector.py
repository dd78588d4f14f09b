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

DEMANDS = Demands(inliers=12, alike=0.6, size=0.0001, features=30_000)
"""Of a token: it is small, with few features, and hardly anything lies on it; a cloth may be full of other ones."""
TOKEN_PX = 110.0
"""A tile's size in the picture that is looked at, or twice the photo's where that is less."""
WINDOW = 4.0
"""Tiles: a token lies wholly in one of the windows that begin half of that apart, though a near one looms larger."""
TOKENS_MOST = 12
APART = 0.5
"""Of a token's side: lies whose middles are nearer to each other are one token."""
SIDE_SURE = 0.03
"""By so much more of its parts the one side must look as it was shown than another one, to be told from it."""


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
    """Looks for some taught tokens; what each is known by is worked out once."""

    def __init__(self, tokens: Iterable[TaughtToken]) -> None:
        self._known = [(taught, BoardFinder(taught.print, DEMANDS)) for taught in tokens]

    def find(self, photo: Halves, tile_px: float, covered: Floats) -> tuple[FoundToken, ...]:
        """The tokens in a photo in which a tile is so large; none lies on what is `covered`, (n, 4, 2) corners."""
        if not self._known:
            return ()
        shown = paint_over_squares(photo, covered)
        both_sides = len({taught.points for taught, _ in self._known}) > 1
        look = round(max(shown.size) * min(2.0, TOKEN_PX / tile_px))
        return merge_overlapping_tokens(
            [
                FoundToken(taught, lie.to_photo(finder.board.corners), lie.alike, sure=both_sides)
                for taught, finder in self._known
                for lie in finder.find_all(shown, TOKENS_MOST, looks=(look,), window_px=WINDOW * tile_px)
            ]
        )


def merge_overlapping_tokens(found: Sequence[FoundToken]) -> tuple[FoundToken, ...]:
    """What several prints found at one place as the likeliest of it, the likeliest place first."""
    kept: list[FoundToken] = []
    for own in sorted(found, key=lambda one: -one.alike):
        reach = APART * float(np.linalg.norm(own.corners_px[1] - own.corners_px[0]))
        same = [i for i, other in enumerate(kept) if np.linalg.norm(other.middle - own.middle) < reach]
        if not same:
            kept.append(own)
            continue
        best = kept[same[0]]
        other_side = best.taught.points != own.taught.points or best.taught.colour != own.taught.colour
        if other_side and best.alike - own.alike < SIDE_SURE:
            kept[same[0]] = FoundToken(best.taught, best.corners_px, best.alike, sure=False)
    return tuple(kept)
