"""A request for an explanation of a table: the question, its source, and what a game returns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from api.documents.forms import AnyExplanation
from api.documents.table_options import TableOptions
from scoring.carcassonne.tiles.geometry import Square


class NamedSquare(NamedTuple):
    """A square as texts name it: row and column counted from 1 at the top left tile."""

    row: int
    col: int


@dataclass(frozen=True)
class Question:
    """A question: features by label, id or wonder's name, squares with a kind of feature (None: any), players, the
    lines.
    """

    features: tuple[str, ...] = ()
    places: tuple[tuple[str | None, Square | NamedSquare], ...] = ()
    players: tuple[str, ...] = ()
    lines: bool = False

    @property
    def is_open(self) -> bool:
        """Whether nothing in particular is asked, so that everything is explained."""
        return not (self.features or self.places or self.players or self.lines)


@dataclass(frozen=True, slots=True)
class ExplanationSource:
    """The source of an explanation: `text` is a file or a line; `rules` override the report's, `photo` is its photo.

    `options` are facts stated about the table, without the rules; `language` is that of the explanation.
    """

    text: str
    rules: str | None = None
    photo: Path | None = None
    wonders: Sequence[Path] = ()
    options: TableOptions = field(default_factory=TableOptions)
    language: str = "en"


@dataclass(frozen=True, slots=True)
class Explained:
    """An explanation, and the function that writes its picture to a file, if the game has such a picture."""

    explanation: AnyExplanation
    write_picture: Callable[[Path], None] | None = None
