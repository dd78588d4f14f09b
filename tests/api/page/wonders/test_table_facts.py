"""Facts that no photo shows are entered on the page: players, asked with the points; goods; owners of wonders."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from api.carcassonne.report.snapshot import Snapshot, build_snapshot
from scoring.carcassonne.board.board import Board, Placement
from scoring.carcassonne.board.notation import parse_notation
from scoring.carcassonne.final.scoring import compute_final_scoring
from scoring.carcassonne.final.table import Table
from tests.api.doubted import joined
from tests.api.page.browser import PHONE
from tests.api.page.conftest import Open
from tests.api.page.hands import faults, points_on
from tests.api.page.holding import READING, holding, kept_by_browser, report_of
from tests.api.serving import Running
from tests.api.tables_read import reading_of
from tests.scoring.laid import laid, wonder
from vision.reading.values import WonderReading

ASKED = {"en": "How many people played", "de": "Wie viele haben mitgespielt", "ro": "Câți au jucat"}
ASSUMED = {
    "en": "Circus Maximus is counted for 2 players",
    "de": "Circus Maximus ist für 2 Personen gerechnet",
    "ro": "Circus Maximus este calculat pentru 2 jucători",
}


def build_board() -> Board:
    """Return a board with red's Circus Maximus, a knight of yellow's in its city, and a finished city with grain."""
    board = laid("E2 yellow^0,0=cS", (wonder("circus-maximus", (1, 0)), "red"))
    traded = {(-1, 0): Placement("TB/CRc.g", 0), (-1, -1): Placement("BA/C", 1), (-1, 1): Placement("BA/C", 3)}
    return Board({**traded, **board.tiles}, board.meeples)


def held() -> Snapshot:
    board = build_board()
    wonders = tuple(WonderReading(placed, 1.0) for placed in board.wonders)
    return build_snapshot(joined(replace(reading_of(board), wonders=wonders)))


@pytest.fixture
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with holding(held(), tmp_path_factory.mktemp("told")) as started:
        yield started


def score(**facts: Any) -> dict[str, int]:
    return dict(compute_final_scoring(build_board(), table=Table(**facts)).totals)


def open_table(page: Page) -> Any:
    page.locator("#table").click()
    return page.get_by_role("dialog")


def test_how_many_played_is_asked_and_goods_are_typed_on_a_phone(server: Running, opened: Open) -> None:
    page = opened(f"{server.url}/r/{READING}", PHONE, kept_by_browser(server))
    assert points_on(page) == score()
    expect(page.locator("#totals .assumed")).to_contain_text(ASSUMED["en"])
    assert not any("%" in line for line in page.locator("#totals .certainty").all_inner_texts())
    page.locator("#questions button").click()
    card = page.locator(".question-card")
    expect(card.locator("h2")).to_contain_text(ASKED["en"])
    answers = card.locator("button.answer")
    assert [answer.locator("b").inner_text() for answer in answers.all()] == [f"{n} players" for n in range(2, 7)]
    expect(answers.nth(1)).to_contain_text("\N{MINUS SIGN}1")
    assert faults(page) == []
    answers.nth(1).click()
    expect(page.locator("#totals")).not_to_contain_text("Circus Maximus is counted")
    assert points_on(page) == score(player_count=3)
    expect(page.locator("#totals .assumed")).to_contain_text("No goods are counted")
    sheet = open_table(page)
    expect(sheet.locator("[name='count']")).to_have_value("3")
    sheet.locator("[name='goods-grain-yellow']").fill("1")
    sheet.locator("details.box-rules summary").click()
    sheet.locator("[name='box-rules-traders']").select_option("on")
    sheet.get_by_text("Gold, king and other points").click()
    sheet.locator("[name='goods-gold-red']").fill("7")
    sheet.get_by_text("Boxes on the table").click()
    sheet.locator("[name='box-base']").fill("2")
    assert faults(page) == []
    sheet.get_by_role("button", name="Save").click()
    sheet.wait_for(state="detached")
    goods = {"gold": {"red": 7}, "grain": {"yellow": 1}}
    expect(page.locator("#totals .assumed")).to_have_count(0)
    assert points_on(page) == score(player_count=3, goods=goods)
    rules = report_of(server)["rules"]
    assert (rules["player_count"], rules["goods"], rules["boxes"]) == (3, goods, {"base": 2})
    sheet = open_table(page)
    expect(sheet.locator("[name='goods-grain-yellow']")).to_have_value("1")
    sheet.locator("[name='count']").fill("")
    sheet.locator("[name='goods-grain-yellow']").fill("")
    sheet.locator("[name='goods-gold-red']").fill("")
    sheet.locator("select[name^='owner-']").select_option("yellow")
    sheet.get_by_role("button", name="Save").click()
    sheet.wait_for(state="detached")
    assert "red" not in points_on(page), "its wonder is another's now, and nothing of red's stands here"
    assert "player_count" not in report_of(server)["rules"]
    page.locator("#undo").click()
    expect(page.locator("#totals tr[data-player='yellow'] .big")).to_have_text(str(score(goods=goods)["yellow"]))
    assert points_on(page) == score(player_count=3, goods=goods)


@pytest.mark.soak
def test_a_shared_board_keeps_table_facts(server: Running, opened: Open) -> None:
    page = opened(f"{server.url}/r/{READING}", kept=kept_by_browser(server))
    script = """async (report) => (await import("/static/report/fragment.js")).fragmentOf(report)"""
    report = {**report_of(server)}
    report["rules"] = {**report["rules"], "player_count": 5, "goods": {"grain": {"red": 2}}}
    fragment = page.evaluate(script, report)
    page.goto(f"{server.url}/b#{fragment}")
    expect(page.locator("#totals tbody tr")).to_have_count(2)
    assert points_on(page) == score(player_count=5, goods={"grain": {"red": 2}})
    assert parse_notation(report["board"]["notation"]).wonders


@pytest.mark.soak
@pytest.mark.parametrize("language", ["de", "ro"])
def test_the_assumptions_are_worded_in_every_language(language: str, server: Running, opened: Open) -> None:
    page = opened(f"{server.url}/r/{READING}", kept=kept_by_browser(server), locale=language)
    expect(page.locator("#totals .assumed")).to_contain_text(ASSUMED[language])
    page.locator("#questions button").click()
    expect(page.locator(".question-card h2")).to_contain_text(ASKED[language])
