"""Questions about more than one piece on the page: a player's colour, a pile, and the border of the picture."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Response, expect

from api.report.snapshot import Snapshot, build_snapshot
from tests.api.corrections.test_piles import find_farmer, heap
from tests.api.doubted import joined
from tests.api.page.browser import ON_PHONE_AND_DESKTOP
from tests.api.page.conftest import Open
from tests.api.page.hands import faults
from tests.api.page.holding import READING, holding, kept_by_browser, report_of
from tests.api.serving import Running
from tests.vision.doubt.test_player_names import FREE, doubt

TITLES = {
    "border": "Does the board go on beyond this side?",
    "player": "Which colour is this player?",
    "pile": "How many lie here?",
}


def held() -> Snapshot:
    """A reading that the picture cuts, of two farmers that may be one or none, and of a player who may be orange."""
    _, reading, number = find_farmer()
    colours = [meeple.colour for meeple in reading.meeples]
    piled = reading.meeples[number].colour
    player = max({*colours} - {piled}, key=colours.count)
    return build_snapshot(joined(heap(doubt(reading, player, FREE, [0.3] * 9), number)))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with holding(held(), tmp_path_factory.mktemp("many")) as started:
        yield started


@ON_PHONE_AND_DESKTOP
def test_each_is_asked_once_in_a_players_words_until_nothing_is_in_doubt(
    server: Running, opened: Open, device: Any
) -> None:
    page = opened(f"{server.url}/r/{READING}", device, kept_by_browser(server))
    questions = list_questions(server)
    assert {question["about"] for question in questions} == {*TITLES}
    page.get_by_role("button", name="Let me see").click()
    for _ in questions:
        question = list_questions(server)[0]
        expect(page.locator("#card-title")).to_have_text(TITLES[question["about"]])
        expect(page.locator(".chosen-square")).to_have_count(len(question["squares"]))
        answer = page.locator(".question-card .answer").first
        if question["about"] == "player":
            assert faults(page) == []
            expect(page.get_by_text("for all the pieces that are marked")).to_be_visible()
            answer = page.get_by_role("button", name=FREE)
        with page.expect_response(is_change):
            answer.click()
    expect(page.locator("#card-title")).to_have_count(0)
    report = report_of(server)
    assert (report["doubts"], report["doubtful"]) == ([], False)
    assert FREE in report["scores"]["final_scoring"]
    with page.expect_response(is_change):
        page.get_by_role("button", name="As read").click()
    assert len(list_questions(server)) == len(questions)


def is_change(response: Response) -> bool:
    return response.request.method == "PATCH"


def list_questions(server: Running) -> list[dict[str, Any]]:
    return list(server.client.get(f"/v1/readings/{READING}").json()["questions"])
