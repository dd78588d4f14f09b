"""World Wonders of several players on the page: objectives are typed, scored between them, explained; the winner."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from api.documents.report import PhotoInfo
from api.spots.snapshot import SnapshotSpot, SpotSnapshot
from scoring.spots.game import Value
from tests.api.page.conftest import Open
from tests.api.page.hands import faults, points_on
from tests.api.page.holding import READING, holding, kept_by_browser, report_of
from tests.api.serving import Running
from tests.api.spots_seen import MAP
from tests.scoring.world_wonders.cities import TRACKS, beside, city

SIDE = 100
CITIES = city("red", ". . . ./. . . ./. L1 L1 r2/r1 r1 r1 r2") | city("blue", ". . . ./. . . ./. M1 . ./r1 M1 . .")


def held() -> SpotSnapshot:
    """Return two maps side by side, and markers, all of it certain."""
    markers = beside("red", 2, (8, 3, 5)) | beside("blue", 4, (2, 2, 2))
    values: dict[str, Value] = {**CITIES, **{spot: value for spot, value in markers.items() if "loan" not in spot}}
    spots = []
    for spot, value in values.items():
        outline: tuple[tuple[float, float], ...] = ()
        if spot.startswith("map."):
            _, player, row, col = spot.split(".")
            left, top = SIDE * (int(col) + (0 if player == "red" else 6)), SIDE * int(row)
            outline = ((left, top), (left + SIDE, top), (left + SIDE, top + SIDE), (left, top + SIDE))
        spots.append(SnapshotSpot(id=spot, value=value, confidence=1.0, outline_px=outline))
    return SpotSnapshot(
        game="world-wonders",
        components=MAP + "\n".join(line for line in TRACKS.splitlines() if not line.startswith("population")),
        players=("red", "blue"),
        spots=tuple(spots),
        photos=(PhotoInfo(file="table.jpg", width=10 * SIDE, height=4 * SIDE, sha256="0" * 64),),
        decode_ms=1.0,
        timing_ms={"spots": 1.0, "total": 1.0},
    )


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with holding(held(), tmp_path_factory.mktemp("wonders")) as started:
        yield started


@pytest.mark.soak
def test_objectives_are_typed_and_scored_between_the_players(server: Running, opened: Open) -> None:
    page = opened(f"{server.url}/r/{READING}", kept=kept_by_browser(server))
    before = points_on(page)
    page.get_by_role("button", name="Enter").click()
    sheet = page.get_by_role("dialog")
    for number, card in enumerate(("longest-road", "most-library", "highest-food"), 1):
        sheet.locator(f"[name='objective.{number}']").select_option(card)
    assert faults(page) == []
    sheet.locator(".sheet-actions .primary").click()
    sheet.locator("[name='loan.blue'][value='yes']").check()
    sheet.locator("[name='loan.red'][value='no']").check()
    sheet.locator(".sheet-actions .primary").click()
    sheet.wait_for(state="detached")
    report = report_of(server)
    assert points_on(page) == report["scores"]["total"]
    won = dict.fromkeys(("objective",), 0)
    for entry in report["scores"]["entries"]:
        if entry["rule"].startswith("objective") and entry["player"] == "red":
            won["objective"] += entry["points"]
    assert won["objective"] == 9, "the longest road, the most libraries, the highest food"
    assert report["scores"]["total"]["red"] == before["red"] + 9
    assert report["scores"]["winners"] == ["red"]
    expect(page.locator("#totals .winner")).to_contain_text("red", ignore_case=True)
    text = page.locator("#entries").inner_text()
    assert "objective." not in text
    assert "longest-road" not in text
    assert faults(page) == []
    for _ in range(2):  # a step for each of the two sheets
        page.get_by_role("button", name="Undo").click()
        page.wait_for_timeout(1000)
    expect(page.locator("#reset")).to_be_disabled()
    assert points_on(page) == before
