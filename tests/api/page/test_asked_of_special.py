"""Which of a player's pieces is the big one is asked on the page of all that may be it, which it marks."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from api.report.snapshot import build_snapshot
from tests.api.corrections.test_special_pieces import doubt_kinds, find_rivals
from tests.api.doubted import joined
from tests.api.page.browser import PHONE
from tests.api.page.conftest import Open
from tests.api.page.hands import faults
from tests.api.page.holding import READING, holding, kept_by_browser, report_of
from tests.api.page.test_asked_of_many import is_change, list_questions
from tests.api.serving import Running


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    _, reading, pair = find_rivals()
    snapshot = build_snapshot(joined(doubt_kinds(reading, pair)))
    with holding(snapshot, tmp_path_factory.mktemp("rivals")) as started:
        yield started


def test_which_is_the_big_one_is_asked_of_all_that_may_be_it(server: Running, opened: Open) -> None:
    page = opened(f"{server.url}/r/{READING}", PHONE, kept_by_browser(server))
    (question,) = [question for question in list_questions(server) if question["about"] == "special"]
    page.get_by_role("button", name="Let me see").click()
    while page.locator("#card-title").inner_text() != "Which of these is the big meeple?":
        with page.expect_response(is_change):
            page.locator(".question-card .answer").first.click()
    expect(page.locator(".chosen-square")).to_have_count(len(question["squares"]))
    answer = page.locator(".question-card .answer").nth(1)
    expect(answer).to_contain_text("row ")
    assert faults(page) == []
    with page.expect_response(is_change):
        answer.click()
    expect(page.locator("#card-title")).to_have_count(0)
    report = report_of(server)
    big = [meeple["id"] for meeple in report["board"]["meeples"] if meeple["kind"] == "big"]
    assert big == [question["choices"][1]["correction"]["id"]]
    assert report["doubtful"] is False
