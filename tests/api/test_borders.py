"""What a photo may show at the end: a board that runs out of it, forgotten meeples, edges that disagree."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from shapely import Polygon, box

from api.borders import SEEN_SHARE, board_seen, unseen_squares
from api.explanation import explain
from api.questions import Question
from api.report import build_board_report, build_report
from api.sources import Source
from scoring.carcassonne.board import Board
from scoring.carcassonne.final import final_scoring
from scoring.carcassonne.geometry import SIDES, neighbour
from scoring.carcassonne.rulesets import TODAY
from tests.api.tables_read import HEIGHT, UNIT, WIDTH, dealt, grey_photo, homography, reading_of, seen
from vision.photo import Photo
from vision.reader import Reader

EXAMPLE = Path(__file__).parents[2] / "datasets" / "examples" / "test_oblique.jpg"


@settings(max_examples=25)
@given(st.integers(0, 10_000), st.integers(200, WIDTH), st.integers(200, HEIGHT))
def test_unseen_is_what_lies_beside_the_board_and_mostly_outside_the_photo(seed: int, width: int, height: int) -> None:
    board = dealt(seed)
    unseen = unseen_squares(replace(reading_of(board), width=width, height=height))
    for square in board.tiles:
        for other in (neighbour(square, side) for side in SIDES):
            shape = Polygon(seen(UNIT + np.array(other[::-1]), homography(board)))
            share = shape.intersection(box(0, 0, width, height)).area / shape.area
            if abs(share - SEEN_SHARE) > 0.01:
                assert (other in unseen) == (share < SEEN_SHARE and other not in board.tiles)
    assert all(any(neighbour(square, side) in board.tiles for side in SIDES) for square in unseen)


def test_a_board_that_runs_out_of_the_photo_is_scored_as_seen_and_reported() -> None:
    whole = reading_of(dealt(5))
    last = max(tile.col for tile in whole.tiles)
    width = int(min(tile.corners_px[:, 0].max() for tile in whole.tiles if tile.col == last)) + 2
    report = build_report(grey_photo(), replace(whole, width=width))
    (problem,) = [problem for problem in report.board.problems if problem.code == "beyond_the_picture"]
    assert problem.tiles
    board = Board.from_notation(report.board.notation)
    assert board.unseen
    assert report.scores.final_scoring == dict(final_scoring(board).totals) == dict(final_scoring(dealt(5)).totals)
    told, _ = explain(Source(board, report, TODAY), Question())
    beyond = [end for feature in told.features for end in feature.open_ends if end.why == "beyond the picture"]
    assert all(neighbour(end.tile, end.side) in board.unseen for end in beyond)


def test_a_board_in_the_middle_of_its_photo_is_wholly_seen() -> None:
    reading = reading_of(dealt(5, tiles=12))
    assert board_seen(reading) == dealt(5, tiles=12)
    assert unseen_squares(replace(reading, tiles=())) == frozenset()


def test_a_photo_that_holds_the_whole_box_cuts_nothing_off() -> None:
    cut = [replace(reading_of(dealt(7, tiles=tiles)), width=500) for tiles in (71, 72)]
    assert [bool(unseen_squares(reading)) for reading in cut] == [True, False]


def test_a_photo_that_cuts_the_board_is_reported() -> None:
    photo = Photo.from_path(EXAMPLE).pixels
    pixels = np.asarray(cv2.copyMakeBorder(photo, 200, 200, 200, 200, cv2.BORDER_REPLICATE), np.uint8)
    reader = Reader()
    whole = reader.read(photo_of(pixels))
    assert not unseen_squares(whole)
    middle = round(float(np.median([tile.corners_px[:, 0].mean() for tile in whole.tiles])))
    half = photo_of(pixels[:, :middle])
    report = build_report(half, reader.read(half))
    (problem,) = [problem for problem in report.board.problems if problem.code == "beyond_the_picture"]
    corners = {(tile.row, tile.col): np.asarray(tile.corners_px) for tile in report.board.tiles}
    side = float(np.median([cv2.arcLength(quad.astype(np.float32), True) / 4 for quad in corners.values()]))
    assert all(corners[square][:, 0].max() > middle - side for square in problem.tiles)


def photo_of(pixels: NDArray[np.uint8]) -> Photo:
    return Photo(np.ascontiguousarray(pixels), "table.jpg", "0" * 64, 0.0)


@pytest.mark.parametrize(
    ("notation", "rule", "points"),
    [
        pytest.param("V3V0/V2V1 red^0,0=rE", "road.finished", 4, id="a road"),
        pytest.param("E2/E0 red^0,0=cS", "city.finished", 4, id="a city"),
        pytest.param("B0B0B0/B0B0B0/B0B0B0 red^1,1=M", "monastery.finished", 9, id="a monastery"),
    ],
)
def test_a_meeple_on_a_complete_feature_scores_it_as_complete_and_is_reported(
    notation: str, rule: str, points: int
) -> None:
    report = build_board_report(Board.from_notation(notation))
    (entry,) = report.scores.entries
    assert (entry.player, entry.rule, entry.points) == ("red", rule, points)
    (feature,) = [feature for feature in report.features if feature.id == entry.feature]
    assert feature.complete
    (problem,) = [problem for problem in report.board.problems if problem.code == "complete_but_occupied"]
    assert problem.tiles == [report.board.meeples[0].tile]


def test_edges_that_disagree_count_open_on_both_sides_and_are_reported() -> None:
    report = build_board_report(Board.from_notation("E1U1 red^0,0=cE blue^0,1=rN"))
    assert [problem.code for problem in report.board.problems] == ["edge_mismatch"]
    crossed = build_board_report(Board.from_notation("E1U0 red^0,0=cE blue^0,1=rE"))
    assert {problem.code for problem in crossed.board.problems} == {"edge_mismatch"}
    assert [feature.complete for feature in crossed.features if feature.kind in ("city", "road")] == [False, False]
    assert crossed.scores.final_scoring == {"blue": 1, "red": 1}


def test_the_report_says_by_which_rules_it_was_scored() -> None:
    board = dealt(4)
    rules = build_report(grey_photo(), reading_of(board)).rules
    assert (rules.edition, rules.alhambra_points) == ("C3", "2024-09")
    assert rules.tiles_in_play == len(board.tiles)
