"""Questions and explanations beside the photo on the page."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

import httpx2 as httpx
import pytest
from playwright.sync_api import Page, expect
from shapely import Point, Polygon

from api.documents.report import Report
from tests.api.page.browser import PHONE
from tests.api.page.conftest import Made, Open
from tests.api.page.hands import IN_PHOTO, tap

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


def test_the_ring_does_not_cover_the_piece_in_question(made: Made, opened: Open) -> None:
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


def test_only_changed_points_are_announced_and_the_layout_stays(reading: Made, opened: Open) -> None:
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


def test_only_subjects_of_doubts_and_questions_are_marked(made: Made, opened: Open) -> None:
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


def name_square(report: Report, square: tuple[int, int]) -> str:
    """Return a square's row and column as people count them."""
    rows, cols = zip(*((tile.row, tile.col) for tile in report.board.tiles), strict=True)
    return f"{square[0] - min(rows) + 1},{square[1] - min(cols) + 1}"


def explain(reading: Made, **query: str) -> dict[str, list[dict[str, object]]]:
    """Return the explanation of a reading from the API."""
    return dict(httpx.get(f"{reading.api}/explanation", params=query, timeout=120).raise_for_status().json())


def choose(page: Page, feature: str) -> None:
    summary = page.locator("summary", has_text="Every road")
    if not page.locator("#features").is_visible():
        summary.click()
    page.locator(f'#features [data-feature="{feature}"]').click()
    page.locator("#card .sentences").wait_for()


def find_farm(reading: Made) -> tuple[str, list[str], list[str]]:
    """Return a held farm, the cities that count for it, and those that do not."""
    for account in explain(reading)["features"]:
        cities = account["cities"]
        assert isinstance(cities, list)
        if account["kind"] == "field" and account["majority"] and any(city["complete"] for city in cities):
            finished = [city["id"] for city in cities if city["complete"]]
            return str(account["id"]), finished, [city["id"] for city in cities if not city["complete"]]
    raise AssertionError("no farm touches a finished city")


def test_the_cities_of_a_farm_are_drawn_those_that_count_with_their_names(made: Made, opened: Open) -> None:
    farm, finished, unfinished = find_farm(made)
    page = opened(made.url, kept=made.kept)
    choose(page, farm)
    drawn = page.locator(".layer-chosen")
    assert [city.get_attribute("data-feature") for city in drawn.locator(".counted-city").all()] == finished
    assert {city.get_attribute("data-feature") for city in drawn.locator(".open-city").all()} == set(unfinished)
    names = {own.id: own.name for own in made.report.features}
    assert drawn.locator(".city-name").all_text_contents() == [names[city] for city in finished]
    assert drawn.locator(".open-note").all_text_contents() == ["not finished"] * len(unfinished)
    listed = page.locator("#card .touched .counts .chip")
    assert [one.get_attribute("data-feature") for one in listed.all()] == finished
    assert [one.inner_text().partition("\n")[0] for one in listed.all()] == [f"city {names[city]}" for city in finished]
    assert "finished city counts for the farm" in page.locator("#card .sentences").inner_text()


def test_coats_of_arms_and_open_ends_are_drawn_at_their_place(made: Made, opened: Open) -> None:
    accounts = [one for one in explain(made)["features"] if one["kind"] == "city" and one["marks"] and one["open_ends"]]
    account = max(accounts, key=lambda one: len(str(one["marks"])))
    page = opened(made.url, PHONE, made.kept)
    choose(page, str(account["id"]))
    page.wait_for_timeout(500)
    coats, ends = page.locator(".layer-chosen .coat"), page.locator(".layer-chosen .open-end")
    assert isinstance(account["marks"], list)
    assert isinstance(account["open_ends"], list)
    assert coats.count() == len(account["marks"])
    quads = {(tile.row, tile.col): Polygon(tile.corners_px or []) for tile in made.report.board.tiles}
    for coat, mark in zip(coats.all(), account["marks"], strict=True):
        assert quads[tuple(mark["tile"])].contains(Point(coat.evaluate(IN_PHOTO)))
    told = {(end.get_attribute("data-square"), end.get_attribute("data-side")) for end in ends.all()}
    assert told == {(f"{end['tile'][0]},{end['tile'][1]}", end["side"]) for end in account["open_ends"]}


def list_names_by_place(reading: Made) -> dict[tuple[tuple[int, int], str], str]:
    """Return the feature of each part of each tile, by its name for people."""
    squares = [name_square(reading.report, (tile.row, tile.col)) for tile in reading.report.board.tiles]
    told = httpx.get(f"{reading.api}/explanation", params={"square": squares}, timeout=120).raise_for_status().json()
    return {(tuple(one["tile"]), part["place"]): part["name"] for one in told["squares"] for part in one["parts"]}


def test_features_keep_their_names_after_a_correction_elsewhere(reading: Made, opened: Open) -> None:
    """Running numbers count on from another road; the names on the page stay, except for features of that tile."""
    before, report = list_names_by_place(reading), reading.report
    rows, cols = {tile.row for tile in report.board.tiles}, {tile.col for tile in report.board.tiles}
    inner = [tile for tile in report.board.tiles if tile.row > min(rows) and tile.col > min(cols)]
    lost = next(
        tile for tile in inner if any(f.kind == "road" and (tile.row, tile.col) in f.tiles for f in report.features)
    )
    touched = {name for (square, _), name in before.items() if square == (lost.row, lost.col)}
    unknown = {"kind": "tile", "row": lost.row, "col": lost.col, "tile": None}
    httpx.patch(
        reading.api, json={"corrections": [unknown]}, headers={"Authorization": f"Bearer {reading.token}"}, timeout=120
    ).raise_for_status()
    after, ids = list_names_by_place(reading), {one.name: one.id for one in report.features}
    assert {place: name for place, name in before.items() if name not in touched} == {
        place: name for place, name in after.items() if before[place] not in touched
    }
    now = reading.report
    assert any(ids.get(one.name, one.id) != one.id for one in now.features), "the running numbers did shift"
    page = opened(reading.url, kept=reading.kept)
    page.locator("summary", has_text="Every road").click()
    chips = page.locator("#features .chip")
    shown = {chip.get_attribute("data-feature"): chip.locator("b").last.inner_text() for chip in chips.all()}
    assert shown == {one.id: one.name for one in now.features}
    paid = next(entry for entry in now.scores.entries if entry.feature)
    name = next(one.name for one in now.features if one.id == paid.feature)
    row = page.locator(f'#entries .row[data-feature="{paid.feature}"]').first
    expect(row).to_contain_text(name)
    row.click()
    expect(page.locator("#card-title")).to_contain_text(name)


def outvote(reading: Made, farm: str) -> Report:
    """Add a big red meeple to a farm, so that its holder gets nothing."""
    square = next(feature.tiles[0] for feature in reading.report.features if feature.id == farm)
    (there,) = explain(reading, square=name_square(reading.report, square))["squares"]
    parts = there["parts"]
    assert isinstance(parts, list)
    place = next(part["place"] for part in parts if part["feature"] == farm)
    piece = {"kind": "meeple", "square": square, "place": place, "colour": "red", "piece": "big"}
    answer = httpx.patch(
        reading.api, json={"corrections": [piece]}, headers={"Authorization": f"Bearer {reading.token}"}, timeout=120
    )
    answer.raise_for_status()
    return reading.report


def test_players_without_points_are_shown_with_0_and_the_reason(reading: Made, opened: Open) -> None:
    farm, *_ = find_farm(reading)
    (loser,) = next(feature.meeples for feature in reading.report.features if feature.id == farm)
    report = outvote(reading, farm)
    assert [(one.player, one.feature, one.reason) for one in report.scores.nothing] == [(loser, farm, "outvoted")]
    page = opened(reading.url, kept=reading.kept)
    assert "0" in page.locator(".layer-points .label").all_text_contents()
    row = page.locator(f'#entries .row[data-feature="{farm}"]', has_text="gets nothing")
    assert row.locator(".points").inner_text() == "0"
    row.click()
    sentences = page.locator("#card .sentences")
    expect(sentences).to_contain_text("A big meeple counts as two.")
    expect(sentences).to_contain_text("Red has the majority, 2 to 1.")
    expect(sentences).to_contain_text(f"{loser.capitalize()} gets nothing, with 1 against 2")
    strengths = page.locator(".layer-chosen .strength")
    assert sorted(strengths.all_text_contents()) == ["1", "2"]
    assert page.locator(".layer-chosen .strength.majority").all_text_contents() == ["2"]
    german = opened(reading.url, kept=reading.kept, locale="de-AT")
    german.locator(f'#entries .row[data-feature="{farm}"]').first.click()
    expect(german.locator("#card .sentences")).to_contain_text("Ein großer Meeple zählt doppelt.")


def test_rulers_number_rows_and_columns_from_1_at_the_top_left_tile(made: Made, opened: Open) -> None:
    page = opened(made.url, PHONE, made.kept)
    assert page.locator(".ruler").count() == 0
    page.get_by_role("button", name="Rows and columns").click()
    tiles = made.report.board.tiles
    rows, cols = {tile.row for tile in tiles}, {tile.col for tile in tiles}
    columns = page.locator(".ruler.column")
    assert columns.all_text_contents() == [str(n) for n in range(1, max(cols) - min(cols) + 2)]
    assert page.locator(".ruler.row").all_text_contents() == [str(n) for n in range(1, max(rows) - min(rows) + 2)]
    places = [mark.evaluate(IN_PHOTO) for mark in columns.all()]
    assert [x for x, _ in places] == sorted(x for x, _ in places)
    page.wait_for_timeout(500)
    for mark in page.locator(".ruler").all():
        box = mark.bounding_box()
        assert box is not None
        assert box["x"] >= -1
    page.get_by_role("button", name="Rows and columns").click()
    assert page.locator(".ruler").count() == 0


def test_the_picture_of_one_dispute_is_downloaded(made: Made, opened: Open) -> None:
    farm, *_ = find_farm(made)
    page = opened(made.url, kept=made.kept)
    choose(page, farm)
    with page.expect_download() as download:
        page.get_by_role("link", name="Picture to print").click()
    assert download.value.suggested_filename == f"wondertally-{farm}.png"
    assert download.value.path().read_bytes().startswith(b"\x89PNG")
    missing = httpx.get(f"{made.api}/explanation.png", params={"feature": "R99"}, timeout=120)
    assert (missing.status_code, missing.json()["error"]["code"]) == (404, "no_such_feature")
