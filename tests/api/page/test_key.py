"""The API key: asked for if the server requires one, sent, kept as wished, and forgotten."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page

from api.server.tokens import hash_secret
from tests.api.page.browser import DESKTOP, PHONE, Watch, chromium_path
from tests.api.page.conftest import READ_MS, Open
from tests.api.page.hands import faults
from tests.api.serving import LEVEL, running

KEY = "a long and secret text"
LARGE_BYTES = 24 * 2**20
"""Enough bytes that they are still being sent when the server refuses them."""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Return the address of a server that requires a key."""
    chromium_path()
    with running(tmp_path_factory.mktemp("guarded"), readers=1, api_keys=hash_secret(KEY)) as server:
        yield server.url


@pytest.fixture
def large(tmp_path: Path) -> Path:
    """Return a large file that is no photo."""
    (tmp_path / "large.jpg").write_bytes(os.urandom(LARGE_BYTES))
    return tmp_path / "large.jpg"


@pytest.fixture
def watch(address: str) -> Watch:
    """Watch for requests to other hosts alone: the browser itself logs each refusal as a fault."""
    return Watch(address.removeprefix("http://"))


def asked(page: Page) -> Locator:
    """Return the sheet that asks for a key."""
    sheet = page.get_by_role("dialog", name="API key")
    sheet.wait_for()
    return sheet


def give(sheet: Locator, key: str, *, remember: bool = False) -> None:
    """Type a key."""
    sheet.get_by_label("API key", exact=True).fill(key)
    if remember:
        sheet.get_by_role("switch", name="Remember it on this device").check()
    sheet.get_by_role("button", name="Use this key").click()


def kept(page: Page) -> dict[str, str | None]:
    """Return the storage in which the browser keeps a key."""
    script = "(name) => window[name].getItem('wondertally.key')"
    return {name: page.evaluate(script, name) for name in ("sessionStorage", "localStorage")}


@pytest.mark.soak
def test_a_key_is_asked_for_and_stored_for_this_window(opened: Open, address: str, watch: Watch, large: Path) -> None:
    page = opened(address, PHONE)
    page.set_input_files("#gallery", large)
    page.get_by_role("button", name="Count the points").tap()
    assert faults(page) == []
    give(asked(page), "something else")
    page.get_by_text("Unknown key.").wait_for()
    assert kept(page) == {"sessionStorage": None, "localStorage": None}
    give(asked(page), KEY)
    page.locator("#problem:not(:empty)").wait_for()
    assert kept(page) == {"sessionStorage": KEY, "localStorage": None}
    page.reload()
    assert page.get_by_text("This browser keeps an API key").is_visible()
    assert faults(page) == []
    page.get_by_role("button", name="Forget the key").tap()
    assert not page.get_by_text("This browser keeps an API key").is_visible()
    assert kept(page) == {"sessionStorage": None, "localStorage": None}
    assert [fault for fault in watch.faults if "another host" in fault] == []


@pytest.mark.soak
def test_without_a_key_nothing_is_sent_again(opened: Open, address: str, large: Path) -> None:
    page = opened(address)
    page.set_input_files("#gallery", large)
    page.get_by_role("button", name="Count the points").click()
    asked(page).get_by_role("button", name="Close").click()
    page.get_by_text("A key is needed for this. The owner of the server can give you one.").wait_for()
    assert not page.locator("#choose").evaluate("(element) => element.inert")


@pytest.mark.soak
def test_a_remembered_key_reads_a_photo_and_enrols_a_set(opened: Open, address: str) -> None:
    page = opened(address, DESKTOP)
    page.set_input_files("#gallery", LEVEL)
    page.get_by_role("button", name="Count the points").click()
    give(asked(page), KEY, remember=True)
    page.wait_for_url("**/r/*")
    page.wait_for_selector("#result:not([hidden])", timeout=READ_MS)
    assert kept(page) == {"sessionStorage": None, "localStorage": KEY}
    page.evaluate("localStorage.removeItem('wondertally.key')")
    page.reload()
    page.get_by_role("button", name="Remember these tiles").click()
    sheet = page.get_by_role("dialog", name="Remember these tiles")
    sheet.get_by_text("You need an API key for this").wait_for()
    sheet.get_by_role("button", name="Enter an API key").click()
    give(asked(page), KEY)
    sheet.get_by_role("button", name="Remember these tiles").click()
    sheet.get_by_text("Remembered: test_level").wait_for()
