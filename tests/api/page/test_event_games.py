"""An event with a table of Tower of Babel in a real browser: handed in, read, answered, confirmed."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import cv2
import httpx2 as httpx
import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from datasets.tower_of_babel.__main__ import shoot_enrolment
from datasets.tower_of_babel.art import ARTS
from datasets.tower_of_babel.board import draw_board
from datasets.tower_of_babel.deal import Deal, deal_game
from datasets.tower_of_babel.plan import list_track_middles
from datasets.tower_of_babel.shots import Manner, shoot
from datasets.tower_of_babel.staging import stage_table
from tests.api.page.browser import chromium_path
from tests.api.page.conftest import READ_MS, Open
from tests.api.page.hands import faults
from tests.api.page.test_event import named
from tests.api.page.test_event_made import event_of, made, row
from tests.api.serving import Running, running
from vision.arrays import Image
from vision.enrolment.games import GameEnrolment, GameEnrolments
from vision.flat_boards.board import rectify_picture
from vision.flat_boards.layout import read_pictures


@cache
def draw_papyrus() -> Image:
    """Return the board that all tests here play on."""
    return draw_board(ARTS["papyrus"], np.random.default_rng(5))


NAMES = ("Anna", "Bob", "Cleo", "Dan", "Eva")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """Start a real server with the enrolled empty board."""
    chromium_path()
    folder = tmp_path_factory.mktemp("babel")
    shot, text = shoot_enrolment(draw_papyrus(), 5)
    facts = read_pictures(text)["board"]
    assert facts.corners_px is not None
    picture = rectify_picture(shot.image, facts.corners_px, facts.size_mm)
    GameEnrolments(folder / "games").save(GameEnrolment("tower-of-babel", text, {"board": picture}))
    with running(folder, readers=1, reading_seconds=600) as started:
        yield started


@pytest.fixture(scope="module")
def address(server: Running) -> str:
    return server.url


def photographed() -> tuple[Deal, bytes]:
    """Return a table, and a photo of it."""
    rng = np.random.default_rng(31)
    deal = deal_game(rng, len(list_track_middles()) - 1)
    image = shoot(draw_papyrus(), stage_table(deal, rng), "wood", Manner((2000, 1500), (50, 60), 0.4), rng).image
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
