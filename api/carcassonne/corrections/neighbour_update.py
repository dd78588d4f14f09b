"""Update of a square's alternatives after a person has settled a neighbouring square."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from api.carcassonne.report.snapshot import SnapshotTile
from scoring.carcassonne.board.board import Placement
from scoring.carcassonne.tiles.geometry import SIDES, Square, get_neighbour
from vision.board.legal.board import SHOWN_PROBABILITY
from vision.board.settled_neighbours import SettledNeighbour, reweigh_tiles
from vision.reading.values import DOUBT_BELOW, TileAlternative

Tiles = Mapping[Square, SnapshotTile]


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
