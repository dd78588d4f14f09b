"""An owner of World Wonders draws the shapes of the building tiles beside their photo, on a phone and by keyboard."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from api.enrolment.tile_shapes import format_squares
from datasets.world_wonders.own_copy import SHAPES
from datasets.world_wonders.style import build_style
from datasets.world_wonders.tiles import draw_building
from scoring.world_wonders.game import GAME
from tests.api.page.boards.showing import ON_SCREEN
from tests.api.page.browser import DESKTOP, PHONE, Watch
from tests.api.page.conftest import Open
from tests.api.page.hands import faults
from tests.api.serving import Running
from vision.enrolment.games import GameEnrolments

LEAST_PX = 44
ALL = [format_squares(frozenset(squares)) for squares in SHAPES.values()]


def photograph_tiles() -> tuple[bytes, list[tuple[int, int]]]:
    """Return a photo of a tile of each shape, four per row, and the places of their first squares."""
    picture, places = np.full((1000, 1600, 3), 120, np.uint8), []
    for number, (shape, squares) in enumerate(SHAPES.items()):
        tile = cv2.resize(draw_building(build_style("fresco"), "market", shape, 0), None, fx=1.0, fy=1.0)
        covered = np.zeros(tile.shape[:2], bool)
        rows, cols = (1 + max(square[axis] for square in squares) for axis in (0, 1))
        high, wide = tile.shape[0] // rows, tile.shape[1] // cols
        for row, col in squares:
            covered[row * high : (row + 1) * high, col * wide : (col + 1) * wide] = True
        y, x = 60 + number // 4 * 480, 60 + number % 4 * 390
        picture[y : y + tile.shape[0], x : x + tile.shape[1]][covered] = tile[covered]
        places.append((x + wide // 2, y + high // 2))
    return cv2.imencode(".jpg", picture)[1].tobytes(), places


def list_kept(server: Running) -> list[str]:
    components = GAME.components(GameEnrolments(server.data / "games").components(GAME.name) or None)
    return [shape.shape for shape in components.buildings.shapes or ()]


def find_square(page: Page, row: int, col: int) -> Locator:
    return page.locator(f".shape-square[data-cell='{row},{col}']")


def tap_shape(page: Page, text: str) -> None:
    """Tap the squares of a shape, one after the other, faster than the server answers."""
    for row, line in enumerate(text.split("/")):
        for col, letter in enumerate(line):
            if letter == "#":
                find_square(page, row, col).tap()


def test_shapes_are_drawn_beside_a_photo_left_and_kept_on_a_phone(server: Running, opened: Open) -> None:
    page = opened(f"{server.url}/boards/world-wonders", PHONE)
    page.get_by_role("button", name="Draw the shapes").tap()
    expect(page.locator(".boards-prompt")).to_contain_text("Shape 1: tap the squares that the tile covers")
    photo, places = photograph_tiles()
    page.locator("label.button input[type=file]").set_input_files(
        {"name": "tiles.jpg", "mimeType": "image/jpeg", "buffer": photo}
    )
    page.wait_for_selector(".boards-picture.shape-photo .world svg")
    for number, text in enumerate(ALL[:3]):
        if number:
            page.get_by_role("button", name="Another shape").tap()
        expect(page.locator(".boards-prompt")).to_contain_text(f"Shape {number + 1}: tap the tile in the photo")
        page.locator(".boards-picture").scroll_into_view_if_needed()
        page.wait_for_timeout(400)
        page.touchscreen.tap(*page.evaluate(ON_SCREEN, list(places[number])))
        expect(page.locator(".shape-part canvas")).to_be_visible()
        tap_shape(page, text)
    expect(page.locator(".shape-square[aria-pressed='true']")).to_have_count(ALL[2].count("#"))
    frame, photo_frame = (page.locator(name).bounding_box() for name in (".shape-photo", ".shape-photo .viewer"))
    assert frame is not None
    assert photo_frame is not None
    assert photo_frame["width"] == pytest.approx(frame["width"], abs=2)
    assert faults(page) == []
    sizes = [square.bounding_box() for square in page.locator(".shape-square").all()]
    assert all(size is not None and min(size["width"], size["height"]) >= LEAST_PX for size in sizes)
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("button", name="Later").tap()
    expect(page.get_by_text("You have begun to draw")).to_be_visible()
    assert list_kept(server) == []

    page.reload()
    page.get_by_role("button", name="Continue").tap()
    expect(page.locator(".boards-chips .chip")).to_have_count(3)
    page.wait_for_selector(".boards-picture.shape-photo .world svg")
    expect(page.locator(".shape-part canvas")).to_be_visible()
    for text in ALL[3:]:
        page.get_by_role("button", name="Another shape").tap()
        tap_shape(page, text)
    page.get_by_role("button", name="Done", exact=True).tap()
    expect(page.get_by_text(f"Done: {len(ALL)} shapes of building tiles are known.")).to_be_visible()
    assert list_kept(server) == ALL
    assert faults(page) == []


def test_what_is_wrong_is_shown_at_its_shape_and_undone(server: Running, opened: Open, watch: Watch) -> None:
    page = opened(f"{server.url}/boards/world-wonders", PHONE)
    page.get_by_role("button", name="Draw the shapes").tap()
    tap_shape(page, "#./.#")
    page.get_by_role("button", name="Another shape").tap()
    tap_shape(page, "##")
    page.get_by_role("button", name="Done", exact=True).tap()
    problem = page.locator(".boards-work .problem")
    expect(problem).to_contain_text("are not connected")
    expect(page.locator(".boards-chips [aria-current]")).to_have_accessible_name("Shape 1")
    assert faults(page) == []
    find_square(page, 0, 1).tap()
    expect(problem).to_be_empty()
    page.get_by_role("button", name="Undo").tap()
    expect(page.locator(".shape-square[aria-pressed='true']")).to_have_count(2)
    page.get_by_role("button", name="Redo").tap()
    page.get_by_role("button", name="Remove shape 1").tap()
    page.get_by_role("button", name="Done", exact=True).tap()
    expect(page.get_by_text("Done: one shape of building tiles is known.")).to_be_visible()
    assert list_kept(server) == ["##"]
    watch.faults.clear()  # the browser itself logs the refusal


def test_shapes_are_drawn_by_keyboard(server: Running, opened: Open) -> None:
    page = opened(f"{server.url}/boards/world-wonders", DESKTOP)
    page.get_by_role("button", name="Draw the shapes").focus()
    page.keyboard.press("Enter")
    find_square(page, 0, 0).focus()
    for stroke in ("Space", "ArrowRight", "Enter", "ArrowDown", "Space", "ArrowUp", "ArrowUp"):
        page.keyboard.press(stroke)
    expect(find_square(page, 0, 1)).to_be_focused()
    expect(page.locator(".shape-square[tabindex='0']")).to_have_count(1)
    assert faults(page) == []
    page.get_by_role("button", name="Done", exact=True).focus()
    page.keyboard.press("Enter")
    expect(page.get_by_text("Done: one shape of building tiles is known.")).to_be_visible()
    assert list_kept(server) == ["##/.#"]


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("de", ("Formen zeichnen", "Fertig", "hat noch keine Felder")),
        pytest.param("ro", ("Desenează formele", "Gata", "nicio căsuță"), marks=pytest.mark.soak),
    ],
)
def test_shapes_are_drawn_in_other_languages(
    server: Running, opened: Open, watch: Watch, language: str, words: tuple[str, str, str]
) -> None:
    page = opened(f"{server.url}/boards/world-wonders?language={language}", PHONE)
    page.get_by_role("button", name=words[0]).tap()
    tap_shape(page, "##")
    page.locator(".boards-chips .round").tap()
    page.get_by_role("button", name=words[1], exact=True).tap()
    expect(page.locator(".boards-work .problem")).to_contain_text(words[2])
    assert "boards-" not in page.locator("main").inner_text()
    watch.faults.clear()  # the browser itself logs the refusal
