"""Words for colours: accepted in any case and in three languages, with a suggestion for a slip."""

from __future__ import annotations

import pytest

from api.i18n import load_words
from api.languages import LANGUAGES
from scoring.player_colours import COLOURS, describe_unknown_colour, find_colour, key_by_colour, suggest_colour


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("colour", COLOURS)
def test_what_a_colour_is_called_names_it(colour: str, language: str) -> None:
    word = load_words(language).name("colour", colour)
    assert {find_colour(word), find_colour(word.upper()), find_colour(f" {word.title()} ")} == {colour}


@pytest.mark.parametrize(
    ("word", "colour"), [("GRUN", "green"), ("Gruen", "green"), ("rosu", "red"), ("weiss", "white")]
)
def test_a_keyboard_without_accents_will_do(word: str, colour: str) -> None:
    assert find_colour(word) == colour


def test_a_colour_of_the_board_goes_before_a_word_for_another() -> None:
    assert find_colour("Mauve") == "mauve"
    assert find_colour("mov", ["mov"]) == "mov"


@pytest.mark.parametrize(
    ("word", "meant"),
    [("bleu", "blue"), ("Blauu", "blue"), ("galbn", "yellow"), ("qqq", None), ("none", None), ("Niemand", None)],
)
def test_a_slip_is_told_what_was_meant(word: str, meant: str | None) -> None:
    assert suggest_colour(word) == meant
    assert describe_unknown_colour(word).get("meant") == meant


def test_one_colour_is_not_named_twice() -> None:
    assert key_by_colour({"Blau": 1, "red": 2}) == {"blue": 1, "red": 2}
    with pytest.raises(ValueError, match="blue is named twice"):
        key_by_colour({"blue": 1, "Albastru": 1})
