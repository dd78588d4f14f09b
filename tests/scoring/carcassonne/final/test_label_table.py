"""The table facts of a label: read, written back, and refused if invalid."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.carcassonne.board.boxes import MAX_COPIES, NAMED_BOXES
from scoring.carcassonne.final.table import (
    HOLDINGS,
    MAX_PLAYERS,
    MAX_TILES,
    MAX_TOKENS,
    Table,
    find_wonder_id,
    read_label_table,
    write_label_table,
)
from scoring.carcassonne.wonders.tiles import WONDERS
from scoring.errors import LabelError

COLOURS = st.sampled_from(["red", "blue", "wood"])
TABLES = st.builds(
    Table,
    tiles_in_play=st.none() | st.integers(1, MAX_TILES),
    goods=st.dictionaries(
        st.sampled_from(HOLDINGS), st.dictionaries(COLOURS, st.integers(0, MAX_TOKENS), min_size=1), max_size=4
    ),
    player_count=st.none() | st.integers(1, MAX_PLAYERS),
    owners=st.dictionaries(st.sampled_from(sorted(WONDERS)), st.none() | COLOURS, max_size=3),
    boxes=st.dictionaries(st.sampled_from(NAMED_BOXES), st.integers(1, MAX_COPIES), max_size=3),
)


@given(TABLES)
def test_written_values_read_back(table: Table) -> None:
    assert read_label_table(write_label_table(table)) == table


def test_a_label_without_table_facts_gives_an_empty_table() -> None:
    assert read_label_table({"rows": ["D0"], "meeples": []}) == Table()
    assert write_label_table(Table()) == {}


@pytest.mark.parametrize(
    "fields",
    [
        {"players": 0},
        {"players": "3"},
        {"players": True},
        {"players": MAX_PLAYERS + 1},
        {"tiles_in_play": 72.5},
        {"goods": ["wine"]},
        {"goods": {"blue": 3}},
        {"goods": {"Bleu": {"wine": 3}}},
        {"goods": {"blue": {"beer": 3}}},
        {"goods": {"blue": {"wine": -1}}},
        {"owners": {"colossus": "blue"}},
        {"owners": {"alhambra": 3}},
        {"owners": "alhambra"},
    ],
    ids=str,
)
def test_invalid_table_facts_are_named_with_their_field(fields: dict[str, Any]) -> None:
    with pytest.raises(LabelError) as caught:
        read_label_table(fields)
    assert caught.value.code == ("colour_unknown" if "Bleu" in str(fields) else "bad_table")
    assert [caught.value.details["field"]] == list(fields)


@pytest.mark.parametrize("name", ["notre-dame", "Notre-Dame", "notre dame", "WH/notre-dame", " Notre Dame "])
def test_a_wonder_in_a_label_is_found_by_its_name(name: str) -> None:
    assert find_wonder_id(name) == "WH/notre-dame"
    assert find_wonder_id("colossus") is None
