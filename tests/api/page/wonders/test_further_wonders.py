"""A possible wonder is asked about by name on the page, and either answer settles it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from api.carcassonne.report.snapshot import build_snapshot
from tests.api.carcassonne.corrections.further import KNIGHT, OWNER, join_possible
from tests.api.page.browser import PHONE
from tests.api.page.conftest import Open
from tests.api.page.hands import faults, is_change
from tests.api.page.holding import READING, holding, kept_by_browser, report_of
from tests.api.serving import Running

NAMED = "This looks like Alhambra: is it?"


@pytest.fixture
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with holding(build_snapshot(join_possible()), tmp_path_factory.mktemp("further")) as started:
        yield started


def test_answering_yes_lays_the_wonder_and_no_ends_the_question(server: Running, opened: Open) -> None:
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
