"""The verdict on the reading of one photo of a table of spots, for any game."""

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
from vision.flat_boards.reading import SpotReading, TableReading

Tally = Mapping[str, tuple[int, int]]
"""The number right and the total, by kind."""


@dataclass(frozen=True, slots=True)
class TableVerdict:
    """One photo; `error` is the code if it could not be read.

    `spots` are those that a photo shows, `areas` the scoring areas of the true table: an area is right if the reading
    has one with its kind, spots, size and players. `groups` are the same areas, right if all their spots are read
    right; `groups_amiss` are those that are not although none of their spots is marked doubtful. `boards` (one per kind
    and photo) are right if all areas are right and none is invented. `figures` are the game's own counts. `invented`
    spots belong to players who do not take part. A spot hidden in the photo that is empty and read as empty does not
    count, nor does an area of such spots, since it says nothing about the reading. `final_sure` means that no doubt of
    the reading can change the points, `right_after` whether they are right after 0, 1, 2, ... answers of a person who
    knows the table (() without questions), and `settled` whether no doubt was left then. `said` has the reading's
    statements about spots, by kind, and about the final scoring, compared with the truth.
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
        """Return whether the points are right after this number of answers."""
        return bool(self.right_after) and self.right_after[min(answers, len(self.right_after) - 1)]

    @property
    def answers(self) -> int:
        """The number of questions that were answered."""
        return max(len(self.right_after) - 1, 0)

    @property
    def final_answered(self) -> bool:
        """Whether the points are right once all questions are answered."""
        return self.is_right_after(self.answers)

    @property
    def final_sure_wrong(self) -> bool:
        """Whether the points are wrong without a doubt."""
        return self.final_sure and not self.final_exact

    @property
    def total_sure_wrong(self) -> bool:
        """Whether the points, with those on the track, are wrong without a doubt."""
        return self.final_sure and not self.total_exact


@dataclass(frozen=True, slots=True, eq=False)
class Truth:
    """The true table of a photo, including everything that no photo shows."""

    label: SpotLabel
    table: Settled
    scored: Scored

    @classmethod
    def of(cls, label: SpotLabel, game: Game, components: Any) -> Truth:
        """Build the truth of a label; raises BoardError, ComponentsError. Values missing from the label are empty."""
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
    """The input of a game's own counts: the truth, the spots as read, the scoring areas, the doubtful spots."""

    truth: Truth
    spots: Mapping[str, SpotReading] = field(default_factory=dict)
    areas: tuple[Area, ...] = ()
    doubtful: frozenset[str] = frozenset()


Figures = Callable[[Judged], Tally]
TableInterviewer = Callable[[TableReading, Truth], Interview]
"""A function that asks the questions of a reading, the most important one first, and answers each from the label until
none is left."""


def count_nothing(judged: Judged) -> Tally:
    """Return the empty figures of a game without counts beside spots and areas."""
    return {}


def judge_unread(truth: Truth, error: str, figures: Figures = count_nothing) -> TableVerdict:
    """Return the verdict on a photo that could not be read: everything is missed."""
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
    """Judge a reading by the truth: players are read as well; values that no photo shows are the true ones."""
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
    """Return the verdict with the points after an interview of an oracle."""
    right = tuple(dict(final) == dict(verdict.final_true) for final in interview.finals)
    return replace(verdict, right_after=right, settled=interview.settled)


def is_same_value(read: Value, true: Value) -> bool:
    """Return whether two values mean the same: reader and label number pieces independently."""
    if isinstance(read, str) and isinstance(true, str):
        return read.partition("#")[0] == true.partition("#")[0]
    return read == true


def _is_unproven(area: Area, truth: Truth, unproven: set[str]) -> bool:
    """Return whether an area is empty and partly hidden in the photo, so that its reading as empty proves nothing."""
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
    """Yield for each kind of area whether all areas of it are right."""
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
    """Return the true values that no photo shows."""
    return {
        spot.id: truth.table.laid[spot.id] for spot in truth.table.spots if spot.typed and spot.id in truth.table.laid
    }


def _fill_typed_values(spots: Iterable[Spot], values: Laid) -> dict[str, Value]:
    """Return default values for spots that no photo shows and that are unknown."""
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
