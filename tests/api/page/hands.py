"""Actions of a person on a page, and readings from it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, Response

from tests.api.page.browser import DESKTOP
from tests.api.page.conftest import Open

ON_SCREEN = """([x, y, frame]) => {
  const root = document.querySelector(`${frame} .world svg`);
  const at = new DOMPoint(x, y).matrixTransform(root.getScreenCTM());
  return [at.x, at.y];
}"""


def points_on(page: Page) -> dict[str, int]:
    """Return the table of totals, by player."""
    rows = page.locator("#totals tbody tr")
    return {row.get_attribute("data-player") or "": int(row.locator(".big").inner_text()) for row in rows.all()}


def tap(page: Page, point: tuple[float, float], touch: bool, frame: str = "#viewer") -> None:
    """Tap a pixel of the photo, or of the drawn board."""
    x, y = page.evaluate(ON_SCREEN, [*point, frame])
    (page.touchscreen.tap if touch else page.mouse.click)(x, y)


STILL = """() => document.getAnimations().every(
  (one) => one.playState !== "running" || one.effect.getTiming().iterations === Infinity)"""


def come_to_rest(page: Page) -> None:
    """Wait until nothing fades or moves any more."""
    page.wait_for_timeout(350)
    page.wait_for_function(STILL)


def faults(page: Page) -> list[str]:
    """Return axe's serious or critical findings, once nothing fades or moves any more."""
    come_to_rest(page)
    violations = Axe().run(page).response["violations"]
    grave = [fault for fault in violations if fault["impact"] in ("serious", "critical")]
    return [f"{fault['id']}: {node['html']} {node['any']}" for fault in grave for node in fault["nodes"]]


def is_change(response: Response) -> bool:
    return response.request.method == "PATCH"


def shown_standings(page: Page) -> list[tuple[str, int]]:
    rows = page.locator("#standings tbody tr").all()
    return [(row.get_attribute("data-player") or "", int(row.locator(".points").inner_text())) for row in rows]


def named(page: Page, name: str) -> Page:
    """Open the desk with a name, which is asked for once."""
    page.get_by_label("Your name").fill(name)
    page.get_by_role("dialog").get_by_role("button", name="Save").click()
    page.locator("dialog").wait_for(state="detached")
    return page


PLAYERS = {"red": "Anna", "pink": "Bob", "black": "Cem"}


def made(opened: Open, address: str, name: str, device: Mapping[str, Any] = DESKTOP, **options: Any) -> Page:
    """Open the page of an event that was created on the first page."""
    page = opened(address, device, **options)
    page.locator("#make-event").click()
    page.locator("#event-named").fill(name)
    assert faults(page) == []
    page.locator("dialog button[type=submit]").click()
    page.wait_for_url("**/event/*")
    page.locator("#asked-name").wait_for()
    return page


def handed_in(page: Page, file: Path, table: str | None = None) -> None:
    """Fill in the sheet of a table, and send it by the keyboard."""
    sheet = page.get_by_role("dialog")
    sheet.locator("#photos-of-table").set_input_files(file)
    if table is not None:
        sheet.locator("#table").fill(table)
    for colour, name in PLAYERS.items():
        if not sheet.locator(f"#name-{colour}").count():
            sheet.locator("#another").select_option(colour)
        sheet.locator(f"#name-{colour}").fill(name)
        sheet.locator(f"#track-{colour}").fill("40")
    sheet.locator("#table").press("Enter")
    sheet.wait_for(state="detached")


def row(page: Page) -> Locator:
    return page.locator("#tables .row .state")


def event_of(page: Page) -> str:
    return page.url.replace("/event/", "/v1/events/")


IN_PHOTO = """(element) => {
  const root = document.querySelector(".world svg"), box = element.getBoundingClientRect();
  const at = new DOMPoint(box.x + box.width / 2, box.y + box.height / 2).matrixTransform(root.getScreenCTM().inverse());
  return [at.x, at.y];
}"""
