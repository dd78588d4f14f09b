"""A piece upside down is evidence for a wonder beneath it; without one a wonder is less likely."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from scoring.carcassonne.board.board import Board
from scoring.carcassonne.deal.boards import deal_random_board
from scoring.carcassonne.tiles.geometry import Square
from scoring.carcassonne.wonders.catalogue import load_wonder_catalogue
from tests.vision.board.wonders.logits import CATALOGUE, OTHER, logits_of
from vision.board.wonders.finder import MIN_POSSIBLE_PROBABILITY, FoundWonders, find_wonders
from vision.board.wonders.markers import MarkerLooks, count_marker_evidence, weigh_marker
from vision.squares.classifier import TileLogits

ON_HEAD, STANDING = 4.0, -6.0
"""Odds in nats, from its look, that a piece is upside down."""


def find_dim(strange: float, markers: MarkerLooks | None) -> tuple[Board, FoundWonders]:
    """Find the wonders of a board whose wonder looks only slightly strange, and shows no edges."""
    board = deal_random_board(Random(5), 40, wonders=[load_wonder_catalogue()["WH/tikal"]])
    logits = logits_of(board, np.random.default_rng(5))
    layouts, edges = logits.layouts.copy(), logits.edges.copy()
    (placed,) = board.wonders
    for square in placed.squares:
        i = list(board.tiles).index(square)
        layouts[i] = np.log((1 - strange) / (OTHER + 1))
        layouts[i, OTHER] = np.log(strange)
        edges[i] = np.log(0.25)
    return board, find_wonders(list(board.tiles), TileLogits(layouts, edges), CATALOGUE, markers=markers)


def sum_probability(found: FoundWonders, squares: tuple[Square, ...]) -> float:
    """Return the probability of any wonder on exactly these squares."""
    readings = (*found.read, *found.possible)
    ways = [way for one in readings for way in ((one.placed, one.probability), *one.alternatives)]
    return sum(p for placed, p in ways if {*placed.squares} == {*squares})


@pytest.mark.parametrize("strange", [0.1, 0.2, 0.3])
def test_a_piece_on_its_head_makes_a_wonder_likelier_and_other_pieces_do_not(strange: float) -> None:
    board, found = find_dim(strange, None)
    (placed,) = board.wonders
    square = placed.squares[2]
    with_marker, without, empty = (
        sum_probability(find_dim(strange, markers)[1], placed.squares)
        for markers in ({square: [ON_HEAD]}, {square: [STANDING]}, {})
    )
    assert with_marker > max(sum_probability(found, placed.squares), 0.8)
    assert max(without, empty) < sum_probability(found, placed.squares)


@pytest.mark.parametrize("strange", [0.1, 0.2, 0.3])
def test_a_search_that_looks_once_more_finds_what_a_fresh_one_does(strange: float) -> None:
    board, found = find_dim(strange, None)
    squares = board.wonders[0].squares
    assert found.search is not None
    for markers in ({squares[2]: [ON_HEAD]}, {squares[0]: [STANDING], squares[1]: [ON_HEAD]}, {}, None):
        assert found.search.find(markers) == find_dim(strange, markers)[1]


def test_a_wonder_that_is_hardly_thought_of_is_read_by_its_marker() -> None:
    board, before = find_dim(0.1, None)
    (placed,) = board.wonders
    assert (before.read, len(before.possible), before.doubtful) == ((), 1, True)
    (reading,) = find_dim(0.1, {placed.squares[2]: [ON_HEAD]})[1].read
    assert reading.placed.is_copy_of(placed)
    assert find_dim(0.1, {})[1] == FoundWonders()


def test_what_is_less_likely_than_all_else_is_possible_and_not_read() -> None:
    board, found = find_dim(0.2, {})
    (placed,) = board.wonders
    assert found.read == ()
    (reading,) = found.possible
    assert reading.placed.is_copy_of(placed)
    assert MIN_POSSIBLE_PROBABILITY < sum_probability(found, placed.squares) < 0.5


def test_evidence_adds_up_over_squares_and_none_is_little() -> None:
    squares = [(0, 0), (0, 1), (0, 2)]
    evidence = count_marker_evidence(squares, {(0, 0): [ON_HEAD], (0, 1): [STANDING, STANDING]})
    assert evidence[0] > 10 * evidence[1] > 0
    assert evidence[2] == 0
    nats = weigh_marker(np.array([evidence[0], evidence[1], 0.0]))
    assert nats[0] > 2
    assert nats[2] < nats[1] < 0
