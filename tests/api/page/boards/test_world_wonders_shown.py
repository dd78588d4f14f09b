"""An owner of World Wonders shows the map and the resource board on a phone."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest
from playwright.sync_api import expect

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
from tests.api.page.boards.showing import Owner
from tests.api.page.browser import PHONE, chromium_path
from tests.api.page.conftest import Open
from tests.api.page.hands import faults
from tests.api.serving import Running, running
from vision.enrolment.games import GameEnrolments

LAND = build_land("A", "red")
MAX_TAPS = 50
"""Of both boards together."""


@pytest.fixture
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A real server with nothing in its data folder."""
    chromium_path()
    with running(tmp_path_factory.mktemp("boards"), readers=1) as started:
        yield started


def find_middle(row: int, col: int) -> tuple[float, float]:
    """The middle of a square in millimetres."""
    return MARGIN_MM + (col + 0.5) * SQUARE_MM, MARGIN_MM + (row + 0.5) * SQUARE_MM


def read_lines(owner: Owner) -> list[str]:
    """The terrain as it is now."""
    draft = owner.page.evaluate("async () => (await fetch('/v1/boards/world-wonders/map/draft')).json()")
    return [str(line) for line in draft["marks"]["map"]["lines"]]


def correct_terrain(owner: Owner) -> None:
    """Tap the squares that are seen to be taken for something else, once or twice each."""
    lines = read_lines(owner)
    for row, line in enumerate(LAND.rows):
        for col, letter in enumerate(line):
            while lines[row][col] != letter:
                owner.tap_board(*find_middle(row, col))
                lines = read_lines(owner)


def test_map_and_resource_board_are_shown_on_a_phone(server: Running, opened: Open) -> None:
    style, rng = build_style("fresco"), np.random.default_rng(3)
    page = opened(f"{server.url}/boards/world-wonders", PHONE)
    shown_map = Owner(page, shoot_empty_board(draw_map(style, "A", "red"), MAP_MM, rng, "cloth"), MAP_MM)
    shown_map.begin("map")
    shown_map.show_corners_and_card()
    shown_map.expect_prompt("Does the grid lie on the squares?")
    correct_terrain(shown_map)
    waters = page.locator(".board-square.water")
    count = sum(row.count("~") for row in LAND.rows)
    expect(waters).to_have_count(count)
    shown_map.tap_board(*find_middle(0, 0))
    expect(waters).to_have_count(count + 1)
    shown_map.keep_screen("7-map")
    assert faults(page) == []
    shown_map.press("Undo")
    expect(waters).to_have_count(count)
    shown_map.press("Done")
    page.get_by_text("Done: from now on this server reads").wait_for()

    photo = shoot_empty_board(draw_resource_board(style, "red"), RESOURCES_MM, rng, "cloth")
    board = Owner(page, photo, RESOURCES_MM)
    board.begin("resources")
    board.show_corners_and_card()
    for number, spaces in enumerate(TRACKS.values()):
        for space in (0, spaces - 1):
            board.tap_board(FIRST_MM[0] + space * STEP_MM + 1, FIRST_MM[1] + number * TRACK_STEP_MM + 1)
        board.press("That was the last space")
    board.keep_screen("8-resources")
    board.press("Done")
    page.get_by_text("resources.A.population.rings is not known").wait_for()
    components = GAME.components(GameEnrolments(server.data / "games").components(GAME.name))
    assert (components.map.A or "").split() == [*LAND.rows]
    assert components.resources.A is not None
    population, food = components.resources.A.population, components.resources.A.food
    assert population is not None
    assert food is not None
    assert (population.last, food.last) == (TRACKS["population"] - 1, TRACKS["food"] - 1)
    assert shown_map.taps + board.taps <= MAX_TAPS
    print(f"{shown_map.taps} taps for the map, {board.taps} for the resource board")
