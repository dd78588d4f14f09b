"""Photographers as the witnesses of a fit: each weighs nearly as much as any other, and judges numbers fitted without
it.

A photographer's tables share a printing, a set of pieces, a camera and habits, so thirty photos by one person are far
less evidence than thirty by different people. n cases of one photographer count as n / (1 + (n - 1) r) independent
ones, which are never more than 1 / r (Kish, 1965). The same holds for the cases of one drawn table; all drawn tables,
which share a renderer, count at most as much as all photographers together. A prior decides where that leaves few
cases.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

Case = TypeVar("Case")
Numbers = TypeVar("Numbers")

DRAWN = ""
"""The photographer of drawn tables."""
LIKENESS = 0.2
"""Correlation of two cases of one photographer. A guess: a photographer then counts as at most five cases, about as
many as a single table has."""


@dataclass(frozen=True, slots=True)
class CasesOfTable(Generic[Case]):
    """The cases of one table, such as its alternatives or its pieces, and who photographed it (`DRAWN`: nobody)."""

    photographer: str
    cases: tuple[Case, ...]


@dataclass(frozen=True, slots=True)
class Unseen:
    """The surprise of each photographer's cases, in nats per table, by numbers fitted on all other tables, and by the
    prior alone.
    """

    fitted: Mapping[str, float]
    prior: Mapping[str, float]

    @property
    def counts(self) -> dict[str, float]:
        """The data of a row (`fitted_on`): the number of photographers and both means over them."""
        if not self.fitted:
            return {}
        means = {
            f"{name}_nats": round(sum(nats.values()) / len(nats), 3)
            for name, nats in (("unseen", self.fitted), ("prior", self.prior))
        }
        return {"photographers": len(self.fitted), **means}

    def format_lines(self, name: str) -> Iterator[str]:
        """Yield a comment line for each photographer."""
        for photographer, nats in self.fitted.items():
            prior = self.prior[photographer]
            yield f"# {name} without {photographer}: {nats:.3f} nats a table of theirs, {prior:.3f} by the prior"


def weigh_cases(tables: Sequence[CasesOfTable[Case]]) -> tuple[list[Case], list[float]]:
    """Return the cases of all tables with their weights: those of one photographer or drawn table share a weight."""
    witnesses = [table.photographer or number for number, table in enumerate(tables)]
    counts = Counter[str | int]()
    for witness, table in zip(witnesses, tables, strict=True):
        counts[witness] += len(table.cases)
    totals = {witness: count / (1 + (count - 1) * LIKENESS) for witness, count in counts.items() if count}
    real, drawn = (sum(total for witness, total in totals.items() if isinstance(witness, kind)) for kind in (str, int))
    share_of_drawn = min(1.0, real / drawn) if real and drawn else 1.0
    cases, weights = list[Case](), list[float]()
    for witness, table in zip(witnesses, tables, strict=True):
        each = (
            totals.get(witness, 0.0) / max(counts[witness], 1) * (share_of_drawn if table.photographer == DRAWN else 1)
        )
        cases += table.cases
        weights += [each] * len(table.cases)
    return cases, weights


def judge_unseen(
    tables: Sequence[CasesOfTable[Case]],
    fit: Callable[[Sequence[Case], Sequence[float]], Numbers],
    measure: Callable[[Numbers, Sequence[Case]], float],
) -> Unseen:
    """Leave out each photographer with cases in turn, and measure the surprise of their cases by the other tables' fit.

    `fit` takes cases with their weights, and returns the prior's numbers if there are none; `measure` returns the nats
    of cases by such numbers.
    """
    prior = fit([], [])
    fitted_nats: dict[str, float] = {}
    prior_nats: dict[str, float] = {}
    for person in sorted({table.photographer for table in tables if table.cases} - {DRAWN}):
        theirs = [table for table in tables if table.photographer == person]
        numbers = fit(*weigh_cases([table for table in tables if table.photographer != person]))
        fitted_nats[person], prior_nats[person] = (
            sum(measure(some, table.cases) for table in theirs) / len(theirs) for some in (numbers, prior)
        )
    return Unseen(fitted_nats, prior_nats)
