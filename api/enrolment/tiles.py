"""Enrolment of tiles, from a photo with a board or from a reading that a person corrected.

A reading's board is its notation, as for `explain`; its list of tiles must agree, so that a partial correction is
noticed.
"""

from __future__ import annotations

import numpy as np

from api.carcassonne.report.board import read_report_board
from api.documents.report import Report
from scoring.carcassonne.board.board import Board
from scoring.carcassonne.board.notation import format_notation
from scoring.carcassonne.tiles.geometry import Square
from vision.arrays import Floats
from vision.enrolling.tiles import (
    BoardEnrolment,
    build_enrolment,
    build_misfit_error,
    build_unknown_board,
    enrol_board,
    select_tile_keys,
)
from vision.enrolment.prints import TileKey
from vision.errors import EnrolmentError
from vision.photo.crops import CORNERS
from vision.photo.decoding import Photo
from vision.reader import Reader


def enrol_photo(reader: Reader, name: str, photo: Photo, board: Board | None) -> BoardEnrolment:
    """Enrol the tiles of a photo, which lie as on the board in any rotation; raises WondertallyError."""
    survey = reader.look(photo)
    if board is None:
        raise EnrolmentError("order_unknown", details={"seen": format_notation(build_unknown_board(survey.squares))})
    return enrol_board(survey, board, reader.square_reader.catalogue, name)


def enrol_report(name: str, report: Report, photo: Photo, board: Board | None) -> BoardEnrolment:
    """Enrol the tiles of a reading as seen in its photo; a `board` on the same squares overrides the reading's tiles.

    Raises WondertallyError, ScoringError.
    """
    board = board or _parse_board(report)
    squares = [(tile.row, tile.col) for tile in report.board.tiles]
    if set(squares) != board.tiles.keys():
        raise build_misfit_error(squares, board)
    quads = compute_quads(report, (photo.width, photo.height))
    enrolment = build_enrolment(name, photo, quads, select_tile_keys(board))
    return BoardEnrolment(enrolment, origin=board.origin)


def preview_enrolment(report: Report) -> dict[Square, TileKey]:
    """Preview the tiles that `enrol_report` would learn from a report with a photo; raises EnrolmentError."""
    assert report.photo is not None
    quads = compute_quads(report, (report.photo.width, report.photo.height))
    return {square: key for square, key in select_tile_keys(_parse_board(report)).items() if square in quads}


def _parse_board(report: Report) -> Board:
    """Parse the board of the notation; raises EnrolmentError if the report lists other tiles."""
    board = read_report_board(report)
    for tile in report.board.tiles:
        placement = board.tiles.get((tile.row, tile.col))
        turn = (tile.turns - placement.turns) % placement.layout.symmetry if placement else 0
        if (tile.tile, tile.square) != ((placement.tile, placement.cell) if placement else (None, None)) or turn:
            raise EnrolmentError("report_disagrees", details={"square": [tile.row, tile.col], "where": tile.where})
    return board


def compute_quads(report: Report, size: tuple[int, int]) -> dict[Square, Floats]:
    """Compute the corners, in the board's orientation, of each square fully inside a photo of a size (width, height).

    The report lists corners in the print's order. A correction may just have changed how the print is turned, so the
    order is derived from the positions of the squares.
    """
    quads = {(tile.row, tile.col): np.array(tile.corners_px) for tile in report.board.tiles if tile.corners_px}
    if not quads:
        return {}
    at = np.array(list(quads), np.float64)[:, ::-1]
    middles = np.array([quad.mean(axis=0) for quad in quads.values()])
    axes = np.linalg.lstsq(at - at.mean(axis=0), middles - middles.mean(axis=0), rcond=None)[0]
    visible = {square: quad for square, quad in quads.items() if ((quad >= 0) & (quad <= size)).all()}
    return {square: _order_corners(quad, (CORNERS - 0.5) @ axes) for square, quad in visible.items()}


def _order_corners(quad: Floats, around: Floats) -> Floats:
    """Rotate the corners so that they best match the expected corners around the square's centre."""
    turned = [np.roll(quad, quarters, axis=0) for quarters in range(4)]
    return min(turned, key=lambda corners: float(np.abs(corners - corners.mean(axis=0) - around).sum()))
