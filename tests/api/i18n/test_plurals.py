"""Numbers in sentences: one item is named in the singular, and in Romanian twenty and more take "de"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from fluent.runtime import FluentBundle, FluentResource
from fluent.syntax import FluentParser
from fluent.syntax import ast as fluent
from fluent.syntax.visitor import Visitor

from api.i18n import read_fluent_texts
from api.languages import LANGUAGES
from scoring.carcassonne.board.notation import parse_notation
from scoring.carcassonne.board.problems import find_problems
from scoring.counts import format_count

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
def test_a_sentence_goes_with_its_number(language: str) -> None:
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


def test_one_tile_lies_at_the_border_and_several_lie_there() -> None:
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
def test_problems_of_a_board_count_in_english(notation: str) -> None:
    texts = [problem.text for problem in find_problems(parse_notation(notation), 72)]
    assert [text for text in texts if re.search(WRONG["en"], text) or re.search(r"^1 .*\b(touch|lie|do)\b", text)] == []


def test_a_count_names_one_thing_and_many() -> None:
    assert [format_count(n, "tile") for n in (0, 1, 2)] == ["0 tiles", "1 tile", "2 tiles"]
    assert format_count(1, "finished city", "finished cities") == "1 finished city"
