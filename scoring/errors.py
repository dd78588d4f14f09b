"""The root of all errors, which have a stable code, and those of scoring.

WondertallyError
├── ScoringError
│   ├── CatalogueError   no such layout, or a file of a wonder that cannot be
│   ├── BoardError       a board that cannot be
│   ├── NotationError    a board's one-line notation cannot be read; says where
│   ├── LabelError       a label of a photo cannot be read
│   ├── PlayError        a move that the rules do not allow; the code names the rule
│   └── RecordError      a game's record cannot be read, or does not add up; says in which line
└── the errors of photos and readings (`vision.errors`), of reports and questions (`api.errors`), and of the server
    (`api.server.errors`)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar


class WondertallyError(Exception):
    """A failure with a code; `text` falls back on the code's usual sentence."""

    texts: ClassVar[Mapping[str, str]] = {}

    def __init__(self, code: str, text: str = "", details: Mapping[str, Any] | None = None) -> None:
        self.code = code
        self.text = text or self.texts.get(code, code.replace("_", " "))
        self.details = dict(details or {})
        super().__init__(f"{code}: {self.text}")

    def as_dict(self) -> dict[str, Any]:
        """Return the one error shape of every front door."""
        return {"error": {"code": self.code, "text": self.text, "details": self.details}}


class ScoringError(WondertallyError):
    """Something asked of scoring makes no sense; `code` is for programs, `text` for people."""

    def __init__(self, code: str, text: str, **details: Any) -> None:
        super().__init__(code, text, details)


class CatalogueError(ScoringError):
    """A tile that the catalogue does not hold, or a wonder's file that draws no wonder tile."""


class NotationError(ScoringError):
    """A board's notation cannot be read; `position` is the index of the first character at fault."""

    def __init__(self, code: str, text: str, position: int) -> None:
        super().__init__(code, f"{text} (at character {position})", position=position)
        self.position = position


class LabelError(ScoringError):
    """A label cannot be read as a board."""


class BoardError(ScoringError):
    """A board that cannot be: a meeple, a garden or a square where the tile has no such part."""


class PlayError(ScoringError):
    """A move that the rules do not allow, or a game that cannot be set up; the code names the rule broken."""


class RecordError(ScoringError):
    """A game's record cannot be read or does not replay; `line` counts from 1."""

    def __init__(self, code: str, text: str, line: int, **details: Any) -> None:
        super().__init__(code, f"{text} (in line {line})", **details, line=line)
        self.line = line
