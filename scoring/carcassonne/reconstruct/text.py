"""Open questions of a course in words, and the record of the settled part of the game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from scoring.carcassonne.board.board import Board, PlacedWonder, Placement, Problem
from scoring.carcassonne.board.places import name_segment
from scoring.carcassonne.board.square_names import name_square, name_squares
from scoring.carcassonne.play.game import Game
from scoring.carcassonne.play.moves import Laid, Move, Stand, Taking, Turn
from scoring.carcassonne.play.setup import Setup
from scoring.carcassonne.reconstruct.course import Course, Stretch
from scoring.carcassonne.reconstruct.moves import Points, Way
from scoring.carcassonne.record.record import Record, RecordedMove
from scoring.carcassonne.tiles.geometry import Square
from scoring.errors import PlayError


def find_open_questions(stretch: Stretch, origin: Square) -> tuple[Problem, ...]:
    """Return the questions that 2 boards leave open about the moves between them, naming squares from a board's origin.

    Codes: those of `find_contradictions`, no_way, too_much_played;
    unseen_piece if the points depend on an unseen piece; order if the order of tiles, or the player of a tile, is
    unknown. The text states whether points depend on it.
    """
    return stretch.problems or (*_find_unseen_pieces(stretch, origin), *_find_open_order(stretch))


def _find_unseen_pieces(stretch: Stretch, origin: Square) -> Iterator[Problem]:
    """Yield each piece that may have been set and taken back, if the points depend on it."""
    if stretch.is_settled:
        return
    mentions: set[tuple[str, Stand]] = set()
    for points, way in _list_best_ways(stretch):
        for turn, stand in way.unseen():
            player = turn.move.player
            if (player, stand) not in mentions:
                mentions.add((player, stand))
                where = _name_place(turn.move.tile.placements[stand.square], stand)
                text = f"{player} may have set a {stand.kind} on the {where} of {name_square(stand.square, origin)}"
                text += f" and taken it back: the points are then {describe_points(stretch.players, points)}"
                yield Problem("unseen_piece", (stand.square,), text)


def _list_best_ways(stretch: Stretch) -> list[tuple[Points, Way]]:
    """Return the ways with fewest unseen pieces for each result in points."""
    pairs = []
    for points, ways in stretch.ways.items():
        least = min((way.hidden for way in ways.first), default=0)
        pairs += [(points, way) for way in ways.first if way.hidden == least]
    return pairs


def _find_open_order(stretch: Stretch) -> Iterator[Problem]:
    orders = {tuple((turn.move.player, turn.move.tile) for turn in way.turns) for _, way in _list_best_ways(stretch)}
    if len(orders) > 1:
        squares = tuple(square for tile in stretch.tiles for square in tile.placements)
        matters = "the points are the same" if stretch.is_settled else "the points may depend on it"
        whose = "the order of the tiles" if len(stretch.tiles) > 1 else "who laid the tile"
        yield Problem("order", squares, f"{whose} is not told; {matters}")


def describe_turn(turn: Turn, origin: Square) -> str:
    """Return a turn in words, naming squares from a board's origin.

    `blue lays K on row 1, column 2; sets a meeple on the city:W; blue 4 (finished city: ...)`.
    """
    move = turn.move
    tiles = [_describe_tile(move.extra, origin)] if move.extra else []
    parts = [f"{move.player} lays {' and '.join([*tiles, _describe_tile(move.tile, origin)])}"]
    placements = move.tile.placements
    parts += [f"sets a {stand.kind} on the {_name_place(placements[stand.square], stand)}" for stand in move.stands]
    parts += [f"marks it with the {move.marker.kind}"] * (move.marker.kind != "meeple")
    parts += ["takes the abbot back"] * move.recalls_abbot
    for piece in turn.returned:
        if piece.square not in placements:
            whose = "" if piece.colour == move.player else f"{piece.colour} "
            parts.append(f"{whose}takes the {piece.kind} back from {name_square(piece.square, origin)}")
    points = [f"{entry.player} {entry.points} ({entry.rule}: {entry.text})" for entry in turn.entries]
    return "; ".join(parts) + ("; " + ", ".join(points) if points else "") + ("; moves once more" if turn.again else "")


def describe_points(players: Sequence[str], points: Points) -> str:
    """Return points by player in words: `blue 4, red 0`."""
    return ", ".join(f"{player} {number}" for player, number in zip(players, points, strict=True))


def _describe_tile(tile: Laid, origin: Square) -> str:
    if isinstance(tile, PlacedWonder):
        return f"{tile.layout.name} on {name_squares(tile.squares, origin)}"
    layout = tile.placement.layout
    return f"{layout.letter or layout.id} turned {tile.placement.turns} on {name_square(tile.square, origin)}"


def _name_place(placement: Placement, stand: Stand) -> str:
    return name_segment(placement.layout, placement.turns, stand.segment)


def build_record(
    course: Course, board: Board, setup: Setup, points: Mapping[str, int]
) -> tuple[Record, Problem | None]:
    """Return the record from the first board to the first unsettled move, and the reason why it ends there.

    `points` are those at the first board. Raises PlayError if no game can start from it.
    """
    players = course.orders[0]
    start_points = tuple(points.get(player, 0) for player in players)
    start_setup = replace(
        setup, players=players, start=None, start_board=Board(board.tiles, board.meeples), points=start_points
    )
    game, moves = Game(start_setup), list[RecordedMove]()
    for stretch, way in zip(course.stretches, course.line, strict=False):
        if not stretch.is_settled:
            break
        for turn in way.turns:
            try:
                played = game.play(_add_wonders(game, turn.move, course))
            except PlayError as error:
                return Record(start_setup, tuple(moves)), Problem("record_ends", (), f"the record ends: {error.text}")
            moves.append(RecordedMove(played.move, tuple(played.scores.values())))
    return Record(start_setup, tuple(moves)), None


def _add_wonders(game: Game, move: Move, course: Course) -> Move:
    """Return the move with the wonders that its points bring, namely those laid later; raise PlayError if one is
    unknown.
    """
    while claimants := game.claimants(move):
        wonders = {taking.wonder for taking in move.takes}
        later = (turn.move for way in course.line for turn in way.turns)
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
