"""CSV and the page for the tournament desk: every entry, in every language, and no formulas for a spreadsheet."""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from datetime import date

import numpy as np
import pytest
from fontTools.ttLib import TTFont
from hypothesis import given, settings
from hypothesis import strategies as st

from api.carcassonne.report.builder import build_board_report
from api.carcassonne.report.score_track import add_track_points
from api.documents.report import Entry, Report
from api.games.sheets import render_report_csv, render_report_pdf
from api.i18n import load_words
from api.i18n.report_text import translate_rule
from api.languages import LANGUAGES
from api.render.csv_export import COLUMNS, Occasion, escape_formula, format_report_csv
from api.render.fonts import find_font_file
from scoring.carcassonne.final.sheet import SECTIONS
from tests.api.corrected import build_corrected_report
from tests.api.doubted import held
from tests.api.http.pdf import _inflated, lines_of
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
    names = {feature.id: feature.name for feature in report.features}
    assert sorted((row["colour"], row["feature"], row["rule"], int(row["points"])) for row in entries) == sorted(
        (entry.player, names[entry.feature], entry.rule, entry.points) for entry in report.scores.entries
    )
    finals = dict.fromkeys(report.scores.final_scoring, 0)
    for row in entries:
        finals[row["colour"]] += int(row["points"])
    assert finals == report.scores.final_scoring
    assert [row["colour"] for row in rows if row["rule"] == "on_track"] == list(finals)
    assert {row["rule_text"] for row in entries} <= {translate_rule(language, rule) for rule in SECTIONS}
    assert tuple(rows[0]) == COLUMNS


PLAIN = build_board_report(dealt(3, 4))


def test_points_in_csv_add_up_to_totals_and_places() -> None:
    report = add_track_points(
        build_board_report(dealt(5)), {"blue": 90, "red": 40, "green": 7, "yellow": 0, "black": 3}
    )
    rows = list(csv.DictReader(io.StringIO(render_report_csv(report), newline="")))
    for colour, total in report.scores.total.items():
        own = [row for row in rows if row["colour"] == colour]
        assert sum(int(row["points"]) for row in own) == total
        assert {int(row["total"]) for row in own} == {total}
        (place,) = {int(row["place"]) for row in own}
        assert place == 1 + sum((other or 0) > (total or 0) for other in report.scores.total.values())


def test_the_csv_states_the_confidence_and_the_doubts_of_each_row() -> None:
    report = build_corrected_report(held(5))
    assert report.doubts
    rows = list(csv.DictReader(io.StringIO(render_report_csv(report), newline="")))
    assert {int(row["open_doubts"]) for row in rows} == {len(report.doubts)}
    assert {row["confidence"] for row in rows} == {
        "" if report.scores.confidence is None else str(min(round(report.scores.confidence, 3), 0.999))
    }
    squares = {doubt.square for doubt in report.doubts if doubt.about != "player"}
    tiles = {feature.name: set(feature.tiles) for feature in report.features}
    doubted = [row for row in rows if row["feature"] and tiles[row["feature"]] & squares]
    assert doubted
    assert all(row["doubts"] for row in doubted)


def test_a_page_is_titled_by_place_day_ranks_and_winner() -> None:
    occasion = Occasion(date(2026, 11, 28), "Autumn Cup", "Autumn Cup", "2", "5")
    report = build_board_report(dealt(5))
    players = list(report.scores.final_scoring)
    unknown = title_of(render_report_pdf(report, occasion=occasion))
    assert unknown.startswith("Autumn Cup · Round 2 · Table 5 · Carcassonne · 2026-11-28 · ")
    assert "Winner" not in unknown
    report = add_track_points(report, {player: 10 * number for number, player in enumerate(players)})
    report.names = {players[0]: "Anna"}
    best = max(report.scores.total, key=lambda player: report.scores.total[player] or 0)
    title = title_of(render_report_pdf(report, occasion=occasion))
    assert f"Winner: {report.names.get(best, best)} · 1. " in title
    assert "Anna" in title
    report.scores.total = dict.fromkeys(players, 20)
    assert "Shared win: " in title_of(render_report_pdf(report, occasion=occasion))


@pytest.mark.parametrize(("shape", "least"), [((900, 1200), 140.0), ((1200, 900), 100.0)])
def test_the_photo_is_large_if_there_is_room(shape: tuple[int, int], least: float) -> None:
    report, photo = build_board_report(dealt(3, 4)), np.full((*shape, 3), 120, np.uint8)
    page = render_report_pdf(report, photo)
    assert pages(page) == 1
    streams = map(_inflated, re.findall(rb"stream\n(.*?)\nendstream", page, re.DOTALL))
    drawn = [re.search(rb"([\d.]+) 0 0 ([\d.]+) [\d.]+ [\d.]+ cm /I", stream) for stream in streams]
    (sizes,) = [[float(side) for side in match.groups()] for match in drawn if match]
    assert max(sizes) / 72 * 25.4 > least


def title_of(page: bytes) -> str:
    """Return the title in the document's properties."""
    (written,) = re.findall(rb"/Title <feff([0-9a-f]*)>", page)
    return bytes.fromhex(written.decode("ascii")).decode("utf-16-be")


@given(
    st.text(min_size=1, max_size=40)
    | st.sampled_from(["=1+1", " +2", "-3", "@A1", "\t=4", "\ufeff=5"])
    | st.sampled_from(["\uff1d1+1", " \uff0b2", "\uff0d3", "\uff20A1", "\u200b\uff1d4", "\ufe625"])  # full-width
)
def test_names_are_never_written_as_formulas(name: str) -> None:
    report = PLAIN.model_copy(deep=True)
    report.scores.final_scoring = {"red": 1}
    report.names = {"red": name}
    for row in csv.reader(io.StringIO(format_report_csv(report), newline="")):
        for field in row:
            seen = [letter for letter in field if not letter.isspace() and unicodedata.category(letter)[0] != "C"]
            assert not unicodedata.normalize("NFKC", "".join(seen)).startswith(("=", "+", "-", "@"))


@pytest.mark.parametrize("sign", ["\uff1d", "\uff0b", "\uff0d", "\uff20", "\uff05", "\uff5c"])
def test_a_full_width_sign_is_quoted_as_the_plain_one_is(sign: str) -> None:
    assert escape_formula(f"{sign}1") == f"'{sign}1"
    assert escape_formula(f"1{sign}") == f"1{sign}"


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
def test_any_number_of_entries_fits_one_page(entries: int, players: int) -> None:
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


@pytest.mark.parametrize("language", ["de", *(pytest.param(one, marks=pytest.mark.soak) for one in ("en", "ro"))])
@pytest.mark.parametrize(
    ("name", "written"),
    [
        ("李雷", "{colour}"),
        ("משה", "{colour}"),
        ("محمد", "{colour}"),
        ("🎲", "{colour}"),
        ("Zoë👍", "Zoë ({colour})"),
        ("李 Ann", "Ann ({colour})"),
        ("Дмитрий", "Дмитрий"),
        ("Ελένη", "Ελένη"),
        ("\uff21\uff4e\uff4e", "Ann"),
        ("A\u0301gnes\u200d", "Ágnes"),
    ],
    ids=[
        "Chinese",
        "Hebrew",
        "Arabic",
        "a sign",
        "a sign beside",
        "a word beside",
        "Cyrillic",
        "Greek",
        "wide",
        "parts",
    ],
)
def test_a_name_with_letters_that_the_font_lacks_becomes_its_colour(name: str, written: str, language: str) -> None:
    """They must not become question marks, in totals, entries, and on the line to sign on."""
    report = PLAIN.model_copy(deep=True)
    player = next(iter(report.scores.final_scoring))
    report.names = {player: name}
    page = render_report_pdf(report, language=language)
    colour = load_words(language).name("colour", player)
    lines = list_written(page)
    assert sum(line.endswith(written.format(colour=colour)) for line in lines) >= 3, lines
    assert not [line for line in lines if "?" in line]
    assert name in title_of(page)


def test_other_missing_letters_are_replaced_by_a_mark() -> None:
    """This concerns an event's name and a photo's file, which have no colour."""
    report = build_corrected_report(held(5))
    assert report.photo is not None
    report.photo.file = "写真.jpg"
    lines = list_written(render_report_pdf(report, occasion=Occasion(None, "東京 オープン 2026", "", "1", "2")))
    assert lines[0].startswith("… 2026 · Round 1 · Table 2 · ")
    assert any(line.startswith("Photo: ….jpg  SHA-256") for line in lines)
    assert not [line for line in lines if "??" in line]


def list_written(page: bytes) -> list[str]:
    """Return all lines of text on a page, as a file's reader would copy them: by the fonts' own letter tables."""
    streams = re.findall(rb"stream\n(.*?)\nendstream", page, re.DOTALL)
    tables = [
        {bytes.fromhex(glyph.decode()): chr(int(code, 16)) for glyph, code in re.findall(rb"<(.{4})> <(.{4})>", stream)}
        for stream in streams
        if b"beginbfchar" in stream
    ]
    lines, font = [], 0
    for stream in map(_inflated, streams):
        for number, written in re.findall(rb"/F(\d) [\d.]+ Tf|Td [^(]*\((.*?)(?<!\\)(?:\\\\)*\) Tj", stream, re.DOTALL):
            font = int(number) - 1 if number else font
            glyphs = re.sub(rb"\\(.)", lambda sign: {b"r": b"\r", b"n": b"\n"}.get(sign[1], sign[1]), written)
            if not number:
                lines.append("".join(tables[font][glyphs[at : at + 2]] for at in range(0, len(glyphs), 2)))
    return lines


def pages(page: bytes) -> int:
    return len(re.findall(rb"/Type /Page\b(?!s)", page))


def lowest(page: bytes) -> float:
    """Return the lowest position of text, in points from the bottom of the page."""
    streams = re.findall(rb"stream\n(.*?)\nendstream", page, re.DOTALL)
    texts = [text for text in map(_inflated, streams) if b" Td" in text]
    return min(float(y) for text in texts for y in re.findall(rb"([\d.]+) Td", text))
