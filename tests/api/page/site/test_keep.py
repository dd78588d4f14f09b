"""Keeping the score of a game at the table, on a phone, also without a network; its points go with the photo."""

from __future__ import annotations

import httpx2 as httpx
import pytest
from playwright.sync_api import Page, expect

from api.languages import LANGUAGES
from tests.api.page.browser import PHONE, Watch
from tests.api.page.conftest import READ_MS, Made, Open
from tests.api.page.hands import faults
from tests.api.serving import LEVEL

SEATS = {"red": "Zoë", "black": ""}


def seat(page: Page) -> None:
    """Enter the players."""
    for colour, name in SEATS.items():
        page.locator(f'#colours [data-colour="{colour}"]').tap()
        page.locator(f"#name-{colour}").fill(name)
    page.locator("#start").tap()
    expect(page.locator("#colours")).not_to_be_visible()


def give(page: Page, colour: str, *points: int) -> None:
    """Give a player points, one press each."""
    page.locator(f'.pad-player[data-player="{colour}"] .pad-who').tap()
    for by in points:
        page.locator(f'[data-step="{by}"]').tap()


def kept(page: Page) -> dict[str, int]:
    """Return each player's points, as displayed."""
    rows = page.locator(".pad-player")
    return {row.get_attribute("data-player") or "": int(row.locator(".big").inner_text()) for row in rows.all()}


def test_points_are_added_subtracted_undone_and_survive_a_reload(address: str, opened: Open) -> None:
    page = opened(address, PHONE)
    page.locator('.chooser a[href="/keep"]').tap()
    assert not page.locator("#pad").is_visible()
    assert faults(page) == []
    seat(page)
    give(page, "red", 9, 4)
    give(page, "black", 12)
    expect(page.locator("#told")).to_have_text("Black: +12, now 12", ignore_case=True)
    page.get_by_role("button", name="Zoë: one point less").tap()
    page.get_by_role("button", name="black: one point more").tap()
    assert kept(page) == {"red": 12, "black": 13}
    page.reload()
    assert kept(page) == {"red": 12, "black": 13}
    assert faults(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    undo = page.locator("#undo")
    for points in ({"red": 12, "black": 12}, {"red": 13, "black": 12}, {"red": 13, "black": 0}):
        undo.tap()
        assert kept(page) == points
    for _ in range(2):
        undo.tap()
    expect(undo).to_be_disabled()
    page.get_by_role("button", name="Zoë: one point less").tap()
    assert kept(page) == {"red": 0, "black": 0}
    page.locator("#new-game").tap()
    page.get_by_role("button", name="Start over").tap()
    expect(page.locator(".pad-player")).to_have_count(0)
    page.reload()
    assert not page.locator("#pad").is_visible()


def test_a_colour_tapped_by_mistake_keeps_its_name_and_points(address: str, opened: Open) -> None:
    page = opened(f"{address}/keep", PHONE)
    seat(page)
    give(page, "red", 9)
    for reloads in (False, True):
        page.locator("#seats summary").tap()
        page.locator('#colours [data-colour="red"]').tap()
        expect(page.locator("#name-red")).to_have_count(0)
        if reloads:
            page.reload()
            page.locator("#seats[open]").wait_for()
        page.locator('#colours [data-colour="red"]').tap()
        expect(page.locator("#name-red")).to_have_value("Zoë")
        page.locator("#start").tap()
        assert kept(page) == {"black": 0, "red": 9}
    page.locator("#new-game").tap()
    page.get_by_role("button", name="Start over").tap()
    page.locator('#colours [data-colour="red"]').tap()
    expect(page.locator("#name-red")).to_have_value("")


@pytest.mark.soak
def test_two_tabs_share_one_game(address: str, opened: Open) -> None:
    """Points given in one tab stay when the other one gives any."""
    one = opened(f"{address}/keep", PHONE)
    seat(one)
    other = one.context.new_page()
    other.goto(f"{address}/keep")
    give(other, "black", 20)
    expect(one.locator('.pad-player[data-player="black"] .big')).to_have_text("20")
    give(one, "red", 5)
    expect(other.locator('.pad-player[data-player="red"] .big')).to_have_text("5")
    other.locator("#undo").tap()
    for page in (one, other):
        expect(page.locator('.pad-player[data-player="red"] .big')).to_have_text("0")
        page.reload()
        assert kept(page) == {"red": 0, "black": 20}


@pytest.mark.soak
def test_a_game_that_cannot_be_stored_lasts_as_long_as_the_page(address: str, opened: Open) -> None:
    page = opened(f"{address}/keep", PHONE)
    seat(page)
    page.evaluate(
        """() => { for (let part = 1 << 20; part; part >>= 1)
        try { for (;;) localStorage[Math.random()] = "x".repeat(part) } catch {} }"""
    )
    give(page, "red", *[20] * 40)
    assert kept(page) == {"red": 800, "black": 0}


@pytest.mark.parametrize(
    "language", ["de", *(pytest.param(one, marks=pytest.mark.soak) for one in LANGUAGES if one != "de")]
)
def test_the_score_keeper_works_offline_once_loaded(address: str, opened: Open, watch: Watch, language: str) -> None:
    page = opened(f"{address}/keep", PHONE, locale=language)
    page.wait_for_selector("html[data-offline=ready]")
    title = page.locator("h1").inner_text()
    page.context.set_offline(True)
    page.reload()
    expect(page.locator("h1")).to_have_text(title)
    seat(page)
    give(page, "black", 7)
    page.reload()
    assert kept(page) == {"red": 0, "black": 7}
    page.set_input_files("#gallery", LEVEL)
    expect(page.locator("#problem")).not_to_be_empty()
    watch.faults.clear()  # the browser itself logs that there is no network
    assert kept(page) == {"red": 0, "black": 7}


def test_a_cached_page_keeps_its_modules_after_an_update(address: str, opened: Open) -> None:
    """The server has no file of that name any more."""
    page = opened(f"{address}/keep", PHONE)
    page.wait_for_selector("html[data-offline=ready]")
    page.wait_for_function("() => navigator.serviceWorker.controller")
    served = page.evaluate(
        """async () => {
        const cache = await caches.open("keep");
        await cache.put("/static/of_an_older_version.js", new Response("export {}"));
        const answer = await fetch("/static/of_an_older_version.js");
        return [answer.status, await answer.text()];
        }"""
    )
    assert served == [200, "export {}"]


def test_the_recorded_points_are_sent_with_the_photo_of_the_finished_table(
    address: str, opened: Open, reading: Made
) -> None:
    page = opened(f"{address}/keep", PHONE)
    seat(page)
    give(page, "red", 20, 18)
    give(page, "black", 14)
    page.set_input_files("#gallery", LEVEL)
    page.wait_for_url("**/r/*", timeout=READ_MS)
    page.wait_for_selector("#result:not([hidden])", timeout=READ_MS)
    report = httpx.get(page.url.replace("/r/", "/v1/readings/"), timeout=120).raise_for_status().json()["report"]
    assert report["scores"]["on_track"] == {"red": 38, "black": 14}
    assert report["names"] == {"red": "Zoë"}
    assert report["rules"]["player_count"] == len(SEATS)
    assert page.locator('a[href="/keep"]').count() == 1
    other = opened("about:blank", PHONE, reading.kept)
    other.goto(f"{address}/keep")
    seat(other)
    give(other, "black", 16)
    other.goto(reading.url)
    other.get_by_role("button", name="Use the points kept on this device").tap()
    other.get_by_role("button", name="Add them up").tap()
    final = reading.report.scores.final_scoring
    expect(other.locator('#totals tr[data-player="black"] .big')).to_have_text(str(16 + final["black"]))
