"""What is kept of a reading, of whatever game, and the report that it gives with corrections."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic_core import from_json

from api.corrections.commands import Correction, Review, build_review
from api.corrections.spot_review import TableReview, build_table_review
from api.games.games import CARCASSONNE
from api.report.schema import PhotoInfo, Report
from api.report.snapshot import Held
from api.report.spot_schema import SpotReport
from api.report.spot_snapshot import SCHEMA, HeldTable

Kept = Held | HeldTable


def parse_snapshot(document: Any) -> Kept:
    """What is kept, of a document as JSON has it; raises pydantic's ValidationError."""
    if isinstance(document, dict) and document.get("schema") == SCHEMA:
        return HeldTable.model_validate(document)
    return Held.model_validate(document)


def parse_snapshot_json(text: str) -> Kept:
    """The same of a JSON text: the inverse of `to_json`."""
    return parse_snapshot(from_json(text))


def review_snapshot(kept: Kept, corrections: Sequence[Correction] = ()) -> Review | TableReview:
    """What was read with what a person said of it; raises CorrectionError, TrackError, ScoringError."""
    return build_table_review(kept, corrections) if isinstance(kept, HeldTable) else build_review(kept, corrections)


def build_snapshot_report(kept: Kept, corrections: Sequence[Correction] = ()) -> Report | SpotReport:
    """The report of what was read, with corrections; raises as above."""
    return review_snapshot(kept, corrections).report


def list_snapshot_photos(kept: Kept) -> Sequence[PhotoInfo]:
    """The photos that were read, by their numbers in the report."""
    return kept.photos if isinstance(kept, HeldTable) else [view.photo for view in kept.views]


def get_snapshot_game(kept: Kept) -> str:
    """The game that was read."""
    return kept.game if isinstance(kept, HeldTable) else CARCASSONNE
