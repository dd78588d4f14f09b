"""Percentages at the front doors: in every language, on every paper, and none where nobody knows."""

from __future__ import annotations

import csv
import io
import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from api.cli.score_table import print_report
from api.corrections.any_game import report_with
from api.corrections.commands import corrected
from api.i18n import LANGUAGES
from api.i18n.report_text import percent_said
from api.i18n.spot_text import spot_doubt_said
from api.render.csv_export import csv_report
from api.render.pdf import pdf_report
from api.report.any_report import report_from_json
from api.report.schema import Report
from api.report.spot_schema import SpotDoubt, SpotReport
from api.tournament.results import COLUMNS, Result, csv_of, summed
from api.tournament.sittings import Sitting
from tests.api.doubted import held
from tests.api.spots_seen import babel
from tests.api.tables_read import grey_photo

NEARLY, HARDLY = 0.9963, 0.0004


@pytest.fixture
def report() -> Report:
    """A reading with doubts, as sure as can be without being sure."""
    report = corrected(held(5))
    assert report.doubts
    report.scores.confidence = NEARLY
    for doubt in report.doubts:
        doubt.probability = NEARLY if doubt.probability is not None else None
    return report


def printed(report: Report | SpotReport) -> str:
    console = Console(file=io.StringIO(), width=400)
    print_report(console, report)
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


@pytest.mark.parametrize(
    ("language", "share", "text"),
    [
        ("en", NEARLY, "more than 99%"),
        ("en", HARDLY, "less than 1%"),
        ("en", 0.5, "50%"),
        ("de", NEARLY, "mehr als 99\N{NO-BREAK SPACE}%"),
        ("de", HARDLY, "weniger als 1\N{NO-BREAK SPACE}%"),
        ("de", 1.0, "100\N{NO-BREAK SPACE}%"),
        ("ro", NEARLY, "peste 99\N{NO-BREAK SPACE}%"),
        ("ro", HARDLY, "sub 1\N{NO-BREAK SPACE}%"),
        ("ro", 0.25, "25\N{NO-BREAK SPACE}%"),
    ],
)
def test_each_language_says_what_is_nearly_sure(language: str, share: float, text: str) -> None:
    assert percent_said(language, share) == text


@pytest.mark.parametrize("language", LANGUAGES)
@given(st.floats(0, 1, exclude_min=True, exclude_max=True))
def test_no_language_says_all_or_nothing_of_what_is_neither(language: str, share: float) -> None:
    (number,) = re.findall(r"\d+", percent_said(language, share))
    assert 0 < int(number) < 100


def test_the_command_line_does_not_round_up(report: Report) -> None:
    told = printed(report)
    assert "(more than 99%)" in told
    assert "100%" not in told


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_spots_doubt_is_not_rounded_up(language: str) -> None:
    report = report_with(babel(3))
    assert isinstance(report, SpotReport)
    spot = next(own for own in report.board.spots if own.value is not None)
    doubt = SpotDoubt(spot=spot.id, spots=[spot.id], instead=spot.value, probability=NEARLY, final_scoring=None)
    assert f"({percent_said(language, NEARLY)})" in spot_doubt_said(language, report, doubt)
    report.doubts = [doubt]
    assert "(more than 99%)" in printed(report)


def test_a_report_keeps_what_is_not_quite_sure_below_one() -> None:
    read = held(5)
    tiles = [tile.model_copy(update={"confidence": 0.99999}) for tile in read.tiles]
    found = corrected(read.model_copy(update={"tiles": tuple(tiles)}))
    assert {tile.confidence for tile in found.board.tiles} == {0.9999}


@pytest.mark.parametrize("confidence", [None, NEARLY, 1.0])
def test_every_paper_is_written_whatever_is_known_of_the_confidence(report: Report, confidence: float | None) -> None:
    report.scores.confidence = confidence
    assert report_from_json(report.to_json()).scores.confidence == confidence
    assert "null" not in printed(report)
    assert "None" not in printed(report)
    for language in LANGUAGES:
        assert pdf_report(report, grey_photo().pixels, language).startswith(b"%PDF")
        assert "None" not in csv_report(report, language)


@pytest.mark.parametrize(("confidence", "cell"), [(None, ""), (NEARLY, "0.9963"), (1.0, "1.0")])
def test_a_batch_has_no_confidence_where_nobody_knows(report: Report, confidence: float | None, cell: str) -> None:
    report.scores.confidence = confidence
    result = Result(Sitting(("a.jpg",), table="1"), json.loads(report.to_json()))
    rows = csv.DictReader(io.StringIO(csv_of(result, summed(result))), fieldnames=COLUMNS)
    assert {row["confidence"] for row in rows} == {cell}
