"""Layouts for tiles that no class of the net explains: by their edges, those of their neighbours, and all boxes' tiles.

The points of a tile depend on its topology alone. A square of no known look gets the likeliest topology with the edges
that the photo shows, and the others as alternatives: where they bring other points, they are doubts as for any tile.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from scoring.carcassonne.doubt.alternatives import MIN_ASKED_PROBABILITY
from scoring.carcassonne.tiles.geometry import SIDES, Square, get_neighbour, get_opposite_side
from scoring.carcassonne.tiles.other_boxes import find_plain_tile, get_layout, load_other_catalogue
from vision.arrays import EVEN_ODDS, Floats, Ints, compute_softmax
from vision.board.legal.problem import EDGE_COST, EDGE_KINDS
from vision.doubt.wonder_pieces import stand_by_foot
from vision.geometry.lattice_transform import turn_quad
from vision.reading.board import place_tile
from vision.reading.values import MeepleReading, TileAlternative, TileReading, WonderReading
from vision.squares.classifier import TileLogits


@dataclass(frozen=True, slots=True, eq=False)
class _Topologies:
    """The m turned topologies of all boxes' tiles: a tile of each, the kinds of its edges (m, 4), and its share."""

    tiles: Sequence[tuple[str, int]]
    kinds: Ints
    shares: Floats


def collect_edges(
    squares: Sequence[Square], logits: TileLogits, possible: Sequence[WonderReading]
) -> Mapping[Square, Floats]:
    """Return the edges of the squares, in the rows of `logits`, at which no `possible` wonder is asked about."""
    waiting = {square for wonder in possible for square in wonder.placed.squares}
    return {at: edges for at, edges in zip(squares, logits.edges, strict=True) if at not in waiting}


def lay_stand_ins(
    tiles: Sequence[TileReading], edges: Mapping[Square, Floats], min_clear: float = EVEN_ODDS
) -> tuple[TileReading, ...]:
    """Return the tiles with a layout for each unknown one whose edges are clear enough to favour one topology.

    `edges` are the (4, 4) log-probabilities of the kinds at the N E S W edges of squares. They are clear if those of
    the likeliest topology have a probability of at least `min_clear`. The layouts fit one another.
    """
    laid = {tile.square: tile for tile in tiles}
    for tile in tiles:
        if tile.tile is None and tile.square in edges:
            laid[tile.square] = _lay_stand_in(tile, edges[tile.square], laid, min_clear)
    return tuple(laid[tile.square] for tile in tiles)


def place_on_stand_ins(
    pieces: Sequence[MeepleReading],
    unknown: Sequence[TileReading],
    tiles: Sequence[TileReading],
    wonders: Sequence[WonderReading] = (),
) -> tuple[MeepleReading, ...]:
    """Return the pieces, those on a tile that was `unknown` and got a layout placed by their feet, as doubts.

    `wonders` are those whose squares are among the tiles.
    """
    new = {now.square: now for was, now in zip(unknown, tiles, strict=True) if now is not was}
    layouts = {square: place_tile(tile, wonders) for square, tile in new.items()}
    return tuple(
        replace(stand_by_foot(piece, on), doubtful=True) if (on := layouts.get((piece.row, piece.col))) else piece
        for piece in pieces
    )


def _lay_stand_in(
    tile: TileReading, edges: Floats, laid: Mapping[Square, TileReading], min_clear: float
) -> TileReading:
    """Return an unknown tile with the likeliest topology by its edges; as it is if its edges are not clear."""
    topologies = _list_topologies()
    sides = np.arange(len(SIDES))
    nats = edges[sides, topologies.kinds].sum(axis=1) + np.log(topologies.shares)
    for side, facing in _list_facing_kinds(tile.square, laid):
        nats -= EDGE_COST * (topologies.kinds[:, side] != facing)
    posterior = compute_softmax(nats)
    clear = posterior[(topologies.kinds == topologies.kinds[posterior.argmax()]).all(axis=1)].sum()
    if clear < min_clear:
        return tile
    likely = defaultdict[tuple[str, int], float](float)
    for other in tile.alternatives:
        likely[find_plain_tile(other.tile, other.turns)] += other.probability
    for index in np.flatnonzero(posterior * tile.confidence >= MIN_ASKED_PROBABILITY).tolist():
        likely[topologies.tiles[index]] += float(posterior[index]) * tile.confidence
    (name, turns), probability = max(likely.items(), key=lambda item: item[1])
    del likely[name, turns]
    return replace(
        tile,
        tile=name,
        turns=turns,
        corners_px=turn_quad(tile.corners_px, -turns),
        confidence=probability,
        doubtful=True,
        alternatives=tuple(
            TileAlternative(*other, share) for other, share in sorted(likely.items(), key=lambda item: -item[1])
        ),
    )


def _list_facing_kinds(square: Square, laid: Mapping[Square, TileReading]) -> Iterator[tuple[int, int]]:
    """Yield the sides of a square with a known neighbour, and the kind of its edge there."""
    for number, side in enumerate(SIDES):
        beside = laid.get(get_neighbour(square, side))
        if beside is not None and beside.tile is not None and beside.cell is None:
            kind = get_layout(beside.tile).edge(get_opposite_side(side), beside.turns)
            if kind in EDGE_KINDS:
                yield number, EDGE_KINDS.index(kind)


@cache
def _list_topologies() -> _Topologies:
    """List the turned topologies of the further boxes' tiles, each with its share of these tiles."""
    copies, kinds = Counter[tuple[str, int]](), {}
    for layout in load_other_catalogue():
        edges = [layout.edge(side) for side in SIDES]
        if {*edges} <= {*EDGE_KINDS}:
            for turns in range(4):
                tile = find_plain_tile(layout.id, turns)
                copies[tile] += layout.count
                kinds[tile] = [EDGE_KINDS.index(layout.edge(side, turns)) for side in SIDES]
    numbers = np.array([copies[tile] for tile in copies], float)
    return _Topologies(list(copies), np.array([kinds[tile] for tile in copies]), numbers / numbers.sum())
