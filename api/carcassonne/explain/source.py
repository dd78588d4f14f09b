"""Source of an explanation (a report, a board, a label file or a photo), and the subjects of a question on it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from pathlib import Path

from api.carcassonne.report.board import read_report_board
from api.carcassonne.report.builder import build_board_report, build_report_problem
from api.carcassonne.report.score_track import check_track_colours
from api.documents.forms import OPEN_CODES
from api.documents.report import Problem, Report
from api.documents.table_options import NamedSquare, Question
from api.errors import QuestionError
from api.i18n import fold_name, list_names
from api.inputs.boards import Wonders, read_given_board, read_report
from api.inputs.photos import find_report_photo, is_picture
from api.inputs.subjects import find_players, list_known_features, refuse_empty_name
from api.inputs.table_words import check_table
from scoring.carcassonne.board.board import Board
from scoring.carcassonne.board.features import Feature, FeatureMap
from scoring.carcassonne.board.problems import find_problems
from scoring.carcassonne.board.square_names import find_numbered_square
from scoring.carcassonne.final.rulesets import TODAY, Ruleset, get_ruleset
from scoring.carcassonne.final.table import Table
from scoring.carcassonne.tiles.geometry import Square
from scoring.carcassonne.wonders.tiles import WONDERS
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
    problems = find_problems(source.board, table.tiles_in_play, table.player_count)
    return [build_report_problem(problem, source.board) for problem in problems]


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


@dataclass(frozen=True)
class Answer:
    """A question resolved on a board: features in the board's order, squares to describe, players, and the lines.

    `whole` is set if nothing in particular was asked.
    """

    features: tuple[Feature, ...]
    squares: tuple[Square, ...]
    players: tuple[str, ...]
    lines: bool
    whole: bool = False


def resolve_question(question: Question, board: Board, found: FeatureMap, players: tuple[str, ...]) -> Answer:
    """Look up the subjects of a question; raises QuestionError for any that do not exist."""
    if question.is_open:
        return Answer(tuple(found), (), players, lines=True, whole=True)
    chosen = {_find_feature(name, found).id for name in question.features}
    places = [(kind, _find_square(place, board)) for kind, place in question.places]
    for kind, square in places:
        chosen |= {feature.id for feature in _there(kind, square, board, found)}
    named = find_players(question.players, players)
    squares = tuple(dict.fromkeys(square for kind, square in places if kind is None))
    features = tuple(feature for feature in found if feature.id in chosen)
    return Answer(features, squares, named, question.lines)


def _find_square(place: Square | NamedSquare, board: Board) -> Square:
    return find_numbered_square(place, board.origin) if isinstance(place, NamedSquare) else place


def _find_feature(name: str, features: FeatureMap) -> Feature:
    """Find a feature by its label, its running number or, for a wonder, its name in any language."""
    wonders = {fold_name(title): (title, wonder) for title, wonder in _name_wonders(features)}
    if (feature := features.find(name)) is not None:
        return feature
    if (folded := fold_name(name)) in wonders:
        return wonders[folded][1]
    labels = [feature.label for feature in features]
    refuse_empty_name("no_such_feature", "feature", name, labels)
    if meant := get_close_matches(folded, wonders, 1):
        titles = [wonder.name for wonder in dict.fromkeys(wonder for _, wonder in wonders.values())]
        raise QuestionError(
            "no_such_feature", details=list_known_features(name, titles) | {"meant": wonders[meant[0]][0]}
        )
    if absent := next(
        (title for id, title in WONDERS.items() if folded in map(fold_name, list_names("wonder", id))), ""
    ):
        raise QuestionError("no_such_feature", f"No {absent} lies on this board.", list_known_features(name, labels))
    alike = [label for label in labels if label[0] == name.strip()[:1].upper()]
    raise QuestionError("no_such_feature", details=describe_unknown_feature(name, alike or labels))


def _name_wonders(features: FeatureMap) -> Iterator[tuple[str, Feature]]:
    """Yield the name of each wonder in each language."""
    for feature in features:
        if feature.kind == "wonder":
            yield from ((title, feature) for title in list_names("wonder", feature.placements[0].tile))


def describe_unknown_feature(name: str, known: Sequence[str]) -> dict[str, object]:
    """Return the details of an error about an unknown feature: the closest match, and some known features."""
    word, by_word = name.strip().upper(), {label.upper(): label for label in known}
    alike = [other for other in by_word if other.startswith(word)] or get_close_matches(word, list(by_word), 1)
    return list_known_features(name, known) | ({"meant": by_word[alike[0]]} if alike else {})


def _there(kind: str | None, square: Square, board: Board, feature_map: FeatureMap) -> list[Feature]:
    """Return the features of a kind that have a part on a square."""
    there = [feature for feature in feature_map.on(square) if kind in (None, feature.kind)]
    if not there and (kind is not None or square not in board.tiles):
        where = {"square": list(square), "where": board.name_square(square)}
        raise QuestionError("nothing_there", details={"kind": kind or "tile", **where})
    return there
