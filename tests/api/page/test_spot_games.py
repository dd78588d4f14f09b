"""The page of a game with a printed board: shown, explained, typed, corrected, shared; in a real browser."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx2 as httpx
import numpy as np
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from scoring.tower_of_babel.game import GAME
from tests.api.page.babel import DOUBTED, LAID, held, middle
from tests.api.page.browser import DESKTOP, ON_PHONE_AND_DESKTOP, PHONE, Watch
from tests.api.page.conftest import Open
from tests.api.page.hands import come_to_rest, faults, points_on, tap
from tests.api.page.holding import READING, TOKEN, holding, kept_by_browser
from tests.api.serving import Running
from tests.scoring.tower_of_babel.tables import COPY
from vision.enrolment.games import GameEnrolment, GameEnrolments


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """Start a real server whose folder holds a table of Tower of Babel."""
    folder = tmp_path_factory.mktemp("babel")
    GameEnrolments(folder / "games").save(GameEnrolment(GAME.name, COPY))
    with holding(held(), folder) as started:
        yield started


@pytest.fixture
def table(server: Running) -> Iterator[Running]:
    """Return the server; afterwards the table is reset."""
    yield server
    patch(server, reset=True)
    patch(server, shared_correction=False)


@pytest.fixture
def empty_board(server: Running) -> Iterator[None]:
    """Enrol the picture of the board; afterwards it is gone."""
    picture = np.full((400, 560, 3), 180, np.uint8)
    folder = GameEnrolments(server.data / "games").save(GameEnrolment(GAME.name, COPY, {"board": picture}))
    yield
    (folder / "board.png").unlink()


@pytest.fixture
def page(table: Running, opened: Open) -> Page:
    """Open the reading as its owner."""
    return opened(f"{table.url}/r/{READING}", kept=kept_by_browser(table))


def told(server: Running) -> dict[str, Any]:
    return dict(server.client.get(f"/v1/readings/{READING}").raise_for_status().json())


def patch(server: Running, **change: Any) -> dict[str, Any]:
    bearer = {"Authorization": f"Bearer {TOKEN}"}
    answer = httpx.patch(f"{server.url}/v1/readings/{READING}", json=change, headers=bearer, timeout=120)
    return dict(answer.raise_for_status().json())


def spot(server: Running, name: str) -> dict[str, Any]:
    return next(spot for spot in told(server)["report"]["board"]["spots"] if spot["id"] == name)


def test_points_and_doubts_are_shown(page: Page, table: Running) -> None:
    scores = told(table)["report"]["scores"]
    assert points_on(page) == scores["total"]
    assert page.locator(".leads, .winner").count() == 0, "values are missing"
    assert page.locator(".layer-doubts .query").count() == 1
    colour = page.locator(".layer-doubts .doubt").first.evaluate("(own) => getComputedStyle(own).stroke")
    assert colour == "rgb(224, 0, 127)"
    assert page.locator(".layer-features .feature").count() == 8
    assert page.locator(".layer-spots .spot").count() == len(
        {name.split(".")[1] for name in LAID if name.startswith(("parts.", "discs."))}
    )
    assert "Something unknown may change the points." in page.locator("#totals").inner_text()
    assert "in doubt" not in page.locator("#totals").inner_text(), "the questions beneath say so"
    assert not page.locator("#lines").is_visible()
    assert not page.locator("#teaching").is_visible()


@ON_PHONE_AND_DESKTOP
def test_a_tapped_wonder_is_highlighted_with_its_points(
    table: Running, opened: Open, device: Mapping[str, Any]
) -> None:
    page = opened(f"{table.url}/r/{READING}", device, kept_by_browser(table))
    tap(page, middle("giza"), touch=device is PHONE)
    card = page.locator("#card")
    page.get_by_role("heading", name="Pyramids of Giza").wait_for()
    expect(page.locator(".layer-chosen .chosen-line")).to_have_count(1)
    assert "Most building parts" in card.inner_text()
    assert "worth 7, light space" in card.inner_text()
    assert card.locator("[data-spot]").count() == len([name for name in LAID if ".giza" in name])


@pytest.mark.usefixtures("empty_board")
@ON_PHONE_AND_DESKTOP
def test_the_drawn_table_stands_beside_the_photo_and_is_tapped_like_it(
    table: Running, opened: Open, device: Mapping[str, Any]
) -> None:
    page, touch = opened(f"{table.url}/r/{READING}", device, kept_by_browser(table)), device is PHONE
    drawn = httpx.get(f"{table.url}/v1/readings/{READING}/report.json?drawn=true").raise_for_status().json()
    page.get_by_role("button", name="Photo and drawn board").click()
    board = page.locator("#drawn .empty-board")
    expect(board).to_have_js_property("naturalWidth", 560)
    filled = [one for one in drawn["board"]["spots"] if one["outline_px"] and one["value"] != one["choices"][0]]
    expect(page.locator("#drawn .drawn-sign")).to_have_count(len(filled))
    outline = next(one["outline_px"] for one in filled if one["id"] == "parts.giza.red.1")
    inner = (0.3 * outline[0][0] + 0.7 * outline[2][0], 0.3 * outline[0][1] + 0.7 * outline[2][1])
    come_to_rest(page)
    tap(page, inner, touch, "#drawn")
    page.get_by_role("heading", name="Pyramids of Giza").wait_for()
    for frame in ("#viewer", "#drawn"):
        expect(page.locator(f"{frame} .layer-chosen .chosen-line")).to_have_count(1)
    assert faults(page) == []
    page.get_by_role("button", name="Close").click()
    page.get_by_role("button", name="Drawn board", exact=True).click()
    page.get_by_role("button", name="Correct").click()
    come_to_rest(page)
    tap(page, inner, touch, "#drawn")
    sheet = page.get_by_role("dialog")
    sheet.locator("[name='parts.giza.red.1']").fill("2")
    sheet.get_by_role("button", name="Change it").click()
    expect(page.locator("#drawn .drawn-sign", has_text="2×1")).to_have_count(1)


@pytest.mark.usefixtures("empty_board")
def test_the_empty_board_of_a_reading_is_a_picture(table: Running) -> None:
    path = f"{table.url}/v1/readings/{READING}/boards"
    assert httpx.get(f"{path}/board.jpg").headers["content-type"] == "image/jpeg"
    assert httpx.get(f"{path}/map.jpg").json()["error"]["code"] == "not_found"


@pytest.mark.soak
def test_an_entry_highlights_its_source(page: Page) -> None:
    page.locator("#entries [data-feature='wonder.babel']").click()
    page.get_by_role("heading", name="Tower of Babel").wait_for()
    expect(page.locator(".layer-chosen .chosen-line")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator(".layer-chosen .chosen-line")).to_have_count(0)


def more(sheet: Locator, name: str, times: int = 1) -> None:
    """Tap plus a number of times."""
    for _ in range(times):
        sheet.get_by_role("button", name=f"{name}: one more", exact=True).click()


@ON_PHONE_AND_DESKTOP
def test_facts_that_no_photo_shows_are_asked_sheet_by_sheet(
    table: Running, opened: Open, device: Mapping[str, Any]
) -> None:
    """First whether there were discs of two colours, then each player; the rest is set to nothing by one tap."""
    page = opened(f"{table.url}/r/{READING}", device, kept_by_browser(table))
    before = told(table)["report"]["scores"]["final_scoring"]
    page.get_by_role("button", name="Enter").click()
    sheet = page.get_by_role("dialog")
    expect(sheet.get_by_role("heading")).to_have_text("Were the two-coloured discs in the game?")
    assert faults(page) == []
    sheet.get_by_role("button", name="yes", exact=True).click()
    expect(sheet.get_by_role("heading")).to_have_text("What does red have?")
    assert faults(page) == []
    more(sheet, "Building discs: camel", 2)
    sheet.get_by_role("button", name="Nothing more").click()
    expect(sheet.get_by_role("heading")).to_have_text("What does yellow have?")
    more(sheet, "Building discs: camel and stone mason")
    sheet.get_by_role("button", name="Nothing more").click()
    expect(sheet.get_by_role("heading")).to_have_text("What does blue have?")
    sheet.locator("[name='held.blue.ship']").fill("3")
    more(sheet, "Action cards: 5 Victory Points")
    sheet.get_by_role("button", name="Nothing more").click()
    sheet.wait_for(state="detached")
    report = told(table)["report"]
    assert report["scores"]["final_scoring"] == {
        "red": before["red"] + 5,
        "yellow": before["yellow"],
        "blue": before["blue"] + 11 + 5,
    }
    assert points_on(page) == report["scores"]["total"]
    assert [doubt["instead"] for doubt in report["doubts"]] == [8]
    expect(page.locator("#typed")).to_contain_text("You can enter")


@pytest.mark.soak
def test_impossible_holdings_are_not_asked(page: Page, table: Running) -> None:
    """Without discs of two colours no player has one; a player who has all taken ones leaves nothing to the others."""
    page.get_by_role("button", name="Enter").click()
    sheet = page.get_by_role("dialog")
    sheet.get_by_role("button", name="no", exact=True).click()
    expect(sheet.get_by_role("heading")).to_have_text("What does red have?")
    assert sheet.locator("input").count() == 4 + 2
    more(sheet, "Building discs: camel", 6)
    more(sheet, "Building discs: camel")
    assert sheet.locator("[name='held.red.camel']").input_value() == "6"
    more(sheet, "Action cards: 5 Victory Points")
    sheet.get_by_role("button", name="Nothing more").click()
    sheet.wait_for(state="detached")
    assert not [doubt for doubt in told(table)["report"]["doubts"] if doubt["instead"] is None]


@pytest.mark.soak
def test_one_tap_states_that_nobody_has_anything_more(page: Page, table: Running) -> None:
    page.get_by_role("button", name="Enter").click()
    sheet = page.get_by_role("dialog")
    sheet.get_by_role("button", name="no", exact=True).click()
    sheet.get_by_role("button", name="I am not sure").click()
    expect(sheet.get_by_role("heading")).to_have_text("What does yellow have?")
    sheet.get_by_role("button", name="Back").click()
    expect(sheet.get_by_role("heading")).to_have_text("What does red have?")
    more(sheet, "Building discs: crane")
    sheet.get_by_role("button", name="Nobody has anything more").click()
    sheet.wait_for(state="detached")
    report = told(table)["report"]
    assert not [doubt for doubt in report["doubts"] if doubt["instead"] is None]
    values = {spot["id"]: spot["value"] for spot in report["board"]["spots"] if spot["typed"]}
    assert {id for id, value in values.items() if value} == {"two-coloured", "held.red.crane"}


@pytest.mark.soak
def test_one_undo_reverts_everything_that_a_sheet_sent(page: Page, table: Running) -> None:
    before = points_on(page)
    page.get_by_role("button", name="Enter").click()
    sheet = page.get_by_role("dialog")
    sheet.get_by_role("button", name="no", exact=True).click()
    more(sheet, "Building discs: camel", 2)
    more(sheet, "Action cards: 5 Victory Points")
    sheet.get_by_role("button", name="I am not sure").click()
    expect(sheet.get_by_role("heading")).to_have_text("What does yellow have?")
    sheet.get_by_role("button", name="Close").click()
    assert len(told(table)["corrections"]) == 3
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#redo")).to_be_enabled()
    assert [correction["id"] for correction in told(table)["corrections"]] == ["two-coloured"]
    assert points_on(page) == before


def test_a_doubted_count_is_asked_about_and_answered(page: Page, table: Running) -> None:
    questions = [question for question in told(table)["questions"] if question["spot"] == DOUBTED]
    page.get_by_role("button", name="Show me").click()
    card = page.locator(".question-card")
    card.wait_for()
    assert "Pyramids of Giza" in card.inner_text()
    assert card.locator("canvas").count() == 1
    card.locator(".answer").nth(1).click()
    expect(page.locator("#told")).to_contain_text("Counted again")
    assert told(table)["corrections"] == [questions[0]["choices"][1]["correction"]]
    assert spot(table, DOUBTED)["value"] == 8
    expect(page.locator(".layer-doubts .query")).to_have_count(0)
    assert page.locator(".layer-set .tick").count() == 1


def test_answers_about_a_counter_show_the_points_that_they_change(opened: Open, tmp_path: Path, watch: Watch) -> None:
    """Answers for different spaces show different points."""
    read = held()
    spots = tuple(
        spot.model_copy(update={"confidence": 0.7, "alternatives": ((21, 0.3),) if spot.id == "track.blue" else ()})
        if spot.id in ("track.blue", DOUBTED)
        else spot
        for spot in read.spots
    )
    with holding(read.model_copy(update={"spots": spots}), tmp_path) as server:
        watch.host = urlsplit(server.url).netloc
        page = opened(f"{server.url}/r/{READING}", PHONE, kept_by_browser(server))
        page.get_by_role("button", name="Show me").tap()
        answers = page.locator(".question-card", has_text="points on the track").locator(".answer")
        expect(answers).to_have_count(2)
        expect(answers.nth(0)).to_contain_text("same points")
        expect(answers.nth(1)).to_contain_text("blue +9")


def test_a_tapped_place_is_corrected_undone_redone_and_reset(page: Page, table: Running) -> None:
    page.get_by_role("button", name="Correct").click()
    tap(page, middle("babel"), touch=False)
    sheet = page.get_by_role("dialog")
    sheet.locator("[name='parts.babel.red.3']").select_option("3")
    sheet.get_by_role("button", name="Change it").click()
    sheet.wait_for(state="detached")
    assert told(table)["corrections"] == [{"kind": "spot", "id": "parts.babel.red.3", "value": 3}]
    changed = points_on(page)
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#reset")).to_be_disabled()
    assert points_on(page) != changed
    page.get_by_role("button", name="Redo").click()
    expect(page.locator("#reset")).to_be_enabled()
    assert points_on(page) == changed
    page.get_by_role("button", name="Reset", exact=True).click()
    page.get_by_role("button", name="Reset now").click()
    expect(page.locator("#reset")).to_be_disabled()
    assert told(table)["corrections"] == []


@pytest.mark.soak
def test_a_correct_value_is_confirmed(page: Page, table: Running) -> None:
    page.locator("summary", has_text="Everything on the table").click()
    page.locator("summary", has_text="Building parts").click()
    page.locator(f"#squares [data-spot='{DOUBTED}']").press("Enter")
    sheet = page.get_by_role("dialog")
    assert "40%" in sheet.inner_text().replace("\u00a0", "")
    sheet.get_by_role("button", name="This is right").press("Enter")
    sheet.wait_for(state="detached")
    assert told(table)["corrections"] == [{"kind": "confirm_spot", "id": DOUBTED}]
    expect(page.locator(".layer-doubts .query")).to_have_count(0)


@pytest.mark.soak
def test_the_sheet_refuses_impossible_values(table: Running, browser: Browser) -> None:
    context = browser.new_context(**DESKTOP, locale="en-GB", storage_state=kept_by_browser(table))
    page = context.new_page()
    page.goto(f"{table.url}/r/{READING}")
    page.locator("summary", has_text="Everything on the table").click()
    page.locator("summary", has_text="Victory point track").click()
    page.locator("#squares [data-spot='track.red']").click()
    sheet = page.get_by_role("dialog")
    sheet.locator("[name='track.red']").fill("9000")
    sheet.get_by_role("button", name="Change it").click()
    expect(sheet.locator(".sheet-error")).to_contain_text("That cannot lie there.")
    assert told(table)["corrections"] == []
    context.close()


@pytest.mark.soak
def test_players_are_named_and_another_joins(page: Page, table: Running) -> None:
    page.locator("#table").click()
    sheet = page.get_by_role("dialog")
    sheet.locator("[name='name-red']").fill("Ana")
    sheet.locator("[name='plays-green']").check()
    sheet.get_by_role("button", name="Save").click()
    sheet.wait_for(state="detached")
    report = told(table)["report"]
    assert report["names"] == {"red": "Ana"}
    assert report["rules"]["players"] == ["red", "yellow", "green", "blue"]
    assert "Ana" in page.locator("#totals").inner_text()


@pytest.mark.soak
def test_a_table_is_shared_as_a_link_as_files_and_as_a_serverless_board(
    page: Page, table: Running, opened: Open
) -> None:
    page.locator("#share").click()
    sheet = page.get_by_role("dialog")
    for link in sheet.locator(".files a").all():
        answer = table.client.get(link.get_attribute("href") or "")
        assert answer.status_code == 200
        assert answer.content
    board = sheet.locator("#board-link").input_value()
    total = points_on(page)
    other = opened(board)
    assert points_on(other) == total
    assert not other.locator("#viewer").is_visible()
    other.locator("#entries [data-feature='wonder.giza']").first.click()
    other.get_by_role("heading", name="Pyramids of Giza").wait_for()


@pytest.mark.soak
def test_a_viewer_without_permission_sees_all_and_changes_nothing(table: Running, opened: Open) -> None:
    page = opened(f"{table.url}/r/{READING}")
    assert not page.locator("#typed").is_visible()
    assert not page.locator("#correct").is_visible()
    tap(page, middle("giza"), touch=False)
    page.locator("#card [data-spot]").first.click()
    assert page.get_by_role("dialog").count() == 0


@pytest.mark.parametrize("locale", ["de-DE", pytest.param("ro-RO", marks=pytest.mark.soak)])
def test_every_word_is_in_the_pages_language(table: Running, opened: Open, locale: str) -> None:
    page = opened(f"{table.url}/r/{READING}", kept=kept_by_browser(table), locale=locale)
    tap(page, middle("giza"), touch=False)
    words = {
        "de-DE": ("Pyramiden von Gizeh", "Die meisten Bauteile"),
        "ro-RO": ("Piramidele din Giza", "Cele mai multe"),
    }
    for text in words[locale]:
        expect(page.locator("#card")).to_contain_text(text)
    page.locator("#typed button").click()
    inside = page.get_by_role("dialog").inner_text()
    assert not [word for word in ("building", "cell-", "spot-", "held.", "ask-") if word in inside]
    page.get_by_role("dialog").locator(".answer").first.click()
    expect(page.get_by_role("dialog").locator("form")).to_be_visible()
    inside = page.get_by_role("dialog").inner_text()
    assert not [word for word in ("building", "cell-", "spot-", "held.", "typed-") if word in inside]


@ON_PHONE_AND_DESKTOP
def test_the_page_is_accessible(table: Running, opened: Open, device: Mapping[str, Any]) -> None:
    page = opened(f"{table.url}/r/{READING}", device, kept_by_browser(table))
    assert faults(page) == []
    page.locator("#typed button").click()
    page.get_by_role("dialog").wait_for()
    assert faults(page) == []
    page.keyboard.press("Escape")
    page.locator("#entries [data-feature='wonder.giza']").first.click()
    page.locator("#card [data-spot]").first.click()
    page.get_by_role("dialog").wait_for()
    assert faults(page) == []


def test_the_first_page_offers_no_game_that_the_server_cannot_read(
    server: Running, browser: Browser, watch: Watch
) -> None:
    context = browser.new_context(**DESKTOP, locale="en-GB")
    watch.over(context)
    page = context.new_page()
    page.goto(server.url)
    expect(page.locator("#game")).to_be_hidden()
    assert "World Wonders" not in page.locator(".hero").inner_text()
    assert "World Wonders" not in (page.get_attribute('[name="description"]', "content") or "")
    assert page.get_by_role("radio").count() == 0
    expect(page.locator(".unread summary")).to_have_text("Not read here yet: Tower of Babel, World Wonders")
    tops = [(page.locator(one).bounding_box() or {"y": 0})["y"] for one in ("#example", ".unread")]
    assert tops == sorted(tops), "what cannot be read stands below what can"
    assert faults(page) == []
    context.close()
