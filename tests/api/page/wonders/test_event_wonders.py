"""A layout kept by the browser goes along with the photos of an event's tables, as with those of one table."""

from __future__ import annotations

import json
from pathlib import Path

import httpx2 as httpx
import tomlkit
from playwright.sync_api import expect

from api.carcassonne.report.board import read_report_board
from api.documents.report import Report
from scoring.carcassonne.wonders.files import vouch_for
from tests.api.http.copies import COPY, photograph_copy
from tests.api.page.browser import DESKTOP
from tests.api.page.conftest import READ_MS, Open
from tests.api.page.hands import event_of, handed_in, made, named, row
from tests.api.serving import Running


def test_a_layout_stored_in_the_browser_is_sent_with_photos_of_a_table(
    server: Running, opened: Open, tmp_path: Path
) -> None:
    photo = tmp_path / "table.jpg"
    photo.write_bytes(photograph_copy())
    page = named(made(opened, server.url, "Cup", DESKTOP), "Zoë")
    kept = json.dumps({COPY.id: tomlkit.dumps(dict(vouch_for(COPY).entry))})
    page.evaluate("kept => localStorage.setItem('wondertally.wonders', kept)", kept)
    page.keyboard.press("n")
    handed_in(page, photo)
    expect(row(page)).not_to_have_text("being read", timeout=READ_MS)
    (table,) = httpx.get(f"{event_of(page)}/tables").raise_for_status().json()["tables"]
    report = httpx.get(f"{server.url}/v1/readings/{table['reading']}/report.json").raise_for_status().json()
    (placed,) = read_report_board(Report.model_validate(report)).wonders
    assert not placed.layout.is_guessed, "the layout that was sent, not one that was read"
    assert placed.layout.parts == COPY.parts
