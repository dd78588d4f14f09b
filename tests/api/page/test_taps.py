"""Taps and seconds of each task on a phone, from the photo to a settled dispute."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import httpx2 as httpx
from playwright.sync_api import Locator, Page, expect
from shapely import Polygon

from tests.api.page.browser import PHONE
from tests.api.page.conftest import READ_MS, Open
from tests.api.page.hands import come_to_rest, tap
from tests.api.serving import LEVEL

CHOOSING = 2
"""Taps in the phone's own sheet: it is opened, and the photo chosen."""


@dataclass
class Hand:
    """A person's hand on a phone, with the taps so far."""

    page: Page
    taps: int = 0

    def tap(self, target: Locator) -> None:
        target.tap()
        self.taps += 1

    def tap_photo(self, x: float, y: float) -> None:
        come_to_rest(self.page)
        tap(self.page, (x, y), touch=True)
        self.taps += 1


@contextmanager
def counted(task: str, page: Page, most: int) -> Iterator[Hand]:
    """Count the taps of a task, print them with its seconds, and allow no more of them."""
    hand, begun = Hand(page), time.monotonic()
    yield hand
    print(f"{task}: {hand.taps} taps, {time.monotonic() - begun:.1f} s")
    assert hand.taps <= most


def test_each_task_takes_few_taps(address: str, opened: Open) -> None:
    """The dispute of a wonder has a table of its own (`disputes/test_wonders_disputed.py`): two taps."""
    page = opened(address, PHONE)
    with counted("photo to points", page, 3) as hand:
        page.set_input_files("#gallery", LEVEL)
        hand.taps += CHOOSING
        hand.tap(page.get_by_role("button", name="Count the points"))
        page.wait_for_selector("#totals tbody tr", timeout=READ_MS)
    report = httpx.get(page.url.replace("/r/", "/v1/readings/")).json()["report"]
    kinds = {feature["id"]: feature["kind"] for feature in report["features"]}
    for kind in ("road", "field"):
        feature = next(entry["feature"] for entry in report["scores"]["entries"] if kinds[entry["feature"]] == kind)
        with counted(f"dispute of a {kind}", page, 1) as hand:
            hand.tap(page.locator(f'#entries [data-feature="{feature}"]').first)
            page.locator(".feature-card .sentences").wait_for()
        page.keyboard.press("Escape")
    with counted("answer", page, 2) as hand:
        hand.tap(page.get_by_role("button", name="Show me"))
        hand.tap(page.locator(".question-card .answer").nth(1))
        expect(page.locator("#undo")).to_be_enabled()
    page.keyboard.press("Escape")
    standing = {tuple(meeple["tile"]) for meeple in report["board"]["meeples"]}
    tile = next(tile for tile in report["board"]["tiles"] if (tile["row"], tile["col"]) not in standing)
    with counted("correct a tile", page, 4) as hand:
        hand.tap(page.get_by_role("button", name="Correct"))
        middle = Polygon(tile["corners_px"]).centroid
        hand.tap_photo(middle.x, middle.y)
        hand.tap(page.locator('dialog .tile[aria-pressed="false"]').first)
        hand.tap(page.get_by_role("button", name="Change to this tile"))
        page.locator("dialog").wait_for(state="detached")
    with counted("share", page, 2) as hand:
        hand.tap(page.get_by_role("button", name="Share"))
        hand.tap(page.get_by_role("button", name="Copy").first)
        expect(page.get_by_text("Copied.").first).to_be_visible()
