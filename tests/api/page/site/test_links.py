"""Links between pages: events and help are one tap away from the first page and from a result."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.api.page.browser import PHONE
from tests.api.page.conftest import Made, Open
from tests.api.page.hands import faults

HELP = {"en-GB": "Help", "de-DE": "Hilfe", "ro-RO": "Ajutor"}


@pytest.mark.parametrize(
    "locale", ["ro-RO", *(pytest.param(one, marks=pytest.mark.soak) for one in ("en-GB", "de-DE"))]
)
def test_first_page_and_result_lead_to_events_and_help(made: Made, opened: Open, locale: str) -> None:
    for url in (made.url.partition("/r/")[0], made.url):
        page = opened(url, PHONE, made.kept, locale=locale)
        page.locator(".site-links a", has_text=HELP[locale]).tap()
        expect(page.locator("h1")).to_have_text(HELP[locale])
        assert faults(page) == []
        page.locator('.site-links a[href="/#events"]').tap()
        page.locator("#make-event").wait_for()
