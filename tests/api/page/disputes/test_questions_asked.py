"""Questions on the page: the photo itself around the doubt, opened from its mark, and the effect of each answer."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.api.page.browser import PHONE
from tests.api.page.conftest import Made, Open
from tests.api.page.hands import tap

OLD_CROP_WIDTH = 94
CARD = ".question-card"


def begin(page: Page) -> None:
    page.get_by_role("button", name="Show me").click()
    page.locator(f"{CARD} .answer").first.wait_for()
    page.wait_for_timeout(500)


def test_the_photo_around_the_piece_is_large_and_one_tap_makes_it_larger(made: Made, opened: Open) -> None:
    page = opened(made.url, PHONE, made.kept)
    begin(page)
    cut = page.locator(f"{CARD} .cut")
    box = cut.bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) >= 2 * OLD_CROP_WIDTH
    assert page.locator(f"{CARD} .answer").first.bounding_box()["y"] + 60 < PHONE["viewport"]["height"]  # type: ignore[index]
    page.get_by_role("button", name="Enlarge").tap()
    large = page.locator(".cut-dialog .cut-large")
    large.wait_for()
    assert large.bounding_box()["width"] > box["width"]  # type: ignore[index]
    large.tap()
    expect(page.locator(".cut-dialog")).to_have_count(0)


def test_the_ring_leaves_the_piece_in_question_free(made: Made, opened: Open) -> None:
    """The ring's pink is found to the left and right of the foot, and nowhere on the piece."""
    question = next(question for question in made.get()["questions"] if question["foot_px"])
    page = opened(made.url, kept=made.kept)
    begin(page)
    while page.locator("#card-title").inner_text() != question["text"]:
        page.get_by_role("button", name="I am not sure").click()
    cut = page.locator(f"{CARD} .cut")
    pinks = cut.evaluate(
        """(canvas) => {
          const { data, width, height } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
          const found = [];
          for (let at = 0; at < data.length; at += 4)
            if (data[at] > 200 && data[at + 1] < 40 && data[at + 2] > 90 && data[at + 2] < 160)
              found.push([(at / 4) % width / width, Math.floor(at / 4 / width) / height]);
          return found;
        }"""
    )
    xs, ys = [x for x, _ in pinks], [y for _, y in pinks]
    assert max(xs) - min(xs) > 0.3
    middle = ((max(xs) + min(xs)) / 2, (max(ys) + min(ys)) / 2)
    assert all(abs(x - middle[0]) > 0.08 or abs(y - middle[1]) > 0.1 for x, y in pinks)


def test_a_tap_on_the_mark_of_a_doubt_opens_its_question(made: Made, opened: Open) -> None:
    question = made.get()["questions"][-1]
    page = opened(made.url, PHONE, made.kept)
    nw, ne, se, _ = question["quad_px"]
    corner = (
        ne[0] + 0.13 * (nw[0] - ne[0]) + 0.15 * (se[0] - ne[0]),
        ne[1] + 0.13 * (nw[1] - ne[1]) + 0.15 * (se[1] - ne[1]),
    )
    tap(page, corner, touch=True)
    page.locator(CARD).wait_for()
    row, col = question["square"]
    assert page.locator(f"{CARD} .cut").get_attribute("aria-label")
    origin = min(t.row for t in made.report.board.tiles), min(t.col for t in made.report.board.tiles)
    assert f"row {row - origin[0] + 1}, column {col - origin[1] + 1}" in page.locator(CARD).inner_text()


def answer(page: Page, choose: Callable[[str], bool]) -> str:
    """Give the first answer with the wanted words, and wait until it is accepted."""
    answers = page.locator(f"{CARD} .answer")
    chosen = next(one for one in answers.all() if choose(one.inner_text()))
    words = str(chosen.inner_text())
    with page.expect_response(lambda response: response.request.method == "PATCH"):
        chosen.click()
    page.wait_for_timeout(400)
    return words


def test_only_changed_points_are_told_and_nothing_moves(reading: Made, opened: Open) -> None:
    page = opened(reading.url, PHONE, reading.kept)
    begin(page)
    answer(page, lambda words: "same points" in words)
    expect(page.locator("#told")).to_have_text("")
    panel = page.locator("#panel").bounding_box()
    before = page.locator(CARD).bounding_box()
    words = answer(page, lambda words: bool(re.search(r"[^\w\s]\d", words)))
    told = page.locator("#told")
    expect(told).to_contain_text("Counted again")
    changed = re.findall(r"(\w+) [^\w\s]\d+", words)
    assert all(player in told.inner_text() for player in changed)
    assert ("black" in told.inner_text()) == ("black" in changed)
    assert page.locator("#panel").bounding_box() == panel
    after = page.locator(CARD).bounding_box()
    assert before is not None
    assert after is not None
    assert after["y"] == before["y"]


@pytest.mark.soak
def test_ten_doubts_take_under_a_minute(reading: Made, opened: Open) -> None:
    """As fast as a person who looks at each for three seconds: the rest of a minute is the page's own time."""
    page = opened(reading.url, PHONE, reading.kept)
    page.get_by_role("button", name="Show me").tap()
    page.locator(f"{CARD} .answer").first.wait_for()
    asked, started = 0, time.monotonic()
    while asked < 10 and page.locator(f"{CARD} .answer").count():
        title = page.locator("#card .ask-about").inner_text()
        page.locator(f"{CARD} .answer").first.tap()
        page.wait_for_function("(old) => document.querySelector('#card .ask-about')?.innerText !== old", arg=title)
        asked += 1
    assert asked >= 5
    assert time.monotonic() - started < 30 * asked / 10


def test_only_what_a_doubt_or_a_question_is_about_is_marked(made: Made, opened: Open) -> None:
    document = made.get()
    report, questions = made.report, document["questions"]
    about = {doubt.square for doubt in report.doubts} | {
        tuple(question["square"]) for question in questions if question["about"] in ("tile", "meeple", "player", "pile")
    }
    assert {(tile.row, tile.col) for tile in report.board.tiles if tile.doubtful} - about, "hard to read, no doubt"
    page = opened(made.url, kept=made.kept)
    expect(page.locator(".layer-doubts > .query")).to_have_count(len(about))
    page.locator("#entries button").first.click()
    page.locator("#card .card").wait_for()
    expect(page.locator(".layer-doubts > .query")).to_have_count(len(about))
    assert page.locator("#squares .map-square.doubtful").count() == len(
        about & {(tile.row, tile.col) for tile in report.board.tiles}
    )
