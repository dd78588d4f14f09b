"""Pieces on a map and their names in a square's value: `library#3` is the third library, `-` is empty."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

COLOURS = ("yellow", "green", "white", "red", "blue")
BUILDINGS = ("library", "farm", "habitation", "market", "temple")
ROADS = ("road", "bridge")
TOWER = "tower"
UNNAMED = "monument"
"""A monument of unknown name."""
RESOURCES = ("food", "ceramics", "gears")
TRACKS = ("population", *RESOURCES)
NOTHING = "-"

_VALUE = re.compile(r"([a-z][a-z-]*)#([1-9][0-9]{0,3})")


class Numbered(NamedTuple):
    """A piece of one player: its kind (a monument's is its id), and its number within the kind."""

    kind: str
    number: int

    @property
    def value(self) -> str:
        """Return the piece as a square's value; `parse_piece_name` is the inverse."""
        return f"{self.kind}#{self.number}"

    @property
    def said(self) -> str:
        """Return the piece in words: `library 3`."""
        return f"{self.kind} {self.number}"

    @property
    def words(self) -> dict[str, int | str]:
        """Return the values named in a text about the piece."""
        return {"value": self.kind, "number": self.number}

    @property
    def id(self) -> str:
        """Return the piece as named in areas."""
        return f"{self.kind}-{self.number}"

    @property
    def is_monument(self) -> bool:
        """Return whether it is a monument, named or not."""
        return self.kind not in (*ROADS, *BUILDINGS, TOWER)


@lru_cache(maxsize=4096)
def parse_piece_name(value: int | str) -> Numbered | None:
    """Return the piece named in a square's value; None if there is none."""
    match = _VALUE.fullmatch(value) if isinstance(value, str) else None
    return Numbered(match[1], int(match[2])) if match else None
