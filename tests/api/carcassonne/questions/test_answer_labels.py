"""Answers name the one thing in which they differ, in a player's words: no letters of tiles, no names of files."""

from __future__ import annotations

import pytest

from api.carcassonne.questions.words import find_meeple_difference, label_tiles
from api.i18n import load_words
from api.languages import LANGUAGES
from scoring.carcassonne.board.board import PlacedMeeple, Placement
from scoring.carcassonne.tiles.catalogue import list_layout_turns, load_full_catalogue


@pytest.mark.parametrize(
    ("tiles", "labels"),
    [
        (("BA/CcRr", "BA/CcRr+"), ["no coat of arms", "coat of arms"]),
        (
            ("BA/CccR+", "BA/CccR", "BA/Ccc"),
            ["coat of arms, road (south)", "road (south), no coat of arms", "no coat of arms, no road"],
        ),
        (("BA/L", "BA/LR"), ["no road", "road (south)"]),
        (("BA/Rr", "BA/RFr"), ["road (south, west)", "road (east, west)"]),
    ],
    ids=["coat", "coat and road", "road", "course"],
)
def test_tiles_are_labelled_by_what_tells_them_apart(tiles: tuple[str, ...], labels: list[str]) -> None:
    assert label_tiles(load_words("en"), [Placement(tile, 0) for tile in tiles]) == labels


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_label_names_a_tile_by_its_letter_or_id(language: str) -> None:
    words, catalogue = load_words(language), load_full_catalogue()
    placements = [Placement(tile, turns) for tile, turns in list_layout_turns(catalogue)]
    read = Placement("BA/CFc+", 0)
    for placement in placements:
        for label in label_tiles(words, [read, placement]):
            assert label
            assert "/" not in label
            assert placement.layout.letter not in label.split()


def test_what_is_no_tile_has_no_label_and_tells_nothing() -> None:
    assert label_tiles(load_words("en"), [Placement("BA/L", 0), None]) == ["as drawn", None]


def test_pieces_differ_in_one_thing_or_several() -> None:
    red, big = PlacedMeeple("red", (0, 0), 0), PlacedMeeple("red", (0, 0), 0, "standing", "big")
    blue, elsewhere = PlacedMeeple("blue", (0, 0), 0), PlacedMeeple("red", (0, 0), 1)
    assert find_meeple_difference([red, big]) == "kind"
    assert find_meeple_difference([red, blue]) == "colour"
    assert find_meeple_difference([red, elsewhere]) == "place"
    assert find_meeple_difference([red, None]) == "there"
    assert find_meeple_difference([blue, big]) == "several"
