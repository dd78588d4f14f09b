"""World Wonders is shown: the map's grid and terrain are found, the tracks of a resource board tapped."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from fastapi.testclient import TestClient

from api.server.settings import Settings
from datasets.render.empty_boards import shoot_empty_board
from datasets.world_wonders.boards import draw_map, draw_resource_board
from datasets.world_wonders.own_copy import (
    FIRST_MM,
    MAP_MM,
    MARGIN_MM,
    RESOURCES_MM,
    SQUARE_MM,
    STEP_MM,
    TRACK_STEP_MM,
    TRACKS,
    build_land,
)
from datasets.world_wonders.style import build_style
from scoring.world_wonders.game import GAME
from tests.api.serving import unopened
from vision.arrays import Image
from vision.enrolment.games import GameEnrolments
from vision.printed.layout import Part, read_layout
from vision.world_wonders.layout import Layout, TrackLayout

MAX_ERROR_MM = 2.0


class ResourcesLayout(Part):
    """The part of a layout that a resource board alone has."""

    resources: dict[str, TrackLayout]


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    (tmp_path / "incoming").mkdir()
    with unopened(Settings(data=tmp_path)) as app:
        yield TestClient(app, base_url="http://localhost", client=("127.0.0.1", 5000))


def begin(
    client: TestClient, picture: str, board: Image, size_mm: tuple[float, float], seed: int
) -> tuple[str, dict[str, Any]]:
    """Send the photo of a board, and tell its corners and the card."""
    photo = shoot_empty_board(board, size_mm, np.random.default_rng(seed), "cloth", (2400, 1800))
    path, data = f"/v1/boards/world-wonders/{picture}", cv2.imencode(".jpg", photo.image)[1].tobytes()
    client.post(f"{path}/photo", files={"photo": ("board.jpg", data, "image/jpeg")}).raise_for_status()
    corners = {"corners_px": photo.corners_px.tolist(), "card_px": photo.card_px.tolist()}
    return path, dict(client.patch(f"{path}/draft", json=corners).raise_for_status().json())


def point(
    client: TestClient, path: str, mark: str, share: tuple[float, float], state: dict[str, Any]
) -> dict[str, Any]:
    at = [part * side for part, side in zip(share, state["straight_size"], strict=True)]
    return dict(client.post(f"{path}/draft/points", json={"mark": mark, "at": at}).raise_for_status().json())


@pytest.mark.parametrize("art", ["fresco", "ivory", "saffron"])
def test_a_map_is_found_with_its_terrain_and_a_tap_changes_a_square(
    client: TestClient, tmp_path: Path, art: str
) -> None:
    path, state = begin(client, "map", draw_map(build_style(art), "A", "red"), MAP_MM, 1)
    assert state["missing"] == []
    truth = build_land("A", "red").rows
    lines = state["marks"]["map"]["lines"]
    assert (len(lines), len(lines[0])) == (len(truth), len(truth[0]))
    wrong = [(r, c) for r, row in enumerate(truth) for c, letter in enumerate(row) if lines[r][c] != letter]
    assert len(wrong) <= 6
    for row, col in wrong:
        share = [(MARGIN_MM + (at + 0.5) * SQUARE_MM) / side for at, side in zip((col, row), MAP_MM, strict=True)]
        while state["marks"]["map"]["lines"][row][col] != truth[row][col]:
            state = point(client, path, "map", (share[0], share[1]), state)
    client.put(path).raise_for_status()
    components = GameEnrolments(tmp_path / "games").components(GAME.name)
    layout = read_layout(Layout, components).map
    own = np.array(layout.first) + layout.square * np.array([(0, 0), (len(truth[0]), len(truth))])
    true = MARGIN_MM + SQUARE_MM * np.array([(0, 0), (len(truth[0]), len(truth))])
    assert np.abs(own - true).max() < MAX_ERROR_MM
    assert GAME.components(components).map.A is not None


def test_the_tracks_of_a_resource_board_are_tapped_twice_each(client: TestClient, tmp_path: Path) -> None:
    path, state = begin(client, "resources", draw_resource_board(build_style("fresco"), "red"), RESOURCES_MM, 2)
    assert state["missing"] == [*TRACKS]
    for number, (track, spaces) in enumerate(TRACKS.items()):
        y = FIRST_MM[1] + number * TRACK_STEP_MM
        for space in (0, spaces - 1):
            share = (FIRST_MM[0] + space * STEP_MM + 1) / RESOURCES_MM[0], (y + 1) / RESOURCES_MM[1]
            state = point(client, path, track, share, state)
    assert state["missing"] == []
    client.put(path).raise_for_status()
    components = GameEnrolments(tmp_path / "games").components(GAME.name)
    tracks = read_layout(ResourcesLayout, components).resources
    for number, (track, spaces) in enumerate(TRACKS.items()):
        ends = np.array(
            [(FIRST_MM[0] + space * STEP_MM, FIRST_MM[1] + number * TRACK_STEP_MM) for space in (0, spaces - 1)]
        )
        assert tracks[track].spaces == spaces
        assert np.abs(tracks[track].middles[[0, -1]] - ends).max() < MAX_ERROR_MM
