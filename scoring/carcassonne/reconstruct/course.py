"""The course of a game over several of its boards: moves and points from one board to the next.

States that lead to no later board are dropped, so a later board resolves what an earlier one left open.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise, permutations

from scoring.carcassonne.board.board import Board, PlacedMeeple, PlacedWonder, Problem
from scoring.carcassonne.board.features import build_feature_map
from scoring.carcassonne.final.rulesets import Ruleset
from scoring.carcassonne.play.moves import Laid, Stand, Turn
from scoring.carcassonne.play.scoring import score_completed_features
from scoring.carcassonne.play.setup import Setup
from scoring.carcassonne.reconstruct.ledger import Conflict, Ledger, Ranges
from scoring.carcassonne.reconstruct.moves import (
    Budget,
    Difference,
    Points,
    Takings,
    TooMuchPlayedError,
    Way,
    Ways,
    find_reachable_states,
)
from scoring.carcassonne.reconstruct.state import Conjecture, State, enumerate_conjectures
from scoring.carcassonne.tiles.geometry import Square
from scoring.counts import format_count
from scoring.errors import PlayError
from scoring.score_entry import ScoreEntry

TILE_CODES = ("tiles_vanish", "tile_changed", "unknown_tile")
"""Codes of contradictions between tiles."""
_POINTS_TOO_FEW = "a player laid a wonder without having the points for it: are those at the first photo right?"


@dataclass(frozen=True)
class Facts:
    """Facts stated about a game beside its boards.

    `on_turn` is the player on turn at the first board, `turns` are those at later ones. `points` are players' points at
    boards, by their numbers; those at the first board limit which player can lay a wonder. `read` are the points that
    score tracks may show at boards, or may still show from the board before. `start` is the number from which points
    are counted that are not stated for the first board, if any.
    """

    on_turn: str | None = None
    points: Mapping[int, Mapping[str, int]] = field(default_factory=dict)
    takings: Takings = field(default_factory=Takings)
    read: Mapping[int, Mapping[str, frozenset[int]]] = field(default_factory=dict)
    start: int | None = 0
    turns: Mapping[int, str] = field(default_factory=dict)


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
        return len(self.ways) == 1 and not self.problems

    @property
    def gains(self) -> Ranges | None:
        """Return the range of each player's points; None if no way is known."""
        if not self.ways:
            return None
        by_player = zip(self.players, zip(*self.ways, strict=True), strict=True)
        return {player: (min(gains), max(gains)) for player, gains in by_player}

    def list_assumed(self, way: Way | None) -> list[tuple[Turn, Stand]]:
        """List the unseen pieces of a way on which the points depend, each with its turn."""
        gains = self.gains or {}
        unsettled = {player for player, (low, high) in gains.items() if low < high}
        return [(turn, stand) for turn, stand in (way or Way()).unseen() if turn.move.player in unsettled]


@dataclass(frozen=True)
class Course:
    """The stretches from board to board, and the points at each board.

    The ranges of `points` are None where they are unknown: after a stretch without any known way, until points are
    stated again. The `likeliest` points then go on by what was finished. `orders` are the orders of players, starting
    with the player on turn at the first board, that explain the boards. `players` are in alphabetical order. `line` is
    the likeliest way through the stretches, None for one without any. `contradicted` are stated points (board, player)
    that no way gives, with those it gives, and `idle` the squares on which takings were stated that make no difference.
    `unheeded` are points read from a score track (board, player) that no way gives. `passed` are the boards at which
    another player was stated to be on turn than any way gives, with the one on turn otherwise: the play goes on with
    the stated one.
    """

    players: tuple[str, ...]
    stretches: tuple[Stretch, ...]
    points: tuple[Ranges | None, ...]
    likeliest: tuple[Mapping[str, int], ...]
    orders: tuple[tuple[str, ...], ...]
    line: tuple[Way | None, ...]
    contradicted: Mapping[tuple[int, str], Conflict] = field(default_factory=dict)
    idle: frozenset[Square] = frozenset()
    unheeded: frozenset[tuple[int, str]] = frozenset()
    passed: Mapping[int, str] = field(default_factory=dict)

    def list_layers(self) -> dict[str, dict[str, None]]:
        """Return the players who may have laid each wonder, the likeliest first, by the wonder's id."""
        layers: dict[str, dict[str, None]] = {}
        for stretch, way in zip(self.stretches, self.line, strict=True):
            others = (other for ways in stretch.ways.values() for other in ways.first)
            for turn in (turn for one in (way, *others) if one is not None for turn in one.turns):
                if isinstance(turn.move.tile, PlacedWonder):
                    layers.setdefault(turn.move.tile.layout.id, {})[turn.move.player] = None
        return layers

    def count_goods(self) -> dict[str, Counter[str]]:
        """Return the tokens that players took since the first board, by kind, then by player."""
        goods: dict[str, Counter[str]] = {}
        for turn in (turn for way in self.line if way is not None for turn in way.turns):
            for kind, number in turn.goods.items():
                goods.setdefault(kind, Counter())[turn.move.player] += number
        return goods

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


def reconstruct_course(boards: Sequence[Board], setup: Setup, facts: Facts = Facts(), ordered: bool = True) -> Course:
    """Return the course of play from the first of some boards to the last; all share one frame.

    If the players are not `ordered`, their order of play is unknown as well. Raises PlayError if the first board is
    impossible.
    """
    players = tuple(sorted(setup.players))
    first_points = facts.points.get(0, {})
    most = tuple(first_points[player] for player in players) if first_points.keys() >= {*players} else None
    layers = [_start_layer(boards[0], setup, facts.on_turn, ordered, most)]
    stretches: list[Stretch] = []
    parts, passed = [0], dict[int, str]()
    for number, (before, after) in enumerate(pairwise(boards), 1):
        next_layer, stretch = _advance_layer(layers[-1], before, after, players, facts.takings)
        stretches.append(stretch)
        on_turn = facts.turns.get(number)
        if not next_layer:
            turns = len(stretch.tiles) or len(after.tiles.keys() - before.tiles.keys())
            next_layer = _restart_layer(after, setup, on_turn, ordered, _pass_turns(layers[-1], turns))
            parts.append(number)
        elif on_turn is not None:
            agreeing = {state: node for state, node in next_layer.items() if node.game.on_turn == on_turn}
            if not agreeing:
                passed[number] = next(iter(next_layer.values())).game.on_turn
            next_layer = agreeing or _give_turn(layers[-1], next_layer, on_turn)
        layers.append(next_layer)
    ledgers = [
        _fill_ledger(layers[first:last], players, first, facts) for first, last in pairwise([*parts, len(boards)])
    ]
    course = _conclude(boards, replace(setup, players=players), stretches, layers[0], ledgers, facts)
    return replace(course, passed=passed)


def _fill_ledger(layers: Sequence[Mapping[State, _Node]], players: tuple[str, ...], first: int, facts: Facts) -> Ledger:
    """Return the ledger of the boards from the `first` on that follow from one another."""
    known = [facts.points.get(first + number, {}) for number in range(len(layers))]
    onward = [{state: node.onward for state, node in layer.items()} for layer in layers]
    read = [facts.read.get(first + number, {}) for number in range(len(layers))]
    return Ledger.fill(players, known, read, None if first else facts.start, onward)


def _conclude(
    boards: Sequence[Board],
    setup: Setup,
    stretches: list[Stretch],
    first_layer: Mapping[State, _Node],
    ledgers: Sequence[Ledger],
    facts: Facts,
) -> Course:
    """Return the course that the ledgers of its parts give."""
    points: list[Ranges | None] = []
    likeliest: list[Mapping[str, int]] = []
    line: list[Way | None] = []
    contradicted: dict[tuple[int, str], Conflict] = {}
    unheeded: set[tuple[int, str]] = set()
    lines = [ledger.choose_line() for ledger in ledgers]
    for ledger, (_, passages) in zip(ledgers, lines, strict=True):
        first = len(points)
        line += [None] * (first > 0) + [passage.ways.first[0] for passage in passages]
        for number in range(len(ledger.pages) - 1):
            stretches[first + number] = replace(stretches[first + number], ways=ledger.list_ways(number))
        contradicted |= _find_fallen(points, first, facts.points) if first else {}
        contradicted |= {
            (first + number, player): replace(conflict, since=first + conflict.since)
            for (number, player), conflict in ledger.contradicted.items()
        }
        unheeded |= {(first + number, player) for number, player in ledger.unheeded}
        points += ledger.sum_points()
        start = dict(likeliest[-1]) if first else dict.fromkeys(setup.players, 0)
        for entry in _score_what_was_finished(boards[first - 1], boards[first], setup.rules) if first else ():
            if entry.player in start:
                start[entry.player] += entry.points
        likeliest += ledger.add_up(passages, start)
    starts = [lines[0][0], *(state for state, _ in ledgers[0].pages[0])]
    orders = dict.fromkeys(_get_order(first_layer[state].game) for state in starts if state is not None)
    return Course(
        setup.players,
        tuple(stretches),
        tuple(points),
        tuple(likeliest),
        tuple(orders),
        tuple(line),
        contradicted,
        facts.takings.list_idle(way for way in line if way is not None),
        frozenset(unheeded),
    )


def _find_fallen(
    points: Sequence[Ranges | None], first: int, stated: Mapping[int, Mapping[str, int]]
) -> dict[tuple[int, str], Conflict]:
    """Return each player's first points stated after moves without a known way, if they are fewer than before.

    `points` are those of all boards before the `first` one that such moves lead to.
    """
    fallen: dict[tuple[int, str], Conflict] = {}
    since = max((number for number, ranges in enumerate(points) if ranges is not None), default=None)
    for player, (least, _) in (points[since] or {}).items() if since is not None else ():
        number = min((number for number in stated if number >= first and player in stated[number]), default=None)
        if number is not None and stated[number][player] < least:
            fallen[number, player] = Conflict(since or 0, least, (least,), or_more=True)
    return fallen


def _start_layer(
    board: Board, setup: Setup, on_turn: str | None, ordered: bool, most: Points | None = None
) -> dict[State, _Node]:
    first, *rest = setup.players
    orders = [(first, *others) for others in permutations(rest)] if not ordered else [setup.players]
    games = (game for order in orders for game in enumerate_conjectures(replace(setup, players=order), board, on_turn))
    return {game.state: _Node(game, most) for game in games}


def _restart_layer(
    board: Board, setup: Setup, on_turn: str | None, ordered: bool, likely: Sequence[tuple[str, ...]]
) -> dict[State, _Node]:
    """Return the states of a new start in the middle of the game, those with the `likely` orders of players first; none
    if the board cannot be one.
    """
    try:
        layer = _start_layer(board, setup, on_turn, ordered)
    except PlayError:
        return {}
    orders = {order: rank for rank, order in reversed([*enumerate(likely)])}
    return dict(sorted(layer.items(), key=lambda item: orders.get(_get_order(item[1].game), len(orders))))


def _pass_turns(layer: Mapping[State, _Node], turns: int) -> list[tuple[str, ...]]:
    """Return the orders of players, starting with the one on turn, after some turns from the states of a board."""
    orders = (_get_order(node.game) for node in layer.values())
    return [order[turns % len(order) :] + order[: turns % len(order)] for order in orders]


def _give_turn(layer: Mapping[State, _Node], reached: Mapping[State, _Node], player: str) -> dict[State, _Node]:
    """Return the states that were reached from a layer, with that player on turn in each, and lead the ways there."""
    games = {state: node.game.pass_to(player) for state, node in reached.items()}
    for node in layer.values():
        onward: dict[State, dict[Points, Ways]] = {}
        for state, scored in node.onward.items():
            there = onward.setdefault(games[state].state, {})
            for points, ways in scored.items():
                there.setdefault(points, Ways()).add(ways.first, ways.number)
        node.onward = onward
    return {game.state: _Node(game, reached[state].most) for state, game in games.items()}


def _advance_layer(
    layer: Mapping[State, _Node], before: Board, after: Board, players: tuple[str, ...], takings: Takings
) -> tuple[dict[State, _Node], Stretch]:
    """Return the states in which the next board may be reached, and the stretch with its tiles and problems.

    Takings that were stated, and then the points that a wonder takes, give way if no turns agree with them.
    """
    problems = find_contradictions(before, after)
    if any(problem.code in TILE_CODES for problem in problems):
        return {}, Stretch(players, (), {}, problems)
    wanted = Difference.of(before.tiles, after, takings)
    if problems:
        return {}, Stretch(players, wanted.tiles, {}, problems)
    squares = tuple(square for tile in wanted.tiles for square in tile.placements)
    try:
        if next_layer := _reach(layer, wanted) or (_reach(layer, wanted.without_takings()) if wanted.made else {}):
            return next_layer, Stretch(players, wanted.tiles, {})
        for node in layer.values():
            node.most = None
        if next_layer := _reach(layer, wanted.without_takings()):
            return next_layer, Stretch(
                players, wanted.tiles, {}, (Problem("points_too_few", squares, _POINTS_TOO_FEW),)
            )
    except TooMuchPlayedError:
        problem = Problem("too_much_played", squares, "too much was played to try every way")
        return {}, Stretch(players, wanted.tiles, {}, (problem,))
    text = "no turns that the rules allow lead from the one board to the other"
    return {}, Stretch(players, wanted.tiles, {}, (Problem("no_way", squares, text),))


def _reach(layer: Mapping[State, _Node], wanted: Difference) -> dict[State, _Node]:
    """Return the states in which the next board may be reached, and enter the ways to them."""
    next_layer: dict[State, _Node] = {}
    budget = Budget()
    for node in layer.values():
        for state, reached in find_reachable_states(node.game, wanted, budget, node.most).items():
            following = next_layer.setdefault(state, _Node(reached.game))
            following.most = _find_most(following.most, node.most, reached.ways)
            node.onward[state] = reached.ways
    return next_layer


def _find_most(known: Points | None, before: Points | None, gains: Iterable[Points]) -> Points | None:
    """Return each player's maximum points after a stretch, given those `before` it and those `known` already."""
    if before is None:
        return None
    most = tuple(first + max(gained) for first, gained in zip(before, zip(*gains, strict=True), strict=True))
    return most if known is None else tuple(map(max, known, most))


def _get_order(game: Conjecture) -> tuple[str, ...]:
    """Return the players, starting with the one on turn."""
    players, first = game.setup.players, game.setup.players.index(game.on_turn)
    return players[first:] + players[:first]


def _score_what_was_finished(before: Board, after: Board, rules: Ruleset) -> Iterator[ScoreEntry]:
    """Yield the points of the features that were finished between 2 boards and whose pieces went home, by the pieces
    on the earlier board alone.
    """
    lying = [piece for piece in before.meeples if before.tiles.get(piece.square) == after.tiles.get(piece.square)]
    features = build_feature_map(Board(after.tiles, tuple(lying), box_rules=after.box_rules))
    finished = (feature for feature in features if feature.complete and feature.pieces)
    yield from score_completed_features((one for one in finished if not {*one.pieces} & {*after.meeples}), rules)


def find_contradictions(before: Board, after: Board) -> tuple[Problem, ...]:
    """Return the changes that no play explains: first those of tiles, and those of pieces only if the tiles are
    consistent.

    Codes: tiles_vanish, tile_changed, unknown_tile; piece_on_old_tile, piece_gone_early, piece_stays.
    """
    return tuple(_find_tile_contradictions(before, after)) or tuple(_find_piece_contradictions(before, after))


def _find_tile_contradictions(before: Board, after: Board) -> Iterator[Problem]:
    gone = tuple(square for square in before.tiles if square not in after.tiles)
    if gone:
        text = format_count(len(gone), "tile is", "tiles are") + " gone: a tile that was laid stays"
        yield Problem("tiles_vanish", gone, text)
    for square, placement in after.tiles.items():
        if placement is None:
            yield Problem("unknown_tile", (square,), "this tile is not known: correct it, and the game goes on")
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
        if piece not in pieces_after and not may_go and not features.is_complete_under(piece):
            yield Problem(
                "piece_gone_early", (piece.square,), f"{_name_piece(piece)} went home before its feature was complete"
            )
    for piece in after.meeples:
        if features.is_complete_under(piece):
            yield Problem("piece_stays", (piece.square,), f"{_name_piece(piece)} still stands on what is complete")


def _name_piece(piece: PlacedMeeple) -> str:
    return f"{piece.colour}'s {piece.kind}"
