"""A real browser for the tests: Debian's Chromium, driven by Playwright.

Its headless shell draws no windows of its own and takes about half the processor time; both run the same engine.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NoReturn
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Error, Page, Playwright, Request

REQUIRED = "WONDERTALLY_BROWSER_TESTS"
"""Set to `required` if a missing browser or node is a failure: in CI."""
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--in-process-gpu",  # frames that nobody sees cross no process
)
DESKTOP: Mapping[str, Any] = {"viewport": {"width": 1280, "height": 800}}
JUDGES_SCREEN: Mapping[str, Any] = {"viewport": {"width": 1366, "height": 850}}
PHONE: Mapping[str, Any] = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
ON_PHONE_AND_DESKTOP = pytest.mark.parametrize(
    "device", [pytest.param(DESKTOP, id="desktop", marks=pytest.mark.soak), pytest.param(PHONE, id="phone")]
)
"""For a test that runs alike on both: most people hold a phone, and the desktop is left to `make test-all`."""


def chromium_path() -> str:
    """Return the browser's path; skips the test without one, or fails it if one is required."""
    path = next(filter(None, map(shutil.which, ("chromium-headless-shell", "chromium", "chromium-browser"))), None)
    if path is None:
        skip_unless_required("no Chromium is installed (apt-get install chromium)")
    return path


def skip_unless_required(reason: str) -> NoReturn:
    """Skip a test that lacks a program, or fail it if the page's tests are required."""
    if os.environ.get(REQUIRED) == "required":
        pytest.fail(reason)
    pytest.skip(reason)


@contextmanager
def launched(playwright: Playwright) -> Iterator[Browser]:
    """Launch the browser, with a fresh profile; a browser that crashes as it starts is launched once more."""
    try:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=list(FLAGS))
    except Error:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=list(FLAGS))
    yield browser
    browser.close()


@dataclass
class Watch:
    """Forbidden actions of pages: faults in their scripts, and requests to another host."""

    host: str
    faults: list[str] = field(default_factory=list)
    contexts: list[BrowserContext] = field(default_factory=list)

    def over(self, context: BrowserContext) -> None:
        """Watch all further pages of a context, and all its requests."""
        self.contexts.append(context)
        context.on("page", self.over_page)
        context.on("request", self._request)

    def end(self) -> None:
        """Watch the contexts no longer."""
        for context in self.contexts:
            context.remove_listener("page", self.over_page)
            context.remove_listener("request", self._request)

    def over_page(self, page: Page) -> None:
        """Watch a page."""
        page.on("pageerror", lambda error: self.faults.append(f"{page.url}: {error}"))
        page.on("console", self._said)

    def _said(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.faults.append(f"{message.page.url if message.page else ''}: {message.text} {message.location['url']}")

    def _request(self, request: Request) -> None:
        address = urlsplit(request.url)
        if address.scheme in ("http", "https") and address.netloc != self.host:
            self.faults.append(f"asks another host: {request.url}")
