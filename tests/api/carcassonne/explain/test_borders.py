"""Final photos: a board that runs out of the picture, forgotten meeples, edges that disagree."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import cv2
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from shapely import Polygon, box

from api.carcassonne.explain.accounts import build_explanation
from api.carcassonne.explain.source import Source
from api.carcassonne.report.builder import build_board_report, build_report
from api.documents.table_options import Question
from datasets.scene.camera import Camera
from scoring.carcassonne.board.board import Board
from scoring.carcassonne.board.notation import parse_notation
from scoring.carcassonne.deal.boards import deal_random_board, mix_expansions
from scoring.carcassonne.final.rulesets import TODAY
from scoring.carcassonne.final.scoring import compute_final_scoring
from scoring.carcassonne.tiles.geometry import SIDES, get_neighbour
from tests.api.tables_read import HEIGHT, UNIT, WIDTH, dealt, grey_photo, homography, reading_of, seen
from tests.readers import read_example, reader
from vision.photo.decoding import Photo
from vision.photo.pyramid import Halves
from vision.reading.board import build_board
from vision.reading.values import Reading, Warp
from vision.survey.photo_border import SEEN_SHARE, find_bare_neighbours, find_cut_squares, find_unseen_squares

EXAMPLES = Path(__file__).parents[4] / "datasets" / "examples"
EXAMPLE = EXAMPLES / "test_oblique.jpg"


def with_unseen(photo: Photo, reading: Reading) -> Reading:
    """Return the reading with the parts of the table that the photo does not show, as the reader adds them."""
    return replace(reading, unseen=find_unseen_squares(reading, find_bare_neighbours(photo, reading)))


@settings(max_examples=25)
@given(st.integers(0, 10_000), st.integers(200, WIDTH), st.integers(200, HEIGHT))
def test_cut_squares_touch_the_board_and_lie_mostly_outside_the_photo(seed: int, width: int, height: int) -> None:
    board = dealt(seed)
    cut = find_cut_squares(replace(reading_of(board), width=width, height=height))
    for square in board.tiles:
        for other in (get_neighbour(square, side) for side in SIDES):
            shape = Polygon(seen(UNIT + np.array(other[::-1]), homography(board)))
            share = shape.intersection(box(0, 0, width, height)).area / shape.area
            if abs(share - SEEN_SHARE) > 0.01:
                assert (other in cut) == (share < SEEN_SHARE and other not in board.tiles)
    assert all(any(get_neighbour(square, side) in board.tiles for side in SIDES) for square in cut)


def test_a_board_that_leaves_the_photo_is_scored_as_seen_and_reported() -> None:
    whole = reading_of(dealt(1))
    last = max(tile.col for tile in whole.tiles)
    width = int(min(tile.corners_px[:, 0].max() for tile in whole.tiles if tile.col == last)) + 2
    report = build_report(grey_photo(), with_unseen(grey_photo(), replace(whole, width=width)))
    (problem,) = [problem for problem in report.board.problems if problem.code == "beyond_the_picture"]
    assert problem.tiles
    board = parse_notation(report.board.notation)
    assert board.unseen
    assert (
        report.scores.final_scoring
        == dict(compute_final_scoring(board).totals)
        == dict(compute_final_scoring(dealt(1)).totals)
    )
    explanation, _ = build_explanation(Source(board, report, TODAY), Question())
    beyond = [
        end for feature in explanation.features for end in feature.open_ends if end.why == "the photo does not show it"
    ]
    assert beyond
    assert all(get_neighbour(end.tile, end.side) in board.unseen for end in beyond)


def test_a_board_in_the_middle_of_its_photo_is_seen_whole() -> None:
    reading = reading_of(dealt(5, tiles=12))
    assert build_board(with_unseen(grey_photo(), reading)) == dealt(5, tiles=12)
    assert find_cut_squares(replace(reading, tiles=())) == {}


@pytest.mark.parametrize(
    ("boxes", "missing", "share_seen", "is_cut"),
    [
        pytest.param((), 1, 1.0, True, id="a tile may lie beyond the border"),
        pytest.param((), 0, 1.0, False, id="all tiles of the box are seen whole"),
        pytest.param((), 0, 0.5, True, id="all are seen but a part of one, on which a piece may stand"),
        pytest.param(("inns",), 0, 1.0, False, id="all tiles of two boxes are seen whole"),
        pytest.param(("inns",), 1, 1.0, True, id="a tile of either box may lie beyond the border"),
        pytest.param(("river1", "traders"), 0, 1.0, False, id="all tiles of three boxes are seen whole"),
    ],
)
def test_a_photo_of_whole_boxes_is_cut_if_a_tile_is(
    boxes: tuple[str, ...], missing: int, share_seen: float, is_cut: bool
) -> None:
    catalogue = mix_expansions(boxes)
    tiles = sum(layout.count for layout in catalogue) - missing
    reading = reading_of(deal_random_board(Random(7), tiles=tiles, catalogue=catalogue))
    east = max(reading.tiles, key=lambda tile: float(tile.corners_px[:, 0].max())).corners_px[:, 0]
    width = int(np.ceil(east.min() + share_seen * (east.max() - east.min())))
    assert bool(find_cut_squares(replace(reading, width=width))) == is_cut


@pytest.mark.parametrize(("elevation", "too_low"), [(25, False), (12, True)])
def test_squares_seen_from_too_low_may_hold_tiles(elevation: float, too_low: bool) -> None:
    """The four squares along the far side of a board of 4 x 4 tiles, in the middle of the photo."""
    board = Board({(row, col): None for row in range(4) for col in range(4)})
    view = Camera.look_at(
        (2.0, 2.0), elevation=elevation, azimuth=90, roll=0, distance=16, focal_px=1.1 * WIDTH, size=(WIDTH, HEIGHT)
    )
    reading = replace(reading_of(board), warp=Warp(view.plane()))
    far = {(-1, col) for col in range(4)}
    assert set(find_cut_squares(reading)) & far == (far if too_low else set())
    assert all(share == 1 for share in find_cut_squares(reading).values())


def test_a_photo_that_cuts_the_board_is_reported() -> None:
    photo = Photo.from_path(EXAMPLE).pixels
    pixels = np.asarray(cv2.copyMakeBorder(photo, 200, 200, 200, 200, cv2.BORDER_REPLICATE), np.uint8)
    own = reader()
    whole = own.read(photo_of(pixels))
    assert not find_cut_squares(whole)
    middle = round(float(np.median([tile.corners_px[:, 0].mean() for tile in whole.tiles])))
    half = photo_of(pixels[:, :middle])
    report = build_report(half, own.read(half))
    (problem,) = [problem for problem in report.board.problems if problem.code == "beyond_the_picture"]
    corners = {(tile.row, tile.col): np.asarray(tile.corners_px) for tile in report.board.tiles}
    side = float(np.median([cv2.arcLength(quad.astype(np.float32), True) / 4 for quad in corners.values()]))
    assert all(corners[square][:, 0].max() > middle - side for square in problem.tiles)


@pytest.fixture(scope="module", params=["test_oblique", "test_level", "test_clutter"])
def read_table(request: pytest.FixtureRequest) -> tuple[NDArray[np.uint8], Reading]:
    """Return the reading of a table wholly in its photo."""
    return Photo.from_path(EXAMPLES / f"{request.param}.jpg").pixels, read_example(request.param)


def cropped(table: tuple[NDArray[np.uint8], Reading], width: int, height: int) -> tuple[Photo, Reading]:
    """Return the north-western part of a table's photo, with the tiles that are found there."""
    pixels, reading = table
    frame = box(0, 0, width, height)
    tiles = [t for t in reading.tiles if (shape := Polygon(t.corners_px)).intersection(frame).area > 0.5 * shape.area]
    part = replace(reading, tiles=tuple(tiles), meeples=(), possible_meeples=(), width=width, height=height)
    return photo_of(pixels[:height, :width]), part


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.floats(0.35, 1), st.floats(0.35, 1))
def test_no_border_hides_a_tile_that_it_cuts(
    read_table: tuple[NDArray[np.uint8], Reading], right: float, below: float
) -> None:
    _, whole = read_table
    corners = np.concatenate([tile.corners_px for tile in whole.tiles])
    (left, top), (east, south) = corners.min(axis=0), corners.max(axis=0)
    width, height = round(left + right * (east - left)), round(top + below * (south - top))
    photo, part = cropped(read_table, width, height)
    cut_tiles = find_cut_squares(part).keys() & {(tile.row, tile.col) for tile in whole.tiles}
    assert cut_tiles <= build_board(with_unseen(photo, part)).unseen


def test_a_board_that_fills_its_photo_is_seen_whole_if_the_table_shows(
    read_table: tuple[NDArray[np.uint8], Reading],
) -> None:
    """A third of a tile of the table remains beside the board."""
    pixels, whole = read_table
    corners = np.stack([tile.corners_px for tile in whole.tiles])
    side = float(np.median(np.linalg.norm(corners[:, 0] - corners[:, 1], axis=1)))
    east, south = np.minimum(corners.reshape(-1, 2).max(axis=0) + side / 3, pixels.shape[1::-1]).astype(int)
    photo, part = cropped(read_table, east, south)
    assert len(part.tiles) == len(whole.tiles)
    assert find_cut_squares(part)
    assert not build_board(with_unseen(photo, part)).unseen


def photo_of(pixels: NDArray[np.uint8]) -> Photo:
    return Photo(Halves(np.ascontiguousarray(pixels)), "table.jpg", "0" * 64, 0.0)


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
    report = build_board_report(parse_notation(notation))
    (entry,) = report.scores.entries
    assert (entry.player, entry.rule, entry.points) == ("red", rule, points)
    (feature,) = [feature for feature in report.features if feature.id == entry.feature]
    assert feature.complete
    (problem,) = [problem for problem in report.board.problems if problem.code == "complete_but_occupied"]
    assert problem.tiles == [report.board.meeples[0].tile]


def test_mismatched_edges_count_as_open_on_both_sides_and_are_reported() -> None:
    report = build_board_report(parse_notation("E1U1 red^0,0=cE blue^0,1=rN"))
    assert [problem.code for problem in report.board.problems] == ["edge_mismatch"]
    crossed = build_board_report(parse_notation("E1U0 red^0,0=cE blue^0,1=rE"))
    assert {problem.code for problem in crossed.board.problems} == {"edge_mismatch"}
    assert [feature.complete for feature in crossed.features if feature.kind in ("city", "road")] == [False, False]
    assert crossed.scores.final_scoring == {"blue": 1, "red": 1}


def test_the_report_names_the_rules_it_was_scored_by() -> None:
    board = dealt(4)
    rules = build_report(grey_photo(), reading_of(board)).rules
    assert (rules.edition, rules.alhambra_points) == ("C3", "2024-09")
    assert rules.tiles_in_play == len(board.tiles)
