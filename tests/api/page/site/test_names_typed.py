"""A player's name appears on the page as typed, like in every file; a colour's word begins with a capital."""

from __future__ import annotations

import csv
import io

import httpx2 as httpx
from playwright.sync_api import Page, expect

from tests.api.page.browser import PHONE
from tests.api.page.conftest import Made, Open

FIRST_LETTERS = """elements => elements.map((element) => [element.textContent,
    getComputedStyle(element, "::first-letter").textTransform])"""


def shown(page: Page, selector: str) -> dict[str, str]:
    """Return the displayed text, and the styling of its first letters."""
    return dict(page.locator(selector).evaluate_all(FIRST_LETTERS))


def test_a_name_is_shown_as_it_was_typed(reading: Made, opened: Open) -> None:
    players = list(reading.report.scores.final_scoring)
    headers = {"Authorization": f"Bearer {reading.token}"}
    named = {"kind": "player", "colour": players[0], "name": "anna"}
    httpx.patch(reading.api, json={"corrections": [named]}, headers=headers, timeout=120).raise_for_status()
    page = opened(reading.url, PHONE, reading.kept)
    expect(page.locator(f'#totals tr[data-player="{players[0]}"] .player-name')).to_have_text("anna")
    letters = shown(page, "#totals .player-name")
    assert letters["anna"] == "none"
    assert {how for name, how in letters.items() if name != "anna"} == {"uppercase"}
    rows = csv.DictReader(io.StringIO(httpx.get(f"{reading.api}/report.csv", timeout=120).text))
    assert "anna" in {value for row in rows for value in row.values()}
    page.locator("h3 .player-name", has_text="anna").first.wait_for(state="attached")
    assert shown(page, "h3 .player-name")["anna"] == "none"


def test_the_pad_shows_a_name_as_it_was_typed(address: str, opened: Open) -> None:
    page = opened(f"{address}/keep", PHONE)
    for colour in ("red", "blue"):
        page.locator(f'#colours [data-colour="{colour}"]').tap()
    page.locator("#name-red").fill("van der Berg")
    assert shown(page, ".pad-player .player-name") == {"van der Berg": "none", "blue": "uppercase"}
