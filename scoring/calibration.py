"""Numbers fitted on tables of known truth, in one file written by the calibration commands."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeVar

from scoring.documents import DocumentError, parse_toml
from scoring.errors import CalibrationError

FILE_SETTING = "WONDERTALLY_CALIBRATION"
"""Environment variable that names another file, such as one fitted without some photos."""
CALIBRATION_FILE = Path(os.environ.get(FILE_SETTING) or Path(__file__).parents[1] / "models" / "calibration.toml")

FITTED_ON = "fitted_on"
"""Name, in a row, of the table of the data that its numbers rest on, such as numbers of tables and of cases."""

WeightTable = Literal[
    "coats",
    "presence",
    "confidence",
    "ground",
    "colours",
    "habits",
    "touching",
    "borders",
    "wonders",
    "table",
    "lines",
    "edges",
    "cards",
    "shapes",
    "blocks",
    "looks",
    "pieces",
    "paints",
    "spaces",
]
"""Tables of the file whose rows weigh several kinds of evidence."""


Value = TypeVar("Value")


class _Named(dict[str, Value]):
    """Content of the file by name; a missing name raises CalibrationError `models_damaged`."""

    def __init__(self, where: str, values: Mapping[str, Value]) -> None:
        super().__init__(values)
        self._where = where

    def __missing__(self, name: str) -> Value:
        raise _build_damage_error(f"no {self._where}.{name}")


class Platt(NamedTuple):
    """Parameters that calibrate a probability (Platt, 1999): its logit times the slope, plus the offset, is the true
    logit.
    """

    slope: float = 1.0
    offset: float = 0.0

    def apply(self, probability: float, surest: float) -> float:
        """Return the calibrated probability; the input is first kept `surest` away from 0 and 1."""
        probability = min(max(probability, surest), 1 - surest)
        return 1 / (1 + math.exp(-self.slope * math.log(probability / (1 - probability)) - self.offset))


def apply_scaling(scalings: Mapping[str, Platt], kind: str, probability: float, surest: float) -> float:
    """Return the probability calibrated by the scaling of its kind (`Platt.apply`).

    Without a scaling for the kind, the probability is only kept `surest` away from 0 and 1.
    """
    return scalings.get(kind, Platt()).apply(probability, surest)


def load_platt_scalings(game: str) -> Mapping[str, Platt]:
    """Return the slope and offset of each kind of doubt of a game, given its name such as `carcassonne`.

    Raises CalibrationError `models_missing` if the file is missing, `models_damaged` if it cannot be read.
    """
    rows = _load_table(game, "doubts")
    return _Named(f"{game}.doubts", {kind: Platt(row["slope"], row["offset"]) for kind, row in rows.items()})


def load_shares(game: str) -> Mapping[str, float]:
    """Return the fitted shares of a game by name, each from 0 to 1; raise as `load_platt_scalings` does."""
    rows = _load_table(game, "shares")
    return _Named(f"{game}.shares", {name: row["share"] for name, row in rows.items()})


def load_weights(game: str, table: WeightTable) -> Mapping[str, Mapping[str, float]]:
    """Return the rows of a table of weights by name: the weight of each kind of evidence.

    Raises as `load_platt_scalings` does.
    """
    return _load_table(game, table)


def _load_table(game: str, table: str) -> Mapping[str, Mapping[str, float]]:
    return _load_file()[game][table]


@cache
def _load_file() -> Mapping[str, Mapping[str, Mapping[str, Mapping[str, float]]]]:
    try:
        written = CALIBRATION_FILE.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        text = "The file of fitted numbers is not there."
        raise CalibrationError("models_missing", text, file=CALIBRATION_FILE.name) from error
    except (OSError, ValueError) as error:
        raise _build_damage_error(str(error)) from error
    try:
        games = parse_toml(written)
    except DocumentError as error:
        raise _build_damage_error(str(error)) from error
    return _Named("calibration", {game: _name_tables(game, tables) for game, tables in games.items()})


def _name_tables(game: str, tables: Any) -> Mapping[str, Mapping[str, Mapping[str, float]]]:
    return _Named(
        game,
        {
            table: _Named(
                f"{game}.{table}",
                {
                    name: _name_numbers(f"{game}.{table}.{name}", row)
                    for name, row in _check_is_table(f"{game}.{table}", rows).items()
                },
            )
            for table, rows in _check_is_table(game, tables).items()
        },
    )


def _name_numbers(where: str, row: Any) -> Mapping[str, float]:
    """Return the numbers of a row but for its `fitted_on`.

    Raises CalibrationError `models_damaged` for a value that is not a number, among the data as well.
    """
    numbers = {**_check_is_table(where, row)}
    data = _check_is_table(f"{where}.{FITTED_ON}", numbers.pop(FITTED_ON, {}))
    for name, value in [*numbers.items(), *((f"{FITTED_ON}.{name}", value) for name, value in data.items())]:
        if not isinstance(value, int | float):
            raise _build_damage_error(f"{where}.{name} is no number")
    return _Named(where, numbers)


def _check_is_table(where: str, value: Any) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise _build_damage_error(f"{where} is no table")
    return value


def _build_damage_error(reason: str) -> CalibrationError:
    text = "The file of fitted numbers is damaged: install Wondertally again."
    return CalibrationError("models_damaged", text, file=CALIBRATION_FILE.name, reason=reason)
