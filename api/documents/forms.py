"""The documents of any game: with tiles or with spots, as a report's `game` determines, and a game's own ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Protocol, Self

from pydantic import Discriminator, Tag, TypeAdapter

from api.documents.explanation import Explanation, SpotExplanation
from api.documents.question import Question, SpotQuestion
from api.documents.report import DEFAULT_GAME, PhotoInfo, Report, SetAside
from api.documents.spot_report import SpotReport

OPEN_CODES = frozenset(
    {"track_laps_unknown", "track_not_sure", "track_piece_missing", "track_too_many", "track_stranger"}
)
"""Problems of the score board that leave a player's points open."""


def _find_form(document: Any) -> str:
    game = document.get("game", DEFAULT_GAME) if isinstance(document, dict) else getattr(document, "game", None)
    return "tiles" if game == DEFAULT_GAME else "spots"


AnyReport = Annotated[
    Annotated[Report, Tag("tiles")] | Annotated[SpotReport, Tag("spots")],
    Discriminator(_find_form),
]
"""Carcassonne's report, or that of a game of spots."""
AnyQuestions = list[Question] | list[SpotQuestion]
AnyExplanation = Explanation | SpotExplanation
_REPORTS: TypeAdapter[Report | SpotReport] = TypeAdapter(AnyReport)


class GameSnapshot(Protocol):
    """A reading as stored: enough to score it anew without its photos; only the game itself looks into it."""

    @property
    def game(self) -> str: ...
    @property
    def photos(self) -> Sequence[PhotoInfo]: ...
    @property
    def set_aside(self) -> Sequence[SetAside]: ...

    def model_copy(self, *, update: Mapping[str, Any] | None = None) -> Self:
        """Return a copy with some fields replaced."""

    def to_json(self) -> str:
        """Return one line of JSON, which the game parses again."""


class GameReview(Protocol):
    """A reading with a person's corrections, the report they give, and the `state` after the last of them."""

    @property
    def report(self) -> AnyReport: ...
    @property
    def state(self) -> object: ...


def parse_report(document: Any) -> AnyReport:
    """Parse a report from a JSON document; raises pydantic's ValidationError."""
    return _REPORTS.validate_python(document)


def parse_report_json(text: str) -> AnyReport:
    """Parse a report from JSON text; the inverse of `to_json`; raises pydantic's ValidationError."""
    return _REPORTS.validate_json(text)


def list_feature_names(report: AnyReport) -> dict[str, str]:
    """Return each feature's label by its id."""
    return {feature.id: feature.name or feature.id for feature in report.features}


def is_whole(report: AnyReport) -> bool:
    """Return whether every player's total is known, without which the winner is unknown."""
    totals = report.scores.total
    return bool(totals) and None not in totals.values()


def is_track_open(report: AnyReport) -> bool:
    """Return whether points are missing or rest on a guess, as with an unknown number of laps."""
    return not is_whole(report) or any(problem.code in OPEN_CODES for problem in report.board.problems)
