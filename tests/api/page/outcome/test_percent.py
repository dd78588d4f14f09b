"""The certainty of a reading on the page, in a real browser: never 100 % for less, nothing for the unknown."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from fastapi import FastAPI
from sqlalchemy import update
from sqlalchemy.orm import Session

from api.games.registry import build_snapshot_report
from api.languages import LANGUAGES
from api.server.settings import Settings
from api.store.tables import ReadingRow
from scoring.percent import format_likelihood
from tests.api.doubted import held
from tests.api.page.browser import chromium_path
from tests.api.page.conftest import Open
from tests.api.serving import Running, keep, running, unopened

SURE = {
    "areadingthatisnearlysure": 0.9963,
    "areadingthatishardlysure": 0.0004,
    "areadingwithaboardcutoff": None,
    "areadingthatisroundedup0": 1.0,
}
NEARLY, HARDLY, UNKNOWN, ROUNDED = SURE
SPACE = "\N{NO-BREAK SPACE}"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """Start a real server that keeps a reading of each confidence."""
    chromium_path()
    folder = tmp_path_factory.mktemp("percent")
    with unopened(Settings(data=folder)) as app:
        for reading, confidence in SURE.items():
            keep_as_sure_as(app, reading, confidence)
    with running(folder, readers=1) as started:
        yield started


def keep_as_sure_as(app: FastAPI, reading: str, confidence: float | None) -> None:
    """Keep a reading whose report, and each of whose doubts, has that probability."""
    keep(app, reading, "the owner", held(5))
    report = build_snapshot_report(held(5))
    report.scores.confidence = confidence
    with Session(app.state.server.engine) as session, session.begin():
        session.execute(update(ReadingRow).where(ReadingRow.id == reading).values(report=report.to_json()))


@pytest.mark.parametrize("language", [*(pytest.param(one, marks=pytest.mark.soak) for one in ("en", "de")), "ro"])
def test_a_nearly_certain_reading_has_no_percentage(language: str, server: Running, opened: Open) -> None:
    page = opened(f"{server.url}/r/{NEARLY}", locale=language)
    assert (page.locator("#totals .certainty").first.text_content() or "").strip()
    assert "%" not in page.locator("#totals").inner_text()


@pytest.mark.parametrize(
    ("language", "share"),
    [
        pytest.param("en", "under 1%", marks=pytest.mark.soak),
        pytest.param("de", f"unter 1{SPACE}%", marks=pytest.mark.soak),
        ("ro", f"sub 1{SPACE}%"),
    ],
)
def test_the_page_states_that_a_reading_is_probably_wrong(
    language: str, share: str, server: Running, opened: Open
) -> None:
    page = opened(f"{server.url}/r/{HARDLY}", locale=language)
    assert share in (page.locator("#totals .certainty").first.text_content() or "")


@pytest.mark.soak
@pytest.mark.parametrize(
    "language", ["de", *(pytest.param(one, marks=pytest.mark.soak) for one in LANGUAGES if one != "de")]
)
def test_no_percentage_is_shown_if_the_confidence_is_unknown(language: str, server: Running, opened: Open) -> None:
    page = opened(f"{server.url}/r/{UNKNOWN}", locale=language)
    assert (page.locator("#totals .certainty").first.text_content() or "").strip()
    assert "%" not in page.locator("#totals").inner_text()
    assert "null" not in page.locator("main").inner_text()


def test_every_share_between_0_and_1_is_shown_as_between(server: Running, opened: Open) -> None:
    page = opened(f"{server.url}/r/{NEARLY}")
    shares = [0, 1e-9, 0.004, 0.01, 0.5, 0.986, 0.99, 0.9901, 0.995, 0.9963, 1 - 1e-9, 1]
    script = """async (shares) => {
      const { percent, likelihood } = await import("/static/lib/words.js");
      return [percent, likelihood].map((told) => shares.map(told));
    }"""
    told = [*("under 1%", "under 1%", "1%", "50%", "99%", "99%"), *["over 99%"] * 4]
    assert page.evaluate(script, shares) == [["0%", *told, "100%"], ["under 1%", *told, "over 99%"]]
    assert [format_likelihood(share) for share in shares] == ["under 1%", *told, "over 99%"]
