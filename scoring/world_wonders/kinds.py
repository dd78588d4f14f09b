"""What may lie on a map, and how a square's value names it: `library#3` is the third library, `-` nothing."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

COLOURS = ("yellow", "green", "white", "red", "blue")
BUILDINGS = ("library", "farm", "habitation", "market", "temple")
ROADS = ("road", "bridge")
TOWER = "tower"
UNNAMED = "monument"
"""A monument of which nobody knows which it is."""
RESOURCES = ("food", "ceramics", "gears")
TRACKS = ("population", *RESOURCES)
NOTHING = "-"

_VALUE = re.compile(r"([a-z][a-z-]*)#([1-9][0-9]{0,3})")


class Numbered(NamedTuple):
    """A piece of one player: its kind (a monument's is its id), and its number among them."""

    kind: str
    number: int

    @property
    def value(self) -> str:
        """The piece as a square names it; `parse_piece_name` is the inverse."""
        return f"{self.kind}#{self.number}"

    @property
    def said(self) -> str:
        """In words: `library 3`."""
        return f"{self.kind} {self.number}"

    @property
    def words(self) -> dict[str, int | str]:
        """What a text about it names."""
        return {"value": self.kind, "number": self.number}

    @property
    def id(self) -> str:
        """The piece as areas name it."""
        return f"{self.kind}-{self.number}"

    @property
    def is_monument(self) -> bool:
        """Whether it is a monument, with a known name or without."""
        return self.kind not in (*ROADS, *BUILDINGS, TOWER)


@lru_cache(maxsize=4096)
def parse_piece_name(value: int | str) -> Numbered | None:
    """Return the piece that a square's value names; None where it names none."""
    match = _VALUE.fullmatch(value) if isinstance(value, str) else None
    return Numbered(match[1], int(match[2])) if match else None
