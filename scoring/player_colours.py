"""The colours of players' pieces, and which of them a word may mean."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

COLOURS = ("red", "blue", "green", "yellow", "black", "pink", "purple", "white", "grey", "orange", "brown", "wood")
"""What players' pieces come in."""

_NOBODY_WORDS = ("nobody", "none", "null", "no-one", "noone")
"""Words that look like a colour, and mean that nobody is."""


def suggest_colour(word: str, colours: Iterable[str] = COLOURS) -> str | None:
    """Suggest the colour that a word most likely means; None where it is like none of them, or means nobody."""
    if word.lower() in _NOBODY_WORDS:
        return None
    return next(iter(get_close_matches(word.lower(), list(colours), 1)), None)
