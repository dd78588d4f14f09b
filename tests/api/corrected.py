"""The report of a reading as corrected, for tests that need no more of its review."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from api.carcassonne.corrections.apply import build_review
from api.carcassonne.report.snapshot import Snapshot
from api.documents.corrections import CORRECTIONS, Correction
from api.documents.report import Report


def build_corrected_report(snapshot: Snapshot, corrections: Sequence[Correction] = ()) -> Report:
    """Build the report of a reading with a person's corrections, in their order."""
    return build_review(snapshot, corrections).report


def said(*documents: dict[str, Any]) -> list[Correction]:
    return CORRECTIONS.validate_python(list(documents))
