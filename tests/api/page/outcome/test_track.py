"""Open points of the score board are asked for on the page: one tap selects them, or they are typed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

from api.carcassonne.report.snapshot import Snapshot, build_snapshot
from api.documents.report import Track, TrackPiece, TrackToken
from tests.api.doubted import joined, wondrous
from tests.api.page.conftest import Open
from tests.api.page.hands import faults
from tests.api.page.holding import READING, holding, kept_by_browser, report_of
from tests.api.serving import Running


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
def test_laps_and_spaces_are_asked_for_and_typed(server: Running, opened: Open) -> None:
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
    sheet.get_by_label(f"Score track: {others[0]}").fill("-5")
    sheet.get_by_role("button", name="Save").click()
    expect(sheet.locator(".field-error").filter(has_text="Points cannot be less than 0.")).to_have_count(1)
    sheet.get_by_label(f"Score track: {others[0]}").fill("58")
    sheet.get_by_role("button", name="Save").click()
    sheet.wait_for(state="detached")
    assert on_track(server) == {**answered, others[0]: 58}


@pytest.mark.soak
def test_a_viewer_without_permission_is_not_asked(server: Running, opened: Open) -> None:
    page = opened(f"{server.url}/r/{READING}")
    expect(page.locator("#totals tbody tr").first).to_be_visible()
    assert page.locator("#track form").count() == 0
    assert page.get_by_role("button", name="Other points").count() == 0
