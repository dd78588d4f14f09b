"""The report of several photos of one table, and its projection to each of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from api.carcassonne.report.board import read_report_board
from api.carcassonne.report.builder import build_reading_report, project_outlines
from api.documents.report import (
    Apart,
    MeepleSeen,
    PhotoInfo,
    Point,
    Problem,
    Report,
    SetAside,
    Square,
    Tile,
    TileSeen,
    round_points,
)
from scoring.carcassonne.board.board import Board
from scoring.carcassonne.board.features import build_feature_map
from scoring.carcassonne.doubt.relevance import ScoreDoubts
from scoring.carcassonne.final.rulesets import TODAY, Ruleset
from scoring.carcassonne.final.table import Table
from vision.geometry.rectification import apply_homography
from vision.multiview.reading import JoinedReading, View
from vision.reading.board import build_board
from vision.reading.values import Reading, Warp
from vision.survey.photo_border import find_squares_unseen_by_all


@dataclass(frozen=True, slots=True, eq=False)
class PhotoView:
    """The reading of the whole board in the pixels of one photo.

    `squares` and `meeples` (by index) are those visible in it, `best` and `best_meeples` those that no other photo
    shows better; `bare` are squares beside the board that the photo's border cuts and that are nevertheless known to be
    empty.
    """

    photo: PhotoInfo
    decode_ms: float
    reading: Reading
    squares: frozenset[Square]
    meeples: frozenset[int]
    best: frozenset[Square]
    best_meeples: frozenset[int]
    bare: frozenset[Square]


def build_photo_view(view: View) -> PhotoView:
    """Build the photo view of a view of the board."""
    return PhotoView(
        photo=PhotoInfo.copy_of(view.photo),
        decode_ms=view.photo.decode_ms,
        reading=view.reading,
        squares=view.squares,
        meeples=view.meeples,
        best=view.best,
        best_meeples=view.best_meeples,
        bare=view.bare,
    )


_CORNERS = ((0, 0), (0, 1), (1, 1), (1, 0))
"""Offsets (down, right) of a square's corners NW, NE, SE and SW from its own node."""


def build_joined_report(joined: JoinedReading, rules: Ruleset = TODAY, table: Table | None = None) -> Report:
    """Build the report in the pixels of the first photo, which shows most of the board.

    Photos that could not be joined are problems of the board and put its score in doubt: they may show more of it.
    """
    return build_report_from_views(
        [build_photo_view(view) for view in joined.views], list(list_unjoined_photos(joined)), rules, table
    )


def build_report_from_views(
    views: Sequence[PhotoView],
    apart: Sequence[Apart],
    rules: Ruleset = TODAY,
    table: Table | None = None,
    doubts: ScoreDoubts | None = None,
) -> Report:
    """Build the report of photo views, without pixels; `apart` are the photos that were not joined."""
    main, *others = views
    report = build_reading_report(
        main.photo, main.decode_ms, main.reading, build_joined_board(views), rules, table, doubts
    )
    if others:
        _name_photos(report, views)
    report.board.problems += [
        Problem(code=photo.code, tiles=[], text=f"{photo.file}: {photo.text}", values={"file": photo.file})
        for photo in apart
    ]
    report.set_aside += [SetAside(file=photo.file, reason=photo.code) for photo in apart]
    report.doubtful = report.doubtful or any(_may_matter(photo) for photo in apart)
    decoded = sum(view.decode_ms for view in others)
    for stage in ("decode", "total"):
        report.timing_ms[stage] = round(report.timing_ms[stage] + decoded, 1)
    return report


def build_joined_board(views: Sequence[PhotoView]) -> Board:
    """Build the board as read, with the neighbouring squares that no photo shows."""
    unseen = find_squares_unseen_by_all((view.reading, view.bare) for view in views)
    return replace(build_board(views[0].reading), unseen=unseen)


def list_unjoined_photos(joined: JoinedReading) -> Iterator[Apart]:
    """Yield the photos that were not joined."""
    return (Apart(file=error.details["file"], code=error.code, text=error.text) for error in joined.apart)


def project_report(report: Report, view: View | PhotoView) -> Report:
    """Project a report to another of its photos; squares that this photo does not show have no corners."""
    tiles, meeples = view.reading.tiles, view.reading.meeples
    frame = Frame(
        view.photo if isinstance(view, PhotoView) else PhotoInfo.copy_of(view.photo),
        view.reading.warp,
        [round_points(tile.corners_px) if (tile.row, tile.col) in view.squares else None for tile in tiles],
        [round_points(stands.foot_px)[0] if i in view.meeples else None for i, stands in enumerate(meeples)],
    )
    return project_onto(report, frame)


def turn_report(report: Report, number: int) -> Report:
    """Project a report to its photo of that number, using only the report's own data."""
    if number == 0:
        return report
    tiles, meeples = report.board.tiles, report.board.meeples
    corners = [next((at.corners_px for at in tile.seen or () if at.photo == number), None) for tile in tiles]
    feet = [next((at.foot_px for at in meeple.seen or () if at.photo == number), None) for meeple in meeples]
    return project_onto(report, Frame(report.photos[number], _build_warp(tiles, corners), corners, feet))


@dataclass(frozen=True, slots=True)
class Frame:
    """A picture with its lattice, and the report's tiles and meeples in order, None for any that it does not show.

    `photo` is None for a drawing.
    """

    photo: PhotoInfo | None
    warp: Warp
    corners: Sequence[list[Point] | None]
    feet: Sequence[Point | None]


def _build_warp(tiles: Sequence[Tile], corners: Sequence[list[Point] | None]) -> Warp:
    """Build a photo's warp from the corners of the tiles it shows, averaged at each node."""
    meeting: dict[Square, list[Point]] = {}
    for tile, ring in zip(tiles, corners, strict=True):
        for number, corner in enumerate(ring or ()):
            down, right = _CORNERS[(number + tile.turns) % 4]
            meeting.setdefault((tile.row + down, tile.col + right), []).append(corner)
    nodes = {node: (float(x), float(y)) for node, at in meeting.items() for x, y in [np.mean(at, axis=0)]}
    lattice = np.array([(col, row) for row, col in nodes], float)
    homography, _ = cv2.findHomography(lattice, np.array(list(nodes.values()), float), 0)
    return Warp(np.asarray(homography, np.float64), nodes)


def project_onto(report: Report, frame: Frame) -> Report:
    """Project a report to a picture."""
    turned = report.model_copy(deep=True)
    turned.photo = frame.photo
    features = build_feature_map(read_report_board(report))
    for feature, outline in zip(turned.features, project_outlines(features, frame.warp), strict=True):
        feature.outline_px = outline
    for tile, ring in zip(turned.board.tiles, frame.corners, strict=True):
        tile.corners_px = ring
    for meeple, foot in zip(turned.board.meeples, frame.feet, strict=True):
        meeple.foot_px = foot
    corners = [{(tile.row, tile.col): tile.corners_px for tile in photo.board.tiles} for photo in (report, turned)]
    for doubt in turned.doubts:
        here, there = (quads.get(doubt.square) for quads in corners)
        doubt.feet_px = carry_points(doubt.feet_px, here, there) if here and there and doubt.about != "player" else []
    if report.track is not None and report.track.file:
        return turned
    if report.track is not None and report.photos and turned.photo != report.photos[report.track.photo]:
        turned.track = None  # its pixels belong to another photo
    return turned


def carry_points(points: Sequence[Point], here: Sequence[Point], there: Sequence[Point]) -> list[Point]:
    """Project points beside a square from one photo to another, given the square's corners in both."""
    if not points:
        return []
    matrix = cv2.getPerspectiveTransform(np.array(here, np.float32), np.array(there, np.float32))
    return round_points(apply_homography(np.asarray(matrix, np.float64), np.array(points, np.float64)))


def _may_matter(apart: Apart) -> bool:
    return apart.code == "photos_do_not_join"


def _name_photos(report: Report, views: Sequence[PhotoView]) -> None:
    """Add the photos to the report, and to each square and meeple the photos that show it."""
    report.photos = [view.photo for view in views]
    for i, tile in enumerate(report.board.tiles):
        tile.seen = [
            TileSeen(photo=n, corners_px=round_points(views[n].reading.tiles[i].corners_px))
            for n in _best_first([((tile.row, tile.col) in v.squares, (tile.row, tile.col) in v.best) for v in views])
        ]
    for i, meeple in enumerate(report.board.meeples):
        meeple.seen = [
            MeepleSeen(photo=n, foot_px=round_points(views[n].reading.meeples[i].foot_px)[0])
            for n in _best_first([(i in v.meeples, i in v.best_meeples) for v in views])
        ]


def _best_first(visibility: Sequence[tuple[bool, bool]]) -> Iterator[int]:
    """Yield the indices of the photos that show something, the best first, from (shown, shown best) pairs."""
    yield from sorted(
        (n for n, (does, best) in enumerate(visibility) if does or best), key=lambda n: not visibility[n][1]
    )
