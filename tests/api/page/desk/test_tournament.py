"""A tournament held at the desk by hand, from creating it to the printed standings: presses per table are counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.api.page.browser import DESKTOP, PHONE
from tests.api.page.conftest import Open
from tests.api.page.desk.tournament import ROUNDS, TABLES, Desk, Hand, Place, Played, hand_in, play_tables
from tests.api.serving import Running

PRESSES_MOST, PRESSES_ONCE_MOST = 6, 8
"""Per table on average, of players and desk together; and once in all, for creating the event for example."""
UNTOLD_EVERY = 3
"""Every n-th table comes without names and points: these are typed at the desk."""


@pytest.mark.parametrize(
    ("count", "device"),
    [
        pytest.param(3, PHONE, id="three tables on a phone"),
        pytest.param(ROUNDS * TABLES, DESKTOP, id="twelve tables", marks=pytest.mark.soak),
    ],
)
def test_a_tournament_takes_few_presses_a_table(
    count: int, device: Mapping[str, Any], server: Running, opened: Open, tmp_path: Path
) -> None:
    hand = Hand(opened(server.url, device))
    link = make_event(hand)
    desk = Desk(hand, tables := dict[Place, Played](), server.client)
    presses = Counter[Place]()
    for number, played in enumerate(play_tables(tmp_path, count)):
        tables[played.place] = played
        phone = Hand(opened(link, PHONE))
        hand_in(phone, played, told=bool(number % UNTOLD_EVERY))
        presses[played.place] = phone.presses
        phone.page.context.close()
    once = hand.presses
    presses += desk.check_all()
    assert presses.keys() == tables.keys()
    assert presses.total() / count <= PRESSES_MOST, presses
    assert once + print_results(hand, tables) <= PRESSES_ONCE_MOST
    for table in desk.list_tables():
        played = tables[table["round"], table["table"]]
        assert (table["state"], table["whole"]) == ("checked", True)
        assert {score["name"] for score in table["scores"]} == set(played.names.values())


def make_event(hand: Hand) -> str:
    """Create an event on the first page, and take the link for players from its desk."""
    page = hand.page
    hand.press(page.locator("#make-event"))
    expect(page.locator("#event-named")).to_be_focused()
    page.keyboard.type("Cup")
    hand.press(page.locator("dialog button[type=submit]"))
    page.wait_for_url("**/event/*")
    expect(page.locator("#asked-name")).to_be_focused()
    page.keyboard.type("Zoë")
    hand.press(page.locator("dialog button[type=submit]"))
    page.locator("dialog").wait_for(state="detached")
    hand.press(page.locator("#share"))
    link = page.locator("#event-link-hand-in").input_value()
    hand.press(page.get_by_role("dialog").get_by_role("button", name="Close"))
    page.locator("dialog").wait_for(state="detached")
    return link


def print_results(hand: Hand, tables: Mapping[Place, Played]) -> int:
    """Print the results, with every player's place and total; return the number of presses."""
    page, before = hand.page, hand.presses
    page.evaluate("() => { window.printed = 0; window.addEventListener('beforeprint', () => window.printed++); }")
    hand.press(page.locator("#print"))
    assert page.evaluate("window.printed") == 1
    page.emulate_media(media="print")
    played_by = Counter(name for played in tables.values() for name in played.names.values())
    points = Counter[str]()
    for row in page.locator(".printed-table tbody tr").all():
        assert row.is_visible()
        _, name, total = row.locator("td, th").all_inner_texts()
        points[name.strip()] += int(total)
    standings = page.locator("#standings tbody tr")
    assert {row.get_attribute("data-player"): int(row.locator(".points").inner_text()) for row in standings.all()} == (
        points
    )
    assert points.keys() == played_by.keys()
    return hand.presses - before
