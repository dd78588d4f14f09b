"""Everything that a wonder pays for is drawn where it lies, and can be tapped in the text: two taps settle it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import Page

from api.carcassonne.report.snapshot import Snapshot, build_snapshot
from scoring.carcassonne.board.board import Board
from scoring.carcassonne.board.notation import parse_notation
from tests.api.doubted import joined
from tests.api.page.browser import PHONE
from tests.api.page.conftest import Open
from tests.api.page.hands import faults
from tests.api.page.holding import READING, holding, kept_by_browser, report_of
from tests.api.serving import Running
from tests.api.tables_read import reading_of
from tests.scoring.laid import laid, on, together, wonder
from vision.reading.values import WonderReading

LINE = "@-2,0 U0U0U0U0U0U0U0U0"
"""A row of eight roads, which counts for two wonders."""


def build_table() -> Board:
    """Return a board with all four wonders that pay at the end: yellow's knight, blue's farmers and a long row."""
    alhambra = wonder("alhambra", (12, 0))
    circus = laid("E2 yellow^0,0=cS", (wonder("circus-maximus", (1, 0)), "red"))
    others = laid(
        "@11,8 B0",
        (alhambra, "blue"),
        (wonder("terracotta-army", (6, 5)), "blue"),
        (wonder("angkor-wat", (12, 5)), "blue"),
        meeples=(on(alhambra, "blue", "field"),),
    )
    return together([parse_notation(LINE), circus, others])


def held() -> Snapshot:
    board = build_table()
    wonders = tuple(WonderReading(placed, 1.0) for placed in board.wonders)
    return build_snapshot(joined(replace(reading_of(board), wonders=wonders)))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with holding(held(), tmp_path_factory.mktemp("wonders")) as started:
        yield started


def account_of(server: Running, name: str) -> dict[str, Any]:
    document = server.client.get(f"/v1/readings/{READING}/explanation", params={"feature": name}).raise_for_status()
    (feature,) = document.json()["features"]
    return dict(feature)


def shown(page: Page, selector: str) -> bool:
    """Return whether the whole of a shape lies within the picture on the screen."""
    picture, shape = page.locator("#viewer").bounding_box(), page.locator(selector).first.bounding_box()
    assert picture is not None
    assert shape is not None
    within = picture["x"] - 2 <= shape["x"] and shape["x"] + shape["width"] <= picture["x"] + picture["width"] + 2
    return within and picture["y"] - 2 <= shape["y"]


@pytest.mark.parametrize(
    "name", ["Terracotta Army", pytest.param("Circus Maximus", marks=pytest.mark.soak), "Alhambra"]
)
def test_two_taps_show_what_a_wonder_pays_for(name: str, server: Running, opened: Open) -> None:
    account = account_of(server, name)
    paid = [one for one in account["counted"] if one["points"]]
    assert sum(one["points"] for one in paid) == account["points"] > 0
    page = opened(f"{server.url}/r/{READING}", PHONE, kept_by_browser(server))
    page.locator("#entries button", has_text=name).first.tap()
    page.locator(".in-text").first.wait_for()
    page.wait_for_timeout(600)
    drawn = page.locator(".layer-chosen .counted")
    assert drawn.count() == len(account["counted"])
    assert page.locator(".layer-chosen .counted:not(.none)").count() == len(paid)
    assert all(shown(page, f".counted[data-counted='{account['counted'].index(one)}']") for one in paid)
    words = page.locator(".in-text")
    assert words.all_inner_texts() == [one["name"] for one in paid]
    if name == "Terracotta Army":
        assert page.locator(".counted.none").count() > 5
        assert faults(page) == []
    words.last.tap()
    page.wait_for_timeout(600)
    stressed = page.locator(".counted.stressed")
    assert stressed.get_attribute("data-counted") == str(account["counted"].index(paid[-1]))
    assert shown(page, ".counted.stressed")
    print(f"{name}: 2 taps")


def test_pieces_that_count_are_ringed_where_they_stand(server: Running, opened: Open) -> None:
    """The ring of each piece is at its foot in the photo."""
    (piece,) = account_of(server, "Circus Maximus")["counted"]
    page = opened(f"{server.url}/r/{READING}", PHONE, kept_by_browser(server))
    page.locator("#entries button", has_text="Circus Maximus").first.tap()
    ring = page.locator(".counted-ring")
    ring.wait_for()
    at = [float(ring.get_attribute(name) or 0) for name in ("cx", "cy")]
    assert at == report_of(server)["board"]["meeples"][piece["meeple"]]["foot_px"]
