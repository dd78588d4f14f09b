"""Photo views of a corrected table, in the form from which reports are built."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from api.carcassonne.corrections.board_edit import Amended
from api.carcassonne.report.several_photos import PhotoView
from api.carcassonne.report.snapshot import Snapshot, SnapshotTile, SnapshotView, restore_tile_reading, restore_warp
from scoring.carcassonne.board.board import PlacedWonder, Placement
from scoring.carcassonne.tiles.geometry import SIDES, Square, get_neighbour
from vision.arrays import Floats
from vision.board.legal.problem import SHOWN_PROBABILITY
from vision.board.settled_neighbours import SettledNeighbour, reweigh_tiles
from vision.geometry.warp import project_to_photo
from vision.photo.crops import CORNERS, compute_tile_px
from vision.reading.values import DOUBT_BELOW, MeepleReading, Reading, TileAlternative, Warp, WonderReading

Tiles = Mapping[Square, SnapshotTile]


@dataclass(frozen=True, eq=False)
class Rebuilt:
    """The view of each photo, and the ids of its reading's meeples and possible meeples."""

    views: tuple[PhotoView, ...]
    ids: tuple[str, ...]
    possible: tuple[str, ...]


def rebuild_views(snapshot: Snapshot, amended: Amended) -> Rebuilt:
    """Rebuild the photos' views of a corrected table.

    Squares added by a person lie where the lattice predicts, and so do meeples that a person moved.
    """
    ids = sorted((id for id, standing in amended.meeples.items() if standing.stands), key=_number)
    meeples = {id: amended.settled_meeple(amended.meeples[id]) for id in ids}
    meeple_squares = {(meeple.row, meeple.col) for meeple in meeples.values()}
    maybe = {
        id: meeple
        for id, meeple in _possible(amended)
        if id in amended.piled or (meeple.row, meeple.col) not in meeple_squares
    }
    tiles = reweigh_alternatives(
        amended.tiles, {(tile.row, tile.col): tile for tile in snapshot.tiles}, amended.settled
    )
    possible = tuple(_list_possible_wonders(amended))
    whole = _Whole(snapshot, amended, tiles, meeples, maybe, tuple(_wonders(amended)), possible)
    photos = [_Photo(whole, view) for view in snapshot.views]
    best = {square: _largest(square, photos) for square in whole.squares}
    views = tuple(photo.build_view(best, number) for number, photo in enumerate(photos))
    return Rebuilt(views, tuple(ids), tuple(maybe))


def _number(id: str) -> int:
    return int(id.removeprefix("m"))


def _possible(amended: Amended) -> Iterator[tuple[str, MeepleReading]]:
    """Yield the possible meeples whose squares have a tile that can hold them."""
    for id, standing in amended.meeples.items():
        square = (standing.meeple.row, standing.meeple.col)
        if standing.possible and square in amended.tiles:
            meeple = amended.settled_meeple(standing)
            if meeple.segment is not None or amended.placement(square) == standing.on:
                yield id, meeple


def _wonders(amended: Amended) -> Iterator[WonderReading]:
    """Yield the wonders without the alternatives that a person's settled squares exclude."""
    for wonder in amended.wonders:
        left = tuple((o, p) for o, p in wonder.alternatives if _may_lie(o, wonder.placed, amended.settled))
        if len(left) == len(wonder.alternatives):
            yield wonder
            continue
        sure = 1 - sum(p for _, p in wonder.alternatives) + sum(p for _, p in left)
        others = tuple((other, p / sure) for other, p in left)
        yield replace(wonder, probability=wonder.probability / sure, alternatives=others)


def _list_possible_wonders(amended: Amended) -> Iterator[WonderReading]:
    """Yield the wonders that may lie on other tiles as read, each with the placements that no correction excludes."""
    names = {wonder.placed.layout.id for wonder in amended.wonders}
    for wonder in amended.possible_wonders:
        ways = [(wonder.placed, wonder.probability), *wonder.alternatives]
        left = [
            (placed, p)
            for placed, p in ways
            if placed.layout.id not in names and not amended.settled.intersection(placed.squares)
        ]
        if not left:
            continue
        sure = 1 - sum(p for _, p in ways) + sum(p for _, p in left)
        (best, probability), *others = ((placed, p / sure) for placed, p in left)
        coats = wonder.coats if best is wonder.placed else None
        yield WonderReading(best, probability, tuple(others), coats)


def _may_lie(other: PlacedWonder, read: PlacedWonder, settled: Collection[Square]) -> bool:
    """Return whether an alternative to a wonder remains possible: another copy of it, or on squares that are not
    settled.
    """
    return other.is_copy_of(read) or not {*settled} & {*other.squares}


@dataclass(frozen=True, eq=False)
class _Whole:
    """The corrected table, independent of a photo."""

    snapshot: Snapshot
    amended: Amended
    tiles: Mapping[Square, SnapshotTile]
    meeples: Mapping[str, MeepleReading]
    maybe: Mapping[str, MeepleReading]
    wonders: tuple[WonderReading, ...]
    possible_wonders: tuple[WonderReading, ...]

    @cached_property
    def squares(self) -> list[Square]:
        """Squares of the table, those read first, in their order."""
        read = [(tile.row, tile.col) for tile in self.snapshot.tiles]
        return [s for s in read if s in self.amended.tiles] + sorted(self.amended.tiles.keys() - set(read))


@dataclass(frozen=True, eq=False)
class _Photo:
    """The whole table in one photo."""

    whole: _Whole
    view: SnapshotView

    @cached_property
    def warp(self) -> Warp:
        return restore_warp(self.view.warp)

    @cached_property
    def corners(self) -> Mapping[Square, Floats]:
        """Corners (4, 2) NW, NE, SE, SW of the lattice, by square."""
        read = dict(zip(((t.row, t.col) for t in self.whole.snapshot.tiles), self.view.corners, strict=True))
        return {s: np.array(read[s]) if s in read else self._predicted(s) for s in self.whole.squares}

    def shows(self, square: Square) -> bool:
        """Return whether the photo shows a square: as read, or for an added one if all its corners are inside."""
        if square in self._read:
            return square in self.view.squares
        return all(self._holds(x, y) for x, y in self.corners[square].tolist())

    def build_view(self, best: Mapping[Square, int], number: int) -> PhotoView:
        """Build the photo's view; `best` maps squares to the photo that shows them best, `number` is this photo's
        index.
        """
        whole, view = self.whole, self.view
        reading = Reading(
            width=view.photo.width,
            height=view.photo.height,
            tiles=tuple(restore_tile_reading(whole.tiles[square], self.corners[square]) for square in whole.squares),
            meeples=tuple(replace(meeple, foot_px=self._foot(id, meeple)) for id, meeple in whole.meeples.items()),
            possible_meeples=tuple(
                replace(meeple, foot_px=self._foot(id, meeple)) for id, meeple in whole.maybe.items()
            ),
            warp=self.warp,
            timing_ms=whole.snapshot.timing_ms,
            wonders=whole.wonders,
            possible_wonders=whole.possible_wonders,
            box_rules=whole.amended.box_rules,
            boxes=whole.amended.boxes,
            probability=whole.snapshot.probability,
        )
        return PhotoView(
            photo=view.photo,
            decode_ms=view.decode_ms,
            reading=reading,
            squares=frozenset(square for square in whole.squares if self.shows(square)),
            meeples=frozenset(i for i, id in enumerate(whole.meeples) if self._shows_meeple(id)),
            best=frozenset(s for s in whole.squares if (s in view.best if s in self._read else best[s] == number)),
            best_meeples=frozenset(i for i, id in enumerate(whole.meeples) if self._shows_best(id, best, number)),
            bare=frozenset(view.bare) | whole.amended.ended,
        )

    @cached_property
    def _read(self) -> frozenset[Square]:
        return frozenset((tile.row, tile.col) for tile in self.whole.snapshot.tiles)

    def _as_read(self, id: str) -> bool:
        """Return whether a meeple's foot is where it was read."""
        return not self.whole.amended.meeples[id].moved

    def _foot(self, id: str, meeple: MeepleReading) -> tuple[float, float]:
        if self._as_read(id):
            return self.view.feet[_number(id) - 1]
        x, y = project_to_photo(self.warp, np.array([meeple.at]))[0].tolist()
        return x, y

    def _shows_meeple(self, id: str) -> bool:
        if self._as_read(id) and _number(id) <= len(self.whole.snapshot.meeples):
            return _number(id) - 1 in self.view.meeples
        return self._holds(*self._foot(id, self.whole.meeples[id]))

    def _shows_best(self, id: str, best: Mapping[Square, int], number: int) -> bool:
        if self._as_read(id) and _number(id) <= len(self.whole.snapshot.meeples):
            return _number(id) - 1 in self.view.best_meeples
        meeple = self.whole.meeples[id]
        return best.get((meeple.row, meeple.col)) == number

    def _holds(self, x: float, y: float) -> bool:
        return 0 <= x <= self.view.photo.width and 0 <= y <= self.view.photo.height

    def _predicted(self, square: Square) -> Floats:
        return project_to_photo(self.warp, CORNERS + np.array([square[1], square[0]]))


def _largest(square: Square, photos: Sequence[_Photo]) -> int:
    """Return the index of the photo that shows a square largest, 0 if none does."""
    sizes = [float(compute_tile_px(photo.corners[square][None])[0]) if photo.shows(square) else 0.0 for photo in photos]
    return int(np.argmax(sizes))


def reweigh_alternatives(tiles: Tiles, read: Tiles, settled: Collection[Square]) -> dict[Square, SnapshotTile]:
    """Return the tiles, with alternatives reweighted beside settled neighbours; `read` are the tiles before correction.

    A neighbour that is a square of a wonder adds no evidence: its edges are those of one copy.

    No square gets another tile by that: a tile that hardly fits any longer becomes a doubt.
    """
    return {square: _reweigh_tile(square, tile, tiles, read, settled) for square, tile in tiles.items()}


def _reweigh_tile(
    square: Square, tile: SnapshotTile, tiles: Tiles, read: Tiles, settled: Collection[Square]
) -> SnapshotTile:
    beside = [(side, get_neighbour(square, side)) for side in SIDES]
    neighbours = [
        SettledNeighbour(side, _place(tiles[other]), tuple(_list_likely(read[other])))
        for side, other in beside
        if _is_settled(other, tiles, read, settled)
    ]
    if square in settled or tile.tile is None or tile.cell is not None or not tile.alternatives or not neighbours:
        return tile
    likely = list(_list_likely(tile))
    sure, *shares = reweigh_tiles(likely, neighbours)
    if [sure, *shares] == [chance for _, chance in likely]:
        return tile
    left = [
        TileAlternative(other.tile, other.turns, share)
        for other, share in zip(tile.alternatives, shares, strict=True)
        if share >= SHOWN_PROBABILITY
    ]
    left.sort(key=lambda other: -other.probability)
    changes = {"confidence": sure, "doubtful": sure < DOUBT_BELOW, "alternatives": tuple(left)}
    return tile.model_copy(update=changes)


def _is_settled(square: Square, tiles: Tiles, read: Tiles, settled: Collection[Square]) -> bool:
    if square not in settled or square not in tiles or square not in read:
        return False
    return tiles[square].tile is not None and tiles[square].cell is None and read[square].cell is None


def _list_likely(tile: SnapshotTile) -> Iterator[tuple[Placement, float]]:
    """Yield the tiles a square may hold, with their probabilities; possible wonders are ignored."""
    if tile.tile is not None:
        yield _place(tile), tile.confidence
    if tile.cell is None:
        yield from ((Placement(other.tile, other.turns), other.probability) for other in tile.alternatives)


def _place(tile: SnapshotTile) -> Placement:
    assert tile.tile is not None
    return Placement(tile.tile, tile.turns)
