"""The page is usable with poor sight, enlarged, or without a mouse: in its states, themes and sizes."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urljoin

import httpx2 as httpx
import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from api.i18n import load_words
from api.i18n.tile_words import describe_tile
from api.languages import LANGUAGES
from api.page.phrases import load_phrases
from api.page.site import select_words
from scoring.carcassonne.board.board import Placement
from scoring.carcassonne.tiles.catalogue import load_full_catalogue
from tests.api.page.browser import PHONE
from tests.api.page.conftest import READ_MS, Made, Open
from tests.api.page.desk.tournament import Cup, as_owner, make_cup
from tests.api.page.hands import faults
from tests.api.serving import LEVEL, Running, error_in

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
    page.locator("#entries .row").first.click()
    page.locator(".feature-card h2").wait_for()
    yield "a feature", page
    page.keyboard.press("Escape")
    row, col = made.report.board.meeples[0].tile
    page.locator("details:has(#squares) > summary").click()
    page.locator(f'#squares [data-square="{row},{col}"]').click()
    page.locator("dialog .tile").first.wait_for()
    yield "the sheet of a tile", page
    page.locator("dialog .here .chip").first.click()
    page.locator("dialog .meeple-form").wait_for()
    yield "the sheet of a piece", page
    page.goto(made.url.partition("/r/")[0])
    page.locator("#readings a[href^='/r/']").wait_for()
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
def test_axe_finds_no_serious_fault_and_nobody_hears_a_tiles_code_in_any_state(
    made: Made, cup: Cup, opened: Open, device: Mapping[str, Any], scheme: str
) -> None:
    states = visit_states(made, cup, opened, device, color_scheme=scheme)
    found = {state: [*faults(page), *list_codes(page), *page.evaluate(BLUE)] for state, page in states}
    assert {state: faulty for state, faulty in found.items() if faulty} == {}


BLUE = """() => [...document.links]
    .filter((link) => ["rgb(0, 0, 238)", "rgb(158, 158, 255)"].includes(getComputedStyle(link).color))
    .map((link) => link.outerHTML)"""
"""Finds links in the browser's own colour, in the light and in the dark."""


def list_codes(page: Page) -> set[str]:
    """Return the codes of tiles in what a screen reader speaks of a page."""
    hints = page.locator("[title]").evaluate_all("all => all.map((one) => one.title)")
    spoken = "\n".join([page.locator("body").aria_snapshot(), *hints])
    return {layout.id for layout in load_full_catalogue() if layout.id in spoken}


@pytest.mark.parametrize(
    ("device", "locale"),
    [
        pytest.param(NARROW, "en-GB", id="narrow-en", marks=pytest.mark.soak),
        pytest.param(NARROW, "de-DE", id="narrow-de"),
        pytest.param(NARROW, "ro-RO", id="narrow-ro", marks=pytest.mark.soak),
        pytest.param(ZOOMED, "en-GB", id="zoomed-en", marks=pytest.mark.soak),
        pytest.param(ZOOMED, "de-DE", id="zoomed-de", marks=pytest.mark.soak),
        pytest.param(ZOOMED, "ro-RO", id="zoomed-ro", marks=pytest.mark.soak),
    ],
)
def test_narrow_or_enlarged_pages_neither_scroll_sideways_nor_cut_text(
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


def send_by_keyboard(page: Page) -> Made:
    """Choose a photo on the first page and send it without a mouse; return its reading."""
    tab_to(page, "#gallery")
    with page.expect_file_chooser() as chooser:
        page.keyboard.press("Enter")
    chooser.value.set_files(LEVEL)
    expect_focus(page, "#send")
    page.keyboard.press("Enter")
    page.wait_for_url("**/r/*")
    page.wait_for_selector("#result:not([hidden])", timeout=READ_MS)
    return Made(page.url, page.context.storage_state(), [], "")


def test_a_photo_is_sent_viewed_answered_corrected_and_shared_by_keyboard(address: str, opened: Open) -> None:
    page = opened(address, DESK_SIZE)
    fresh_reading = send_by_keyboard(page)
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


@pytest.mark.soak
def test_a_closed_sheet_always_leaves_the_focus_on_an_element(reading: Made, opened: Open) -> None:
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


RESULT_MOST = 400_000
DAY_SECONDS = 24 * 3600
DENSE = {**PHONE, "device_scale_factor": 3}


def test_a_phone_gets_a_small_photo_until_it_zooms_in(made: Made, opened: Open) -> None:
    page, sizes = opened("about:blank", DENSE, made.kept), dict[str, int]()
    page.on("requestfinished", lambda request: sizes.update({request.url: request.sizes()["responseBodySize"]}))
    page.goto(made.url, wait_until="networkidle")
    page.wait_for_selector("#result:not([hidden])")
    photo = page.locator(".world > img")
    (whole,) = made.get()["photos"]
    assert photo.evaluate("image => image.naturalWidth") == 1280 < whole["width"]
    assert sum(sizes.values()) < RESULT_MOST, sizes
    for _ in range(4):
        page.locator("#zoom-in").tap()
    expect(page.locator(".world > img")).to_have_js_property("naturalWidth", whole["width"])
    box = photo.bounding_box()
    assert box
    assert box["width"] > 390


def test_a_cached_photo_is_not_fetched_again(made: Made, opened: Open) -> None:
    """The page asks about its texts and scripts each time, and about a photo never again."""
    page, counts = opened("about:blank", PHONE, made.kept), [count_photo_requests(made)]
    for _ in range(3):
        page.goto(made.url, wait_until="networkidle")
        page.wait_for_selector(".world > img")
        counts.append(count_photo_requests(made))
    assert counts[1] > counts[0]
    assert counts[1:] == [counts[1]] * 3


def count_photo_requests(made: Made) -> float:
    """Count the requests for photos that the server has answered."""
    lines = httpx.get(urljoin(made.url, "/metrics")).text.splitlines()
    of_photos = [line for line in lines if line.startswith("wondertally_requests_total") and "/photo" in line]
    return sum(float(line.split()[-1]) for line in of_photos)


def test_only_the_owners_browser_may_cache_a_photo_for_ever(made: Made) -> None:
    for address in ("photo", "photo?width=640"):
        caching = httpx.get(f"{made.api}/{address}").headers["cache-control"].split(", ")
        assert {"private", "immutable"} <= {*caching}
        (seconds,) = [int(part.removeprefix("max-age=")) for part in caching if part.startswith("max-age=")]
        assert 20 * DAY_SECONDS < seconds <= 365 * DAY_SECONDS
    assert httpx.get(made.api).headers["cache-control"] == "no-store"


def test_a_photo_is_made_smaller_and_never_larger(made: Made) -> None:
    (whole,) = made.get()["photos"]
    full = httpx.get(f"{made.api}/photo").content
    for width in (64, 640, 1280, whole["width"]):
        data = httpx.get(f"{made.api}/photo?width={width}").content
        size = Image.open(io.BytesIO(data)).size
        assert size[0] == width
        assert abs(size[1] - whole["height"] * width / whole["width"]) <= 1
    assert httpx.get(f"{made.api}/photo?width=9999").content == full
    assert error_in(httpx.get(f"{made.api}/photo?width=1"), 422)["code"] == "bad_field"


@pytest.mark.parametrize("language", ["en", *(pytest.param(one, marks=pytest.mark.soak) for one in ("de", "ro"))])
def test_the_site_can_be_installed_and_its_links_have_a_preview(address: str, opened: Open, language: str) -> None:
    page = opened(address, PHONE, locale=language)
    manifest = httpx.get(f"{address}/manifest.webmanifest", headers={"Accept-Language": language})
    assert manifest.headers["content-type"].startswith("application/manifest+json")
    assert manifest.json()["lang"] == language
    for icon in manifest.json()["icons"]:
        data = httpx.get(urljoin(address, icon["src"])).raise_for_status().content
        if icon["type"] == "image/png":
            assert "{}x{}".format(*Image.open(io.BytesIO(data)).size) == icon["sizes"]
    found = page.context.new_cdp_session(page).send("Page.getAppManifest")
    assert found["errors"] == []
    assert found["url"] == f"{address}/manifest.webmanifest"
    read = "all => all.map(one => [one.getAttribute('property'), one.content])"
    preview = dict(page.eval_on_selector_all('meta[property^="og:"]', read))
    assert preview["og:title"] == page.title()
    assert Image.open(io.BytesIO(httpx.get(preview["og:image"]).raise_for_status().content)).size == (1200, 630)


@pytest.mark.parametrize("template", ["start.html", "help.html", "reading.html"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_messages_of_a_page_include_all_they_refer_to(template: str, language: str) -> None:
    words = select_words(load_phrases(language), template)
    assert len(words) < len(load_phrases(language))
    assert _list_references([*words.values()]) <= words.keys()


def _list_references(tree: object) -> set[str]:
    """Return the messages that a tree of words is made of."""
    if isinstance(tree, list):
        return {name for part in tree for name in _list_references(part)}
    if not isinstance(tree, dict):
        return set()
    named = {str(tree["m"])} if "m" in tree else set[str]()
    return named | {name for part in tree.values() for name in _list_references(part)}


@pytest.mark.soak
def test_each_square_is_named_by_its_tile_in_words(fresh_reading: Made, opened: Open) -> None:
    page, words = opened(fresh_reading.url, DESK_SIZE, fresh_reading.kept), load_words("en")
    tiles = [tile for tile in fresh_reading.report.board.tiles if tile.tile]
    for tile in tiles:
        described = describe_tile(words, Placement(str(tile.tile), tile.turns))
        button = page.locator(f".map-square[data-square='{tile.row},{tile.col}']")
        expect(button).to_have_attribute("aria-label", re.compile(re.escape(described)))
    labels = page.locator(".map-square").evaluate_all("all => all.map((one) => one.getAttribute('aria-label'))")
    assert not [label for label in labels if "/" in label or re.search(r"tile [A-X]\b", label)]
