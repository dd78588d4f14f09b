"""Doubts about a table of spots that matter: alternative values of a spot that change a player's points."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from scoring.confidence import CONFIDENCE_SURE, compute_confidence, select_changes_to_review
from scoring.errors import BoardError
from scoring.player_colours import NOBODY
from scoring.spots.components import ComponentsError
from scoring.spots.game import Scored, Value
from scoring.spots.table import Settled, get_player, group_adjacent_spots, is_piece, rename_players

MIN_PROBABILITY = 0.002
"""Minimum probability of an alternative that is tried. A guess."""
MAX_ALTERNATIVES = 150
"""Maximum number of alternatives tried, most likely first. Bounds time: each is a scoring, and a map of 100 squares may
have many more.
"""
COLOURS_SUBJECT = "colours"
"""The single subject of all alternative colours of players, which are decided together."""
MAX_PROBABILITY_DIFFERENCE = 0.01
"""Maximum difference in probability between the squares of one alternative piece. A guess."""

Alternatives = Mapping[str, Sequence[tuple[Value, float]]]
"""Alternative values of spots, by their ids, with probabilities."""
Renames = Sequence[tuple[Mapping[str, str], float]]
"""Alternative colours of players, from the read colour to the other, with probabilities."""


@dataclass(frozen=True, slots=True)
class SpotChange:
    """An alternative value of a spot, or of several spots that form one thing, and the totals it would give.

    `parts` are the spots it covers: all of them together, or, if a piece is smaller than read, any one of several
    parts. `probability` is that of the most likely part. `totals` are None if the points are unknown, and `on_track` is
    each player's score before (see `Scored`). With a `player`, all spots belong to that player, and `instead` is the
    player's alternative colour; `names` then maps the colours of all players that change.
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
        """Return all spots of the change."""
        return tuple(spot for part in self.parts for spot in part)


@dataclass(frozen=True, slots=True)
class SpotDoubts:
    """Alternative values that change some player's points: `changes`, each taken alone, most likely first.

    `to_review` are those for the user to review. `confidence` is the probability that none holds; `unknown` are spots
    without a value that may matter.
    """

    changes: tuple[SpotChange, ...]
    to_review: tuple[SpotChange, ...]
    confidence: float
    unknown: tuple[str, ...]

    @property
    def doubtful(self) -> bool:
        """Return whether the user should be asked."""
        return self.confidence < CONFIDENCE_SURE or bool(self.unknown)


def assess_spot_doubts(table: Settled, scored: Scored, alternatives: Alternatives, renames: Renames = ()) -> SpotDoubts:
    """Return the alternatives, and the players' alternative colours, that matter, and the probability that none holds.

    `scored` is the table as read.
    """
    found = (*_find_changes(table, scored, alternatives), *_find_renames(table, scored, renames))
    changes = sorted(found, key=lambda change: -change.probability)

    def unchanged(some: Sequence[SpotChange]) -> float:
        return compute_confidence(
            (COLOURS_SUBJECT if change.player else table.piece(change.spots[0]), change.probability) for change in some
        )

    to_review = select_changes_to_review(changes, lambda change: change.probability, unchanged)
    return SpotDoubts(tuple(changes), to_review, unchanged(changes), tuple(scored.unknown))


def _find_changes(table: Settled, scored: Scored, alternatives: Alternatives) -> Iterator[SpotChange]:
    """Yield the changes that matter.

    Spots that form one thing are tried together, and in parts if that changes nothing.
    """
    questions = sorted(_list_questions(table, alternatives), key=lambda question: -question.probability)
    for question in questions[:MAX_ALTERNATIVES]:
        together = _find_change(table, scored, question)
        yield from (
            [together] if together else _merge_alike(_find_change(table, scored, part) for part in question.parts())
        )


def _find_renames(table: Settled, scored: Scored, renames: Renames) -> Iterator[SpotChange]:
    """Yield the alternative colours of players: these always move points to another player."""
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
    """Return whether there are players then, all of different colours that exist in the game."""
    renamed = [name for player in table.players if (name := names.get(player, player)) != NOBODY]
    return 0 < len({*renamed}) == len(renamed) and {*renamed} <= {*table.game.colours}


def _merge_alike(changes: Iterable[SpotChange | None]) -> list[SpotChange]:
    """Return the changes, merging those that give the same points."""
    distinct_changes: list[SpotChange] = []
    for change in filter(None, changes):
        for number, one in enumerate(distinct_changes):
            if (one.totals, one.on_track) == (change.totals, change.on_track):
                likely = max(one.probability, change.probability)
                distinct_changes[number] = replace(one, parts=(*one.parts, *change.parts), probability=likely)
                break
        else:
            distinct_changes.append(change)
    return distinct_changes


@dataclass(frozen=True, slots=True)
class _Question:
    """An alternative value, and its probability on each spot."""

    instead: Value
    likely: dict[str, float]

    @property
    def probability(self) -> float:
        return max(self.likely.values())

    def parts(self) -> Iterator[_Question]:
        """Yield questions about spots of equal probability, which belong to one alternative piece."""
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
    """Yield the alternatives as questions: one piece on adjacent squares is one question, however it was read.

    An empty value on all squares of a piece is one question as well.
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
    """Return the change caused by another value, if any; None if it contradicts the other spots."""
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
