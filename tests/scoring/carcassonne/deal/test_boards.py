"""Random boards of any mix of boxes obey the rules, also with pieces of other boxes."""

from __future__ import annotations

from collections import Counter
from random import Random

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from scoring.carcassonne.board.board import Board
from scoring.carcassonne.board.features import build_feature_map
from scoring.carcassonne.board.pieces import PIECES
from scoring.carcassonne.board.problems import find_problems
from scoring.carcassonne.deal.boards import EXPANSIONS, deal_random_board, mix_expansions, sample_foot_points
from scoring.carcassonne.deal.pieces import add_pieces
from scoring.carcassonne.tiles.catalogue import load_base_catalogue, load_full_catalogue
from scoring.carcassonne.tiles.geometry import SIDES, Square, get_neighbour
from scoring.carcassonne.wonders.catalogue import load_wonder_catalogue
from scoring.carcassonne.wonders.tiles import WONDERS

MIXES = st.sets(st.sampled_from(list(EXPANSIONS)), min_size=1)
SEEDS = st.integers(0, 2**32 - 1)


def river_of(board: Board) -> dict[Square, list[str]]:
    """Return the sides by which a river leaves each tile."""
    rivers = {square: [s for s in SIDES if tile.edge(s) == "river"] for square, tile in board.known}
    return {square: mouths for square, mouths in rivers.items() if mouths}


@settings(max_examples=12, deadline=None)
@given(seed=SEEDS, chosen=MIXES, later=st.booleans(), level=st.booleans(), share=st.floats(0.2, 1))
def test_every_mix_of_boxes_is_dealt_by_the_rules(
    seed: int, chosen: set[str], later: bool, level: bool, share: float
) -> None:
    tiles = mix_expansions(sorted(chosen), later, level)
    box = Counter({layout.id: 0 for layout in tiles})
    for layout in tiles:
        box[layout.id] += layout.count
    board = deal_random_board(Random(seed), round(share * box.total()), catalogue=tiles)
    assert find_problems(board, in_play=len(board.tiles)) == ()
    assert Counter(tile.tile for _, tile in board.known) <= box
    features = build_feature_map(board)
    assert all(features.under(meeple) is not None for meeple in board.meeples)
    assert len(sample_foot_points(board, Random(seed))) == len(board.meeples)


@settings(max_examples=12, deadline=None)
@given(seed=SEEDS, river=st.sampled_from(["river1", "river2"]), tiles=st.integers(20, 84))
def test_a_river_runs_from_its_spring_in_one_piece(seed: int, river: str, tiles: int) -> None:
    board = deal_random_board(Random(seed), tiles, catalogue=mix_expansions([river]))
    course = river_of(board)
    (spring,) = (square for square, tile in board.known if tile.tile == "RI/s")
    reached, ahead = {spring}, [spring]
    while ahead:
        here = ahead.pop()
        for side in course[here]:
            if (beyond := get_neighbour(here, side)) in course and beyond not in reached:
                reached.add(beyond)
                ahead.append(beyond)
    assert reached == set(course)


@pytest.mark.parametrize(("chosen", "tiles"), [([], 72), (["river1"], 84), (["river2"], 84), (["inns"], 90)])
def test_a_mix_contains_the_tiles_of_its_boxes(chosen: list[str], tiles: int) -> None:
    assert sum(layout.count for layout in mix_expansions(chosen)) == tiles


def test_all_boxes_and_printings_form_the_whole_catalogue() -> None:
    everything = {layout.id for layout in mix_expansions(list(EXPANSIONS), later=True)}
    assert everything == {layout.id for layout in load_full_catalogue()}
    assert all(layout.count == 1 for layout in mix_expansions(list(EXPANSIONS), level=True))


def test_without_expansions_a_board_has_only_base_tiles() -> None:
    board = deal_random_board(Random(5))
    assert Counter(tile.tile for _, tile in board.known) == {
        layout.id: layout.count for layout in load_base_catalogue()
    }
    assert board == deal_random_board(Random(5), catalogue=mix_expansions([]))


@example(254, ["WH/stonehenge", "WH/abu-simbel", "WH/alhambra"])
@given(st.integers(0, 10_000), st.lists(st.sampled_from(sorted(WONDERS)), max_size=3, unique=True))
@settings(max_examples=12, deadline=None)
def test_wonders_are_laid_whole_marked_and_by_the_rules(seed: int, names: list[str]) -> None:
    board = deal_random_board(Random(seed), 30, wonders=[load_wonder_catalogue()[name] for name in names])
    assert find_problems(board) == ()
    assert {wonder.layout.id for wonder in board.wonders} <= set(names)
    markers = [meeple for meeple in board.meeples if meeple.pose == "upside_down"]
    assert len(markers) == len(board.wonders)
    feet = sample_foot_points(board, Random(seed))
    for meeple, (x, y) in zip(board.meeples, feet, strict=True):
        row, col = meeple.square
        assert col <= x <= col + 1
        assert row <= y <= row + 1


def test_wonders_do_not_change_boards_without_them() -> None:
    assert deal_random_board(Random(4), 40) == deal_random_board(Random(4), 40, wonders=())


@pytest.mark.parametrize("seed", [0, 8, 9, 17, 29])
def test_no_two_pieces_overlap(seed: int) -> None:
    """Without a minimum distance, two pieces on each of these boards would stand closer than they can."""
    layouts = tuple(load_wonder_catalogue().values())
    wonders = [layouts[(seed + step) % len(layouts)] for step in (0, 3, 5)]
    board = deal_random_board(Random(seed), wonders=wonders)
    feet = np.array(sample_foot_points(board, Random(seed)))
    apart = np.linalg.norm(feet[:, None] - feet[None], axis=2) + 9 * np.eye(len(feet))
    assert len(feet) > 10
    assert apart.min() >= 0.36


OTHERS = tuple(kind for kind in PIECES if kind != "meeple")


def board_of(seed: int, kinds: tuple[str, ...]) -> tuple[Board, Board]:
    plain = deal_random_board(Random(seed), 60, catalogue=mix_expansions(["inns", "traders"]))
    return plain, add_pieces(plain, kinds, Random(seed))


@settings(max_examples=12)
@given(st.integers(0, 2**32), st.sets(st.sampled_from(OTHERS)))
def test_random_boards_with_every_kind_break_no_rule(seed: int, kinds: set[str]) -> None:
    plain, board = board_of(seed, tuple(sorted(kinds)))
    assert find_problems(board) == find_problems(plain)
    assert {meeple.kind for meeple in board.meeples} <= {"meeple", *kinds}
    assert max(Counter(meeple.square for meeple in board.meeples).values(), default=0) <= 1
    counted = Counter((meeple.colour, meeple.kind) for meeple in board.meeples)
    assert all(number <= PIECES[kind].count for (_, kind), number in counted.items())


def test_every_kind_of_piece_is_placed() -> None:
    counts = Counter(meeple.kind for seed in range(8) for meeple in board_of(seed, OTHERS)[1].meeples)
    assert all(counts[kind] >= 3 for kind in PIECES)


def test_without_other_kinds_the_board_stays() -> None:
    plain, board = board_of(5, ())
    assert board == plain
