"""Whether squares show Carcassonne is decided by all of them: edges, certainty, boxes and unknown tiles."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from datasets.render.other_games import deal_loose_tiles
from scoring.carcassonne.board.board import Board
from scoring.carcassonne.deal.boards import deal_random_board
from scoring.carcassonne.doubt.relevance import CONFIDENCE_SURE, assess_score_doubts
from tests.vision.surveys import CATALOGUE, HERE, survey_of
from vision.board.board import BoardTiles
from vision.board.table_likelihood import MIN_TABLE_PROBABILITY, compute_table_probability, describe_table
from vision.errors import ReadingError
from vision.reading.values import TileReading
from vision.squares.classifier import TileLogits
from vision.survey.survey import PlacedSurvey, Survey

SEEDS = range(4)


def read(survey: Survey) -> tuple[TileReading, ...]:
    placed = PlacedSurvey.at(survey, HERE, CATALOGUE)
    return BoardTiles(CATALOGUE).read(survey.squares, survey.logits, [placed])[0]


def weigh(board: Board) -> float:
    survey = survey_of(board)
    everywhere = np.ones(len(survey.squares), bool)
    return compute_table_probability(describe_table(survey.squares, survey.logits, CATALOGUE, everywhere))


@pytest.mark.parametrize("tiles", [2, 12, 72])
def test_a_board_of_any_size_is_certainly_carcassonne(tiles: int) -> None:
    assert all(weigh(deal_random_board(Random(seed), tiles)) > CONFIDENCE_SURE for seed in SEEDS)


@pytest.mark.parametrize("seed", SEEDS)
def test_tiles_with_mismatched_edges_are_not_accepted_as_a_board(seed: int) -> None:
    """The net is as sure of each tile as on a board: unpunched sheets, a poster, a scan."""
    survey = survey_of(deal_loose_tiles(np.random.default_rng(seed)))
    with pytest.raises(ReadingError, match="board_not_found"):
        read(survey)


def test_tiles_repeated_more_than_in_any_box_indicate_another_game() -> None:
    board = deal_random_board(Random(1), 30)
    survey = survey_of(board)
    everywhere = np.ones(30, bool)
    one = TileLogits(survey.logits.layouts[:1].repeat(30, axis=0), survey.logits.edges)
    usual, repeated = (describe_table(survey.squares, seen, CATALOGUE, everywhere) for seen in (survey.logits, one))
    assert repeated.surplus > 0.5 > usual.surplus
    assert compute_table_probability(repeated) < MIN_TABLE_PROBABILITY


def test_squares_of_a_wonder_do_not_indicate_another_game() -> None:
    survey = survey_of(deal_random_board(Random(2), 20))
    layouts = survey.logits.layouts.copy()
    layouts[:10] = np.log(1e-6)
    layouts[:10, -2] = 0.0
    logits, strange = TileLogits(layouts, survey.logits.edges), np.arange(20) < 10
    with_wonders = describe_table(survey.squares, logits, CATALOGUE, ~strange)
    assert with_wonders.unknown < 0.1 < describe_table(survey.squares, logits, CATALOGUE, ~strange | strange).unknown
    assert compute_table_probability(with_wonders) > CONFIDENCE_SURE


def test_a_table_of_a_possible_other_game_is_never_certain() -> None:
    """Even without a piece, so that no alternative changes any points."""
    board = Board(deal_random_board(Random(3), 72).tiles)
    sure, doubted = (assess_score_doubts(board, [], probability=probability) for probability in (1.0, 0.6))
    assert not sure.doubtful
    assert doubted.doubtful
    assert doubted.stated_confidence == pytest.approx(0.6)


def test_the_reading_of_a_mixed_sheet_states_its_doubt() -> None:
    """Half of the squares are misread, so that edges disagree in part."""
    survey = survey_of(deal_random_board(Random(4), 60), sure=0.9, wrong=0.12)
    tiles = read(survey)
    probability = BoardTiles(CATALOGUE).weigh_table(survey.squares, survey.logits, tiles)
    assert MIN_TABLE_PROBABILITY < probability < CONFIDENCE_SURE
