"""An event with a table of Tower of Babel in a real browser: handed in, read, answered, confirmed."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import httpx2 as httpx
import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from datasets.tower_of_babel.deal import Deal
from tests.api.page.browser import chromium_path
from tests.api.page.conftest import READ_MS, Open
from tests.api.page.hands import event_of, faults, made, named, row
from tests.api.serving import Running, running
from tests.vision.tower_of_babel.papyrus import enrol_papyrus, photograph_papyrus
from vision.enrolment.games import GameEnrolments

NAMES = ("Anna", "Bob", "Cleo", "Dan", "Eva")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """Start a real server with the enrolled empty board."""
    chromium_path()
    folder = tmp_path_factory.mktemp("babel")
    GameEnrolments(folder / "games").save(enrol_papyrus())
    with running(folder, readers=1, reading_seconds=600) as started:
        yield started


@pytest.fixture(scope="module")
def address(server: Running) -> str:
    return server.url


def photographed() -> tuple[Deal, bytes]:
    """Return a table, and a photo of it."""
    deal, image = photograph_papyrus()
    return deal, np.asarray(cv2.imencode(".jpg", image)[1]).tobytes()


def sheet_with(page: Page, photo: bytes) -> Locator:
    """Open the sheet of a new table, with its photo."""
    page.keyboard.press("n")
    sheet = page.get_by_role("dialog")
    sheet.locator("#photos-of-table").set_input_files({"name": "table.jpg", "mimeType": "image/jpeg", "buffer": photo})
    return sheet


@pytest.mark.soak
def test_a_table_of_another_game_is_added_read_answered_and_confirmed(address: str, opened: Open) -> None:
    deal, photo = photographed()
    page = named(made(opened, address, "Evening of games"), "Zoë")
    sheet = sheet_with(page, photo)
    names = sheet.locator("#game option").all_inner_texts()
    assert names == ["Recognise it automatically", "Carcassonne", "Tower of Babel"]
    sheet.locator("#track-red").wait_for()
    sheet.locator("#game").select_option("tower-of-babel")
    expect(sheet.locator("#track-red")).to_be_hidden()
    for colour, name in zip(deal.players, NAMES, strict=False):
        sheet.locator(f"#name-{colour}").fill(name)
    assert faults(page) == []
    sheet.locator("#table").press("Enter")
    sheet.wait_for(state="detached")
    expect(row(page)).to_have_class("state state-doubtful", timeout=2 * READ_MS)

    (table,) = httpx.get(f"{event_of(page)}/tables").raise_for_status().json()["tables"]
    reading = httpx.get(f"{address}/v1/readings/{table['reading']}").raise_for_status().json()
    assert reading["report"]["game"] == "tower-of-babel"
    assert reading["report"]["names"] == dict(zip(deal.players, NAMES, strict=False))
    card = page.locator(".question-card")
    first = reading["questions"][0]
    expect(card).to_contain_text(first["label"])
    assert faults(page) == []
    page.keyboard.press("1")
    expect(card).not_to_contain_text(first["label"])
    reading = httpx.get(f"{address}/v1/readings/{table['reading']}").raise_for_status().json()
    assert reading["corrections"] == [first["choices"][0]["correction"]]
    page.keyboard.press("y")
    expect(row(page)).to_have_text("checked")
    results = httpx.get(f"{event_of(page)}/results.csv").raise_for_status().text
    assert {line.split(",")[6] for line in results.splitlines()[1:]} == {*NAMES[: len(deal.players)]}


@pytest.mark.soak
def test_a_game_without_an_enrolled_board_is_explained_not_offered(address: str, opened: Open) -> None:
    page = opened(address)
    offered = page.locator("#game label").all_inner_texts()
    assert [name.strip() for name in offered] == ["Recognise it automatically", "Carcassonne", "Tower of Babel"]
    expect(page.locator(".unread summary")).to_have_text("Not read here yet: World Wonders")
    page.locator(".unread summary").click()
    expect(page.locator(".unread code")).to_contain_text("wondertally enrol board")
    assert faults(page) == []
