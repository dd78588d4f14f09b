"""How sure a reading really is: chances that were found, made honest by how often they were right."""

from __future__ import annotations

SHRUNK = {"parts": 0.004, "discs": 0.004, "track": 0.004, "row": 0.004}
"""How often what seems certain is wrong, by kind."""


def honest(kind: str, chance: float) -> float:
    """The chance, with what no reading knows of itself."""
    off = SHRUNK[kind]
    return min(1.0, max(0.0, off / 2 + (1 - off) * chance))
