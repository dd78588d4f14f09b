"""Sources of an explanation: a report, a board, a label file or a photo, converted to one form."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from api.carcassonne.report.board import read_report_board
from api.carcassonne.report.builder import build_board_report, build_report_problem
from api.carcassonne.report.score_track import check_track_colours
from api.documents.game_report import OPEN_CODES
from api.documents.report import Problem, Report
from api.inputs.boards import Wonders, read_given_board
from api.inputs.photos import find_report_photo, is_picture
from api.inputs.report_files import read_report
from api.inputs.table_words import check_table
from scoring.carcassonne.board.board import Board
from scoring.carcassonne.board.problems import find_problems
from scoring.carcassonne.final.rulesets import TODAY, Ruleset, get_ruleset
from scoring.carcassonne.final.table import Table
from vision.enrolment.wonders import load_wonders_in_force
from vision.photo.decoding import Photo


@dataclass(frozen=True)
class Source:
    """A board with its report and the rules to score by, and the photo if available.

    `said` are facts stated about the table; `as_read` is then the source without them. `typed` are points on the score
    track stated beside it.
    """

    board: Board
    report: Report
    rules: Ruleset
    photo: Photo | None = None
    said: Table = field(default_factory=Table)
    as_read: Source | None = None
    typed: Mapping[str, int] = field(default_factory=dict)

    @classmethod
    def from_report(
        cls, report: Report, rules: Ruleset | None = None, photo: Photo | None = None, wonders: Wonders | None = None
    ) -> Source:
        """Build the source of a report, by the report's own rules unless others are given.

        `wonders` are layouts by id that override those of the report and the catalogue. Raises NotationError,
        TableError, and ReportError for a layout of the report that cannot be read.
        """
        rules = rules or (get_ruleset(report.rules.edition) if report.rules.edition else TODAY)
        source = cls(read_report_board(report, wonders), report, rules, photo)
        check_table(source.board, source.table)
        return source

    @property
    def on_track(self) -> Mapping[str, int | None]:
        """Points on the score track by player, as typed or as in the report; None if unknown."""
        return {**self.report.scores.on_track, **self.typed}

    def type_track(self, points: Mapping[str, int]) -> Source:
        """Return the source with typed points on the score track; raises TrackError for an unknown colour."""
        check_track_colours(points, self.report)
        return replace(self, typed={**self.typed, **points})

    @property
    def table(self) -> Table:
        """The players, the numbers of tiles and players, and the goods, as in the report and as stated."""
        rules = self.report.rules
        players = tuple(player for player in rules.players if self._is_known_to_play(player))
        return Table(players, rules.tiles_in_play, rules.goods, rules.player_count).override(self.said)

    def _is_known_to_play(self, player: str) -> bool:
        """Return whether a player of the report plays, even if none of their pieces is on the board as corrected."""
        if self.as_read is None or player not in self.as_read.board.players:
            return True
        return self.report.scores.on_track.get(player) is not None

    @property
    def problems(self) -> list[Problem]:
        """Problems of the report, updated by the facts stated about the table and the score track."""
        listed = [problem for problem in self.report.board.problems if not self._is_answered(problem)]
        if self.as_read is None:
            return listed
        before, now = (_find_board_problems(source) for source in (self.as_read, self))
        return [*now, *(problem for problem in listed if problem not in before)]

    def _is_answered(self, problem: Problem) -> bool:
        """Return whether a problem asks for points on the score track that were typed."""
        return problem.code in OPEN_CODES and problem.values.get("player") in self.typed

    def apply_table(self, table: Table) -> Source:
        """Return the source with facts stated about its table; raises TableError for impossible ones."""
        if table == Table():
            return self
        check_table(self.board, table)
        board, rest = table.put_on(self.board)
        return replace(self, board=board, said=rest, as_read=self)


def _find_board_problems(source: Source) -> list[Problem]:
    table = source.table
    problems = find_problems(source.board, table.tiles_in_play, table.player_count, table.base_games)
    return [build_report_problem(problem) for problem in problems]


def read_source(
    text: str,
    rules: str | None,
    photo: Path | None,
    read_photo: Callable[[Path, Ruleset], tuple[Photo, Report]],
    wonders: Wonders | None = None,
    table: Table | None = None,
) -> Source:
    """Read the source named by an argument: a file or a notation.

    `rules` names a rule set; None stands for that of the report. `photo` is the path of a report's photo; by default it
    is looked for beside the report. `wonders` are layouts by id that override the catalogue. `table` holds facts stated
    about the table of a report or a board; `read_photo` has to apply them itself. Raises WondertallyError,
    ScoringError.
    """
    facts = table or Table()
    chosen = None if rules is None else get_ruleset(rules)
    path = Path(text)
    if is_picture(path):
        pixels, report = read_photo(path, chosen or TODAY)
        return Source.from_report(report, chosen or TODAY, pixels)
    if (file_report := read_report(path)) is not None:
        source = Source.from_report(file_report, chosen, wonders=wonders)
        return replace(source, photo=find_report_photo(file_report, path, photo)).apply_table(facts)
    given = read_given_board(text, {**load_wonders_in_force(), **(wonders or {})})
    check_table(given.board, given.table)
    report = build_board_report(given.board, chosen or TODAY, given.table)
    return Source(given.board, report, chosen or TODAY).apply_table(facts)
