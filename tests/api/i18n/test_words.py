"""Every rule, problem and error of the code is worded in every language, with all its values."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from fluent.runtime import FluentResource
from fluent.syntax import ast as fluent
from fluent.syntax.visitor import Visitor
from hypothesis import given, settings
from hypothesis import strategies as st

import api.errors  # its branches belong to the tree that is walked
from api.carcassonne.report.builder import build_board_report
from api.documents.report import Entry, Problem
from api.i18n import load_words, negotiate_language
from api.i18n.report_text import translate_doubt, translate_entry, translate_error, translate_problem, translate_rule
from api.languages import LANGUAGES
from scoring.carcassonne.board.notation import parse_notation
from scoring.carcassonne.board.pieces import PIECES
from scoring.carcassonne.final.sheet import SECTIONS
from scoring.carcassonne.tiles.catalogue import load_full_catalogue
from scoring.carcassonne.wonders.tiles import WONDERS
from scoring.player_colours import COLOURS
from tests.api.corrected import build_corrected_report
from tests.api.doubted import held
from vision.errors import WondertallyError

ROOT = Path(__file__).parents[3]
assert api.errors

each_language = pytest.mark.parametrize("language", LANGUAGES)


def sources() -> Iterator[ast.Module]:
    for package in ("api", "scoring", "vision"):
        for file in sorted((ROOT / package).rglob("*.py")):
            yield ast.parse(file.read_text(encoding="utf-8"))


@cache
def calls() -> tuple[tuple[str, ast.Call], ...]:
    """Return all calls in the code, by the last part of the function's name."""
    nodes = [node for tree in sources() for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return tuple((getattr(call.func, "id", getattr(call.func, "attr", "")), call) for call in nodes)


def code_of(call: ast.Call) -> str | None:
    """Return the code that a call is given as a literal: its first argument, or `code`."""
    arguments = [*call.args[:1], *(word.value for word in call.keywords if word.arg == "code")]
    literal = next((argument.value for argument in arguments if isinstance(argument, ast.Constant)), None)
    return literal if isinstance(literal, str) and literal.isidentifier() else None


@cache
def error_codes() -> frozenset[str]:
    """Return the codes of the trees' own lists, and all that are raised by a literal code."""
    raised = {
        code_of(call) for name, call in calls() if name.endswith("Error") and name not in ("ValueError", "KeyError")
    }
    listed = {code for error_class in branches(WondertallyError) for code in error_class.list_codes()}
    return frozenset({*listed, *(code for code in raised if code), "internal_error"})


def branches(tree: type[WondertallyError]) -> Iterator[type[WondertallyError]]:
    yield tree
    for branch in tree.__subclasses__():
        yield from branches(branch)


@cache
def problem_codes() -> frozenset[str]:
    codes = {code_of(call) for name, call in calls() if name in ("Problem", "_problem")}
    return frozenset(code for code in codes if code)


def variables(language: str, message: str) -> set[str]:
    """Return the values that a message names, itself and through its references."""
    names: set[str] = set()

    class Names(Visitor):
        def visit_VariableReference(self, node: fluent.VariableReference) -> None:  # noqa: N802
            names.add(node.id.name)

        def visit_MessageReference(self, node: fluent.MessageReference) -> None:  # noqa: N802
            names.update(variables(language, node.id.name))

    Names().visit(entries(language)[message])
    return names


@cache
def entries(language: str) -> dict[str, fluent.Message]:
    text = (ROOT / "api" / "i18n" / f"report.{language}.ftl").read_text(encoding="utf-8")
    body = FluentResource(text).body
    assert not [entry for entry in body if isinstance(entry, fluent.Junk)]
    return {entry.id.name: entry for entry in body if isinstance(entry, fluent.Message)}


@each_language
def test_every_error_has_a_sentence(language: str) -> None:
    assert len(error_codes()) > 100
    for code in error_codes():
        sentence = translate_error(language, code)
        assert sentence.endswith(".")
        assert "_" not in sentence


@each_language
def test_every_rule_has_a_name_and_a_sum_text(language: str) -> None:
    for rule in SECTIONS:
        assert translate_rule(language, rule)
        assert f"entry-{rule.replace('.', '-')}" in load_words(language)


@each_language
def test_every_problem_has_a_text(language: str) -> None:
    assert len(problem_codes()) > 30
    assert not [code for code in problem_codes() if f"problem-{code}" not in load_words(language)]


@each_language
def test_every_object_on_a_table_has_a_name(language: str) -> None:
    words = load_words(language)
    kinds = {segment.kind for layout in load_full_catalogue() for segment in layout.segments} | {"wonder", "garden"}
    goods = {segment.goods for layout in load_full_catalogue() for segment in layout.segments if segment.goods}
    wanted = [("kind", kinds), ("goods", goods), ("colour", COLOURS), ("piece", PIECES), ("wonder", WONDERS)]
    for what, names in wanted:
        for name in names:
            assert f"{what}-{name.removeprefix('WH/')}" in words


def test_all_languages_have_the_same_messages_and_values() -> None:
    english, *others = (entries(language) for language in LANGUAGES)
    for other in others:
        assert other.keys() == english.keys()
    for message in english:
        named = {language: variables(language, message) for language in LANGUAGES}
        assert len(set(map(frozenset, named.values()))) == 1, (message, named)


@each_language
@settings(max_examples=4, deadline=None)
@given(seed=st.integers(0, 1000))
def test_every_entry_and_doubt_of_a_report_has_words_in_each_language(language: str, seed: int) -> None:
    report = build_corrected_report(held(seed))
    assert report.scores.entries
    for entry in report.scores.entries:
        assert str(entry.values["each"] if "each" in entry.values else entry.values["around"]) in translate_entry(
            language, entry
        )
    for doubt in report.doubts:
        assert translate_doubt(language, doubt)


def test_english_texts_equal_those_of_the_report() -> None:
    """The exceptions are the sign between numbers, and abbreviations."""
    for seed in range(3):
        for entry in build_corrected_report(held(seed)).scores.entries:
            assert translate_entry("en", entry).replace("×", "x") == entry.text


PROBLEMS = (
    "E0E0/E1-1E1 red^0,0=cN red^0,0=cN red^0,0=? blue_0,1=cN",
    "A0A0A0A0A0 white.big^0,0=M white.big^0,1=M green.pig_0,0=fNL red.dragon^0,2=?",
    "(WH/alhambra#0)0(WH/tikal#1)0?? red~0,0=?",
    "??(DG/CRFR)0E0 red^0,0=?",
    ".E0. black^4,4=?",
)


@each_language
@pytest.mark.parametrize("notation", PROBLEMS)
def test_problems_of_boards_are_worded_in_every_language(language: str, notation: str) -> None:
    report = build_board_report(parse_notation(notation))
    assert report.board.problems
    for problem in report.board.problems:
        assert translate_problem(language, problem)


@each_language
def test_each_problem_supplies_the_values_of_its_text(language: str) -> None:
    """Compares with the dictionaries that the code writes beside each code."""
    for name, call in calls():
        code = code_of(call)
        if name in ("Problem", "_problem") and code:
            values = values_of(call)
            if values is not None:
                assert variables(language, f"problem-{code}") <= values, code


def values_of(call: ast.Call) -> set[str] | None:
    """Return the keys of the values in a call, if they are literal; None if they are built elsewhere."""
    written = [
        argument for argument in (*call.args, *(word.value for word in call.keywords)) if isinstance(argument, ast.Dict)
    ]
    if not written:
        return None
    return {
        key.value
        for dictionary in written
        for key in dictionary.keys
        if isinstance(key, ast.Constant) and isinstance(key.value, str)
    }


@pytest.mark.parametrize(
    ("language", "number", "text"),
    [
        ("en", 1, "1 tile × 1"),
        ("en", 2, "2 tiles × 1"),
        ("de", 1, "1 Plättchen × 1"),
        ("ro", 1, "1 cartonaș × 1"),
        ("ro", 2, "2 cartonașe × 1"),
        ("ro", 19, "19 cartonașe × 1"),
        ("ro", 20, "20 de cartonașe × 1"),
        ("ro", 101, "101 cartonașe × 1"),
        ("ro", 120, "120 de cartonașe × 1"),
    ],
)
def test_numbers_take_the_right_plural_form(language: str, number: int, text: str) -> None:
    entry = Entry(
        player="red",
        points=number,
        feature="R1",
        rule="road.finished",
        text="",
        values={"tiles": number, "each": 1, "inn": 0},
    )
    assert translate_entry(language, entry) == text


def test_names_replace_colours() -> None:
    problem = Problem(code="track_piece_missing", tiles=[], text="", values={"player": "blue"})
    assert "Ana" in translate_problem("de", problem, {"blue": "Ana"})
    assert "Blau" in translate_problem("de", problem)


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        ("", "en"),
        ("fr", "en"),
        ("de-AT,de;q=0.9,en;q=0.8", "de"),
        ("en;q=0.2,ro-RO;q=0.9", "ro"),
        ("de;q=0,ro", "ro"),
        ("*;q=x", "en"),
    ],
)
def test_the_browser_chooses_the_language(accepted: str, language: str) -> None:
    assert negotiate_language(accepted) == language


def test_a_missing_message_or_value_raises_an_error() -> None:
    with pytest.raises(KeyError):
        load_words("en").say("nonesuch")
    with pytest.raises(KeyError):
        load_words("en").say("entry-road-finished", tiles=1)
