"""The rules of other boxes are asked on the page, set in the sheet of the table, and chosen for an event."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from api.documents.corrections import TABLE_KINDS
from tests.api.carcassonne.corrections.box_rules import ASKED, build_board, hold
from tests.api.page.browser import PHONE
from tests.api.page.conftest import Open
from tests.api.page.hands import faults, points_on
from tests.api.page.holding import READING, holding, kept_by_browser, report_of
from tests.api.serving import Running

ASSUMED = {
    "en": "The rules of Inns & Cathedrals are counted",
    "de": "Die Regeln von „Wirtshäuser & Kathedralen“ sind mitgerechnet",
    "ro": "Regulile din „Hanuri și catedrale” sunt luate în calcul",
}


@pytest.fixture
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with holding(hold(build_board()), tmp_path_factory.mktemp("ruled")) as started:
        yield started


def test_box_rules_are_asked_with_both_results_and_changed_in_the_sheet(server: Running, opened: Open) -> None:
    page = opened(f"{server.url}/r/{READING}", PHONE, kept_by_browser(server))
    assert points_on(page) == {"blue": 0, "red": 0}
    expect(page.locator("#totals .assumed")).to_contain_text(ASSUMED["en"])
    page.locator("#questions button").click()
    card = page.locator(".question-card")
    expect(card.locator("h2")).to_contain_text(ASKED["en"])
    answers = card.locator("button.answer")
    assert [answer.locator("b").inner_text() for answer in answers.all()] == [
        "With these rules",
        "With the tiles only, without these rules",
    ]
    assert faults(page) == []
    answers.nth(1).click()
    expect(page.locator("#totals .assumed")).to_have_count(0)
    assert points_on(page) == {"blue": 0, "red": 2}
    assert report_of(server)["rules"]["box_rules"] == {"inns": False}
    page.locator("#table").click()
    sheet = page.get_by_role("dialog")
    chosen = sheet.locator("[name='box-rules-inns']")
    expect(chosen).to_have_value("off")
    chosen.select_option("on")
    sheet.locator("[name='box-rules-traders']").select_option("off")
    assert faults(page) == []
    sheet.get_by_role("button", name="Save").click()
    sheet.wait_for(state="detached")
    assert points_on(page) == {"blue": 0, "red": 0}
    assert report_of(server)["rules"]["box_rules"] == {"inns": True, "traders": False}
    page.locator("#undo").click()
    expect(page.locator("#totals tr[data-player='red'] .big")).to_have_text("2")


@pytest.mark.soak
def test_an_event_is_created_with_the_chosen_box_rules(server: Running, opened: Open) -> None:
    page = opened(server.url)
    page.evaluate("""async () => (await import("/static/event/event_make.js")).openMakeEvent()""")
    sheet = page.get_by_role("dialog")
    sheet.locator("[name='event-named']").fill("Cup")
    sheet.locator("details.box-rules summary").click()
    sheet.locator("[name='box-rules-inns']").select_option("off")
    sheet.locator("button.primary").click()
    page.wait_for_url("**/event/*")
    event = page.url.split("/event/")[1].split("#")[0]
    assert server.client.get(f"/v1/events/{event}").json()["box_rules"] == {"inns": False}


@pytest.mark.soak
def test_box_rules_are_kept_when_further_photos_are_added(server: Running, opened: Open) -> None:
    page = opened(f"{server.url}/r/{READING}", kept=kept_by_browser(server))
    script = (
        """async (kind) => (await import("/static/lib/send.js")).startsAnew({ reading: { corrections: [{ kind }] } })"""
    )
    assert not any(page.evaluate(script, kind) for kind in TABLE_KINDS - {"players"})


@pytest.mark.soak
@pytest.mark.parametrize("language", ["de", "ro"])
def test_box_rules_are_asked_in_every_language(language: str, server: Running, opened: Open) -> None:
    page = opened(f"{server.url}/r/{READING}", kept=kept_by_browser(server), locale=language)
    expect(page.locator("#totals .assumed")).to_contain_text(ASSUMED[language])
    page.locator("#questions button").click()
    expect(page.locator(".question-card h2")).to_contain_text(ASKED[language])
