"""A person's word on a score board: where it lies in a photo of it, and where its spaces are.

    size_mm = [256, 180]
    corners_px = [[212, 140], [2790, 160], [2810, 1990], [190, 1960]]
    path = [[0, 2600, 1700], [8, 330, 1640], [13, 300, 230]]
    laps = 50

`corners_px` are the board's corners NW, NE, SE, SW (the photo's own where they are left out); `path` names some spaces
with the pixels of their middles: between two of them lie the others, evenly along a straight line of the board. `laps`
is how many points are once round (as many as there are spaces where it is left out).
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from datetime import date
from itertools import pairwise
from typing import Annotated

import cv2
import numpy as np
from numpy.typing import NDArray
from pydantic import Field, ValidationError

from vision.arrays import Floats
from vision.enrolment.score_boards import SPACES_MOST, TaughtScoreBoard
from vision.enrolment.store import check_name
from vision.errors import EnrolmentError
from vision.photo.crops import CORNERS
from vision.photo.decoding import Photo
from vision.printed.board import is_valid_quad, normalise_homography, project_points, rectify_picture
from vision.printed.detector import is_findable_board
from vision.printed.layout import Corners, Number, Part

APART_LEAST = 6.0
"""Millimetres between the middles of two spaces: no meeple stands on less."""
Side = Annotated[float, Field(ge=60, le=2000)]
Space = Annotated[int, Field(ge=0, lt=SPACES_MOST)]


class SpacesFile(Part):
    """What such a file holds."""

    size_mm: tuple[Side, Side]
    corners_px: Corners | None = None
    path: Annotated[tuple[tuple[Space, Number, Number], ...], Field(min_length=2)]
    laps: Annotated[int, Field(ge=2, le=SPACES_MOST)] | None = None


def build_score_board(name: str, photo: Photo, text: str) -> TaughtScoreBoard:
    """The score board that a photo shows and a file tells of.

    Raises EnrolmentError: `bad_name`, `spaces_invalid`, `bad_corners`, `spaces_not_in_order`, `space_off_board`,
    `spaces_too_near`, `laps_do_not_fit`, `print_too_plain`.
    """
    check_name(name)
    told = _parsed(text)
    numbers = [space for space, _, _ in told.path]
    if numbers[0] != 0 or any(after <= before for before, after in pairwise(numbers)):
        raise EnrolmentError("spaces_not_in_order", details={"spaces": numbers})
    lap = told.laps or numbers[-1] + 1
    if not numbers[-1] <= lap <= numbers[-1] + 1:
        raise EnrolmentError("laps_do_not_fit", details={"laps": lap, "last": numbers[-1]})
    size = (photo.width, photo.height)
    corners = np.array(told.corners_px if told.corners_px is not None else CORNERS * size, np.float64)
    if not is_valid_quad(corners, size):
        raise EnrolmentError("bad_corners", details={"corners": corners.tolist(), "photo": list(size)})
    spaces = _spaces(told, corners)
    picture = rectify_picture(photo.pixels, corners, told.size_mm)
    taught = TaughtScoreBoard(name, photo.file, date.today().isoformat(), picture, told.size_mm, spaces, lap)
    if not is_findable_board(taught.board):
        raise EnrolmentError("print_too_plain")
    return taught


def _parsed(text: str) -> SpacesFile:
    try:
        return SpacesFile.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as error:
        raise EnrolmentError("spaces_invalid", f"This is no TOML: {error}", {"key": ""}) from error
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(str(part) for part in first["loc"])
        raise EnrolmentError("spaces_invalid", f"{key}: {first['msg']}", {"key": key}) from error


def _spaces(told: SpacesFile, corners: Floats) -> Floats:
    """(n, 2) millimetres of all spaces' middles, 0 first."""
    source, target = corners.astype(np.float32), (CORNERS * told.size_mm).astype(np.float32)
    to_mm = normalise_homography(
        np.asarray(cv2.getPerspectiveTransform(source, target), np.float64), corners.mean(axis=0)
    )
    named = project_points(to_mm, np.array([(x, y) for _, x, y in told.path]))
    numbers = [space for space, _, _ in told.path]
    on_board = (named >= 0).all(axis=1) & (named <= told.size_mm).all(axis=1)
    if not on_board.all():
        raise EnrolmentError("space_off_board", details={"spaces": _those(numbers, np.logical_not(on_board))})
    every = np.arange(numbers[-1] + 1)
    spaces = np.stack([np.interp(every, numbers, named[:, axis]) for axis in (0, 1)], axis=1)
    away = np.linalg.norm(spaces[:, None] - spaces, axis=2) + np.where(np.eye(len(spaces)), APART_LEAST, 0.0)
    near = away.min(axis=1) < APART_LEAST
    if near.any():
        raise EnrolmentError("spaces_too_near", details={"spaces": _those(every.tolist(), near)})
    return spaces


def _those(numbers: Sequence[int], chosen: NDArray[np.bool_]) -> list[int]:
    return [number for number, own in zip(numbers, chosen, strict=True) if own]
