"""How sure a reading really is: chances that were found, less what no reading knows of itself."""

from __future__ import annotations

AMISS = {"parts": 0.003, "discs": 0.003, "track": 0.003, "row": 0.003}
"""How often what seems certain is wrong all the same, by kind."""


def honest(kind: str, chance: float) -> float:
    """The chance as it is told."""
    return (1 - AMISS[kind]) * chance
