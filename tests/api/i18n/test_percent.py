"""Percentages in every interface, language and paper, and none if unknown."""

from __future__ import annotations

import csv
import io
import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from api.carcassonne.report.score_track import add_track_points
from api.cli.score_table import print_report
from api.documents.forms import parse_report_json
from api.documents.report import Report
from api.documents.spot_report import SpotDoubt, SpotReport
from api.games.sheets import render_report_pdf
from api.games.snapshots import build_snapshot_report
from api.i18n.report_text import format_likelihood
from api.languages import LANGUAGES
from api.render.csv_export import format_report_csv
from api.spots.text import translate_spot_doubt
from api.tournament.results import COLUMNS, Result, format_result_csv, summarise_result
from api.tournament.sittings import Sitting
from tests.api.corrected import build_corrected_report
from tests.api.doubted import held
from tests.api.spots_seen import babel
from tests.api.tables_read import grey_photo

NEARLY, HARDLY = 0.9963, 0.0004


@pytest.fixture
def report() -> Report:
    """Return a reading with doubts, as certain as possible without being certain."""
    report = build_corrected_report(held(5))
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
        ("en", NEARLY, "over 99%"),
        ("en", HARDLY, "under 1%"),
        ("en", 0.5, "50%"),
        ("de", NEARLY, "über 99\N{NO-BREAK SPACE}%"),
        ("de", HARDLY, "unter 1\N{NO-BREAK SPACE}%"),
        ("de", 1.0, "über 99\N{NO-BREAK SPACE}%"),
        ("en", 1.0, "over 99%"),
        ("ro", 1.0, "peste 99\N{NO-BREAK SPACE}%"),
        ("ro", NEARLY, "peste 99\N{NO-BREAK SPACE}%"),
        ("ro", HARDLY, "sub 1\N{NO-BREAK SPACE}%"),
        ("ro", 0.25, "25\N{NO-BREAK SPACE}%"),
    ],
)
def test_each_language_says_what_is_nearly_sure(language: str, share: float, text: str) -> None:
    assert format_likelihood(language, share) == text


@pytest.mark.parametrize("language", LANGUAGES)
@given(st.floats(0, 1, exclude_min=True, exclude_max=True))
def test_no_language_says_all_or_nothing_of_what_is_neither(language: str, share: float) -> None:
    (number,) = re.findall(r"\d+", format_likelihood(language, share))
    assert 0 < int(number) < 100


@pytest.mark.parametrize("probability", [NEARLY, 0.99999, 1.0])
def test_the_command_line_does_not_round_up(report: Report, probability: float) -> None:
    for doubt in report.doubts:
        doubt.probability = probability if doubt.probability is not None else None
    output = printed(report)
    assert "(over 99%)" in output
    assert "100%" not in output


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_spots_doubt_is_not_rounded_up(language: str) -> None:
    report = build_snapshot_report(babel(3))
    assert isinstance(report, SpotReport)
    spot = next(spot for spot in report.board.spots if spot.value is not None)
    doubt = SpotDoubt(spot=spot.id, spots=[spot.id], instead=spot.value, probability=NEARLY, final_scoring=None)
    assert f"({format_likelihood(language, NEARLY)})" in translate_spot_doubt(language, report, doubt)
    report.doubts = [doubt]
    assert "(over 99%)" in printed(report)


def test_a_report_keeps_what_is_not_quite_sure_below_one() -> None:
    read = held(5)
    tiles = [tile.model_copy(update={"confidence": 0.99999}) for tile in read.tiles]
    report = build_corrected_report(read.model_copy(update={"tiles": tuple(tiles)}))
    assert {tile.confidence for tile in report.board.tiles} == {0.9999}


@pytest.mark.parametrize("confidence", [None, NEARLY, 1.0])
def test_every_paper_is_written_whatever_is_known_of_the_confidence(report: Report, confidence: float | None) -> None:
    report.scores.confidence = confidence
    assert parse_report_json(report.to_json()).scores.confidence == confidence
    assert "null" not in printed(report)
    assert "None" not in printed(report)
    for language in LANGUAGES:
        assert render_report_pdf(report, grey_photo().pixels, language).startswith(b"%PDF")
        assert "None" not in format_report_csv(report, language)


@pytest.mark.parametrize(("confidence", "cell"), [(None, ""), (NEARLY, "0.9963"), (1.0, "1.0")])
def test_a_batch_has_no_confidence_where_nobody_knows(report: Report, confidence: float | None, cell: str) -> None:
    report.scores.confidence = confidence
    result = Result(Sitting(("a.jpg",), table="1"), json.loads(report.to_json()))
    rows = csv.DictReader(io.StringIO(format_result_csv(result, summarise_result(result))), fieldnames=COLUMNS)
    assert {row["confidence"] for row in rows} == {cell}


def test_a_batch_has_no_places_where_points_of_the_game_are_missing(report: Report) -> None:
    """Otherwise the second place of a table could stand beside the higher total."""
    for players in (1, len(report.scores.final_scoring)):
        typed = dict.fromkeys(list(report.scores.final_scoring)[:players], 5)
        scored = add_track_points(report, typed)
        result = Result(Sitting(("a.jpg",), table="1"), json.loads(scored.to_json()))
        rows = csv.DictReader(io.StringIO(format_result_csv(result, summarise_result(result))), fieldnames=COLUMNS)
        assert {bool(row["place"]) for row in rows} == {players > 1}
