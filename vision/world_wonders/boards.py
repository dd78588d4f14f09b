"""Detection of World Wonders boards in a photo: maps, resource boards, their colours, and their pairing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats, Image, compute_softmax
from vision.colour.photometric_fit import relight_view
from vision.flat_boards.board import BoardLie, EnrolledBoard
from vision.flat_boards.detector import LOOKS, BoardFinder, rectify_enrolled_board
from vision.flat_boards.template_search import find_print_places
from vision.photo.pyramid import Halves

MAX_PLAYERS = 5
"""Maximum number of players' boards searched for. By the rules."""
MAX_DISTANCE_SHARE = 0.7
"""Maximum distance of a resource board's centre beyond a map's edge, relative to the map's longer side; farther boards
belong to another player. A guess."""
MIN_PLACE_LIKENESS = 0.3
"""Minimum likeness of a place that is inspected more closely. A guess."""
FIRM_PLACE_LIKENESS, FIRM_ALIKE_SHARE = 0.5, 0.6
"""Likeness of a place that leaves little doubt, and the minimum similarity of the board found by its closer inspection.

Measured: on calibrated arts, true places have likenesses from 0.54 and similarities from 0.69; places beside them reach
0.54 and 0.70.
"""
COLOUR_PX_MM = 1
"""Pixels per millimetre at which the colours' pictures are compared."""
MAX_MISFIT_GREY_LEVELS = 90.0
"""Maximum difference that counts for a pixel. A guess."""
MISFIT_VARIANCE = 300.0
"""Variance of a colour's prints in grey levels: lamps tint them. Pixels that vary more between the colours' pictures
distinguish them. A guess."""


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """A board in a photo; `likely` is the probability of each colour, {} if it is not visible."""

    lie: BoardLie
    likely: Mapping[str, float]


@dataclass(frozen=True, slots=True, eq=False)
class SeatFound:
    """A player's boards: `likely` are the probabilities of the colours, `resources` is None if that board is not seen.

    `map_name` is the colour under which that map was enrolled, "" if all are alike.
    """

    map: Found
    resources: Found | None
    likely: Mapping[str, float]
    map_name: str = ""


APART_PROBABILITY = 0.9
"""Probability that a separate map and resource board belong to one player if no other board is left for either; the
pairing is put to the user as a question. A guess."""


class Boards:
    """A finder of boards of one kind; `boards` are their empty pictures by colour, or by "" if all have the same."""

    def __init__(self, boards: Mapping[str, EnrolledBoard]) -> None:
        self.boards = boards
        self._finders = {colour: BoardFinder(board) for colour, board in boards.items()}

    def board(self, colour: str) -> EnrolledBoard:
        """Return the picture of a colour's board."""
        return self.boards[colour] if colour in self.boards else self.boards[""]

    def find(
        self, photo: Halves, alike: bool, taken_corners: Sequence[Floats] = (), is_tilted: bool = False
    ) -> list[Found]:
        """Find the boards in a photo. If they are `alike` except for their colours, one picture finds them all.

        If none is seen, boards that are `is_tilted` are also searched for (`find_tilted`). Other boards, whose (4, 2)
        corners in the photo are `taken_corners`, are skipped.
        """
        finders = self._list_finders(alike)
        lies: list[BoardLie] = []
        for look in LOOKS:
            lies = [
                lie
                for finder in finders
                for lie in finder.find_all(photo, MAX_PLAYERS, taken_corners, [look], is_tilted=False)
            ]
            if lies or taken_corners:
                break
        if not lies and is_tilted:
            return self.find_tilted(photo, alike)
        return self._distinguish_boards(photo, lies)

    def find_tilted(self, photo: Halves, alike: bool, taken_corners: Sequence[Floats] = ()) -> list[Found]:
        """Find the boards that a photo shows from the side, as `find` does."""
        finders = self._list_finders(alike)
        return self._distinguish_boards(
            photo, [lie for finder in finders for lie in finder.find_tilted(photo, MAX_PLAYERS, taken_corners)]
        )

    def _list_finders(self, alike: bool) -> list[BoardFinder]:
        return list(self._finders.values())[: 1 if alike else None]

    def _distinguish_boards(self, photo: Halves, lies: Sequence[BoardLie]) -> list[Found]:
        """Return the distinct boards at the given poses, with their colours."""
        distinct: list[BoardLie] = []
        for lie in sorted(lies, key=lambda candidate: -candidate.alike * candidate.shown):
            if all(self._are_apart(lie, other) for other in distinct):
                distinct.append(lie)
        if set(self.boards) == {""}:
            return [Found(lie, {}) for lie in distinct]
        return [Found(lie, self.colours(photo, lie)) for lie in distinct]

    def near(
        self,
        photo: Halves,
        lie: BoardLie,
        beside: EnrolledBoard,
        taken_corners: Sequence[Floats],
        alike_least: float,
        distance: float = MAX_DISTANCE_SHARE,
        open_mm: Sequence[Floats] = (),
    ) -> Found | None:
        """Find the board on the table near another board in a photo, skipping those with (4, 2) `taken_corners`.

        Its centre is no farther beyond the other's edge than `distance`, relative to that one's longer side. Its
        similarity is at least `alike_least`, since adjacent rows of spaces resemble each other; a slightly lower one
        (`FIRM_ALIKE_SHARE`) suffices at a place that is firmly the most likely from afar, since light and markers
        change a board. `open_mm` are (4, 2) outlines of its parts that pieces may cover.
        """
        reach = distance * max(beside.size_mm) + float(np.linalg.norm(next(iter(self.boards.values())).size_mm))
        places = find_print_places(photo, beside, lie, list(self.boards.values()), reach, taken_corners, open_mm)
        finder = next(iter(self._finders.values()))
        closer = [finder.closer(photo, rough) for likeness, rough in places if likeness >= MIN_PLACE_LIKENESS]
        best = max(
            (candidate for candidate in closer if candidate is not None),
            key=lambda candidate: candidate.alike,
            default=None,
        )
        firm = bool(places) and places[0][0] >= FIRM_PLACE_LIKENESS and best is closer[0]
        if best is None or best.alike < (min(FIRM_ALIKE_SHARE, alike_least) if firm else alike_least):
            return None
        return Found(best, {} if set(self.boards) == {""} else self.colours(photo, best))

    def colours(self, photo: Halves, lie: BoardLie) -> dict[str, float]:
        """Compute the probability of each colour for a board, from the parts in which the pictures differ, in the light
        of the others."""
        if len(self.boards) == 1:
            return dict.fromkeys(self.boards, 1.0)
        usual, alike, differing = self._colours
        view, visible = rectify_enrolled_board(photo, lie.homography, next(iter(self.boards.values())), COLOUR_PX_MM)
        lit = relight_view(view, usual, np.where(differing, np.uint8(0), visible)).astype(np.float64)
        differing = differing & (visible > 0)
        if not differing.any():
            return dict.fromkeys(self.boards, 1 / len(self.boards))
        off = np.array(
            [
                np.minimum((lit - colour_picture)[differing] ** 2, MAX_MISFIT_GREY_LEVELS**2).sum(axis=1).mean()
                for colour_picture in alike
            ]
        )
        shares = compute_softmax((off.min() - off) / (2 * MISFIT_VARIANCE))
        return dict(zip(self.boards, shares.tolist(), strict=True))

    @cached_property
    def _colours(self) -> tuple[Image, Floats, NDArray[np.bool_]]:
        """(h, w, 3) median of the colours' pictures, (n, h, w, 3) each in that light, and (h, w) where they differ.

        The spread is a median absolute deviation, so a lamp reflected in one picture alone has no effect.
        """
        pictures = np.stack([board.at(COLOUR_PX_MM) for board in self.boards.values()])
        common, differing = np.full(pictures.shape[1:3], 255, np.uint8), np.zeros(pictures.shape[1:3], bool)
        for _ in range(2):  # the light of the parts that all have in common
            usual = np.median([relight_view(picture, pictures[0], common) for picture in pictures], axis=0).astype(
                np.uint8
            )
            alike = np.stack([relight_view(picture, usual, common) for picture in pictures]).astype(np.float64)
            spread = np.median(np.abs(alike - np.median(alike, axis=0)), axis=0)
            differing |= np.linalg.norm(spread, axis=2) ** 2 > MISFIT_VARIANCE
            common[differing] = 0
        return usual, alike, differing

    def _are_apart(self, lie: BoardLie, other: BoardLie) -> bool:
        """Return whether two poses are of two boards: the centre of neither is on the other."""
        size = np.array(next(iter(self.boards.values())).size_mm)
        inside = [
            bool(np.all((at >= 0) & (at <= size)))
            for at in (one.to_mm(two.to_photo(size[None] / 2))[0] for one, two in ((lie, other), (other, lie)))
        ]
        return not any(inside)


def pair_boards(
    maps: Sequence[Found], resources: Sequence[Found], size: Mapping[str, tuple[float, float]], apart: bool = False
) -> list[SeatFound]:
    """Pair each map with the resource board beside it, minimising the total distance.

    The resource board identifies the player, since anyone may have any map. If it does not, the map's player is the one
    under whom it was enrolled. If all boards were searched for, so that they may be `apart`, the only map and the only
    resource board left over most likely belong to one player. `size` are the millimetres of a `map` and of a
    `resources` board.
    """
    away = np.array([[_measure_distance(map_board, other, size) for other in resources] for map_board in maps]).reshape(
        len(maps), len(resources)
    )
    places = [*range(len(resources)), *[None] * len(maps)]
    best: tuple[int | None, ...] = min(
        set(permutations(places, len(maps))),
        key=lambda chosen: sum(
            MAX_DISTANCE_SHARE if j is None else min(away[i, j], MAX_DISTANCE_SHARE) for i, j in enumerate(chosen)
        ),
    )
    near = {i: j for i, j in enumerate(best) if j is not None and away[i, j] < MAX_DISTANCE_SHARE}
    free = {*range(len(resources))} - {*near.values()}
    seats = []
    for i, pair_map in enumerate(maps):
        beside = resources[near[i]] if i in near else None
        likely = (beside.likely if beside else {}) or pair_map.likely
        if apart and beside is None and len(free) == 1 and len(maps) - len(near) == 1:
            beside = resources[min(free)]
            likely = _share_with_others(beside.likely, APART_PROBABILITY) or pair_map.likely
        seats.append(SeatFound(pair_map, beside, likely))
    return seats


def _share_with_others(likely: Mapping[str, float], probability: float) -> dict[str, float]:
    """Return the colours' probabilities if these hold with the given probability, and otherwise all colours are equally
    likely."""
    return {colour: probability * share + (1 - probability) / len(likely) for colour, share in likely.items()}


def find_unpaired_maps(
    maps: Sequence[Found], resources: Sequence[Found], size: Mapping[str, tuple[float, float]]
) -> list[Found]:
    """Return the maps without a resource board beside them."""
    return [seat.map for seat in pair_boards(maps, resources, size) if seat.resources is None]


def find_unpaired_resources(
    maps: Sequence[Found], resources: Sequence[Found], size: Mapping[str, tuple[float, float]], apart: bool = False
) -> list[Found]:
    """Return the resource boards without a map beside them (`pair_boards`)."""
    paired = {id(seat.resources) for seat in (pair_boards(maps, resources, size, apart) if maps else ())}
    return [board for board in resources if id(board) not in paired]


def _measure_distance(map_board: Found, other: Found, size: Mapping[str, tuple[float, float]]) -> float:
    """Return the distance of a resource board's centre beyond a map's edge on the table, relative to the map's longer
    side."""
    middle = other.lie.to_photo(np.array([size["resources"]]) / 2)
    at = map_board.lie.to_mm(middle)[0] / np.array(size["map"])
    beyond = np.maximum(np.abs(at - 0.5) - 0.5, 0) * np.array(size["map"]) / max(size["map"])
    return float(np.linalg.norm(beyond)) if np.isfinite(beyond).all() else np.inf
