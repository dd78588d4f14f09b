"""Boards without a photo: a label, a report, a record or a notation in a file, or the notation itself."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from api.carcassonne.report.board import read_report_board
from api.documents.report import Report
from api.errors import ReportError
from api.inputs.text import is_report_text, load_report_text, read_bounded_bytes
from scoring.carcassonne.board.board import Board, refuse_oversized_board
from scoring.carcassonne.board.label import parse_label, read_label
from scoring.carcassonne.board.notation import parse_notation
from scoring.carcassonne.final.rulesets import RULESETS, TODAY
from scoring.carcassonne.final.table import Table, read_label_table
from scoring.carcassonne.tiles.other_boxes import load_whole_catalogue
from scoring.carcassonne.wonders.catalogue import index_wonders, is_shipped
from scoring.carcassonne.wonders.files import restore_wonder
from scoring.carcassonne.wonders.tiles import WonderLayout
from scoring.documents import DocumentError, parse_json
from scoring.errors import LabelError
from vision.enrolment.wonders import EnrolledWonders, load_wonders_in_force, read_wonder_files, refuse_damaged_wonders
from vision.errors import InputError

if TYPE_CHECKING:
    from scoring.carcassonne.play.game import Game

_RECORD_HEAD = "players "
"""Beginning of a record, which no notation shares."""
_ENDINGS = (".json", ".txt", ".board")

Wonders = Mapping[str, WonderLayout]


@dataclass(frozen=True)
class GivenBoard:
    """A board without a photo, its wonders marked, and the facts stated about its table.

    Reports and records of games include their rules and the points on the score track.
    """

    board: Board
    table: Table = field(default_factory=Table)
    rules: str = TODAY.name
    track: Mapping[str, int] = field(default_factory=dict)
    names: Mapping[str, str] = field(default_factory=dict)


def read_wonders(files: Iterable[Path]) -> Wonders:
    """Return the wonders' layouts in force, overridden by files; raises InputError or CatalogueError."""
    return {**load_wonders_in_force(), **read_wonder_files(files)}


def read_sent_wonders(entries: Iterable[Mapping[str, Any]], enrolled: EnrolledWonders | None = None) -> Wonders:
    """Return the wonders' layouts in force, overridden by entries as in wonder files; raises CatalogueError."""
    return {**load_wonders_in_force(enrolled), **index_wonders(map(restore_wonder, entries))}


def refuse_damaged_layouts(board: Board, wonders: Wonders, enrolled: EnrolledWonders | None = None) -> None:
    """Raise EnrolmentError `bad_enrolment` for a board with a wonder whose enrolment is damaged.

    `wonders` are the layouts in force; wonders with a layout of their own on the board are unaffected.
    """
    refuse_damaged_wonders((w.layout.id for w in board.wonders if is_shipped(w.layout)), wonders, enrolled)


def read_board(text: str, wonders: Wonders | None = None) -> Board:
    """Read a board from a file or a notation; raises InputError or ScoringError."""
    return read_given_board(text, wonders).board


def read_given_board(text: str, wonders: Wonders | None = None) -> GivenBoard:
    """Read a board from a file or a notation, with the table of a label; raises InputError or ScoringError.

    `wonders` are the layouts in force: raises EnrolmentError `bad_enrolment` for a board with a wonder whose enrolment
    is damaged.
    """
    path = Path(text)
    try:
        is_file = path.is_file()
    except OSError:  # longer than a file name can be
        is_file = False
    if not is_file and path.suffix in _ENDINGS:
        raise InputError("file_not_found", details={"file": text})
    given = _board_of(path, wonders) if is_file else GivenBoard(parse_notation(text, wonders))
    if wonders is not None:
        refuse_damaged_layouts(given.board, wonders)
    return given


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
        try:
            label = parse_label(text)
        except LabelError as error:
            raise LabelError(error.code, error.text, file=str(path)) from error
        return GivenBoard(*read_label_table(label).put_on(read_label(label, load_whole_catalogue(), wonders)))
    if text.startswith(_RECORD_HEAD):
        return build_record_board(replay_record(text, wonders))
    return GivenBoard(parse_notation(text, wonders))


def _board_of_report(report: Report, wonders: Wonders | None) -> GivenBoard:
    """Return the board of a report with all facts stated about its table."""
    board, rules = read_report_board(report, wonders), report.rules
    tiles = rules.tiles_in_play if rules.tiles_in_play != len(board.tiles) else None
    track = {colour: points for colour, points in report.scores.on_track.items() if points is not None}
    table = Table(tuple(rules.players), tiles, rules.goods, rules.player_count)
    return GivenBoard(board, table, rules.edition or TODAY.name, track, report.names)


def read_report(path: Path) -> Report | None:
    """Read the report in a file, None if it holds none; raises ReportError for a damaged report.

    Raises BoardError for a report with more squares than a board may have.
    """
    text = load_report_text(path)
    return None if text is None else parse_report_file(text, path)  # None: `read_board` reports the file's fault


def parse_report_file(text: str, path: Path) -> Report | None:
    """Parse the report in a file's text; raises as `read_report` does."""
    try:
        document = parse_json(text)
    except DocumentError:
        return None
    if not isinstance(document, dict) or "schema" not in document:
        return None
    try:
        report = Report.model_validate(document)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise ReportError("bad_report", details={"file": str(path), "field": where, "reason": first["msg"]}) from error
    if report.rules.edition and report.rules.edition not in RULESETS:
        details = {"file": str(path), "field": "rules.edition", "reason": f"no rule set {report.rules.edition!r}"}
        raise ReportError("bad_report", details=details)
    refuse_oversized_board(len(report.board.tiles))
    return report


def replay_record(text: str, wonders: Mapping[str, WonderLayout] | None = None) -> Game:
    """Replay the game of a record; raises RecordError."""
    from scoring.carcassonne.record.text import parse_record  # loads the play engine

    return parse_record(text, wonders).replay()


def build_record_board(game: Game) -> GivenBoard:
    """Build the last board of a replayed game.

    A record lists every player, the base games, every tile laid and all goods, so the table is fully known.
    """
    board, players = game.board(), game.setup.players
    boxes = {"base": games} if (games := game.setup.base_games) > 1 else {}
    board, table = Table(players, len(board.tiles), game.goods, len(players), boxes=boxes).put_on(board)
    return GivenBoard(board, table, game.setup.rules.name, game.scores)
