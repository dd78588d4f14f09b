"""What the reading of one photo of a table of spots got right and wrong, whatever the game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from scoring.confidence import CONFIDENCE_SURE
from scoring.errors import BoardError
from scoring.spots.doubts import assess_spot_doubts
from scoring.spots.game import Area, Game, Laid, Scored, Spot, Value
from scoring.spots.table import Settled, repaint_components, settle_table
from scoring.spots.text import SpotLabel
from vision.evaluation.interview import Interview
from vision.evaluation.reliability import Said
from vision.printed.reading import SpotReading, TableReading

Tally = Mapping[str, tuple[int, int]]
"""How many are right, of how many, by their kind."""


@dataclass(frozen=True, slots=True)
class TableVerdict:
    """One photo; `error` is the code where it could not be read.

    `spots` are those that a photo shows, `areas` what scores on the true table: an area is right where the reading has
    one of its kind, spots, size and players. Of `groups` (the same areas) all spots are read right, `groups_amiss` are
    those that are not though no spot of theirs is marked doubtful, and of `boards` (one a kind and photo) all areas are
    right and none is invented. `figures` are what the game itself counts. `invented` spots are of players that nobody
    is. A spot that the photo hides, and where nothing lies, as was read, counts for nothing, nor does such an area: it
    tells nothing of the reading. `final_sure` says that no doubt of the reading can change the points, `right_after`
    whether they are right after 0, 1, 2, ... answers of who knows the table (() where nobody was asked), and `settled`
    whether nothing was doubtful then. `said` is what the reading says of spots, by kind, and of the final scoring, held
    against the truth.
    """

    photo: str
    about: Mapping[str, Any]
    error: str = ""
    spots: Tally = field(default_factory=dict)
    areas: Tally = field(default_factory=dict)
    groups: Tally = field(default_factory=dict)
    groups_amiss: Tally = field(default_factory=dict)
    boards: Tally = field(default_factory=dict)
    figures: Tally = field(default_factory=dict)
    invented: int = 0
    wrong: tuple[str, ...] = ()
    final_true: Mapping[str, int] = field(default_factory=dict)
    final_read: Mapping[str, int] = field(default_factory=dict)
    final_exact: bool = False
    final_sure: bool = False
    right_after: tuple[bool, ...] = ()
    settled: bool = False
    total_exact: bool = False
    final_confidence: float | None = None
    times_ms: Mapping[str, float] = field(default_factory=dict)
    said: Mapping[str, Sequence[Said]] = field(default_factory=dict, repr=False)

    def is_right_after(self, answers: int) -> bool:
        """Return whether the points are right after so many answers."""
        return bool(self.right_after) and self.right_after[min(answers, len(self.right_after) - 1)]

    @property
    def answers(self) -> int:
        """How many questions were answered."""
        return max(len(self.right_after) - 1, 0)

    @property
    def final_answered(self) -> bool:
        """Whether the points are right once all questions are answered."""
        return self.is_right_after(self.answers)

    @property
    def final_sure_wrong(self) -> bool:
        """Wrong points without a doubt."""
        return self.final_sure and not self.final_exact

    @property
    def total_sure_wrong(self) -> bool:
        """Wrong points with what was on the track, without a doubt."""
        return self.final_sure and not self.total_exact


@dataclass(frozen=True, slots=True, eq=False)
class Truth:
    """The true table of a photo, with what no photo shows."""

    label: SpotLabel
    table: Settled
    scored: Scored

    @classmethod
    def of(cls, label: SpotLabel, game: Game, components: Any) -> Truth:
        """The truth of a label; raises BoardError, ComponentsError. Of what it does not tell, nothing is there."""
        players = _order_players(game, label.table.players)
        typed = _fill_typed_values(game.spots(components, players, label.table.laid), label.table.laid)
        table = settle_table(game, components, players, {**typed, **label.table.laid})
        return cls(label, table, table.scored())

    @property
    def shown(self) -> dict[str, Spot]:
        """The spots whose value is known and that a photo shows."""
        return {spot.id: spot for spot in self.table.spots if not spot.typed and spot.id in self.table.laid}


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """What a game counts by itself: the truth, what was read of each spot and scores, and what is marked doubtful."""

    truth: Truth
    spots: Mapping[str, SpotReading] = field(default_factory=dict)
    areas: tuple[Area, ...] = ()
    doubtful: frozenset[str] = frozenset()


Figures = Callable[[Judged], Tally]
TableInterviewer = Callable[[TableReading, Truth], Interview]
"""Asks the questions of a reading, the most important one first, and answers each from the label until none is left."""


def count_nothing(judged: Judged) -> Tally:
    """Return the empty figures of a game that counts nothing beside spots and areas."""
    return {}


def judge_unread(truth: Truth, error: str, figures: Figures = count_nothing) -> TableVerdict:
    """Return the verdict on a photo that could not be read: all is missed."""
    kinds = Counter(spot.kind for spot in truth.shown.values())
    areas = Counter(area.kind for area in truth.scored.areas)
    return TableVerdict(
        truth.label.photo,
        truth.label.about,
        error,
        spots={kind: (0, count) for kind, count in kinds.items()},
        areas={kind: (0, count) for kind, count in areas.items()},
        groups={kind: (0, count) for kind, count in areas.items()},
        groups_amiss={kind: (0, count) for kind, count in areas.items()},
        boards=dict.fromkeys(areas, (0, 1)),
        figures=figures(Judged(truth)),
        wrong=tuple(truth.shown),
        final_true=_sort_points(truth.scored.totals),
    )


def judge_reading(
    reading: TableReading, truth: Truth, decode_ms: float, figures: Figures = count_nothing
) -> TableVerdict:
    """Judge a reading by the truth: who plays is read as well, what no photo shows is taken from the truth."""
    game = truth.table.game
    components = repaint_components(game, truth.table.components, reading.boards)
    read: dict[str, Value] = {spot.id: spot.value for spot in reading.spots}
    players = _order_players(game, reading.players)
    try:
        typed = {
            id: value
            for id, value in _list_typed_values(truth).items()
            if id in _collect_ids(game.spots(components, players, read))
        }
        read |= _fill_typed_values(game.spots(components, players, read | typed), read | typed) | typed
        table = settle_table(game, components, players, read, sure=())
        scored = table.scored()
    except BoardError as error:
        return judge_unread(truth, error.code, figures)
    alternatives = {spot.id: spot.alternatives for spot in reading.spots}
    doubts = assess_spot_doubts(table, scored, alternatives, reading.renames)
    right = {id for id in truth.shown if id in table.laid and is_same_value(table.laid[id], truth.table.laid[id])}
    asked_spots = {spot for change in doubts.to_review for spot in change.spots} | {*doubts.unknown}
    unsure = {spot.id for spot in reading.spots if spot.confidence < CONFIDENCE_SURE}
    judged = Judged(truth, {spot.id: spot for spot in reading.spots}, scored.areas, frozenset(asked_spots | unsure))
    whole = {area.id: right.issuperset(truth.shown.keys() & area.spots) for area in truth.scored.areas}
    exact = _sort_points(scored.totals) == _sort_points(truth.scored.totals)
    confidence = None if doubts.unknown else doubts.confidence
    unproven = {
        spot.id
        for spot in reading.spots
        if spot.hidden and spot.id in right and not _is_something(truth.table.laid[spot.id])
    }
    counted = {area.id: not unproven or not _is_unproven(area, truth, unproven) for area in truth.scored.areas}
    strangers = [spot for spot in reading.spots if spot.id not in truth.shown and _is_something(spot.value)]
    return TableVerdict(
        truth.label.photo,
        truth.label.about,
        spots=_count_results((spot.kind, id in right) for id, spot in truth.shown.items() if id not in unproven),
        areas=_count_results((area.kind, _build_key(area) in _count_keys(scored.areas)) for area in truth.scored.areas),
        groups=_count_results((area.kind, whole[area.id]) for area in truth.scored.areas if counted[area.id]),
        groups_amiss=_count_results(
            (area.kind, not whole[area.id] and judged.doubtful.isdisjoint(area.spots))
            for area in truth.scored.areas
            if counted[area.id]
        ),
        boards=_count_results(_compare_boards(truth.scored.areas, scored.areas)),
        figures=figures(judged),
        invented=len(strangers),
        wrong=tuple(id for id in truth.shown if id not in right),
        final_true=_sort_points(truth.scored.totals),
        final_read=_sort_points(scored.totals),
        final_exact=exact,
        final_sure=not doubts.doubtful,
        total_exact=exact and dict(scored.on_track) == dict(truth.scored.on_track),
        final_confidence=confidence,
        times_ms={"decode": decode_ms, **reading.timing_ms},
        said={
            **_collect_statements(reading, truth, right, judged.doubtful, unproven),
            "final scorings": [Said(confidence, doubts.doubtful, exact)],
        },
    )


def judge_interview(verdict: TableVerdict, interview: Interview) -> TableVerdict:
    """Return the verdict with what an interview of an oracle made of the points."""
    right = tuple(dict(final) == dict(verdict.final_true) for final in interview.finals)
    return replace(verdict, right_after=right, settled=interview.settled)


def is_same_value(read: Value, true: Value) -> bool:
    """Return whether the same lies there: the numbers of pieces are names that reader and label give by themselves."""
    if isinstance(read, str) and isinstance(true, str):
        return read.partition("#")[0] == true.partition("#")[0]
    return read == true


def _is_unproven(area: Area, truth: Truth, unproven: set[str]) -> bool:
    """Whether nothing lies in an area, some of which the photo does not show: that it was read so tells nothing."""
    return not area.players and not unproven.isdisjoint(truth.shown.keys() & area.spots)


def _collect_statements(
    reading: TableReading, truth: Truth, right: set[str], doubtful: frozenset[str], unproven: set[str]
) -> dict[str, list[Said]]:
    statements: dict[str, list[Said]] = {}
    for spot in reading.spots:
        if spot.id in truth.shown and spot.id not in unproven:
            statement = Said(spot.confidence, spot.id in doubtful, spot.id in right)
            statements.setdefault(truth.shown[spot.id].kind, []).append(statement)
    return statements


def _compare_boards(true: Sequence[Area], read: Sequence[Area]) -> Iterator[tuple[str, bool]]:
    """Of each kind of area that there is, whether all are right."""
    for kind in dict.fromkeys(area.kind for area in (*true, *read)):
        yield (
            kind,
            _count_keys(area for area in true if area.kind == kind)
            == _count_keys(area for area in read if area.kind == kind),
        )


def _count_keys(areas: Iterable[Area]) -> Counter[tuple[Any, ...]]:
    return Counter(_build_key(area) for area in areas)


def _build_key(area: Area) -> tuple[Any, ...]:
    return area.kind, frozenset(area.spots), area.size, frozenset(area.players.items())


def _count_results(results: Iterable[tuple[str, bool]]) -> dict[str, tuple[int, int]]:
    tally: dict[str, tuple[int, int]] = {}
    for kind, is_right in results:
        right, all_ = tally.get(kind, (0, 0))
        tally[kind] = (right + is_right, all_ + 1)
    return tally


def _list_typed_values(truth: Truth) -> dict[str, Value]:
    """What no photo shows, as it is."""
    return {
        spot.id: truth.table.laid[spot.id] for spot in truth.table.spots if spot.typed and spot.id in truth.table.laid
    }


def _fill_typed_values(spots: Iterable[Spot], values: Laid) -> dict[str, Value]:
    """What no photo shows and nobody told: nothing."""
    return {spot.id: spot.choices[0] for spot in spots if spot.typed and spot.id not in values}


def _collect_ids(spots: Iterable[Spot]) -> set[str]:
    return {spot.id for spot in spots}


def _is_something(value: Value) -> bool:
    return value not in (0, "-")


def _order_players(game: Game, players: Iterable[str]) -> tuple[str, ...]:
    playing = {*players}
    return (
        *(colour for colour in game.colours if colour in playing),
        *(colour for colour in playing if colour not in game.colours),
    )


def _sort_points(totals: Mapping[str, int]) -> dict[str, int]:
    return {player: points for player, points in sorted(totals.items()) if points}
