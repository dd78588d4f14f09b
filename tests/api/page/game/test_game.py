"""A game whose score photos keep: by a camera that watches the table, and by photos that a person picks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import cv2
import httpx2 as httpx
import numpy as np
from playwright.sync_api import Page, expect

from tests.api.page.game.conftest import SEED, Mortal, Watching, begin_game
from tests.api.page.game.film import FilmedGame, decode_picture, draw_moments, play_for_film
from tests.api.page.hands import faults
from tests.api.serving import until
from vision.arrays import Image

FRAMES = """async (game) => {
  const { framesOf } = await import("/static/game/frames.js");
  return (await framesOf(game)).length;
}"""


AFTER_MS = 3000
"""Time in which a photo too many would be taken."""
FOREIGN = 25
"""Difference of nine by nine pixels that is no noise of a sensor: a hand or a meeple."""


def fetch_game(page: Page) -> dict[str, Any]:
    return dict(httpx.get(page.url.replace("/game/", "/v1/games/"), timeout=120).raise_for_status().json())


def points_shown(page: Page) -> dict[str, int]:
    """Return the running score, by player."""
    rows = page.locator(".game-player")
    return {row.get_attribute("data-player") or "": int(row.locator("b").inner_text()) for row in rows.all()}


def name_players(game: FilmedGame) -> Mapping[str, str]:
    return dict(zip(game.players, ("Anna", "Bob"), strict=True))


def watch_film(page: Page, game: FilmedGame) -> None:
    """Let the camera watch until it has seen all of a film, and wait until its photos are read."""
    page.get_by_role("button", name="Watch the table").click()
    until(lambda: len(fetch_game(page)["photos"]) >= len(game.moments))
    page.wait_for_timeout(AFTER_MS)
    until(lambda: fetch_game(page)["is_current"])


def list_taken(page: Page, stills: list[bytes]) -> list[int]:
    """Return for each photo that the server has the number of the filmed moment that it shows."""
    shrunk = [decode(still) for still in stills]
    found = []
    for photo in fetch_game(page)["photos"]:
        address = page.url.replace("/game/", "/v1/games/") + f"/photos/{photo['number']}"
        data = httpx.get(address, timeout=60).raise_for_status().content
        found.append(find_still(decode(data), shrunk))
    return found


def decode(data: bytes) -> Image:
    """Decode a picture to a quarter of its size."""
    return np.asarray(cv2.resize(decode_picture(data), None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA), np.uint8)


def find_still(photo: Image, stills: list[Image]) -> int:
    """Return the number of the still that a photo or a part of it shows; -1 if a hand is in it."""
    differences = []
    for still in stills:
        *_, (x, y) = cv2.minMaxLoc(1 - cv2.matchTemplate(still, photo, cv2.TM_CCOEFF_NORMED))[:3]
        part = still[y : y + photo.shape[0], x : x + photo.shape[1]].astype(np.float32)
        apart = np.abs(photo - part * (photo.mean() / part.mean()))
        differences.append(float(cv2.blur(apart, (9, 9)).max()))
    best = int(np.argmin(differences))
    return best if differences[best] < FOREIGN else -1


def test_a_camera_keeps_the_score_without_a_touch(watching: Watching, mortal: Mortal) -> None:
    game = play_for_film(SEED, 3)
    with watching(3) as page:
        assert faults(page) == []
        begin_game(page, name_players(game))
        assert faults(page) == []
        watch_film(page, game)
        assert list_taken(page, draw_moments(SEED, 3)) == list(range(len(game.moments)))
        expect(page.locator(".game-state")).to_have_attribute("data-state", "still")
        expect(page.locator(".game-turn")).to_have_count(game.turns)
        assert points_shown(page) == dict(game.points[-1])
        assert page.evaluate(FRAMES, page.url.rsplit("/", 1)[1]) == 0
        assert faults(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
