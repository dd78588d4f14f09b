"""A table is judged by its photo, names and points are typed beside it, players hand tables in, results are printed."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import cv2
import httpx2 as httpx
import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.api.page.browser import ON_PHONE_AND_DESKTOP, PHONE
from tests.api.page.conftest import Open
from tests.api.page.desk.tournament import Cup, as_owner, make_cup
from tests.api.page.hands import faults
from tests.api.page.qr_codes import read_qr_code
from tests.api.serving import LEVEL, Running, photo_form


@pytest.fixture(scope="module")
def cup(server: Running) -> Cup:
    return make_cup(server)


@pytest.fixture
def opened_cup(cup: Cup) -> Iterator[Cup]:
    """Open the event, whose table is reset to undecided afterwards."""
    yield cup
    while (
        cup.table()["decided_at"] or httpx.get(f"{cup.address}/v1/readings/{cup.table()['reading']}").json()["can_undo"]
    ):
        path = f"{cup.address}/v1/events/{cup.made['id']}/tables/{cup.table()['id']}/decisions"
        httpx.post(path, headers=cup.headers, json={"undo": True}, timeout=120).raise_for_status()


@ON_PHONE_AND_DESKTOP
def test_the_annotated_photo_comes_before_the_decision(cup: Cup, opened: Open, device: Any) -> None:
    page = as_owner(cup, opened, device)
    photo, confirm = page.locator(".table-photo img"), page.locator("[data-decision=confirm]")
    assert photo.evaluate("image => image.naturalWidth") in (960, 1600), "the whole photo where it is there already"
    above, below = photo.bounding_box(), confirm.bounding_box()
    assert above
    assert below
    assert above["y"] + above["height"] <= below["y"]
    report = httpx.get(f"{cup.address}/v1/readings/{cup.table()['reading']}").json()["report"]
    assert page.locator(".table-photo .layer-meeples > *").count() == len(report["board"]["meeples"])
    assert faults(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


BROKEN_WORDS = """(texts) => texts.flatMap((text) => {
  const words = document.createTreeWalker(text, NodeFilter.SHOW_TEXT), broken = [];
  while (words.nextNode()) for (const { 0: word, index } of words.currentNode.data.matchAll(/[\\p{L}]+/gu)) {
    const range = new Range();
    range.setStart(words.currentNode, index);
    range.setEnd(words.currentNode, index + word.length);
    if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) broken.push(word);
  }
  return broken;
})"""


def test_words_of_answers_are_not_broken_on_a_phone(cup: Cup, opened: Open) -> None:
    page = as_owner(cup, opened, PHONE)
    page.locator(".question-card .answer img").first.wait_for()
    assert page.locator(".question-card .answer b").evaluate_all(BROKEN_WORDS) == []


UNCOVERED = """(own) => {
  own.scrollIntoView({ block: "nearest" });
  const { left, top, right, bottom } = own.getBoundingClientRect();
  return [[left + 10, top + 10], [(left + right) / 2, (top + bottom) / 2], [right - 10, bottom - 10]].every(
    ([x, y]) => own.contains(document.elementFromPoint(x, y)));
}"""


@pytest.mark.parametrize("screen", [(1366, 850), pytest.param((1440, 900), marks=pytest.mark.soak)], ids=str)
def test_nothing_covers_what_is_decided_at_the_desk(cup: Cup, opened: Open, screen: tuple[int, int]) -> None:
    page = as_owner(cup, opened, {"viewport": {"width": screen[0], "height": screen[1]}})
    page.locator(".question-card .answer").first.wait_for()
    seen = (".table-photo img", ".table-scores", ".question-card .cut", ".question-card .answer >> nth=0")
    for selector in (*seen, "[data-decision=confirm]", "#open-reading"):
        box = page.locator(selector).bounding_box()
        assert box
        assert box["y"] + box["height"] <= screen[1], selector
        assert page.locator(selector).evaluate(UNCOVERED), selector
    for part in page.locator(".answer, #typed-players input, #typed-players button").all():
        assert part.evaluate(UNCOVERED)


def test_names_and_track_are_typed_beside_the_table(opened_cup: Cup, opened: Open) -> None:
    page = as_owner(opened_cup, opened)
    players = [score["colour"] for score in opened_cup.table()["scores"]]
    points = {score["colour"]: score["points"] for score in opened_cup.table()["scores"]}
    page.keyboard.press("t")
    page.keyboard.type("Not saved yet")
    first = page.locator("#typed-players input").first
    page.locator(".question-card .answer").first.click()
    expect(page.locator("#told")).to_contain_text("answered")
    expect(page.locator("#card")).to_have_attribute("aria-busy", "false")
    expect(first).to_have_value("Not saved yet")
    type_players(page, players)
    for number, colour in enumerate(sorted(players)):
        row = page.locator(f'#standings tr[data-player="Player {number}"]')
        expect(row.locator(".points")).to_have_text(str(points[colour] + 10 * number))
    assert opened_cup.table()["state"] in ("sure", "doubtful")
    assert {act["what"] for act in opened_cup.get("/history")["acts"][1:]} == {"corrected"}


@pytest.mark.soak
def test_the_next_table_that_waits_for_a_person_comes_by_itself(opened_cup: Cup, opened: Open) -> None:
    page = as_owner(opened_cup, opened)
    page.keyboard.press("x")
    page.keyboard.type("stopped")
    page.keyboard.press("Enter")
    expect(page.locator("#card .state")).to_have_text("not scorable")
    nothing = cv2.imencode(".jpg", np.full((48, 64, 3), 128, np.uint8))[1].tobytes()
    path = f"{opened_cup.address}/v1/events/{opened_cup.made['id']}/tables"
    form = {**photo_form(nothing), "data": {"round": "1", "table": "2"}}
    added = httpx.post(path, headers=opened_cup.headers, timeout=120, **form).raise_for_status().json()["table"]
    expect(page.locator("#table-title")).to_have_text("round 1 · table 2")
    expect(page.locator("#card .state")).to_have_text("not readable")
    httpx.delete(f"{path}/{added['id']}", headers=opened_cup.headers).raise_for_status()


@pytest.mark.soak
def test_no_winner_is_shown_before_the_track_points_are_typed(opened_cup: Cup, opened: Open) -> None:
    page = as_owner(opened_cup, opened)
    players = sorted(score["colour"] for score in opened_cup.table()["scores"])
    page.keyboard.press("t")
    for number, colour in enumerate(players):
        page.locator(f"#typed-name-{colour}").fill(f"Player {number}")
    page.keyboard.press("Enter")
    told = page.locator(".standings-open")
    expect(told).to_have_text("No winner yet, because the points on the score track are missing: round 1 · table 1.")
    assert page.locator("#standings tbody td:nth-of-type(2)").all_inner_texts() == ["0"] * len(players)
    assert page.locator(".printed-table td:first-child").all_text_contents() == ["\N{EN DASH}"] * len(players)
    type_players(page, players)
    expect(told).to_have_count(0)
    assert sum(float(wins) for wins in page.locator("#standings tbody td:nth-of-type(2)").all_inner_texts()) == 1


def type_players(page: Page, players: list[str]) -> None:
    page.keyboard.press("t")
    for number, colour in enumerate(sorted(players)):
        page.locator(f"#typed-name-{colour}").fill(f"Player {number}")
        page.locator(f"#typed-track-{colour}").fill(str(10 * number))
    page.keyboard.press("Enter")
    expect(page.locator("#told")).to_contain_text("names and track saved")


@pytest.mark.soak
def test_enter_never_reopens_the_last_sheet(opened_cup: Cup, opened: Open) -> None:
    page = as_owner(opened_cup, opened)
    type_players(page, [score["colour"] for score in opened_cup.table()["scores"]])
    for opener in ("#keys", "#share", "[data-decision=unscorable]"):
        page.locator(opener).click()
        page.get_by_role("dialog").wait_for()
        page.keyboard.press("Escape")
        page.locator("dialog").wait_for(state="detached")
        expect(page.locator("#table-title")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#told")).to_contain_text(": checked")
    assert page.locator("dialog").count() == 0


@pytest.mark.soak
def test_another_persons_input_leaves_the_focus_on_the_table(opened_cup: Cup, opened: Open) -> None:
    page = as_owner(opened_cup, opened)
    players = sorted(score["colour"] for score in opened_cup.table()["scores"])
    page.locator("#table-title").focus()
    type_players(as_owner(opened_cup, opened), players)
    expect(page.locator(f"#typed-name-{players[0]}")).to_have_value("Player 0")
    expect(page.locator("#table-title")).to_be_focused()


def test_spectators_see_the_standings_first(cup: Cup, opened: Open) -> None:
    page = opened(cup.page, PHONE)
    page.locator(".table-photo img").wait_for()
    standings, card = page.locator(".event-standings").bounding_box(), page.locator("#card").bounding_box()
    assert standings
    assert card
    assert 0 < standings["y"] < card["y"]
    assert page.evaluate("window.scrollY") == 0
    expect(page.locator("#ranking")).to_contain_text("Ranked by wins, points, share of")
    assert page.locator("#typed-players, #add-table:visible").count() == 0
    assert faults(page) == []


def test_tables_are_found_by_player_and_state_and_the_address_says_so(cup: Cup, opened: Open) -> None:
    address = cup.page.partition("#")[0]
    page = opened(address, PHONE)
    rows = page.locator("#tables .row")
    states = rows.locator(".state").all_inner_texts()
    page.get_by_label("Show", exact=True).select_option("doubtful")
    expect(rows).to_have_count(sum(state.startswith("doubtful") for state in states))
    page.get_by_label("Order").select_option("place")
    shown = rows.all_inner_texts()
    page.get_by_label("Player or table").fill("nobody of that name")
    expect(rows).to_have_count(0)
    expect(page.locator("#tables-told")).to_have_text(f"0 of {len(states)} tables")
    assert page.url == f"{address}?find=nobody+of+that+name&state=doubtful&sort=place"
    assert faults(page) == []
    other = opened(f"{address}?state=doubtful&sort=place", PHONE)
    assert other.locator("#tables .row").all_inner_texts() == shown


def test_a_player_scans_the_code_and_submits_a_table(cup: Cup, opened: Open) -> None:
    page = as_owner(cup, opened)
    page.locator("#share").click()
    code = page.locator(".qr-code")
    page.wait_for_function("() => document.querySelector('.qr-code').naturalWidth > 0")
    assert faults(page) == []
    link = read_qr_code(code.screenshot())
    assert link == page.locator("#event-link-hand-in").input_value()
    player = opened(link, PHONE)
    sheet = player.get_by_role("dialog", name="Hand in your table")
    sheet.locator("#photos-of-table").set_input_files(LEVEL)
    expect(sheet.locator("#table")).to_have_value("2")
    assert "#" not in player.url
    assert faults(player) == []
    sheet.get_by_role("button", name="Hand in your table").tap()
    sheet.wait_for(state="detached")
    expect(player.locator("#told")).to_have_text("round 1 · table 2: being read.")
    assert player.locator("[data-decision]").count() == 0
    tables = {table["table"]: table for table in cup.get("/tables")["tables"]}
    httpx.delete(
        f"{cup.address}/v1/events/{cup.made['id']}/tables/{tables['2']['id']}", headers=cup.headers, timeout=120
    ).raise_for_status()


def test_the_order_of_rank_is_chosen_and_results_are_printed(cup: Cup, opened: Open) -> None:
    page = as_owner(cup, opened)
    page.evaluate("() => { window.printed = 0; window.addEventListener('beforeprint', () => window.printed++); }")
    page.locator("#ranking-order").select_option("points,share,wins")
    expect(page.locator("#ranking .on-paper")).to_contain_text("Ranked by points, share of")
    assert cup.get()["tie_breakers"] == ["points", "share", "wins"]
    page.locator("#print").click()
    assert page.evaluate("window.printed") == 1
    page.emulate_media(media="print")
    rows = page.locator(".printed-table tbody tr")
    assert [row.is_visible() for row in rows.all()] == [True] * len(cup.table()["scores"])
    for hidden in ("#card", "#tables", "#print", ".event-tools", "header.site", "#ranking-order"):
        assert not page.locator(hidden).is_visible()
    assert page.locator("#ranking .on-paper").is_visible()
    assert json.dumps(cup.table()["scores"][0]["points"]) in page.locator(".printed-table").inner_text()
