"""The colours of players' pieces, and the words for them."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import TypeVar

_OTHER_WORDS: Mapping[str, tuple[str, ...]] = {
    "red": ("rot", "roșu"),
    "blue": ("blau", "albastru"),
    "green": ("grün", "gruen", "verde"),
    "yellow": ("gelb", "galben"),
    "black": ("schwarz", "negru"),
    "pink": ("rosa", "roz"),
    "purple": ("violet", "lila", "violett", "mov"),
    "white": ("weiß", "alb"),
    "grey": ("gray", "grau", "gri"),
    "orange": ("portocaliu",),
    "brown": ("braun", "maro"),
    "wood": ("plain wood", "wooden", "holz", "lemn"),
    "clear": ("transparent", "durchsichtig", "farblos", "incolor"),
}
"""The colours, each with further words for it in German, Romanian and English."""
COLOURS = tuple(_OTHER_WORDS)
"""Colours of players' pieces."""

NOBODY = "none"
"""Stands for a colour that is read as a player's although nobody plays it."""
_NOBODY_WORDS = ("nobody", "none", "null", "no-one", "noone", "niemand", "nimeni")
"""Words that resemble a colour but mean that there is no player."""

MAX_COLOUR_CHARACTERS = 100
"""Length above which a word names no colour and is compared as it is; the longest name has 12 letters. Bounds time."""

_Value = TypeVar("_Value")


def find_colour(word: str, further: Iterable[str] = ()) -> str:
    """Return the colour that a word names in English, German or Romanian, in any case.

    A word for none of COLOURS nor a further one is returned in lower case.
    """
    plain = word.strip().lower()
    return plain if plain in further else _COLOURS_BY_WORD.get(fold_word(word), plain)


def key_by_colour(values: Mapping[str, _Value]) -> dict[str, _Value]:
    """Return values by the colours that their words name; raise ValueError if 2 words name one colour."""
    by_colour: dict[str, _Value] = {}
    for word, value in values.items():
        if (colour := find_colour(word)) in by_colour:
            raise ValueError(f"{colour} is named twice")
        by_colour[colour] = value
    return by_colour


def suggest_colour(word: str, colours: Iterable[str] = COLOURS) -> str | None:
    """Return the colour that a word most likely means; None if it resembles none of them, or means no player."""
    if word.lower() in _NOBODY_WORDS:
        return None
    known = tuple(colours)
    words = {name: colour for name, colour in _COLOURS_BY_WORD.items() if colour in known}
    words |= {fold_word(colour): colour for colour in known}
    return next((words[name] for name in get_close_matches(fold_word(word), list(words), 1)), None)


def describe_unknown_colour(word: str, known: Iterable[str] = COLOURS) -> dict[str, object]:
    """Return the details of an error about a word that names no known colour: the most likely colour, and all known
    ones.
    """
    colours = list(known)
    suggested = suggest_colour(word, colours)
    return {"colour": word, **({} if suggested is None else {"meant": suggested}), "known": colours}


def explain_unknown_colour(word: str, known: Iterable[str] = COLOURS) -> tuple[str, dict[str, object]]:
    """Return the text of an error about a word that names no known colour, and its details."""
    details = describe_unknown_colour(word, known)
    meant = f": {details['meant']!r}?" if "meant" in details else ""
    return f"no player's pieces have the colour {word!r}{meant}", details


def fold_word(word: str) -> str:
    """Return a word without differences that people ignore when typing: capitals, accents, repeated spaces."""
    if len(word) > MAX_COLOUR_CHARACTERS:
        return word
    letters = unicodedata.normalize("NFKD", word.casefold())
    return " ".join("".join(letter for letter in letters if not unicodedata.combining(letter)).split())


_COLOURS_BY_WORD = {fold_word(word): colour for colour in COLOURS for word in (colour, *_OTHER_WORDS[colour])}
