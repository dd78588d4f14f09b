"""Which doubts of a table of spots matter: other readings of a spot that change a player's points."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from scoring.confidence import CONFIDENCE_SURE, compute_confidence, select_changes_to_review
from scoring.errors import BoardError
from scoring.spots.components import ComponentsError
from scoring.spots.game import Scored, Value
from scoring.spots.table import Settled, get_player, group_adjacent_spots, is_piece, rename_players

MIN_PROBABILITY = 0.002
"""What is less probable is not tried."""
MAX_ALTERNATIVES = 150
"""Alternatives that are tried, the likeliest: a map of a hundred squares may have many more, and each is a scoring."""
COLOURS_SUBJECT = "colours"
"""The one subject of all other colours that players may have: they are decided together."""
MAX_PROBABILITY_DIFFERENCE = 0.01
"""Squares of one other piece differ by less."""

Alternatives = Mapping[str, Sequence[tuple[Value, float]]]
"""What else may lie on spots, by their ids, and how likely that is."""
Renames = Sequence[tuple[Mapping[str, str], float]]
"""What other colours some players may have, from the one that was read to the other, and how likely that is."""


@dataclass(frozen=True, slots=True)
class SpotChange:
    """Something else on a spot, or on several that are one thing, and the totals it would give.

    `parts` are the spots that it lies on together: all, or, where a piece reaches less far than it was read, one of
    several parts of it, whichever it is. `probability` is that of the likeliest, `totals` are None where no points are
    known for it, `on_track` is what each player had before then (see `Scored`). With a `player` that is who all of them
    belong to, and `instead` the colour that this player may have; then `names` are the colours that all players have
    instead, as far as they change.
    """

    parts: tuple[tuple[str, ...], ...]
    instead: Value
    probability: float
    totals: Mapping[str, int] | None
    player: str | None = None
    names: Mapping[str, str] = field(default_factory=dict)
    on_track: Mapping[str, int | None] = field(default_factory=dict)

    @property
    def spots(self) -> tuple[str, ...]:
        """All that it is about."""
        return tuple(spot for part in self.parts for spot in part)


@dataclass(frozen=True, slots=True)
class SpotDoubts:
    """What may be otherwise and change some player's points: `changes`, each taken alone, the likeliest first.

    `to_review` are those that a person should look at. `confidence` is how likely none of them is so; `unknown` are
    spots that nobody knows and that may matter.
    """

    changes: tuple[SpotChange, ...]
    to_review: tuple[SpotChange, ...]
    confidence: float
    unknown: tuple[str, ...]

    @property
    def doubtful(self) -> bool:
        """Whether a person should be asked."""
        return self.confidence < CONFIDENCE_SURE or bool(self.unknown)


def assess_spot_doubts(table: Settled, scored: Scored, alternatives: Alternatives, renames: Renames = ()) -> SpotDoubts:
    """Return which of the alternatives, and of the players' other colours, matter, and how likely none of them is so.

    `scored` is the table as it is read.
    """
    found = (*_find_changes(table, scored, alternatives), *_find_renames(table, scored, renames))
    changes = sorted(found, key=lambda change: -change.probability)

    def unchanged(some: Sequence[SpotChange]) -> float:
        return compute_confidence((_find_subject(table, change), change.probability) for change in some)

    to_review = select_changes_to_review(changes, lambda change: change.probability, unchanged)
    return SpotDoubts(tuple(changes), to_review, unchanged(changes), tuple(scored.unknown))


def _find_changes(table: Settled, scored: Scored, alternatives: Alternatives) -> Iterator[SpotChange]:
    """Yield the changes that matter.

    Spots that are one thing are tried together, and in parts where that changes nothing.
    """
    questions = sorted(_list_questions(table, alternatives), key=lambda question: -question.probability)
    for question in questions[:MAX_ALTERNATIVES]:
        together = _find_change(table, scored, question)
        yield from (
            [together] if together else _merge_alike(_find_change(table, scored, part) for part in question.parts())
        )


def _find_subject(table: Settled, change: SpotChange) -> Hashable:
    """What a change is about: those of one subject rule each other out."""
    return COLOURS_SUBJECT if change.player else table.piece(change.spots[0])


def _find_renames(table: Settled, scored: Scored, renames: Renames) -> Iterator[SpotChange]:
    """Yield the other colours that players may have: always another player has the points then."""
    for names, probability in renames:
        player = next((player for player in table.players if player in names), None)
        if player is None or probability < MIN_PROBABILITY or not _is_possible(table, names):
            continue
        spots = tuple(spot.id for spot in table.spots if get_player(spot) == player and table.laid.get(spot.id))
        try:
            other = rename_players(table, names).scored_with({})
        except BoardError:
            continue
        except ComponentsError:
            other = None
        if spots:
            totals, on_track = (None, {}) if other is None else (dict(other.totals), dict(other.on_track))
            yield SpotChange((spots,), names[player], probability, totals, player, dict(names), on_track)


def _is_possible(table: Settled, names: Mapping[str, str]) -> bool:
    """Whether all players have colours of their own then, as the game has them."""
    renamed = [names.get(player, player) for player in table.players]
    return len({*renamed}) == len(renamed) and {*renamed} <= {*table.game.colours}


def _merge_alike(changes: Iterable[SpotChange | None]) -> Iterator[SpotChange]:
    """The changes that bring the same points as one."""
    distinct_changes: list[SpotChange] = []
    for change in changes:
        if change is None:
            continue
        alike = next((previous for previous in distinct_changes if _bring_the_same(previous, change)), None)
        if alike is None:
            distinct_changes.append(change)
        else:
            likely = max(alike.probability, change.probability)
            distinct_changes[distinct_changes.index(alike)] = replace(
                alike, parts=(*alike.parts, *change.parts), probability=likely
            )
    yield from distinct_changes


def _bring_the_same(one: SpotChange, other: SpotChange) -> bool:
    return (one.totals, one.on_track) == (other.totals, other.on_track)


@dataclass(frozen=True, slots=True)
class _Question:
    """Something else, and how likely it is on each of the spots that it may lie on."""

    instead: Value
    likely: dict[str, float]

    @property
    def probability(self) -> float:
        return max(self.likely.values())

    def parts(self) -> Iterator[_Question]:
        """Yield questions about spots that are equally likely: they are of one and the same other piece."""
        if len(self.likely) == 1:
            return
        part: dict[str, float] = {}
        for id, probability in sorted(self.likely.items(), key=lambda pair: -pair[1]):
            if part and min(part.values()) - probability > MAX_PROBABILITY_DIFFERENCE:
                yield _Question(self.instead, part)
                part = {}
            part[id] = probability
        if len(part) < len(self.likely):
            yield _Question(self.instead, part)
        else:
            yield from (_Question(self.instead, {id: probability}) for id, probability in self.likely.items())


def _list_questions(table: Settled, alternatives: Alternatives) -> Iterator[_Question]:
    """What may be otherwise: one and the same piece on squares side by side is one question, read as one piece or not.

    Nothing on all squares of a piece is one as well.
    """
    spots = {spot.id: spot for spot in table.spots}
    probabilities: dict[tuple[tuple[str, ...], Value], dict[str, float]] = defaultdict(dict)
    for id, others in alternatives.items():
        for value, probability in others:
            if id in spots and probability >= MIN_PROBABILITY and table.laid.get(id) != value:
                piece = table.piece(id)
                together = piece if len(piece) > 1 else () if is_piece(value) else (id,)
                probabilities[together, value][id] = probability
    for (_, value), likely in probabilities.items():
        for ids in group_adjacent_spots([spots[id] for id in likely]):
            yield _Question(value, {id: likely[id] for id in ids})


def _find_change(table: Settled, scored: Scored, question: _Question) -> SpotChange | None:
    """The change that another value makes, if any; none where it cannot lie there beside all else."""
    spots, value, probability = tuple(question.likely), question.instead, question.probability
    try:
        other = table.scored_with(dict.fromkeys(spots, value))
    except BoardError:
        return None
    except ComponentsError:
        return SpotChange((spots,), value, probability, None)
    if _drop_zeros(other) == _drop_zeros(scored) and not set(other.unknown) - set(scored.unknown):
        return None
    return SpotChange((spots,), value, probability, dict(other.totals), on_track=dict(other.on_track))


def _drop_zeros(scored: Scored) -> tuple[dict[str, int], dict[str, int | None]]:
    return {player: points for player, points in scored.totals.items() if points}, dict(scored.on_track)
