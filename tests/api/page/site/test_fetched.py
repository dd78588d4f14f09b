"""A phone's downloads from the site: a photo in the size it is shown, the parts for installing, link previews."""

from __future__ import annotations

import io
from urllib.parse import urljoin

import httpx2 as httpx
import pytest
from PIL import Image
from playwright.sync_api import expect

from api.languages import LANGUAGES
from api.page.phrases import load_phrases
from api.page.site import select_words
from tests.api.page.browser import PHONE
from tests.api.page.conftest import Made, Open
from tests.api.serving import error_in

RESULT_MOST = 400_000
DAY_SECONDS = 24 * 3600
DENSE = {**PHONE, "device_scale_factor": 3}


def test_a_phone_gets_a_small_photo_until_somebody_comes_closer(made: Made, opened: Open) -> None:
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


def test_a_photo_that_a_browser_has_is_not_fetched_again(made: Made, opened: Open) -> None:
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


def test_a_photo_may_be_kept_for_good_by_its_own_browser_alone(made: Made) -> None:
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


@pytest.mark.parametrize("language", LANGUAGES)
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
def test_no_word_of_a_page_needs_one_that_is_left_out(template: str, language: str) -> None:
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
