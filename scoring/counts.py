"""Numbers with their nouns, as in the English texts of boards and scores."""

from __future__ import annotations

from collections.abc import Iterable


def format_count(number: int, one: str, many: str | None = None) -> str:
    """Return a number with its noun: `1 tile`, `2 tiles`."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def join_names(names: Iterable[str]) -> str:
    """Return names as a list in a sentence: `one`, `one and two`, `one, two and three`."""
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


def format_choices(words: Iterable[str]) -> str:
    """Join alternatives in words: `3`, `3 or 4`, `3, 4 or 5`."""
    *first, last = words
    return f"{', '.join(first)} or {last}" if first else last
