"""A photo of the score board alone is added on the page, and joined to the reading."""

from __future__ import annotations

from pathlib import Path

import cv2
import httpx2 as httpx
import numpy as np
import pytest
from playwright.sync_api import expect

from datasets.art.score_board import draw_score_board
from datasets.art.style import MEADOW
from datasets.render.tabletops import draw_tabletop
from datasets.scene.clutter import paste
from tests.api.page.conftest import READ_MS, Made, Open


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
