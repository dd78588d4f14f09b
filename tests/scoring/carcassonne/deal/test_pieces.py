"""Random boards with every kind of piece break no rule."""

from __future__ import annotations

from collections import Counter
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.carcassonne.board.board import Board
from scoring.carcassonne.board.pieces import PIECES
from scoring.carcassonne.board.problems import find_problems
from scoring.carcassonne.deal.boards import deal_random_board, mix_expansions
from scoring.carcassonne.deal.pieces import add_pieces

OTHERS = tuple(kind for kind in PIECES if kind != "meeple")


def board_of(seed: int, kinds: tuple[str, ...]) -> tuple[Board, Board]:
    plain = deal_random_board(Random(seed), 60, catalogue=mix_expansions(["inns", "traders"]))
    return plain, add_pieces(plain, kinds, Random(seed))


@settings(max_examples=12)
@given(st.integers(0, 2**32), st.sets(st.sampled_from(OTHERS)))
def test_no_rule_is_broken(seed: int, kinds: set[str]) -> None:
    plain, board = board_of(seed, tuple(sorted(kinds)))
    assert find_problems(board) == find_problems(plain)
    assert {meeple.kind for meeple in board.meeples} <= {"meeple", *kinds}
    assert max(Counter(meeple.square for meeple in board.meeples).values(), default=0) <= 1
    counted = Counter((meeple.colour, meeple.kind) for meeple in board.meeples)
    assert all(number <= PIECES[kind].count for (_, kind), number in counted.items())


def test_every_kind_is_set() -> None:
    counts = Counter(meeple.kind for seed in range(8) for meeple in board_of(seed, OTHERS)[1].meeples)
    assert all(counts[kind] >= 3 for kind in PIECES)


def test_without_other_kinds_the_board_stays() -> None:
    plain, board = board_of(5, ())
    assert board == plain
