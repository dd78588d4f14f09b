"""Open questions of a course in words, and the record of its likeliest moves."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from itertools import takewhile

from scoring.calibration import load_weights
from scoring.carcassonne.board.board import Board, PlacedWonder, Placement, Problem
from scoring.carcassonne.board.places import name_segment
from scoring.carcassonne.board.square_names import name_square, number_square
from scoring.carcassonne.play.game import Game
from scoring.carcassonne.play.moves import Laid, Move, Stand, Taking, Turn
from scoring.carcassonne.play.setup import Setup
from scoring.carcassonne.reconstruct.course import Course, Stretch
from scoring.carcassonne.reconstruct.moves import Points, Way
from scoring.carcassonne.record.record import Record, RecordedMove
from scoring.carcassonne.tiles.geometry import Square
from scoring.counts import format_count
from scoring.errors import PlayError
from scoring.percent import format_likelihood


def find_open_questions(stretch: Stretch, origin: Square, way: Way | None = None) -> tuple[Problem, ...]:
    """Return the questions that 2 boards leave open about the moves between them, naming squares from a board's origin.

    Codes: those of `find_contradictions`, no_way, too_much_played; assumed_piece for an unseen piece of the likeliest
    `way`; unseen_piece if the points depend on another one; order if the order of tiles, or the player of a tile, is
    unknown. The text states whether points depend on it.
    """
    if stretch.problems:
        return stretch.problems
    assumed = [] if way is None or stretch.is_settled else [*way.unseen()]
    turns = {(turn.move.player, turn.move.tile) for turn, _ in assumed}
    gains = {turn.move.tile: shares for turn, shares in zip(way.turns, way.gains, strict=True)} if way else {}
    return (
        *(_describe_assumed(turn, stand, gains[turn.move.tile][stand], origin) for turn, stand in assumed),
        *_find_unseen_pieces(stretch, origin, turns),
        *_find_open_order(stretch),
    )


def estimate_taking(gain: int) -> float:
    """Return the probability that a player takes points that a meeple in hand brings at once."""
    rate = load_weights("carcassonne", "habits")["taking"]["per_point"]
    return 1 / (1 + math.exp(-rate * gain))


def _describe_assumed(turn: Turn, stand: Stand, gain: int, origin: Square) -> Problem:
    where = _name_place(turn.move.tile.placements[stand.square], stand)
    text = f"assumed: {turn.move.player} set a {stand.kind} on the {where} of {name_square(stand.square, origin)} and "
    text += f"took it back for {format_count(gain, 'point')} ({format_likelihood(estimate_taking(gain))})"
    values = _name_values(turn, stand, origin) | {"points": gain, "percent": round(100 * estimate_taking(gain))}
    return Problem("assumed_piece", (stand.square,), text, values)


def _name_values(turn: Turn, stand: Stand, origin: Square) -> dict[str, int | str]:
    """Return the values that name an unseen piece in a text."""
    row, col = number_square(stand.square, origin)
    place = _name_place(turn.move.tile.placements[stand.square], stand)
    return {"player": turn.move.player, "piece": stand.kind, "place": place, "row": row, "col": col}


def _find_unseen_pieces(
    stretch: Stretch, origin: Square, assumed: Collection[tuple[str, Laid]] = ()
) -> Iterator[Problem]:
    """Yield each piece that may have been set and taken back, if the points depend on it, except in assumed turns."""
    if stretch.is_settled:
        return
    mentions: set[tuple[str, Stand]] = set()
    for points, way in _list_best_ways(stretch):
        for turn, stand in way.unseen():
            player = turn.move.player
            if (player, stand) not in mentions and (player, turn.move.tile) not in assumed:
                mentions.add((player, stand))
                where = _name_place(turn.move.tile.placements[stand.square], stand)
                text = f"{player} may have set a {stand.kind} on the {where} of {name_square(stand.square, origin)}"
                text += f" and taken it back: the points are then {describe_points(stretch.players, points)}"
                values = _name_values(turn, stand, origin) | {
                    f"points_{name}": number for name, number in zip(stretch.players, points, strict=True)
                }
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


def describe_points(players: Sequence[str], points: Points) -> str:
    """Return points by player in words: `blue 4, red 0`."""
    return ", ".join(f"{player} {number}" for player, number in zip(players, points, strict=True))


def _name_place(placement: Placement, stand: Stand) -> str:
    return name_segment(placement.layout, placement.turns, stand.segment)


def build_record(course: Course, board: Board, setup: Setup) -> tuple[Record, Problem | None]:
    """Return the record of the likeliest moves from the first board on, and the reason if it ends before the last one.

    Moves between boards that leave points open are marked. Raises PlayError if no game can start from it.
    """
    players = course.orders[0]
    points = course.likeliest[0] or {}
    start_points = tuple(points.get(player, 0) for player in players)
    start_setup = replace(
        setup, players=players, start=None, start_board=Board(board.tiles, board.meeples), points=start_points
    )
    game, moves = Game(start_setup), list[RecordedMove]()
    for stretch, way in zip(course.stretches, takewhile(lambda way: way is not None, course.line), strict=False):
        for turn in way.turns if way else ():
            try:
                played = game.play(_add_wonders(game, turn.move, course))
            except PlayError as error:
                return Record(start_setup, tuple(moves)), Problem("record_ends", (), f"the record ends: {error.text}")
            moves.append(RecordedMove(played.move, tuple(played.scores.values()), not stretch.is_settled))
    return Record(start_setup, tuple(moves)), None


def _add_wonders(game: Game, move: Move, course: Course) -> Move:
    """Return the move with the wonders that its points bring, namely those laid later; raise PlayError if one is
    unknown.
    """
    while claimants := game.claimants(move):
        wonders = {taking.wonder for taking in move.takes}
        later = (turn.move for way in course.line if way for turn in way.turns)
        layings = [(m.player, m.tile.layout.id) for m in later if isinstance(m.tile, PlacedWonder)]
        left = [
            (player, wonder)
            for player, wonder in layings
            if player in claimants and wonder in game.wonders_left and wonder not in wonders
        ]
        if not left:
            raise PlayError("wonder_not_told", f"which wonder {' or '.join(claimants)} took is not seen")
        move = replace(move, takes=(*move.takes, Taking(*left[0])))
    return move
