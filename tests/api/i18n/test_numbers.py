"""Plurals and percentages in every language."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from fluent.runtime import FluentBundle, FluentResource
from fluent.syntax import FluentParser
from fluent.syntax import ast as fluent
from fluent.syntax.visitor import Visitor
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from api.carcassonne.report.score_track import add_track_points
from api.cli.terminal import print_report
from api.documents.forms import parse_report_json
from api.documents.report import Report
from api.documents.spot_report import SpotDoubt, SpotReport
from api.games.registry import build_snapshot_report
from api.games.sheets import render_report_pdf
from api.i18n import read_fluent_texts
from api.i18n.report_text import format_likelihood
from api.languages import LANGUAGES
from api.render.csv_export import format_report_csv
from api.spots.text import translate_spot_doubt
from api.tournament.listed_tables import ListedTable
from api.tournament.results import COLUMNS, Result, format_result_csv, summarise_result
from scoring.carcassonne.board.notation import parse_notation
from scoring.carcassonne.board.problems import find_problems
from scoring.counts import format_count
from tests.api.corrected import build_corrected_report
from tests.api.doubted import held
from tests.api.spots_seen import babel
from tests.api.tables_read import grey_photo

WRONG = {
    "en": r"\b1 (?:building |two-coloured |open |long |finished )?(?:tiles|points|discs|squares|fields|ends"
    r"|markers|colours|pieces|parts|wonders|meeples|farmers|roads|cities|rows|columns|cards|doubts|photos|times|coats"
    r"|minutes|seconds|hours|days|people|players|spaces|laps|rounds)\b",
    "de": r"\b1 (?:gleiche |offene |genommene |zweifarbige |lange |fertige )?(?:Punkte|Punkten|Scheiben|Felder|Feldern"
    r"|Wiesen|Enden|Farben|Figuren|Teile|Bauteile|Bauern|Straßen|Städte|Reihen|Spalten|Karten|Zweifel|Fotos|Runden"
    r"|Minuten|Sekunden|Stunden|Tage|Personen|Züge)\b",
    "ro": r"\b20 (?:puncte|cartonașe|discuri|spații|locuri|câmpuri|capete|culori|piese|minuni|meepleși|țărani|drumuri"
    r"|orașe|rânduri|coloane|cărți|îndoieli|fotografii|ori|ture|blazoane|minute|secunde|ore|zile|persoane|jucători"
    r"|mutări)\b",
}
NUMBER = {"en": 1, "de": 1, "ro": 20}
NEVER_SO_MANY = {
    "explain-each": "three to five",
    "explain-by-city": "four",
    "explain-pig": "three to five",
    "explain-circus-maximus": "two to four",
    "explain-alhambra": "four to six, and 120",
    "explain-angkor-wat": "five",
    "explain-terracotta-army": "two, and seven",
    "problem-disputed_wonder": "two to six",
    "problem-too_many_wonders": "three to twelve",
    "problem-too_many_players": "two to twelve",
    "problem-more_than_the_box": "two or more",
    "problem-too_many_parts": "two or more",
    "problem-too_many_completed": "eight or nine",
    "problem-too_many_two_coloured": "two or more",
    "problem-too_many_discs": "two or more",
    "problem-placed_in_no_order": "two or more",
    "problem-same_objective": "two to four",
    "problem-tiles_lacking": "72 and more in all",
}
"""The maximum number of items that these name."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_sentence_agrees_with_its_number(language: str) -> None:
    assert language in WRONG.keys() & NUMBER.keys(), f"add the wrong forms of {language} to WRONG and NUMBER above"
    said = dict(say_all(language, NUMBER[language]))
    assert len(said) > 500
    assert {name: text for name, text in said.items() if re.search(WRONG[language], text)} == {}


def say_all(language: str, number: int) -> Iterator[tuple[str, str]]:
    """Return all messages of a language, by name, with this number for every count they name."""
    texts = list(read_fluent_texts(language))
    bundle, named = FluentBundle([language], use_isolating=False), _Variables()
    resources = [FluentParser().parse(text) for text in texts]
    for text, resource in zip(texts, resources, strict=True):
        bundle.add_resource(FluentResource(text))
        named.visit(resource)
    for entry in (entry for resource in resources for entry in resource.body):
        if isinstance(entry, fluent.Message) and entry.value and entry.id.name not in NEVER_SO_MANY:
            pattern = bundle.get_message(entry.id.name).value
            assert pattern is not None
            said, errors = bundle.format_pattern(pattern, dict.fromkeys(named.names, number))
            assert not errors, entry.id.name
            yield entry.id.name, str(said)


class _Variables(Visitor):
    """The names of all variables in the visited messages."""

    def __init__(self) -> None:
        self.names: set[str] = set()

    def visit_VariableReference(self, node: fluent.VariableReference) -> None:  # noqa: N802
        self.names.add(node.id.name)


def test_tiles_at_the_border_are_counted_in_the_right_form() -> None:
    board = parse_notation("E0E0")
    texts = {}
    for unseen in ({(-1, 0)}, {(-1, 0), (-1, 1)}):
        (problem,) = (
            one for one in find_problems(replace(board, unseen=frozenset(unseen))) if one.code == "beyond_the_picture"
        )
        texts[problem.values["tiles"]] = problem.text
    assert texts[1].startswith("1 tile lies at the border")
    assert texts[2].startswith("2 tiles lie at the border")


@pytest.mark.parametrize(
    "notation",
    ["E0E0/E1-1E1", "A0A0A0A0A0", "(WH/alhambra#0)0(WH/tikal#1)0??", "E0-9E0", "??(DG/CRFR)0E0", ".E0. black^4,4=?"],
)
def test_problems_of_a_board_use_the_right_english_plural(notation: str) -> None:
    texts = [problem.text for problem in find_problems(parse_notation(notation), 72)]
    assert [text for text in texts if re.search(WRONG["en"], text) or re.search(r"^1 .*\b(touch|lie|do)\b", text)] == []


def test_a_count_has_a_singular_and_a_plural() -> None:
    assert [format_count(n, "tile") for n in (0, 1, 2)] == ["0 tiles", "1 tile", "2 tiles"]
    assert format_count(1, "finished city", "finished cities") == "1 finished city"


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
def test_each_language_words_a_nearly_certain_share(language: str, share: float, text: str) -> None:
    assert format_likelihood(language, share) == text


@pytest.mark.parametrize("language", LANGUAGES)
@given(st.floats(0, 1, exclude_min=True, exclude_max=True))
def test_no_language_rounds_a_share_to_0_or_100(language: str, share: float) -> None:
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


def test_a_report_keeps_uncertain_shares_below_1() -> None:
    read = held(5)
    tiles = [tile.model_copy(update={"confidence": 0.99999}) for tile in read.tiles]
    report = build_corrected_report(read.model_copy(update={"tiles": tuple(tiles)}))
    assert {tile.confidence for tile in report.board.tiles} == {0.9999}


@pytest.mark.parametrize("confidence", [None, NEARLY, 1.0])
def test_every_export_is_written_for_any_confidence(report: Report, confidence: float | None) -> None:
    report.scores.confidence = confidence
    assert parse_report_json(report.to_json()).scores.confidence == confidence
    assert "null" not in printed(report)
    assert "None" not in printed(report)
    for language in LANGUAGES:
        assert render_report_pdf(report, grey_photo().pixels, language).startswith(b"%PDF")
        assert "None" not in format_report_csv(report, language)


@pytest.mark.parametrize(("confidence", "cell"), [(None, ""), (NEARLY, "0.9963"), (1.0, "1.0")])
def test_a_batch_has_no_confidence_if_it_is_unknown(report: Report, confidence: float | None, cell: str) -> None:
    report.scores.confidence = confidence
    result = Result(ListedTable(("a.jpg",), table="1"), json.loads(report.to_json()))
    rows = csv.DictReader(io.StringIO(format_result_csv(result, summarise_result(result))), fieldnames=COLUMNS)
    assert {row["confidence"] for row in rows} == {cell}


def test_a_batch_has_no_places_if_track_points_are_missing(report: Report) -> None:
    """Otherwise the second place of a table could stand beside the higher total."""
    for players in (1, len(report.scores.final_scoring)):
        typed = dict.fromkeys(list(report.scores.final_scoring)[:players], 5)
        scored = add_track_points(report, typed)
        result = Result(ListedTable(("a.jpg",), table="1"), json.loads(scored.to_json()))
        rows = csv.DictReader(io.StringIO(format_result_csv(result, summarise_result(result))), fieldnames=COLUMNS)
        assert {bool(row["place"]) for row in rows} == {players > 1}
