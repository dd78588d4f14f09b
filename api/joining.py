"""The report of several photos of one table, and how it looks in each of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from api.borders import board_seen
from api.document import MeepleSeen, Problem, Report, SetAside, TileSeen
from api.report import build_report, outlines, photo_info, points
from scoring.carcassonne import features as found
from scoring.carcassonne.board import Board
from scoring.carcassonne.rulesets import TODAY, Ruleset
from vision.errors import ReadingError
from vision.joined import JoinedReading, View


def build_joined_report(joined: JoinedReading, rules: Ruleset = TODAY) -> Report:
    """The report in the pixels of the first photo, which shows most; of one photo alone, that photo's own.

    Photos that do not join are problems of the board, and put its score in doubt: they may show more of it.
    """
    main, *others = joined.views
    report = build_report(main.photo, main.reading, rules, _board_seen(joined.views) if others else None)
    if others:
        _name_photos(report, joined.views)
    report.board.problems += [
        Problem(code=e.code, tiles=[], text=f"{e.details['file']}: {e.text}") for e in joined.apart
    ]
    report.set_aside += [SetAside(file=error.details["file"], reason=error.code) for error in joined.apart]
    report.doubtful = report.doubtful or any(_may_matter(error) for error in joined.apart)
    decoded = sum(view.photo.decode_ms for view in others)
    for stage in ("decode", "total"):
        report.timing_ms[stage] = round(report.timing_ms[stage] + decoded, 1)
    return report


def in_photo(report: Report, view: View) -> Report:
    """The same report in the pixels of another of its photos; squares that this one does not show have no corners."""
    turned = report.model_copy(deep=True)
    turned.photo = photo_info(view.photo)
    features = found.features(Board.from_notation(report.board.notation))
    for feature, outline in zip(turned.features, outlines(features, view.reading.warp), strict=True):
        feature.outline_px = outline
    for tile, read in zip(turned.board.tiles, view.reading.tiles, strict=True):
        tile.corners_px = points(read.corners_px) if (tile.row, tile.col) in view.squares else None
    for i, (meeple, stands) in enumerate(zip(turned.board.meeples, view.reading.meeples, strict=True)):
        meeple.foot_px = points(stands.foot_px)[0] if i in view.meeples else None
    return turned


def numbered(path: Path, number: int) -> Path:
    """Where the picture of a further photo is written, beside that of the first: `score.jpg`, `score-2.jpg`."""
    return path if number == 1 else path.with_stem(f"{path.stem}-{number}")


def _may_matter(error: ReadingError) -> bool:
    return error.code == "photos_do_not_join"


def _board_seen(views: Sequence[View]) -> Board:
    """The board as read, with the squares beside it that no photo shows."""
    seen = [board_seen(view.photo, view.reading) for view in views]
    return replace(seen[0], unseen=frozenset.intersection(*(board.unseen for board in seen)))


def _name_photos(report: Report, views: Sequence[View]) -> None:
    """Name the photos, and on each square and meeple those that show it."""
    report.photos = [photo_info(view.photo) for view in views]
    for i, tile in enumerate(report.board.tiles):
        tile.seen = [
            TileSeen(photo=n, corners_px=points(views[n].reading.tiles[i].corners_px))
            for n in _best_first([((tile.row, tile.col) in v.squares, (tile.row, tile.col) in v.best) for v in views])
        ]
    for i, meeple in enumerate(report.board.meeples):
        meeple.seen = [
            MeepleSeen(photo=n, foot_px=points(views[n].reading.meeples[i].foot_px)[0])
            for n in _best_first([(i in v.meeples, i in v.best_meeples) for v in views])
        ]


def _best_first(shown: Sequence[tuple[bool, bool]]) -> Iterator[int]:
    """The numbers of the photos that show something, from whether each does, and whether it does so best."""
    yield from sorted((n for n, (does, best) in enumerate(shown) if does or best), key=lambda n: not shown[n][1])
