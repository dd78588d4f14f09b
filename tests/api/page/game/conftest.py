"""A server of its own, which tests may kill, and browsers whose camera shows a film."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.api.page.browser import FLAGS, PHONE, chromium_path
from tests.api.page.conftest import PATIENCE_MS
from tests.api.page.game.film import draw_moments, write_film
from tests.api.serving import Running, running

SEED = 3
LAST_S = 40.0
CAMERA = ("--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream")


@dataclass
class Mortal:
    """A server that is started again on its port and its data."""

    data: Path
    port: int = 0
    now: ExitStack = field(default_factory=ExitStack)
    server: Running | None = None

    def start(self) -> Running:
        """Start the server."""
        self.server = self.now.enter_context(running(self.data, self.port, readers=1, readings_per_minute=1000))
        self.port = int(self.server.url.rsplit(":", 1)[1])
        return self.server

    def kill(self) -> None:
        """Kill the server, like a power cut."""
        assert self.server is not None
        self.server.process.send_signal(signal.SIGKILL)
        self.server.process.wait()
        self.now.close()

    def restart(self) -> None:
        """Kill the server, and start it again."""
        self.kill()
        self.start()


@pytest.fixture(scope="module")
def mortal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mortal]:
    """Start a server that tests may kill."""
    chromium_path()
    mortal = Mortal(tmp_path_factory.mktemp("mortal"))
    mortal.start()
    yield mortal
    mortal.now.close()


Watching = Callable[[int], AbstractContextManager[Page]]


@pytest.fixture
def watching(browser: Browser, tmp_path: Path, mortal: Mortal) -> Watching:
    """Return a function that opens the page of a new game on a phone whose camera shows some turns of a game."""

    @contextmanager
    def open_phone(turns: int, device: Mapping[str, Any] = PHONE) -> Iterator[Page]:
        film = tmp_path / "film.mjpeg"
        write_film(film, draw_moments(SEED, turns), LAST_S)
        flags = [*FLAGS, *CAMERA, f"--use-file-for-fake-video-capture={film}"]
        own = browser.browser_type.launch(executable_path=chromium_path(), args=flags)
        page = own.new_context(**device, locale="en-GB", permissions=["camera"]).new_page()
        page.set_default_timeout(PATIENCE_MS)
        assert mortal.server is not None
        page.goto(f"{mortal.server.url}/game")
        yield page
        own.close()
        film.unlink()

    return open_phone


def begin_game(page: Page, players: Mapping[str, str]) -> None:
    """Enter the players of a new game, by colour with their names, in turn order."""
    for colour, name in players.items():
        page.locator(f'.game-setup [data-colour="{colour}"]').click()
        page.locator(f"#name-{colour}").fill(name)
    page.get_by_role("button", name="Begin", exact=True).click()
    page.wait_for_url("**/game/*")
    expect(page.locator("#game")).to_be_visible()
