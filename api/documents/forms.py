"""The two forms of documents, with tiles or with spots: a report's `game` determines which of them it has."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Discriminator, Tag, TypeAdapter

from api.documents.explanation import Explanation
from api.documents.question import Question
from api.documents.report import DEFAULT_GAME, Assumed, Report
from api.documents.spot_explanation import SpotExplanation
from api.documents.spot_question import SpotQuestion
from api.documents.spot_report import SpotReport


def _form(document: Any) -> str:
    game = document.get("game", DEFAULT_GAME) if isinstance(document, dict) else getattr(document, "game", None)
    return "tiles" if game == DEFAULT_GAME else "spots"


AnyReport = Annotated[
    Annotated[Report, Tag("tiles")] | Annotated[SpotReport, Tag("spots")],
    Discriminator(_form),
]
"""Carcassonne's report, or that of a game of spots."""
AnyQuestions = list[Question] | list[SpotQuestion]
AnyExplanation = Explanation | SpotExplanation
_REPORTS: TypeAdapter[Report | SpotReport] = TypeAdapter(AnyReport)


def parse_report(document: Any) -> Report | SpotReport:
    """Parse a report from a JSON document; raises pydantic's ValidationError."""
    return _REPORTS.validate_python(document)


def parse_report_json(text: str) -> Report | SpotReport:
    """Parse a report from JSON text; the inverse of `to_json`; raises pydantic's ValidationError."""
    return _REPORTS.validate_json(text)


def list_assumptions(report: Report | SpotReport) -> list[Assumed]:
    """List the assumptions of a report; empty for a game of spots."""
    return report.scores.assumed if isinstance(report, Report) else []


def list_box_choices(report: Report | SpotReport) -> dict[str, bool]:
    """Return the stated choices on boxes' own rules in a report; empty for a game of spots."""
    return report.rules.box_rules if isinstance(report, Report) else {}
