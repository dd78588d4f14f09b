"""What was likely meant by a word that is none of those that there are."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def find_meant(word: str, known: Iterable[str]) -> dict[str, str]:
    """Find the known word that is written most alike, as an error's detail `meant`; none where all are too unlike."""
    by_word = {other.lower(): other for other in known}
    return {"meant": by_word[close[0]]} if (close := get_close_matches(word.lower(), by_word, 1)) else {}
