"""Enrolling a set of tiles on the page: the tiles taken, their use in readings, and permissions."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import httpx2 as httpx
import pytest
from playwright.sync_api import Locator, Page, expect

from api.documents.report import Report
from scoring.carcassonne.board.label import read_label
from scoring.carcassonne.tiles.catalogue import load_full_catalogue
from scoring.carcassonne.tiles.geometry import Square
from tests.api.page.browser import PHONE, Watch
from tests.api.page.conftest import READ_MS, Made, Open
from tests.api.page.hands import faults
from tests.api.serving import LEVEL

TRUTH = read_label(json.loads(LEVEL.with_suffix(".json").read_text()), load_full_catalogue())


@pytest.fixture
def taught(address: str) -> Iterator[str]:
    """Return the address of the server's enrolments; all are removed when the test is over."""
    yield f"{address}/v1/enrolments"
    for one in names(f"{address}/v1/enrolments"):
        httpx.delete(f"{address}/v1/enrolments/{one}").raise_for_status()


def names(taught: str) -> list[str]:
    """Return the enrolments, by name."""
    return [one["name"] for one in httpx.get(taught).raise_for_status().json()["enrolments"]]


def correct(reading: Made, *corrections: dict[str, Any]) -> None:
    """Correct a reading, without the page."""
    owner = {"Authorization": f"Bearer {reading.token}"}
    answer = httpx.patch(reading.api, json={"corrections": corrections}, headers=owner, timeout=120)
    answer.raise_for_status()


def teaching(page: Page) -> Locator:
    """Open the sheet for enrolling a set."""
    page.get_by_role("button", name="Enrol this set").click()
    sheet = page.get_by_role("dialog", name="Enrol this set")
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
def test_a_corrected_set_is_taught_and_the_photo_read_again_with_it(reading: Made, opened: Open, taught: str) -> None:
    before = reading.report
    tiles = [
        {"kind": "tile", "row": row, "col": col, "tile": placement.tile, "turns": placement.turns}
        for (row, col), placement in TRUTH.known
    ]
    correct(reading, *tiles)
    page = opened(reading.url, kept=reading.kept)
    sheet = teaching(page)
    lesson = httpx.get(f"{reading.api}/lesson").json()
    assert (lesson["refused"], lesson["kinds"]) == (None, len({placement.tile for _, placement in TRUTH.known}))
    assert sheet.locator(".takes").inner_text().startswith(f"{lesson['squares']} tiles will be enrolled.")
    assert lesson["squares"] + lesson["left_out"] == len(TRUTH.tiles)
    assert faults(page) == []
    sheet.get_by_label("Name of this set").fill("Großmutters Spiel, 1985")
    sheet.get_by_role("button", name="Enrol this set").click()
    learnt = sheet.get_by_text(f"Learnt: Gro-mutters-Spiel-1985, {lesson['squares']} tiles.")
    learnt.wait_for()
    assert names(taught) == ["Gro-mutters-Spiel-1985"]
    sheet.get_by_role("button", name="Read this photo again").click()
    page.wait_for_url(lambda url: "/r/" in url and url != reading.url)
    page.wait_for_selector("#result:not([hidden])", timeout=READ_MS)
    after = Report.model_validate(httpx.get(f"{Made(page.url, None, [], '').api}/report.json").json())
    # No print shows the square beneath a piece: it may stay a question, nothing else.
    assert misread(after) < misread(before)
    assert misread(after) <= {meeple.square for meeple in TRUTH.meeples}
    assert misread(after) <= {(tile.row, tile.col) for tile in after.board.tiles if tile.doubtful}
    assert sum(t.doubtful for t in after.board.tiles) < sum(t.doubtful for t in before.board.tiles) / 2


@pytest.mark.soak
def test_what_was_taught_is_listed_forgotten_and_taught_again(made: Made, opened: Open, taught: str) -> None:
    page = opened(made.url, PHONE, made.kept)
    sheet = teaching(page)
    sheet.get_by_text("Nothing yet.").wait_for()
    sheet.get_by_role("button", name="Enrol this set").tap()
    row = sheet.locator('[data-set="test_level"]')
    row.wait_for()
    row.get_by_role("button", name="Forget test_level").tap()
    row.get_by_role("button", name="Keep it").tap()
    assert names(taught) == ["test_level"]
    row.get_by_role("button", name="Forget test_level").tap()
    row.get_by_role("button", name="Forget it").tap()
    sheet.get_by_text("Forgotten: test_level.").wait_for()
    assert names(taught) == []
    sheet.get_by_role("button", name="Enrol this set").tap()
    row.wait_for()
    assert names(taught) == ["test_level"]


@pytest.mark.soak
def test_a_wonder_is_taught_with_the_tiles_around_it(reading: Made, opened: Open, taught: str) -> None:
    correct(reading, {"kind": "wonder", "wonder": "WH/alhambra", "row": 3, "col": 4, "turns": 1})
    sheet = teaching(opened(reading.url, kept=reading.kept))
    takes = sheet.locator(".takes").inner_text()
    assert "Among them: Alhambra." in takes
    sheet.get_by_role("button", name="Enrol this set").click()
    sheet.get_by_text("Learnt:").wait_for()
    (one,) = httpx.get(taught).json()["enrolments"]
    assert takes.startswith(f"{one['tiles']} tiles will be enrolled.")


def test_whoever_may_not_teach_is_told_why_and_how_to_allow_it(made: Made, opened: Open, watch: Watch) -> None:
    address = urlsplit(made.url)
    other = f"table.localhost:{address.port}"  # Chromium resolves it to here, the server treats it as a name of its own
    watch.host = other
    storage = json.loads(json.dumps(made.kept).replace(address.netloc, other))
    page = opened(made.url.replace(address.netloc, other), kept=storage)
    sheet = teaching(page)
    expect(sheet.get_by_role("note")).to_contain_text("WONDERTALLY_API_KEYS")
    assert sheet.get_by_label("Name of this set").count() == 0
    assert faults(page) == []
