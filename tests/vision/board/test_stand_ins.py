"""Unknown tiles get a topology by their edges, and keep the others as alternatives; unclear ones stay unknown."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from scoring.carcassonne.board.board import PlacedWonder, Placement
from scoring.carcassonne.tiles.geometry import SIDES
from scoring.carcassonne.tiles.other_boxes import find_plain_tile, get_layout, is_plain, load_other_catalogue
from scoring.carcassonne.wonders.catalogue import load_wonder_catalogue
from vision.arrays import Floats
from vision.board.legal.problem import EDGE_KINDS
from vision.board.stand_ins import lay_stand_ins, place_on_stand_ins
from vision.reading.values import MeepleReading, TileAlternative, TileReading, WonderReading

SURE = 0.97
UNCLEAR = np.full((4, 4), -np.log(4))
UNKNOWN = TileReading(0, 0, None, 0, np.zeros((4, 2)), 0.8, True, (TileAlternative("BA/RFr", 0, 0.1),))


def see_edges(kinds: list[str]) -> Floats:
    """Return the log-probabilities of edges that are clearly of these kinds."""
    return np.log([[SURE if kind == seen else (1 - SURE) / 3 for kind in EDGE_KINDS] for seen in kinds])


def list_edges(tile: str, turns: int) -> list[str]:
    return [Placement(tile, turns).edge(side) for side in SIDES]


def list_offered(tile: TileReading) -> list[tuple[str, int, float]]:
    assert tile.tile is not None
    return [(tile.tile, tile.turns, tile.confidence), *((o.tile, o.turns, o.probability) for o in tile.alternatives)]


def test_a_road_that_may_end_is_read_both_ways() -> None:
    """The reader's own alternative, the road that goes on, gains by the edges."""
    (tile,) = lay_stand_ins([UNKNOWN], {(0, 0): see_edges(["field", "road", "field", "road"])})
    offered = list_offered(tile)
    assert offered[0][:2] == ("BA/RFr", 0)
    assert tile.doubtful
    assert {tuple(list_edges(name, turns)) for name, turns, _ in offered} == {("field", "road", "field", "road")}
    assert any(sum(part.kind == "road" for part in get_layout(name).segments) == 2 for name, _, _ in offered)
    assert 0.8 < sum(probability for _, _, probability in offered) <= 0.9 + 1e-9


def test_unclear_edges_leave_a_tile_unknown_until_its_neighbours_show_them() -> None:
    assert lay_stand_ins([UNKNOWN], {(0, 0): UNCLEAR}) == (UNKNOWN,)
    assert lay_stand_ins([UNKNOWN], {}) == (UNKNOWN,)
    beside = [(-1, 0), (0, 1), (1, 0), (0, -1)]
    neighbours = [TileReading(*square, "BA/RFr", 1, np.zeros((4, 2)), 0.99, False) for square in beside]
    (tile, *rest) = lay_stand_ins([UNKNOWN, *neighbours], {(0, 0): UNCLEAR})
    assert rest == neighbours
    assert list_edges(str(tile.tile), tile.turns) == ["road", "field", "road", "field"]


def test_neighbouring_unknown_tiles_fit_each_other() -> None:
    """A game goes on from the likeliest layouts, however unclear; the road of the one leads into the other."""
    road = see_edges(["field", "road", "field", "road"])
    east = replace(UNKNOWN, col=1, alternatives=())
    assert lay_stand_ins([UNKNOWN, east], {(0, 1): UNCLEAR})[1] == east
    first, second = lay_stand_ins([UNKNOWN, east], {(0, 0): road, (0, 1): UNCLEAR}, min_clear=0)
    assert [list_edges(str(tile.tile), tile.turns)[side] for tile, side in ((first, 1), (second, 3))] == ["road"] * 2
    assert second.doubtful


def test_the_true_topology_of_each_tile_of_another_box_is_offered() -> None:
    """Those with rare edges stay unknown. An abbey, which fits anything, has no edges to be known by."""
    offered = {}
    for number, layout in enumerate(load_other_catalogue()):
        turns = number % 4
        if "any" not in (edges := list_edges(layout.id, turns)):
            (tile,) = lay_stand_ins([UNKNOWN], {(0, 0): see_edges(edges)})
            tiles = [] if tile.tile is None else list_offered(tile)
            assert all(is_plain(get_layout(name)) for name, _, _ in tiles)
            offered[layout.id] = find_plain_tile(layout.id, turns) in [other[:2] for other in tiles]
    assert sum(offered.values()) > 0.93 * len(offered), [tile for tile, found in offered.items() if not found]


def test_a_piece_on_a_tile_that_turns_out_to_be_of_a_wonder_stands_on_its_part() -> None:
    wonder = PlacedWonder(load_wonder_catalogue()["WH/alhambra"], (0, 0))
    (row, col), placement = next(iter(wonder.placements.items()))
    unknown = replace(UNKNOWN, row=row, col=col)
    tile = replace(unknown, tile=placement.tile, turns=placement.turns, cell=placement.cell)
    piece = MeepleReading("red", "meeple", "standing", (0.0, 0.0), (col + 0.5, row + 0.5), row, col, None, 0.9, False)
    (placed,) = place_on_stand_ins([piece], [unknown], [tile], [WonderReading(wonder, 1.0)])
    assert placed.segment is not None
    assert placed.doubtful
