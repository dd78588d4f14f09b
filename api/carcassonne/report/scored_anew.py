"""A report scored again without its photo: it keeps the photo's data, and its doubts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator

from api.documents.forms import OPEN_CODES
from api.documents.report import Board, Doubt, Feature, Meeple, Problem, Report, Tile
from scoring.carcassonne.doubt.relevance import CONFIDENCE_SURE


def carry_reading(report: Report, read: Report, typed: Collection[str]) -> Report:
    """Return a copy of a board's report with the photos and doubts of the report it was `read` in.

    Open points of the score board stay open unless they are `typed`. The points of a doubt are kept only if the final
    scoring is unchanged; under other rules or for another table they are unknown.
    """
    points = {player: value for player, value in report.scores.final_scoring.items() if value or player not in typed}
    rules = [(each.rules.edition, _list_ignored_boxes(each)) for each in (report, read)]
    is_same = rules[0] == rules[1] and points.items() <= read.scores.final_scoring.items()
    problems = list(_list_open_problems(read, typed))
    confidence = read.scores.confidence
    is_unsure = bool(problems or read.doubts) or (confidence is not None and confidence < CONFIDENCE_SURE)
    doubts = read.doubts if is_same else [_drop_points(doubt) for doubt in read.doubts]
    carried = report.model_copy(
        update={
            "photo": read.photo,
            "photos": read.photos,
            "track": read.track,
            "board": _carry_board(report.board, read.board, problems),
            "features": _carry_outlines(report.features, read.features),
            "scores": report.scores.model_copy(update={"confidence": confidence}),
            "doubts": doubts,
            "doubtful": report.doubtful or (read.doubtful and is_unsure),
            "set_aside": read.set_aside,
        }
    )
    return carried.name_squares()


def _list_ignored_boxes(report: Report) -> set[str]:
    return {box for box, played in report.rules.box_rules.items() if not played}


def _carry_board(board: Board, read: Board, problems: list[Problem]) -> Board:
    """Return a board with the tiles and meeples as read, where they are the same."""
    tiles = {_identify_tile(tile): tile for tile in read.tiles}
    standing = defaultdict(list)
    for meeple in read.meeples:
        standing[_identify_meeple(meeple)].append(meeple)
    meeples = [_carry_meeple(meeple, standing[_identify_meeple(meeple)]) for meeple in board.meeples]
    return board.model_copy(
        update={
            "tiles": [tiles.get(_identify_tile(tile), tile) for tile in board.tiles],
            "meeples": meeples,
            "problems": [*board.problems, *problems],
        }
    )


def _carry_meeple(meeple: Meeple, standing: list[Meeple]) -> Meeple:
    return standing.pop(0).model_copy(update={"feature": meeple.feature}) if standing else meeple


def _identify_tile(tile: Tile) -> tuple[int, int, str | None, int | None, int]:
    return tile.row, tile.col, tile.tile, tile.square, tile.turns


def _identify_meeple(meeple: Meeple) -> tuple[tuple[int, int], str, str, str, str | None]:
    return meeple.tile, meeple.colour, meeple.kind, meeple.pose, meeple.feature


def _carry_outlines(features: list[Feature], read: list[Feature]) -> list[Feature]:
    """Return features with their outlines in the photo, where they have the same squares as read."""
    outlines = {(feature.id, feature.kind, tuple(feature.tiles)): feature.outline_px for feature in read}
    return [
        feature.model_copy(update={"outline_px": outlines.get((feature.id, feature.kind, tuple(feature.tiles)))})
        for feature in features
    ]


def _list_open_problems(read: Report, typed: Collection[str]) -> Iterator[Problem]:
    """Yield the problems that only the photos can show: uncertain points on a score board, and unjoined photos."""
    apart = {photo.reason for photo in read.set_aside}
    for problem in read.board.problems:
        is_open = problem.code in OPEN_CODES and problem.values.get("player") not in typed
        if is_open or problem.code in apart:
            yield problem


def _drop_points(doubt: Doubt) -> Doubt:
    return doubt.model_copy(update={"final_scoring": None})
