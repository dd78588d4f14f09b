"""Update of a square's alternatives after a person has settled a neighbouring square.

Two tiles whose touching edges differ are as unlikely together as when the photo was read
(`vision.board.legal.problem`). The reader kept only each square's marginal probabilities, which already average over
all neighbours. A settled neighbour therefore adds the ratio between a tile's fit to the true neighbour and its expected
fit to the neighbour as read.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from math import exp

from api.carcassonne.report.snapshot import SnapshotTile
from scoring.carcassonne.board.board import Placement
from scoring.carcassonne.tiles.geometry import SIDES, Square, get_neighbour, get_opposite_side
from vision.board.legal.board import SHOWN_PROBABILITY
from vision.board.legal.problem import EDGE_COST
from vision.reading.values import DOUBT_BELOW, TileAlternative

Tiles = Mapping[Square, SnapshotTile]


def reweigh_alternatives(tiles: Tiles, read: Tiles, settled: Collection[Square]) -> dict[Square, SnapshotTile]:
    """Return the tiles, with alternatives reweighted beside settled neighbours; `read` are the tiles before correction.

    A neighbour that is a square of a wonder adds no evidence: its edges are those of one copy.

    No square gets another tile by that: a tile that hardly fits any longer becomes a doubt.
    """
    return {square: _weighed(square, tile, tiles, read, settled) for square, tile in tiles.items()}


def _weighed(
    square: Square, tile: SnapshotTile, tiles: Tiles, read: Tiles, settled: Collection[Square]
) -> SnapshotTile:
    beside = [(side, get_neighbour(square, side)) for side in SIDES]
    neighbours = [(side, tiles[other], read[other]) for side, other in beside if _is_told(other, tiles, read, settled)]
    if square in settled or tile.tile is None or tile.cell is not None or not tile.alternatives or not neighbours:
        return tile
    best_placement = Placement(tile.tile, tile.turns)
    others = [(other, Placement(other.tile, other.turns)) for other in tile.alternatives]
    factors = [
        _factor(placement, neighbours) for placement in (best_placement, *(placement for _, placement in others))
    ]
    if all(factor == 1.0 for factor in factors):
        return tile
    chances = [tile.confidence, *(other.probability for other, _ in others)]
    rest = max(0.0, 1 - sum(chances))
    weights = [chance * factor for chance, factor in zip(chances, factors, strict=True)]
    total = sum(weights) + rest
    sure, *shares = (weight / total for weight in weights)
    left = [
        TileAlternative(other.tile, other.turns, share)
        for (other, _), share in zip(others, shares, strict=True)
        if share >= SHOWN_PROBABILITY
    ]
    left.sort(key=lambda other: -other.probability)
    changes = {"confidence": sure, "doubtful": sure < DOUBT_BELOW, "alternatives": tuple(left)}
    return tile.model_copy(update=changes)


def _is_told(square: Square, tiles: Tiles, read: Tiles, settled: Collection[Square]) -> bool:
    if square not in settled or square not in tiles or square not in read:
        return False
    return tiles[square].tile is not None and tiles[square].cell is None and read[square].cell is None


def _factor(placement: Placement, neighbours: Collection[tuple[str, SnapshotTile, SnapshotTile]]) -> float:
    """Return how much likelier a tile is with its neighbours known than it was with them in doubt."""
    factor = 1.0
    for side, neighbour, thought in neighbours:
        edge = placement.edge(side)
        expected = sum(chance * _fit(edge, other.edge(get_opposite_side(side))) for other, chance in _thought(thought))
        rest = max(0.0, 1 - sum(chance for _, chance in _thought(thought)))
        factor *= _fit(edge, _placed(neighbour).edge(get_opposite_side(side))) / (expected + rest)
    return factor


def _thought(tile: SnapshotTile) -> Iterator[tuple[Placement, float]]:
    """Yield the tiles a square may have held as read, with their probabilities; possible wonders are ignored."""
    if tile.tile is not None:
        yield _placed(tile), tile.confidence
    if tile.cell is None:
        yield from ((Placement(other.tile, other.turns), other.probability) for other in tile.alternatives)


def _placed(tile: SnapshotTile) -> Placement:
    assert tile.tile is not None
    return Placement(tile.tile, tile.turns)


def _fit(edge: str, facing: str) -> float:
    return 1.0 if edge == facing else exp(-EDGE_COST)
