"""Finds the boards of World Wonders in a photo: maps, resource boards and their colours, and which belong together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.halves import Halves
from vision.printed.board import BoardLie, EnrolledBoard
from vision.printed.finding import BoardFinder, seen_from_above

Floats = NDArray[np.float64]
Image = NDArray[np.uint8]

MOST = 5
"""Players."""
FAR = 0.7
"""Of a map's longer side: a resource board whose middle lies farther beyond the map's edge is another player's."""
COLOUR_PX_MM = 1.0
DIFFERENT = 30.0
"""Grey levels by which the pictures of the colours differ (a deviation) where they are told apart."""
MOST_OFF = 90.0
"""Grey levels: what is off by more counts no more."""
HONEST = 300.0
"""Square of the grey levels by which a colour's prints are usually off: lamps tint them."""
DARK = 8.0
"""Grey levels added before ratios are taken."""


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """A board in a photo; `likely` tells how likely it is each colour's, {} where that does not show."""

    lie: BoardLie
    likely: Mapping[str, float]


@dataclass(frozen=True, slots=True, eq=False)
class SeatFound:
    """A player's boards: `likely` are the odds of the colours, `resources` is None where that board is not seen."""

    map: Found
    resources: Found | None
    likely: Mapping[str, float]


class Boards:
    """Looks for boards of one kind; `boards` are their empty pictures by colour, or by "" where all have the same."""

    def __init__(self, boards: Mapping[str, EnrolledBoard]) -> None:
        self.boards = boards
        self._finders = {colour: BoardFinder(board) for colour, board in boards.items()}

    def board(self, colour: str) -> EnrolledBoard:
        """The picture of a colour's board."""
        return self.boards[colour] if colour in self.boards else self.boards[""]

    def find(self, photo: Halves, alike: bool) -> list[Found]:
        """The boards in a photo. Where they are `alike` but for their colours, one picture finds them all."""
        finders = list(self._finders.values())[:1] if alike else list(self._finders.values())
        lies = [lie for finder in finders for lie in finder.find_all(photo, MOST)]
        kept: list[BoardLie] = []
        for lie in sorted(lies, key=lambda own: -own.alike * own.shown):
            if all(self._apart(lie, other) for other in kept):
                kept.append(lie)
        if set(self.boards) == {""}:
            return [Found(lie, {}) for lie in kept]
        return [Found(lie, self.colours(photo, lie)) for lie in kept]

    def colours(self, photo: Halves, lie: BoardLie) -> dict[str, float]:
        """How likely a board is each colour's: by the parts in which the pictures differ, under one light."""
        if len(self.boards) == 1:
            return dict.fromkeys(self.boards, 1.0)
        pictures = [board.at(COLOUR_PX_MM) for board in self.boards.values()]
        view, shown = seen_from_above(photo, lie.homography, next(iter(self.boards.values())), COLOUR_PX_MM)
        everywhere = np.ones(shown.shape, bool)
        alike = np.stack([_in_light_of(picture, pictures[0], everywhere) for picture in pictures])
        told = (np.linalg.norm(alike.std(axis=0), axis=2) > DIFFERENT) & (shown > 0)
        if not told.any():
            return dict.fromkeys(self.boards, 1 / len(self.boards))
        lit = _in_light_of(view, np.median(alike, axis=0), shown > 0)
        off = np.array([np.minimum((lit - own)[told] ** 2, MOST_OFF**2).sum(axis=1).mean() for own in alike])
        weights = np.exp(-(off - off.min()) / (2 * HONEST))
        return dict(zip(self.boards, (weights / weights.sum()).tolist(), strict=True))

    def _apart(self, lie: BoardLie, other: BoardLie) -> bool:
        """Whether two lies are of two boards: the middle of neither lies on the other."""
        size = np.array(next(iter(self.boards.values())).size_mm)
        inside = [
            bool(np.all((at >= 0) & (at <= size)))
            for at in (one.to_mm(two.to_photo(size[None] / 2))[0] for one, two in ((lie, other), (other, lie)))
        ]
        return not any(inside)


def without(photo: Halves, found: Sequence[Found], size: tuple[float, float]) -> Halves:
    """The photo with the boards painted over: what is left is looked at more closely."""
    picture = photo.whole.copy()
    for own in found:
        corners = own.lie.to_photo(np.array([(0, 0), (1, 0), (1, 1), (0, 1)]) * np.array(size))
        cv2.fillConvexPoly(picture, np.rint(corners).astype(np.int32), picture.mean(axis=(0, 1)).tolist())
    return Halves(picture)


def _in_light_of(view: Image | Floats, picture: Image | Floats, shown: NDArray[np.bool_]) -> Floats:
    """The view with each channel as bright as the picture's: by the middle of what they are apart."""
    gain = [
        float(np.median(np.log(picture[..., c][shown] + DARK) - np.log(view[..., c][shown] + DARK))) for c in range(3)
    ]
    return np.asarray((view + DARK) * np.exp(gain) - DARK)


def seated(
    maps: Sequence[Found], resources: Sequence[Found], size: Mapping[str, tuple[float, float]]
) -> list[SeatFound]:
    """Each map with the resource board beside it, all together as near as can be, and the colours that both tell.

    `size` are the millimetres of a `map` and of a `resources` board.
    """
    away = np.array([[_away(own, other, size) for other in resources] for own in maps]).reshape(
        len(maps), len(resources)
    )
    places = [*range(len(resources)), *[None] * len(maps)]
    best: tuple[int | None, ...] = min(
        set(permutations(places, len(maps))),
        key=lambda chosen: sum(FAR if j is None else min(away[i, j], FAR) for i, j in enumerate(chosen)),
    )
    seats = []
    for i, (own, j) in enumerate(zip(maps, best, strict=True)):
        beside = None if j is None or away[i, j] >= FAR else resources[j]
        seats.append(SeatFound(own, beside, _both(own.likely, {} if beside is None else beside.likely)))
    return seats


def _away(own: Found, other: Found, size: Mapping[str, tuple[float, float]]) -> float:
    """How far a resource board's middle lies beyond a map's edge, in the map's own sizes, as seen on the table."""
    middle = other.lie.to_photo(np.array([size["resources"]]) / 2)
    at = own.lie.to_mm(middle)[0] / np.array(size["map"])
    beyond = np.maximum(np.abs(at - 0.5) - 0.5, 0) * np.array(size["map"]) / max(size["map"])
    return float(np.linalg.norm(beyond)) if np.isfinite(beyond).all() else np.inf


def _both(one: Mapping[str, float], other: Mapping[str, float]) -> dict[str, float]:
    colours = [*dict.fromkeys([*one, *other])]
    weights = {
        colour: one.get(colour, 1.0 if not one else 0.0) * other.get(colour, 1.0 if not other else 0.0)
        for colour in colours
    }
    total = sum(weights.values())
    return {colour: weight / total for colour, weight in weights.items()} if total > 0 else dict(other or one)
