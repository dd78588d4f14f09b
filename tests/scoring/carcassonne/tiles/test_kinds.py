"""The one table of kinds of features: every place that needs a fact about a kind has it for every kind."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest
from pydantic import TypeAdapter

from api.documents.tile_corrections import Place
from api.i18n import load_words
from api.languages import LANGUAGES
from api.page.site import describe_kinds
from api.render.board import draw_plain_board
from api.render.tile_svg import render_tile_svg
from scoring.carcassonne.board.board import Board, Placement
from scoring.carcassonne.board.features import build_feature_map
from scoring.carcassonne.board.notation import format_place, parse_place
from scoring.carcassonne.board.places import name_segment
from scoring.carcassonne.final.scoring import compute_feature_worth
from scoring.carcassonne.final.sheet import SECTIONS
from scoring.carcassonne.tiles.catalogue import load_full_catalogue
from scoring.carcassonne.tiles.kinds import ENDLESS, KINDS, Kind, counts_surroundings
from scoring.carcassonne.wonders.tiles import WONDERS
from vision.pieces.ground_classifier import find_channel

ROOT = Path(__file__).parents[4]
TABLE = ROOT / "scoring" / "carcassonne" / "tiles" / "kinds.py"
ENOUGH_FOR_A_TABLE = 5
"""Number of kinds that a second table names at least, or both the monastery and the garden: a guess."""


def list_placements() -> Iterator[Placement]:
    """Yield every tile of the catalogue, with its garden if it has one, and each square of every wonder."""
    for layout in load_full_catalogue():
        yield Placement(layout.id, 0)
        if layout.garden is not None:
            yield Placement(layout.id, 0, garden=True)
    for wonder in WONDERS:
        yield from (Placement(wonder, 0, cell=cell) for cell in range(5))


def find_part(kind: Kind) -> tuple[Placement, int]:
    """Return the first placement that has a part of a kind, and the part."""
    parts = (
        (placement, index)
        for placement in list_placements()
        for index, part in enumerate(placement.layout.segments)
        if part.kind == kind
    )
    found = next(parts, None)
    assert found is not None, f"no tile has a {kind}: draw one in the file of its box in scoring/carcassonne/data"
    return found


def list_second_tables(text: str) -> Iterator[int]:
    """Yield the lines of Python text on which a dict, list, set or tuple names kinds one by one.

    A Literal is none: it is the type of a field, as of the parts that a wonder may have.
    """
    tree = ast.parse(text)
    types = {id(node.slice) for node in ast.walk(tree) if isinstance(node, ast.Subscript)}
    for node in (node for node in ast.walk(tree) if id(node) not in types):
        parts = node.keys if isinstance(node, ast.Dict) else getattr(node, "elts", [])
        if names_kinds({part.value for part in parts if isinstance(part, ast.Constant)}):
            yield node.lineno  # type: ignore[attr-defined]


def names_kinds(names: set[object]) -> bool:
    """Return whether names are a table of kinds."""
    return {"monastery", "garden"} <= names or len(names & KINDS.keys()) >= ENOUGH_FOR_A_TABLE


def test_the_type_and_the_table_have_the_same_kinds_and_unique_letters() -> None:
    assert get_args(Kind) == tuple(KINDS)
    assert all(kind == row.name for kind, row in KINDS.items())
    assert len({row.letter for row in KINDS.values()}) == len({row.layer for row in KINDS.values()}) == len(KINDS)


@pytest.mark.parametrize("folder", ["api", "scoring", "vision", "datasets", "models"])
def test_no_module_has_a_second_table_of_kinds(folder: str) -> None:
    files = [file for file in (ROOT / folder).rglob("*.py") if file != TABLE]
    assert {str(file) for file in files if [*list_second_tables(file.read_text(encoding="utf-8"))]} == set()


def test_the_page_has_no_table_of_kinds_of_its_own() -> None:
    for file in (ROOT / "api" / "page" / "static").rglob("*.js"):
        for table in re.findall(r"[\[{][^\[\]{}]*[\]}]", file.read_text(encoding="utf-8")):
            assert not names_kinds({*re.findall(r"[a-z]+", table)}), (file.name, table)


def test_the_page_lists_every_kind_of_feature_once_for_each_purpose() -> None:
    lists = describe_kinds()
    assert sorted(lists["listed"]) == sorted(lists["topmost"]) == sorted(KINDS)
    assert tuple(lists["endless"]) == ENDLESS
    assert lists["topmost"][-1] == lists["listed"][-1] == "field"


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_of_feature_is_written_drawn_and_passed_to_the_net(kind: Kind) -> None:
    placement, part = find_part(kind)
    assert parse_place(format_place(placement, part), placement) == part
    assert format_place(placement, part).startswith(KINDS[kind].sign)
    place = name_segment(placement.layout, 0, part)
    assert TypeAdapter[str](Place).validate_python(place) == place
    assert draw_plain_board(Board({(0, 0): placement}))[0].size
    with_piece = render_tile_svg(placement.tile, 0, placement.cell, place if not placement.garden else None, "red")
    assert "<path" in with_piece
    assert find_channel(kind) >= 0


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_of_feature_has_an_icon_and_a_glossary_row(kind: Kind) -> None:
    icons, glossary = ROOT / "api" / "page" / "templates" / "icons.html", ROOT / "docs" / "words.md"
    drawn = f'id="icon-{kind}"' in icons.read_text(encoding="utf-8")
    assert drawn, f"draw icon-{kind} in api/page/templates/icons.html"
    named = f"| `kind-{kind}` |" in glossary.read_text(encoding="utf-8")
    assert named, f"add a row for kind-{kind} to docs/words.md"


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_of_feature_has_words_in_every_language(kind: Kind, language: str) -> None:
    rules = [rule.replace(".", "-") for rule in SECTIONS if rule.startswith(f"{kind}.")]
    assert rules or kind in ENDLESS, f"give {kind} the sections of its rules, finished and unfinished, in kinds.py"
    wanted = {f"kind-{kind}", f"kinds-{kind}", *(f"{what}-{rule}" for rule in rules for what in ("rule", "entry"))}
    wanted |= {f"explain-section-{section}" for section in KINDS[kind].sections}
    missing = sorted(message for message in wanted if message not in load_words(language))
    assert not missing, f"add {missing} to api/i18n/report.{language}.ftl"


@pytest.mark.parametrize("kind", [kind for kind, row in KINDS.items() if not row.endless])
def test_the_worth_of_each_kind_names_a_rule_of_the_table(kind: Kind) -> None:
    placement, _ = find_part(kind)
    feature = next(one for one in build_feature_map(Board({(0, 0): placement})) if one.kind == kind)
    worth = compute_feature_worth(feature)
    assert (worth.rule, worth.points > 0) == (f"{kind}.unfinished", True)
    assert SECTIONS[worth.rule] == KINDS[kind].sections[1]
    assert ("around" in worth.values) == counts_surroundings(kind)
