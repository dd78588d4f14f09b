"""Common interface of the reports of all games, for tables, sheets and pages."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from api.documents.report import Entry, PhotoInfo

OPEN_CODES = frozenset(
    {"track_laps_unknown", "track_not_sure", "track_piece_missing", "track_too_many", "track_stranger"}
)
"""Problems of the score board that leave a player's points open."""


class GameProblem(Protocol):
    """A problem of a table."""

    @property
    def code(self) -> str: ...
    @property
    def text(self) -> str: ...
    @property
    def values(self) -> Mapping[str, int | str]: ...


class GameBoard(Protocol):
    """The problems of a table's board."""

    @property
    def problems(self) -> Sequence[GameProblem]: ...


class GameFeature(Protocol):
    """A scoring feature; `name` is its label, empty if that is its `id`."""

    @property
    def id(self) -> str: ...
    @property
    def name(self) -> str: ...


class GameScores(Protocol):
    """The points by player, with their entries."""

    @property
    def final_scoring(self) -> Mapping[str, int]: ...
    @property
    def on_track(self) -> Mapping[str, int | None]: ...
    @property
    def total(self) -> Mapping[str, int | None]: ...
    @property
    def entries(self) -> Sequence[Entry]: ...


class GameReport(Protocol):
    """The report of a table of any game; `names` are the players' names by colour."""

    @property
    def photo(self) -> PhotoInfo | None: ...
    @property
    def photos(self) -> Sequence[PhotoInfo]: ...
    @property
    def board(self) -> GameBoard: ...
    @property
    def scores(self) -> GameScores: ...
    @property
    def features(self) -> Sequence[GameFeature]: ...
    @property
    def names(self) -> Mapping[str, str]: ...


def list_feature_names(report: GameReport) -> dict[str, str]:
    """Return each feature's label by its id."""
    return {feature.id: feature.name or feature.id for feature in report.features}


def is_whole(report: GameReport) -> bool:
    """Return whether every player's total is known, without which the winner is unknown."""
    totals = report.scores.total
    return bool(totals) and None not in totals.values()


def is_track_open(report: GameReport) -> bool:
    """Return whether points are missing or rest on a guess, as with an unknown number of laps."""
    return not is_whole(report) or any(problem.code in OPEN_CODES for problem in report.board.problems)
