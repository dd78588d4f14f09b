"""Finds the boards of World Wonders in a photo: maps, resource boards and their colours, and which belong together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats, Image
from vision.photo.pyramid import Halves
from vision.printed.board import BoardLie, EnrolledBoard
from vision.printed.detector import LOOKS_PX, BoardFinder, rectify_enrolled_board
from vision.printed.photometric_fit import relight_view
from vision.printed.template_search import find_print_places

MOST = 5
"""Players."""
FAR = 0.7
"""Of a map's longer side: a resource board whose middle lies farther beyond the map's edge is another player's."""
PLACE_LEAST = 0.3
"""Likeness of a place worth a closer look."""
FIRM_PLACE, FIRM_ALIKE = 0.5, 0.6
"""Likeness of a place that leaves little doubt, and how alike a closer look there must find the board.

On calibrated arts right places have likenesses from 0.54 and are alike from 0.69, those beside them to 0.54 and 0.70.
"""
COLOUR_PX_MM = 1.0
DIFFERENT = 20.0
"""Grey levels by which the pictures of the colours differ (the median) where they are told apart."""
MOST_OFF = 90.0
"""Grey levels: what is off by more counts no more."""
HONEST = 300.0
"""Square of the grey levels by which a colour's prints are usually off: lamps tint them."""


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

    def find(self, photo: Halves, alike: bool, taken: Sequence[Floats] = ()) -> list[Found]:
        """The boards in a photo. Where they are `alike` but for their colours, one picture finds them all.

        Other boards, whose (4, 2) corners in the photo are `taken`, are passed over.
        """
        finders = list(self._finders.values())[:1] if alike else list(self._finders.values())
        lies: list[BoardLie] = []
        for look in LOOKS_PX:
            lies = [lie for finder in finders for lie in finder.find_all(photo, MOST, taken, [look])]
            if lies or taken:
                break
        kept: list[BoardLie] = []
        for lie in sorted(lies, key=lambda own: -own.alike * own.shown):
            if all(self._apart(lie, other) for other in kept):
                kept.append(lie)
        if set(self.boards) == {""}:
            return [Found(lie, {}) for lie in kept]
        return [Found(lie, self.colours(photo, lie)) for lie in kept]

    def near(
        self, photo: Halves, lie: BoardLie, beside: EnrolledBoard, taken: Sequence[Floats], alike_least: float
    ) -> Found | None:
        """The board on the table near a board that lies in a photo, but for those whose (4, 2) corners are `taken`.

        It is so alike at least, since rows of spaces are nearly alike as well where they lie one beside the other; or
        nearly so (`FIRM_ALIKE`), at a place that is firmly the likeliest from afar: light and markers change a board.
        """
        reach = FAR * max(beside.size_mm) + float(np.linalg.norm(next(iter(self.boards.values())).size_mm))
        places = find_print_places(photo, beside, lie, list(self.boards.values()), reach, taken)
        finder = next(iter(self._finders.values()))
        closer = [finder.closer(photo, rough) for likeness, rough in places if likeness >= PLACE_LEAST]
        found = max((own for own in closer if own is not None), key=lambda own: own.alike, default=None)
        firm = bool(places) and places[0][0] >= FIRM_PLACE and found is closer[0]
        if found is None or found.alike < (min(FIRM_ALIKE, alike_least) if firm else alike_least):
            return None
        return Found(found, {} if set(self.boards) == {""} else self.colours(photo, found))

    def colours(self, photo: Halves, lie: BoardLie) -> dict[str, float]:
        """How likely a board is each colour's: by the parts in which the pictures differ, under one light."""
        if len(self.boards) == 1:
            return dict.fromkeys(self.boards, 1.0)
        usual, alike, told = self._colours
        view, shown = rectify_enrolled_board(photo, lie.homography, next(iter(self.boards.values())), COLOUR_PX_MM)
        told = told & (shown > 0)
        if not told.any():
            return dict.fromkeys(self.boards, 1 / len(self.boards))
        lit = relight_view(view, usual, shown).astype(np.float64)
        off = np.array([np.minimum((lit - own)[told] ** 2, MOST_OFF**2).sum(axis=1).mean() for own in alike])
        weights = np.exp(-(off - off.min()) / (2 * HONEST))
        return dict(zip(self.boards, (weights / weights.sum()).tolist(), strict=True))

    @cached_property
    def _colours(self) -> tuple[Image, Floats, NDArray[np.bool_]]:
        """(h, w, 3) the colours' usual picture, (n, h, w, 3) each in the light of that, and (h, w) where they differ.

        A lamp that shines in one of them alone makes no difference: the median of how far they are from the median.
        """
        pictures = np.stack([board.at(COLOUR_PX_MM) for board in self.boards.values()])
        everywhere = np.full(pictures.shape[1:3], 255, np.uint8)
        usual = np.median([relight_view(own, pictures[0], everywhere) for own in pictures], axis=0).astype(np.uint8)
        alike = np.stack([relight_view(own, usual, everywhere) for own in pictures]).astype(np.float64)
        spread = np.median(np.abs(alike - np.median(alike, axis=0)), axis=0)
        return usual, alike, np.linalg.norm(spread, axis=2) > DIFFERENT

    def _apart(self, lie: BoardLie, other: BoardLie) -> bool:
        """Whether two lies are of two boards: the middle of neither lies on the other."""
        size = np.array(next(iter(self.boards.values())).size_mm)
        inside = [
            bool(np.all((at >= 0) & (at <= size)))
            for at in (one.to_mm(two.to_photo(size[None] / 2))[0] for one, two in ((lie, other), (other, lie)))
        ]
        return not any(inside)


def pair_boards(
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


def find_unpaired_maps(
    maps: Sequence[Found], resources: Sequence[Found], size: Mapping[str, tuple[float, float]]
) -> list[Found]:
    """The maps that have no resource board beside them."""
    return [seat.map for seat in pair_boards(maps, resources, size) if seat.resources is None]


def find_unpaired_resources(
    maps: Sequence[Found], resources: Sequence[Found], size: Mapping[str, tuple[float, float]]
) -> list[Found]:
    """The resource boards that no map has beside it."""
    taken = {id(seat.resources) for seat in (pair_boards(maps, resources, size) if maps else ())}
    return [own for own in resources if id(own) not in taken]


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
