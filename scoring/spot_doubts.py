"""Which doubts of a table of spots matter: other readings of a spot that change a player's points."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from scoring.components import ComponentsError
from scoring.doubting import CONFIDENCE_SURE, none_is_so
from scoring.errors import BoardError
from scoring.spot_table import Settled
from scoring.spots import Scored, Value

PROBABLE_LEAST = 0.002
"""What is less probable is not tried."""
TOLD_LEAST = 0.03
"""Less likely doubts are told only where there are no others: then it is their number that makes a reading doubtful."""
TRIED_MOST = 150
"""Alternatives that are tried, the likeliest: a map of a hundred squares may have many more, and each is a scoring."""

Alternatives = Mapping[str, Sequence[tuple[Value, float]]]
"""What else may lie on spots, by their ids, and how likely that is."""


@dataclass(frozen=True, slots=True)
class SpotChange:
    """Something else on a spot that matters, and the totals it would give; None where no points are known for it."""

    spot: str
    instead: Value
    probability: float
    totals: Mapping[str, int] | None


@dataclass(frozen=True, slots=True)
class SpotDoubts:
    """What may be otherwise and change some player's points: `changes`, each taken alone, the likeliest first.

    `confidence` is how likely none of them is so; `unknown` are spots that nobody knows and that may matter.
    """

    changes: tuple[SpotChange, ...]
    confidence: float
    unknown: tuple[str, ...]

    @property
    def doubtful(self) -> bool:
        """Whether a person should be asked."""
        return self.confidence < CONFIDENCE_SURE or bool(self.unknown)

    @property
    def told(self) -> tuple[SpotChange, ...]:
        """The changes that a person should look at: none where it is likely enough that none of them is so."""
        if self.confidence >= CONFIDENCE_SURE:
            return ()
        return tuple(own for own in self.changes if own.probability >= TOLD_LEAST) or self.changes


def spot_doubts(table: Settled, scored: Scored, alternatives: Alternatives) -> SpotDoubts:
    """Which of the alternatives matter, and how likely none of them is so; `scored` is the table as it is read."""
    changes = sorted(_changes(table, scored, alternatives), key=lambda change: -change.probability)
    confidence = none_is_so((change.spot, change.probability) for change in changes)
    return SpotDoubts(tuple(changes), confidence, tuple(scored.unknown))


def _changes(table: Settled, scored: Scored, alternatives: Alternatives) -> Iterator[SpotChange]:
    known = {spot.id for spot in table.spots}
    probable = [
        (probability, spot, value)
        for spot, others in alternatives.items()
        for value, probability in others
        if spot in known and probability >= PROBABLE_LEAST and table.laid.get(spot) != value
    ]
    for probability, spot, value in sorted(probable, key=lambda own: -own[0])[:TRIED_MOST]:
        yield from _change(table, scored, spot, value, probability)


def _change(table: Settled, scored: Scored, spot: str, value: Value, probability: float) -> Iterator[SpotChange]:
    """The change that another value makes, if any; none where it cannot lie there beside all else."""
    try:
        other = table.scored_with({spot: value})
    except BoardError:
        return
    except ComponentsError:
        yield SpotChange(spot, value, probability, None)
        return
    if _points(other) != _points(scored) or set(other.unknown) - set(scored.unknown):
        yield SpotChange(spot, value, probability, dict(other.totals))


def _points(scored: Scored) -> tuple[dict[str, int], dict[str, int | None]]:
    return {player: points for player, points in scored.totals.items() if points}, dict(scored.on_track)
