"""A person's description of a score board: its place in a photo, and its spaces.

    size_mm = [256, 180]
    corners_px = [[212, 140], [2790, 160], [2810, 1990], [190, 1960]]
    path = [[0, 2600, 1700], [8, 330, 1640], [13, 300, 230]]
    laps = 50

`corners_px` are the board's corners NW, NE, SE, SW (by default the photo's own). `path` names some spaces with the
pixels of their middles: the spaces between two of them are spread evenly along a straight line of the board. `laps` is
the number of points in a lap (by default the number of spaces).
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from itertools import pairwise
from typing import Annotated

import cv2
import numpy as np
from numpy.typing import NDArray
from pydantic import Field, ValidationError

from scoring.documents import DocumentError, parse_toml
from vision.arrays import Floats
from vision.enrolment.score_boards import MAX_SPACES, EnrolledScoreBoard
from vision.enrolment.store import check_name
from vision.errors import EnrolmentError
from vision.flat_boards.board import is_valid_quad, normalise_homography, project_points, rectify_picture
from vision.flat_boards.detector import is_findable_board
from vision.flat_boards.layout import Corners, Part, Pixel, SideMm
from vision.photo.crops import CORNERS
from vision.photo.decoding import Photo

MIN_SPACING_MM = 6.0
"""Minimum distance between the middles of two spaces: no meeple stands on less. A guess."""
Space = Annotated[int, Field(ge=0, lt=MAX_SPACES)]


class SpacesFile(Part):
    """The contents of such a file."""

    size_mm: tuple[SideMm, SideMm]
    corners_px: Corners | None = None
    path: Annotated[tuple[tuple[Space, Pixel, Pixel], ...], Field(min_length=2, max_length=MAX_SPACES)]
    laps: Annotated[int, Field(ge=2, le=MAX_SPACES)] | None = None


def build_score_board(name: str, photo: Photo, text: str) -> EnrolledScoreBoard:
    """Build the score board that a photo shows and a file describes.

    Raises EnrolmentError: `bad_name`, `spaces_invalid`, `bad_corners`, `spaces_not_in_order`, `space_off_board`,
    `spaces_too_near`, `laps_do_not_fit`, `print_too_plain`.
    """
    check_name(name)
    spaces_file = _parse_file(text)
    numbers = [space for space, _, _ in spaces_file.path]
    if numbers[0] != 0 or any(after <= before for before, after in pairwise(numbers)):
        raise EnrolmentError("spaces_not_in_order", details={"spaces": numbers})
    lap = spaces_file.laps or numbers[-1] + 1
    if not numbers[-1] <= lap <= numbers[-1] + 1:
        raise EnrolmentError("laps_do_not_fit", details={"laps": lap, "last": numbers[-1]})
    size = (photo.width, photo.height)
    corners = np.array(spaces_file.corners_px if spaces_file.corners_px is not None else CORNERS * size, np.float64)
    if not is_valid_quad(corners, size):
        raise EnrolmentError("bad_corners", details={"corners": corners.tolist(), "photo": list(size)})
    spaces = _compute_spaces(spaces_file, corners)
    picture = rectify_picture(photo.pixels, corners, spaces_file.size_mm)
    enrolled = EnrolledScoreBoard(name, photo.file, date.today().isoformat(), picture, spaces_file.size_mm, spaces, lap)
    if not is_findable_board(enrolled.board):
        raise EnrolmentError("print_too_plain")
    return enrolled


def _parse_file(text: str) -> SpacesFile:
    try:
        return SpacesFile.model_validate(parse_toml(text))
    except DocumentError as error:
        raise EnrolmentError("spaces_invalid", f"Invalid TOML: {error}", {"key": error.key}) from error
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"])
        raise EnrolmentError("spaces_invalid", f"{key}: {first['msg']}", {"key": key}) from error


def _compute_spaces(spaces_file: SpacesFile, corners: Floats) -> Floats:
    """Compute (n, 2) millimetres of all spaces' middles, 0 first."""
    source, target = corners.astype(np.float32), (CORNERS * spaces_file.size_mm).astype(np.float32)
    to_mm = normalise_homography(
        np.asarray(cv2.getPerspectiveTransform(source, target), np.float64), corners.mean(axis=0)
    )
    named = project_points(to_mm, np.array([(x, y) for _, x, y in spaces_file.path]))
    numbers = [space for space, _, _ in spaces_file.path]
    on_board = (named >= 0).all(axis=1) & (named <= spaces_file.size_mm).all(axis=1)
    if not on_board.all():
        raise EnrolmentError("space_off_board", details={"spaces": _select_numbers(numbers, np.logical_not(on_board))})
    every = np.arange(numbers[-1] + 1)
    spaces = np.stack([np.interp(every, numbers, named[:, axis]) for axis in (0, 1)], axis=1)
    away = np.linalg.norm(spaces[:, None] - spaces, axis=2) + np.where(np.eye(len(spaces)), MIN_SPACING_MM, 0.0)
    near = away.min(axis=1) < MIN_SPACING_MM
    if near.any():
        raise EnrolmentError("spaces_too_near", details={"spaces": _select_numbers(every.tolist(), near)})
    return spaces


def _select_numbers(numbers: Sequence[int], chosen: NDArray[np.bool_]) -> list[int]:
    return [number for number, is_chosen in zip(numbers, chosen, strict=True) if is_chosen]
