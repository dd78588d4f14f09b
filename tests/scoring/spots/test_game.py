"""Tables of spots: their text forms and inverses, impossible contents, and components files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, ConfigDict

from scoring.documents import MAX_NUMBER
from scoring.errors import LabelError, NotationError
from scoring.spots.components import ComponentsError, build_missing_error, read_components
from scoring.spots.game import Spot, find_strange_spot
from scoring.spots.text import SpotLabel, SpotTable, format_label, format_table, parse_label, parse_table

NAMES = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9._-]{0,8}", fullmatch=True)
WORDS = st.from_regex(r"[A-Za-z#-][A-Za-z0-9._#-]{0,8}", fullmatch=True).filter(lambda word: not is_number(word))
VALUES = st.integers(-(10**8), 10**9 - 1) | WORDS
LAID = st.dictionaries(NAMES, VALUES, max_size=6)
TABLES = st.builds(SpotTable, NAMES, st.lists(NAMES, min_size=1, max_size=5).map(tuple), LAID)
ABOUT = st.dictionaries(
    st.text(max_size=5), st.integers(-MAX_NUMBER, MAX_NUMBER) | st.text(max_size=5) | st.none(), max_size=3
)


def is_number(word: str) -> bool:
    return word.lstrip("-").isdigit()


@given(TABLES)
def test_a_table_in_one_line_reads_back(table: SpotTable) -> None:
    line = format_table(table)
    assert "\n" not in line
    assert parse_table(line) == table
    assert list(parse_table(line).laid) == list(table.laid)


@given(st.builds(SpotLabel, st.text(min_size=1, max_size=9), TABLES, ABOUT))
def test_a_label_reads_back(label: SpotLabel) -> None:
    assert parse_label(format_label(label)) == label


@given(st.text(max_size=40))
def test_any_text_gives_a_table_or_an_error_with_its_position(text: str) -> None:
    table = fault = None
    try:
        table = parse_table(text)
    except NotationError as error:
        fault = error
    if fault is not None:
        assert fault.code == "bad_notation"
        assert 0 <= fault.position <= len(text)
    else:
        assert table is not None
        assert parse_table(format_table(table)) == table


@pytest.mark.parametrize(
    ("text", "position"),
    [
        ("", 0),
        ("tower-of-babel", 14),
        ("tower,of red", 0),
        ("tower-of-babel red,,blue", 15),
        ("tower-of-babel red row", 19),
        ("tower-of-babel red row=1 row=2", 25),
        ("tower-of-babel red row=", 19),
        ("tower-of-babel red row=a=b", 19),
    ],
)
def test_an_invalid_line_is_refused_with_its_position(text: str, position: int) -> None:
    with pytest.raises(NotationError) as caught:
        parse_table(text)
    assert (caught.value.code, caught.value.position) == ("bad_notation", position)


def test_digits_are_parsed_as_numbers_and_everything_else_as_text() -> None:
    table = parse_table("g red a=0 b=-3 c=007 d=3a e=-")
    assert table.laid == {"a": 0, "b": -3, "c": "007", "d": "3a", "e": "-"}


WHOLE = {"game": "g", "photo": "p.jpg", "players": ["red"], "laid": {"row": 1}, "about": {}}


@pytest.mark.parametrize(
    "change",
    [
        {"game": 1},
        {"photo": None},
        {"players": []},
        {"players": "red"},
        {"players": [1]},
        {"laid": []},
        {"laid": {"row": True}},
        {"laid": {"row": 1.5}},
        {"about": []},
    ],
)
def test_a_label_with_unknown_fields_is_refused(change: dict[str, object]) -> None:
    assert parse_label(json.dumps(WHOLE)).table == SpotTable("g", ("red",), {"row": 1})
    with pytest.raises(LabelError) as caught:
        parse_label(json.dumps(WHOLE | change))
    assert caught.value.code == "bad_label"


@pytest.mark.parametrize("text", ["", "[]", "{", "3"])
def test_invalid_labels_are_refused(text: str) -> None:
    with pytest.raises(LabelError) as caught:
        parse_label(text)
    assert caught.value.code == "bad_label"


SPOTS = (Spot("row", "row", {}, (0, 1, 2)), Spot("square", "square", {}, ("-", "road#1")))


@pytest.mark.parametrize(
    ("laid", "strange"),
    [
        ({}, None),
        ({"row": 2, "square": "road#1"}, None),
        ({"row": 3}, ("row", 3)),
        ({"row": "2"}, ("row", "2")),
        ({"row": 1, "column": 1}, ("column", 1)),
    ],
)
def test_impossible_contents_of_spots_are_found(
    laid: dict[str, int | str], strange: tuple[str, int | str] | None
) -> None:
    assert find_strange_spot(SPOTS, laid) == strange


class Copy(BaseModel):
    """Components of a made-up game."""

    model_config = ConfigDict(extra="forbid")
    table: dict[str, int]
    names: list[str] = []


@pytest.fixture
def default_file(tmp_path: Path) -> Path:
    file = tmp_path / "components.toml"
    file.write_text("names = ['a']\n[table]\nfirst = 8\n", encoding="utf-8")
    return file


@pytest.mark.parametrize(
    ("text", "copy"),
    [
        (None, Copy(table={"first": 8}, names=["a"])),
        ("", Copy(table={"first": 8}, names=["a"])),
        ("[table]\nlight = 3", Copy(table={"first": 8, "light": 3}, names=["a"])),
        ("names = ['b']\n[table]\nfirst = 9", Copy(table={"first": 9}, names=["b"])),
    ],
)
def test_a_persons_components_override_the_defaults(default_file: Path, text: str | None, copy: Copy) -> None:
    assert read_components(Copy, default_file, text) == copy


@pytest.mark.parametrize(
    ("text", "key"),
    [("=", ""), ("more = 1", "more"), ("[table]\nfirst = 'x'", "table.first"), ("table = 3", "table")],
)
def test_invalid_components_are_refused_with_their_key(default_file: Path, text: str, key: str) -> None:
    with pytest.raises(ComponentsError) as caught:
        read_components(Copy, default_file, text)
    assert (caught.value.code, caught.value.details) == ("components_invalid", {"key": key})


def test_a_missing_value_names_the_place_of_its_print() -> None:
    error = build_missing_error("table.light", "in the light space")
    assert error.code == "component_missing"
    assert error.details == {"key": "table.light", "printed": "in the light space"}
    assert "table.light" in error.text
    assert "in the light space" in error.text
