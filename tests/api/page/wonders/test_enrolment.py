"""A copy of a wonder is enrolled on a phone: its ends tapped and joined, the words read, saved, used, undone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx2 as httpx
import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from api.carcassonne.report.board import read_report_board
from api.documents.report import Report
from scoring.carcassonne.board.notation import parse_notation
from scoring.carcassonne.final.scoring import compute_final_scoring
from scoring.carcassonne.wonders.files import parse_wonder, read_wonder
from scoring.carcassonne.wonders.plans import End, PlannedCity, PlannedRoad, WonderPlan, plan_layout, write_plan
from scoring.carcassonne.wonders.tiles import WonderLayout, list_outer_edges
from scoring.errors import CatalogueError
from tests.api.http.copies import COPY, photograph_copy
from tests.api.page.browser import PHONE, Watch
from tests.api.page.conftest import READ_MS, Made, Open
from tests.api.page.hands import faults
from tests.api.serving import Running
from vision.enrolment.wonders import EnrolledWonders


@dataclass(frozen=True)
class Change:
    """One end whose place differs from the table's: the edge in the wrong layout, and the right one."""

    kind: str
    wrong: End
    right: End


@cache
def spoil() -> tuple[WonderLayout, tuple[Change, ...]]:
    """Return another legal layout, with a road's and the city's end at another edge of their squares."""
    plan = plan_layout(COPY)
    number, road = next((n, road) for n, road in enumerate(plan.roads) if len(road.squares) == 1)
    (city,) = plan.cities
    for road_end, city_end in product(_list_free(plan, road.ends), _list_free(plan, city.ends)):
        roads = [*plan.roads]
        roads[number] = replace(road, ends=(road_end,))
        try:
            layout = read_wonder(
                write_plan(replace(plan, roads=tuple(roads), cities=(replace(city, ends=(city_end,)),)))
            )
        except CatalogueError:
            continue
        return layout, (Change("road", road_end, road.ends[0]), Change("city", city_end, city.ends[0]))
    raise AssertionError("no ends can lie elsewhere")


def _list_free(plan: WonderPlan, ends: tuple[End, ...]) -> list[End]:
    """Return the other edges of the one square of some ends that are field."""
    features: list[PlannedRoad | PlannedCity] = [*plan.roads, *plan.cities]
    used = {end for feature in features for end in feature.ends}
    return [end for end in list_outer_edges(plan.squares) if end[0] == ends[0][0] and end not in used]


@pytest.fixture(scope="module")
def table(browser: Browser, server: Running) -> Made:
    """Return the table, sent on a phone and read."""
    context = browser.new_context(**PHONE, locale="en-GB")
    page = context.new_page()
    page.goto(server.url)
    photo = {"name": "table.jpg", "mimeType": "image/jpeg", "buffer": photograph_copy()}
    page.set_input_files("#gallery", photo)  # type: ignore[arg-type]
    page.get_by_role("button", name="Count the points").tap()
    page.wait_for_url("**/r/*")
    page.wait_for_selector("#result:not([hidden])", timeout=READ_MS)
    reading = Made(page.url, context.storage_state(), [], "")
    context.close()
    return reading


@pytest.fixture
def spoilt(table: Made, server: Running) -> Iterator[tuple[Made, tuple[Change, ...]]]:
    """Return the reading with a wrong layout of the wonder."""
    layout, changes = spoil()
    first = next(tile for tile in table.report.board.tiles if tile.tile == COPY.id and tile.square == 0)
    correction = {
        "kind": "wonder",
        "wonder": COPY.id,
        "row": first.row,
        "col": first.col,
        "turns": first.turns,
        "layout": dict(layout.entry),
    }
    answer = httpx.patch(
        table.api,
        json={"corrections": [correction]},
        headers={"Authorization": f"Bearer {table.token}"},
        timeout=120,
    )
    answer.raise_for_status()
    yield table, changes
    table.reset()
    while find_files(server):
        httpx.delete(f"{server.url}/v1/wonders/stonehenge").raise_for_status()


def find_files(server: Running) -> list[Path]:
    """Return the enrolled layouts of the server."""
    return sorted((server.data / "wonders").glob("*.toml"))


def find_print(server: Running) -> str | None:
    """Return the photo whose print is kept with the server's enrolment."""
    art = EnrolledWonders(server.data / "wonders").load("stonehenge").art
    return None if art is None else art.source


def find_layout(report: Report) -> WonderLayout:
    """Return the layout that the report was scored by."""
    (placed,) = read_report_board(report).wonders
    return placed.layout


def list_parts(layout: WonderLayout) -> list[tuple[Any, ...]]:
    """Return a layout's roads, cities and fields, whatever its drawing."""
    edges = {
        (square, side): cell.edge(side)
        for square, cell in enumerate(layout.cells)
        for side in "NESW"
        if side not in cell.inside
    }
    parts = [(p.kind, sorted({*p.squares}), p.open_ends, len(p.cities)) for p in layout.parts if p.kind != "wonder"]
    return [*sorted(edges.items()), *sorted(parts)]


def open_enrolment(page: Page, reading: Made) -> Locator:
    """Open the sheet by a square of the wonder."""
    page.locator("details.card").evaluate_all("all => all.forEach((one) => (one.open = true))")
    tile = next(tile for tile in reading.report.board.tiles if tile.tile == COPY.id and tile.square == 1)
    page.locator(f".map-square[data-square='{tile.row},{tile.col}']").tap()
    page.get_by_role("button", name="My tile is printed differently").tap()
    sheet = page.get_by_role("dialog", name="Stonehenge: your copy")
    sheet.wait_for()
    return sheet


def find_end(sheet: Locator, end: End) -> Locator:
    return sheet.locator(f"[data-end='{end[0]} {end[1]}']")


def tap_to(sheet: Locator, end: End, kind: str) -> None:
    """Tap an end until it shows a kind: at most twice."""
    for _ in range(2):
        if kind not in (find_end(sheet, end).get_attribute("class") or "").split():
            find_end(sheet, end).tap()
    expect(find_end(sheet, end)).to_have_class(f"wonder-end {kind}")


def test_a_copy_is_enrolled_by_tapping_and_the_photo_is_read_with_it(
    spoilt: tuple[Made, tuple[Change, ...]], server: Running, opened: Open
) -> None:
    reading, changes = spoilt
    before = reading.report
    assert list_parts(find_layout(before)) != list_parts(COPY)
    page = opened(reading.url, PHONE, reading.kept)
    sheet = open_enrolment(page, reading)
    assert faults(page) == []
    told, keep = sheet.locator(".wonder-told"), sheet.get_by_role("button", name="Keep this layout")
    road, city = changes
    # Cut out of the photo, not blank: the grass and roads of the print are there.
    shades = sheet.locator("canvas").evaluate(
        "c => new Set(c.getContext('2d').getImageData(0, 0, c.width, c.height).data).size"
    )
    assert shades > 100

    number = road.right[0] + 1
    tap_to(sheet, road.wrong, "field")
    expect(sheet.get_by_text(f"This road has no open end and lies on square {number}.")).to_be_visible()
    expect(sheet.locator(".wonder-wrong")).to_contain_text("One road or city reaches no edge")
    expect(keep).to_be_disabled()
    tap_to(sheet, road.right, "road")
    expect(told).to_contain_text(f"This road has one open end and lies on square {number}. It ends at the wonder.")
    expect(sheet.locator(".wonder-wrong")).to_have_count(0)
    tap_to(sheet, city.wrong, "field")
    tap_to(sheet, city.right, "city")
    expect(told).to_contain_text(f"This city covers one square ({city.right[0] + 1}) and meets one edge.")
    expect(keep).to_be_enabled()

    keep.tap()
    expect(sheet.get_by_text("Kept: from now on Stonehenge is read and scored like this.")).to_be_visible()
    expect(keep).to_be_disabled()
    (file,) = find_files(server)
    assert list_parts(parse_wonder(file.read_text(encoding="utf-8"))) == list_parts(COPY)
    assert find_print(server) == "table.jpg"
    expect(sheet.get_by_text("The look of its squares is kept too")).to_be_visible()
    after = reading.report
    assert list_parts(find_layout(after)) == list_parts(COPY)
    board = parse_notation(after.board.notation, {COPY.id: COPY})
    assert after.scores.final_scoring == compute_final_scoring(board).totals

    sheet.get_by_role("button", name="Close").tap()
    page.get_by_role("button", name="Read this photo again").tap()
    page.wait_for_url(lambda url: "/r/" in url and url != reading.url)
    page.wait_for_selector("#result:not([hidden])", timeout=READ_MS)
    again = Report.model_validate(httpx.get(f"{Made(page.url, None, [], '').api}/report.json").json())
    layout = find_layout(again)
    assert list_parts(layout) == list_parts(COPY)
    assert not layout.is_guessed


def test_an_enrolment_is_undone(spoilt: tuple[Made, tuple[Change, ...]], server: Running, opened: Open) -> None:
    reading, (road, _) = spoilt
    wrong = list_parts(find_layout(reading.report))
    sheet = open_enrolment(opened(reading.url, PHONE, reading.kept), reading)
    tap_to(sheet, road.wrong, "field")
    tap_to(sheet, road.right, "road")
    sheet.get_by_role("button", name="Keep this layout").tap()
    sheet.get_by_role("button", name="Take it back").tap()
    expect(sheet.get_by_text("Taken back: the previous layout is used again.")).to_be_visible()
    assert find_files(server) == []
    assert list_parts(find_layout(reading.report)) == wrong


@pytest.mark.soak
def test_ends_are_joined_and_separated_by_taps_dragging_and_keys(
    spoilt: tuple[Made, tuple[Change, ...]], opened: Open
) -> None:
    reading, _ = spoilt
    page = opened(reading.url, PHONE, reading.kept)
    sheet = open_enrolment(page, reading)
    layout = find_layout(reading.report)
    first, second = (road.ends[0] for road in plan_layout(layout).roads if len(road.squares) == 1)
    told, keep = sheet.locator(".wonder-told"), sheet.get_by_role("button", name="Keep this layout")

    sheet.get_by_role("radio", name="Joins").check()
    find_end(sheet, first).tap()
    expect(find_end(sheet, first)).to_have_attribute("aria-pressed", "true")
    find_end(sheet, second).tap()
    expect(told).to_contain_text("Joined. This road has two open ends")
    wrong = sheet.locator(".wonder-wrong")
    expect(wrong).to_contain_text("The rules give this wonder 3 roads, covering 1, 1, and 2 of its squares.")
    expect(wrong).to_contain_text("Here there are 2, covering 2 and 2.")
    expect(keep).to_be_disabled()
    assert faults(page) == []

    points = [find_end(sheet, end).bounding_box() for end in (first, second)]
    (x, y), (to_x, to_y) = ((b["x"] + b["width"] / 2, b["y"] + b["height"] / 2) for b in points if b)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move((x + to_x) / 2, (y + to_y) / 2, steps=4)
    page.mouse.move(to_x, to_y, steps=4)
    page.mouse.up()
    expect(told).to_contain_text("Separated. This road has one open end")
    expect(keep).to_be_enabled()

    find_end(sheet, first).focus()
    page.keyboard.press("Enter")
    find_end(sheet, second).focus()
    page.keyboard.press("Space")
    expect(told).to_contain_text("Joined.")
    sheet.get_by_role("button", name="Undo the last change").press("Enter")
    expect(told).to_contain_text("The last change is undone.")
    expect(keep).to_be_enabled()


def test_the_browser_stores_the_layout_if_the_server_may_not(
    spoilt: tuple[Made, tuple[Change, ...]], server: Running, opened: Open, watch: Watch
) -> None:
    reading, changes = spoilt
    address = urlsplit(reading.url)
    watch.host = f"table.localhost:{address.port}"  # a name that the server does not treat as this machine's
    storage = json.loads(json.dumps(reading.kept).replace(address.netloc, watch.host))
    page = opened(reading.url.replace(address.netloc, watch.host), PHONE, storage)
    sheet = open_enrolment(page, reading)
    expect(sheet.get_by_role("note")).to_contain_text("pair this device")
    for change in changes:
        tap_to(sheet, change.wrong, "field")
        tap_to(sheet, change.right, change.kind)
    sheet.get_by_role("button", name="Keep it in this browser").tap()
    expect(sheet.get_by_text("Kept in this browser")).to_be_visible()
    assert find_files(server) == []
    with page.expect_download() as download:
        sheet.get_by_role("link", name="Download the file").tap()
    assert download.value.suggested_filename == "stonehenge.toml"
    file = parse_wonder(Path(download.value.path()).read_text(encoding="utf-8"))
    assert list_parts(file) == list_parts(COPY)
    sheet.get_by_role("button", name="Close").tap()
    page.get_by_role("button", name="Read this photo again").tap()
    page.wait_for_url(lambda url: "/r/" in url and reading.url.rpartition("/")[2] not in url)
    page.wait_for_selector("#result:not([hidden])", timeout=READ_MS)
    again = httpx.get(f"{server.url}/v1/readings/{page.url.rpartition('/')[2]}/report.json").json()
    layout = find_layout(Report.model_validate(again))
    assert list_parts(layout) == list_parts(COPY)
    assert not layout.is_guessed


@pytest.mark.soak
def test_a_wonder_is_enrolled_from_a_photo_or_a_file_without_a_reading(
    server: Running, opened: Open, tmp_path: Path
) -> None:
    page = opened(server.url, PHONE)
    page.get_by_role("button", name="View the wonders").tap()
    sheet = page.get_by_role("dialog", name="Your wonder tiles")
    sheet.wait_for()
    assert faults(page) == []
    assert sheet.locator(".wonder-list li").count() == 8
    sheet.get_by_label("Which wonder is it?").select_option(label="Stonehenge")
    photo = {"name": "mine.jpg", "mimeType": "image/jpeg", "buffer": photograph_copy()}
    sheet.locator("input[type=file][accept='image/*']").set_input_files(photo)  # type: ignore[arg-type]
    enrolling = page.get_by_role("dialog", name="Stonehenge: your copy")
    enrolling.wait_for(timeout=READ_MS)
    assert enrolling.locator("canvas").count() == 1
    enrolling.get_by_role("button", name="Keep this layout").tap()
    expect(enrolling.get_by_text("Kept: from now on")).to_be_visible()
    expect(enrolling.get_by_text("The look of its squares is kept too")).to_be_visible()
    (file,) = find_files(server)
    assert list_parts(parse_wonder(file.read_text(encoding="utf-8"))) == list_parts(COPY)
    assert find_print(server) == "mine.jpg"
    wrong, _ = spoil()
    mine = tmp_path / "mine.toml"
    mine.write_bytes(httpx.get(f"{server.url}/v1/wonders/stonehenge/file").content)
    mine.write_text(mine.read_text(encoding="utf-8").replace(COPY.id, "WH/tikal"), encoding="utf-8")
    enrolling.locator("input[type=file]").set_input_files(mine)
    expect(enrolling.get_by_text("This file is of another wonder.")).to_be_visible()
    answer = httpx.post(f"{server.url}/v1/wonder-layouts", json={"plan": write_plan(plan_layout(wrong))})
    mine.write_text(answer.json()["file"], encoding="utf-8")
    enrolling.locator("input[type=file]").set_input_files(mine)
    expect(enrolling.get_by_text("This is the layout from the file.")).to_be_visible()
    enrolling.get_by_role("button", name="Keep this layout").tap()
    expect(enrolling.get_by_text("Kept: from now on")).to_be_visible()
    assert list_parts(parse_wonder(file.read_text(encoding="utf-8"))) == list_parts(wrong)
    enrolling.get_by_role("button", name="Take it back").tap()
    expect(enrolling.get_by_text("Taken back")).to_be_visible()
    assert list_parts(parse_wonder(file.read_text(encoding="utf-8"))) == list_parts(COPY)
    httpx.delete(f"{server.url}/v1/wonders/stonehenge").raise_for_status()
