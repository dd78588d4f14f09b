"""The topology of a tile of any box is read; its name follows from the boxes on the table."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.carcassonne.board.board import Board, Placement
from scoring.carcassonne.board.problems import find_problems
from scoring.carcassonne.deal.boards import deal_random_board, mix_expansions
from scoring.carcassonne.tiles.catalogue import list_layout_turns
from scoring.carcassonne.tiles.geometry import SIDES
from scoring.carcassonne.tiles.other_boxes import (
    find_plain_twin,
    get_layout,
    is_plain,
    list_other_drawings,
    load_other_catalogue,
)
from vision.board.expansions import OTHER_BOXES, count_tile_supply, infer_boxes
from vision.board.legal.board import find_legal_board
from vision.board.other_boxes import name_other_tiles
from vision.geometry.lattice_transform import turn_quad
from vision.reading.values import TileAlternative, TileReading
from vision.squares.catalogue import build_reading_catalogue, find_read_name

CATALOGUE = build_reading_catalogue()
CLASSES = list_layout_turns(CATALOGUE)
SUPPLY = count_tile_supply(CATALOGUE, {"base": 1})
QUAD = np.array([(0.0, 0.0), (1, 0), (1, 1), (0, 1)])


def read(tile: str, turns: int, square: int = 0, confidence: float = 0.99) -> TileReading:
    """Return the reading of a tile on a square: its topology, under the name of the drawing."""
    known = find_read_name(tile, turns)
    assert known is not None
    layout = CATALOGUE[known[0]]
    placed = known[1] % layout.symmetry
    return TileReading(0, square, layout.id, placed, turn_quad(QUAD, -placed), confidence, doubtful=False)


@pytest.mark.parametrize("tile", [pytest.param(layout.id, id=layout.id) for layout in load_other_catalogue()])
def test_the_layout_by_which_a_tile_is_read_has_its_edges(tile: str) -> None:
    known = find_read_name(tile, 1)
    assert known is not None
    assert [CATALOGUE[known[0]].edge(side, known[1]) for side in SIDES] == [
        get_layout(tile).edge(side, 1) for side in SIDES
    ]


@settings(max_examples=20)
@given(box=st.sampled_from(["AM", "KR", "GO", "CU", "BB", "HS"]), seed=st.integers(0, 2**32 - 1))
def test_a_whole_box_is_named_by_its_own_tiles(box: str, seed: int) -> None:
    rng = Random(seed)
    own = [layout for layout in load_other_catalogue() if layout.box == box]
    placed = [(layout.id, rng.randrange(4)) for layout in own]
    tiles = name_other_tiles([read(tile, turns, i) for i, (tile, turns) in enumerate(placed)], SUPPLY)
    new = {layout.id for layout in list_other_drawings()}
    for tile, (name, turns) in zip(tiles, placed, strict=True):
        if (read(name, turns).tile or "") in new:
            assert str(tile.tile).startswith(f"{box}/")
        assert tile.tile is not None
        before, after = Placement(name, turns), Placement(tile.tile, tile.turns)
        assert [before.edge(side) for side in SIDES] == [after.edge(side) for side in SIDES]
        assert np.array_equal(turn_quad(np.asarray(tile.corners_px), tile.turns), QUAD)


def test_surplus_tiles_belong_to_the_box_that_is_there() -> None:
    own = [layout.id for layout in load_other_catalogue() if layout.box == "GQ"]
    named = name_other_tiles([read(tile, 0, i) for i, tile in enumerate(own)], Counter())
    assert Counter(str(tile.tile) for tile in named) == Counter(map(find_plain_twin, own))


@pytest.mark.parametrize("box", ["HS", "GQ"])
def test_a_mark_that_pays_is_read_only_if_a_person_stated_its_box(box: str) -> None:
    """Some tiles of Hills & Sheep look like base tiles: which of these have a hill is never known."""
    own = [layout for layout in load_other_catalogue() if layout.box == box]
    seen = [read(layout.id, 0, i) for i, layout in enumerate(own)]
    new = {layout.id for layout in list_other_drawings()}
    for stated in ({}, {box: 1}):
        named = name_other_tiles(seen, Counter(), stated)
        for tile, was in zip(named, seen, strict=True):
            assert tile.tile is not None
            assert tile.tile in CATALOGUE or is_plain(get_layout(tile.tile)) or (stated and was.tile in new)
        marked = {str(tile.tile) for tile in named if not is_plain(get_layout(str(tile.tile)))}
        assert bool(marked) == bool(stated)
        board = Board({tile.square: Placement(str(tile.tile), tile.turns) for tile in named}, boxes=stated)
        assert "more_than_the_box" not in {problem.code for problem in find_problems(board)}


def test_a_print_or_an_alternative_shows_what_it_bears() -> None:
    other = TileAlternative("HS/C!.v", 1, 0.2)
    tile = replace(read("HS/C!.v", 2), alternatives=(other,))
    (plain,) = name_other_tiles([tile], SUPPLY)
    assert plain.tile is not None
    for name, turns in ((plain.tile, plain.turns), (plain.alternatives[0].tile, plain.alternatives[0].turns)):
        assert is_plain(get_layout(name))
        assert turns in (1, 2)
    (printed,) = name_other_tiles([tile], SUPPLY, {}, [tile.square])
    assert (printed.tile, printed.alternatives) == (tile.tile, tile.alternatives)


def test_the_only_sure_tile_of_a_box_is_a_doubt() -> None:
    tiles = [read("AM/A", 0, 0), read("AM/C++", 0, 1, confidence=0.6), read("AM/CRr", 1, 2, confidence=0.5)]
    assert [tile.doubtful for tile in name_other_tiles(tiles, SUPPLY)] == [True] * 3
    more = [*tiles, read("AM/Rrr", 2, 3)]
    assert not any(tile.doubtful for tile in name_other_tiles(more, SUPPLY))


def test_a_stated_box_names_its_tiles_first() -> None:
    for box in ("GQ", "MW"):
        (named,) = name_other_tiles([read("MW/CRRr.2", 0)], SUPPLY, {box: 1})
        assert str(named.tile).startswith(box)
        assert not named.doubtful
    (named,) = name_other_tiles([read("MW/CRRr.2", 0)], SUPPLY, {"GQ": 0, "MW": 0})
    assert named.tile == read("MW/CRRr.2", 0).tile


def test_tiles_of_drawn_boxes_alone_keep_their_names() -> None:
    tiles = [TileReading(0, i, "BA/C", 0, QUAD, 0.9, doubtful=False) for i in range(4)]
    assert name_other_tiles(tiles, SUPPLY) == tuple(tiles)


@pytest.mark.parametrize("seed", range(4))
def test_other_boxes_are_noticed_and_bound_to_no_supply(seed: int) -> None:
    board = deal_random_board(Random(seed), 84, catalogue=mix_expansions(["AM", "KR"]))
    rng = np.random.default_rng(seed)
    squares, rows = [], []
    for square, placement in board.known:
        known = find_read_name(placement.tile, placement.turns)
        assert known is not None
        layout = CATALOGUE[known[0]]
        row = 6 * rng.normal(size=len(CLASSES) + 2)
        row[CLASSES.index((layout.id, known[1] % layout.symmetry))] += 36
        squares.append(square)
        rows.append(row - np.logaddexp.reduce(row))
    boxes = infer_boxes(np.array(rows), CATALOGUE)
    assert boxes.names == (OTHER_BOXES,)
    legal = find_legal_board(squares, np.array(rows), CATALOGUE, None)
    assert not legal.mismatches
    assert np.mean([s.choice == int(np.argmax(row)) for s, row in zip(legal.squares, rows, strict=True)]) > 0.97
