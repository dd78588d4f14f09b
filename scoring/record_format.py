"""Common format of all games' records: a number for each player after a line's `=`, in turn order."""

from __future__ import annotations

import re
from collections.abc import Iterable

from scoring.errors import RecordError

_NUMBER = re.compile(r"-?\d{1,6}", re.ASCII)


def format_numbers(numbers: Iterable[int]) -> str:
    """Return numbers as text, such as `12 7`; `parse_numbers` is the inverse."""
    return " ".join(str(number) for number in numbers)


def parse_numbers(text: str, players: int, line: int) -> tuple[int, ...]:
    """Return one number per player; raise RecordError `bad_scores` for any other text."""
    words = text.split()
    if len(words) != players or not all(_NUMBER.fullmatch(word) for word in words):
        raise RecordError("bad_scores", f"{players} numbers are needed, one for each player", line)
    return tuple(int(word) for word in words)
