"""Moves between 2 boards of one game: every way that the rules allow, found with the play engine.

Tiles stay where they are laid, and pieces stay until their feature is complete. Two boards do not show whether a piece
was set and taken back in between, or in which order several tiles were laid. All of these are tried tile by tile; ways
that reach the same state with the same points are merged. Players take points that are theirs for a meeple, so the
likeliest way is the one whose unseen pieces gain most, unless the photos usually show pieces before they go home.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import NamedTuple

from scoring.calibration import load_weights
from scoring.carcassonne.board.board import Board, PlacedMeeple, PlacedWonder, list_markers
from scoring.carcassonne.board.features import Member, build_feature_map
from scoring.carcassonne.play.moves import USUAL_MARKER, Laid, Marker, Move, PlacedTile, Stand, Turn
from scoring.carcassonne.play.score_track import FIRST_PAIRS_POINTS, SECOND_WONDER_POINTS
from scoring.carcassonne.reconstruct.state import Conjecture, State
from scoring.carcassonne.tiles.geometry import Square
from scoring.errors import PlayError

Points = tuple[int, ...]
"""Points of each player, in alphabetical order of the players."""

MAX_MOVES = 6000
"""Maximum number of moves tried between 2 boards; beyond it, too much was played to reconstruct. Bounds time."""
_MAX_WAYS = 8
"""Maximum number of ways kept for the same state and points. Bounds memory."""


class TooMuchPlayedError(Exception):
    """There are more ways than can be tried."""


class Gain(NamedTuple):
    """The points of a piece that was set and taken back unseen, and the log-odds that there was one."""

    points: int
    nats: float


@dataclass(frozen=True, slots=True)
class Way:
    """Turns in order, as scored by the play engine, with the gain of each unseen piece of a turn."""

    turns: tuple[Turn, ...] = ()
    gains: tuple[Mapping[Stand, Gain], ...] = ()

    def unseen(self) -> Iterator[tuple[Turn, Stand]]:
        """Yield the pieces that were set and taken back between the boards, each with its turn."""
        for turn in self.turns:
            for stand in list_unseen(turn):
                yield turn, stand

    @property
    def rank(self) -> tuple[float, int]:
        """Return the key by which ways are sorted, the likeliest first: among equal ones, fewer unseen pieces."""
        nats = math.fsum(gain.nats for gains in self.gains for gain in gains.values())
        return -nats, sum(1 for _ in self.unseen())


def list_unseen(turn: Turn) -> list[Stand]:
    """Return the pieces that were set and taken back in a turn."""
    home = {(piece.square, piece.segment, piece.kind) for piece in turn.returned if piece.colour == turn.move.player}
    return [stand for stand in turn.move.stands if (stand.square, stand.segment, stand.kind) in home]


@dataclass(slots=True)
class Ways:
    """Ways to one state with the same points: their number, and a few of the likeliest."""

    number: int = 0
    first: list[Way] = field(default_factory=list)

    def add(self, ways: Iterable[Way], number: int) -> None:
        """Add further ways."""
        self.number += number
        self.first = sorted([*self.first, *ways], key=lambda way: way.rank)[:_MAX_WAYS]


@dataclass(slots=True)
class Reached:
    """A reached state, as a game, and the ways there by their points."""

    game: Conjecture
    ways: dict[Points, Ways]


@dataclass(frozen=True)
class Takings:
    """Statements about pieces set and taken back: the squares without one, and the player who set one on a square.

    `excluded` collects the squares on which there would have been one. `photographed` is the probability that a photo
    shows a piece that goes home in the same turn.
    """

    denied: frozenset[Square] = frozenset()
    made: Mapping[Square, str] = field(default_factory=dict)
    excluded: set[Square] = field(default_factory=set, compare=False)
    photographed: float = 0.0

    def weigh(self, points: int) -> Gain:
        """Return the gain of a piece that no photo shows: a player mostly takes what a meeple in hand brings at
        once.
        """
        rate = load_weights("carcassonne", "habits")["taking"]["per_point"]
        return Gain(points, rate * points + math.log1p(-self.photographed))

    def list_idle(self, ways: Iterable[Way]) -> frozenset[Square]:
        """Return the squares on which a statement made no difference, or did not come true in the ways played."""
        played = {stand.square: turn.move.player for way in ways for turn, stand in way.unseen()}
        unmade = {square for square, player in self.made.items() if played.get(square) != player}
        return frozenset(unmade | (self.denied - self.excluded))


@dataclass(frozen=True)
class Difference:
    """The additions of the later of 2 boards, and the constraints it imposes.

    `standing` are the later board's pieces, `closed` the parts of its complete features. `takings` are statements about
    pieces that were set and taken back. `unmarked` are the places for markers of wonders without a visible one.
    """

    tiles: tuple[Laid, ...]
    standing: frozenset[PlacedMeeple]
    closed: frozenset[Member]
    takings: Takings
    unmarked: frozenset[Member] = frozenset()

    @classmethod
    def of(cls, before: Iterable[Square], after: Board, takings: Takings) -> Difference:
        """Return the tiles laid on squares not in `before`; every tile of `after` is known."""
        lying = set(before)
        wonders = [wonder for wonder in after.wonders if lying.isdisjoint(wonder.squares)]
        plain = [
            PlacedTile(placement, square)
            for square, placement in after.known
            if square not in lying and placement.wonder is None
        ]
        closed = frozenset(
            member for feature in build_feature_map(after) if feature.complete for member in feature.members
        )
        return cls((*wonders, *plain), frozenset(after.meeples), closed, takings, frozenset(_list_unmarked(after)))

    def lacks(self, piece: PlacedMeeple) -> bool:
        """Return whether a piece marks a wonder whose owner is not visible."""
        return (piece.square, piece.segment) in self.unmarked

    @property
    def made(self) -> dict[Square, str]:
        """Return the players stated to have set a piece on one of the tiles and to have taken it back."""
        squares = {square for tile in self.tiles for square in tile.placements}
        return {square: player for square, player in self.takings.made.items() if square in squares}

    def without_takings(self) -> Difference:
        """Return the difference without pieces that were stated to have been set and taken back."""
        return replace(self, takings=replace(self.takings, made={}))

    def may_play(self, player: str, tile: Laid, hidden: Iterable[Stand]) -> bool:
        """Return whether these unseen pieces of a player on a tile agree with the takings stated for it."""
        squares = {stand.square for stand in hidden}
        return all(
            square in squares and player == setter
            for square, setter in self.takings.made.items()
            if square in tile.placements
        )

    def may_stand(self, piece: PlacedMeeple) -> bool:
        """Return whether a piece may be on the board on the way to the later one."""
        assert piece.segment is not None
        may_go = (piece.square, piece.segment) in self.closed or piece.kind == "abbot"
        return piece in self.standing or may_go or self.lacks(piece)


def _list_unmarked(board: Board) -> Iterator[Member]:
    """Yield the places for a marker on wonders without a visible one."""
    for wonder in board.wonders:
        if not list_markers(board, wonder):
            for square, placement in wonder.placements.items():
                yield from ((square, n) for n, part in enumerate(placement.layout.segments) if part.kind == "wonder")


def find_reachable_states(
    start: Conjecture, wanted: Difference, budget: Budget, most_before: Points | None = None
) -> Mapping[State, Reached]:
    """Return every state in which the later board may be reached from a game; none if the rules allow no way.

    `most_before` are the players' maximum points on the track at the start, if known: a wonder is laid only once its
    player has the points for it. Raises TooMuchPlayedError.
    """
    layer = {start.state: Reached(start, {(0,) * len(start.setup.players): Ways(1, [Way()])})}
    layers: list[dict[State, Reached]] = [layer] + [{} for _ in wanted.tiles]
    for number, layer in enumerate(layers[:-1]):
        for reached in layer.values():
            for step in _advance(reached.game, wanted, budget):
                _extend(layers[number + step.tile_count], step, reached, most_before)
    return {
        state: reached
        for state, reached in layers[-1].items()
        if wanted.standing == {piece for piece in reached.game.board().meeples if not wanted.lacks(piece)}
    }


@dataclass(slots=True)
class Budget:
    """Number of moves that may still be tried."""

    left: int = MAX_MOVES

    def spend(self) -> None:
        """Use one move; raise TooMuchPlayedError if none is left."""
        self.left -= 1
        if self.left < 0:
            raise TooMuchPlayedError


@dataclass(frozen=True, slots=True)
class _Step:
    """A turn that may lead to the later board: the game after it, its tiles, and the gain of each unseen piece."""

    game: Conjecture
    turn: Turn
    tile_count: int
    gains: Mapping[Stand, Gain]


def _extend(layer: dict[State, Reached], step: _Step, before: Reached, most_before: Points | None) -> None:
    """Record the state that a move leads to, with every way that leads to the move."""
    game, turn = step.game, step.turn
    possible = {
        points: ways for points, ways in before.ways.items() if _may_move(before.game, turn, points, most_before)
    }
    if not possible:
        return
    reached = layer.setdefault(game.state, Reached(game, {}))
    scored = [turn.scores[player] for player in sorted(turn.scores)]
    for points, ways in possible.items():
        total = tuple(before_turn + gain for before_turn, gain in zip(points, scored, strict=True))
        longer = [Way((*way.turns, turn), (*way.gains, step.gains)) for way in ways.first]
        reached.ways.setdefault(total, Ways()).add(longer, ways.number)


def _may_move(game: Conjecture, turn: Turn, gains: Points, most_before: Points | None) -> bool:
    """Return whether a player who lays a wonder may have had the points for it, given the gains since the start."""
    if most_before is None or not isinstance(turn.move.tile, PlacedWonder):
        return True
    seat = sorted(game.setup.players).index(turn.move.player)
    wanted = SECOND_WONDER_POINTS if turn.move.player in game.list_owners() else FIRST_PAIRS_POINTS
    return most_before[seat] + gains[seat] >= wanted


def _advance(game: Conjecture, wanted: Difference, budget: Budget) -> Iterator[_Step]:
    """Yield each move that may lead to the later board; without unseen pieces first, which shows what those gain."""
    lying = game.board().occupied
    left = [tile for tile in wanted.tiles if lying.isdisjoint(tile.placements)]
    for tile in left:
        plain: dict[PlacedTile | None, int] = {}
        single: dict[Stand, int] = {}
        for move in _list_moves(game, tile, left, wanted):
            budget.spend()
            after = game.copy()
            try:
                turn = after.play(move)
            except PlayError:
                continue
            points = turn.scores[move.player]
            gain = 0 if move.recalls_abbot else points - plain.setdefault(move.extra, points)
            shares = share_gain(gain, list_unseen(turn), single)
            if wanted.standing.isdisjoint(turn.returned) and all(map(wanted.may_stand, after.board().meeples)):
                gains = {stand: wanted.takings.weigh(points) for stand, points in shares.items()}
                yield _Step(after, turn, 1 + (move.extra is not None), gains)


def share_gain(gain: int, unseen: list[Stand], single: dict[Stand, int]) -> dict[Stand, int]:
    """Return the points of each unseen piece of a turn; `single` collects those of pieces that are alone."""
    if len(unseen) == 1:
        single[unseen[0]] = gain
    shares = {stand: single.get(stand, 0) for stand in unseen[:-1]}
    return shares | {stand: gain - sum(shares.values()) for stand in unseen[-1:]}


def _list_moves(game: Conjecture, tile: Laid, left: Iterable[Laid], wanted: Difference) -> Iterator[Move]:
    """Yield moves that lay a tile with its later pieces, and with others that may have been taken back."""
    player = game.on_turn
    pieces = [piece for piece in wanted.standing if piece.square in tile.placements]
    if any(piece.colour != player for piece in pieces):
        return
    markers = [piece for piece in pieces if piece.stands_on(tile.placements[piece.square]) == "wonder"]
    stands = tuple(
        Stand(piece.square, piece.segment, piece.kind)
        for piece in sorted(pieces, key=lambda piece: (piece.square, piece.segment or 0))
        if piece not in markers and piece.segment is not None
    )
    marker = USUAL_MARKER
    if isinstance(tile, PlacedWonder):
        if len(markers) > 1:
            return  # a wonder has one owner
        usual = tile.squares[tile.layout.marked[0]]
        for piece in markers:
            marker = Marker(piece.kind, piece.pose, None if piece.square == usual else piece.square)
        held_squares = {piece.square for piece in wanted.standing}
        room = [other for other in left if isinstance(other, PlacedTile) and other.square not in held_squares]
        extras, most = [None, *room], 2
    else:
        extras, most = [None], 1
    for extra in extras:
        for hidden in _list_unseen_stands(game, tile, extra, wanted, most - len(stands)):
            if wanted.may_play(player, tile, hidden):
                yield Move(player, tile, (*stands, *hidden), extra=extra, marker=marker)
    has_abbot = any((piece.colour, piece.kind) == (player, "abbot") for piece in game.board().meeples)
    if has_abbot and not stands and wanted.may_play(player, tile, ()):
        yield Move(player, tile, recalls_abbot=True, marker=marker)


def _list_unseen_stands(
    game: Conjecture, tile: Laid, extra: PlacedTile | None, wanted: Difference, most: int
) -> Iterator[tuple[Stand, ...]]:
    """Yield the further pieces that may have been set on a tile and taken back, beginning with none."""
    yield ()
    if most < 1:
        return
    places: dict[Stand, None] = {}
    for kind in game.setup.supply:
        if game.to_set(game.on_turn)[kind] < 1:
            continue
        try:
            free = game.free_features(tile, extra, kind)
        except PlayError:
            return
        for segments in free:
            if kind == "abbot" or any(member in wanted.closed for member in segments):
                if segments[0][0] in wanted.takings.denied:
                    wanted.takings.excluded.add(segments[0][0])
                else:
                    places[Stand(*segments[0], kind)] = None
    for number in range(1, most + 1):
        yield from combinations(places, number)
