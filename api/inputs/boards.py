"""Boards without a photo: a label, a report, a record or a notation in a file, or the notation itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from api.carcassonne.report.board import read_report_board
from api.documents.report import Report
from api.inputs.given import GivenBoard
from api.inputs.report_files import parse_report_file
from api.inputs.text import is_report_text, load_report_text, read_bounded_bytes
from scoring.carcassonne.board.board import Board
from scoring.carcassonne.board.label import parse_label, read_label
from scoring.carcassonne.board.notation import parse_notation
from scoring.carcassonne.final.rulesets import TODAY
from scoring.carcassonne.final.table import Table, read_label_table
from scoring.carcassonne.tiles.catalogue import load_full_catalogue
from scoring.carcassonne.wonders.catalogue import index_wonders, is_shipped
from scoring.carcassonne.wonders.files import restore_wonder
from scoring.carcassonne.wonders.tiles import WonderLayout
from scoring.errors import LabelError
from vision.enrolment.wonders import TaughtWonders, load_wonders_in_force, read_wonder_files, refuse_damaged_wonders
from vision.errors import InputError

_RECORD_HEAD = "players "
"""Beginning of a record, which no notation shares."""
_ENDINGS = (".json", ".txt", ".board")

Wonders = Mapping[str, WonderLayout]


def read_wonders(files: Iterable[Path]) -> Wonders:
    """Return the wonders' layouts in force, overridden by files; raises InputError or CatalogueError."""
    return {**load_wonders_in_force(), **read_wonder_files(files)}


def read_sent_wonders(entries: Iterable[Mapping[str, Any]], taught: TaughtWonders | None = None) -> Wonders:
    """Return the wonders' layouts in force, overridden by entries as in wonder files; raises CatalogueError."""
    return {**load_wonders_in_force(taught), **index_wonders(map(restore_wonder, entries))}


def refuse_damaged_layouts(board: Board, wonders: Wonders, taught: TaughtWonders | None = None) -> None:
    """Raise EnrolmentError `bad_enrolment` for a board with a wonder whose enrolment is damaged.

    `wonders` are the layouts in force; wonders with a layout of their own on the board are unaffected.
    """
    refuse_damaged_wonders((w.layout.id for w in board.wonders if is_shipped(w.layout)), wonders, taught)


def read_board(text: str, wonders: Wonders | None = None) -> Board:
    """Read a board from a file or a notation; raises InputError or ScoringError."""
    return read_given_board(text, wonders).board


def read_given_board(text: str, wonders: Wonders | None = None) -> GivenBoard:
    """Read a board from a file or a notation, with the table of a label; raises InputError or ScoringError.

    `wonders` are the layouts in force: raises EnrolmentError `bad_enrolment` for a board with a wonder whose enrolment
    is damaged.
    """
    given = _read_given_board(text, wonders)
    if wonders is not None:
        refuse_damaged_layouts(given.board, wonders)
    return given


def _read_given_board(text: str, wonders: Wonders | None) -> GivenBoard:
    path = Path(text)
    try:
        is_file = path.is_file()
    except OSError:  # longer than a file name can be
        is_file = False
    if is_file:
        return _board_of(path, wonders)
    if path.suffix in _ENDINGS:
        raise InputError("file_not_found", details={"file": text})
    return GivenBoard(parse_notation(text, wonders))


def _board_of(path: Path, wonders: Wonders | None) -> GivenBoard:
    load_report_text(path)
    try:
        text = read_bounded_bytes(path).decode("utf-8").strip()
    except ValueError as error:
        raise LabelError("bad_label", f"the file is no text: {error}", file=str(path)) from error
    except OSError as error:
        raise InputError("file_not_found", "The file cannot be opened.", {"file": str(path)}) from error
    if is_report_text(text) and (report := parse_report_file(text, path)) is not None:
        return _board_of_report(report, wonders)
    if text.startswith("{"):
        return _board_of_label(text, path, wonders)
    if text.startswith(_RECORD_HEAD):
        from api.inputs.records import build_record_board, replay_record  # loads the play engine

        return build_record_board(replay_record(text, wonders))
    return GivenBoard(parse_notation(text, wonders))


def _board_of_report(report: Report, wonders: Wonders | None) -> GivenBoard:
    """Return the board of a report with all facts stated about its table."""
    board, rules = read_report_board(report, wonders), report.rules
    tiles = rules.tiles_in_play if rules.tiles_in_play != len(board.tiles) else None
    track = {colour: points for colour, points in report.scores.on_track.items() if points is not None}
    table = Table(tuple(rules.players), tiles, rules.goods, rules.player_count)
    return GivenBoard(board, table, rules.edition or TODAY.name, track, report.names)


def _board_of_label(text: str, path: Path, wonders: Wonders | None) -> GivenBoard:
    try:
        label = parse_label(text)
    except LabelError as error:
        raise LabelError(error.code, error.text, file=str(path)) from error
    return GivenBoard(*read_label_table(label).put_on(read_label(label, load_full_catalogue(), wonders)))
