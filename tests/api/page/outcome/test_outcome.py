"""There is no winner on the page while points are missing, and contradictions stand before the score."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import cv2
import numpy as np
import pytest
from playwright.sync_api import Page, expect

from api.carcassonne.report.snapshot import Snapshot, build_snapshot
from tests.api.doubted import doubted, joined, small
from tests.api.page.browser import ON_PHONE_AND_DESKTOP, PHONE, Watch
from tests.api.page.conftest import Open
from tests.api.page.hands import faults, points_on
from tests.api.page.holding import READING, TOKEN, holding, kept_by_browser, report_of
from tests.api.serving import Running
from tests.api.tables_read import reading_of


def sure() -> Snapshot:
    """Return a board without any doubt."""
    return build_snapshot(joined(reading_of(small(3), 3)))


def hard() -> Snapshot:
    """Return a board in doubt everywhere, every other tile of which was read as one that the box holds few of."""
    reading = doubted(small(2), 2)
    tiles = [replace(tile, tile="A") if number % 2 else tile for number, tile in enumerate(reading.tiles)]
    kept = {(tile.row, tile.col) for tile in reading.tiles[::2]}
    meeples = tuple(own for own in reading.meeples if (own.row, own.col) in kept)
    return build_snapshot(joined(replace(reading, tiles=tuple(tiles), meeples=meeples, possible_meeples=())))


def doubtful() -> Snapshot:
    """Return a board with questions about tiles and pieces."""
    return build_snapshot(joined(doubted(small(2), 2)))


@pytest.fixture
def server(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Running]:
    """Start a server that holds a board without any doubt, or the one that a test names."""
    with holding(getattr(request, "param", sure)(), tmp_path) as started:
        yield started


def correct(server: Running, *corrections: object) -> None:
    change = {"reset": True} if not corrections else {"corrections": list(corrections)}
    headers = {"Authorization": f"Bearer {TOKEN}"}
    server.client.patch(f"/v1/readings/{READING}", json=change, headers=headers).raise_for_status()


def columns(page: Page) -> list[str]:
    return page.locator("#totals thead th").all_inner_texts()


@ON_PHONE_AND_DESKTOP
def test_track_points_are_asked_for_before_a_winner_is_shown(
    server: Running, opened: Open, device: Mapping[str, Any]
) -> None:
    page = opened(f"{server.url}/r/{READING}", device, kept_by_browser(server))
    final = report_of(server)["scores"]["final_scoring"]
    assert page.locator("#scores-title").inner_text() == "Final scoring, without the score track"
    assert columns(page) == ["Player", "Points"]
    assert "%" not in page.locator(".scores").inner_text()
    expect(page.locator("#totals")).to_contain_text("nobody can say yet who won")
    assert page.locator(".leads, .winner").count() == 0
    assert faults(page) == []
    form = page.locator(".track-form")
    first, *others = final
    form.get_by_label(first, exact=True).fill("-5")
    form.get_by_role("button", name="Add them up").click()
    expect(form.locator(f"[data-player={first}] .field-error")).to_have_text("Points cannot be less than 0.")
    assert report_of(server)["scores"]["on_track"][first] is None
    form.get_by_label(first, exact=True).fill("40")
    form.get_by_role("button", name=f"{first}: one point more", exact=False).click()
    form.get_by_label(first, exact=True).press("Enter")
    expect(page.locator("#totals thead th")).to_have_text(["Player", "Score track", "Final scoring"])
    expect(form.get_by_label(first, exact=True)).to_be_focused()
    assert report_of(server)["scores"]["on_track"] == {first: 41, **dict.fromkeys(others)}
    assert page.locator(".leads, .winner").count() == 0
    assert points_on(page) == final, "parts are never mixed with totals"
    most = 41 + final[first]
    for player in others:
        form.get_by_label(player, exact=True).fill(str(most - final[player]))
    form.get_by_label(others[0], exact=True).press("Enter")
    expect(page.locator("#totals thead th")).to_have_text(["Player", "Score track", "Final scoring", "Total"])
    expect(page.locator("#scores-title")).to_have_text("Result")
    expect(page.locator(".winner")).to_contain_text("A tie")
    expect(page.locator("#track summary")).to_be_focused()
    assert page.locator(".leads").count() == len(final)
    assert faults(page) == []
    page.get_by_role("button", name="Share").click()
    address = page.get_by_role("link", name="Open in BG Stats").get_attribute("href") or ""
    page.keyboard.press("Escape")
    (play,) = parse_qs(urlsplit(address).query)["data"]
    told = json.loads(play)
    assert (told["sourcePlayId"], told["game"]["bggId"], told["playDate"][10]) == (READING, 822, " ")
    assert [(one["score"], one["winner"]) for one in told["players"]] == [(most, True)] * len(final)


@pytest.mark.soak
@pytest.mark.parametrize("server", [hard], indirect=True)
def test_points_stand_before_questions_and_those_before_one_line_of_warnings(server: Running, opened: Open) -> None:
    page = opened(f"{server.url}/r/{READING}", PHONE, kept_by_browser(server))
    found = report_of(server)["board"]["problems"]
    assert len(found) > 4
    assert "more_than_the_box" in {problem["code"] for problem in found}
    shown = [page.locator(f"#{name}") for name in ("totals", "questions", "problems-card")]
    tops = [one.bounding_box()["y"] for one in shown]  # type: ignore[index]
    assert tops == sorted(tops)
    expect(shown[0].locator("tbody tr").first).to_be_in_viewport(ratio=1)
    folded = shown[2].bounding_box()
    assert folded
    assert folded["height"] < 80
    assert page.locator(".warning:visible").count() == 0
    shown[2].locator("summary").tap()
    items = page.locator(".warning:visible, .problems > li:visible")
    expect(shown[2].locator("summary")).to_have_text(f"{items.count()} warnings about this table")
    expect(page.locator(".warning.contradiction").first).to_be_visible()
    excess = page.locator(".warning p", has_text="lies here").first
    expect(excess).to_have_text(
        re.compile(r"^One tile lies here \d+ times, but only \d exist: (road|city|curve|monast)")
    )
    assert faults(page) == []


@pytest.mark.parametrize("server", [doubtful], indirect=True)
def test_a_tile_is_asked_about_by_its_drawing_beside_the_photo(server: Running, opened: Open) -> None:
    page = opened(f"{server.url}/r/{READING}", PHONE, kept_by_browser(server))
    page.get_by_role("button", name="Show me").tap()
    photo, drawing = page.locator(".question-card .cut-button"), page.locator(".question-card .compare img")
    page.locator(".question-card .answer").first.wait_for()
    while page.locator("#card-title").inner_text() != "Which tile is this?":
        page.get_by_role("button", name="I am not sure").tap()
    expect(drawing).to_have_js_property("complete", True)
    boxes = [one.bounding_box() for one in (photo, drawing)]
    (left, top), (right, level) = [(box["x"] + box["width"], round(box["y"])) for box in boxes if box]
    assert left < right
    assert top == level
    assert drawing.get_attribute("src") == page.locator(".answer img").first.get_attribute("src")
    assert re.search("road|city|monastery|field|curve", drawing.get_attribute("alt") or "")
    photo.tap()
    expect(page.locator(".cut-dialog .cut-large")).to_be_visible()


@pytest.mark.soak
def test_the_leading_player_is_the_winner_once_all_points_are_known(server: Running, opened: Open) -> None:
    final = report_of(server)["scores"]["final_scoring"]
    first = min(final)
    corrections = [{"kind": "track", "colour": colour, "points": 90 if colour == first else 1} for colour in final]
    correct(server, *corrections)
    page = opened(f"{server.url}/r/{READING}")
    expect(page.locator(".winner")).to_have_text(f"Winner: {first}", ignore_case=True)
    assert page.locator(".leads").count() == 1
    correct(server, {"kind": "player_count", "count": 1})
    page.reload()
    page.locator("#problems-card summary").click()
    expect(page.locator(".warning.contradiction")).to_be_visible()
    assert page.locator(".leads, .winner").count() == 0, "more colours than people cannot be"
    expect(page.locator(".certainty").first).to_contain_text("Something here is in doubt.")
    assert "%" not in page.locator(".scores").inner_text()


@pytest.mark.soak
def test_the_page_reports_a_board_without_pieces(server: Running, opened: Open) -> None:
    meeples = report_of(server)["board"]["meeples"]
    correct(server, *({"kind": "no_meeple", "id": meeple["id"]} for meeple in meeples))
    page = opened(f"{server.url}/r/{READING}", kept=kept_by_browser(server))
    expect(page.locator(".warning.bare")).to_contain_text("No meeple stands on this board")
    assert page.locator(".certainty, #totals table").count() == 0
    assert faults(page) == []


@pytest.mark.soak
def test_errors_are_shown_near_the_send_button(server: Running, opened: Open, watch: Watch, tmp_path: Path) -> None:
    page = opened(server.url, PHONE)
    photo = tmp_path / "table.png"
    cv2.imwrite(str(photo), np.full((900, 1200, 3), 90, np.uint8))
    page.set_input_files("#gallery", photo)
    page.context.set_offline(True)
    page.locator("#send").click()
    expect(page.locator("#problem")).to_have_text("The server cannot be reached. Are you online?")
    expect(page.locator("#problem")).to_be_in_viewport(ratio=1)
    page.context.set_offline(False)
    page = opened(f"{server.url}/r/{READING}", PHONE, kept_by_browser(server))
    page.get_by_role("button", name="Players").click()
    sheet = page.get_by_role("dialog")
    sheet.locator("input[name^=track-]").first.fill("7")
    page.context.set_offline(True)
    sheet.get_by_role("button", name="Save").click()
    error = sheet.locator(".sheet-actions .sheet-error")
    expect(error).to_have_text("The server cannot be reached. Are you online?")
    expect(error).to_be_in_viewport(ratio=1)
    watch.faults.clear()  # the browser itself logs that it is offline
