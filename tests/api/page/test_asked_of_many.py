"""Questions about more than one piece on the page: a player's colour, a pile, the big one, the picture's border."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from api.carcassonne.report.snapshot import Snapshot, build_snapshot
from tests.api.carcassonne.corrections.big_pieces import doubt_kinds, find_rivals
from tests.api.carcassonne.corrections.piles import find_farmer, heap
from tests.api.doubted import joined
from tests.api.page.browser import ON_PHONE_AND_DESKTOP, PHONE
from tests.api.page.conftest import Open
from tests.api.page.hands import faults, is_change
from tests.api.page.holding import READING, holding, kept_by_browser, report_of
from tests.api.serving import Running
from tests.vision.doubt.player_colours import FREE, doubt

TITLES = {
    "border": "Does the board go on beyond this side?",
    "player": "Which colour is this player?",
    "pile": "How many lie here?",
}


def held() -> Snapshot:
    """Return a reading that the picture cuts, of two farmers that may be one or none, and a player maybe orange."""
    _, reading, number = find_farmer()
    colours = [meeple.colour for meeple in reading.meeples]
    piled = reading.meeples[number].colour
    player = max({*colours} - {piled}, key=colours.count)
    return build_snapshot(joined(heap(doubt(reading, player, FREE, [0.3] * 9), number)))


def held_special() -> Snapshot:
    """Return a reading of two pieces of one player that may be the big one."""
    _, reading, pair = find_rivals()
    return build_snapshot(joined(doubt_kinds(reading, pair)))


@pytest.fixture(scope="module")
def server(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with holding(request.param(), tmp_path_factory.mktemp("asked")) as started:
        yield started


@pytest.mark.parametrize("server", [pytest.param(held, id="many")], indirect=True)
@ON_PHONE_AND_DESKTOP
def test_each_question_is_asked_once_in_plain_words_until_no_doubt_is_left(
    server: Running, opened: Open, device: Any
) -> None:
    page = opened(f"{server.url}/r/{READING}", device, kept_by_browser(server))
    questions = list_questions(server)
    assert {question["about"] for question in questions} == {*TITLES}
    page.get_by_role("button", name="Show me").click()
    for _ in questions:
        question = list_questions(server)[0]
        expect(page.locator("#card-title")).to_have_text(TITLES[question["about"]])
        expect(page.locator(".chosen-square")).to_have_count(len(question["squares"]))
        answer = page.locator(".question-card .answer").first
        if question["about"] == "player":
            assert faults(page) == []
            expect(page.get_by_text("to all marked pieces")).to_be_visible()
            answer = page.get_by_role("button", name=FREE)
        with page.expect_response(is_change):
            answer.click()
    expect(page.locator("#card-title")).to_have_count(0)
    report = report_of(server)
    assert (report["doubts"], report["doubtful"]) == ([], False)
    assert FREE in report["scores"]["final_scoring"]
    with page.expect_response(is_change):
        page.get_by_role("button", name="Reset", exact=True).click()
        page.get_by_role("button", name="Reset now").click()
    assert len(list_questions(server)) == len(questions)


@pytest.mark.soak
@pytest.mark.parametrize("server", [pytest.param(held_special, id="special")], indirect=True)
def test_one_question_asks_which_candidate_is_the_big_meeple(server: Running, opened: Open) -> None:
    page = opened(f"{server.url}/r/{READING}", PHONE, kept_by_browser(server))
    (question,) = [question for question in list_questions(server) if question["about"] == "special"]
    page.get_by_role("button", name="Show me").click()
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


def list_questions(server: Running) -> list[dict[str, Any]]:
    return list(server.client.get(f"/v1/readings/{READING}").json()["questions"])
