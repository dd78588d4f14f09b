"""Events that are made on the page, and tournaments at the desk."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import cv2
import httpx2 as httpx
import numpy as np
import pytest
from playwright.sync_api import expect

from tests.api.page.browser import DESKTOP, JUDGES_SCREEN, PHONE, Watch
from tests.api.page.conftest import READ_MS, Open
from tests.api.page.desk.tournament import ROUNDS, TABLES, Desk, Hand, Place, Played, hand_in, play_tables
from tests.api.page.hands import PLAYERS, event_of, faults, handed_in, made, named, row, shown_standings
from tests.api.serving import LEVEL, Running


@pytest.fixture(scope="module")
def grey(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a photo of nothing."""
    file = tmp_path_factory.mktemp("grey") / "grey.jpg"
    cv2.imwrite(str(file), np.full((480, 640, 3), 128, np.uint8))
    return file


def test_an_event_is_created_filled_checked_and_deleted_by_keyboard(address: str, opened: Open, grey: Path) -> None:
    page = named(made(opened, address, "Cup of Cups"), "Zoë")
    event = event_of(page).removeprefix(address)
    expect(page.locator("#event-name")).to_have_text("Cup of Cups")
    expect(page.locator("#card")).to_contain_text("No tables yet")
    assert faults(page) == []
    page.keyboard.press("n")
    expect(page.locator("#round")).to_have_value("1")
    expect(page.locator("#table")).to_have_value("1")
    assert faults(page) == []
    handed_in(page, grey)
    expect(page.locator("#told")).to_have_text("round 1 · table 1: being read.")
    expect(row(page)).to_have_text("not readable", timeout=READ_MS)
    expect(page.locator(".table-card .problem")).not_to_be_empty()
    page.keyboard.press("p")
    page.locator("#photos-of-table").set_input_files(LEVEL)
    assert faults(page) == []
    page.get_by_role("dialog").get_by_role("button", name="Add photos").click()
    expect(row(page)).to_have_text("being read")
    assert faults(page) == []
    expect(row(page)).to_have_class("state state-doubtful", timeout=READ_MS)
    page.locator(".question-card .answer").first.wait_for()
    page.keyboard.press("y")
    expect(row(page)).to_have_text("checked")
    results = httpx.get(f"{event_of(page)}/results.csv").raise_for_status().text
    assert {line.split(",")[6] for line in results.splitlines()[1:]} >= set(PLAYERS.values())
    acts = httpx.get(f"{event_of(page)}/history").json()["acts"]
    assert [(act["who"], act["what"]) for act in acts] == [("Zoë", "added"), ("Zoë", "added"), ("Zoë", "checked")]
    page.keyboard.press("n")
    expect(page.locator("#table")).to_have_value("2")
    handed_in(page, LEVEL, "1")
    expect(page.locator("#told")).to_have_text("round 1 · table 1: already has these photos.")
    page.get_by_role("button", name="Delete the table").click()
    page.get_by_role("button", name="Delete now").click()
    expect(page.locator("#card")).to_contain_text("No tables yet")
    assert shown_standings(page) == []
    page.get_by_role("button", name="Share").click()
    assert faults(page) == []
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    page.get_by_role("button", name="Delete now").click()
    page.locator("#make-event").wait_for()
    assert page.locator("#my-events li").count() == 0
    assert httpx.get(f"{address}{event}").status_code == 404


JUDGE_PRESSES_MOST = 6


@pytest.mark.soak
@pytest.mark.parametrize(
    ("tables", "photos_each"),
    [
        pytest.param(3, 2, id="three tables"),
        pytest.param(20, 1, id="twenty tables"),
        pytest.param(40, 2, id="forty tables"),
    ],
)
def test_a_hall_is_sent_at_once_while_names_are_typed(
    tables: int, photos_each: int, address: str, opened: Open, tmp_path: Path
) -> None:
    """Photos are tables by their names; the page waits for a full server, shows what is read, and keeps what is typed.

    The first table is a real one, the others show nothing.
    """
    page = named(made(opened, address, "Hall", JUDGES_SCREEN), "Zoë")
    photos = draw_hall(tmp_path, tables, photos_each)
    hand, sheet = Hand(page), page.get_by_role("dialog")
    hand.press(page.locator("#add-table"))
    with page.expect_file_chooser() as choosing:
        hand.press(sheet.locator("#photos-of-table"))
    choosing.value.set_files(photos)
    if photos_each == 1:
        expect(sheet.get_by_role("switch", name="These photos show several tables")).to_be_checked()
    expect(sheet.locator("#groups")).to_contain_text(f"Tables: {tables} (")
    assert faults(page) == []
    hand.press(sheet.locator("button[type=submit]"))
    sheet.wait_for(state="detached")
    hand.press(page.locator("#tables .row").filter(has_text=re.compile(r"table 1(?!\d)")))
    first = page.locator("#typed-players input").first
    first.wait_for(timeout=READ_MS)
    page.keyboard.press("t")
    page.keyboard.type("Ana")
    expect(page.locator("#tables .row")).to_have_count(tables, timeout=READ_MS)
    page.locator("#sending:empty").wait_for(state="attached")
    expect(page.locator("#tables .state-reading")).to_have_count(0, timeout=READ_MS)
    expect(first).to_have_value("Ana")
    expect(first).to_be_focused()
    assert hand.presses <= JUDGE_PRESSES_MOST
    added = httpx.get(f"{event_of(page)}/tables").json()["tables"]
    assert sorted(int(table["table"]) for table in added) == [*range(1, tables + 1)]
    assert {len(table["photos"]) for table in added if table["table"] != "1"} == {photos_each}
    first.fill("")
    page.locator("#table-title").click()
    page.keyboard.press("x")
    page.keyboard.type("stopped")
    page.keyboard.press("Enter")
    expect(page.locator("#table-title")).not_to_have_text("round 1 · table 1")
    expect(page.locator("#card .state")).to_have_text("not readable")


def draw_hall(folder: Path, tables: int, photos_each: int) -> list[Path]:
    """Return the photos of tables, the first of a real one, the others of nothing."""
    files = [folder / "r1-t1.jpg"]
    files[0].write_bytes(LEVEL.read_bytes())
    for number in range(2, tables + 1):
        for photo in range(photos_each):
            files.append(folder / f"r1-t{number}{'-ab'[photo + 1] if photos_each > 1 else ''}.jpg")
            cv2.imwrite(str(files[-1]), np.full((48, 64, 3), 3 * number + photo, np.uint8))
    return files


DROPPED = """(sizes) => {
  const dropped = new DataTransfer();
  for (const [name, size] of Object.entries(sizes))
    dropped.items.add(new File([new Uint8Array(size)], name, { type: "image/jpeg" }));
  document.dispatchEvent(new DragEvent("drop", { dataTransfer: dropped, bubbles: true, cancelable: true }));
}"""


def test_dropped_photos_are_tables_and_too_many_of_one_are_refused_at_once(address: str, opened: Open) -> None:
    page = named(made(opened, address, "Hall", JUDGES_SCREEN), "Zoë")
    page.evaluate(DROPPED, {"one.jpg": 1, "two.jpg": 2, "three.jpg": 3})
    sheet, groups = page.get_by_role("dialog"), page.locator("#groups")
    expect(groups).to_have_text("Tables: 3 (round 1 · table 1, round 1 · table 2, round 1 · table 3). Photos: 3.")
    sheet.get_by_role("switch").uncheck()
    expect(groups).to_be_empty()
    sheet.get_by_role("button", name="Close").click()
    page.evaluate(DROPPED, {f"r2-t7-{n}.jpg": n for n in range(1, 10)})
    expect(groups).to_have_text("round 2 · table 7: At most 8 photos of one table are read together.")
    sheet.locator("button[type=submit]").click()
    told = sheet.locator("#photos-of-table").evaluate("(own) => own.validationMessage")
    assert told in groups.inner_text()
    sheet.locator("#pattern").fill("{}-{table}")
    expect(groups).to_contain_text("Tables: 9 (")
    sheet.locator("#pattern").fill("{seat}")
    sheet.locator("button[type=submit]").click()
    assert "{table}" in sheet.locator("#pattern").evaluate("(own) => own.validationMessage")
    assert httpx.get(f"{event_of(page)}/tables").json()["tables"] == []


@pytest.mark.parametrize("locale", ["de-DE", pytest.param("ro-RO", marks=pytest.mark.soak)])
@pytest.mark.soak
def test_a_helper_adds_a_table_by_the_link_on_a_phone(address: str, opened: Open, grey: Path, locale: str) -> None:
    page = made(opened, address, "Pokal", locale=locale)
    page.locator("dialog button[type=submit]").click()
    page.locator("#share").click()
    link = page.locator("#event-link-check").input_value()
    assert page.locator("#event-link").input_value() == page.url
    helper = opened(link, PHONE, locale=locale)
    assert "#" not in helper.url
    helper.locator("#asked-name").fill("Jürgen")
    helper.locator("dialog button[type=submit]").tap()
    helper.locator("#add-table").tap()
    helper.locator("#photos-of-table").wait_for()
    assert faults(helper) == []
    handed_in(helper, grey)
    expect(row(helper)).to_have_class("state state-failed", timeout=READ_MS)
    assert faults(helper) == []
    assert helper.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    expect(row(page)).to_have_class("state state-failed")
    assert httpx.get(f"{event_of(page)}/history").json()["acts"][0]["who"] == "Jürgen"
    page.goto(address)
    page.locator("#my-events a").click()
    expect(page.locator("#event-name")).to_have_text("Pokal")


@pytest.mark.soak
def test_refused_photos_show_the_reason_and_the_sheet_stays(
    address: str, opened: Open, watch: Watch, tmp_path: Path
) -> None:
    page = named(made(opened, address, "Cup"), "Ana")
    (tmp_path / "no.jpg").write_bytes(b"no picture")
    page.locator("#add-table").click()
    sheet = page.get_by_role("dialog")
    sheet.locator("#photos-of-table").set_input_files(tmp_path / "no.jpg")
    sheet.locator("#name-red").fill("Anna")
    with page.expect_response("**/tables") as answer:
        sheet.locator("#table").press("Enter")
    assert answer.value.status == 415
    expect(sheet.locator(".sheet-error")).to_contain_text("The file is not a picture. Open the picture")
    expect(sheet.locator("#name-red")).to_have_value("Anna")
    assert faults(page) == []
    assert httpx.get(f"{event_of(page)}/tables").json()["tables"] == []
    refused, watch.faults = watch.faults, []
    assert ["415" in fault for fault in refused] == [True]


PRESSES_MOST, PRESSES_ONCE_MOST = 6, 8
"""Per table on average, of players and desk together; and once in all, for creating the event for example."""
UNTOLD_EVERY = 3
"""Every n-th table comes without names and points: these are typed at the desk."""


@pytest.mark.soak
@pytest.mark.parametrize(
    ("count", "device"),
    [
        pytest.param(3, PHONE, id="three tables on a phone"),
        pytest.param(ROUNDS * TABLES, DESKTOP, id="twelve tables"),
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
    for line in page.locator(".printed-table tbody tr").all():
        assert line.is_visible()
        _, name, total = line.locator("td, th").all_inner_texts()
        points[name.strip()] += int(total)
    standings = page.locator("#standings tbody tr")
    assert {row.get_attribute("data-player"): int(row.locator(".points").inner_text()) for row in standings.all()} == (
        points
    )
    assert points.keys() == played_by.keys()
    return hand.presses - before


def test_a_roster_shows_who_plays_where_until_its_photo_comes(
    address: str, opened: Open, grey: Path, watch: Watch
) -> None:
    page = named(made(opened, address, "League"), "Zoë")
    sheet, awaited = page.get_by_role("dialog"), page.locator("#awaited .row")
    page.get_by_role("button", name="Roster").click()
    sheet.locator("#roster-csv").fill("round,table,red,player 1\n1,1,Ana\n1,1,Bo\n")
    sheet.get_by_role("button", name="Save").click()
    expect(sheet).to_contain_text("stands twice in one round of the roster")
    assert faults(page) == []
    sheet.locator("#roster-csv").fill("round,table,red,player 1\n1,1,Ana,Bo\n2,1,Cem,Dora\n")
    sheet.get_by_role("button", name="Save").click()
    expect(awaited).to_have_text(
        ["round 1 · table 1Ana and Bono photo yet", "round 2 · table 1Cem and Dorano photo yet"]
    )
    told = page.locator("#told")
    expect(told).to_have_text("The roster is saved. Rounds: 2, tables: 2, players: 4.")
    page.set_viewport_size(PHONE["viewport"])
    page.get_by_role("button", name="Roster").click()
    sheet.locator("#roster-csv").fill("")
    faded = told.evaluate("told => told.getAnimations()[0].currentTime = 8500")
    sheet.get_by_role("button", name="Save").click()
    expect(told).to_have_text("There is no roster any more.")
    assert told.evaluate("told => told.getAnimations()[0].currentTime") < faded
    expect(told).to_be_in_viewport(ratio=1)
    expect(awaited).to_have_count(0)
    page.set_viewport_size(JUDGES_SCREEN["viewport"])
    page.get_by_role("button", name="Roster").click()
    sheet.locator("#roster-csv").fill("Runde;Tisch;rot;Spieler 1\n1;1;Ana;Bo\n2;1;Cem;Dora\n")
    sheet.get_by_role("button", name="Save").click()
    expect(awaited).to_have_count(2)
    awaited.nth(1).click()
    expect(page.locator("#paired")).to_have_text("Playing here: Cem and Dora")
    expect(page.locator("#name-red")).to_have_value("Cem")
    expect(page.locator("#known-players option").first).to_have_attribute("value", "Dora")
    page.locator("#photos-of-table").set_input_files(grey)
    sheet.locator("button[type=submit]").click()
    expect(row(page)).to_have_text("not readable", timeout=READ_MS)
    expect(awaited).to_have_count(1)
    for name, count in (("dora", 1), ("ana", 0), ("", 1)):
        page.locator("#tables-find").fill(name)
        expect(row(page)).to_have_count(count)
    page.get_by_label("Standings of").select_option("2")
    assert shown_standings(page) == []
    assert faults(page) == []
    (refused,) = watch.faults
    assert "422" in refused
    watch.faults.clear()
