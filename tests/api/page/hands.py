"""Actions of a person on a page, and readings from it."""

from __future__ import annotations

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

ON_SCREEN = """([x, y]) => {
  const root = document.querySelector(".world svg");
  const at = new DOMPoint(x, y).matrixTransform(root.getScreenCTM());
  return [at.x, at.y];
}"""


def points_on(page: Page) -> dict[str, int]:
    """Return the table of totals, by player."""
    rows = page.locator("#totals tbody tr")
    return {row.get_attribute("data-player") or "": int(row.locator(".big").inner_text()) for row in rows.all()}


def tap(page: Page, point: tuple[float, float], touch: bool) -> None:
    """Tap a pixel of the photo."""
    x, y = page.evaluate(ON_SCREEN, list(point))
    (page.touchscreen.tap if touch else page.mouse.click)(x, y)


STILL = """() => document.getAnimations().every(
  (one) => one.playState !== "running" || one.effect.getTiming().iterations === Infinity)"""


def faults(page: Page) -> list[str]:
    """Return axe's serious or critical findings, once nothing fades or moves any more."""
    page.wait_for_timeout(350)
    page.wait_for_function(STILL)
    violations = Axe().run(page).response["violations"]
    grave = [fault for fault in violations if fault["impact"] in ("serious", "critical")]
    return [f"{fault['id']}: {node['html']} {node['any']}" for fault in grave for node in fault["nodes"]]
