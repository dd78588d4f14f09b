"""Numbers with their nouns, as the English texts of boards and scores have them."""

from __future__ import annotations


def format_count(number: int, one: str, many: str | None = None) -> str:
    """Return a number with its noun: `1 tile`, `2 tiles`."""
    return f"{number} {one if number == 1 else many or one + 's'}"
