"""Numbers that were fitted on tables of known truth: one file, written by the calibration commands and read by all."""

from __future__ import annotations

import math
import os
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Literal, NamedTuple

from scoring.errors import CalibrationError

FILE_SETTING = "WONDERTALLY_CALIBRATION"
"""The variable of the environment that names another file, such as one that was fitted without some photos."""
CALIBRATION_FILE = Path(os.environ.get(FILE_SETTING) or Path(__file__).parents[1] / "models" / "calibration.toml")

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
    "lines",
    "edges",
    "cards",
    "shapes",
    "blocks",
    "looks",
    "pieces",
    "paints",
]
"""Tables of the file whose rows weigh several pieces of evidence together."""


class Platt(NamedTuple):
    """What makes a probability honest (Platt, 1999): its logit times the slope, plus the offset, is the true one."""

    slope: float = 1.0
    offset: float = 0.0

    def apply(self, probability: float, surest: float) -> float:
        """Return how often what has a probability is so; the probability is kept `surest` away from 0 and 1 first."""
        probability = min(max(probability, surest), 1 - surest)
        return 1 / (1 + math.exp(-self.slope * math.log(probability / (1 - probability)) - self.offset))


def apply_scaling(scalings: Mapping[str, Platt], kind: str, probability: float, surest: float) -> float:
    """Return how often what has a probability is so, by the scaling of its kind (`Platt.apply`).

    What is of a kind without a scaling keeps its probability.
    """
    return scalings.get(kind, Platt()).apply(probability, surest)


def load_platt_scalings(game: str) -> Mapping[str, Platt]:
    """Return the slope and offset of each kind of doubt of a game, by its name as in `carcassonne`.

    Raises CalibrationError `models_missing` where the file is not there, `models_damaged` where it cannot be read.
    """
    return {kind: Platt(row["slope"], row["offset"]) for kind, row in _load_table(game, "doubts").items()}


def load_shares(game: str) -> Mapping[str, float]:
    """Return how often each of some things of a game is so, from 0 to 1; raises as `load_platt_scalings` does."""
    return {name: row["share"] for name, row in _load_table(game, "shares").items()}


def load_weights(game: str, table: WeightTable) -> Mapping[str, Mapping[str, float]]:
    """Return the rows of a table of weights, by their names: how much each piece of evidence counts, by its name.

    A row may also hold what its weights rest on. Raises as `load_platt_scalings` does.
    """
    return _load_table(game, table)


def _load_table(game: str, table: str) -> Mapping[str, Mapping[str, float]]:
    try:
        rows: Mapping[str, Mapping[str, float]] = _load_file()[game][table]
    except (KeyError, TypeError) as error:
        raise _build_damage_error(f"no table {game}.{table}") from error
    return rows


@cache
def _load_file() -> Mapping[str, Any]:
    try:
        written = CALIBRATION_FILE.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        text = "The file of fitted numbers is not there."
        raise CalibrationError("models_missing", text, file=CALIBRATION_FILE.name) from error
    except ValueError as error:
        raise _build_damage_error(str(error)) from error
    try:
        return tomllib.loads(written)
    except tomllib.TOMLDecodeError as error:
        raise _build_damage_error(str(error)) from error


def _build_damage_error(reason: str) -> CalibrationError:
    text = "The file of fitted numbers is damaged: install Wondertally again."
    return CalibrationError("models_damaged", text, file=CALIBRATION_FILE.name, reason=reason)
