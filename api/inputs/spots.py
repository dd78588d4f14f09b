"""What a person types of a table of spots: `SPOT=VALUE` words, tables in one line, and label files."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from pydantic import ValidationError

from api.corrections.spot_commands import SetSpot
from api.errors import CorrectionError
from api.games.games import SPOT_GAMES
from scoring.spots.text import SpotTable, parse_label, parse_table


def parse_spot_corrections(given: Iterable[str]) -> Iterator[SetSpot]:
    """Corrections out of words such as `discs.giza=2`; raises CorrectionError `bad_set`."""
    for word in given:
        spot, equals, value = word.strip().partition("=")
        try:
            if not equals:
                raise CorrectionError("bad_set", details={"given": word})
            yield SetSpot(id=spot.strip(), value=_value(value.strip()))
        except ValidationError as error:
            raise CorrectionError("bad_set", details={"given": word}) from error


def read_spot_table(text: str) -> SpotTable | None:
    """The table that a notation, or a file with a notation or a label, tells of a game of spots.

    None where it is no such game's. Raises NotationError, LabelError.
    """
    text = _text_of(text).strip()
    if text.startswith("{"):
        return parse_label(text).table if parse_game_field(text) in SPOT_GAMES else None
    return parse_spot_table(text)


def parse_spot_table(text: str) -> SpotTable | None:
    """The table of a notation; None where its first word is no such game. Raises NotationError."""
    return parse_table(text) if any(word in SPOT_GAMES for word in text.split(maxsplit=1)[:1]) else None


def apply_spot_corrections(table: SpotTable, said: Iterable[SetSpot]) -> SpotTable:
    """The table with what is said of some spots; a value None takes away what was told."""
    laid = {**table.laid, **{own.id: own.value for own in said}}
    return replace(table, laid={spot: value for spot, value in laid.items() if value is not None})


def _text_of(text: str) -> str:
    try:
        path = Path(text)
        return path.read_text(encoding="utf-8") if path.is_file() else text
    except (OSError, ValueError):  # too long for a file's name, or no text: who reads boards tells the fault
        return text


def parse_game_field(text: str) -> object:
    """What a JSON text says of its game; None where it says nothing."""
    try:
        document = json.loads(text)
    except ValueError:
        return None
    return document.get("game") if isinstance(document, dict) else None


def _value(text: str) -> int | str:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 6 else text
