"""Reports of whatever game: which of the two forms a document has, its `game` tells."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Discriminator, Tag, TypeAdapter

from api.games.registry import DEFAULT_GAME
from api.games.spots.schema import SpotReport
from api.report.schema import Assumed, Report


def _form(document: Any) -> str:
    game = document.get("game", DEFAULT_GAME) if isinstance(document, dict) else getattr(document, "game", None)
    return "tiles" if game == DEFAULT_GAME else "spots"


AnyReport = Annotated[
    Annotated[Report, Tag("tiles")] | Annotated[SpotReport, Tag("spots")],
    Discriminator(_form),
]
"""Carcassonne's report, or that of a game of spots."""
_REPORTS: TypeAdapter[Report | SpotReport] = TypeAdapter(AnyReport)


def parse_report(document: Any) -> Report | SpotReport:
    """Parse the report of a document as JSON has it; raises pydantic's ValidationError."""
    return _REPORTS.validate_python(document)


def parse_report_json(text: str) -> Report | SpotReport:
    """Parse the report of a JSON text: the inverse of `to_json`; raises pydantic's ValidationError."""
    return _REPORTS.validate_json(text)


def list_assumptions(report: Report | SpotReport) -> list[Assumed]:
    """List what a report took for granted, where another number would give other points; none is of a game of spots."""
    return report.scores.assumed if isinstance(report, Report) else []


def list_box_choices(report: Report | SpotReport) -> dict[str, bool]:
    """List of which boxes a report says whether their own rules were played; a game of spots has none."""
    return report.rules.box_rules if isinstance(report, Report) else {}
