"""An event with one table that was read, and its desk as its owner opens it."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import httpx2 as httpx
from playwright.sync_api import Page

from tests.api.page.browser import DESKTOP
from tests.api.page.conftest import READ_MS, Open
from tests.api.serving import LEVEL, Running, photo_form


@dataclass
class Cup:
    """An event with one table that was read, without any names."""

    address: str
    made: dict[str, Any]

    @property
    def page(self) -> str:
        return f"{self.address}/event/{self.made['id']}"

    @property
    def owners(self) -> str:
        return f"{self.page}#token={self.made['token']}"

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.made['token']}"}

    def get(self, path: str = "") -> dict[str, Any]:
        answer = httpx.get(f"{self.address}/v1/events/{self.made['id']}{path}", headers=self.headers, timeout=120)
        return dict(answer.raise_for_status().json())

    def table(self) -> dict[str, Any]:
        return dict(self.get("/tables")["tables"][0])


def make_cup(server: Running) -> Cup:
    """Create the event, and wait until its table has been read."""
    made = httpx.post(f"{server.url}/v1/events", json={"name": "Cup"}).raise_for_status().json()
    cup = Cup(server.url, made)
    form = {**photo_form(LEVEL.read_bytes()), "data": {"round": "1", "table": "1"}}
    path = f"{server.url}/v1/events/{made['id']}/tables"
    httpx.post(path, headers=cup.headers, timeout=120, **form).raise_for_status()
    ended = time.monotonic() + READ_MS / 1000
    while cup.table()["state"] == "reading":
        assert time.monotonic() < ended
        time.sleep(0.3)
    return cup


def as_owner(cup: Cup, opened: Open, device: Any = DESKTOP, **options: Any) -> Page:
    """Open the desk and give a name, like its owner."""
    page = opened(cup.owners, device, **options)
    page.locator("#asked-name").fill("Zoë")
    page.locator("dialog button[type=submit]").click()
    page.locator("dialog").wait_for(state="detached")
    page.locator(".table-photo img").wait_for()
    return page
