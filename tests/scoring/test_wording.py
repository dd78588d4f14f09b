"""Words for people: percentages, never 100 below 1 nor 0 above 0, and the colours of players."""

from __future__ import annotations

import math

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from api.i18n import load_words
from api.languages import LANGUAGES
from scoring.percent import convert_to_percent, format_likelihood, format_percent, round_share
from scoring.player_colours import COLOURS, describe_unknown_colour, find_colour, key_by_colour, suggest_colour

inside = st.floats(0, 1, exclude_min=True, exclude_max=True)
digits = st.integers(0, 4)


@pytest.mark.parametrize(
    ("share", "places", "text"),
    [
        (0.9963, 0, "over 99%"),
        (0.995, 0, "over 99%"),
        (0.99, 0, "99%"),
        (0.5, 0, "50%"),
        (0.01, 0, "1%"),
        (0.0049, 0, "under 1%"),
        (1.0, 0, "100%"),
        (0.0, 0, "0%"),
        (1.0, 1, "100.0%"),
        (0.99951, 1, "over 99.9%"),
        (0.999951, 2, "over 99.99%"),
        (0.9876, 2, "98.76%"),
    ],
)
def test_a_share_is_written(share: float, places: int, text: str) -> None:
    assert format_percent(share, places) == text


@pytest.mark.parametrize(
    ("probability", "text"),
    [(1.0, "over 99%"), (0.9963, "over 99%"), (0.99, "99%"), (0.5, "50%"), (0.0004, "under 1%"), (0.0, "under 1%")],
)
def test_no_likelihood_is_written_as_0_or_100(probability: float, text: str) -> None:
    assert format_likelihood(probability) == text


@given(inside, digits)
@example(0.9999, 2)
def test_an_uncertain_share_is_never_written_as_certain(share: float, places: int) -> None:
    written = format_percent(share, places)
    value = float(written.rsplit(" ", 1)[-1].rstrip("%"))
    assert 0 < value < 100
    percent = convert_to_percent(share, places)
    is_true = {"more": share * 100 > percent.value, "less": share * 100 < percent.value}
    assert is_true[percent.than] if percent.than else math.isclose(share * 100, value, abs_tol=0.51 * 10.0**-places)


@given(inside, digits.filter(bool))
def test_a_stored_uncertain_share_is_never_0_or_1(share: float, places: int) -> None:
    rounded = round_share(share, places)
    assert 0 < rounded < 1
    assert math.isclose(rounded, share, abs_tol=10.0**-places)
    assert round_share(rounded, places) == rounded


def test_shares_of_0_and_1_stay_unchanged() -> None:
    assert (round_share(1.0), round_share(0.0)) == (1.0, 0.0)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("colour", COLOURS)
def test_a_colour_is_found_by_its_name_in_each_language(colour: str, language: str) -> None:
    word = load_words(language).name("colour", colour)
    assert {find_colour(word), find_colour(word.upper()), find_colour(f" {word.title()} ")} == {colour}


@pytest.mark.parametrize(
    ("word", "colour"), [("GRUN", "green"), ("Gruen", "green"), ("rosu", "red"), ("weiss", "white")]
)
def test_colour_words_are_accepted_without_accents(word: str, colour: str) -> None:
    assert find_colour(word) == colour


def test_a_colour_of_the_board_takes_precedence_over_a_word_for_another() -> None:
    assert find_colour("Mauve") == "mauve"
    assert find_colour("mov", ["mov"]) == "mov"


@pytest.mark.parametrize(
    ("word", "meant"),
    [("bleu", "blue"), ("Blauu", "blue"), ("galbn", "yellow"), ("qqq", None), ("none", None), ("Niemand", None)],
)
def test_a_misspelt_colour_gets_a_suggestion(word: str, meant: str | None) -> None:
    assert suggest_colour(word) == meant
    assert describe_unknown_colour(word).get("meant") == meant


def test_a_colour_named_twice_is_refused() -> None:
    assert key_by_colour({"Blau": 1, "red": 2}) == {"blue": 1, "red": 2}
    with pytest.raises(ValueError, match="blue is named twice"):
        key_by_colour({"blue": 1, "Albastru": 1})
