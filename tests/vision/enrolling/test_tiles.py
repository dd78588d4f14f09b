"""A board named by a person is located in a photo: found in any turn, and refused if that is ambiguous."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.carcassonne.board.board import Board, PlacedMeeple, PlacedWonder, Placement
from scoring.carcassonne.board.notation import parse_notation
from scoring.carcassonne.deal.boards import deal_random_board
from scoring.carcassonne.wonders.catalogue import load_wonder_catalogue
from tests.vision.surveys import CATALOGUE, survey_of
from vision.enrolling.tiles import build_enrolment, enrol_board, fit_board, select_tile_keys
from vision.enrolment.prints import TileKey
from vision.errors import EnrolmentError
from vision.geometry.lattice_transform import Step
from vision.photo.decoding import Photo
from vision.photo.pyramid import Halves
from vision.survey.survey import Survey

steps = st.builds(Step, st.integers(0, 3), st.integers(-5, 5), st.integers(-5, 5))


def board_of(seed: int, tiles: int) -> Board:
    return Board(deal_random_board(Random(seed), tiles).tiles)


@settings(max_examples=10)
@given(st.integers(0, 10**6), st.integers(6, 20), steps)
def test_a_board_is_found_in_any_turn(seed: int, tiles: int, step: Step) -> None:
    board = board_of(seed, tiles)
    fit = fit_board(survey_of(board, step, wrong=0.2, seed=seed), board, CATALOGUE)
    assert fit.squares == {square: step.square(square) for square in board.tiles}
    assert fit.step.then(step) == Step()


def test_the_prints_are_cut_out_in_the_turn_of_the_board() -> None:
    board, step = board_of(3, 12), Step(1, 2, 3)
    survey = survey_of(board, step)
    height, width = survey.photo.pixels.shape[:2]
    ramp = np.zeros((height, width, 3), np.uint8)
    ramp[..., 0] = np.linspace(0, 255, width).astype(np.uint8)
    survey = replace(survey, photo=Photo(Halves(ramp), "a.jpg", "", 1.0))
    enrolled = enrol_board(survey, board, CATALOGUE, "mine")
    assert enrolled.enrolment.keys == tuple(TileKey(placement.tile, placement.turns) for _, placement in board.known)
    assert enrolled.otherwise == ()
    blue = enrolled.enrolment.crops[..., 0].astype(float)
    # The photo's right is the board's top, once the board was turned a quarter clockwise for the photo.
    assert (blue[:, :8].mean(axis=(1, 2)) > blue[:, -8:].mean(axis=(1, 2))).all()


def test_squares_that_were_read_differently_are_named() -> None:
    board = board_of(5, 15)
    slip = next(square for square, placement in board.known if placement.tile != "BA/L")
    stated_board = Board({**board.tiles, slip: Placement("BA/L")})
    assert enrol_board(survey_of(board), stated_board, CATALOGUE, "mine").otherwise == (slip,)


def test_squares_unlike_the_boards_are_refused_with_the_seen_ones() -> None:
    survey = survey_of(parse_notation("D0D0D0/-D0"))
    for given_board in ("D0D0D0", "D0D0D0D0", "D0D0D0/-D0-D0"):
        with pytest.raises(EnrolmentError, match="board_does_not_fit") as caught:
            fit_board(survey, parse_notation(given_board), CATALOGUE)
        assert caught.value.details["seen"] == "??????/-??"


def test_a_surplus_square_that_looks_empty_is_ignored() -> None:
    board = parse_notation("D0E1V2/-W0")
    survey = survey_of(parse_notation("D0E1V2/-W0B0"))
    emptied = survey.logits.layouts.copy()
    emptied[survey.squares.index((1, 2)), -1] = 0.0
    whole = Survey(survey.photo, survey.lattice, replace(survey.logits, layouts=emptied), {})
    assert set(fit_board(whole, board, CATALOGUE).squares) == set(board.tiles)


def test_a_board_that_fits_two_ways_is_refused() -> None:
    with pytest.raises(EnrolmentError, match="turn_not_clear"):
        fit_board(survey_of(parse_notation("B0B0/B0B0")), parse_notation("B0B0/B0B0"), CATALOGUE)


def test_completely_different_tiles_are_refused() -> None:
    with pytest.raises(EnrolmentError, match="board_contradicts_photo") as caught:
        fit_board(survey_of(parse_notation("D0E1V2/-W0")), parse_notation("B0B0B0/-B0"), CATALOGUE)
    assert (1, 1) in caught.value.details["squares"]


@pytest.mark.parametrize("turns", range(4))
def test_a_wonder_beside_known_tiles_is_located(turns: int) -> None:
    wonder = PlacedWonder(load_wonder_catalogue()["WH/alhambra"], (0, 0), turns)
    low = min(row for row, _ in wonder.squares)
    line = {(low - 1, col): Placement(tile, 1) for col, tile in enumerate(("BA/RCr", "BA/CcRr", "BA/Rr", "BA/CRRR"))}
    board = Board({**wonder.placements, **line})
    looks = Board({**{square: Placement("BA/L") for square in wonder.squares}, **line})
    fit = fit_board(survey_of(looks, Step(1, 1, 1), only=board.tiles), board, CATALOGUE)
    assert fit.squares == {square: Step(1, 1, 1).square(square) for square in board.tiles}
    keys = select_tile_keys(board)
    assert [keys[square] for square in wonder.squares] == [TileKey(f"WH/alhambra#{i}", turns) for i in range(5)]


def test_a_square_under_a_piece_is_left_out_if_its_twin_is_free() -> None:
    board = parse_notation("D0D1V2")
    covered = Board(board.tiles, (PlacedMeeple("red", (0, 0), None), PlacedMeeple("red", (0, 2), None)))
    assert select_tile_keys(covered) == {(0, 1): TileKey("BA/RCr", 1), (0, 2): TileKey("BA/Rr", 2)}


def test_tiles_of_other_expansions_keep_their_name_and_unknown_ones_are_left_out() -> None:
    assert set(select_tile_keys(parse_notation("(DG/CRFR)1??D0")).values()) >= {TileKey("DG/CRFR", 1)}
    assert len(select_tile_keys(parse_notation("(DG/CRFR)1??D0"))) == 2
    photo = Photo(Halves(np.zeros((90, 90, 3), np.uint8)), "a.jpg", "", 1.0)
    with pytest.raises(EnrolmentError, match="nothing_to_enrol"):
        build_enrolment("mine", photo, {}, select_tile_keys(parse_notation("D0")))
    with pytest.raises(EnrolmentError, match="nothing_to_enrol"):
        fit_board(survey_of(parse_notation("D0D0")), Board(), CATALOGUE)
