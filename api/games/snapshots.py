"""Snapshots of readings of any game, and the reports they give with corrections."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic_core import from_json

from api.documents.corrections import Correction
from api.documents.forms import AnyReport, GameReview, GameSnapshot
from api.games.registry import find_game_of, find_game_or_default


def parse_snapshot(document: Any) -> GameSnapshot:
    """Parse a snapshot from a JSON document; raises pydantic's ValidationError."""
    name = document.get("game") if isinstance(document, dict) else None
    return find_game_or_default(name).parse_snapshot(document)


def parse_snapshot_json(text: str) -> GameSnapshot:
    """Parse a snapshot from JSON text; the inverse of `to_json`."""
    return parse_snapshot(from_json(text))


def review_snapshot(snapshot: GameSnapshot, corrections: Sequence[Correction] = ()) -> GameReview:
    """Review a snapshot with a person's corrections; raises CorrectionError, TrackError, ScoringError."""
    return find_game_of(snapshot).review(snapshot, corrections)


def build_snapshot_report(snapshot: GameSnapshot, corrections: Sequence[Correction] = ()) -> AnyReport:
    """Build the report of a snapshot with corrections; raises CorrectionError, TrackError, ScoringError."""
    return review_snapshot(snapshot, corrections).report
