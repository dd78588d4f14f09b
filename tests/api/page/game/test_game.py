"""A game whose score is kept from photos: of a camera that watches the table, and those that a person picks."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Any

import cv2
import httpx2 as httpx
import numpy as np
import pytest
from playwright.sync_api import Error as PlaywrightError
from playwright.sync_api import Page, Route, expect

from api.carcassonne.report.moves_schema import Moves
from datasets.evaluation.games import DrawnGame, list_differences
from tests.api.page.browser import JUDGES_SCREEN, PHONE, Watch
from tests.api.page.conftest import Open
from tests.api.page.game.conftest import LAST_S, SEED, Mortal, Watching, begin_game
from tests.api.page.game.film import FilmedGame, decode_picture, draw_moments, play_for_film
from tests.api.page.hands import faults
from tests.api.serving import until
from vision.arrays import Image

FRAMES = """async (game) => {
  const { framesOf } = await import("/static/game/frames.js");
  return (await framesOf(game)).length;
}"""


READ_TOKEN = "id => JSON.parse(localStorage.getItem('wondertally.games'))[id].token"
LOOK_MS, AFTER_MS = 1000, 3000
"""Time between looks at the photos, which take processor time from the film; time in which a photo too many would be
taken."""
FOREIGN = 25
"""Difference of 36 by 36 pixels that is no noise of a sensor: a hand or a meeple."""
SPARE_S = LAST_S / 2
"""Time after a film in which its last photos come; later it begins again."""
COARSE = 4
"""Pixels in which a photo's place in a still is found first."""


def fetch_game(page: Page) -> dict[str, Any]:
    return dict(httpx.get(page.url.replace("/game/", "/v1/games/"), timeout=120).raise_for_status().json())


def points_shown(page: Page) -> dict[str, int]:
    """Return the running score, by player."""
    rows = page.locator(".game-player")
    return {row.get_attribute("data-player") or "": int(row.locator("b").inner_text()) for row in rows.all()}


def name_players(game: FilmedGame) -> Mapping[str, str]:
    return dict(zip(game.players, ("Anna", "Bob"), strict=True))


def watch_film(page: Page, game: FilmedGame, restart: Callable[[], None]) -> None:
    """Let the camera watch until it has seen all of a film, and wait until its photos are read; the server is restarted
    in the middle.

    The camera is then stopped: the film begins again.
    """
    page.get_by_role("button", name="Watch the table").click()
    end, middle = monotonic() + game.seconds + SPARE_S, len(game.moments) // 2
    while (taken := len(fetch_game(page)["photos"])) < len(game.moments) and monotonic() < end:
        page.wait_for_timeout(LOOK_MS)
        if middle and taken >= middle:
            restart()
            middle = 0
    page.wait_for_timeout(AFTER_MS)
    expect(page.locator(".game-state")).to_have_attribute("data-state", "still")
    page.get_by_role("button", name="Stop the camera").click()
    until(lambda: fetch_game(page)["is_current"])


def list_wrong_turns(page: Page, game: FilmedGame) -> list[str]:
    """Return the turns that the log lacks or has otherwise, with its lines in their place."""
    photos = {f"photo {number}": turns for number, turns in enumerate(game.turns_before, 1)}
    log = Moves.model_validate(fetch_game(page)["log"])
    return [*list_differences(DrawnGame(Path(), photos, game.end), log)]


def list_taken(page: Page, stills: list[bytes]) -> list[int]:
    """Return for each photo that the server has the number of the filmed moment that it shows."""
    moments = [decode_picture(still) for still in stills]
    found = []
    for photo in fetch_game(page)["photos"]:
        address = page.url.replace("/game/", "/v1/games/") + f"/photos/{photo['number']}"
        data = httpx.get(address, timeout=60).raise_for_status().content
        found.append(find_still(decode_picture(data), moments))
    return found


def find_still(photo: Image, stills: list[Image]) -> int:
    """Return the number of the still that a photo or a part of it shows; -1 if a hand is in it."""
    differences = [measure_difference(photo, still) for still in stills]
    best = int(np.argmin(differences))
    return best if differences[best] < FOREIGN else -1


def measure_difference(photo: Image, still: Image) -> float:
    """Return the largest difference of a photo from the part of a still that it shows, whatever its light."""
    whole, small = (
        cv2.resize(one, None, fx=1 / COARSE, fy=1 / COARSE, interpolation=cv2.INTER_AREA) for one in (still, photo)
    )
    coarse = np.asarray(cv2.matchTemplate(whole, small, cv2.TM_CCOEFF_NORMED))
    y, x = (COARSE * int(at) for at in np.unravel_index(np.argmax(coarse), coarse.shape))
    height, width = photo.shape[:2]
    near = still[max(0, y - COARSE) : y + height + COARSE, max(0, x - COARSE) : x + width + COARSE]
    if near.shape[0] < height or near.shape[1] < width:
        return float(np.inf)
    matched = np.asarray(cv2.matchTemplate(near, photo, cv2.TM_CCOEFF_NORMED))
    top, left = np.unravel_index(np.argmax(matched), matched.shape)
    part = near[top : top + height, left : left + width].astype(np.float32)
    apart = cv2.resize(
        np.abs(photo - part * (photo.mean() / part.mean())), None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA
    )
    return float(cv2.blur(apart, (9, 9)).max())


TURNS = pytest.mark.parametrize("turns", [3, pytest.param(20, marks=pytest.mark.soak)])


@TURNS
def test_a_camera_keeps_the_score_without_a_touch(watching: Watching, mortal: Mortal, turns: int) -> None:
    game = play_for_film(SEED, turns)
    with watching(turns) as page:
        assert faults(page) == []
        begin_game(page, name_players(game))
        assert faults(page) == []
        watch_film(page, game, mortal.restart)
        assert list_taken(page, draw_moments(SEED, turns)) == list(range(len(game.moments)))
        assert list_wrong_turns(page, game) == []
        expect(page.locator(".game-turn")).to_have_count(game.turns)
        assert points_shown(page) == dict(game.points[-1])
        assert page.evaluate(FRAMES, page.url.rsplit("/", 1)[1]) == 0
        assert faults(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def test_server_and_phone_end_in_the_middle_and_nothing_is_lost(watching: Watching, mortal: Mortal) -> None:
    """The server is killed before the first photo, the page is loaded again, and photos wait on the phone."""
    game = play_for_film(SEED, 2)
    with watching(2) as page:
        begin_game(page, name_players(game))
        id = page.url.rsplit("/", 1)[1]
        mortal.kill()
        page.get_by_role("button", name="Watch the table").click()
        until(lambda: page.evaluate(FRAMES, id) == len(game.moments))
        expect(page.locator("#unreached")).to_be_visible()
        mortal.start()
        page.reload()
        expect(page.locator(".game-state")).to_have_attribute("data-state", "still")
        page.get_by_role("button", name="Stop the camera").click()
        until(lambda: fetch_game(page)["is_current"] and not page.evaluate(FRAMES, id))
        expect(page.locator(".game-turn")).to_have_count(game.turns)
        assert len({photo["client_id"] for photo in fetch_game(page)["photos"]}) == len(fetch_game(page)["photos"])


@pytest.fixture
def picked(opened: Open, address: str, tmp_path: Path) -> Page:
    """Return the page of a game whose photos were picked by hand, on a desk."""
    game = play_for_film(SEED, 4)
    page = opened(f"{address}/game", JUDGES_SCREEN)
    begin_game(page, name_players(game))
    files = []
    for number, still in enumerate(draw_moments(SEED, 4)):
        files.append(tmp_path / f"{number}.png")
        files[-1].write_bytes(still)
    page.set_input_files("#gallery", files)
    until(lambda: len(fetch_game(page)["photos"]) == len(files) and fetch_game(page)["is_current"])
    return page


def test_photos_picked_by_hand_are_corrected_watched_and_finished(picked: Page, opened: Open) -> None:
    game = play_for_film(SEED, 4)
    page, points = picked, dict(game.points[-1])
    expect(page.locator(".game-turn")).to_have_count(game.turns)
    assert points_shown(page) == points
    assert page.locator("#chart text").all_text_contents()[:3] == ["0", "2", "4"]
    assert faults(page) == []
    other = opened(page.url, PHONE)
    expect(other.locator("#watching")).to_be_visible()
    for part in ("#filming-card", "#points", "#undo", "#finish"):
        expect(other.locator(part)).to_be_hidden()
    assert points_shown(other) == points
    scored = next(turn for turn in page.locator(".game-turn").all() if turn.locator(".game-gain").inner_text())
    scored.click()
    sheet = page.get_by_role("dialog")
    expect(sheet.locator("canvas.cut")).to_be_visible()
    until(lambda: page.evaluate("document.querySelector('canvas.cut').width") > 300)
    sheet.get_by_text("Another piece stands here").click()
    assert faults(page) == []
    sheet.locator(".choice", has_text="none").click()
    sheet.get_by_role("button", name="Set this piece").click()
    sheet.wait_for(state="detached")
    expect(page.locator("#said li")).to_have_count(1)
    until(lambda: points_shown(page) != points, 60)
    until(lambda: points_shown(other) == points_shown(page), 60)
    page.keyboard.press("Control+z")
    until(lambda: points_shown(page) == points, 60)
    correct_turn(page)
    until(lambda: points_shown(page) == points, 60)
    check_sheet_on_phone(page)
    ask_about_tile(page)
    page.locator("#finish").click()
    page.get_by_role("dialog").get_by_role("button", name="Finish the game").click()
    expect(page.locator("#finished h2")).to_contain_text("wins with")
    expect(page.locator("#finished tr[data-player]")).to_have_count(2)
    expect(page.locator("#lead")).to_be_empty()
    totals = fetch_game(page)["log"]["totals"]["total"]
    assert points_shown(page) == totals
    assert faults(page) == []
    page.get_by_role("button", name="Go on playing").click()
    expect(page.locator("#finished")).to_be_hidden()


def correct_turn(page: Page) -> None:
    """Give the last turn to the other player, who would have been on turn at the photo before it; take that back."""
    last = page.locator(".game-turn").first
    last.click()
    sheet = page.get_by_role("dialog")
    sheet.get_by_text("It was another player").click()
    chip = sheet.locator(".chips [data-player]")
    expect(chip).to_have_count(1)
    other = chip.inner_text()
    chip.click()
    sheet.wait_for(state="detached")
    expect(page.locator("#said li")).to_have_text(re.compile(f"^{other} was on turn at photo [0-9]+"))
    assert faults(page) == []
    page.keyboard.press("Control+z")
    expect(page.locator("#said li")).to_have_count(0)


def check_sheet_on_phone(page: Page) -> None:
    """Open the sheet of a turn with a fold on a narrow window: its photo stays, and its end comes into view."""
    page.set_viewport_size({"width": 390, "height": 844})
    page.locator(".game-turn").first.click()
    sheet = page.get_by_role("dialog")
    sheet.get_by_text("Another piece stands here").click()
    photo, last = sheet.locator(".game-place"), sheet.get_by_role("button", name="Leave this photo out")
    expect(photo.locator("canvas")).to_be_visible()
    assert photo.evaluate("button => button.offsetHeight") >= 140
    last.scroll_into_view_if_needed()
    last.click(trial=True)
    page.keyboard.press("Escape")
    sheet.wait_for(state="detached")


def ask_about_tile(page: Page) -> None:
    """Load the page with an open question about a tile: its button offers tiles for the square."""
    moves = [move for stretch in fetch_game(page)["log"]["stretches"] for move in stretch["moves"]]
    square = [moves[0]["tiles"][0][key] for key in ("row", "col")]

    def ask(route: Route) -> None:
        game = route.fetch(url=route.request.url.replace("wait=20", "wait=0.3")).json()
        codes = ("order", "wonder_taken", "unknown_tile", "doubtful_tile", "track_differs")
        asked = [{"code": code, "tiles": [square], "text": code, "values": {"player": "red"}} for code in codes]
        game["log"]["open"] = asked
        with suppress(PlaywrightError):  # the page was left meanwhile
            route.fulfill(json=game)

    load = re.compile(r"/v1/games/[^/?]+(\?.*)?$")
    page.route(load, ask)
    page.reload()
    keep_what_is_open(page)
    unknown, doubtful = (page.locator("#open li", has_text=code) for code in ("unknown_tile", "doubtful_tile"))
    expect(doubtful.get_by_role("button", name="This is right")).to_be_visible()
    assert unknown.get_by_role("button", name="This is right").count() == 0, "nobody knows which tile it is"
    unknown.get_by_role("button", name="Another tile lies here").click()
    sheet = page.get_by_role("dialog")
    expect(sheet.locator(".game-place canvas")).to_be_visible()
    expect(sheet.locator(".tile[aria-pressed=true]")).to_have_count(1)
    page.unroute(load)
    page.reload()


def keep_what_is_open(page: Page) -> None:
    """Open the fold of questions and focus a list in it; a change by somebody else takes neither away."""
    page.locator("#more-open summary").click()
    wonder = page.locator("#open select")
    wonder.focus()
    token = page.evaluate(READ_TOKEN, page.url.rsplit("/", 1)[1])
    url, owner = page.url.replace("/game/", "/v1/games/"), {"Authorization": f"Bearer {token}"}
    said = {"kind": "turn", "colour": fetch_game(page)["settings"]["players"][0]["colour"]}
    made = httpx.post(f"{url}/corrections", json=said, headers=owner, timeout=60).raise_for_status().json()
    expect(page.locator("#said li")).to_have_text(re.compile("was on turn at the first photo"))
    expect(wonder).to_be_focused()
    httpx.delete(f"{url}/corrections/{made['corrections'][-1]['id']}", headers=owner, timeout=60).raise_for_status()
    expect(page.locator("#said li")).to_have_count(0)
    expect(page.locator("#more-open")).to_have_attribute("open", "")


def test_only_the_right_token_keeps_a_game_until_it_is_gone(opened: Open, address: str, watch: Watch) -> None:
    page = opened(f"{address}/game", PHONE)
    begin_game(page, {"red": "", "blue": ""})
    link = page.url
    id = link.rsplit("/", 1)[1]
    token = page.evaluate(READ_TOKEN, id)
    page.goto("about:blank")
    page.goto(f"{link}#token=zzz")
    expect(page.locator("#filming-card")).to_be_visible()
    assert page.evaluate(READ_TOKEN, id) == token
    assert page.url == link
    page.close()
    other = opened(f"{link}#token=zzz", PHONE)
    expect(other.locator("#watching")).to_be_visible()
    expect(other.locator("#filming-card")).to_be_hidden()
    assert not other.evaluate("localStorage.getItem('wondertally.games')")
    other.goto("about:blank")
    other.goto(f"{link}#token={token}")
    expect(other.locator("#filming-card")).to_be_visible()
    httpx.delete(link.replace("/game/", "/v1/games/"), headers={"Authorization": f"Bearer {token}"}).raise_for_status()
    expect(other.locator("#failed-why")).to_contain_text("There is nothing here, or it no longer exists.")
    expect(other.locator("#game")).to_be_hidden()
    (refused,) = watch.faults
    assert "404" in refused
    watch.faults.clear()


def test_without_a_camera_the_page_says_what_helps(opened: Open, address: str) -> None:
    page = opened(f"{address}/game", PHONE)
    begin_game(page, {"red": "", "blue": ""})
    page.get_by_role("button", name="Watch the table").tap()
    expect(page.locator("#filming [role=alert]")).to_have_text(
        re.compile("Take or choose the photos by hand|may not use")
    )
    expect(page.locator("#camera")).to_have_count(1)
    page.goto(address)
    expect(page.locator("#my-games li")).to_have_count(1)
    page.locator("#my-games a").tap()
    expect(page.locator(".game-player")).to_have_count(2)
