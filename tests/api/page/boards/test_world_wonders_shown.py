"""An owner of World Wonders enrols the map and the resource board on a phone."""

from __future__ import annotations

import time
from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from api.enrolment.board_showing import unpack_board_file
from api.enrolment.tile_shapes import format_squares
from datasets.render.empty_boards import shoot_empty_board
from datasets.world_wonders.boards import draw_map, draw_resource_board
from datasets.world_wonders.own_copy import (
    FIRST_MM,
    MAP_MM,
    MARGIN_MM,
    RESOURCES_MM,
    RINGS_AT,
    SHAPES,
    SQUARE_MM,
    STEP_MM,
    TRACK_STEP_MM,
    TRACKS,
    build_land,
    format_components,
)
from datasets.world_wonders.style import build_style
from datasets.world_wonders.tables import Shot, shoot
from datasets.world_wonders.tiles import draw_building
from scoring.spots.game import Value
from scoring.world_wonders.components import Components
from scoring.world_wonders.game import GAME
from tests.api.page.boards.showing import ON_SCREEN, Owner
from tests.api.page.browser import DESKTOP, PHONE, Watch
from tests.api.page.conftest import READ_MS, Open
from tests.api.page.hands import faults, points_on
from tests.api.serving import Running, until
from tests.kept import keep
from vision.enrolment.games import GameEnrolments

ART = build_style("fresco")
LAND = build_land("A", "red")
CARDS = {f"monuments.{id}.rings": card for id, card in GAME.components(format_components("A")).monuments.items()}
REST: dict[str, Value] = {"solo.mode": "-", "loan.green": "no"}
"""Facts that no photo shows."""
MAX_DOUBTS = 12
MAX_TAPS = 110
"""Taps up to the first score: 21 cards among them."""


@keep
def photograph_table() -> Shot:
    return shoot("table", ART, "A", (70.0, 80.0), np.random.default_rng(17), ("wood",))


def find_middle(row: int, col: int) -> tuple[float, float]:
    """Return the centre of a square in millimetres."""
    return MARGIN_MM + (col + 0.5) * SQUARE_MM, MARGIN_MM + (row + 0.5) * SQUARE_MM


def read_lines(owner: Owner) -> list[str]:
    """Return the present terrain."""
    draft = owner.page.evaluate("async () => (await fetch('/v1/boards/world-wonders/map/draft')).json()")
    return [str(line) for line in draft["marks"]["map"]["lines"]]


def correct_terrain(owner: Owner) -> None:
    """Tap the squares that are visibly misread, once or twice each."""
    lines = read_lines(owner)
    for row, line in enumerate(LAND.rows):
        for col, letter in enumerate(line):
            while lines[row][col] != letter:
                owner.tap_board(*find_middle(row, col))
                lines = read_lines(owner)


def press(page: Page, owner: Owner, name: str) -> None:
    """Tap a button of any part of the page by its words."""
    page.get_by_role("button", name=name, exact=True).first.tap()
    owner.taps += 1


def show_map(page: Page) -> Owner:
    """Photograph the map, and correct the misread squares."""
    photo = shoot_empty_board(draw_map(ART, "A", "red"), MAP_MM, np.random.default_rng(3), "cloth")
    owner = Owner(page, photo, MAP_MM)
    owner.begin("map")
    owner.show_corners_and_card()
    owner.expect_prompt("Does the grid lie on the squares?")
    correct_terrain(owner)
    return owner


def show_resources(page: Page) -> Owner:
    """Photograph the resource board, and tap its tracks and rings."""
    photo = shoot_empty_board(draw_resource_board(ART, "red"), RESOURCES_MM, np.random.default_rng(4), "cloth")
    owner = Owner(page, photo, RESOURCES_MM)
    owner.begin("resources")
    owner.show_corners_and_card()
    for number, spaces in enumerate(TRACKS.values()):
        for space in (0, spaces - 1):
            owner.tap_board(FIRST_MM[0] + space * STEP_MM + 1, FIRST_MM[1] + number * TRACK_STEP_MM + 1)
        owner.press("That was the last space")
    owner.expect_prompt("Population: tap each space that shows a ring")
    for space in RINGS_AT:
        owner.tap_board(FIRST_MM[0] + space * STEP_MM + 1, FIRST_MM[1] + TRACK_STEP_MM + 1)
    expect(page.locator(".board-ring")).to_have_count(len(RINGS_AT))
    owner.press("Those were all")
    return owner


def type_rings(page: Page, owner: Owner) -> None:
    """Type the rings of all monument cards, one field after the other."""
    fields = page.locator(".boards-facts input")
    expect(fields).to_have_count(21)
    fields.first.tap()
    owner.taps += 1
    for number in range(fields.count()):
        name = str(fields.nth(number).get_attribute("name"))
        page.keyboard.press("Control+a")
        page.keyboard.type(str(CARDS[name].rings if CARDS[name].rings is not None else 1))
        page.keyboard.press("Enter")
    owner.taps += fields.count()


HOLD_PIECES = """() => {
  const send = window.fetch;
  const free = new Promise((resolve) => { window.release = resolve; });
  window.held = [];
  window.fetch = (address, options) => {
    const answer = send(address, options);
    if (!String(address).endsWith("/pieces") || (options?.method ?? "GET") !== "GET") return answer;
    const late = Promise.all([answer, free]).then(([came]) => came);
    window.held.push(late);
    return late;
  };
}"""
"""Delays the list of pieces that can be enrolled, as on a busy server, until `release` is called."""
ANOTHER_QUESTION = "(text) => document.querySelector('.question-card')?.innerText !== text"
ANSWERS = {"Which monument is this?": "The Parthenon"}
"""Answers that differ from the reading."""


def answer_questions(page: Page, owner: Owner) -> None:
    """Name the monument; correct readings are confirmed."""
    press(page, owner, "Show me")
    card, asked = page.locator(".question-card"), set[str]()
    card.wait_for()
    for _ in range(MAX_DOUBTS):
        if not card.is_visible():
            break
        heading, text = card.get_by_role("heading").inner_text(), card.inner_text()
        if heading in ANSWERS:
            expect(card.locator("canvas")).to_be_visible()
            assert faults(page) == []
            card.get_by_role("button", name=ANSWERS[heading]).tap()
            asked.add(heading)
        else:
            card.locator(".answer").first.tap()
        owner.taps += 1
        page.wait_for_function(ANOTHER_QUESTION, arg=text)
    assert asked == ANSWERS.keys()


def type_rest(page: Page, owner: Owner) -> None:
    """Type the facts that no photo shows: no automaton, no loan."""
    press(page, owner, "Enter")
    sheet = page.get_by_role("dialog")
    sheet.get_by_role("button", name="without the Automaton").tap()
    sheet.get_by_role("button", name="Nothing more").tap()
    sheet.wait_for(state="detached")
    owner.taps += 2


def change_terrain_and_undo(owner: Owner) -> None:
    """Make the first square water, and take that back."""
    waters, taps = owner.page.locator(".board-square.water"), owner.taps
    count = sum(row.count("~") for row in LAND.rows)
    expect(waters).to_have_count(count)
    owner.tap_board(*find_middle(0, 0))
    expect(waters).to_have_count(count + 1)
    assert faults(owner.page) == []
    owner.press("Undo")
    expect(waters).to_have_count(count)
    owner.taps = taps


@pytest.mark.soak
def test_the_side_in_play_determines_the_boards_to_enrol(server: Running, opened: Open) -> None:
    page = opened(f"{server.url}/boards/world-wonders", PHONE)
    assert "[object" not in page.locator("main").inner_text()
    expect(page.locator(".boards-list li")).to_have_count(2)
    page.locator("[name='map.side'][value='B']").locator("xpath=..").tap()
    expect(page.locator(".boards-list li")).to_have_count(6)
    expect(page.locator(".boards-left")).to_contain_text("Map board of red, side B")
    assert faults(page) == []
    page.reload()
    expect(page.locator(".boards-list li")).to_have_count(6)
    page.locator("[name='map.side'][value='A']").locator("xpath=..").tap()
    expect(page.locator(".boards-list li")).to_have_count(2)


@pytest.mark.soak
def test_a_phone_leads_from_an_empty_folder_to_the_first_score(server: Running, opened: Open, tmp_path: Path) -> None:
    """Boards and cards are enrolled, corrected, saved half way, and shared; a photo is read, and questions answered."""
    started = time.monotonic()
    page = opened(f"{server.url}/boards/world-wonders", PHONE)
    expect(page.locator(".boards-left li")).to_have_text(["Map board, side A", "Resource board, side A"])
    owner = show_map(page)
    change_terrain_and_undo(owner)
    owner.press("Done")
    page.get_by_text("Done: from now on this server reads").wait_for()
    assert faults(page) == []
    board = show_resources(page)
    page.reload()
    press(page, board, "Continue")
    page.wait_for_selector(".boards-work .world svg")
    board.wait()
    board.press("Done")
    page.get_by_text("Done: from now on this server reads").wait_for()
    type_rings(page, board)
    page.get_by_text("Nothing is missing any more").wait_for()
    assert faults(page) == []

    def load_components() -> Components:
        components: Components = GAME.components(GameEnrolments(server.data / "games").components(GAME.name))
        return components

    until(lambda: all(card.rings is not None for card in load_components().monuments.values()))
    components = load_components()
    assert components.missing() == ()
    assert components.population_rings() == RINGS_AT

    with page.expect_download() as download:
        press(page, board, "Download the board file")
    file = tmp_path / "friend.board.zip"
    download.value.save_as(file)
    assert unpack_board_file(file.read_bytes()).pictures.keys() == {"map", "resources"}

    page.get_by_role("link", name="Score a table").tap()
    page.wait_for_url(f"{server.url}/")
    page.wait_for_load_state("networkidle")
    table = photograph_table()
    photo = cv2.imencode(".jpg", table.image, [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes()
    page.locator("#gallery").set_input_files({"name": "table.jpg", "mimeType": "image/jpeg", "buffer": photo})
    page.get_by_role("button", name="Count the points").tap()
    page.wait_for_url("**/r/*")
    page.wait_for_selector("#result:not([hidden])", timeout=READ_MS)
    board.taps += 3

    answer_questions(page, board)
    page.get_by_role("button", name="Remember", exact=True).wait_for()
    page.evaluate(HOLD_PIECES)
    type_rest(page, board)
    scored = GAME.score(components, table.label.table.players, {**table.label.table.laid, **REST})
    assert points_on(page) == scored.totals
    page.get_by_role("button", name="Remember", exact=True).tap()
    board.taps += 1
    kept = page.get_by_text("The Parthenon: this one is recognised by sight from now on.")
    kept.wait_for()
    assert page.evaluate("window.held.length") > 0
    page.evaluate("async () => { release(); await Promise.all(held); await new Promise(requestAnimationFrame); }")
    expect(kept).to_be_visible()
    assert GameEnrolments(server.data / "games").load(GAME.name).pieces.keys() == {"parthenon"}
    taps = owner.taps + board.taps
    minutes = (time.monotonic() - started) / 60
    print(f"{owner.taps} taps for the map, {taps} in all, {minutes:.1f} minutes as fast as the page allows")
    assert taps <= MAX_TAPS


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


def test_shapes_are_drawn_interrupted_and_stored_on_a_phone(server: Running, opened: Open) -> None:
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


@pytest.mark.soak
def test_an_error_is_shown_at_its_shape_and_undone(server: Running, opened: Open, watch: Watch) -> None:
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


@pytest.mark.soak
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


@pytest.mark.soak
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
