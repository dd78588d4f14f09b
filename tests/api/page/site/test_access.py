"""The page is usable with poor sight, enlarged, or without a mouse: in its states, themes and sizes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.api.page.browser import PHONE
from tests.api.page.conftest import Made, Open
from tests.api.page.desk.cup import Cup, as_owner, make_cup
from tests.api.page.hands import faults
from tests.api.serving import Running

DESK_SIZE: Mapping[str, Any] = {"viewport": {"width": 1440, "height": 900}}
NARROW: Mapping[str, Any] = {"viewport": {"width": 320, "height": 640}, "has_touch": True, "is_mobile": True}
ZOOMED: Mapping[str, Any] = {"viewport": {"width": 720, "height": 450}, "device_scale_factor": 2}
"""The desk's size at 200 %: half as many pixels of the page, each twice as large."""

TABS_MOST = 120

CUT = """() => {
  const intended = ".scrolled, .chosen, .viewer, .hidden, .skip, input, select, datalist, script, style";
  const shown = (own) => own.checkVisibility({ opacityProperty: true, visibilityProperty: true });
  const counts = (own) => !own.closest(intended) && !(own instanceof SVGElement) && shown(own);
  const name = (own) => `${own.tagName.toLowerCase()}#${own.id}.${own.getAttribute("class") ?? ""}`;
  const root = document.querySelector("dialog[open]") ?? document.body;
  const isWindow = (own) => own === document.documentElement || own === document.body;
  const found = [];
  for (const own of [document.documentElement, document.body, root, ...root.querySelectorAll("*")]) {
    const bounded = isWindow(own) || getComputedStyle(own).overflowX !== "visible";
    if (bounded && counts(own) && own.scrollWidth > own.clientWidth + 1)
      found.push(`scrolls sideways: ${name(own)} ${own.scrollWidth} > ${own.clientWidth}`);
  }
  const scrolls = (own) => ["auto", "scroll"].includes(getComputedStyle(own).overflowY);
  function cutBy(own, { left, right, top, bottom }, scrolled) {
    const { overflowX, overflowY } = getComputedStyle(own), box = own.getBoundingClientRect();
    const aside = overflowX !== "visible" || own.matches("button, .button, .choice");
    if (aside && (left < box.left - 1 || right > box.right + 1)) return true;
    return !scrolled && ["hidden", "clip"].includes(overflowY) && (top < box.top - 2 || bottom > box.bottom + 2);
  }
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const holder = text.parentElement, range = document.createRange();
    if (!text.data.trim() || !counts(holder)) continue;
    range.selectNodeContents(text);
    const what = `${name(holder)} "${text.data.trim().slice(0, 40)}"`;
    for (const box of range.getClientRects()) {
      if (box.width && (box.left < -1 || box.right > innerWidth + 1)) found.push(`beyond the window: ${what}`);
      let scrolled = false;
      for (let own = holder; box.width && own && !isWindow(own); own = own.parentElement) {
        if (cutBy(own, box, scrolled)) found.push(`cut by ${name(own)}: ${what}`);
        scrolled ||= scrolls(own);
      }
    }
  }
  return [...new Set(found)];
}"""

SEEN = """() => {
  const own = document.activeElement;
  if (!own || own === document.body) return "the focus is lost";
  const whole = own.closest("label") ?? own, name = whole.outerHTML.slice(0, 160);
  const outlined = ({ outlineStyle, outlineWidth }) => outlineStyle !== "none" && parseFloat(outlineWidth) >= 2;
  if (!outlined(getComputedStyle(own)) && !outlined(getComputedStyle(whole))) return `nothing shows the focus: ${name}`;
  const { left, right, top, bottom } = whole.getBoundingClientRect();
  const middle = (from, to, most) => (Math.max(from, 0) + Math.min(to, most)) / 2;
  if (top >= innerHeight || bottom <= 0) return `out of the window: ${name}`;
  const over = document.elementFromPoint(middle(left, right, innerWidth), middle(top, bottom, innerHeight));
  return whole.contains(over) ? null : `covered: ${name} by ${over?.outerHTML.slice(0, 80)}`;
}"""


@pytest.fixture(scope="module")
def cup(server: Running) -> Cup:
    return make_cup(server)


def visit_states(
    made: Made, cup: Cup, opened: Open, device: Mapping[str, Any], **options: Any
) -> Iterator[tuple[str, Page]]:
    """Visit the page in one state after the other, each by its name."""
    page = opened(made.url, device, made.kept, **options)
    yield "the result", page
    page.locator("#questions .primary").click()
    page.locator(".question-card .answer").first.wait_for()
    yield "a question", page
    page.keyboard.press("Escape")
    page.locator(".question-card").wait_for(state="detached")
    row, col = made.report.board.meeples[0].tile
    page.locator("details:has(#squares) > summary").click()
    page.locator(f'#squares [data-square="{row},{col}"]').click()
    page.locator("dialog .tile").first.wait_for()
    yield "the sheet of a tile", page
    page.locator("dialog .here .chip").first.click()
    page.locator("dialog .meeple-form").wait_for()
    yield "the sheet of a piece", page
    page.goto(made.url.partition("/r/")[0])
    page.locator("#readings a").wait_for()
    yield "the first page", page
    yield "the desk", as_owner(cup, opened, device, **options)


@pytest.mark.parametrize(
    ("device", "scheme"),
    [
        pytest.param(PHONE, "light", id="phone-light"),
        pytest.param(PHONE, "dark", id="phone-dark", marks=pytest.mark.soak),
        pytest.param(DESK_SIZE, "light", id="desktop-light", marks=pytest.mark.soak),
        pytest.param(DESK_SIZE, "dark", id="desktop-dark", marks=pytest.mark.soak),
    ],
)
def test_axe_finds_no_serious_fault_in_any_state(
    made: Made, cup: Cup, opened: Open, device: Mapping[str, Any], scheme: str
) -> None:
    states = visit_states(made, cup, opened, device, color_scheme=scheme)
    assert {state: found for state, page in states if (found := faults(page))} == {}


@pytest.mark.parametrize(
    ("device", "locale"),
    [
        pytest.param(NARROW, "en-GB", id="narrow-en", marks=pytest.mark.soak),
        pytest.param(NARROW, "de-DE", id="narrow-de"),
        pytest.param(NARROW, "ro-RO", id="narrow-ro", marks=pytest.mark.soak),
        pytest.param(ZOOMED, "en-GB", id="zoomed-en", marks=pytest.mark.soak),
        pytest.param(ZOOMED, "de-DE", id="zoomed-de"),
        pytest.param(ZOOMED, "ro-RO", id="zoomed-ro", marks=pytest.mark.soak),
    ],
)
def test_narrow_or_enlarged_nothing_scrolls_sideways_and_no_text_is_cut(
    made: Made, cup: Cup, opened: Open, device: Mapping[str, Any], locale: str
) -> None:
    states = visit_states(made, cup, opened, device, locale=locale)
    assert {state: found for state, page in states if (found := page.evaluate(CUT))} == {}


def tab_to(page: Page, selector: str) -> None:
    """Press Tab until the focus is on the target; it is visible wherever it is meanwhile."""
    for _ in range(TABS_MOST):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement !== document.body"):  # behind the last one is the browser itself
            assert page.evaluate(SEEN) is None
        if page.locator(":focus").and_(page.locator(selector)).count():
            return
    pytest.fail(f"Tab does not come to {selector}.")


def expect_focus(page: Page, selector: str) -> None:
    expect(page.locator(selector)).to_be_focused()
    assert page.evaluate(SEEN) is None


def test_a_reading_is_looked_at_answered_corrected_and_shared_by_keyboard_alone(
    fresh_reading: Made, opened: Open
) -> None:
    page = opened(fresh_reading.url, DESK_SIZE, fresh_reading.kept)
    square = "#squares .map-square:not(.empty)"
    tab_to(page, "#entries .row")
    page.keyboard.press("Enter")
    expect_focus(page, ".feature-card #card-title")
    tab_to(page, "#questions .primary")
    page.keyboard.press("Enter")
    expect_focus(page, ".question-card #card-title")
    tab_to(page, ".question-card li:nth-child(2) .answer")
    page.keyboard.press("Enter")
    expect(page.locator("#undo")).to_be_enabled()
    expect_focus(page, ".question-card #card-title")
    page.keyboard.press("Escape")
    expect_focus(page, "#viewer")

    tab_to(page, "details:has(#squares) > summary")
    page.keyboard.press("Enter")
    tab_to(page, square)
    place = page.locator(":focus").get_attribute("data-square")
    page.keyboard.press("Enter")
    page.get_by_role("dialog").wait_for()
    tab_to(page, "dialog .tile[aria-pressed=false]")
    page.keyboard.press("Enter")
    tab_to(page, "dialog .sheet-actions .primary")
    page.keyboard.press("Enter")
    page.locator("dialog").wait_for(state="detached")
    expect_focus(page, f'#squares [data-square="{place}"]')
    assert len(fresh_reading.get()["corrections"]) == 2

    tab_to(page, "#undo")
    for pressed, other, counts in (("#undo", "#redo", (1, 0)), ("#redo", "#undo", (1, 2))):
        expect_focus(page, pressed)
        for left in counts:
            with page.expect_response(lambda answer: answer.request.method == "PATCH"):
                page.keyboard.press("Enter")
            expect(page.locator(other)).to_be_enabled()
            assert len(fresh_reading.get()["corrections"]) == left
        expect(page.locator(pressed)).to_be_disabled()
        expect_focus(page, other)

    tab_to(page, "#share")
    page.keyboard.press("Enter")
    page.get_by_role("dialog").wait_for()
    tab_to(page, "dialog .files a")
    page.keyboard.press("Escape")
    page.locator("dialog").wait_for(state="detached")
    expect_focus(page, "#share")


def test_a_sheet_never_leaves_the_focus_on_nothing(reading: Made, opened: Open) -> None:
    """Its opener may be gone or disabled by then: a square in a card, the button that dropped all corrections."""
    page = opened(reading.url, DESK_SIZE, reading.kept)
    tab_to(page, "#entries .row")
    page.keyboard.press("Enter")
    tab_to(page, ".feature-card .squares button")
    page.keyboard.press("Enter")
    page.get_by_role("dialog").wait_for()
    tab_to(page, "dialog .tile[aria-pressed=false]")
    page.keyboard.press("Enter")
    tab_to(page, "dialog .sheet-actions .primary")
    page.keyboard.press("Enter")
    page.locator("dialog").wait_for(state="detached")
    expect_focus(page, "#viewer")
    tab_to(page, "#reset")
    page.keyboard.press("Enter")
    page.get_by_role("dialog").wait_for()
    tab_to(page, "dialog .danger")
    page.keyboard.press("Enter")
    page.locator("dialog").wait_for(state="detached")
    expect(page.locator("#reset")).to_be_disabled()
    expect_focus(page, "#viewer")
