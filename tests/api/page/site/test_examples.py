"""The photos that the first page offers to people without a game at hand."""

from __future__ import annotations

from playwright.sync_api import Page

from datasets.examples.__main__ import FOLDER
from tests.api.page.browser import PHONE
from tests.api.page.conftest import READ_MS, Open
from vision.evaluation.labels import load_truth


def read_totals(page: Page, button: str) -> dict[str, str]:
    page.locator(button).click()
    page.wait_for_selector("#result:not([hidden])", timeout=READ_MS)
    return list_totals(page)


def list_totals(page: Page) -> dict[str, str]:
    rows = page.locator("#totals tbody tr").all()
    return {row.locator(".player-name").inner_text(): row.locator("td").last.inner_text() for row in rows}


def test_the_example_shows_a_whole_game_without_a_doubt(opened: Open, address: str) -> None:
    page = opened(address, PHONE)
    totals = read_totals(page, "#example")
    truth, track = load_truth(FOLDER / "game.json"), {"blue": 61, "green": 73, "red": 78}
    assert truth.expect_final is not None
    assert totals == {colour.capitalize(): str(points + truth.expect_final[colour]) for colour, points in track.items()}
    shown = page.locator("#result").inner_text()
    assert "Winner: green" in shown
    assert "Nothing looks doubtful" in shown
    assert "Terracotta Army" in shown


def test_the_second_example_asks_one_question_whose_answer_settles_it(opened: Open, address: str) -> None:
    page = opened(address, PHONE)
    before = read_totals(page, "#example-question")
    truth = load_truth(FOLDER / "question.json")
    assert truth.expect_final is not None
    right = {colour.capitalize(): str(points) for colour, points in truth.expect_final.items()}
    assert {player for player in right if right[player] != before[player]} == {"Red"}
    page.locator("#questions .primary").click()
    question = page.locator(".question-card")
    question.get_by_text("Where does it stand?").wait_for()
    question.locator(".answer", has_text="road, north").click()
    page.locator("#result").get_by_text("Nothing looks doubtful").first.wait_for()
    assert list_totals(page) == right
