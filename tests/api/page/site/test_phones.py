"""A server for phones in the network: by HTTPS, its address as a QR code, pairing; plain HTTP promises less."""

from __future__ import annotations

import re
import ssl
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import cv2
import httpx2 as httpx
import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from api.server.lan import list_lan_addresses
from datasets.benchmark.serving import run_server
from tests.api.page.browser import DESKTOP, PHONE, chromium_path
from tests.api.page.conftest import Made, Open
from tests.api.page.hands import faults
from tests.api.page.qr_codes import read_qr_code
from tests.api.processes import Process
from tests.api.serving import launch_fork

BOARD = "D0V0/-U1 red^1,1=rN"
MODULE_PX = 8
_DARK = {"█": (0, 0), "▀": (0, 1), "▄": (1, 0), " ": (1, 1)}


@dataclass(frozen=True)
class Lan:
    """A server for phones: its address, its port, its folder, and what it printed."""

    address: str
    port: int
    data: Path
    printed: str

    @property
    def own(self) -> str:
        """Return the address on its own machine."""
        return f"https://localhost:{self.port}"


def launch_lan(words: Sequence[str], log: IO[str], env: Mapping[str, str]) -> Process:
    return launch_fork([*words, "--lan"], log, env)


@pytest.fixture(scope="module")
def lan(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lan]:
    """Start `serve --lan`; skip without a network."""
    chromium_path()
    if not list_lan_addresses():
        pytest.skip("this machine has no address in a network")
    with run_server(data := tmp_path_factory.mktemp("lan") / "data", 0, launch_lan, readers=1) as started:
        stream, printed = started.process.stdout, ""
        assert stream is not None
        while "#pair=" not in printed:
            printed += stream.readline()
        yield Lan(started.url, int(started.url.rsplit(":", 1)[1]), data, printed)


@contextmanager
def visiting(browser: Browser, url: str, device: Mapping[str, Any]) -> Iterator[Page]:
    """Open an address as a person does who accepts the certificate."""
    context = browser.new_context(**device, locale="en-GB", ignore_https_errors=True)
    page = context.new_page()
    page.goto(url)
    yield page
    context.close()


def draw_terminal(lines: Sequence[str]) -> bytes:
    """Return the picture (PNG) of a QR code in a terminal."""
    rows = [[_DARK[letter] for letter in re.sub(r"\x1b\[[\d;]*m", "", line)] for line in lines]
    modules = np.array(rows).transpose(0, 2, 1).reshape(2 * len(rows), -1)
    pixels = np.kron(255 * (1 - modules), np.ones((MODULE_PX, MODULE_PX))).astype(np.uint8)
    return cv2.imencode(".png", pixels)[1].tobytes()


def test_the_terminal_shows_the_address_that_others_open(lan: Lan) -> None:
    """The certificate is valid for it, and the QR code holds it."""
    assert lan.address == f"https://{list_lan_addresses()[0]}:{lan.port}"
    trusting = ssl.create_default_context(cafile=lan.data / "lan" / "certificate.pem")
    for address in (lan.address, lan.own):
        assert httpx.get(f"{address}/healthz", verify=trusting, timeout=60).status_code == 200
    code = [line for line in lan.printed.splitlines() if line.startswith("\x1b[")]
    assert read_qr_code(draw_terminal(code)) == lan.address


def test_the_page_shows_the_code_and_pairs_a_phone(lan: Lan, browser: Browser) -> None:
    with visiting(browser, lan.own, DESKTOP) as page:
        page.locator("#phone").click()
        codes = page.get_by_role("dialog").locator(".qr-code")
        expect(page.locator("#phones-paired")).to_have_text("No phone is paired.")
        page.wait_for_timeout(500)
        assert faults(page) == []
        address, pairing = (read_qr_code(code.screenshot()) for code in codes.all())
        assert address == lan.address
        with visiting(browser, address, PHONE) as phone:
            assert phone.locator("#phone").count() == 0
            assert phone.locator("a[href^='/boards/']").count() == 0
        with visiting(browser, pairing, PHONE) as phone:
            expect(phone.locator("#pairing")).to_contain_text("This device may now correct readings")
            assert phone.url == f"{lan.address}/"
            phone.goto(f"{lan.address}/boards/tower-of-babel")
            phone.wait_for_load_state("networkidle")
            assert "Nothing can be remembered from here" not in phone.locator("main").inner_text()
            assert faults(phone) == []
        page.reload()
        page.locator("#phone").click()
        expect(page.locator("#phones-paired")).to_have_text("One phone is paired.")
        page.get_by_role("button", name="Remove all paired phones").click()
        page.locator("dialog").wait_for(state="detached")
        page.locator("#phone").click()
        expect(page.locator("#phones-paired")).to_have_text("No phone is paired.")


def test_a_link_made_on_the_servers_machine_opens_elsewhere(lan: Lan, browser: Browser) -> None:
    with visiting(browser, lan.own, DESKTOP) as page:
        page.locator("#make-event").click()
        page.locator("#event-named").fill("An evening")
        page.locator("dialog button[type=submit]").click()
        page.wait_for_url("**/event/*")
        page.get_by_label("Your name").fill("Ann")
        page.get_by_role("dialog").get_by_role("button", name="Save").click()
        page.locator("dialog").wait_for(state="detached")
        page.get_by_role("button", name="Share").click()
        sheet = page.get_by_role("dialog")
        link = sheet.locator("#event-link-hand-in").input_value()
        assert link.startswith(f"{lan.address}/event/")
        image = sheet.locator(".qr-code")
        expect(image).to_have_attribute("src", re.compile("^blob:"))
        page.wait_for_timeout(300)
        assert read_qr_code(image.screenshot()) == link
        assert sheet.locator(".only-here").count() == 0


def test_a_link_that_opens_here_only_says_so(made: Made, opened: Open) -> None:
    page = opened(made.url, PHONE, made.kept)
    page.get_by_role("button", name="Share").tap()
    expect(page.locator(".only-here")).to_contain_text("open on this computer only")


@pytest.mark.soak
def test_the_score_pad_promises_no_network_only_where_it_keeps_itself(address: str, browser: Browser) -> None:
    """A browser keeps a page for later only by HTTPS or from this machine; another name stands for plain HTTP."""
    with visiting(browser, f"{address}/keep", PHONE) as page:
        expect(page.locator("#offline")).to_be_visible()
        assert "without a network" in page.locator(".keep-head").inner_text()
    context = browser.new_context(**PHONE, locale="en-GB")
    plain = address.replace("127.0.0.1", "tally.test")
    context.route(
        f"{plain}/**", lambda route: route.fulfill(response=route.fetch(url=route.request.url.replace(plain, address)))
    )
    page = context.new_page()
    page.goto(f"{plain}/keep")
    page.locator("#colours button").first.wait_for()
    page.wait_for_timeout(1000)
    assert page.evaluate("isSecureContext") is False
    assert "without a network" not in page.locator(".keep-head").inner_text()
    context.close()
