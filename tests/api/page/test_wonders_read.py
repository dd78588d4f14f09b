"""A photo of World Wonders on the page: read by the real reader, a piece corrected as a whole, undone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import cv2
import pytest
from playwright.sync_api import Page, expect

from datasets.world_wonders.style import build_style
from tests.api.page.browser import chromium_path
from tests.api.page.conftest import READ_MS, Open
from tests.api.page.hands import faults, points_on
from tests.api.serving import Running, running
from tests.vision.world_wonders.drawn_tables import PLAYER, enrolled, shot_of
from vision.enrolment.games import GameEnrolments

ART = build_style("ivory")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """Start a real server with the enrolled empty boards."""
    chromium_path()
    folder = tmp_path_factory.mktemp("wonders")
    GameEnrolments(folder / "games").save(enrolled(ART))
    with running(folder, readers=1) as started:
        yield started


def told(server: Running, page: Page) -> dict[str, Any]:
    return dict(server.client.get(f"/v1/readings/{page.url.rsplit('/', 1)[1]}").raise_for_status().json())


def pieces(report: dict[str, Any]) -> dict[str, list[dict[str, Any]]]:
    """Return the squares of each piece, by its reading."""
    squares_by_piece = dict[str, list[dict[str, Any]]]()
    for spot in report["board"]["spots"]:
        if spot["kind"] == "square" and "#" in str(spot["value"]):
            squares_by_piece.setdefault(spot["value"], []).append(spot)
    return squares_by_piece


@pytest.mark.soak
def test_a_photo_is_read_and_a_piece_corrected_as_a_whole_and_taken_back(server: Running, opened: Open) -> None:
    page = opened(server.url)
    picture = cv2.imencode(".jpg", shot_of(ART).image)[1].tobytes()
    page.set_input_files("#gallery", {"name": "table.jpg", "mimeType": "image/jpeg", "buffer": picture})
    page.get_by_role("radio", name="World Wonders").check()
    page.get_by_role("button", name="Count the points").click()
    page.wait_for_url("**/r/*")
    page.wait_for_selector("#stages li.now", timeout=READ_MS)
    stages = page.locator("#stages li").all_inner_texts()
    assert stages == ["Opening the photo", "Finding and reading the board", "Counting the points"]
    page.wait_for_selector("#result:not([hidden])", timeout=READ_MS)

    report = told(server, page)["report"]
    assert report["rules"]["players"] == [PLAYER]
    assert points_on(page) == report["scores"]["total"]
    assert page.locator(".piece-name").count() == len(pieces(report))
    page.locator("summary", has_text="Everything on the table").click()
    page.locator("summary", has_text="Squares of the maps").click()
    squares = [spot for spot in report["board"]["spots"] if spot["kind"] == "square"]
    assert page.locator("#squares .map-square").count() == len(squares)
    assert faults(page) == []

    piece = max(pieces(report).values(), key=len)
    new = next(
        choice for choice in piece[0]["choices"] if choice.startswith("temple#") and choice not in pieces(report)
    )
    page.locator(f"#squares [data-spot='{piece[0]['id']}']").click()
    sheet = page.get_by_role("dialog")
    sheet.locator("optgroup").nth(1).wait_for(state="attached")
    assert sheet.locator("optgroup").evaluate_all("(own) => own.map(({label}) => label)") == ["On the table", "New"]
    assert f"The whole piece ({len(piece)} squares)" in sheet.inner_text()
    sheet.locator("select").select_option(new)
    sheet.get_by_role("button", name="Change it").click()
    sheet.wait_for(state="detached")
    corrected = told(server, page)
    assert corrected["corrections"] == [{"kind": "piece", "id": piece[0]["id"], "value": new}]
    assert {spot["id"] for spot in pieces(corrected["report"])[new]} == {spot["id"] for spot in piece}
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#reset")).to_be_disabled()
    assert pieces(told(server, page)["report"]) == pieces(report)
