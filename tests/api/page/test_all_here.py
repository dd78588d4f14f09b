"""A game that lacks a tile is asked about on the page, until a person says that no more were laid."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from playwright.sync_api import expect

from api.carcassonne.report.snapshot import Snapshot, build_snapshot
from scoring.carcassonne.board.board import Board
from scoring.carcassonne.deal.boards import deal_random_board
from tests.api.doubted import joined
from tests.api.page.conftest import Open
from tests.api.page.hands import faults
from tests.api.page.holding import READING, holding, kept_by_browser, report_of
from tests.api.serving import Running
from tests.api.tables_read import reading_of

SAYING = "No more tiles were laid"


def held() -> Snapshot:
    """Return a reading without a doubt except for the one tile of 72 that it lacks."""
    whole = deal_random_board(Random(5), tiles=72)
    return build_snapshot(joined(reading_of(Board(dict([*whole.tiles.items()][1:])), 5)))


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with holding(held(), tmp_path_factory.mktemp("lacking")) as started:
        yield started


def lacking(server: Running) -> tuple[bool, bool]:
    """Return whether the report names lacking tiles, and whether it is doubtful."""
    report = report_of(server)
    return "tiles_lacking" in {problem["code"] for problem in report["board"]["problems"]}, report["doubtful"]


@pytest.mark.soak
def test_a_viewer_without_permission_is_not_asked(server: Running, opened: Open) -> None:
    page = opened(f"{server.url}/r/{READING}")
    expect(page.locator("#problems-card li").filter(has_text="72 tiles is missing")).to_have_count(1)
    assert page.get_by_role("button", name=SAYING).count() == 0


@pytest.mark.soak
def test_one_tap_states_that_no_more_were_laid_and_can_be_undone(server: Running, opened: Open) -> None:
    page = opened(f"{server.url}/r/{READING}", kept=kept_by_browser(server))
    page.locator("#problems-card summary").click()
    assert lacking(server) == (True, True)
    button = page.get_by_role("button", name=SAYING)
    expect(button).to_have_count(1)
    assert faults(page) == []
    button.click()
    expect(button).to_have_count(0)
    assert lacking(server) == (False, False)
    page.get_by_role("button", name="Undo").click()
    expect(button).to_have_count(1)
    assert lacking(server) == (True, True)
