"""The legal board, compared with an enumeration of every board, and with boards that were really dealt."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise, product
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from scoring.carcassonne.board.board import Board
from scoring.carcassonne.deal.boards import deal_random_board
from tests.vision.board.legal.enumeration import (
    CATALOGUE,
    CLASSES,
    NONE,
    OTHER,
    SHAPES,
    few_candidates,
    log_softmax,
    named,
)
from vision.arrays import Floats
from vision.board.legal import board as legal
from vision.board.legal import groups as legal_groups
from vision.board.legal.board import LegalBoard, find_legal_board
from vision.board.legal.problem import EDGE_COST, EXTRA_TILE_COST_NATS
from vision.board.legal.pruning import REACH_NATS

Square = tuple[int, int]
SEEDS = st.integers(min_value=0, max_value=2**32 - 1)


def truth(board: Board) -> tuple[list[Square], NDArray[np.int64]]:
    placed = list(board.known)
    return [square for square, _ in placed], np.array([named(p.layout.letter, p.turns) for _, p in placed])


def seen(classes: NDArray[np.int64], rng: np.random.Generator, strength: float) -> Floats:
    """Return a well calibrated net's scores: their softmax is the true posterior, sharper with greater strength."""
    scores = strength * rng.normal(size=(len(classes), len(CLASSES) + 2))
    scores[np.arange(len(classes)), classes] += strength**2
    return log_softmax(scores)


def sure(squares: dict[Square, dict[int, float]]) -> tuple[list[Square], Floats]:
    """Return log-probabilities from the probabilities of a few classes per square."""
    table = np.full((len(squares), len(CLASSES) + 2), -np.inf)
    for row, chances in enumerate(squares.values()):
        table[row, list(chances)] = np.log(list(chances.values()))
    return list(squares), table


def choices(board: LegalBoard) -> list[int]:
    return [square.choice for square in board.squares]


def facing(first: int, second: int, side: str, other_side: str) -> bool:
    """Return whether two classes on touching squares disagree."""
    if max(first, second) >= OTHER:
        return False
    (a, a_turns), (b, b_turns) = CLASSES[first], CLASSES[second]
    return CATALOGUE[a].edge(side, a_turns) != CATALOGUE[b].edge(other_side, b_turns)


def worth(squares: tuple[Square, ...], classes: tuple[int, ...], log_probs: Floats) -> float:
    """Return a board's score, computed from the catalogue alone, independently of the solver."""
    at = dict(zip(squares, classes, strict=True))
    total = sum(float(log_probs[i, c]) for i, c in enumerate(classes))
    for (row, col), choice in at.items():
        east, south = at.get((row, col + 1), NONE), at.get((row + 1, col), NONE)
        total -= EDGE_COST * (facing(choice, east, "E", "W") + facing(choice, south, "S", "N"))
    used = Counter(CLASSES[c][0] for c in classes if c < OTHER)
    return total - EXTRA_TILE_COST_NATS * sum(max(0, n - CATALOGUE[tile].count) for tile, n in used.items())


@settings(max_examples=60, deadline=None)
@given(seed=SEEDS, squares=st.sampled_from(SHAPES))
def test_best_board_margins_and_posteriors_equal_enumeration(seed: int, squares: tuple[Square, ...]) -> None:
    log_probs = few_candidates(np.random.default_rng(seed), len(squares))
    options = [np.flatnonzero(row > -100).tolist() for row in log_probs]
    boards = list(product(*options))
    values = np.array([worth(squares, board, log_probs) for board in boards])
    weights = np.exp(values - values.max())
    result = find_legal_board(squares, log_probs, CATALOGUE)
    assert worth(squares, tuple(choices(result)), log_probs) == pytest.approx(values.max())
    for i, square in enumerate(result.squares):
        against = [v for v, board in zip(values, boards, strict=True) if board[i] != square.choice]
        margin = values.max() - max(against, default=-np.inf)
        assert square.margin == pytest.approx(min(margin, REACH_NATS), abs=1e-6)
        same = [board[i] == square.choice for board in boards]
        assert square.confidence == pytest.approx(weights[same].sum() / weights.sum(), abs=0.01)


@settings(max_examples=25, deadline=None)
@given(seed=SEEDS)
def test_the_solver_finds_what_enumeration_finds(seed: int) -> None:
    squares = SHAPES[1]
    log_probs = few_candidates(np.random.default_rng(seed), len(squares))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(legal, "MAX_GROUP_BOARDS", 0)
        patch.setattr(legal_groups, "MAX_GROUP_BOARDS", 0)
        solved = find_legal_board(squares, log_probs, CATALOGUE)
    enumerated = find_legal_board(squares, log_probs, CATALOGUE)
    best = worth(squares, tuple(choices(enumerated)), log_probs)
    assert worth(squares, tuple(choices(solved)), log_probs) == pytest.approx(best, abs=0.01)


@pytest.mark.parametrize(("strength", "argmax_wrong", "legal_wrong"), [(5.0, 0.0, 0.002), (4.0, 0.04, 0.02)])
def test_the_rules_correct_misread_single_squares(strength: float, argmax_wrong: float, legal_wrong: float) -> None:
    rng = np.random.default_rng(5)
    wrong = np.zeros(2)
    certainty: list[float] = []
    tiles = 0
    for seed in range(12):
        squares, classes = truth(deal_random_board(Random(seed)))
        log_probs = seen(classes, rng, strength)
        result = find_legal_board(squares, log_probs, CATALOGUE)
        wrong += (log_probs.argmax(axis=1) != classes).sum(), np.count_nonzero(np.array(choices(result)) - classes)
        certainty += [square.confidence for square in result.squares]
        tiles += len(classes)
    assert wrong[0] >= argmax_wrong * tiles
    assert wrong[1] <= legal_wrong * tiles
    assert np.mean(certainty) == pytest.approx(1 - wrong[1] / tiles, abs=0.01)


@settings(max_examples=20, deadline=None)
@given(seed=SEEDS)
def test_a_sure_reading_of_a_legal_board_is_kept(seed: int) -> None:
    squares, classes = truth(deal_random_board(Random(seed)))
    log_probs = np.full((len(classes), len(CLASSES) + 2), -30.0)
    log_probs[np.arange(len(classes)), classes] = 0.0
    result = find_legal_board(squares, log_probs, CATALOGUE)
    assert choices(result) == classes.tolist()
    assert not result.mismatches
    assert all(square.confidence == 1 and square.margin == REACH_NATS for square in result.squares)


def test_a_certainly_misplaced_tile_stays_and_is_named() -> None:
    squares, log_probs = sure({(0, 0): {named("X"): 1.0}, (0, 1): {named("B"): 1 - 1e-8, named("W"): 1e-8}})
    result = find_legal_board(squares, log_probs, CATALOGUE)
    assert choices(result) == [named("X"), named("B")]
    assert result.mismatches == (((0, 0), (0, 1)),)


def test_the_box_decides_about_a_hidden_coat_of_arms() -> None:
    hidden = {named("M"): 0.55, named("N"): 0.45}
    squares, log_probs = sure({(0, 0): {named("M"): 1.0}, (0, 5): {named("M"): 1.0}, (0, 9): hidden})
    assert choices(find_legal_board(squares, log_probs, CATALOGUE))[2] == named("N")
    assert choices(find_legal_board(squares, log_probs, CATALOGUE, boxes=2))[2] == named("M")


def test_many_exchangeable_tiles_share_the_tiles_of_the_box() -> None:
    """More boards than can be enumerated; all squares look the same, so each holds a tile as often as the box does."""
    letters = "MNOP"
    hidden = {named("M"): 0.3, named("N"): 0.4, named("O"): 0.1, named("P"): 0.2}
    box = {named(letter): CATALOGUE[CLASSES[named(letter)][0]].count for letter in letters}
    squares, log_probs = sure({(0, 3 * col): hidden for col in range(sum(box.values()))})
    result = find_legal_board(squares, log_probs, CATALOGUE)
    assert Counter(choices(result)) == box
    for square in result.squares:
        shares = {square.choice: square.confidence, **dict(square.alternatives)}
        assert shares == pytest.approx({name: count / len(squares) for name, count in box.items()}, abs=0.03)


def test_a_tile_of_another_expansion_is_compared_with_its_neighbours_by_edges() -> None:
    strange = {named("B"): 0.3, OTHER: 0.7}
    squares, log_probs = sure({(0, 0): {named("B"): 1.0}, (0, 1): strange})
    edges = np.log(np.full((2, 4, 4), 0.25))
    assert choices(find_legal_board(squares, log_probs, CATALOGUE, edge_log_probs=edges))[1] == OTHER
    edges[1, 3] = np.log([0.001, 0.001, 0.001, 0.997])
    assert choices(find_legal_board(squares, log_probs, CATALOGUE, edge_log_probs=edges))[1] == named("B")


def test_boards_with_empty_squares_or_without_squares_are_solved() -> None:
    squares, log_probs = sure({(0, 0): {named("X"): 1.0}, (0, 1): {NONE: 0.9, named("B"): 0.1}})
    result = find_legal_board(squares, log_probs, CATALOGUE)
    assert choices(result)[1] == result.none == NONE
    assert find_legal_board([], np.zeros((0, len(CLASSES) + 2)), CATALOGUE).squares == ()


def test_alternatives_are_sorted_and_sum_up_to_the_remaining_probability() -> None:
    squares, classes = truth(deal_random_board(Random(3)))
    result = find_legal_board(squares, seen(classes, np.random.default_rng(3), 3.0), CATALOGUE)
    for square in result.squares:
        chances = [chance for _, chance in square.alternatives]
        assert all(first >= second for first, second in pairwise(chances))
        assert square.confidence + sum(chances) == pytest.approx(1, abs=0.02)
        assert square.choice not in dict(square.alternatives)
