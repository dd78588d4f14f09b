"""Writing the calibration file: a number, and what it rests on, in the place of the one before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import tomlkit
from tomlkit.items import InlineTable

from scoring.calibration import CALIBRATION_FILE, WeightTable

Table = Literal["doubts", "shares"] | WeightTable


@dataclass(frozen=True, slots=True)
class FittedRow:
    """A row of a game's table by its name; `values` are fitted numbers and what they rest on, by name."""

    table: Table
    name: str
    values: Mapping[str, float | int]

    def format_line(self) -> str:
        """Return the row as the calibration file has it."""
        return f'"{self.name}" = {_build_inline_table(self).as_string()}'


def fit_share(name: str, count: int, total: int, prior_count: float, prior_total: float, digits: int) -> FittedRow:
    """Return how often something is so that was so `count` of `total` times, and before that as often as the prior."""
    share = round((count + prior_count) / (total + prior_total), digits)
    return FittedRow("shares", name, {"share": share, "so": count, "of": total})


def write_rows(game: str, rows: Sequence[FittedRow]) -> None:
    """Write rows of a game into the calibration file; all others, and its comments, stay as they are."""
    document = tomlkit.parse(CALIBRATION_FILE.read_text(encoding="utf-8"))
    for row in rows:
        section = document[game]
        assert isinstance(section, Mapping)
        section[row.table][row.name] = _build_inline_table(row)
    CALIBRATION_FILE.write_text(tomlkit.dumps(document), encoding="utf-8")


def _build_inline_table(row: FittedRow) -> InlineTable:
    table = tomlkit.inline_table()
    table.update(row.values)
    return table
