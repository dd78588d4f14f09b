"""Points of the score board on the page: typed, or read from a further photo."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import httpx2 as httpx
import numpy as np
import pytest
from playwright.sync_api import expect

from api.carcassonne.report.snapshot import Snapshot, build_snapshot
from api.documents.report import Track, TrackPiece, TrackToken
from datasets.art.score_board import draw_score_board
from datasets.art.style import MEADOW
from datasets.render.tabletops import draw_tabletop
from datasets.scene.clutter import paste
from tests.api.doubted import joined, wondrous
from tests.api.page.browser import PHONE
from tests.api.page.conftest import READ_MS, Made, Open
from tests.api.page.hands import faults
from tests.api.page.holding import READING, holding, kept_by_browser, report_of
from tests.api.serving import LEVEL, Running, error_in, photo_form


def held() -> Snapshot:
    """Return a reading with a piece of each player on a score board: the first may have gone round.

    The others' stand between two spaces. There is a wonder, so that the board may have brought any points.
    """
    table = build_snapshot(joined(wondrous(1)))
    colours = sorted({meeple.colour for meeple in table.meeples})
    pieces = [
        TrackPiece(
            colour=colour,
            pose="standing",
            spaces=[40] if colour == colours[0] else [7, 8],
            foot_px=(10.0, 10.0),
            confidence=0.9,
            doubtful=colour != colours[0],
        )
        for colour in colours
    ]
    corners = [(0.0, 0.0), (40.0, 0.0), (40.0, 30.0), (0.0, 30.0)]
    tokens = [
        TrackToken(points=points, colour=None, corners_px=corners, taught="mine", confidence=0.9, doubtful=points > 50)
        for points in (50, 100)
    ]
    track = Track(corners_px=corners, pieces=pieces, lap=50, taught="winter", tokens=tokens)
    return table.model_copy(update={"track": track})


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with holding(held(), tmp_path_factory.mktemp("track")) as started:
        yield started


def on_track(server: Running) -> dict[str, Any]:
    return dict(report_of(server)["scores"]["on_track"])


@pytest.mark.soak
def test_laps_and_spaces_are_asked_and_typed(server: Running, opened: Open) -> None:
    page = opened(f"{server.url}/r/{READING}", kept=kept_by_browser(server))
    doubted = {tuple(doubt["square"]) for doubt in report_of(server)["doubts"]}
    expect(page.locator(".layer-doubts > .query")).to_have_count(len(doubted))
    before = on_track(server)
    rounded = next(player for player, points in before.items() if points == 40)
    others = [player for player in before if player != rounded]
    assert page.locator(".leads, .winner").count() == 0, "a guess makes no winner"
    labels = page.locator(".layer-track .label")
    expect(labels.filter(has_text="40")).to_have_count(1)
    expect(labels.filter(has_text="7/8")).to_have_count(len(others))
    assert labels.all_text_contents()[-2:] == ["50", "100?"]
    expect(page.locator(".layer-track .sheet")).to_have_count(3)
    expect(page.locator(".layer-track .sheet.doubt")).to_have_count(1)
    assert faults(page) == []
    page.get_by_role("button", name="Show me").click()
    card = page.locator(".question-card")
    expect(card.get_by_role("heading")).to_contain_text(f"How many times has {rounded} gone round")
    assert faults(page) == []
    card.get_by_role("button", name="90 points, round once").click()
    expect(card.get_by_role("heading")).to_contain_text("On which space")
    assert on_track(server) == {**before, rounded: 90}
    card.get_by_role("button", name="8 points, not round yet", exact=True).click()
    expect(card.get_by_role("heading")).not_to_contain_text(others[0])
    answered = {**before, rounded: 90, others[0]: 8}
    assert on_track(server) == answered
    page.get_by_role("button", name="Players").click()
    sheet = page.get_by_role("dialog")
    sheet.get_by_label(f"Track of {others[0]}").fill("-5")
    sheet.get_by_role("button", name="Save").click()
    expect(sheet.locator(".field-error").filter(has_text="Points cannot be less than 0.")).to_have_count(1)
    sheet.get_by_label(f"Track of {others[0]}").fill("58")
    sheet.get_by_role("button", name="Save").click()
    sheet.wait_for(state="detached")
    assert on_track(server) == {**answered, others[0]: 58}


@pytest.mark.soak
def test_who_may_only_look_is_not_asked(server: Running, opened: Open) -> None:
    page = opened(f"{server.url}/r/{READING}")
    expect(page.locator("#totals tbody tr").first).to_be_visible()
    assert page.locator("#track form").count() == 0
    assert page.get_by_role("button", name="Other points").count() == 0


@pytest.mark.soak
def test_a_photo_of_the_score_board_alone_is_joined_to_the_reading(made: Made, opened: Open, tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    table = np.ascontiguousarray(draw_tabletop("wood", rng, 1400)[:1000])
    corners = np.array([(200.0, 150.0), (1200.0, 150.0), (1200.0, 853.0), (200.0, 853.0)])
    paste(table, draw_score_board(MEADOW, rng), corners)
    cv2.imwrite(str(tmp_path / "score board.jpg"), table)
    page = opened(made.url, kept=made.kept)
    page.set_input_files(".other-ways input[type=file]", tmp_path / "score board.jpg")
    page.wait_for_url(lambda url: "/r/" in url and url != made.url, timeout=READ_MS)
    page.wait_for_selector("#result:not([hidden])", timeout=READ_MS)
    report = httpx.get(page.url.replace("/r/", "/v1/readings/"), timeout=120).raise_for_status().json()["report"]
    assert report["track"]["file"] == "score board.jpg"
    assert report["set_aside"] == []
    assert report["photos"] == []
    assert report["scores"]["final_scoring"] == made.report.scores.final_scoring
    expect(page.locator(".track-form")).to_contain_text("No piece was found on the score board")


def correct(reading: Made, *corrections: dict[str, object]) -> None:
    headers = {"Authorization": f"Bearer {reading.token}"}
    httpx.patch(reading.api, json={"corrections": corrections}, headers=headers, timeout=120).raise_for_status()


def test_names_and_points_of_the_game_go_with_a_further_photo(reading: Made, opened: Open, tmp_path: Path) -> None:
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


def test_who_corrected_the_board_hears_that_it_starts_anew(reading: Made, opened: Open) -> None:
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
