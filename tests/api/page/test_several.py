"""Several photos of one table on the page: each with its content, and switching between them."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, expect
from shapely import Point, Polygon

from api.documents.report import Report, Tile
from tests.api.page.browser import DESKTOP, ON_PHONE_AND_DESKTOP, PHONE
from tests.api.page.conftest import READ_MS, Made, Open
from tests.api.page.hands import faults, tap
from tests.api.serving import LEVEL

PARTS = {"west.jpg": (0, 0, 0.66, 1), "east.jpg": (0.22, 0.05, 1, 1)}
"""Shares of the example's width and height: from the left, from above, to the right, to below."""


@pytest.fixture(scope="module")
def two(browser: Browser, address: str, tmp_path_factory: pytest.TempPathFactory) -> Made:
    """Return a reading of two photos, neither of which shows the whole board."""
    folder = tmp_path_factory.mktemp("photos")
    context = browser.new_context(**DESKTOP, locale="en-GB")
    page = context.new_page()
    page.goto(address)
    page.set_input_files("#gallery", [part(folder, name) for name in PARTS])
    page.get_by_role("button", name="Count the points from 2 photos").click()
    page.wait_for_url("**/r/*")
    page.wait_for_selector("#result:not([hidden])", timeout=READ_MS)
    reading = Made(page.url, context.storage_state(), [], "")
    context.close()
    assert len(reading.report.photos) == 2
    return reading


def part(folder: Path, name: str) -> Path:
    """Return a part of the example photo, as a photo of its own."""
    with Image.open(LEVEL) as whole:
        box = [round(share * side) for share, side in zip(PARTS[name], (*whole.size, *whole.size), strict=True)]
        whole.crop((box[0], box[1], box[2], box[3])).save(folder / name, quality=92)
    return folder / name


def report_in(made: Made, number: int) -> Report:
    """Return the report in the pixels of a photo."""
    answer = httpx.get(f"{made.api}/report.json", params={"number": number}, timeout=120)
    return Report.model_validate(answer.raise_for_status().json())


def shows(page: Page, number: int) -> None:
    """Wait until the page is on a photo, and all its drawings lie as the report has them there."""
    expect(page.locator("#photo-told")).to_have_text(f"Photo {number + 1} of 2")
    page.wait_for_timeout(500)


def only_in(report: Report, number: int) -> Tile:
    """Return a tile that only one photo shows."""
    return next(tile for tile in report.board.tiles if [view.photo for view in tile.seen or []] == [number])


def picture_on(page: Page) -> tuple[int, int]:
    """Return the size of the displayed photo, of which a small screen may have fetched fewer pixels."""
    told = """({ parentElement: world, naturalWidth, naturalHeight }) =>
      [world.offsetWidth, world.offsetHeight, naturalWidth / naturalHeight]"""
    width, height, shape = page.locator(".world img").evaluate(told)
    assert abs(shape - width / height) < 0.01
    return width, height


@ON_PHONE_AND_DESKTOP
@pytest.mark.soak
def test_each_photo_is_shown_with_its_own_contents(two: Made, opened: Open, device: Any) -> None:
    page = opened(two.url, device, two.kept)
    for number in (0, 1):
        shows(page, number)
        report = report_in(two, number)
        assert report.photo is not None
        assert picture_on(page) == (report.photo.width, report.photo.height)
        page.locator("#entries .row").first.click()
        page.locator("#card h2").wait_for()
        page.wait_for_timeout(500)
        assert page.locator("#photo-told").inner_text() == f"Photo {number + 1} of 2"
        quads = {f"{t.row},{t.col}": Polygon(t.corners_px) for t in report.board.tiles if t.corners_px}
        checked = 0
        for disc in page.locator(".world svg .number").all():
            x, y = (disc.get_attribute("transform") or "")[len("translate(") :].partition(")")[0].split()
            if quad := quads.get(disc.get_attribute("data-square") or ""):
                checked += quad.buffer(1).contains(Point(float(x), float(y)))
        assert checked >= 1
        assert faults(page) == []
        page.get_by_role("button", name="Close").click()
        page.get_by_role("button", name="Next photo").click()
    shows(page, 0)


@pytest.mark.soak
def test_a_square_that_the_photo_does_not_show_leads_to_one_that_does(two: Made, opened: Open) -> None:
    page, number = opened(two.url), 1
    try:
        tile = only_in(two.report, number)
    except StopIteration:
        number = 0
        tile = only_in(two.report, number)
        page.get_by_role("button", name="Next photo").click()
        shows(page, 1)
    page.locator("summary", has_text="Every square").click()
    page.locator(f'#squares [data-square="{tile.row},{tile.col}"]').click()
    shows(page, number)
    frame = page.locator(".chosen-square").get_attribute("points") or ""
    (there,) = [other for other in report_in(two, number).board.tiles if (other.row, other.col) == (tile.row, tile.col)]
    outline = Polygon([tuple(map(float, point.split(","))) for point in frame.split()])
    assert outline.symmetric_difference(Polygon(there.corners_px or [])).area < 0.01 * outline.area


@pytest.mark.soak
def test_a_doubt_is_asked_on_the_photo_that_shows_it_best_and_tapped_there(two: Made, opened: Open) -> None:
    page, questions = opened(two.url, kept=two.kept), two.get()["questions"]
    page.get_by_role("button", name="Show me").click()
    for question in questions:
        shows(page, question["photo"])
        page.get_by_role("button", name="I am not sure").click()
    best = {t.seen[0].photo: t for t in two.report.board.tiles if t.seen and t.doubtful}
    for number, tile in best.items():
        page.locator("summary", has_text="Every square").click()
        page.locator(f'#squares [data-square="{tile.row},{tile.col}"]').click()
        shows(page, number)
        page.get_by_role("dialog").get_by_role("button", name="Close").click()
        page.locator("summary", has_text="Every square").click()
    assert set(best) == {0, 1}


@pytest.mark.soak
def test_a_tile_is_corrected_on_the_second_photo(two: Made, opened: Open) -> None:
    page = opened(two.url, PHONE, two.kept)
    page.get_by_role("button", name="Next photo").tap()
    shows(page, 1)
    there = report_in(two, 1)
    tile = next(t for t in there.board.tiles if t.corners_px and not t.doubtful and (t.row, t.col) not in held(there))
    middle = Polygon(tile.corners_px or []).centroid
    page.get_by_role("button", name="Correct").tap()
    tap(page, (middle.x, middle.y), touch=True)
    with page.expect_response(lambda answer: answer.request.method == "PATCH"):
        page.get_by_role("dialog").get_by_role("button", name="No tile here").tap()
    expect(page.locator("#told")).to_contain_text("Counted again")
    assert (tile.row, tile.col) not in {(other.row, other.col) for other in two.report.board.tiles}
    shows(page, 1)
    assert picture_on(page) == picture_of(two, 1)
    two.reset()


def held(report: Report) -> set[tuple[int, int]]:
    """Return the squares with a piece."""
    return {meeple.tile for meeple in report.board.meeples}


def picture_of(made: Made, number: int) -> tuple[int, int]:
    """Return the size of a photo as the server has it."""
    answer = httpx.get(f"{made.api}/photo", params={"number": number}, timeout=120)
    with Image.open(io.BytesIO(answer.content)) as photo:
        return photo.size
