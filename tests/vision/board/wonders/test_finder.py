"""Wonders are found by their squares: at any turn, among other tiles, with a square misread, or not at all."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from scoring.carcassonne.board.board import Board, PlacedWonder
from scoring.carcassonne.deal.boards import deal_random_board
from scoring.carcassonne.tiles.geometry import Square
from scoring.carcassonne.wonders.catalogue import load_wonder_catalogue
from scoring.carcassonne.wonders.files import vouch_for
from scoring.carcassonne.wonders.tiles import WONDERS
from tests.vision.board.wonders.logits import CATALOGUE, OTHER, logits_of
from vision.board.legal.board import find_legal_board
from vision.board.wonders.evidence import MarkerLooks, count_marker_evidence, weigh_marker
from vision.board.wonders.finder import MIN_POSSIBLE_PROBABILITY, FoundWonders, apply_wonder_evidence, find_wonders
from vision.reading.values import WONDER_SURE
from vision.squares.classifier import TileLogits

NAMES = sorted(WONDERS)
ON_HEAD, STANDING = 4.0, -6.0
"""Odds in nats, from its look, that a piece is upside down."""


def dealt(seed: int, names: list[str], tiles: int = 40) -> Board:
    return deal_random_board(Random(seed), tiles, wonders=[load_wonder_catalogue()[name] for name in names])


@pytest.mark.parametrize("turns", range(4))
@pytest.mark.parametrize("name", NAMES)
def test_every_wonder_at_every_turn_is_found_from_its_squares_alone(name: str, turns: int) -> None:
    wonder = PlacedWonder(load_wonder_catalogue()[name], (10, 10), turns)
    board = Board(wonder.placements)
    (detection,) = find_wonders(list(board.tiles), logits_of(board, np.random.default_rng(turns)), CATALOGUE).read
    assert (detection.placed.layout.id, detection.placed.turns, detection.placed.squares) == (
        name,
        turns,
        wonder.squares,
    )
    assert detection.probability > 0.9


@given(st.integers(0, 10_000), st.lists(st.sampled_from(NAMES), max_size=4, unique=True))
@settings(max_examples=15, deadline=None)
def test_wonders_of_a_board_are_found_and_no_others(seed: int, names: list[str]) -> None:
    board = dealt(seed, names)
    detections = find_wonders(list(board.tiles), logits_of(board, np.random.default_rng(seed)), CATALOGUE).read
    assert {one.placed for one in detections} == set(board.wonders)
    assert all(one.probability > 0.8 for one in detections)


@given(st.integers(0, 10_000), st.sampled_from(NAMES), st.integers(0, 3))
@settings(max_examples=15, deadline=None)
def test_an_isolated_object_beside_the_board_is_not_read_as_a_wonder(seed: int, name: str, turns: int) -> None:
    rng = np.random.default_rng(seed)
    board = dealt(seed, [])
    right = max(col for _, col in board.tiles) + 8
    apart = Board(PlacedWonder(load_wonder_catalogue()[name], (0, right), turns).placements)
    squares = [*board.tiles, *apart.tiles]
    board_logits, apart_logits = logits_of(board, rng), logits_of(apart, rng)
    logits = TileLogits(
        np.concatenate([board_logits.layouts, apart_logits.layouts]),
        np.concatenate([board_logits.edges, apart_logits.edges]),
    )
    assert find_wonders([*apart.tiles], apart_logits, CATALOGUE).read
    assert find_wonders(squares, logits, CATALOGUE) == FoundWonders()


@given(st.integers(0, 10_000), st.sampled_from(NAMES), st.integers(0, 4))
@settings(max_examples=15, deadline=None)
def test_a_square_misread_as_a_known_tile_is_corrected(seed: int, name: str, cell: int) -> None:
    rng = np.random.default_rng(seed)
    board = dealt(seed, [name])
    logits = logits_of(board, rng)
    (wonder,) = board.wonders
    layouts = logits.layouts.copy()
    i = list(board.tiles).index(wonder.squares[cell])
    likely = rng.dirichlet(np.full(OTHER + 2, 0.02))
    likely[OTHER] = 0.02
    layouts[i] = np.log(np.maximum(likely, 1e-6) / np.maximum(likely, 1e-6).sum())
    detections = find_wonders(list(board.tiles), TileLogits(layouts, logits.edges), CATALOGUE).read
    assert {one.placed for one in detections} == {wonder}


@given(st.integers(0, 10_000), st.integers(5, 16))
@settings(max_examples=15, deadline=None)
def test_unknown_tiles_in_a_cluster_are_no_certain_wonder(seed: int, count: int) -> None:
    """Tiles of another expansion lie anywhere, with any edges that fit."""
    board = deal_random_board(Random(seed), 50)
    rng = np.random.default_rng(seed)
    chosen = [list(board.tiles)[i] for i in rng.permutation(len(board.tiles))[:count]]
    logits = logits_of(board, rng)
    layouts = logits.layouts.copy()
    for i in (list(board.tiles).index(square) for square in chosen):
        layouts[i] = np.log(0.1 / (OTHER + 1))
        layouts[i, OTHER] = np.log(0.9)
    detections = find_wonders(list(board.tiles), TileLogits(layouts, logits.edges), CATALOGUE).read
    assert all(one.probability < 0.9 for one in detections)


def test_a_wonder_without_legible_edges_has_doubtful_outlines() -> None:
    wonder = PlacedWonder(load_wonder_catalogue()["WH/alhambra"], (0, 0))
    board = Board(wonder.placements)
    logits = logits_of(board, np.random.default_rng(1))
    blind = TileLogits(logits.layouts, np.full_like(logits.edges, np.log(0.25)))
    for detection in find_wonders(list(board.tiles), blind, CATALOGUE).read:
        assert detection.doubtful
        assert detection.alternatives


def test_reference_pictures_identify_a_wonder_with_illegible_edges() -> None:
    wonder = PlacedWonder(load_wonder_catalogue()["WH/alhambra"], (0, 0), 2)
    board = Board(wonder.placements)
    logits = logits_of(board, np.random.default_rng(1))
    blind = TileLogits(logits.layouts, np.full_like(logits.edges, np.log(0.25)))
    squares = list(board.tiles)
    evidence = {("WH/alhambra", cell, 2): _only(squares.index(at)) for cell, at in enumerate(wonder.squares)}
    (detection,) = find_wonders(squares, blind, CATALOGUE, evidence).read
    named = [detection.probability, *(p for o, p in detection.alternatives if o.squares == wonder.squares)]
    assert detection.placed == wonder
    assert sum(named) > WONDER_SURE
    assert detection.doubtful, "the shipped edges are a guess"
    layouts = {**load_wonder_catalogue(), wonder.layout.id: vouch_for(wonder.layout)}
    (detection,) = find_wonders(squares, blind, CATALOGUE, evidence, layouts).read
    assert detection.placed.layout is layouts[wonder.layout.id]
    assert not detection.doubtful


def _only(square: int) -> NDArray[np.float64]:
    likely = np.full(5, -2.0)
    likely[square] = 3.0
    return likely


def test_neighbours_of_a_wonder_fit_its_edges() -> None:
    """Half of each neighbour's probability is for its tile and half for one that does not fit; the wonder decides."""
    board = dealt(3, ["WH/circus-maximus"])
    logits, squares = logits_of(board, np.random.default_rng(3)), list(board.tiles)
    wonders = find_wonders(squares, logits, CATALOGUE).read
    posterior = apply_wonder_evidence(squares, logits, wonders)
    beside = {s for placed in board.wonders for s in _around(placed, board)}
    for square in beside:
        i = squares.index(square)
        choice = posterior.layouts[i].argmax()
        posterior.layouts[i, (choice + 5) % OTHER] = posterior.layouts[i, choice] + 0.1
    legal = find_legal_board(squares, posterior.layouts, CATALOGUE, edge_log_probs=posterior.edges)
    right = [logits.layouts[i].argmax() == square.choice for i, square in enumerate(legal.squares)]
    assert beside
    assert np.mean(right) > 0.95


def _around(placed: PlacedWonder, board: Board) -> list[Square]:
    steps = ((-1, 0), (0, 1), (1, 0), (0, -1))
    around = {(row + down, col + right) for row, col in placed.squares for down, right in steps}
    return sorted(square for square in around - set(placed.squares) if square in board.tiles)


def test_a_board_without_squares_holds_no_wonder() -> None:
    nothing = TileLogits(np.zeros((0, OTHER + 2)), np.zeros((0, 4, 4)))
    assert find_wonders([], nothing, CATALOGUE) == FoundWonders()


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
def test_only_an_upside_down_piece_makes_a_wonder_more_likely(strange: float) -> None:
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
def test_a_repeated_search_finds_the_same_as_a_fresh_one(strange: float) -> None:
    board, found = find_dim(strange, None)
    squares = board.wonders[0].squares
    assert found.search is not None
    for markers in ({squares[2]: [ON_HEAD]}, {squares[0]: [STANDING], squares[1]: [ON_HEAD]}, {}, None):
        assert found.search.find(markers) == find_dim(strange, markers)[1]


def test_an_improbable_wonder_is_read_thanks_to_its_marker() -> None:
    board, before = find_dim(0.05, None)
    (placed,) = board.wonders
    assert (before.read, len(before.possible), before.doubtful) == ((), 1, True)
    (reading,) = find_dim(0.05, {placed.squares[2]: [ON_HEAD]})[1].read
    assert reading.placed.is_copy_of(placed)
    assert find_dim(0.05, {})[1] == FoundWonders()


def test_an_improbable_wonder_is_listed_as_possible_but_not_read() -> None:
    board, found = find_dim(0.1, {})
    (placed,) = board.wonders
    assert found.read == ()
    (reading,) = found.possible
    assert reading.placed.is_copy_of(placed)
    assert MIN_POSSIBLE_PROBABILITY < sum_probability(found, placed.squares) < 0.5


def test_evidence_adds_up_over_squares_and_is_small_without_pieces() -> None:
    squares = [(0, 0), (0, 1), (0, 2)]
    evidence = count_marker_evidence(squares, {(0, 0): [ON_HEAD], (0, 1): [STANDING, STANDING]})
    assert evidence[0] > 10 * evidence[1] > 0
    assert evidence[2] == 0
    nats = weigh_marker(np.array([evidence[0], evidence[1], 0.0]))
    assert nats[0] > 2
    assert nats[2] < nats[1] < 0
