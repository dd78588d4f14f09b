"""The page as people use it, in a real browser, with the real server and nets behind it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import httpx2 as httpx
import pytest
from playwright.sync_api import expect
from shapely import Point, Polygon

from api.carcassonne.corrections.url_fragment import decode_fragment
from api.carcassonne.explain.accounts import build_explanation
from api.carcassonne.explain.source import Source
from api.documents.table_options import Question
from scoring.carcassonne.board.notation import parse_notation
from scoring.carcassonne.final.rulesets import TODAY
from tests.api.page.browser import ON_PHONE_AND_DESKTOP, PHONE
from tests.api.page.conftest import Made, Open
from tests.api.page.hands import IN_PHOTO, come_to_rest, faults, is_change, points_on, tap

FIRST_PAINT_MOST = 50_000
SHARES_FILES = """navigator.canShare = ({ files }) => files.length > 0;
navigator.share = async ({ files }) => {
  window.shared = files.map(({ name, type, size }) => ({ name, type, size }));
};"""


def test_a_photo_is_sent_and_read_in_stages_and_the_page_has_the_reports_points(made: Made) -> None:
    assert len(made.stages) == 7
    assert "Finding the meeples" in made.stages
    for player, points in made.report.scores.final_scoring.items():
        assert str(points) in made.page
        assert player in made.page.lower()


@ON_PHONE_AND_DESKTOP
def test_squares_of_a_tapped_road_are_numbered_in_walking_order(
    made: Made, opened: Open, device: Mapping[str, Any]
) -> None:
    page, report = opened(made.url, device, made.kept), made.report
    road = max((f for f in report.features if f.kind == "road" and f.meeples), key=lambda f: f.size)
    shape = Polygon((road.outline_px or [])[0]).representative_point()
    tap(page, (shape.x, shape.y), touch=device is PHONE)
    page.get_by_role("heading", name=f"Road {road.id}").wait_for()
    page.wait_for_timeout(600)
    numbers = page.locator(".world svg .number")
    explanation, _ = build_explanation(
        Source(parse_notation(report.board.notation), report, TODAY), Question((road.id,))
    )
    walked = [f"{row},{col}" for row, col in explanation.features[0].tiles]
    assert len(walked) == road.size > 2
    assert numbers.all_text_contents() == [str(n) for n in range(1, road.size + 1)]
    assert [number.get_attribute("data-square") for number in numbers.all()] == walked
    quads = {f"{t.row},{t.col}": Polygon(t.corners_px or []) for t in report.board.tiles}
    for square, number in zip(walked, numbers.all(), strict=True):
        assert quads[square].contains(Point(number.evaluate(IN_PHOTO)))
    card = page.locator("#card")
    assert f"{road.size} tiles" in card.inner_text()
    first_row, first_col = report.board.origin
    names = [f"row {row - first_row + 1}, column {col - first_col + 1}" for row, col in explanation.features[0].tiles]
    assert card.locator(".squares button").all_inner_texts() == names


def test_answering_a_doubt_rescores_at_once_and_asks_the_next(reading: Made, opened: Open) -> None:
    questions = reading.get()["questions"]
    page = opened(reading.url, kept=reading.kept)
    page.get_by_role("button", name="Show me").click()
    answers = page.locator(".question-card .answer")
    answers.first.wait_for()
    assert answers.count() == len(questions[0]["choices"])
    answers.nth(1).click()
    expect(page.locator("#told")).to_contain_text("Counted again")
    promised = questions[0]["choices"][1]["final_scoring"]
    assert points_on(page) == {player: n for player, n in promised.items() if player in points_on(page)}
    changed = reading.get()
    assert changed["corrections"] == [questions[0]["choices"][1]["correction"]]
    left = page.locator(".question-card").count()
    assert left == (1 if changed["questions"] else 0)


@pytest.mark.soak
def test_answering_not_sure_leaves_a_question_open_and_changes_nothing(made: Made, opened: Open) -> None:
    page = opened(made.url, kept=made.kept)
    page.get_by_role("button", name="Show me").click()
    for _ in made.get()["questions"]:
        page.get_by_role("button", name="I am not sure").click()
    page.get_by_text("still open").wait_for()
    assert made.get()["corrections"] == []


def test_a_tile_is_corrected_by_keyboard_and_the_correction_taken_back(reading: Made, opened: Open) -> None:
    page = opened(reading.url, kept=reading.kept)
    before, words = points_on(page), page.locator("#totals").inner_text()
    tile = next(t for t in reading.report.board.tiles if t.letter == "C")
    page.locator("summary", has_text="Every square").press("Enter")
    page.locator(f'#squares [data-square="{tile.row},{tile.col}"]').press("Enter")
    sheet = page.get_by_role("dialog")
    sheet.get_by_role("button", name="No tile here").press("Enter")
    sheet.wait_for(state="detached")
    assert len(reading.report.board.tiles) == len([*page.locator("#squares .map-square:not(.empty)").all()])
    assert points_on(page) == reading.report.scores.final_scoring != before
    page.keyboard.press("Control+z")
    expect(page.locator("#totals")).to_have_text(words, use_inner_text=True)
    assert points_on(page) == before
    page.keyboard.press("Control+Shift+Z")
    expect(page.locator("#redo")).to_be_disabled()
    assert points_on(page) == reading.report.scores.final_scoring != before
    page.locator("#rulers").focus()
    page.keyboard.press("Tab")  # the tools come right after the picture
    expect(page.locator("#undo")).to_be_focused()


@pytest.mark.soak
def test_tapping_another_fitting_tile_sets_it(reading: Made, opened: Open) -> None:
    page = opened(reading.url, PHONE, reading.kept)
    tile = next(t for t in reading.report.board.tiles if t.doubtful)
    middle = Polygon(tile.corners_px or []).centroid
    page.get_by_role("button", name="Correct").tap()
    tap(page, (middle.x, middle.y), touch=True)
    sheet = page.get_by_role("dialog")
    pressed = sheet.locator('.tile[aria-pressed="true"]')
    pressed.wait_for()
    assert sheet.locator(".primary:visible").all_inner_texts() == ["This is right"]
    assert pressed.get_attribute("data-tile") == tile.tile
    other = sheet.locator('.tile[aria-pressed="false"]').first
    chosen, turns = other.get_attribute("data-tile"), other.get_attribute("data-turns")
    other.tap()
    assert sheet.locator(".primary:visible").all_inner_texts() == ["Change to this tile"]
    sheet.get_by_role("button", name="Change to this tile").tap()
    sheet.wait_for(state="detached")
    (now,) = [t for t in reading.report.board.tiles if (t.row, t.col) == (tile.row, tile.col)]
    assert (now.tile, str(now.turns), now.set_by_person, now.doubtful) == (chosen, turns, True, False)
    assert page.locator(".layer-set .tick").count() == 1


@pytest.mark.soak
def test_a_pieces_colour_is_corrected(reading: Made, opened: Open) -> None:
    page, meeple = opened(reading.url, kept=reading.kept), reading.report.board.meeples[0]
    row, col = meeple.tile
    page.locator("summary", has_text="Every square").click()
    page.locator(f'#squares [data-square="{row},{col}"]').click()
    page.get_by_role("dialog").get_by_role("button", name=f"{meeple.colour} · meeple").click()
    sheet = page.get_by_role("dialog", name="A piece at")
    sheet.get_by_role("radio", name="green").check()
    sheet.get_by_role("button", name="Change the piece").click()
    sheet.wait_for(state="detached")
    (now,) = [piece for piece in reading.report.board.meeples if piece.id == meeple.id]
    assert (now.colour, now.tile, now.feature, now.set_by_person) == ("green", meeple.tile, meeple.feature, True)
    assert page.locator('#totals tr[data-player="green"]').count() == 1


@ON_PHONE_AND_DESKTOP
def test_the_drawn_board_stands_beside_the_photo_and_is_tapped_like_it(
    reading: Made, opened: Open, device: Mapping[str, Any]
) -> None:
    """A road is explained, a doubt asked about, and a piece moved by taps on the drawing."""
    page, touch = opened(reading.url, device, reading.kept), device is PHONE
    drawn = httpx.get(f"{reading.api}/report.json?drawn=true").raise_for_status().json()
    page.get_by_role("button", name="Photo and drawn board").click()
    expect(page.locator("#drawn .drawn-board img")).to_have_count(len(drawn["board"]["tiles"]))
    boxes = [page.locator(name).bounding_box() for name in ("#viewer", "#drawn")]
    (left, wide), (right, _) = [(box["x"], box["width"]) for box in boxes if box]
    assert left + wide <= right < device["viewport"]["width"]
    page.locator("#zoom-in").click()
    page.locator("#zoom-fit").click()
    come_to_rest(page)
    road = max((f for f in drawn["features"] if f["kind"] == "road" and f["meeples"]), key=lambda f: f["size"])
    tap(page, inner_point(road), touch, "#drawn")
    page.get_by_role("heading", name=f"Road {road['id']}").wait_for()
    for frame in ("#viewer", "#drawn"):
        expect(page.locator(f"{frame} .world svg .number")).to_have_count(road["size"])

    page.get_by_role("button", name="Drawn board", exact=True).click()
    expect(page.locator("#viewer")).to_be_hidden()
    page.get_by_role("button", name="Close").click()
    come_to_rest(page)
    row, col = drawn["doubts"][0]["square"]
    doubted = next(tile for tile in drawn["board"]["tiles"] if (tile["row"], tile["col"]) == (row, col))
    (left, top), (right, _) = min(doubted["corners_px"]), max(doubted["corners_px"])
    tap(page, (left + 0.87 * (right - left), top + 0.15 * (right - left)), touch, "#drawn")
    page.get_by_role("button", name="I am not sure").wait_for()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Correct").click()
    come_to_rest(page)
    meeple = next(piece for piece in drawn["board"]["meeples"] if piece["feature"])
    city = next(f for f in drawn["features"] if f["kind"] == "city" and meeple["tile"] not in f["tiles"])
    tap(page, meeple["foot_px"], touch, "#drawn")
    sheet = page.get_by_role("dialog", name="A piece at")
    sheet.get_by_role("button", name="On another square").click()
    come_to_rest(page)
    tap(page, inner_point(city), touch, "#drawn")
    sheet.get_by_role("button", name="Change the piece").click()
    sheet.wait_for(state="detached")
    (now,) = [piece for piece in reading.report.board.meeples if piece.id == meeple["id"]]
    assert now.feature == city["id"]
    expect(page.locator("#drawn .meeple.by-person")).to_have_count(1)
    assert faults(page) == []


def inner_point(feature: Mapping[str, Any]) -> tuple[float, float]:
    """Return a point of a feature of a report."""
    point = Polygon(feature["outline_px"][0]).representative_point()
    return point.x, point.y


def test_the_link_to_a_dispute_opens_its_road(made: Made, opened: Open) -> None:
    road = next(feature for feature in made.report.features if feature.kind == "road")
    page = opened(f"{made.url}#{road.name}", PHONE)
    page.get_by_role("heading", name=f"Road {road.name}").wait_for()
    page.get_by_role("button", name="Link to this").tap()
    assert page.get_by_label(f"Link to {road.name}").input_value() == f"{made.url}#{road.name}"
    assert faults(page) == []
    page.keyboard.press("Escape")
    page.evaluate("location.hash = '#R99.99'")
    expect(page.locator("#told")).to_contain_text("There is no R99.99 on this board")


def test_names_and_track_points_give_totals(reading: Made, opened: Open) -> None:
    page = opened(reading.url, kept=reading.kept)
    (player, points), *others = reading.report.scores.final_scoring.items()
    expect(page.locator("#stage-told")).to_have_text("Opening the reading …")
    page.get_by_role("button", name="Players").click()
    sheet = page.get_by_role("dialog")
    sheet.get_by_label(f"Name of {player}").fill("Ana Pop")
    sheet.get_by_label(f"Score track: {player}").fill("42")
    sheet.get_by_role("button", name="Save").click()
    sheet.wait_for(state="detached")
    row = page.locator(f'#totals tr[data-player="{player}"]')
    assert row.locator("th").inner_text().strip() == "Ana Pop"
    assert row.locator("td").all_inner_texts() == ["42", str(points)], "no sum while others' points are missing"
    expect(page.locator("#told")).to_have_text(f"Added up: Ana Pop {42 + points}.")
    page.get_by_role("button", name="Players").click()
    for other, _ in others:
        sheet.get_by_label(f"Score track: {other}").fill("0")
    sheet.get_by_role("button", name="Save").click()
    sheet.wait_for(state="detached")
    assert row.locator("td").all_inner_texts() == ["42", str(points), str(42 + points)]
    expect(page.locator("#told")).to_contain_text("Added up:")
    assert "Counted again" not in page.locator("#told").inner_text()


@pytest.mark.soak
def test_points_that_are_typed_outlast_an_answer_and_other_peoples_changes(reading: Made, opened: Open) -> None:
    page = opened(reading.url, kept=reading.kept)
    player = next(iter(reading.report.scores.final_scoring))
    form = page.locator("#track")
    if not form.locator("details").evaluate("(own) => own.open"):
        form.locator("summary").first.click()
    page.get_by_role("button", name="Show me").click()
    form.locator("#another").select_option("pink")
    form.locator("#points-of-pink").fill("7")
    form.locator(f"#points-of-{player}").fill("12")
    with page.expect_response(is_change):
        page.locator(".question-card .answer").first.click()
    expect(page.locator("#undo")).to_be_enabled()
    expect(form.locator(f"#points-of-{player}")).to_have_value("12")
    expect(form.locator("#points-of-pink")).to_have_value("7")
    form.get_by_role("button", name="Add them up").click()
    expect(page.locator(f'#totals tr[data-player="{player}"] td').first).to_have_text("12")
    assert reading.report.scores.on_track[player] == 12
    page.locator("#undo").click()
    expect(form.locator(f"#points-of-{player}")).to_have_value("")


def test_a_shared_link_allows_corrections_only_with_its_owners_permission(reading: Made, opened: Open) -> None:
    other = opened(reading.url)
    assert points_on(other) == reading.report.scores.final_scoring
    assert not other.get_by_role("button", name="Correct").is_visible()
    page = opened(reading.url, kept=reading.kept)
    page.get_by_role("button", name="Share").click()
    assert page.get_by_label("Link to this reading").input_value() == reading.url
    with page.expect_response(lambda answer: answer.request.method == "PATCH"):
        page.get_by_role("switch").check()
    other.reload()
    other.get_by_role("button", name="Correct").wait_for()


def test_the_board_in_a_link_is_scored_without_any_reading(made: Made, opened: Open) -> None:
    page = opened(made.url, kept=made.kept)
    page.get_by_role("button", name="Share").click()
    link = page.get_by_label("The board in a link").input_value()
    assert decode_fragment(link.partition("#")[2]).notation == made.report.board.notation
    other = opened(link, PHONE)
    assert points_on(other) == made.report.scores.final_scoring
    assert other.locator(".drawn-board > *").count() == len(made.report.board.tiles)


def test_the_report_is_downloaded(made: Made, opened: Open) -> None:
    page = opened("about:blank", kept=made.kept)
    page.add_init_script(SHARES_FILES)  # a headless browser shares nothing
    page.goto(made.url)
    page.get_by_role("button", name="Share").click()
    day, names = str(made.get()["created"])[:10], set()
    for name, start in {"PDF": b"%PDF-", "JPEG": b"\xff\xd8", "CSV": b"", "JSON": b"{"}.items():
        with page.expect_download() as download:
            page.get_by_role("link", name=name).click()
        content = download.value.path().read_bytes()
        assert content.startswith(start)
        assert len(content) > 200
        file_name = download.value.suggested_filename  # as the server names them: by day and players
        assert file_name.startswith(f"Wondertally {day} "), file_name
        names.add(file_name.rpartition(".")[0])
        if name == "JPEG":
            picture = {"name": file_name, "type": "image/jpeg", "size": len(content)}
            assert len(content) < len(httpx.get(f"{made.api}/overlay.png", timeout=120).content) / 4
    assert len(names) == 1
    page.get_by_role("button", name="Share the photo with points").click()
    page.wait_for_function("() => window.shared")
    assert page.evaluate("window.shared") == [picture]


@pytest.mark.soak
def test_the_language_is_the_browsers_until_another_is_chosen(made: Made, opened: Open) -> None:
    page = opened(made.url, kept=made.kept, locale="de-AT")
    assert page.locator("h1:visible").inner_text() == "Schlusswertung, noch ohne Wertungstafel"
    page.locator('a[hreflang="ro"]').click()
    page.get_by_role("heading", name="Punctarea finală, fără tabela de scor").wait_for()
    page.goto(made.url.partition("/r/")[0])
    assert page.locator("html").get_attribute("lang") == "ro"


def test_errors_are_shown_in_words(opened: Open, address: str, watch: Any) -> None:
    page = opened(address)
    page.set_input_files("#gallery", {"name": "grey.png", "mimeType": "image/png", "buffer": b"no picture"})
    page.get_by_role("button", name="Count the points").click()
    problem = page.locator("#problem:not(:empty), #failed-why:not(:empty)")
    problem.wait_for()
    assert "picture" in problem.inner_text() or "image" in problem.inner_text()
    watch.faults.clear()  # the browser itself logs the refusal


def test_the_first_page_is_light(opened: Open, address: str) -> None:
    page = opened("about:blank")
    sizes: dict[str, int] = {}
    page.on("requestfinished", lambda request: sizes.update({request.url: request.sizes()["responseBodySize"]}))
    page.goto(address, wait_until="networkidle")
    assert len(sizes) > 5
    assert sum(sizes.values()) < FIRST_PAINT_MOST, sizes
