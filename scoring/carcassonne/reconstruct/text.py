"""Open questions of a course in words, and the record of its likeliest moves."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import takewhile

from scoring.carcassonne.board.board import Board, PlacedWonder, Problem
from scoring.carcassonne.board.places import name_segment
from scoring.carcassonne.board.square_names import name_square, number_square
from scoring.carcassonne.play.game import ABU_SIMBEL, Game
from scoring.carcassonne.play.moves import Laid, Move, PlacedTile, Stand, Taking, Turn
from scoring.carcassonne.play.setup import Setup
from scoring.carcassonne.reconstruct.course import Course, Stretch
from scoring.carcassonne.reconstruct.moves import Gain, Points, Way
from scoring.carcassonne.record.record import Record, RecordedMove
from scoring.carcassonne.tiles.geometry import Square
from scoring.counts import format_count
from scoring.errors import PlayError
from scoring.percent import format_likelihood

NOBODYS: Mapping[str, str] = {}
"""Owners of no wonder."""


def find_open_questions(stretch: Stretch, origin: Square, way: Way | None = None) -> tuple[Problem, ...]:
    """Return the questions that 2 boards leave open about the moves between them, naming squares from a board's origin.

    Codes: those of `find_contradictions`, no_way, points_too_few, too_much_played; assumed_piece for an unseen piece of
    the likeliest `way`; unseen_piece if the points depend on another one; order if the order of tiles, or the player of
    a tile, is unknown. The text states whether points depend on it.
    """
    if stretch.problems:
        return stretch.problems
    assumed = stretch.list_assumed(way)
    turns = {(turn.move.player, turn.move.tile) for turn, _ in assumed}
    gains = {turn.move.tile: shares for turn, shares in zip(way.turns, way.gains, strict=True)} if way else {}
    return (
        *(_describe_assumed(turn, stand, gains[turn.move.tile][stand], origin) for turn, stand in assumed),
        *_find_unseen_pieces(stretch, origin, turns),
        *_find_open_order(stretch),
    )


def _describe_assumed(turn: Turn, stand: Stand, gain: Gain, origin: Square) -> Problem:
    values, likely = _name_values(turn, stand, origin), 1 / (1 + math.exp(-gain.nats))
    text = f"assumed: {turn.move.player} set a {stand.kind} on the {values['place']} of "
    text += f"{name_square(stand.square, origin)} and took it back for {format_count(gain.points, 'point')} "
    text += f"({format_likelihood(likely)})"
    values |= {"points": gain.points, "percent": round(100 * likely)}
    return Problem("assumed_piece", (stand.square,), text, values)


def _name_values(turn: Turn, stand: Stand, origin: Square) -> dict[str, int | str]:
    """Return the values that name an unseen piece in a text."""
    row, col = number_square(stand.square, origin)
    placement = turn.move.tile.placements[stand.square]
    place = name_segment(placement.layout, placement.turns, stand.segment)
    return {"player": turn.move.player, "piece": stand.kind, "place": place, "row": row, "col": col}


def _find_unseen_pieces(
    stretch: Stretch, origin: Square, assumed: Collection[tuple[str, Laid]] = ()
) -> Iterator[Problem]:
    """Yield each piece that may have been set and taken back, if the points depend on it, except in assumed turns."""
    mentions: set[tuple[str, Stand]] = set()
    for points, way in _list_best_ways(stretch):
        for turn, stand in stretch.list_assumed(way):
            player = turn.move.player
            if (player, stand) not in mentions and (player, turn.move.tile) not in assumed:
                mentions.add((player, stand))
                values = _name_values(turn, stand, origin)
                text = f"{player} may have set a {stand.kind} on the {values['place']} of "
                text += f"{name_square(stand.square, origin)} and taken it back: the points are then "
                text += _describe_points(stretch.players, points)
                values |= {f"points_{name}": number for name, number in zip(stretch.players, points, strict=True)}
                yield Problem("unseen_piece", (stand.square,), text, values)


def _list_best_ways(stretch: Stretch) -> list[tuple[Points, Way]]:
    """Return the likeliest ways for each result in points."""
    pairs = []
    for points, ways in stretch.ways.items():
        best = min((way.rank for way in ways.first), default=(0, 0))
        pairs += [(points, way) for way in ways.first if way.rank == best]
    return pairs


def _find_open_order(stretch: Stretch) -> Iterator[Problem]:
    orders = {tuple((turn.move.player, turn.move.tile) for turn in way.turns) for _, way in _list_best_ways(stretch)}
    if len(orders) > 1:
        squares = tuple(square for tile in stretch.tiles for square in tile.placements)
        matters = "the points are the same" if stretch.is_settled else "the points may depend on it"
        whose = "the order of the tiles" if len(stretch.tiles) > 1 else "who laid the tile"
        yield Problem("order", squares, f"{whose} is not told; {matters}")


def _describe_points(players: Sequence[str], points: Points) -> str:
    """Return points by player in words: `blue 4, red 0`."""
    return ", ".join(f"{player} {number}" for player, number in zip(players, points, strict=True))


def build_record(
    course: Course, board: Board, setup: Setup, owners: Mapping[str, str] = NOBODYS
) -> tuple[Record, tuple[Problem, ...]]:
    """Return the record of the likeliest moves from the first board on, and what it leaves open.

    Moves between boards that leave points open are marked. `owners` are players who took a wonder, by its id. Codes:
    wonder_taken if it is not known which wonder a player took; record_ends if the record ends before the last board.
    Raises PlayError if no game can start from the first board.
    """
    players = course.orders[0]
    start_points = tuple(course.likeliest[0].get(player, 0) for player in players)
    start_setup = replace(
        setup, players=players, start=None, start_board=Board(board.tiles, board.meeples), points=start_points
    )
    game, moves, problems = Game(start_setup), list[RecordedMove](), list[Problem]()
    line = [*takewhile(lambda way: way is not None, course.line)]
    left = [turn.move for way in line if way is not None for turn in way.turns]
    for stretch, way in zip(course.stretches, line, strict=False):
        for turn in way.turns if way else ():
            move, left = left[0], left[1:]
            try:
                move, unknown = _add_wonders(game, _keep_tile(game, move, left), course, owners)
                played = game.play(move)
            except PlayError as error:
                problems.append(Problem("record_ends", (), f"the record ends: {error.text}"))
                return Record(start_setup, tuple(moves)), tuple(problems)
            problems += [_ask_for_wonder(player, turn) for player in unknown]
            is_open = bool(unknown) or not stretch.is_settled
            moves.append(RecordedMove(played.move, tuple(played.scores.values()), is_open))
    return Record(start_setup, tuple(moves)), tuple(problems)


def _keep_tile(game: Game, move: Move, later: Sequence[Move]) -> Move:
    """Return the move with the tile that the owner of Abu Simbel keeps, which no board shows: the one laid next, or
    else one that nobody lays later.
    """
    if isinstance(move.tile, PlacedWonder) or game.in_effect(ABU_SIMBEL) != move.player:
        return move
    plain = [(other.player, other.tile.placement.layout.id) for other in later if isinstance(other.tile, PlacedTile)]
    spare = Counter(game.supply.left()) - Counter(tile for _, tile in plain)
    laid = move.tile.placement.layout.id
    tiles = (*(tile for player, tile in plain if player == move.player), *spare - Counter([laid]))
    return replace(move, keeps=next(iter(tiles), None))


def _ask_for_wonder(player: str, turn: Turn) -> Problem:
    """Ask which wonder a player took in a turn."""
    text = f"{player} has the points for a wonder: which one did {player} take?"
    return Problem("wonder_taken", tuple(turn.move.tile.placements), text, {"player": player})


def _add_wonders(game: Game, move: Move, course: Course, owners: Mapping[str, str]) -> tuple[Move, list[str]]:
    """Return the move with the wonders that its points bring, and the players whose wonder is not known.

    They take those that they lay later, or are stated to own; else one that nobody does.
    """
    unknown: list[str] = []
    later = (turn.move for way in course.line if way for turn in way.turns)
    layings = [(m.player, m.tile.layout.id) for m in later if isinstance(m.tile, PlacedWonder)]
    stated = [(player, wonder) for wonder, player in owners.items()]
    while claimants := game.claimants(move):
        free = [wonder for wonder in game.wonders_left if wonder not in {taking.wonder for taking in move.takes}]
        known = [(player, wonder) for player, wonder in (*layings, *stated) if wonder in free and player in claimants]
        if not known:
            unknown.append(claimants[0])
            others = {wonder for _, wonder in (*layings, *stated)}
            known = [(claimants[0], wonder) for wonder in free if wonder not in others]
        if not known:
            raise PlayError("wonder_not_told", f"which wonder {' or '.join(claimants)} took is not seen")
        move = replace(move, takes=(*move.takes, Taking(*known[0])))
    return move, unknown
