"""One server, one browser and one reading for all tests of the page."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

import httpx2 as httpx
import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from api.documents.report import Report
from tests.api.page.browser import DESKTOP, Watch, chromium_path, launched
from tests.api.serving import LEVEL, Running, running

READ_MS, PATIENCE_MS = 180_000, 60_000
"""Timeouts: a reading takes seconds, a step less than one; the machine may be busy with others."""

Open = Callable[..., Page]


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """Start a real server in a process of its own, with nothing in its data folder."""
    chromium_path()
    with running(tmp_path_factory.mktemp("server"), readers=1, readings_per_minute=1000) as started:
        yield started


@pytest.fixture(scope="session")
def address(server: Running) -> str:
    """Return its address."""
    return server.url


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Launch the browser; while it runs, no other test of this process can have an event loop."""
    with sync_playwright() as playwright, launched(playwright) as launched_browser:
        expect.set_options(timeout=PATIENCE_MS)
        yield launched_browser


@dataclass
class Made:
    """A reading made on the page: its address, and the data that the browser keeps."""

    url: str
    kept: Any
    stages: list[str]
    page: str

    @property
    def api(self) -> str:
        """Return its address in the API."""
        address = urlsplit(self.url)
        return f"{address.scheme}://{address.netloc}/v1/readings/{address.path.rsplit('/', 1)[1]}"

    @property
    def token(self) -> str:
        """Return the owner's token, as the browser keeps it."""
        (origin,) = self.kept["origins"]
        storage = {entry["name"]: entry["value"] for entry in origin["localStorage"]}
        return str(json.loads(storage["wondertally.readings"])[0]["token"])

    def get(self) -> dict[str, Any]:
        """Return the reading from the API."""
        return dict(httpx.get(self.api, timeout=120).raise_for_status().json())

    @property
    def report(self) -> Report:
        """Return its report."""
        return Report.model_validate(self.get()["report"])

    def reset(self) -> None:
        """Reset it to its first state, without other visitors."""
        for change in ({"reset": True}, {"shared_correction": False}):
            answer = httpx.patch(self.api, json=change, headers={"Authorization": f"Bearer {self.token}"}, timeout=120)
            answer.raise_for_status()


def send_photo(browser: Browser, address: str) -> Made:
    """Send a photo chosen on the first page, and wait until it is read."""
    context = browser.new_context(**DESKTOP, locale="en-GB")
    page = context.new_page()
    page.goto(address)
    page.set_input_files("#gallery", LEVEL)
    page.get_by_role("button", name="Count the points").click()
    page.wait_for_url("**/r/*")
    page.wait_for_selector("#stages li", state="attached", timeout=READ_MS)  # a quick reading may be over already
    stages = page.locator("#stages li").all_inner_texts()
    page.wait_for_selector("#result:not([hidden])", timeout=READ_MS)
    reading = Made(page.url, context.storage_state(), stages, page.locator("#totals").inner_text())
    context.close()
    return reading


@pytest.fixture(scope="package")
def made(browser: Browser, address: str) -> Made:
    """Return a reading that tests share."""
    return send_photo(browser, address)


@pytest.fixture
def fresh_reading(browser: Browser, address: str) -> Made:
    """Return a reading without any change, so that everything can be undone."""
    return send_photo(browser, address)


@pytest.fixture
def reading(made: Made) -> Iterator[Made]:
    """Return the reading, which is reset when the test is over."""
    yield made
    made.reset()


@pytest.fixture
def watch(server: Running) -> Iterator[Watch]:
    """Fail a test whose pages have a fault, or ask another host for anything."""
    watch = Watch(urlsplit(server.url).netloc)
    yield watch
    assert watch.faults == []


@pytest.fixture
def opened(browser: Browser, watch: Watch) -> Iterator[Open]:
    """Return a function that opens an address in a browser context of its own."""
    contexts = []

    def open_page(url: str, device: Mapping[str, Any] = DESKTOP, kept: Any = None, **options: Any) -> Page:
        context = browser.new_context(**device, storage_state=kept, **{"locale": "en-GB", **options})
        context.set_default_timeout(PATIENCE_MS)
        watch.over(context)
        contexts.append(context)
        page = context.new_page()
        page.goto(url)
        if "/event/" in url:
            page.wait_for_selector("#event:not([hidden])")
        if "/r/" in url or "/b#" in url:
            page.wait_for_selector("#result:not([hidden])")
        return page

    yield open_page
    for context in contexts:
        context.close()
