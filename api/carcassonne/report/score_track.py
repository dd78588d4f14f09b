"""The players' points on the score track: as read from the photo, or as typed by a person."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest

from api.carcassonne.report.board import read_report_board
from api.documents.report import Problem, Report, Track, TrackPiece
from api.errors import TrackError
from scoring.carcassonne.board.board import Board
from scoring.carcassonne.board.features import build_feature_map
from scoring.carcassonne.final.rulesets import TODAY, Ruleset
from scoring.carcassonne.score_board.spaces import (
    compute_max_track_points,
    compute_min_track_points,
    list_possible_points,
)
from scoring.counts import format_choices, format_count
from scoring.player_colours import COLOURS, describe_unknown_colour
from vision.reading.values import TrackPiece as ReadTrackPiece
from vision.reading.values import TrackReading

Typed = Mapping[str, int]


def check_track_colours(typed: Typed, report: Report) -> None:
    """Raise TrackError for points of a colour that no player has."""
    colours = {*COLOURS, *(meeple.colour for meeple in report.board.meeples)}
    for colour in typed:
        if colour not in colours:
            raise TrackError("colour_unknown", details=describe_unknown_colour(colour, sorted(colours)))


def add_track_points(report: Report, typed: Typed, rules: Ruleset = TODAY) -> Report:
    """Return a copy of the report with `on_track` and `total` as far as known; raises TrackError.

    Typed points override the reading. A player without a piece on the board may be typed too, and is then listed with a
    final scoring of 0. Call it only once, since it adds to the report's problems. Unchanged parts are shared with the
    original.
    """
    check_track_colours(typed, report)
    players = sorted({*report.scores.final_scoring, *typed})
    scores = report.scores.model_copy(
        update={
            "final_scoring": {player: report.scores.final_scoring.get(player, 0) for player in players},
            "on_track": {player: typed.get(player) for player in players},
            "total": dict(report.scores.total),
        }
    )
    rules_of_report = report.rules.model_copy(update={"players": sorted({*report.rules.players, *typed})})
    board = report.board.model_copy(update={"problems": [*report.board.problems]})
    tracked_report = report.model_copy(update={"scores": scores, "rules": rules_of_report, "board": board})
    if tracked_report.track is not None:
        _read_from(tracked_report, tracked_report.track, [player for player in players if player not in typed], rules)
    for player, before in scores.on_track.items():
        scores.total[player] = None if before is None else before + scores.final_scoring[player]
    return tracked_report


def _read_from(report: Report, track: Track, players: Sequence[str], rules: Ruleset) -> None:
    """Fill in the points read from the score board for some players, and add a problem for each that is unclear."""
    board = read_report_board(report)
    feature_map = build_feature_map(board)
    most = compute_max_track_points(board, feature_map, rules)
    for player in players:
        pieces = [piece for piece in track.pieces if piece.colour == player]
        points = _points(pieces, compute_min_track_points(feature_map, player), most, track.lap, _held(track, player))
        if not points:
            may_have = _list_points_by_space(pieces, compute_min_track_points(feature_map, player), most, track.lap)
            report.board.problems.append(_not_read(player, pieces, most, may_have))
            continue
        report.scores.on_track[player] = points[0]
        if len(points) > 1:
            report.doubtful = True
            report.board.problems.append(_laps(player, pieces[0], points))
    report.board.problems += [*_strangers(track, report.scores.final_scoring), *_ownerless(track)]


def list_track_points(
    track: Track | TrackReading, board: Board, players: Iterable[str], rules: Ruleset = TODAY
) -> dict[str, tuple[int, ...]]:
    """Return the points that each player whose piece surely stands on one space may have, likeliest first."""
    features = build_feature_map(board)
    most = compute_max_track_points(board, features, rules)
    possible = {}
    for player in players:
        pieces = [piece for piece in track.pieces if piece.colour == player]
        least = compute_min_track_points(features, player)
        possible[player] = _points(pieces, least, most, track.lap, _held(track, player))
    return {player: points for player, points in possible.items() if points}


def _held(track: Track | TrackReading, player: str) -> int:
    """Sum the points of a player's certain tokens; 0 if any of that colour is in doubt."""
    tokens = [token for token in track.tokens if token.colour == player]
    return 0 if any(token.doubtful for token in tokens) else sum(token.points for token in tokens)


def _points(
    pieces: Sequence[TrackPiece | ReadTrackPiece], least: int, most: int | None, lap: int, token_points: int
) -> tuple[int, ...]:
    """List a player's possible points, likeliest first; empty unless exactly one piece surely stands on one space."""
    if len(pieces) != 1 or pieces[0].doubtful:
        return ()
    return list_possible_points(pieces[0].spaces[0], pieces[0].pose == "lying", least, most, lap, token_points)


def _list_points_by_space(pieces: Sequence[TrackPiece], least: int, most: int | None, lap: int) -> tuple[int, ...]:
    """List a player's possible points if the space is in doubt: the points of the spaces first, then further laps."""
    places = [(space, piece.pose == "lying") for piece in pieces for space in piece.spaces]
    possible = [list_possible_points(space, lying, least, most, lap) for space, lying in places]
    rounds = zip_longest(*possible)
    return tuple(dict.fromkeys(points for once in rounds for points in once if points is not None))


def _not_read(player: str, pieces: Sequence[TrackPiece], most: int | None, may_have: Sequence[int]) -> Problem:
    if not pieces:
        text = f"No piece of {player} was found on the score board."
        return _problem("track_piece_missing", text, {"player": player})
    where = _numbers(space for piece in pieces for space in piece.spaces)
    spaces = format_choices(str(space) for piece in pieces for space in piece.spaces)
    if len(pieces) > 1 or pieces[0].doubtful:
        text = f"The piece of {player} on the score board may stand on {spaces}."
        return _problem("track_not_sure", text, {"player": player, "spaces": where, "choices": _numbers(may_have)})
    bound = format_count(most or 0, "point")
    text = f"{player} on {spaces} of the score board is more than the board can have brought, at most {bound}."
    return _problem("track_too_many", text, {"player": player, "spaces": where, "most": most or 0})


def _laps(player: str, piece: TrackPiece, points: Sequence[int]) -> Problem:
    others = format_choices(str(other) for other in points[1:])
    likeliest = format_count(points[0], "point")
    text = f"{player} {piece.pose} on {piece.spaces[0]} of the score board is read as {likeliest}; going round"
    values: dict[str, int | str] = {
        "player": player,
        "space": piece.spaces[0],
        "points": points[0],
        "others": _numbers(points[1:]),
    }
    return _problem("track_laps_unknown", f"{text} it would be {others}.", values)


def _strangers(track: Track, players: Mapping[str, int]) -> Iterator[Problem]:
    """Yield problems for pieces of colours without a piece on the board: players with all meeples in hand, or
    misreadings.
    """
    for piece in track.pieces:
        if piece.colour not in players:
            spaces = format_choices(map(str, piece.spaces))
            text = f"A {piece.colour} piece may stand on {spaces} of the score board, but none on the board."
            yield _problem("track_stranger", text, {"player": piece.colour, "spaces": _numbers(piece.spaces)})


def _ownerless(track: Track) -> Iterator[Problem]:
    """Yield problems for tokens whose owner or value is not certain in the photo."""
    for token in track.tokens:
        if token.doubtful:
            text = f"The owner of the token of {format_count(token.points, 'point')} is not certain in the photo."
            yield Problem(code="token_not_sure", tiles=[], text=text, values={"points": token.points})


def _problem(code: str, text: str, values: dict[str, int | str]) -> Problem:
    typed = f"{text} Type it with --track {values['player']}=POINTS."
    return Problem(code=code, tiles=[], text=typed, values=values)


def _numbers(spaces: Iterable[int]) -> str:
    return ", ".join(map(str, spaces))
