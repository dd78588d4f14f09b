"""Steps of correction: a tree, with the reading at one of its nodes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

ChangeKind = Literal["read", "failed", "corrected", "reset", "undone", "redone", "shared", "unshared"]
"""Kinds of changes of a reading."""


@dataclass(frozen=True, slots=True)
class Step:
    """Corrections made at once, on top of `parent` (None: of the reading); `reset` discards all earlier ones."""

    id: int
    parent: int | None
    reset: bool
    corrections: list[Any]


@dataclass(frozen=True, slots=True)
class ChangeRecord:
    """A change of a reading, `made` in seconds since 1970, by `who` (empty: unknown).

    `step` was made, undone or redone (None: none), with its `corrections`.
    """

    made: int
    who: str
    what: ChangeKind
    step: int | None
    corrections: list[Any]


@dataclass(frozen=True, slots=True)
class History:
    """All steps in the order they were made, and the current one (None: the reading as it was read)."""

    steps: Sequence[Step]
    at: int | None

    @property
    def corrections(self) -> list[Any]:
        """Corrections in force, in order."""
        by_id = {step.id: step for step in self.steps}
        parts: list[list[Any]] = []
        step = by_id.get(self.at or 0)
        while step is not None and not step.reset:
            parts.append(step.corrections)
            step = by_id.get(step.parent or 0)
        return [correction for part in reversed(parts) for correction in part]

    @property
    def before(self) -> int | None:
        """Step that undo leads to."""
        return next((step.parent for step in self.steps if step.id == self.at), None)

    @property
    def after(self) -> int | None:
        """Step that redo leads to: the newest child of the current step, None if it has none."""
        return max((step.id for step in self.steps if step.parent == self.at), default=None)

    @property
    def can_undo(self) -> bool:
        """Whether there is a step to undo."""
        return self.at is not None

    @property
    def can_redo(self) -> bool:
        """Whether there is a step to redo."""
        return self.after is not None
