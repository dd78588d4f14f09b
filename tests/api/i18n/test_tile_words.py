"""Tiles in words, for those who hear them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from api.documents.report import Doubt
from api.i18n import load_words
from api.i18n.report_text import translate_doubt
from api.i18n.tile_words import describe_tile
from scoring.carcassonne.board.board import Placement
from scoring.carcassonne.tiles.geometry import SIDES
from scoring.carcassonne.tiles.layout import TileLayout
from scoring.carcassonne.tiles.other_boxes import load_whole_catalogue

LAYOUTS = [*load_whole_catalogue()]


@pytest.mark.parametrize(
    ("tile", "turns", "language", "words"),
    [
        ("IC/Rr.i", 0, "en", "curve from south to west, inn"),
        ("D", 0, "en", "city in the north, road from east to west"),
        ("X", 0, "en", "roads from north, east, south, and west"),
        ("M", 1, "en", "city in the north and east with a coat of arms"),
        ("BB/F.b", 0, "en", "only a field"),
        ("AM/Rrr", 1, "en", "branching road to north, east, and south"),
        ("A", 2, "de", "Straße nach Norden, Kloster"),
        ("C", 0, "ro", "oraș pe toate laturile cu un blazon"),
    ],
)
def test_a_tile_is_described_as_a_person_would(tile: str, turns: int, language: str, words: str) -> None:
    assert describe_tile(load_words(language), Placement(tile, turns)) == words


@given(st.sampled_from(LAYOUTS), st.integers(0, 3), st.sampled_from(("en", "de", "ro")))
def test_a_description_names_no_code_and_follows_the_turns(layout: TileLayout, turns: int, language: str) -> None:
    words = load_words(language)
    described = describe_tile(words, Placement(layout.id, turns))
    assert described
    assert layout.id not in described
    assert described == describe_tile(words, Placement(layout.id, turns + 4))
    edges = {tuple(layout.edge(side, turn) for side in SIDES) for turn in range(4)}
    assert len({describe_tile(words, Placement(layout.id, turn)) for turn in range(4)}) >= len(edges)


def test_a_doubt_about_a_tile_without_a_layout_names_it_as_it_was_enrolled() -> None:
    values: dict[str, int | str] = {"tile": "TO/mine", "turns": 1}
    doubt = Doubt(square=(0, 0), about="tile", instead="TO/mine", probability=0.5, final_scoring=None, values=values)
    assert translate_doubt("en", doubt) == "TO/mine"
    known = doubt.model_copy(update={"values": {"tile": "IC/Rr.i", "turns": 0}})
    assert translate_doubt("en", known) == "curve from south to west, inn"
