"""The sheets for corrections: they show their subject, offer the likely choices, and ask before data is lost."""

from __future__ import annotations

import re

import httpx2 as httpx
import pytest
from playwright.sync_api import Locator, Page, expect

from tests.api.page.browser import PHONE, Watch
from tests.api.page.conftest import Made, Open
from tests.api.page.hands import faults, points_on, tap

PAINTED = """canvas => {
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  const mean = (at) => data.filter((_, n) => n % 4 === at).reduce((sum, own) => sum + own, 0) / (data.length / 4);
  return [data.length / 4, mean(0), mean(1), mean(2), mean(3)];
}"""
TRANSPARENT = ("rgba(0, 0, 0, 0)", "transparent")


def open_square(page: Page, tile: object) -> Locator:
    page.locator("summary", has_text="Every square").click()
    page.locator(f'#squares [data-square="{tile.row},{tile.col}"]').click()  # type: ignore[attr-defined]
    sheet = page.get_by_role("dialog")
    sheet.wait_for()
    return sheet


def correct_elsewhere(made: Made, correction: dict[str, object], who: str = "") -> None:
    """Correct the reading as another person with the right to do so."""
    headers = {"Authorization": f"Bearer {made.token}", "X-Wondertally-Who": who}
    httpx.patch(made.api, json={"corrections": [correction]}, headers=headers, timeout=120).raise_for_status()


def test_the_sheet_of_a_piece_shows_its_picture_and_colours_in_play_first(reading: Made, opened: Open) -> None:
    page = opened(reading.url, PHONE, kept=reading.kept)
    piece = reading.report.board.meeples[0]
    page.get_by_role("button", name="Correct").tap()
    assert piece.foot_px
    tap(page, piece.foot_px, touch=True)
    canvas = page.locator(".piece-photo canvas")
    canvas.wait_for()
    page.wait_for_function("() => document.querySelector('.piece-photo canvas').width === 448")
    page.wait_for_timeout(300)
    pixels, *mean = canvas.evaluate(PAINTED)
    assert pixels == 448 * 448
    assert mean[3] > 250
    assert max(mean[:3]) > 30
    colours = page.locator('input[name="colour"]').evaluate_all("all => all.map(one => one.value)")
    playing = reading.report.rules.players
    assert colours[: len(playing)] == playing
    assert faults(page) == []


def test_reset_asks_before_corrections_are_dropped(reading: Made, opened: Open) -> None:
    tile = reading.report.board.tiles[0]
    correct_elsewhere(reading, {"kind": "player", "colour": reading.report.rules.players[0], "name": "Zoë"})
    page = opened(reading.url, kept=reading.kept)
    page.get_by_role("button", name="Reset", exact=True).click()
    page.get_by_role("button", name="Keep the corrections").click()
    assert len(reading.get()["corrections"]) == 1
    page.get_by_role("button", name="Reset", exact=True).click()
    assert faults(page) == []
    page.get_by_role("button", name="Reset now").click()
    expect(page.locator("#reset")).to_be_disabled()
    assert reading.get()["corrections"] == []
    assert tile.tile == reading.report.board.tiles[0].tile


def test_the_list_of_all_tiles_is_filtered_by_ticked_features(reading: Made, opened: Open) -> None:
    page = opened(reading.url, PHONE, kept=reading.kept)
    catalogue = httpx.get(f"{reading.api.partition('/v1/')[0]}/v1/tiles").json()["tiles"]
    sheet = open_square(page, reading.report.board.tiles[0])
    sheet.get_by_role("button", name="Show all tiles").click()
    expect(sheet.locator(".tile")).to_have_count(len(catalogue))
    assert faults(page) == []
    sheet.get_by_role("checkbox", name="a coat of arms").check()
    sheet.get_by_role("checkbox", name="a road").check()
    both = [own["id"] for own in catalogue if own["coats_of_arms"] and "road" in own["edges"].values()]
    assert 0 < len(both) < len(catalogue) / 4
    expect(sheet.locator(".tile")).to_have_count(len(both))
    assert {tile.get_attribute("data-tile") for tile in sheet.locator(".tile").all()} == set(both)
    sheet.get_by_role("checkbox", name="a road").uncheck()
    expect(sheet.locator(".tile")).to_have_count(sum(own["coats_of_arms"] > 0 for own in catalogue))


def test_a_tile_of_another_box_is_chosen_and_counts_as_land(fresh_reading: Made, opened: Open) -> None:
    page = opened(fresh_reading.url, PHONE, kept=fresh_reading.kept)
    tile = fresh_reading.report.board.tiles[0]
    sheet = open_square(page, tile)
    sheet.get_by_role("button", name="Show all tiles").click()
    sheet.get_by_role("button", name="Tiles of other boxes").click()
    sheet.get_by_label("Box").select_option("Abbey & Mayor")
    expect(sheet.locator(".tile")).to_have_count(14)
    assert faults(page) == []
    sheet.locator('[data-tile="AM/A"]').click()
    sheet.get_by_role("button", name="Change to this tile").click()
    sheet.wait_for(state="detached")
    assert "(AM/A)0" in fresh_reading.get()["report"]["board"]["notation"]
    expect(page.locator(f'#squares [data-square="{tile.row},{tile.col}"]')).to_have_attribute(
        "aria-label", re.compile("monastery")
    )


@pytest.mark.parametrize("scheme", [pytest.param("light", marks=pytest.mark.soak), "dark"])
def test_every_button_of_a_sheet_has_a_background(made: Made, opened: Open, scheme: str) -> None:
    page = opened(made.url, PHONE, kept=made.kept, color_scheme=scheme)
    sheet = open_square(page, made.report.board.tiles[0])
    grounds = sheet.locator("button").evaluate_all("all => all.map(one => getComputedStyle(one).backgroundColor)")
    assert len(grounds) > 6
    assert not set(grounds) & set(TRANSPARENT)


def test_a_conflict_shows_who_changed_what(reading: Made, opened: Open, watch: Watch) -> None:
    page = opened(reading.url, kept=reading.kept)
    tile = next(own for own in reading.report.board.tiles if not own.doubtful)
    correct_elsewhere(reading, {"kind": "confirm", "about": "tile", "row": tile.row, "col": tile.col}, "Zo%C3%AB")
    with page.expect_response(lambda answer: answer.request.method == "PATCH") as refused:
        page.get_by_role("button", name="Players").click()
        page.get_by_role("dialog").locator("input").first.fill("Ana")
        page.get_by_role("dialog").get_by_role("button", name="Save").click()
    assert refused.value.status == 409
    error = page.locator(".sheet-actions > .sheet-error")
    expect(error).to_contain_text("Zoë was quicker")
    tiles = reading.report.board.tiles
    row, col = tile.row - min(own.row for own in tiles) + 1, tile.col - min(own.col for own in tiles) + 1
    expect(error).to_contain_text(f"row {row}, column {col}")
    assert points_on(page)
    watch.faults.clear()  # the browser itself logs the refusal


@pytest.mark.soak
def test_an_unchanged_value_adds_no_undo_step_and_the_buttons_stay_correct(fresh_reading: Made, opened: Open) -> None:
    page = opened(fresh_reading.url, PHONE, kept=fresh_reading.kept)
    tile = next(tile for tile in fresh_reading.report.board.tiles if tile.tile and not tile.doubtful)
    undo, redo, reset = (page.locator(f"#{name}") for name in ("undo", "redo", "reset"))
    square = page.locator(f'#squares [data-square="{tile.row},{tile.col}"]')
    page.locator("summary", has_text="Every square").click()
    for told in ("", "Nothing has changed.", "Nothing has changed."):
        square.click()
        sheet = page.get_by_role("dialog")
        sheet.get_by_role("button", name="This is right").click()
        sheet.wait_for(state="detached")
        expect(page.locator("#told")).to_have_text(told)
        expect(undo).to_be_enabled()
    undo.tap()
    expect(undo).to_be_disabled()
    expect(redo).to_be_enabled()
    expect(reset).to_be_disabled()
    redo.tap()
    expect(redo).to_be_disabled()
    expect(undo).to_be_enabled()
    expect(reset).to_be_enabled()
    assert len(fresh_reading.get()["corrections"]) == 1
