"""The players' points along a course. Points known at some boards settle which ways are possible.

An entry is a state of the game with the points of the players whose points at a later board are known. Entries that
lead to no later board, or to other points than those known, are dropped.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce

from scoring.carcassonne.reconstruct.moves import Points, Ways
from scoring.carcassonne.reconstruct.state import State

Range = tuple[int, int]
Ranges = Mapping[str, Range]
"""Minimum and maximum points of each player."""
Onward = Mapping[State, Mapping[Points, Ways]]
"""The ways from a state to those of the next board, by the points they give."""
Known = Sequence[Mapping[str, int]]
"""The players' points at each board, as far as known."""

Read = Sequence[Mapping[str, frozenset[int]]]
"""The points that the players may have by the score track at each board."""

MAX_ENTRIES = 1000
"""Maximum number of entries at a board; only the likeliest are followed. Bounds time."""
_Account = tuple[int | None, ...]
"""Points of the players in their order; None if they are unknown, or no longer matter."""
_Entry = tuple[State, _Account]
_Rank = tuple[float, int]
_Line = tuple[_Rank, tuple["Passage", ...]]


@dataclass(frozen=True, slots=True)
class Passage:
    """The ways with certain points from one entry to an entry of the next board."""

    to: _Entry
    points: Points
    ways: Ways


@dataclass(frozen=True, slots=True)
class Conflict:
    """Points known at a board that no way gives: those that a player had at an earlier one, and the `possible` points
    since, in ascending order, or more than these.
    """

    since: int
    before: int
    possible: tuple[int, ...]
    or_more: bool = False


_Settled = dict[_Entry, _Entry]
"""The entries of a board, each with the entry it becomes."""
_Missing = Mapping[State, tuple[Range | None, ...]]
_Page = dict[_Entry, list[Passage]]
"""The entries of a board, each with the passages on from it."""


@dataclass
class Ledger:
    """The entries at each of some boards.

    `start` is the number from which points are counted that are unknown at the first board, if any; `contradicted` are
    known points (board, player) that no way since earlier ones gives: the count goes on from them nevertheless, after
    the ways that give most points below them, for points may be missed but never fall. `read` are the points that a
    score track at each board may show; it may still show those of the board before. No way gives the `unheeded` ones.
    """

    players: tuple[str, ...]
    known: Known
    read: Read
    start: int | None
    pages: list[_Page] = field(default_factory=list)
    contradicted: dict[tuple[int, str], Conflict] = field(default_factory=dict)
    unheeded: set[tuple[int, str]] = field(default_factory=set)

    @classmethod
    def fill(
        cls,
        players: tuple[str, ...],
        known: Known,
        read: Read,
        start: int | None,
        layers: Sequence[Mapping[State, Onward]],
    ) -> Ledger:
        """Enter the states of each board, with the ways from board to board."""
        ledger, layers = cls(players, known, read, start), _drop_lost_states(layers)
        missing = _measure_missing(players, known, layers)
        entries: Collection[_Entry] = [(state, (None,) * len(players)) for state in layers[0]]
        for number, layer in enumerate(layers):
            if number:
                entries = ledger._heed_track(number, entries)
            settled = ledger._select_reaching(number, ledger._settle(number, entries), missing[number])
            if number:
                settled = ledger._select_likeliest(settled)
                ledger._redirect(settled)
            is_last = number + 1 == len(layers)
            page = {entry: [] if is_last else [*_list_passages(entry, layer[entry[0]])] for entry in settled.values()}
            ledger.pages.append(page)
            entries = dict.fromkeys(passage.to for passages in page.values() for passage in passages)
        ledger._drop_dead_ends()
        return ledger

    def _heed_track(self, number: int, entries: Collection[_Entry]) -> Collection[_Entry]:
        """Keep the passages to a board after which, or before which, the points are those of its score track."""
        for seat, player in enumerate(self.players):
            if (possible := self.read[number].get(player)) is None:
                continue
            agreeing = {
                entry: [p for p in passages if not possible.isdisjoint((entry[1][seat], p.to[1][seat]))]
                for entry, passages in self.pages[-1].items()
            }
            if any(agreeing.values()):
                self.pages[-1] = agreeing
                entries = dict.fromkeys(passage.to for passages in agreeing.values() for passage in passages)
            elif any(entry[1][seat] is not None for entry in entries):
                self.unheeded.add((number, player))
        return entries

    def _settle(self, number: int, entries: Collection[_Entry]) -> _Settled:
        """Return the entries of a board that agree with the known points there, each with the entry it becomes."""
        settled = {entry: entry for entry in entries}
        for seat, player in enumerate(self.players):
            if (points := self.known[number].get(player)) is None:
                continue
            agreeing = {old: entry for old, entry in settled.items() if entry[1][seat] in (None, points)}
            if settled and not agreeing:
                totals = {account[seat] for _, account in settled.values()}
                possible = sorted(total for total in totals if total is not None)
                self._contradict(number, player, possible)
                nearest = max([total for total in possible if total < points], default=possible[0])
                agreeing = {old: entry for old, entry in settled.items() if entry[1][seat] == nearest}
            settled = {old: _set_points(entry, seat, points) for old, entry in agreeing.items()}
        later = {player for each in (self.known, self.read) for there in each[number + 1 :] for player in there}
        for seat, player in enumerate(self.players):
            if player not in later:
                settled = {old: _set_points(entry, seat, None) for old, entry in settled.items()}
        return settled

    def _contradict(self, number: int, player: str, possible: Sequence[int]) -> None:
        """Note that a player's known points are not possible, given the last ones known before."""
        since = max(board for board in range(number) if player in self.known[board])
        self.contradicted[number, player] = Conflict(since, self.known[since][player], tuple(possible))

    def _select_reaching(self, number: int, settled: _Settled, missing: _Missing) -> _Settled:
        """Drop the entries from which a player cannot come to the next known points, unless none can."""
        for seat, player in enumerate(self.players):
            target = next((known[player] for known in self.known[number + 1 :] if player in known), None)
            if target is None:
                continue
            reaching = {
                old: (state, account)
                for old, (state, account) in settled.items()
                if (points := account[seat]) is None
                or ((gains := missing[state][seat]) is not None and gains[0] <= target - points <= gains[1])
            }
            settled = reaching or settled
        return settled

    def _select_likeliest(self, settled: _Settled) -> _Settled:
        """Drop the least likely entries if there are too many."""
        if len(settled) <= MAX_ENTRIES:
            return settled
        ranks: dict[_Entry, _Rank] = {}
        for passage in (passage for passages in self.pages[-1].values() for passage in passages):
            rank = passage.ways.first[0].rank
            ranks[passage.to] = min(rank, ranks.get(passage.to, rank))
        return {old: settled[old] for old in sorted(settled, key=lambda old: ranks[old])[:MAX_ENTRIES]}

    def _redirect(self, settled: Mapping[_Entry, _Entry]) -> None:
        """Lead the passages of the last page to the entries that theirs have become."""
        for entry, passages in self.pages[-1].items():
            left = [passage for passage in passages if passage.to in settled]
            self.pages[-1][entry] = [replace(passage, to=settled[passage.to]) for passage in left]

    def _drop_dead_ends(self) -> None:
        for number in reversed(range(len(self.pages) - 1)):
            following = self.pages[number + 1]
            onward = {
                entry: [passage for passage in passages if passage.to in following]
                for entry, passages in self.pages[number].items()
            }
            self.pages[number] = {entry: passages for entry, passages in onward.items() if passages}

    def list_ways(self, number: int) -> dict[Points, Ways]:
        """Return all ways from a board to the next, by their points."""
        merged: dict[tuple[State, State, Points], Ways] = {}
        for entry, passages in self.pages[number].items():
            for passage in passages:
                merged[entry[0], passage.to[0], passage.points] = passage.ways
        ways: dict[Points, Ways] = {}
        for (_, _, points), those in merged.items():
            ways.setdefault(points, Ways()).add(those.first, those.number)
        return ways

    def sum_points(self) -> Iterator[Ranges | None]:
        """Yield the range of each player's points at each board; None while one's are unknown."""
        reached = dict.fromkeys(self.pages[0], self._begin())
        for number, page in enumerate(self.pages):
            yield _name_ranges(self.players, reduce(_widen_ranges, reached.values() or [self._begin()]))
            onward: dict[_Entry, tuple[Range | None, ...]] = {}
            for entry, passages in page.items():
                for passage in passages:
                    total = self._fix(number + 1, _add_points(reached[entry], passage.points))
                    onward[passage.to] = _widen_ranges(onward[passage.to], total) if passage.to in onward else total
            reached = onward

    def _begin(self) -> tuple[Range | None, ...]:
        start = None if self.start is None else (self.start, self.start)
        return self._fix(0, (start,) * len(self.players))

    def _fix(self, number: int, ranges: tuple[Range | None, ...]) -> tuple[Range | None, ...]:
        """Return ranges at a board with the points known there."""
        known = (self.known[number].get(player) for player in self.players)
        return tuple(there if points is None else (points, points) for points, there in zip(known, ranges, strict=True))

    def choose_line(self) -> tuple[State | None, tuple[Passage, ...]]:
        """Return the first state of the likeliest line through all boards, None if there is none, and its passages."""
        best: dict[_Entry, _Line] = dict.fromkeys(self.pages[-1], ((0, 0), ()))
        for page in reversed(self.pages[:-1]):
            best = {
                entry: min(_list_lines(passages, best), key=lambda line: line[0]) for entry, passages in page.items()
            }
        if not best:
            return None, ()
        first = min(best, key=lambda entry: best[entry][0])
        return first[0], best[first][1]

    def add_up(self, line: Iterable[Passage], start: Mapping[str, int]) -> Iterator[Mapping[str, int]]:
        """Yield the points at each board by a line that begins with some points, unless others are known there."""
        totals = {**start, **self.known[0]}
        yield totals
        for number, passage in enumerate(line, 1):
            gained = zip(self.players, passage.points, strict=True)
            totals = {player: totals[player] + points for player, points in gained} | dict(self.known[number])
            yield totals


def _drop_lost_states(layers: Sequence[Mapping[State, Onward]]) -> Sequence[Mapping[State, Onward]]:
    """Return the states of each board from which a way leads to the last one, with these ways."""
    left = [layers[-1]]
    for layer in reversed(layers[:-1]):
        onward = {
            state: {after: ways for after, ways in there.items() if after in left[-1]} for state, there in layer.items()
        }
        left.append({state: there for state, there in onward.items() if there})
    return left[::-1]


def _measure_missing(
    players: tuple[str, ...], known: Known, layers: Sequence[Mapping[State, Onward]]
) -> list[_Missing]:
    """Return the range of points that each player gains from a state up to the board with the next known points.

    None for a player without any, and for a state that leads to no such board.
    """
    following: _Missing = {state: (None,) * len(players) for state in layers[-1]}
    measured = [following]
    for number in reversed(range(len(layers) - 1)):
        here: dict[State, tuple[Range | None, ...]] = {}
        for state, onward in layers[number].items():
            here[state] = tuple(
                _join_ranges(
                    _shift((0, 0) if player in known[number + 1] else following[after][seat], points[seat])
                    for after, scored in onward.items()
                    if after in following
                    for points in scored
                )
                for seat, player in enumerate(players)
            )
        following = here
        measured.append(following)
    return measured[::-1]


def _shift(gains: Range | None, points: int) -> Range | None:
    return None if gains is None else (gains[0] + points, gains[1] + points)


def _join_ranges(ranges: Iterable[Range | None]) -> Range | None:
    lows_and_highs = [each for each in ranges if each is not None]
    if not lows_and_highs:
        return None
    return min(low for low, _ in lows_and_highs), max(high for _, high in lows_and_highs)


def _list_passages(entry: _Entry, onward: Onward) -> Iterator[Passage]:
    for state, scored in onward.items():
        for points, ways in scored.items():
            account = tuple(
                None if total is None else total + gained for total, gained in zip(entry[1], points, strict=True)
            )
            yield Passage((state, account), points, ways)


def _set_points(entry: _Entry, seat: int, points: int | None) -> _Entry:
    state, account = entry
    return state, (*account[:seat], points, *account[seat + 1 :])


def _list_lines(passages: Iterable[Passage], onward: Mapping[_Entry, _Line]) -> Iterator[_Line]:
    """Yield the lines on from an entry, each with its rank."""
    for passage in passages:
        (gain, hidden), line = onward[passage.to]
        rank = passage.ways.first[0].rank
        yield (gain + rank[0], hidden + rank[1]), (passage, *line)


def _add_points(ranges: tuple[Range | None, ...], points: Points) -> tuple[Range | None, ...]:
    return tuple(
        None if total is None else (total[0] + gained, total[1] + gained)
        for total, gained in zip(ranges, points, strict=True)
    )


def _widen_ranges(first: tuple[Range | None, ...], second: tuple[Range | None, ...]) -> tuple[Range | None, ...]:
    pairs = zip(first, second, strict=True)
    return tuple(None if a is None or b is None else (min(a[0], b[0]), max(a[1], b[1])) for a, b in pairs)


def _name_ranges(players: tuple[str, ...], ranges: tuple[Range | None, ...]) -> Ranges | None:
    named = {player: there for player, there in zip(players, ranges, strict=False) if there is not None}
    return named if len(named) == len(players) else None
