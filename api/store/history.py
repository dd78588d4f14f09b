"""The steps of a correction: a tree of which the reading points to one place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

ChangeKind = Literal["read", "failed", "corrected", "reset", "undone", "redone", "shared", "unshared"]
"""What is done to a reading."""


@dataclass(frozen=True, slots=True)
class Step:
    """Corrections made at once, upon those of `parent` (None: upon the reading); `reset` lets go of those before."""

    id: int
    parent: int | None
    reset: bool
    corrections: list[Any]


@dataclass(frozen=True, slots=True)
class ChangeRecord:
    """What was done to a reading, `made` in seconds since 1970, by `who` (empty: not told).

    `step` was made, taken back or brought back (None: none), with its `corrections`.
    """

    made: int
    who: str
    what: ChangeKind
    step: int | None
    corrections: list[Any]


@dataclass(frozen=True, slots=True)
class History:
    """All steps in the order they were made, and the one that counts (None: the reading as it was read)."""

    steps: Sequence[Step]
    at: int | None

    @property
    def corrections(self) -> list[Any]:
        """The corrections that count, in their order."""
        by_id = {step.id: step for step in self.steps}
        parts: list[list[Any]] = []
        step = by_id.get(self.at or 0)
        while step is not None and not step.reset:
            parts.append(step.corrections)
            step = by_id.get(step.parent or 0)
        return [correction for part in reversed(parts) for correction in part]

    @property
    def before(self) -> int | None:
        """Where undo leads, from a step."""
        return next((step.parent for step in self.steps if step.id == self.at), None)

    @property
    def after(self) -> int | None:
        """Where redo leads: the newest step made upon this one; None where there is none."""
        return max((step.id for step in self.steps if step.parent == self.at), default=None)

    @property
    def can_undo(self) -> bool:
        """Whether anything was done."""
        return self.at is not None

    @property
    def can_redo(self) -> bool:
        """Whether anything was undone."""
        return self.after is not None
