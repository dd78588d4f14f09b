"""One server, one browser and one reading for all tests of the page."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

import httpx2 as httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright
from playwright.sync_api import Error as PlaywrightError

from api.documents.report import Report
from tests.api.page.browser import DESKTOP, Watch, chromium_path, launched
from tests.api.serving import LEVEL, Running, running

READ_MS, PATIENCE_MS = 180_000, 60_000
"""Timeouts: a reading takes seconds, a step less than one; the machine may be busy with others."""

KEPT_BY_BROWSERS = ("local_storage", "indexeddb", "service_workers", "cache_storage", "file_systems")
"""The kinds of storage, beside cookies, that a page may use."""

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


@dataclass
class Contexts:
    """Browser contexts that the tests of a module use one after the other, each emptied of all it kept but the cache.

    A context of its own fetches and compiles all modules of the page again, which takes most of the time of a test.
    """

    browser: Browser
    free: dict[str, list[BrowserContext]] = field(default_factory=dict)
    used: list[tuple[str, str, BrowserContext]] = field(default_factory=list)

    def take(self, url: str, **options: Any) -> BrowserContext:
        """Return an empty context with some options, for a page at an address, that nothing else uses in this test."""
        key = json.dumps(options, sort_keys=True, default=str)
        free = self.free.setdefault(key, [])
        context = free.pop() if free else self.browser.new_context(**options)
        self.used.append((key, "{0.scheme}://{0.netloc}".format(urlsplit(url)), context))
        return context

    def give_back(self) -> None:
        """Empty all contexts taken in this test."""
        for key, origin, context in self.used:
            if empty_context(context, origin):
                self.free[key].append(context)
        self.used.clear()


def empty_context(context: BrowserContext, origin: str) -> bool:
    """Close a context's pages and delete all it keeps of an origin but its cache; return whether it is still open."""
    try:
        blank = context.new_page()
    except PlaywrightError:  # the test has closed it
        return False
    for page in context.pages:
        if page != blank:
            page.close()
    blank.context.new_cdp_session(blank).send(
        "Storage.clearDataForOrigin", {"origin": origin, "storageTypes": ",".join(KEPT_BY_BROWSERS)}
    )
    context.clear_cookies()
    context.clear_permissions()
    context.set_offline(False)
    blank.close()
    return True


def keep(page: Page, kept: Any) -> None:
    """Put a browser's storage (`storage_state`) into the context of an empty page."""
    for origin in kept["origins"]:
        page.goto(f"{origin['origin']}/static/none")
        page.evaluate(
            "(entries) => entries.forEach(({ name, value }) => localStorage.setItem(name, value))",
            origin["localStorage"],
        )


@pytest.fixture(scope="module")
def contexts(browser: Browser) -> Iterator[Contexts]:
    """Return the browser contexts that the tests of a module share."""
    contexts = Contexts(browser)
    yield contexts
    for free in contexts.free.values():
        for context in free:
            context.close()


@pytest.fixture
def opened(contexts: Contexts, watch: Watch) -> Iterator[Open]:
    """Return a function that opens an address in an empty browser context."""

    def open_page(url: str, device: Mapping[str, Any] = DESKTOP, kept: Any = None, **options: Any) -> Page:
        context = contexts.take(url, **device, **{"locale": "en-GB", **options})
        context.set_default_timeout(PATIENCE_MS)
        page = context.new_page()
        if kept:
            keep(page, kept)
        watch.over(context)
        watch.over_page(page)
        page.goto(url)
        if "/event/" in url:
            page.wait_for_selector("#event:not([hidden])")
        if "/r/" in url or "/b#" in url:
            page.wait_for_selector("#result:not([hidden])")
        return page

    yield open_page
    watch.end()
    contexts.give_back()
