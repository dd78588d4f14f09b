"""Pieces, roads, rows and columns that a wonder pays for, wherever they lie."""

from __future__ import annotations

from collections.abc import Iterator

from api.carcassonne.explain.words import Case, name_counted_piece, name_line
from api.documents.explanation import Counted
from api.documents.report import Report, Square
from api.i18n import Words
from scoring.carcassonne.board.board import PlacedMeeple
from scoring.carcassonne.board.features import Line, Run
from scoring.carcassonne.final.explain import WonderAccount
from scoring.carcassonne.final.wonders import LINE_POINTS, ROAD_POINTS, is_long_run


def list_counted(case: Case, report: Report, words: Words) -> Iterator[Counted]:
    """Yield everything that a wonder pays for, in the order of its sentences, all lines if it pays for long ones."""
    account = case.account.wonder
    if account is None:
        return
    yield from _list_pieces(case, account, report, words)
    for road in account.roads:
        yield _count(case, "road", road.label, ROAD_POINTS, road.squares, feature=road.id)
    for line in account.lines:
        yield _count_line(case, line, words)


def _list_pieces(case: Case, account: WonderAccount, report: Report, words: Words) -> Iterator[Counted]:
    each = int(account.worth.values["each"]) if account.counted and account.worth else 0
    free = list(range(len(report.board.meeples)))
    for piece in account.counted:
        index = next((number for number in free if _is_same(report, number, piece)), None)
        free = [number for number in free if number != index]
        feature = case.features.under(piece)
        name = name_counted_piece(case, piece, words)
        yield _count(case, "piece", name, each, (piece.square,), feature=feature.id if feature else "", meeple=index)


def _is_same(report: Report, number: int, piece: PlacedMeeple) -> bool:
    meeple = report.board.meeples[number]
    return (meeple.tile, meeple.colour, meeple.kind) == (piece.square, piece.colour, piece.kind)


def _count_line(case: Case, line: Line, words: Words) -> Counted:
    long = [run for run in line.runs if is_long_run(run)]
    squares = tuple(square for run in long or line.runs for square in _list_squares(line, run))
    name = name_line(line, case.board.origin, words)
    return _count(case, line.axis, name, LINE_POINTS if long else 0, squares)


def _list_squares(line: Line, run: Run) -> list[Square]:
    along = range(run.first, run.last + 1)
    return [(line.index, at) if line.axis == "row" else (at, line.index) for at in along]


def _count(
    case: Case,
    what: str,
    name: str,
    points: int,
    squares: tuple[Square, ...],
    feature: str = "",
    meeple: int | None = None,
) -> Counted:
    where = [case.board.name_square(square) for square in squares]
    return Counted.model_validate(
        {"what": what, "name": name, "points": points, "tiles": squares, "where": where}
        | {"feature": feature, "meeple": meeple}
    )
