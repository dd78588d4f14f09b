"""What is kept of a reading, of whatever game, and the report that it gives with corrections."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic_core import from_json

from api.corrections.commands import Correction
from api.games.forms import AnyReview, AnySnapshot
from api.games.registry import find_game_of, find_game_or_default
from api.games.reports import AnyReport


def parse_snapshot(document: Any) -> AnySnapshot:
    """Parse the snapshot of a document as JSON has it; raises pydantic's ValidationError."""
    name = document.get("game") if isinstance(document, dict) else None
    return find_game_or_default(name).parse_snapshot(document)


def parse_snapshot_json(text: str) -> AnySnapshot:
    """Parse the snapshot of a JSON text: the inverse of `to_json`."""
    return parse_snapshot(from_json(text))


def review_snapshot(snapshot: AnySnapshot, corrections: Sequence[Correction] = ()) -> AnyReview:
    """Review what was read with what a person said of it; raises CorrectionError, TrackError, ScoringError."""
    return find_game_of(snapshot).review(snapshot, corrections)


def build_snapshot_report(snapshot: AnySnapshot, corrections: Sequence[Correction] = ()) -> AnyReport:
    """Build the report of what was read, with corrections; raises CorrectionError, TrackError, ScoringError."""
    return review_snapshot(snapshot, corrections).report
