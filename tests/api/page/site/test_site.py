"""The page's small parts: links, the toolbar, missing pages, names, and how a photo is fitted or taken again."""

from __future__ import annotations

import csv
import io
import json
from itertools import pairwise
from pathlib import Path

import httpx2 as httpx
import pillow_heif
import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from tests.api.page.browser import PHONE, Watch
from tests.api.page.conftest import READ_MS, Made, Open
from tests.api.page.hands import faults
from tests.api.serving import EXAMPLES, LEVEL, error_in
from vision.photo.decoding import MAX_PIXELS

BROWSERS_OWN = {"rgb(0, 0, 238)", "rgb(85, 26, 139)"}
"""Colours of links that no style sheet colours."""
HELP = {"en-GB": "Help", "de-DE": "Hilfe", "ro-RO": "Ajutor"}


@pytest.mark.soak
@pytest.mark.parametrize(
    "locale", ["ro-RO", *(pytest.param(one, marks=pytest.mark.soak) for one in ("en-GB", "de-DE"))]
)
def test_first_page_and_result_lead_to_events_and_help(made: Made, opened: Open, locale: str) -> None:
    for url in (made.url.partition("/r/")[0], made.url):
        page = opened(url, PHONE, made.kept, locale=locale)
        assert not BROWSERS_OWN & {
            *page.locator("a").evaluate_all("all => all.map((one) => getComputedStyle(one).color)")
        }
        page.locator(".site-links a", has_text=HELP[locale]).tap()
        expect(page.locator("h1")).to_have_text(HELP[locale])
        expect(page.locator("#about-camera")).to_be_visible()
        assert faults(page) == []
        page.locator('.site-links a[href="/#events"]').tap()
        page.locator("#make-event").wait_for()


def test_a_reading_left_before_it_was_done_is_listed_with_its_points(made: Made, opened: Open) -> None:
    kept = json.loads(json.dumps(made.kept).replace("scores", "left"))
    page = opened(made.url.partition("/r/")[0], PHONE, kept)
    points = page.locator("#readings .score")
    expect(points).to_have_count(len(made.report.scores.final_scoring))
    expect(page.locator("#readings img")).to_have_js_property("naturalWidth", 128)
    expect(page.locator("#readings .players")).not_to_contain_text("not read yet")


def test_a_game_in_the_list_shows_its_winner_and_is_played_again_by_name(made: Made, opened: Open) -> None:
    page = opened(made.url.partition("/r/")[0], PHONE, made.kept)
    page.evaluate(
        """() => {
          const [own] = JSON.parse(localStorage.getItem("wondertally.readings"));
          const [first, second] = Object.keys(own.scores);
          const game = { ...own, names: { [first]: "Ana Pop", [second]: "Béla" }, winners: [second] };
          localStorage.setItem("wondertally.readings", JSON.stringify([game]));
        }"""
    )
    page.reload()
    expect(page.locator("#readings .won")).to_contain_text("winner: Béla")
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["viewport"]["width"]
    assert faults(page) == []
    page.get_by_role("link", name="Play again Ana Pop").tap()
    first, second, *_ = made.report.scores.final_scoring
    expect(page.locator(f"#name-{first}")).to_have_value("Ana Pop")
    expect(page.locator(f"#name-{second}")).to_have_value("Béla")
    assert page.url.endswith("/keep")
    names = page.locator(f"#names-of-{second} option").evaluate_all("all => all.map((one) => one.value)")
    assert names == ["Béla", "Ana Pop"]
    page.locator('[data-step="5"]').tap()
    page.goto(f"{page.url}#again&green=Zoë")
    page.reload()
    page.get_by_role("button", name="Keep playing").tap()
    expect(page.locator(f"#name-{first}")).to_have_value("Ana Pop")


LABELS = """spans => spans.map(span => {
  const {left, right, top} = span.getBoundingClientRect();
  return [left, right, top, parseFloat(getComputedStyle(span).fontSize)];
})"""


@pytest.mark.parametrize(
    "locale", ["de-DE", *(pytest.param(one, marks=pytest.mark.soak) for one in ("en-GB", "ro-RO"))]
)
def test_labels_of_the_toolbar_do_not_touch_on_a_phone(reading: Made, opened: Open, locale: str) -> None:
    page = opened(reading.url, PHONE, reading.kept, locale=locale)
    page.wait_for_selector("#result:not([hidden])")
    labels = sorted(page.locator(".tools button span").evaluate_all(LABELS))
    assert len(labels) == 6
    assert len({top for *_, top, _ in labels}) == 1
    gaps = [right[0] - left[1] for left, right in pairwise(labels)]
    assert min(gaps) >= labels[0][3] / 2, gaps
    assert labels[0][0] >= 0
    assert labels[-1][1] <= PHONE["viewport"]["width"]


HTML = {"Accept": "text/html,application/xhtml+xml"}


@pytest.mark.parametrize(
    ("path", "title", "locale"),
    [
        ("/r/nosuchreading", "This reading is gone", "en-GB"),
        ("/event/nosuchevent", "Dieses Turnier gibt es nicht mehr", "de-DE"),
        pytest.param("/no/such/page", "Pagina nu există", "ro-RO", marks=pytest.mark.soak),
    ],
)
def test_an_unknown_address_gives_404_with_a_page(
    opened: Open, address: str, watch: Watch, path: str, title: str, locale: str
) -> None:
    assert httpx.get(address + path, headers=HTML).status_code == 404
    page = opened("about:blank", locale=locale)
    page.goto(address + path)
    assert page.locator("h1").inner_text() == title
    assert faults(page) == []
    page.locator("main a.button").click()
    page.locator("#choose").wait_for()
    watch.faults.clear()  # the browser itself logs the status


def test_the_language_can_be_chosen_on_the_missing_page(address: str) -> None:
    with httpx.Client(follow_redirects=True, headers=HTML) as client:
        assert client.get(f"{address}/nowhere?language=de").headers["content-language"] == "de"


def test_programs_get_the_common_form_of_errors(address: str) -> None:
    assert error_in(httpx.get(f"{address}/nowhere"), 404)["code"] == "not_found"
    assert error_in(httpx.get(f"{address}/v1/nowhere", headers=HTML), 404)["code"] == "not_found"


FIRST_LETTERS = """elements => elements.map((element) => [element.textContent,
    getComputedStyle(element, "::first-letter").textTransform])"""


def shown(page: Page, selector: str) -> dict[str, str]:
    """Return the displayed text, and the styling of its first letters."""
    return dict(page.locator(selector).evaluate_all(FIRST_LETTERS))


def test_a_name_is_shown_as_it_was_typed(reading: Made, opened: Open) -> None:
    players = list(reading.report.scores.final_scoring)
    headers = {"Authorization": f"Bearer {reading.token}"}
    named = {"kind": "player", "colour": players[0], "name": "anna"}
    httpx.patch(reading.api, json={"corrections": [named]}, headers=headers, timeout=120).raise_for_status()
    page = opened(reading.url, PHONE, reading.kept)
    expect(page.locator(f'#totals tr[data-player="{players[0]}"] .player-name')).to_have_text("anna")
    letters = shown(page, "#totals .player-name")
    assert letters["anna"] == "none"
    assert {how for name, how in letters.items() if name != "anna"} == {"uppercase"}
    rows = csv.DictReader(io.StringIO(httpx.get(f"{reading.api}/report.csv", timeout=120).text))
    assert "anna" in {value for row in rows for value in row.values()}
    page.locator("h3 .player-name", has_text="anna").first.wait_for(state="attached")
    assert shown(page, "h3 .player-name")["anna"] == "none"


def test_the_pad_shows_a_name_as_it_was_typed(address: str, opened: Open) -> None:
    page = opened(f"{address}/keep", PHONE)
    for colour in ("red", "blue"):
        page.locator(f'#colours [data-colour="{colour}"]').tap()
    page.locator("#name-red").fill("van der Berg")
    assert shown(page, ".pad-player .player-name") == {"van der Berg": "none", "blue": "uppercase"}


@pytest.mark.soak
def test_large_photos_are_shrunk_before_they_are_sent(opened: Open, address: str, tmp_path: Path) -> None:
    wide, high = 9000, 8000
    assert wide * high > MAX_PIXELS
    Image.new("RGB", (wide, high), "grey").save(tmp_path / "large.png")
    page = opened(address, PHONE)
    page.set_input_files("#gallery", tmp_path / "large.png")
    with page.expect_response("**/v1/readings", timeout=READ_MS) as answer:
        page.get_by_role("button", name="Count the points").click()
    assert answer.value.status == 202
    page.wait_for_selector("#failed:not([hidden])", timeout=READ_MS)
    assert page.locator("#failed-why").inner_text().startswith("No board was found in the photo.")


def count_points(page: Page, photo: Path) -> None:
    """Send a photo of the example table as a person does; its points are shown, and the photo beside them."""
    page.set_input_files("#gallery", photo)
    with page.expect_response("**/v1/readings", timeout=READ_MS) as answer:
        page.get_by_role("button", name="Count the points").click()
    assert answer.value.status == 202
    page.wait_for_selector("#result:not([hidden])", timeout=READ_MS)
    assert page.locator("#totals tbody tr").count() > 1
    page.wait_for_function("[...document.querySelectorAll('#result img')].some((photo) => photo.naturalWidth > 300)")


@pytest.mark.soak
def test_a_picture_that_only_the_browser_can_open_is_read(opened: Open, address: str, tmp_path: Path) -> None:
    with Image.open(LEVEL) as photo:
        photo.save(tmp_path / "table.bmp")
    count_points(opened(address, PHONE), tmp_path / "table.bmp")


def test_a_photo_of_an_iphone_is_read_though_the_browser_cannot_open_it(
    opened: Open, address: str, tmp_path: Path
) -> None:
    with Image.open(LEVEL) as photo:
        pillow_heif.from_pillow(photo).save(tmp_path / "IMG_0001.HEIC", quality=90)
    count_points(opened(address, PHONE), tmp_path / "IMG_0001.HEIC")


TABLE = EXAMPLES / "table.jpg"


def send(page: Page, file: Path) -> None:
    page.set_input_files("#gallery", file)
    page.get_by_role("button", name="Count the points").click()
    page.wait_for_url("**/r/*")


@pytest.mark.parametrize(
    ("side", "words"), [("left", "on the left"), pytest.param("right", "on the right", marks=pytest.mark.soak)]
)
def test_a_cut_off_board_is_one_notice_with_its_side_and_photographed_again(
    opened: Open, address: str, tmp_path: Path, side: str, words: str
) -> None:
    with Image.open(TABLE) as photo:
        half = photo.width // 2
        photo.crop((half, 0, photo.width, photo.height) if side == "left" else (0, 0, half, photo.height)).save(
            tmp_path / "half.jpg", quality=92
        )
    page = opened(address, PHONE)
    send(page, tmp_path / "half.jpg")
    page.wait_for_selector("#result:not([hidden])", timeout=READ_MS)
    expect(page.locator("#questions")).to_be_visible()
    assert page.locator("#retake:visible, #warnings .cut-off").count() == 0
    assert "not counted" not in page.locator("#panel").inner_text()
    page.get_by_role("button", name="Show me").tap()
    expect(page.locator("#card-title")).to_contain_text("Does the board go on")
    tip = page.locator(".question-card .retake")
    expect(tip).to_contain_text(words)
    expect(tip).to_contain_text("from farther away")
    assert faults(page) == []
    before = page.url
    tip.locator("input").set_input_files(LEVEL)
    page.wait_for_url(lambda url: "/r/" in url and url != before)
    page.wait_for_selector("#result:not([hidden])", timeout=READ_MS)
    assert not tip.is_visible()


def test_a_photo_without_a_board_gets_advice_and_is_taken_again(opened: Open, address: str, tmp_path: Path) -> None:
    Image.new("RGB", (900, 700), "grey").save(tmp_path / "grey.jpg")
    page = opened(address, PHONE)
    send(page, tmp_path / "grey.jpg")
    page.wait_for_selector("#failed:not([hidden])", timeout=READ_MS)
    tip = page.locator("#failed-tip")
    expect(page.locator("#failed-why")).to_contain_text("No board was found in the photo. Photograph the whole board")
    assert faults(page) == []
    colours = [tip.locator(part).evaluate("(own) => getComputedStyle(own).color") for part in (".button", ".icon")]
    assert colours[0] == colours[1], "an icon that nobody sees"
    expect(page.locator("#failed-photo img")).to_have_js_property("naturalWidth", 720)
    before = page.url
    other = page.context.new_page()
    other.goto(address)
    expect(other.locator("#readings .players").first).to_have_text("not readable")
    other.close()
    tip.locator("input").set_input_files(LEVEL)
    page.wait_for_url(lambda url: "/r/" in url and url != before)
    page.wait_for_selector("#result:not([hidden])", timeout=READ_MS)
