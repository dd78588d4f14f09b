"""Typed input about a table of spots: `SPOT=VALUE` words, tables in one line, and label files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from pydantic import ValidationError

from api.documents.corrections import Correction
from api.documents.spot_corrections import SetSpot
from api.documents.spot_report import SpotReport, SpotState
from api.documents.table_options import SpotWord
from api.documents.tile_corrections import SetPlayer, SetPlayerColour
from api.errors import CorrectionError, ReportError
from api.i18n import load_words
from api.inputs.text import is_report_text, load_report_text, load_text, parse_game_field, read_text_file
from api.spots.registry import SPOT_GAMES
from api.spots.snapshot import SnapshotSpot, SpotSnapshot
from api.spots.text import translate_spot
from scoring.spots.game import Value
from scoring.spots.text import SpotTable, parse_label, parse_table

COLOUR_WORD = "colour."
"""Beginning of a word about the colour of a player, not about a spot: `colour.yellow=red`."""


def parse_spot_corrections(words: Iterable[str]) -> Iterator[SpotWord]:
    """Parse words such as `discs.giza=2` or `colour.yellow=red` into corrections; raises CorrectionError `bad_set`."""
    for word in words:
        spot, equals, value = (part.strip() for part in word.partition("="))
        try:
            if not equals:
                raise CorrectionError("bad_set", details={"given": word})
            if spot.startswith(COLOUR_WORD):
                yield SetPlayerColour(colour=spot.removeprefix(COLOUR_WORD), instead=value)
            else:
                yield SetSpot(id=spot, value=_value(value))
        except ValidationError as error:
            raise CorrectionError("bad_set", details={"given": word}) from error


def read_value_words(file: Path) -> list[str]:
    """Read the `SPOT=VALUE` words of a values file, one or more in a line; a line that begins with # is a comment.

    Raises InputError `file_not_found`.
    """
    lines = read_text_file(file, "The file of values cannot be read.").splitlines()
    return [word for line in lines if not line.lstrip().startswith("#") for word in line.split()]


def read_spot_table(argument: str) -> SpotTable:
    """Read a table from a notation, or from a file with a label, a report or a notation.

    Raises NotationError, LabelError, ReportError.
    """
    if (report := read_spot_report(Path(argument))) is not None:
        return parse_table(report.board.notation)
    text = load_text(argument).strip()
    return parse_label(text).table if text.startswith("{") else parse_table(text)


def apply_spot_corrections(table: SpotTable, corrections: Iterable[SpotWord]) -> SpotTable:
    """Return the table with the values of some spots replaced; None removes a value.

    Raises CorrectionError `bad_set` for a player's colour, which a typed table states itself.
    """
    values = dict[str, Value | None](table.laid)
    for correction in corrections:
        if isinstance(correction, SetPlayerColour):
            raise CorrectionError("bad_set", details={"given": f"{COLOUR_WORD}{correction.colour}"})
        values[correction.id] = correction.value
    return replace(table, laid={spot: value for spot, value in values.items() if value is not None})


def build_report_snapshot(report: SpotReport, components: str) -> tuple[SpotSnapshot, list[Correction]]:
    """Build a snapshot and corrections from a report; reviewed together, they give the report again.

    Spots that no photo shows keep their values as corrections. The values read for spots that a person corrected are
    lost.
    """
    known = [spot for spot in report.board.spots if spot.value is not None]
    read = [spot for spot in known if not (spot.typed and report.photo is not None)]
    corrections: list[Correction] = [
        SetSpot(id=spot.id, value=spot.value) for spot in report.board.spots if spot.set_by_person
    ]
    corrections += [SetPlayer(colour=colour, name=name) for colour, name in report.names.items()]
    snapshot = SpotSnapshot(
        game=report.game,
        components=components,
        players=tuple(report.rules.players),
        spots=tuple(map(_build_snapshot_spot, read)),
        photos=tuple(report.photos or ([report.photo] if report.photo else [])),
        decode_ms=0.0,
        timing_ms={},
        set_aside=tuple(report.set_aside),
    )
    return snapshot, corrections


def _build_snapshot_spot(spot: SpotState) -> SnapshotSpot:
    assert spot.value is not None
    return SnapshotSpot(
        id=spot.id,
        value=spot.value,
        confidence=spot.confidence,
        alternatives=tuple((other.value, other.probability) for other in spot.alternatives),
        outline_px=tuple(spot.outline_px or ()),
        photo=spot.photo,
    )


def read_spot_report(path: Path) -> SpotReport | None:
    """Read a report of a game of spots from a file, None for anything else; raises ReportError for a damaged report."""
    text = load_report_text(path)
    if text is None or not is_report_text(text) or parse_game_field(text) not in SPOT_GAMES:
        return None
    try:
        report = SpotReport.model_validate_json(text)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise ReportError("bad_report", details={"file": str(path), "field": where, "reason": first["msg"]}) from error
    _refuse_unnamed_spots(report, path)
    return report


def _refuse_unnamed_spots(report: SpotReport, path: Path) -> None:
    """Raise ReportError for a spot without the values that its name consists of."""
    words = load_words("en")
    for number, spot in enumerate(report.board.spots):
        try:
            translate_spot(words, spot.id, spot.kind, spot.values, {})
        except (KeyError, ValueError) as error:
            details = {"file": str(path), "field": f"board.spots.{number}.values", "reason": str(error.args[0])}
            raise ReportError("bad_report", details=details) from error


def _value(text: str) -> int | str:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 6 else text
