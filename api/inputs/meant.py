"""Suggestions for an unknown word."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def find_meant(word: str, known: Iterable[str]) -> dict[str, str]:
    """Find the known word spelled most like it, as an error's detail `meant`; empty if none is similar."""
    by_word = {other.lower(): other for other in known}
    return {"meant": by_word[close[0]]} if (close := get_close_matches(word.lower(), by_word, 1)) else {}
