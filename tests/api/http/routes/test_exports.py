"""CSV and the page for the tournament desk: every entry, in every language, and nothing that a spreadsheet runs."""

from __future__ import annotations

import csv
import io
import re
import zlib

import pytest
from fontTools.ttLib import TTFont
from hypothesis import given, settings
from hypothesis import strategies as st

from api.games.sheets import render_report_pdf
from api.i18n import LANGUAGES
from api.i18n.report_text import translate_rule
from api.render.csv_export import COLUMNS, format_report_csv
from api.render.fonts import find_font_file
from api.report.builder import build_board_report
from api.report.schema import Entry, Report
from scoring.carcassonne.final.sheet import SECTIONS
from tests.api.corrected import build_corrected_report
from tests.api.doubted import held
from tests.api.tables_read import dealt, grey_photo

NAMES = {"blue": "Ștefăniță Țîrlea", "red": "Jürgen Groß", "green": "=1+1", "yellow": "@me"}


def named_report(seed: int = 5) -> Report:
    report = build_corrected_report(held(seed))
    report.names = NAMES
    return report


def rows_of(report: Report, language: str = "en") -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(format_report_csv(report, language), newline="")))


@pytest.mark.parametrize("language", LANGUAGES)
def test_csv_has_every_entry_and_total(language: str) -> None:
    report = named_report()
    rows = rows_of(report, language)
    entries = [row for row in rows if row["feature"]]
    assert [(row["colour"], row["feature"], row["rule"], int(row["points"])) for row in entries] == [
        (entry.player, entry.feature, entry.rule, entry.points) for entry in report.scores.entries
    ]
    finals = {row["colour"]: int(row["points"]) for row in rows if row["rule"] == "final_scoring"}
    assert finals == report.scores.final_scoring
    assert {row["rule_text"] for row in entries} <= {translate_rule(language, rule) for rule in SECTIONS}
    assert tuple(rows[0]) == COLUMNS


PLAIN = build_board_report(dealt(3, 4))


@given(st.text(min_size=1, max_size=40) | st.sampled_from(["=1+1", " +2", "-3", "@A1", "\t=4"]))
def test_no_name_is_a_formula(name: str) -> None:
    report = PLAIN.model_copy(deep=True)
    report.scores.final_scoring = {"red": 1}
    report.names = {"red": name}
    for row in csv.reader(io.StringIO(format_report_csv(report), newline="")):
        for field in row:
            assert not field.lstrip().startswith(("=", "+", "-", "@"))


def test_names_that_look_like_formulas_are_still_read() -> None:
    report = build_board_report(dealt(3, 4))
    report.scores.final_scoring, report.names = {"green": 1}, NAMES
    assert rows_of(report)[-1]["player"] == "'=1+1"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_desk_gets_one_page_with_its_font(language: str) -> None:
    page = render_report_pdf(named_report(), grey_photo().pixels, language)
    assert page.startswith(b"%PDF-")
    assert pages(page) == 1
    assert b"SourceSans" in page
    assert b"/FontFile2" in page
    assert b"/Subtype /Image" in page


def test_the_font_has_the_letters_of_all_languages() -> None:
    wanted = {ord(letter) for letter in "aăâbcdîsșştțţzßäöüÄÖÜĂÂÎȘȚ×…·0123456789"}
    for weight in ("Regular", "Semibold"):
        with TTFont(find_font_file(weight)) as font:
            assert wanted <= font.getBestCmap().keys()


@settings(max_examples=6, deadline=None)
@given(st.integers(0, 160), st.integers(1, 6))
def test_however_many_entries_fit_one_page(entries: int, players: int) -> None:
    report = build_board_report(dealt(3, 4))
    colours = ["red", "blue", "green", "yellow", "black", "pink"][:players]
    values: dict[str, int | str] = {"tiles": 14, "coats": 3, "each": 1, "cathedral": 0}
    entry = Entry(player="", points=3, feature="C1", rule="city.finished", text="", values=values)
    rules = ("city.finished", "city.unfinished")
    report.scores.entries = [
        entry.model_copy(update={"player": colours[i % players], "rule": rules[i % 2]}) for i in range(entries)
    ]
    report.scores.final_scoring = dict.fromkeys(colours, 9)
    page = render_report_pdf(report)
    assert pages(page) == 1
    assert lowest(page) > 20


def test_open_doubts_and_problems_are_on_the_page() -> None:
    report = build_corrected_report(held(5))
    assert report.doubts
    report.doubts = report.doubts[:1] * 40
    page = render_report_pdf(report)
    assert pages(page) == 1
    assert lowest(page) > 20
    fewer = report.model_copy(update={"doubts": report.doubts[:1]})
    none = report.model_copy(update={"doubts": [], "board": report.board.model_copy(update={"problems": []})})
    assert lines_of(page) > lines_of(render_report_pdf(fewer)) > lines_of(render_report_pdf(none))


def test_letters_that_the_font_lacks_do_no_harm() -> None:
    report = named_report()
    report.names = {"blue": "日本語 🎲", "red": "\u202eabc"}
    assert pages(render_report_pdf(report)) == 1


def pages(page: bytes) -> int:
    return len(re.findall(rb"/Type /Page\b(?!s)", page))


def lowest(page: bytes) -> float:
    """The lowest place, in points from the bottom of the page, that text is written at."""
    streams = re.findall(rb"stream\n(.*?)\nendstream", page, re.DOTALL)
    texts = [text for text in map(_inflated, streams) if b" Td" in text]
    return min(float(y) for text in texts for y in re.findall(rb"([\d.]+) Td", text))


def lines_of(page: bytes) -> int:
    streams = re.findall(rb"stream\n(.*?)\nendstream", page, re.DOTALL)
    return sum(text.count(b" Td") for text in map(_inflated, streams))


def _inflated(stream: bytes) -> bytes:
    try:
        return zlib.decompress(stream)
    except zlib.error:
        return b""
