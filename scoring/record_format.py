"""What the records of all games have in common: a number for each player behind a line's `=`, in turn order."""

from __future__ import annotations

import re
from collections.abc import Iterable

from scoring.errors import RecordError

_NUMBER = re.compile(r"-?\d{1,6}", re.ASCII)


def format_numbers(numbers: Iterable[int]) -> str:
    """Return numbers as text, as in `12 7`; `parse_numbers` is the inverse."""
    return " ".join(str(number) for number in numbers)


def parse_numbers(text: str, players: int, line: int) -> tuple[int, ...]:
    """Return a number for each of so many players; raises RecordError `bad_scores`."""
    words = text.split()
    if len(words) != players or not all(_NUMBER.fullmatch(word) for word in words):
        raise RecordError("bad_scores", f"{players} numbers are needed, one for each player", line)
    return tuple(int(word) for word in words)
