"""A photo is added to a reading: table facts go with it, and the page names those that do not."""

from __future__ import annotations

from pathlib import Path

import cv2
import httpx2 as httpx
from playwright.sync_api import expect

from tests.api.page.browser import PHONE
from tests.api.page.conftest import READ_MS, Made, Open
from tests.api.page.hands import faults
from tests.api.serving import LEVEL, error_in, photo_form


def correct(reading: Made, *corrections: dict[str, object]) -> None:
    headers = {"Authorization": f"Bearer {reading.token}"}
    httpx.patch(reading.api, json={"corrections": corrections}, headers=headers, timeout=120).raise_for_status()


def test_names_and_track_points_are_kept_with_a_further_photo(reading: Made, opened: Open, tmp_path: Path) -> None:
    first, second = sorted(reading.report.scores.final_scoring)[:2]
    correct(
        reading,
        {"kind": "player", "colour": first, "name": "Zoë"},
        {"kind": "player", "colour": second, "name": "A=b"},
        {"kind": "track", "colour": first, "points": 33},
        {"kind": "player_count", "count": 3},
        {"kind": "goods", "goods": "wine", "colour": second, "count": 2},
    )
    photo = cv2.imread(str(LEVEL))
    assert photo is not None
    cv2.imwrite(str(tmp_path / "again.jpg"), photo, [cv2.IMWRITE_JPEG_QUALITY, 80])
    page = opened(reading.url, PHONE, reading.kept)
    assert page.locator(".starts-anew").count() == 0
    page.set_input_files(".other-ways input[type=file]", tmp_path / "again.jpg")
    page.wait_for_url(lambda url: "/r/" in url and url != reading.url, timeout=READ_MS)
    page.wait_for_selector("#result:not([hidden])", timeout=READ_MS)
    report = httpx.get(page.url.replace("/r/", "/v1/readings/"), timeout=120).raise_for_status().json()["report"]
    assert report["names"] == {first: "Zoë", second: "A=b"}
    assert report["scores"]["on_track"][first] == 33
    assert report["rules"]["player_count"] == 3
    assert report["rules"]["goods"] == {"wine": {second: 2}}
    expect(page.locator("#totals")).to_contain_text("Zoë")


def test_the_page_warns_that_board_corrections_are_lost(reading: Made, opened: Open) -> None:
    tile = reading.report.board.tiles[0]
    correct(reading, {"kind": "no_tile", "row": tile.row, "col": tile.col})
    page = opened(reading.url, PHONE, reading.kept)
    told = page.locator(".other-ways .starts-anew")
    expect(told).to_contain_text("your corrections on the board are not")
    assert faults(page) == []
    page.locator("#undo").tap()
    expect(told).to_have_count(0)


def test_names_are_sent_with_a_photo_or_refused(address: str) -> None:
    def send(*players: str, game: str = "") -> httpx.Response:
        form = {**photo_form(LEVEL.read_bytes()), "data": {"player": list(players), **({"game": game} if game else {})}}
        return httpx.post(f"{address}/v1/readings", timeout=120, **form)

    assert error_in(send("red"), 422)["code"] == "bad_field"
    assert error_in(send("red=Ana", "blue=Ana"), 422)["code"] == "bad_field"
    assert error_in(send("red="), 422)["code"] == "bad_field"
    assert error_in(send("blakc=Ana"), 422)["details"]["meant"] == "black"
    assert send("pink=Ana", game="carcassonne").raise_for_status().json()["report"]["names"] == {"pink": "Ana"}
