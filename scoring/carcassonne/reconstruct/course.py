"""The course of a game over several of its boards: moves and points from one board to the next.

States that lead to no later board are dropped, so a later board resolves what an earlier one left open.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from itertools import pairwise, permutations

from scoring.carcassonne.board.board import Board, PlacedMeeple, Problem
from scoring.carcassonne.board.features import FeatureMap, build_feature_map
from scoring.carcassonne.play.moves import Laid
from scoring.carcassonne.play.setup import Setup
from scoring.carcassonne.reconstruct.moves import (
    Budget,
    Difference,
    Points,
    TooMuchPlayedError,
    Way,
    Ways,
    find_reachable_states,
)
from scoring.carcassonne.reconstruct.state import Conjecture, State, enumerate_conjectures
from scoring.carcassonne.tiles.geometry import Square
from scoring.counts import format_count
from scoring.errors import PlayError

TILE_CODES = ("tiles_vanish", "tile_changed", "tile_unknown")
"""Codes of contradictions between tiles."""
Range = tuple[int, int]
Ranges = Mapping[str, Range]
"""Minimum and maximum points of each player."""


Rank = tuple[int, int]
"""Key by which ways are sorted, the likeliest first (`Way.rank`)."""
_Line = tuple[Rank, tuple[Way, ...]]


@dataclass(frozen=True)
class Stretch:
    """The moves between 2 boards.

    `ways` are all move sequences that the rules allow, by the points they give. It is empty if there are none or too
    many to try; `problems` then gives the reason. `players` are in alphabetical order, as points are.
    """

    players: tuple[str, ...]
    tiles: tuple[Laid, ...]
    ways: Mapping[Points, Ways]
    problems: tuple[Problem, ...] = ()

    @property
    def is_told(self) -> bool:
        """Return whether any way is known."""
        return bool(self.ways)

    @property
    def is_settled(self) -> bool:
        """Return whether every way gives the same points."""
        return len(self.ways) == 1

    @property
    def gains(self) -> Ranges | None:
        """Return the range of each player's points; None if no way is known."""
        if not self.ways:
            return None
        return dict(zip(self.players, _add_gains(((0, 0),) * len(self.players), self.ways), strict=True))


@dataclass(frozen=True)
class Course:
    """The stretches from board to board, and the points after each, counted from the first board.

    `since` is None from the first stretch without any known way. `orders` are the orders of players, starting with the
    player on turn at the first board, that explain the boards. `players` are in alphabetical order. `line` is the
    likeliest way through all stretches before the first without any.
    """

    players: tuple[str, ...]
    stretches: tuple[Stretch, ...]
    since: tuple[Ranges | None, ...]
    orders: tuple[tuple[str, ...], ...]
    line: tuple[Way, ...]

    @property
    def likeliest(self) -> Sequence[Mapping[str, int]]:
        """Return the points after each board but the first, as far as a line is known, by the likeliest way."""
        totals = dict.fromkeys(self.players, 0)
        points = []
        for way in self.line:
            for turn in way.turns:
                totals = {player: total + turn.scores[player] for player, total in totals.items()}
            points.append(totals)
        return points

    @property
    def is_settled(self) -> bool:
        """Return whether the points after the last board are known exactly."""
        return all(stretch.is_settled for stretch in self.stretches)


@dataclass
class _Node:
    """A state at one of the boards; `onward` holds the ways to states of the next board, once known.

    `most` are the maximum points of the players in this state if those at the first board are known.
    """

    game: Conjecture
    most: Points | None = None
    onward: dict[State, dict[Points, Ways]] = field(default_factory=dict)


def reconstruct_course(
    boards: Sequence[Board],
    setup: Setup,
    on_turn: str | None = None,
    ordered: bool = True,
    points: Mapping[str, int] | None = None,
    untaken: Collection[Square] = (),
) -> Course:
    """Return the course of play from the first of some boards to the last; all share one frame.

    `on_turn` is the player on turn at the first board. `points` are the players' points at that board; they limit which
    player can lay a wonder. If the players are not `ordered`, their order of play is unknown as well. On the squares
    `untaken`, no piece was set and taken back. Raises PlayError if the first board is impossible.
    """
    players = tuple(sorted(setup.players))
    most = tuple(points[player] for player in players) if points else None
    layers = [_start_layer(boards[0], setup, on_turn, ordered, most)]
    stretches: list[Stretch] = []
    first_stretch = 0
    for before, after in pairwise(boards):
        next_layer, stretch = _advance_layer(layers[-1], before, after, players, untaken)
        stretches.append(stretch)
        if not next_layer:
            _settle(layers, stretches, first_stretch)
            next_layer, first_stretch = _restart_layer(after, setup, ordered), len(stretches)
        layers.append(next_layer)
    _settle(layers, stretches, first_stretch)
    since = list(_sum_points(layers, stretches, players))
    unknown = [None] * (len(stretches) - len(since))
    line, order = _choose_line(layers, stretches)
    orders = dict.fromkeys([order, *map(_get_order, (node.game for node in layers[0].values()))])
    return Course(players, tuple(stretches), (*since, *unknown), tuple(orders), line)


def _start_layer(
    board: Board, setup: Setup, on_turn: str | None, ordered: bool, most: Points | None = None
) -> dict[State, _Node]:
    first, *rest = setup.players
    orders = [(first, *others) for others in permutations(rest)] if not ordered else [setup.players]
    games = (game for order in orders for game in enumerate_conjectures(replace(setup, players=order), board, on_turn))
    return {game.state: _Node(game, most) for game in games}


def _restart_layer(board: Board, setup: Setup, ordered: bool) -> dict[State, _Node]:
    """Return the states of a new start in the middle of the game; none if the board cannot be one."""
    try:
        return _start_layer(board, setup, None, ordered)
    except PlayError:
        return {}


def _advance_layer(
    layer: Mapping[State, _Node], before: Board, after: Board, players: tuple[str, ...], untaken: Collection[Square]
) -> tuple[dict[State, _Node], Stretch]:
    """Return the states in which the next board may be reached, and the stretch with its tiles and problems."""
    next_layer: dict[State, _Node] = {}
    problems = find_contradictions(before, after)
    if any(problem.code in TILE_CODES for problem in problems):
        return next_layer, Stretch(players, (), {}, problems)
    wanted, budget = Difference.of(before.tiles, after, untaken), Budget()
    squares = tuple(square for tile in wanted.tiles for square in tile.placements)
    try:
        for node in () if problems else layer.values():
            for state, reached in find_reachable_states(node.game, wanted, budget, node.most).items():
                following = next_layer.setdefault(state, _Node(reached.game))
                following.most = _find_most(following.most, node.most, reached.ways)
                node.onward[state] = reached.ways
    except TooMuchPlayedError:
        next_layer, problems = {}, (Problem("too_much_played", squares, "too much was played to try every way"),)
    if not next_layer and not problems:
        problems = (_explain_lack(layer, wanted, squares),)
    return next_layer, Stretch(players, wanted.tiles, {}, problems)


def _explain_lack(layer: Mapping[State, _Node], wanted: Difference, squares: tuple[Square, ...]) -> Problem:
    """Return the reason why no way leads to the next board: the rules, or the players' points at the first board."""
    try:
        if any(node.most and find_reachable_states(node.game, wanted, Budget()) for node in layer.values()):
            text = "who laid a wonder had not the points for it by then: are those at the first photo right?"
            return Problem("points_too_few", squares, text)
    except TooMuchPlayedError:
        pass
    return Problem("no_way", squares, "no turns that the rules allow lead from the one board to the other")


def _find_most(known: Points | None, before: Points | None, gains: Iterable[Points]) -> Points | None:
    """Return each player's maximum points after a stretch, given those `before` it and those `known` already."""
    if before is None:
        return None
    most = tuple(first + max(gained) for first, gained in zip(before, zip(*gains, strict=True), strict=True))
    return most if known is None else tuple(map(max, known, most))


def _settle(layers: Sequence[dict[State, _Node]], stretches: list[Stretch], first_stretch: int) -> None:
    """Drop the states that lead to no later board, and rebuild the stretches from the remaining ones."""
    for number in reversed(range(first_stretch, len(stretches))):
        if stretches[number].problems:
            continue
        here, there = layers[number], layers[number + 1]
        ways: dict[Points, Ways] = {}
        for node in here.values():
            node.onward = {state: scored for state, scored in node.onward.items() if state in there}
            for scored in node.onward.values():
                for points, state_ways in scored.items():
                    ways.setdefault(points, Ways()).add(state_ways.first, state_ways.number)
        for state in [state for state, node in here.items() if not node.onward]:
            del here[state]
        stretches[number] = replace(stretches[number], ways=ways)


def _sum_points(
    layers: Sequence[Mapping[State, _Node]], stretches: Sequence[Stretch], players: tuple[str, ...]
) -> Iterator[Ranges]:
    """Yield the points after each board but the first, as far as they are known."""
    nothing = tuple((0, 0) for _ in players)
    reached = dict.fromkeys(layers[0], nothing)
    for layer, stretch in zip(layers, stretches, strict=False):
        if not stretch.is_told:
            return
        onward: dict[State, tuple[Range, ...]] = {}
        for state, so_far in reached.items():
            for after, ways in layer[state].onward.items():
                total = _add_gains(so_far, ways)
                onward[after] = _widen_ranges(onward[after], total) if after in onward else total
        reached = onward
        ranges: tuple[Range, ...] = reduce(_widen_ranges, reached.values())
        yield dict(zip(players, ranges, strict=True))


def _add_gains(so_far: tuple[Range, ...], ways: Iterable[Points]) -> tuple[Range, ...]:
    return tuple(
        (low + min(gains), high + max(gains))
        for (low, high), gains in zip(so_far, zip(*ways, strict=True), strict=True)
    )


def _widen_ranges(first: tuple[Range, ...], second: tuple[Range, ...]) -> tuple[Range, ...]:
    return tuple((min(a, c), max(b, d)) for (a, b), (c, d) in zip(first, second, strict=True))


def _choose_line(
    layers: Sequence[Mapping[State, _Node]], stretches: Sequence[Stretch]
) -> tuple[tuple[Way, ...], tuple[str, ...]]:
    """Return the likeliest way from state to state through all stretches before the first without any, and its order of
    players.
    """
    first = next((number for number, stretch in enumerate(stretches) if not stretch.is_told), len(stretches))
    best: dict[State, _Line] = dict.fromkeys(layers[first], ((0, 0), ()))
    for layer in reversed(layers[:first]):
        best = {state: min(_list_lines(node, best), key=lambda line: line[0]) for state, node in layer.items()}
    state = min(layers[0], key=lambda start: best[start][0])
    return best[state][1], _get_order(layers[0][state].game)


def _list_lines(node: _Node, onward: Mapping[State, _Line]) -> Iterator[_Line]:
    """Yield the ways on from a state, each with its rank."""
    for state, scored in node.onward.items():
        (gain, hidden), line = onward[state]
        for ways in scored.values():
            way = ways.first[0]
            yield (gain + way.rank[0], hidden + way.rank[1]), (way, *line)


def _get_order(game: Conjecture) -> tuple[str, ...]:
    """Return the players, starting with the one on turn."""
    players, first = game.setup.players, game.setup.players.index(game.on_turn)
    return players[first:] + players[:first]


def find_contradictions(before: Board, after: Board) -> tuple[Problem, ...]:
    """Return the changes that no play explains: first those of tiles, and those of pieces only if the tiles are
    consistent.

    Codes: tiles_vanish, tile_changed, tile_unknown; piece_on_old_tile, piece_gone_early, piece_stays.
    """
    return tuple(_find_tile_contradictions(before, after)) or tuple(_find_piece_contradictions(before, after))


def _find_tile_contradictions(before: Board, after: Board) -> Iterator[Problem]:
    gone = tuple(square for square in before.tiles if square not in after.tiles)
    if gone:
        text = format_count(len(gone), "tile is", "tiles are") + " gone: a tile that was laid stays"
        yield Problem("tiles_vanish", gone, text)
    for square, placement in after.tiles.items():
        if placement is None:
            yield Problem("tile_unknown", (square,), "a tile that is not known cannot be played")
        elif before.tiles.get(square, placement) != placement:
            yield Problem("tile_changed", (square,), "another tile than before: a tile that was laid stays")


def _find_piece_contradictions(before: Board, after: Board) -> Iterator[Problem]:
    pieces_after, features = set(after.meeples), build_feature_map(after)
    for piece in pieces_after.difference(before.meeples):
        if piece.square in before.tiles:
            yield Problem(
                "piece_on_old_tile", (piece.square,), f"{_name_piece(piece)} was set on a tile that lay there before"
            )
    for piece in before.meeples:
        may_go = piece.kind == "abbot" and not before.is_marker(piece)
        if piece not in pieces_after and not may_go and not _is_complete(piece, features):
            yield Problem(
                "piece_gone_early", (piece.square,), f"{_name_piece(piece)} went home before its feature was complete"
            )
    for piece in after.meeples:
        if _is_complete(piece, features):
            yield Problem("piece_stays", (piece.square,), f"{_name_piece(piece)} still stands on what is complete")


def _is_complete(piece: PlacedMeeple, features: FeatureMap) -> bool:
    feature = features.under(piece)
    return feature is not None and feature.complete


def _name_piece(piece: PlacedMeeple) -> str:
    return f"{piece.colour}'s {piece.kind}"
