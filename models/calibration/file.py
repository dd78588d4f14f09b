"""Writing the calibration file: a number, and what it rests on, in the place of the one before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import tomlkit
from tomlkit.items import InlineTable

from scoring.calibration import CALIBRATION_FILE

Table = Literal["doubts", "shares"]


@dataclass(frozen=True, slots=True)
class Fitted:
    """A fitted number of a game by its table and name; `values` are the number and what it rests on, by name."""

    table: Table
    name: str
    values: Mapping[str, float | int]

    def format_line(self) -> str:
        """Return the number as the calibration file has it."""
        return f'"{self.name}" = {_build_row(self).as_string()}'


def fit_share(name: str, so: int, of: int, before: float, weight: float, digits: int) -> Fitted:
    """Return how often something is so that was so `so` of `of` times, and `before` of `weight` times before that."""
    return Fitted("shares", name, {"share": round((so + before) / (of + weight), digits), "so": so, "of": of})


def write_fitted(game: str, fitted: Sequence[Fitted]) -> None:
    """Write numbers of a game into the calibration file; all others, and its comments, stay as they are."""
    document = tomlkit.parse(CALIBRATION_FILE.read_text(encoding="utf-8"))
    for own in fitted:
        section = document[game]
        assert isinstance(section, Mapping)
        section[own.table][own.name] = _build_row(own)
    CALIBRATION_FILE.write_text(tomlkit.dumps(document), encoding="utf-8")


def _build_row(fitted: Fitted) -> InlineTable:
    row = tomlkit.inline_table()
    row.update(fitted.values)
    return row
