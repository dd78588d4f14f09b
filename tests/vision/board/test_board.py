"""Tiles apart from the board must be certain, unknown ones are named by prints, and settled ones bear out others."""

from __future__ import annotations

from dataclasses import replace
from math import exp

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.carcassonne.board.board import Board, Placement
from scoring.carcassonne.board.notation import parse_notation
from scoring.carcassonne.board.tile_counts import count_base_tiles
from scoring.carcassonne.tiles.geometry import SIDES
from tests.vision.surveys import CATALOGUE, survey_of
from vision.board.board import BoardTiles, exclude_islands
from vision.board.legal.problem import EDGE_COST, EDGE_KINDS
from vision.board.other_boxes import identify_unknown_layout
from vision.board.settled_neighbours import SettledNeighbour, reweigh_tiles
from vision.enrolment.prints import TileKey
from vision.geometry.lattice_transform import Step
from vision.reading.values import TileReading
from vision.squares.print_matching import Beyond
from vision.survey.survey import PlacedSurvey

CITY_WEST, FIELD_WEST = Placement("E", 3), Placement("E", 2)
CITY_EAST, FIELD_EAST = Placement("E", 1), Placement("E", 2)
PARTLY_UNKNOWN = parse_notation("D0E0V0")
INN, ABBEY, WONDER = TileKey("C31IC/T", 1), TileKey("AM/A", 1), TileKey("WH/tikal#0", 0)


def tile(row: int, col: int, confidence: float = 0.99, name: str | None = "BA/RCr") -> TileReading:
    return TileReading(row, col, name, 0, np.zeros((4, 2)), confidence, False)


BOARD = [tile(row, col) for row in range(3) for col in range(4)]


def test_a_single_isolated_tile_is_excluded() -> None:
    assert exclude_islands([*BOARD, tile(7, 7)]) == tuple(BOARD)


def test_tiles_that_touch_only_at_a_corner_are_not_connected() -> None:
    assert exclude_islands([*BOARD, tile(3, 4)]) == tuple(BOARD)


def test_certain_isolated_tiles_stay() -> None:
    apart = [tile(7, col) for col in range(3)]
    assert exclude_islands([*BOARD, *apart]) == (*BOARD, *apart)


def test_doubtful_or_unknown_isolated_tiles_are_excluded() -> None:
    doubtful = [tile(7, col, 0.4) for col in range(4)]
    unknown = [tile(9, col, 0.99, None) for col in range(4)]
    assert exclude_islands([*doubtful, *BOARD, *unknown]) == tuple(BOARD)


@given(st.sets(st.tuples(st.integers(-3, 3), st.integers(-3, 3)), max_size=20))
def test_accepted_tiles_keep_their_order(squares: set[tuple[int, int]]) -> None:
    tiles = [tile(row, col) for row, col in sorted(squares)]
    mainland = exclude_islands(tiles)
    assert [t for t in tiles if t in mainland] == list(mainland)
    assert bool(mainland) == bool(tiles)


def test_a_tile_gains_by_the_ratio_of_its_fit_to_the_expected_one() -> None:
    misfit = exp(-EDGE_COST)
    neighbour = SettledNeighbour("W", CITY_EAST, ((CITY_EAST, 0.6), (FIELD_EAST, 0.4)))
    city = 0.6 / (0.6 + 0.4 * misfit)
    field = 0.4 * misfit / (0.4 + 0.6 * misfit)
    shares = reweigh_tiles([(CITY_WEST, 0.6), (FIELD_WEST, 0.4)], [neighbour])
    assert shares == pytest.approx([city / (city + field), field / (city + field)])


def test_the_remaining_probability_stands_for_unlisted_tiles() -> None:
    neighbour = SettledNeighbour("W", CITY_EAST, ((FIELD_EAST, 0.5),))
    shares = reweigh_tiles([(CITY_WEST, 0.5)], [neighbour])
    factor = 1 / (0.5 * exp(-EDGE_COST) + 0.5)
    assert shares == pytest.approx([0.5 * factor / (0.5 * factor + 0.5)])


@pytest.mark.parametrize(("stated", "is_whole"), [(None, True), (1, True), (2, False)])
def test_a_board_is_whole_by_the_stated_base_games(stated: int | None, is_whole: bool) -> None:
    reader = BoardTiles(CATALOGUE).state({"base": stated} if stated else {})
    box = [name for name, number in count_base_tiles().items() for _ in range(number)]
    board = Board({(n // 9, n % 9): Placement(name) for n, name in enumerate(box)})
    tiles = [tile(*square, name=placement.tile) for square, placement in board.known]
    assert reader.is_whole(tiles, survey_of(board).logits) == is_whole


def test_a_certain_neighbour_changes_nothing() -> None:
    likely = [(CITY_WEST, 0.7), (FIELD_WEST, 0.3 - 1e-9)]
    assert reweigh_tiles(likely, [SettledNeighbour("N", CITY_EAST, ())]) == [chance for _, chance in likely]
    assert reweigh_tiles(likely, []) == [chance for _, chance in likely]


def placed(probabilities: list[list[float]] | None, step: Step) -> PlacedSurvey:
    """Return a photo whose squares, if of no class, are an inn, a wonder's square, or neither, by probability."""
    survey = survey_of(PARTLY_UNKNOWN)
    beyond = Beyond((INN, ABBEY, WONDER), np.log(probabilities)) if probabilities else None
    edges = np.full_like(survey.logits.edges, -np.log(4))
    return PlacedSurvey.at(replace(survey, logits=replace(survey.logits, beyond=beyond, edges=edges)), step, CATALOGUE)


@given(st.builds(Step, st.integers(0, 3), st.integers(-4, 4), st.integers(-4, 4)))
def test_the_most_certain_photo_names_the_unknown_tile(step: Step) -> None:
    here = placed([[0.6, 0.1, 0.1, 0.2], [0.1, 0.05, 0.75, 0.1], [0.2, 0.2, 0.2, 0.4]], step)
    there = placed([[0.9, 0.04, 0.03, 0.03], [0.05, 0.85, 0.05, 0.05], [0.25, 0.25, 0.25, 0.25]], step)
    named = identify_unknown_layout([here, there], step.square((0, 0)))
    assert named is not None
    assert named[0] == INN.turned(step.turns)
    assert round(named[1], 6) == 0.9
    assert identify_unknown_layout([here], step.square((0, 1))) is None  # a wonder's square
    further = identify_unknown_layout([here, there], step.square((0, 1)))
    assert further is not None
    assert further[0] == ABBEY.turned(step.turns)
    assert identify_unknown_layout([here, there], step.square((0, 2))) is None  # no print is likelier than not
    assert identify_unknown_layout([here, there], step.square((5, 5))) is None


def test_the_edges_of_a_square_decide_the_turn_of_its_print() -> None:
    """The inn's tile, turned by 1, has a river in the north and south, and roads in the east and west."""
    survey = placed([[0.5, 0.2, 0.1, 0.2]] * 3, Step())
    edges = survey.survey.logits.edges.copy()
    for turns, certain in ((1, True), (2, False)):
        kinds = [EDGE_KINDS.index(Placement(INN.tile, turns).edge(side)) for side in SIDES]
        edges[0] = np.log([[0.91 if i == kind else 0.03 for i in range(4)] for kind in kinds])
        logits = replace(survey.survey.logits, edges=edges)
        seen = replace(survey, survey=replace(survey.survey, logits=logits))
        named = identify_unknown_layout([seen], (0, 0))
        assert (named is not None and named[0] == INN and named[1] > 0.95) == certain


def test_without_enrolments_no_unknown_tile_is_named() -> None:
    assert identify_unknown_layout([placed(None, Step())], (0, 0)) is None
