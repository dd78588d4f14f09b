"""Enrolment on the page: pieces of printed games, and tiles of a reading."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

import httpx2 as httpx
import pytest
from playwright.sync_api import Locator, Page, expect
from shapely import Polygon

from api.documents.report import Report
from scoring.carcassonne.board.label import read_label
from scoring.carcassonne.board.square_names import name_square
from scoring.carcassonne.tiles.catalogue import load_full_catalogue
from scoring.carcassonne.tiles.geometry import Square
from scoring.carcassonne.wonders.catalogue import load_wonder_catalogue
from tests.api.page.browser import ON_PHONE_AND_DESKTOP, PHONE, Watch
from tests.api.page.conftest import READ_MS, Made, Open
from tests.api.page.hands import faults, points_on, tap
from tests.api.serving import LEVEL


def middle(reading: Made, row: int, col: int) -> tuple[float, float]:
    """Return the centre of a square in the photo."""
    (tile,) = [tile for tile in reading.report.board.tiles if (tile.row, tile.col) == (row, col)]
    at = Polygon(tile.corners_px or []).centroid
    return at.x, at.y


def free_square(reading: Made) -> tuple[int, int]:
    """Return a square with a tile without a piece."""
    board = reading.report.board
    meeple_squares = {meeple.tile for meeple in board.meeples}
    return next(
        (t.row, t.col) for t in board.tiles if (t.row, t.col) not in meeple_squares and t.tile and not t.doubtful
    )


def open_square(page: Page, row: int, col: int) -> None:
    """Open the sheet of a square from the list of all."""
    page.locator("summary", has_text="Every square").click()
    page.locator(f'#squares [data-square="{row},{col}"]').click()


def test_a_piece_is_moved_to_the_tapped_square(reading: Made, opened: Open) -> None:
    page, meeple, before = opened(reading.url, PHONE, reading.kept), reading.report.board.meeples[0], reading.report
    to = free_square(reading)
    open_square(page, *meeple.tile)
    page.get_by_role("dialog").get_by_role("button", name=f"{meeple.colour} · meeple").tap()
    page.get_by_role("dialog", name="A piece at").get_by_role("button", name="On another square").tap()
    page.get_by_text("Tap where it stands.").wait_for()
    page.locator("#zoom-fit").tap()
    page.wait_for_timeout(600)
    tap(page, middle(reading, *to), touch=True)
    sheet = page.get_by_role("dialog", name=f"A piece at {name_square(to, before.board.origin)}")
    place = sheet.get_by_role("group", name="It stands on").get_by_role("radio").first
    place.check()
    sheet.get_by_role("button", name="Change the piece").tap()
    sheet.wait_for(state="detached")
    (now,) = [piece for piece in reading.report.board.meeples if piece.id == meeple.id]
    assert (now.tile, now.colour, now.set_by_person) == (to, meeple.colour, True)
    assert now.feature in {f.id for f in reading.report.features if to in f.tiles}
    assert len(reading.report.board.meeples) == len(before.board.meeples)
    assert points_on(page) == reading.report.scores.final_scoring
    with page.expect_response(lambda answer: answer.request.method == "PATCH"):
        page.get_by_role("button", name="Undo").tap()
    assert reading.report.board.meeples == before.board.meeples


@pytest.mark.soak
def test_a_piece_that_is_not_moved_keeps_its_place(reading: Made, opened: Open) -> None:
    page, meeple = opened(reading.url, kept=reading.kept), reading.report.board.meeples[0]
    open_square(page, *meeple.tile)
    page.get_by_role("dialog").get_by_role("button", name=f"{meeple.colour} · meeple").click()
    page.get_by_role("dialog", name="A piece at").get_by_role("button", name="On another square").click()
    page.get_by_role("button", name="Cancel").click()
    assert page.get_by_text("Tap where it stands.").count() == 0
    assert reading.get()["corrections"] == []


@pytest.mark.soak
def test_an_overlooked_piece_is_added(reading: Made, opened: Open) -> None:
    page, before, (row, col) = opened(reading.url, kept=reading.kept), reading.report, free_square(reading)
    open_square(page, row, col)
    page.get_by_role("dialog").get_by_role("button", name="Add a piece").click()
    sheet = page.get_by_role("dialog", name=f"A new piece at {name_square((row, col), before.board.origin)}")
    sheet.get_by_role("radio", name="yellow").check()
    sheet.get_by_role("radio", name="lying").check()
    sheet.get_by_role("button", name="Add a piece").click()
    sheet.wait_for(state="detached")
    earlier_ids = {meeple.id for meeple in before.board.meeples}
    (added,) = [meeple for meeple in reading.report.board.meeples if meeple.id not in earlier_ids]
    assert (added.colour, added.kind, added.pose, added.tile) == ("yellow", "meeple", "lying", (row, col))
    assert points_on(page) == reading.report.scores.final_scoring
    assert "yellow" in points_on(page)
    assert page.locator(".layer-meeples .by-person").count() == 1


@pytest.mark.soak
def test_a_reading_is_deleted_for_everybody_and_from_the_list(address: str, opened: Open) -> None:
    with LEVEL.open("rb") as photo:
        made = httpx.post(
            f"{address}/v1/readings", files={"photo": ("own.jpg", photo, "image/jpeg")}, timeout=120
        ).json()
    readings = [{"id": made["id"], "token": made["token"], "created": made["created"], "scores": None}]
    entry = {"name": "wondertally.readings", "value": json.dumps(readings)}
    storage = {"cookies": [], "origins": [{"origin": address, "localStorage": [entry]}]}
    page, api = opened(f"{address}/r/{made['id']}", kept=storage), f"{address}/v1/readings/{made['id']}"
    page.get_by_role("button", name="Share").click()
    page.get_by_role("dialog", name="Share").get_by_role("button", name="Delete").click()
    sure = page.get_by_role("dialog", name="Delete")
    sure.get_by_role("button", name="Keep it").click()
    assert httpx.get(api).status_code == 200
    page.get_by_role("button", name="Share").click()
    page.get_by_role("dialog", name="Share").get_by_role("button", name="Delete").click()
    sure.get_by_role("button", name="Delete now").click()
    page.wait_for_url(f"{address}/")
    assert not page.locator("#mine").is_visible()
    for gone in (api, f"{api}/photo", f"{api}/overlay.png"):
        assert httpx.get(gone).status_code == 404


@ON_PHONE_AND_DESKTOP
@pytest.mark.soak
def test_a_wonder_is_drawn_over_the_photo_and_turned_before_it_is_set(
    reading: Made, opened: Open, device: Mapping[str, Any]
) -> None:
    page, square = opened(reading.url, device, reading.kept), (3, 4)
    layout = load_wonder_catalogue()["WH/angkor-wat"]
    open_square(page, *square)
    sheet = page.get_by_role("dialog")
    sheet.locator("summary", has_text="A wonder begins here").click()
    sheet.get_by_role("button", name="Angkor Wat").click()
    for turns in (0, 1, 2):
        wanted = layout.placed(layout.anchor(square, 0, turns), turns)
        wonder_tiles = page.locator(".world svg .laid")
        expect(wonder_tiles).to_have_count(5)
        assert [tile.get_attribute("data-square") for tile in wonder_tiles.all()] == [
            f"{row},{col}" for row, col in wanted
        ]
        hrefs = [tile.get_attribute("href") or "" for tile in wonder_tiles.all()]
        assert all(f"turns={turns}&square={cell}" in href for cell, href in enumerate(hrefs))
        page.locator("#hint").get_by_role("button", name="Turn right").click()
    page.locator("#hint").get_by_role("button", name="Turn left").click()
    page.locator('#squares [data-square="2,3"]').click()
    expect(page.locator('.world svg .laid[data-square="2,3"]')).to_have_count(1)
    page.locator(f'#squares [data-square="{square[0]},{square[1]}"]').click()
    assert reading.get()["corrections"] == []
    assert faults(page) == []
    with page.expect_response(lambda answer: answer.request.method == "PATCH"):
        page.get_by_role("button", name="Place it here").click()
    expect(wonder_tiles).to_have_count(0)
    tile_by_square = {(t.row, t.col): (t.tile, t.square, t.turns) for t in reading.report.board.tiles}
    assert [tile_by_square[place] for place in wanted] == [(layout.id, cell, turns) for cell in range(5)]
    assert not page.locator("#hint").get_by_role("button").count()


TRUTH = read_label(json.loads(LEVEL.with_suffix(".json").read_text()), load_full_catalogue())


@pytest.fixture
def enrolled(address: str) -> Iterator[str]:
    """Return the address of the server's enrolments; all are removed when the test is over."""
    yield f"{address}/v1/enrolments"
    for one in names(f"{address}/v1/enrolments"):
        httpx.delete(f"{address}/v1/enrolments/{one}").raise_for_status()


def names(enrolled: str) -> list[str]:
    """Return the enrolments, by name."""
    return [one["name"] for one in httpx.get(enrolled).raise_for_status().json()["enrolments"]]


def correct(reading: Made, *corrections: dict[str, Any]) -> None:
    """Correct a reading, without the page."""
    owner = {"Authorization": f"Bearer {reading.token}"}
    answer = httpx.patch(reading.api, json={"corrections": corrections}, headers=owner, timeout=120)
    answer.raise_for_status()


def find_enrol_sheet(page: Page) -> Locator:
    """Open the sheet for enrolling a set."""
    page.get_by_role("button", name="Remember these tiles").click()
    sheet = page.get_by_role("dialog", name="Remember these tiles")
    sheet.wait_for()
    return sheet


def misread(report: Report) -> set[Square]:
    """Return the squares with another tile than the table's, or another turn."""
    placements = dict(TRUTH.known)
    tiles = {(tile.row, tile.col): tile for tile in report.board.tiles}
    assert tiles.keys() == placements.keys()
    return {
        square
        for square, tile in tiles.items()
        if tile.tile != placements[square].tile
        or (tile.turns - placements[square].turns) % placements[square].layout.symmetry != 0
    }


@pytest.mark.soak
def test_a_corrected_set_is_enrolled_and_the_photo_read_again_with_it(
    reading: Made, opened: Open, enrolled: str
) -> None:
    before = reading.report
    tiles = [
        {"kind": "tile", "row": row, "col": col, "tile": placement.tile, "turns": placement.turns}
        for (row, col), placement in TRUTH.known
    ]
    correct(reading, *tiles)
    page = opened(reading.url, kept=reading.kept)
    sheet = find_enrol_sheet(page)
    preview = httpx.get(f"{reading.api}/lesson").json()
    assert (preview["refused"], preview["kinds"]) == (None, len({placement.tile for _, placement in TRUTH.known}))
    assert sheet.locator(".takes").inner_text().startswith(f"{preview['squares']} tiles will be remembered.")
    assert preview["squares"] + preview["left_out"] == len(TRUTH.tiles)
    assert faults(page) == []
    sheet.get_by_label("Name of this set").fill("Großmutters Spiel, 1985")
    sheet.get_by_role("button", name="Remember these tiles").click()
    done = sheet.get_by_text(f"Remembered: Gro-mutters-Spiel-1985, {preview['squares']} tiles.")
    done.wait_for()
    assert names(enrolled) == ["Gro-mutters-Spiel-1985"]
    sheet.get_by_role("button", name="Read this photo again").click()
    page.wait_for_url(lambda url: "/r/" in url and url != reading.url)
    page.wait_for_selector("#result:not([hidden])", timeout=READ_MS)
    after = Report.model_validate(httpx.get(f"{Made(page.url, None, [], '').api}/report.json").json())
    # No print shows the square beneath a piece: it may stay a question, nothing else.
    assert misread(after) <= misread(before)
    assert misread(after) <= {meeple.square for meeple in TRUTH.meeples}
    assert misread(after) <= {(tile.row, tile.col) for tile in after.board.tiles if tile.doubtful}
    assert sum(t.doubtful for t in after.board.tiles) < sum(t.doubtful for t in before.board.tiles) / 2


@pytest.mark.soak
def test_an_enrolled_set_is_listed_forgotten_and_brought_back(made: Made, opened: Open, enrolled: str) -> None:
    page = opened(made.url, PHONE, made.kept)
    sheet = find_enrol_sheet(page)
    sheet.get_by_text("Nothing yet.").wait_for()
    sheet.get_by_role("button", name="Remember these tiles").tap()
    row = sheet.locator('[data-set="test_level"]')
    row.wait_for()
    row.get_by_role("button", name="Forget test_level").tap()
    sheet.get_by_text("Forgotten: test_level.").wait_for()
    assert names(enrolled) == []
    row.get_by_role("button", name="Bring back test_level").tap()
    sheet.get_by_text("test_level is remembered again.").wait_for()
    assert names(enrolled) == ["test_level"]
    assert faults(page) == []
    row.get_by_role("button", name="Forget test_level").tap()
    sheet.get_by_text("Forgotten: test_level.").wait_for()
    sheet.get_by_role("button", name="Remember these tiles").tap()
    row.get_by_role("button", name="Forget test_level").wait_for()
    assert names(enrolled) == ["test_level"]


@pytest.mark.soak
def test_a_wonder_is_enrolled_with_the_tiles_around_it(reading: Made, opened: Open, enrolled: str) -> None:
    correct(reading, {"kind": "wonder", "wonder": "WH/alhambra", "row": 3, "col": 4, "turns": 1})
    sheet = find_enrol_sheet(opened(reading.url, kept=reading.kept))
    takes = sheet.locator(".takes").inner_text()
    assert "Among them: Alhambra." in takes
    sheet.get_by_role("button", name="Remember these tiles").click()
    sheet.get_by_text("Remembered:").wait_for()
    (one,) = httpx.get(enrolled).json()["enrolments"]
    assert takes.startswith(f"{one['tiles']} tiles will be remembered.")


def test_the_page_shows_why_enrolling_is_refused_and_how_to_allow_it(made: Made, opened: Open, watch: Watch) -> None:
    address = urlsplit(made.url)
    other = f"table.localhost:{address.port}"  # Chromium resolves it to here, the server treats it as a name of its own
    watch.host = other
    storage = json.loads(json.dumps(made.kept).replace(address.netloc, other))
    page = opened(made.url.replace(address.netloc, other), kept=storage)
    sheet = find_enrol_sheet(page)
    expect(sheet.get_by_role("note")).to_contain_text("pair this device there (“Open on a phone”)")
    assert sheet.get_by_label("Name of this set").count() == 0
    assert faults(page) == []
