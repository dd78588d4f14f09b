"""A possible wonder is asked about by name on the page, and either answer settles it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import httpx2 as httpx
import pytest
import tomlkit
from playwright.sync_api import expect

from api.carcassonne.report.board import read_report_board
from api.carcassonne.report.snapshot import build_snapshot
from api.documents.report import Report
from scoring.carcassonne.wonders.files import vouch_for
from tests.api.carcassonne.corrections.further import KNIGHT, OWNER, join_possible
from tests.api.http.copies import COPY, photograph_copy
from tests.api.page.browser import DESKTOP, PHONE
from tests.api.page.conftest import READ_MS, Open
from tests.api.page.hands import event_of, faults, handed_in, is_change, made, named, row
from tests.api.page.holding import READING, holding, kept_by_browser, report_of
from tests.api.serving import Running

NAMED = "This looks like Alhambra: is it?"


@pytest.fixture
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with holding(build_snapshot(join_possible()), tmp_path_factory.mktemp("further")) as started:
        yield started


def test_yes_lays_the_wonder_and_no_is_never_asked_again(server: Running, opened: Open) -> None:
    page = opened(f"{server.url}/r/{READING}", PHONE, kept_by_browser(server))
    page.get_by_role("button", name="Show me").click()
    expect(page.locator("#card-title")).to_have_text(NAMED)
    expect(page.locator(".chosen-square")).to_have_count(5)
    none, named = page.locator(".question-card .answer").all()
    expect(none).to_contain_text("no wonder")
    expect(none).to_contain_text("as read")
    expect(named).to_contain_text("Alhambra")
    assert faults(page) == []
    with page.expect_response(is_change):
        named.click()
    scores = report_of(server)["scores"]["final_scoring"]
    assert min(scores[OWNER], scores[KNIGHT]) > 0
    expect(page.locator("#card-title")).not_to_have_text(NAMED)
    with page.expect_response(is_change):
        page.get_by_role("button", name="Undo").click()
    expect(page.locator("#card-title")).to_have_text(NAMED)
    with page.expect_response(is_change):
        page.locator(".question-card .answer").first.click()
    expect(page.locator("#card-title")).not_to_have_text(NAMED)
    assert set(report_of(server)["scores"]["final_scoring"].values()) == {0}


def test_a_layout_that_the_browser_keeps_goes_with_the_photos_of_a_table(
    server: Running, opened: Open, tmp_path: Path
) -> None:
    photo = tmp_path / "table.jpg"
    photo.write_bytes(photograph_copy())
    page = named(made(opened, server.url, "Cup", DESKTOP), "Zoë")
    kept = json.dumps({COPY.id: tomlkit.dumps(dict(vouch_for(COPY).entry))})
    page.evaluate("kept => localStorage.setItem('wondertally.wonders', kept)", kept)
    page.keyboard.press("n")
    handed_in(page, photo)
    expect(row(page)).not_to_have_text("being read", timeout=READ_MS)
    (table,) = httpx.get(f"{event_of(page)}/tables").raise_for_status().json()["tables"]
    report = httpx.get(f"{server.url}/v1/readings/{table['reading']}/report.json").raise_for_status().json()
    (placed,) = read_report_board(Report.model_validate(report)).wonders
    assert not placed.layout.is_guessed, "the layout that was sent, not one that was read"
    assert placed.layout.parts == COPY.parts
