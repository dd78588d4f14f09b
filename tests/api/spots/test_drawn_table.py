"""The drawn table of a printed game: boards flat beside each other, spots where they lie on them."""

from __future__ import annotations

from itertools import combinations

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import box

from api.documents.report import round_points
from api.documents.spot_report import PrintedBoard, SpotReport
from api.games.registry import find_game
from api.spots.drawn_table import DRAWN_PX_MM
from api.spots.review import build_table_review
from scoring.tower_of_babel.game import GAME
from tests.api.page.babel import held
from vision.arrays import Floats
from vision.flat_boards.board import project_points
from vision.photo.crops import CORNERS

SIZES = {"map": (300.0, 260.0), "resources": (300.0, 110.0)}


def photograph(size_mm: tuple[float, float], left: float, seed: int) -> tuple[list[tuple[float, float]], Floats]:
    """Return a board's corners in some photo, seen from the side, and the homography from its millimetres."""
    rng = np.random.default_rng(seed)
    corners = (CORNERS * size_mm * 1.5 + (left, 100) + rng.uniform(-40, 40, (4, 2))).astype(np.float32)
    flat = (CORNERS * size_mm).astype(np.float32)
    return round_points(corners), np.asarray(cv2.getPerspectiveTransform(flat, corners), np.float64)


@settings(deadline=None, max_examples=20)
@given(st.integers(0, 1000))
def test_spots_keep_their_places_on_their_boards(seed: int) -> None:
    report = build_table_review(held()).report
    report.board.printed, spots = [], iter(report.board.spots)
    places = {}
    for number, (owner, picture) in enumerate((owner, name) for owner in ("red", "blue") for name in SIZES):
        corners, to_photo = photograph(SIZES[picture], 700.0 * number, seed + number)
        report.board.printed.append(
            PrintedBoard(picture=picture, owner=owner, size_mm=SIZES[picture], corners_px=corners, photo=number % 2)
        )
        spot, ring = next(spots), np.array([(20, 30), (60, 30), (60, 70), (20, 70)], np.float64)
        spot.outline_px, spot.photo = round_points(project_points(to_photo, ring)), number % 2
        places[spot.id] = (number, ring)
    stray = next(spots)
    stray.outline_px, stray.photo = [(5.0, 5.0), (9.0, 5.0), (9.0, 9.0)], 0
    drawn = find_game(GAME.name).draw_report(report)
    assert isinstance(drawn, SpotReport)
    outlines = {spot.id: spot.outline_px for spot in drawn.board.spots}
    boards = [box(*board.corners_px[0], *board.corners_px[2]) for board in drawn.board.printed]
    assert not any(one.intersects(other) for one, other in combinations(boards, 2))
    for name, (number, ring) in places.items():
        corner = np.array(drawn.board.printed[number].corners_px[0])
        assert outlines[name] == pytest.approx(corner + ring * DRAWN_PX_MM, abs=1.0)
    assert outlines[stray.id] is None
    assert {spot.photo for spot in drawn.board.spots} | {feature.photo for feature in drawn.features} == {0}


def test_a_board_in_two_photos_is_drawn_once() -> None:
    report = build_table_review(held()).report
    corners, _ = photograph((560.0, 400.0), 100.0, 1)
    report.board.printed = [
        PrintedBoard(picture="board", owner="", size_mm=(560.0, 400.0), corners_px=corners, photo=photo)
        for photo in (0, 1)
    ]
    drawn = find_game(GAME.name).draw_report(report)
    assert isinstance(drawn, SpotReport)
    first, second = drawn.board.printed
    assert first == second
