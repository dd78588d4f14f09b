"""The few missing tiles of a game follow from the others, and are searched for on squares that may hold one."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from scoring.carcassonne.board.board import Board, Placement
from scoring.carcassonne.board.tile_counts import MAX_MISSING_TILES
from scoring.carcassonne.deal.boards import deal_random_board
from scoring.carcassonne.tiles.catalogue import list_layout_turns
from scoring.carcassonne.tiles.geometry import SIDES, Square, find_outer_neighbours, get_neighbour, get_opposite_side
from tests.vision.surveys import CATALOGUE, CLASSES, survey_of
from vision.arrays import compute_log_softmax
from vision.board.board import BoardTiles
from vision.board.completeness import (
    REMAINING_TILE_NATS,
    apply_remaining_prior,
    count_remaining_tiles,
    doubt_contradicted_tiles,
    doubt_inferred_tiles,
)
from vision.board.expansions import count_tile_supply
from vision.board.legal.board import find_legal_board
from vision.geometry.lattice_transform import Step
from vision.localise.lattice import add_squares
from vision.reading.values import DOUBT_BELOW, TileReading
from vision.squares.catalogue import build_reading_catalogue
from vision.squares.classifier import TileLogits
from vision.survey.survey import PlacedSurvey

NONE = len(CLASSES) + 1
WHOLE = 72
BASE_GAME = {"base": 1}

Laid = dict[Square, Placement]


def whole_board(seed: int = 5) -> Laid:
    return dict(deal_random_board(Random(seed), tiles=WHOLE).known)


def class_of(placement: Placement) -> int:
    return CLASSES[placement.tile, placement.turns % placement.layout.symmetry]


def seen(placements: Laid, free: list[Square]) -> tuple[list[Square], TileLogits]:
    """Return the logits of a confident net for tiles, and for free squares without one."""
    bare = np.zeros((len(free), NONE + 1))
    bare[:, NONE] = 12.0
    layouts, edges = compute_log_softmax(bare), np.full((len(free), 4, 4), -np.log(4))
    if placements:
        logits = survey_of(Board(placements), sure=0.9999).logits
        layouts, edges = np.concatenate([logits.layouts, layouts]), np.concatenate([logits.edges, edges])
    return [*placements, *free], TileLogits(layouts, edges)


def read(squares: list[Square], logits: TileLogits) -> dict[Square, tuple[str, int]]:
    """Return the tiles of the legal board."""
    legal, named = find_legal_board(squares, logits.layouts, CATALOGUE, 1, logits.edges), list(CLASSES)
    return {(square.row, square.col): named[square.choice] for square in legal.squares if square.choice < legal.other}


def an_end(board: Laid) -> Square:
    """Return a square with one tile beside it."""
    return next(square for square in board if sum(get_neighbour(square, side) in board for side in SIDES) == 1)


def fits(board: Laid, square: Square, tile: str, turns: int) -> bool:
    """Return whether a tile's edges match those of the tiles beside it."""
    return all(
        CATALOGUE[tile].edge(side, turns)
        == CATALOGUE[board[beside].tile].edge(get_opposite_side(side), board[beside].turns)
        for side in SIDES
        if (beside := get_neighbour(square, side)) in board
    )


@pytest.mark.parametrize(
    ("out", "few"), [(0, 0), (1, 1), (MAX_MISSING_TILES, MAX_MISSING_TILES), (MAX_MISSING_TILES + 1, 0), (WHOLE, 0)]
)
def test_remaining_tiles_are_known_if_few_are_left(out: int, few: int) -> None:
    game = list(count_tile_supply(CATALOGUE, BASE_GAME).elements())
    assert len(game) == WHOLE
    assert count_remaining_tiles(game[out:], CATALOGUE, BASE_GAME) == (Counter(game[:out]) if few else Counter())


def test_a_surplus_tile_does_not_replace_a_missing_one() -> None:
    game = list(count_tile_supply(CATALOGUE, BASE_GAME).elements())
    assert count_remaining_tiles([game[-1], *game[1:]], CATALOGUE, BASE_GAME) == Counter(game[:1])


@pytest.mark.parametrize("seed", range(4))
def test_a_hidden_square_gets_the_remaining_tile_in_a_fitting_turn(seed: int) -> None:
    board = whole_board(seed)
    end = an_end(board)
    rest = {square: tile for square, tile in board.items() if square != end}
    squares, logits = seen(rest, [])
    left = count_remaining_tiles([tile.tile for tile in rest.values()], CATALOGUE, BASE_GAME)
    assert left == Counter([board[end].tile])
    tiles = read(*apply_remaining_prior(squares, logits, [], [end], left, CATALOGUE))
    assert tiles[end][0] == board[end].tile
    assert fits(rest, end, *tiles[end])
    assert {square: tile for square, tile in tiles.items() if square != end} == read(squares, logits)


def test_only_a_square_with_part_of_the_last_tile_is_read_as_that_tile() -> None:
    board = whole_board()
    end = an_end(board)
    rest = {square: tile for square, tile in board.items() if square != end}
    free = find_outer_neighbours(rest)
    squares, logits = seen(rest, free)
    hinted = logits.layouts.copy()
    hinted[squares.index(end), class_of(board[end])] = hinted[squares.index(end), NONE] - REMAINING_TILE_NATS + 1
    logits = TileLogits(compute_log_softmax(hinted), logits.edges)
    left = count_remaining_tiles([tile.tile for tile in rest.values()], CATALOGUE, BASE_GAME)
    assert end not in read(squares, logits)
    tiles = read(*apply_remaining_prior(squares, logits, free, [], left, CATALOGUE))
    assert tiles == read(squares, logits) | {end: list(CLASSES)[class_of(board[end])]}


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(0, 5), st.integers(0, 5), st.integers(1, MAX_MISSING_TILES))
def test_probabilities_sum_to_one_and_only_remaining_tiles_gain(seed: int, n: int, hidden: int, few: int) -> None:
    rng = np.random.default_rng(seed)
    squares = [(0, col) for col in range(n + 2)]
    logits = TileLogits(
        compute_log_softmax(rng.normal(size=(n + 2, NONE + 1))), compute_log_softmax(rng.normal(size=(n + 2, 4, 4)))
    )
    left = set(rng.choice([tile for tile, _ in CLASSES], few).tolist())
    free, unseen = squares[:2], [(1, col) for col in range(hidden)]
    more, posterior = apply_remaining_prior(squares, logits, free, unseen, left, CATALOGUE)
    assert more == [*squares, *unseen]
    for log_probs in (posterior.layouts, posterior.edges):
        np.testing.assert_allclose(np.exp(log_probs).sum(axis=-1), 1.0)
    np.testing.assert_allclose(posterior.layouts[2 : len(squares)], logits.layouts[2:])
    of_left: NDArray[np.bool_] = np.array([*(tile in left for tile, _ in CLASSES), False, False])
    assert (posterior.layouts[:2, of_left] > logits.layouts[:2, of_left]).all()
    assert (posterior.layouts[:2, ~of_left] < logits.layouts[:2, ~of_left]).all()


def test_a_hidden_square_of_the_lattice_gives_no_evidence() -> None:
    squares, logits = seen({}, [(0, 0), (0, 1)])
    more, posterior = apply_remaining_prior(squares, logits, squares, [(0, 0)], ["BA/L"], CATALOGUE)
    assert more == [(0, 1), (0, 0)]
    assert posterior.layouts[1, :-2].argmax() == CLASSES["BA/L", 0]
    assert posterior.layouts[1, -1] < posterior.layouts[1, CLASSES["BA/L", 0]]
    assert posterior.layouts[0, -1] > posterior.layouts[0, CLASSES["BA/L", 0]]


def test_a_tile_inferred_from_the_others_is_a_doubt() -> None:
    def tile(col: int, name: str | None, confidence: float) -> TileReading:
        return TileReading(0, col, name, 0, np.zeros((4, 2)), confidence, doubtful=name is None)

    before = [tile(0, "BA/L", 0.99), tile(1, None, 0.5)]
    now = [tile(0, "BA/L", 0.99), tile(1, "BA/C", 0.97), tile(2, "BA/LR", 0.4)]
    assert [(reading.confidence, reading.doubtful) for reading in doubt_inferred_tiles(before, now)] == [
        (0.99, False),
        (DOUBT_BELOW, True),
        (0.4, True),
    ]


def read_with_a_stranger(board: Laid, plainly: float) -> tuple[Square, list[Square]]:
    """Return a square beside the board that likely holds an unknown tile, and the squares of all tiles read."""
    survey, beside = survey_of(Board(board), sure=0.9999), find_outer_neighbours(board)[0]
    strange = np.full((1, NONE + 1), -30.0)
    strange[0, -2:] = np.log([plainly, 1 - plainly])
    logits = TileLogits(
        np.concatenate([survey.logits.layouts, strange]),
        np.concatenate([survey.logits.edges, np.full((1, 4, 4), -np.log(4))]),
    )
    wider = replace(survey, lattice=add_squares(survey.lattice, [beside]), logits=logits)
    placed = PlacedSurvey.at(wider, Step(), CATALOGUE)
    tiles, _ = BoardTiles(CATALOGUE).read(tuple(wider.lattice.corners), logits, [placed])
    return beside, [(tile.row, tile.col) for tile in tiles]


@pytest.mark.parametrize(("plainly", "stays"), [(0.7, False), (0.9, False), (0.999, True)])
def test_beyond_a_complete_game_only_certain_tiles_are_accepted(plainly: float, stays: bool) -> None:
    board = whole_board()
    beside, there = read_with_a_stranger(board, plainly)
    assert sorted(there) == sorted([*board, *([beside] if stays else [])])


@pytest.mark.parametrize("plainly", [0.7, 0.9])
def test_beside_an_incomplete_game_weaker_evidence_suffices(plainly: float) -> None:
    board = dict(deal_random_board(Random(5), tiles=WHOLE - MAX_MISSING_TILES - 2).known)
    beside, there = read_with_a_stranger(board, plainly)
    assert sorted(there) == sorted([*board, beside])


def show(likely: dict[str, float]) -> TileLogits:
    """Return the logits of one square that shows these layouts, upright, of all boxes."""
    layouts = list_layout_turns(build_reading_catalogue())
    shares = np.array([*(likely.get(tile, 0) * (turns == 0) + 1e-6 for tile, turns in layouts), 1e-6, 1e-6])
    return TileLogits(np.log(shares / shares.sum())[None], np.full((1, 4, 4), -np.log(4)))


def doubt(tile: TileReading, likely: dict[str, float]) -> TileReading:
    """Return a tile as doubted by the only square of a picture."""
    return doubt_contradicted_tiles([tile], [(0, 0)], show(likely), build_reading_catalogue())[0]


def test_a_tile_that_its_picture_contradicts_may_be_an_abbey() -> None:
    """Neighbours alone argue for it, and whatever lies beside an abbey fits."""
    monastery = TileReading(0, 0, "BA/L", 0, np.zeros((4, 2)), 0.98, False)
    assert doubt(monastery, {"BA/L": 0.1, "IC/Cccc.c": 0.9}) is monastery
    doubted = doubt(monastery, {"BA/L": 0.002, "IC/Cccc.c": 0.99})
    assert doubted.doubtful
    (abbey,) = doubted.alternatives
    assert (doubted.tile, abbey.tile) == ("BA/L", "AM/A")
    assert abbey.probability == doubted.confidence == pytest.approx(0.49)


def test_only_the_land_of_a_picture_contradicts_a_tile() -> None:
    city = TileReading(0, 0, "TB/Ccc.g", 0, np.zeros((4, 2)), 0.98, False)
    assert doubt(city, {"BA/Ccc": 0.99}) is city, "goods are no land"
    assert doubt(city, {"BA/Ccc+": 0.99}).doubtful
    abbey, unknown = replace(city, tile="AM/A"), replace(city, tile=None)
    assert [doubt(tile, {"BA/L": 0.99}) for tile in (abbey, unknown)] == [abbey, unknown]
