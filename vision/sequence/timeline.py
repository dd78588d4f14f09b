"""Photos of one game, aligned in one lattice and put in chronological order: the time of each tile, and its identity.

A tile does not change after it is laid, and stays. Each later photo is therefore evidence of its identity, and each
earlier one only of the square being empty.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from heapq import heapify, heappop, heappush
from itertools import accumulate

import cv2
import numpy as np

from scoring.carcassonne.tiles.catalogue import Catalogue
from scoring.carcassonne.tiles.geometry import Square
from scoring.connected_squares import group_connected_squares, list_neighbours
from vision.arrays import EVEN_ODDS, Flags, Floats
from vision.board.board import MIN_GROUP_TILES
from vision.board.legal.problem import SHOWN_PROBABILITY
from vision.errors import ReadingError
from vision.geometry.lattice_transform import Step
from vision.multiview.grouping import MISREAD_SHARE, Alignment, LatticeEvidence, align_lattices
from vision.multiview.tile_fusion import OVERLOOKED_SHARE, compute_class_prior, join_logits
from vision.reading.values import SURE_NATS
from vision.squares.board_size import refuse_large_board
from vision.squares.classifier import TileLogits
from vision.survey.survey import PlacedSurvey, Survey

PHOTOS_OF_TILE = 8
"""Maximum number of photos, from the first that shows it, that identify a tile. Bounds time."""


@dataclass(frozen=True, slots=True, eq=False)
class Timeline:
    """The photos of one growing board in chronological order, in the lattice of the first one given.

    `since` is the number of the first photo with each square's tile, and `logits` are in the order of its squares;
    `unsure` are squares whose time may differ. `given` are the numbers by which the photos came, among others perhaps.
    `joined` are the logits of the squares that a photo shows first, by its number.
    """

    catalogue: Catalogue
    placed: tuple[PlacedSurvey, ...]
    since: Mapping[Square, int]
    logits: TileLogits
    unsure: frozenset[Square]
    given: tuple[int, ...]
    joined: Mapping[int, _Joined]

    @classmethod
    def begin(cls, survey: Survey, catalogue: Catalogue, arrival: int = 0) -> Timeline:
        """Return the timeline of one photo."""
        return _date_tiles((PlacedSurvey.at(survey, Step(), catalogue),), catalogue, (arrival,), {})

    @property
    def moved(self) -> tuple[int, ...]:
        """Return the numbers of the photos that came too early or too late: as few as explain the order."""
        chains: list[list[int]] = []
        for number, place in enumerate(self.given):
            earlier = [chain for chain in chains if self.given[chain[-1]] < place]
            longest = max(earlier, key=len) if earlier else []
            chains.append([*longest, number])
        longest = max(chains, key=len)
        return tuple(number for number in range(len(self.given)) if number not in longest)

    def align(self, survey: Survey) -> Alignment:
        """Return the best step from the lattice of a further photo to this one."""
        prior = compute_class_prior(self.catalogue)
        whole = LatticeEvidence([*self.since], self.logits.layouts, self.placed[-1:])
        single = LatticeEvidence.of(PlacedSurvey.at(survey, Step(), self.catalogue))
        return align_lattices(whole, single, self.catalogue, prior, grown=True)

    def add(self, survey: Survey, step: Step, arrival: int, board: Collection[Square] | None = None) -> Timeline:
        """Return the timeline with a further photo, put where its tiles belong.

        `arrival` is the number by which it came. `board` are the squares that surely hold tiles, by default all on
        which photos show one. Raises ReadingError: `photos_out_of_order` if it lacks too many of them wherever it is
        put, `board_too_large`.
        """
        new = PlacedSurvey.at(survey, step, self.catalogue)
        new = new.look_for_table(sorted(self.since.keys() - list_tiled_squares(new)))
        squares = _join_touching(self.since, list_tiled_squares(new))
        number = _find_number(self.placed, new, squares, len(self.placed))
        timeline = self._insert(number, new, arrival)
        refuse_large_board(len(timeline.since))
        timeline._refuse_hidden(number, timeline.since if board is None else board)
        return timeline._place_again() if number == len(self.placed) else timeline

    def replace_survey(self, number: int, survey: Survey) -> Timeline:
        """Return the timeline with another survey of one photo, in the same lattice."""
        former = self.placed[number]
        new = replace(PlacedSurvey.at(survey, former.step, self.catalogue), bare=former.bare)
        placed = (*self.placed[:number], new, *self.placed[number + 1 :])
        return _date_tiles(placed, self.catalogue, self.given, self.joined)

    def _insert(self, number: int, new: PlacedSurvey, arrival: int) -> Timeline:
        placed = (*self.placed[:number], new, *self.placed[number:])
        given = (*self.given[:number], arrival, *self.given[number:])
        return _date_tiles(placed, self.catalogue, given, self.joined)

    def _place_again(self) -> Timeline:
        """Return the timeline with the latest photo that brings no tile put where it belongs, before the last one.

        More is known of the board than when it was added.
        """
        last = len(self.placed) - 1
        first = max(0, last - PHOTOS_OF_TILE)
        idle = {*range(first + 1, last)} - {*self.since.values()}
        for number in sorted(idle, reverse=True):
            photo, others = self.placed[number], (*self.placed[:number], *self.placed[number + 1 :])
            board = max(group_connected_squares(self.since), key=len)
            place = first + _find_number(others[first:], photo, [*board], number - first)
            if place < number:
                given = (*self.given[:number], *self.given[number + 1 :])
                return replace(self, placed=others, given=given)._insert(place, photo, self.given[number])
        return self

    def forget_pixels(self) -> Timeline:
        """Return the timeline without the pixels of any photo but the last."""
        return replace(self, placed=(*(view.without_pixels() for view in self.placed[:-1]), self.placed[-1]))

    def _refuse_hidden(self, number: int, board: Collection[Square]) -> None:
        """Raise ReadingError if the last photo lacks a quarter of the tiles of its `board`, and more than one, or an
        earlier photo more than are usually overlooked.

        The first photo, if it was given later, may lack three of the next one's, or any that nothing can hide: they
        show bare table, and other tiles lie between them.
        """
        placed = self.placed[number]
        lying = [square for square, at in self.since.items() if at <= max(number, 1) and square in board]
        lacking = set(lying) - list_tiled_squares(placed)
        is_hidden = len(lacking) > 1 and 4 * len(lacking) >= len(lying)
        if number < len(self.placed) - 1:
            is_hidden = len(lacking) > OVERLOOKED_SHARE * len(lying)
        if number == 0:
            is_hidden = len(lacking) > 3 and not (lacking <= placed.bare and _are_apart(lacking, lying))
        if is_hidden:
            other = self.placed[number - 1] if number else self.placed[1]
            files = {"earlier": other.survey.photo.file, "later": placed.survey.photo.file}
            raise ReadingError("photos_out_of_order", details={**files, "tiles": len(lacking)})


def _are_apart(squares: Collection[Square], others: Collection[Square]) -> bool:
    """Return whether others lie between some squares, which then no hand or arm hides together."""
    hull = cv2.convexHull(np.array([*squares], np.float32))
    return any(cv2.pointPolygonTest(hull, (float(row), float(col)), False) > 0 for row, col in {*others} - {*squares})


def list_tiled_squares(placed: PlacedSurvey) -> frozenset[Square]:
    """Return the squares on which a photo shows a tile rather than the table."""
    return frozenset(square for square, empty in _compute_empty_odds(placed).items() if empty < EVEN_ODDS)


@dataclass(frozen=True, slots=True, eq=False)
class _Presence:
    """Evidence (n, m) of n photos that m squares hold tiles, in nats.

    `has` states whether a photo's lattice has the square, `beyond` whether its border cuts it off.
    """

    nats: Floats
    has: Flags
    beyond: Flags

    @classmethod
    def of(cls, placed: Sequence[PlacedSurvey], squares: Sequence[Square]) -> _Presence:
        tiles = _identify_tiles(placed, squares)
        rows = [_weigh_presence(photo, squares, tiles) for photo in placed]
        has = np.array([[square in photo.index for square in squares] for photo in placed])
        return cls(np.array([nats for nats, _ in rows]), has, np.array([beyond for _, beyond in rows]))

    def select(self, rows: Sequence[int], squares: Flags) -> _Presence:
        """Return the evidence of some photos, in this order, on some squares."""
        at = np.ix_(rows, np.flatnonzero(squares).tolist())
        return _Presence(self.nats[at], self.has[at], self.beyond[at])

    def weigh_times(self) -> Floats:
        """Return the evidence (n + 1, m) for each square having its tile since each photo, or never."""
        since = self.nats[::-1].cumsum(axis=0)[::-1]
        possible = np.logical_or.accumulate(self.has[::-1])[::-1]
        return np.concatenate([np.where(possible, since, -np.inf), np.zeros((1, self.nats.shape[1]))])


def _date_tiles(
    placed: tuple[PlacedSurvey, ...], catalogue: Catalogue, given: tuple[int, ...], before: Mapping[int, _Joined]
) -> Timeline:
    """Return the timeline of photos in chronological order; `before` are logits that may have been joined already."""
    squares = sorted({square for photo in placed for square in photo.index})
    weighed = _Presence.of(placed, squares).weigh_times()
    # Among equal times the latest: nothing shows the tile before.
    times = len(placed) - weighed[::-1].argmax(axis=0)
    tiled = [n for n, time in enumerate(times) if time < len(placed)]
    margins = np.diff(np.sort(weighed, axis=0)[-2:], axis=0)[0]
    first_views = {squares[n]: int(times[n]) for n in tiled}
    since = _select_board(first_views)
    unsure = {squares[n] for n in tiled if margins[n] < SURE_NATS and squares[n] in since}
    for number in range(1, len(placed)):
        unsure |= _list_missing_latest(placed[number], number, since)
    joined = _join_since(placed, {square: first_views[square] for square in since}, catalogue, before)
    rows = {
        square: (layout, edges)
        for one in joined.values()
        for square, layout, edges in zip(one.squares, one.logits.layouts, one.logits.edges, strict=True)
    }
    logits = TileLogits(np.array([rows[at][0] for at in since]), np.array([rows[at][1] for at in since]))
    return Timeline(catalogue, placed, since, logits, frozenset(unsure), given, joined)


def _list_missing_latest(photo: PlacedSurvey, number: int, since: Mapping[Square, int]) -> set[Square]:
    """Return the latest tiles that a photo without any of its own lacks: it may have been taken before they were laid.

    A hand may as well hide them.
    """
    tiled = list_tiled_squares(photo)
    latest = max((since[square] for square in tiled if square in since), default=number)
    if latest >= number:
        return set()
    return {square for square, at in since.items() if max(latest, 1) <= at < number and square not in tiled}


def _join_touching(board: Collection[Square], tiled: Collection[Square]) -> list[Square]:
    """Return the squares of a board with those of further tiles that are connected to it."""
    groups = group_connected_squares({*board, *tiled})
    return [square for group in groups if not group.isdisjoint(board) for square in group]


def _find_number(placed: Sequence[PlacedSurvey], new: PlacedSurvey, squares: Sequence[Square], usual: int) -> int:
    """Return the place of a photo among others in chronological order: the usual one, unless its tiles contradict it.

    Only the `squares` of the board are evidence. An overlooked tile is no contradiction, and a photo with a tile that
    is not there yet was not taken earlier. Before the first photo, squares beyond the border are no evidence: a photo
    of half the board would otherwise be the earliest.
    """
    end, tiled = len(placed), list_tiled_squares(new) & {*squares}
    tiled_squares = map(list_tiled_squares, placed[:usual])
    known = [*accumulate(tiled_squares, lambda some, more: some | more)]
    places = [number for number in range(end) if number > usual or (number < usual and tiled <= known[number])]
    if not places and usual == end:
        return usual
    presence = _Presence.of([*placed, new], squares)
    nats = {number: _weigh_place(presence, number, np.ones(len(squares), bool)) for number in {*places, usual, end}}
    visible = ~presence.beyond[-1]
    if 0 in nats:
        nats[0] = nats[end] + _weigh_place(presence, 0, visible) - _weigh_place(presence, end, visible)
    best = max(sorted(nats), key=lambda number: nats[number])
    # One bare square is enough, one overlooked tile is not: halfway between what they weigh.
    enough = -float(np.log(MISREAD_SHARE * np.sqrt(EVEN_ODDS)))
    return best if nats[best] - nats[usual] > enough else usual


def _weigh_place(presence: _Presence, number: int, squares: Flags) -> float:
    """Return the evidence of all photos if the last one is put in a given place among the others."""
    others = list(range(len(presence.nats) - 1))
    order = [*others[:number], len(others), *others[number:]]
    return float(presence.select(order, squares).weigh_times().max(axis=0).sum())


def _compute_empty_odds(placed: PlacedSurvey) -> Mapping[Square, float]:
    """Return the probability that each square of a photo's lattice is empty."""
    return {square: float(np.exp(placed.logits.layouts[n, -1])) for square, n in placed.index.items()}


def _identify_tiles(placed: Sequence[PlacedSurvey], squares: Sequence[Square]) -> Mapping[Square, int]:
    """Return the class of the tile that each square holds, if any, by the latest photos."""
    numbers = {square: n for n, square in enumerate(squares)}
    nats = np.zeros((len(squares), placed[-1].logits.layouts.shape[1] - 1))
    for photo in placed[-PHOTOS_OF_TILE:]:
        rows = [(numbers[square], row) for square, row in photo.index.items() if square in numbers]
        at, there = np.array(rows).reshape(-1, 2).T
        nats[at] += np.maximum(photo.logits.layouts[there, :-1], np.log(SHOWN_PROBABILITY))
    return dict(zip(squares, nats.argmax(axis=1).tolist(), strict=True))


def _weigh_presence(
    placed: PlacedSurvey, squares: Sequence[Square], tiles: Mapping[Square, int]
) -> tuple[list[float], Flags]:
    """Return the evidence (m,) of one photo that squares hold their tiles, and whether it shows less than their
    middles.

    Anything else on a square, such as a hand or a pattern of the cloth, is no evidence. A hand or a sleeve over a tile
    may look as the table does, which it covers as well.
    """
    empty, visible = _compute_empty_odds(placed), placed.shows_points(np.array(squares, np.float64)[:, ::-1] + 0.5)
    beyond = ~visible & np.array([square not in empty for square in squares])
    nats = []
    for square, is_beyond in zip(squares, beyond, strict=True):
        if square in empty:
            odds = placed.logits.layouts[placed.index[square], [tiles[square], -1]]
            there, none = np.maximum(odds, np.log(SHOWN_PROBABILITY)).tolist()
            nats.append(there - none)
        elif square in placed.bare:
            nats.append(float(np.log(MISREAD_SHARE * EVEN_ODDS)))
        else:
            nats.append(float(np.log(OVERLOOKED_SHARE if is_beyond else MISREAD_SHARE)))
    return nats, beyond


def _select_board(since: Mapping[Square, int]) -> dict[Square, int]:
    """Return the tiles that belong to the board, each since the photo in which it touches others of it.

    Others are a hand of tiles, a stack, or pictures of tiles on a screen.
    """
    times: dict[Square, int] = {}
    fringe = [(since[square], square) for square in _find_starts(since)]
    heapify(fringe)
    while fringe:
        time, square = heappop(fringe)
        if square not in times:
            times[square] = time
            for near in list_neighbours(square):
                if near in since:
                    heappush(fringe, (max(time, since[near]), near))
    return {square: times[square] for square in since if square in times}


def _find_starts(since: Mapping[Square, int]) -> Iterator[Square]:
    """Yield an early square of the board, and one of each large group that an overlooked tile may join to it."""
    first = min(since.values(), default=0)
    starts = group_connected_squares([square for square, at in since.items() if at == first])
    groups = group_connected_squares(since)
    if not starts:
        return
    largest = max(starts, key=len)
    board = next(group for group in groups if largest <= group)
    beside = {near for square in board for near in list_neighbours(square)}
    yield min(largest)
    for group in groups:
        near_board = not beside.isdisjoint(near for square in group for near in list_neighbours(square))
        if near_board and len(group) >= MIN_GROUP_TILES and group != board:
            yield min(group, key=lambda square: since[square])


@dataclass(frozen=True, slots=True, eq=False)
class _Joined:
    """The logits of squares that some photos show, joined from `parts`, those of each photo."""

    squares: tuple[Square, ...]
    parts: tuple[TileLogits, ...]
    logits: TileLogits

    def is_of(self, squares: tuple[Square, ...], views: Sequence[PlacedSurvey]) -> bool:
        """Return whether these are the logits of the same squares by the same photos."""
        are_same = (part is view.logits for part, view in zip(self.parts, views, strict=False))
        return self.squares == squares and len(self.parts) == len(views) and all(are_same)


def _join_since(
    placed: Sequence[PlacedSurvey], since: Mapping[Square, int], catalogue: Catalogue, before: Mapping[int, _Joined]
) -> dict[int, _Joined]:
    """Return the logits of the squares by the photo that first shows their tiles, from the photos since then; those
    `before` are reused if they are of the same photos.
    """
    prior, joined = compute_class_prior(catalogue), dict[int, _Joined]()
    for time in sorted(set(since.values())):
        squares = tuple(square for square, at in since.items() if at == time)
        views = placed[time : time + PHOTOS_OF_TILE]
        if time in before and before[time].is_of(squares, views):
            joined[time] = before[time]
        else:
            logits = join_logits(views, squares, prior) if len(views) > 1 else _select_logits(views[0], squares)
            joined[time] = _Joined(squares, tuple(view.logits for view in views), logits)
    return joined


def _select_logits(placed: PlacedSurvey, squares: Sequence[Square]) -> TileLogits:
    """Return the last photo's logits of the squares that only it shows."""
    rows = [placed.index[square] for square in squares]
    return TileLogits(placed.logits.layouts[rows], placed.logits.edges[rows])
