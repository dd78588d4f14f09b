"""The positions on a printed board in millimetres: the part of a components file for vision.

    [pictures.board]
    size_mm = [560, 560]

    [layout.marker]
    at = [512.0, 40.0]
    radius = 9.0

A region is a circle (`at`, `radius`), a rectangle (`at` its centre, `size`, optionally `turned` clockwise in degrees)
or a polygon (`points`); x grows to the right and y down from the board's north-west corner. The content of `[layout]`
is defined by each game's model.
"""

from __future__ import annotations

from typing import Annotated, TypeVar

import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from scoring.documents import DocumentError, parse_toml
from scoring.spots.components import ComponentsError
from vision.arrays import Floats
from vision.photo.decoding import MAX_SIDE_PX

CIRCLE_POINTS = 32
"""Number of corners that approximate a circle. Bounds time."""
PRINTED = "on the board"

MIN_SIDE_MM, MAX_SIDE_MM = 60.0, 2000.0
"""Range of the sides of a game's board. A guess."""
MAX_GRID_LINES = 40
"""Maximum number of lines of a grid, and of squares in each. Bounds memory."""
MAX_PARTS = 200
"""Maximum number of parts of a layout, of marks of a draft, and of corners of either. Bounds memory."""

SideMm = Annotated[float, Field(ge=MIN_SIDE_MM, le=MAX_SIDE_MM)]
Number = Annotated[float, Field(ge=-MAX_SIDE_MM, le=MAX_SIDE_MM, allow_inf_nan=False)]
"""A coordinate on a board, or a rotation, bounded by the size of the largest board."""
Length = Annotated[float, Field(gt=0, le=MAX_SIDE_MM, allow_inf_nan=False)]
Pixel = Annotated[float, Field(ge=-MAX_SIDE_PX, le=MAX_SIDE_PX, allow_inf_nan=False)]
PhotoSize = tuple[Annotated[int, Field(ge=1, le=MAX_SIDE_PX)], Annotated[int, Field(ge=1, le=MAX_SIDE_PX)]]
"""Width and height of a photo."""
Point = tuple[Number, Number]
Size = tuple[Length, Length]
PixelPoint = tuple[Pixel, Pixel]


class Part(BaseModel):
    """Part of a `[layout]`; unknown keys are rejected."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Circle(Part):
    """A disc of `radius` around `at`."""

    at: Point
    radius: Length

    @property
    def outline(self) -> Floats:
        """(n, 2) corners in millimetres."""
        angles = np.arange(CIRCLE_POINTS) * 2 * np.pi / CIRCLE_POINTS
        return np.asarray(self.at + self.radius * np.stack([np.cos(angles), np.sin(angles)], axis=1))


class Rectangle(Part):
    """A rectangle of `size` (width, height) centred on `at`, rotated clockwise by `turned` degrees."""

    at: Point
    size: Size
    turned: Number = 0.0

    @property
    def outline(self) -> Floats:
        """(4, 2) corners in millimetres: north-west, north-east, south-east, south-west before rotation."""
        c, s = np.cos(np.deg2rad(self.turned)), np.sin(np.deg2rad(self.turned))
        corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * np.array(self.size) / 2
        return np.asarray(corners @ np.array([(c, s), (-s, c)]) + self.at)


class Polygon(Part):
    """The area inside the corners."""

    points: Annotated[tuple[Point, ...], Field(min_length=3, max_length=MAX_PARTS)]

    @property
    def outline(self) -> Floats:
        """(n, 2) corners in millimetres."""
        return np.array(self.points, np.float64)


Region = Circle | Rectangle | Polygon
Corners = tuple[PixelPoint, PixelPoint, PixelPoint, PixelPoint]


class PictureFacts(Part):
    """An enrolled picture: the size of its subject, and the corners NW, NE, SE, SW of that in its photo."""

    size_mm: tuple[SideMm, SideMm]
    corners_px: Corners | None = None


class _Pictures(BaseModel):
    pictures: Annotated[dict[str, PictureFacts], Field(max_length=MAX_PARTS)] = {}


M = TypeVar("M", bound=BaseModel)


class _Layout(BaseModel):
    layout: dict[str, object] = {}


def read_pictures(text: str) -> dict[str, PictureFacts]:
    """Read the pictures listed in a components file; raises ComponentsError `components_invalid`."""
    return _validate(_Pictures, _parse_toml(text), "").pictures


def read_layout(model: type[M], text: str) -> M:
    """Read the `[layout]` of a components file; raises ComponentsError `components_invalid`."""
    layout = _validate(_Layout, _parse_toml(text), "").layout
    return _validate(model, layout, "layout.")


def _parse_toml(text: str) -> dict[str, object]:
    try:
        return parse_toml(text)
    except DocumentError as error:
        raise ComponentsError("components_invalid", f"Invalid TOML: {error}", key=error.key) from error


def _validate(model: type[M], content: dict[str, object], before: str) -> M:
    try:
        return model.model_validate(content)
    except ValidationError as error:
        faults = [(before + ".".join(str(part) for part in fault["loc"]), fault["msg"]) for fault in error.errors()]
        text = "; ".join(f"{key}: {message}" for key, message in faults)
        keys = [key for key, _ in faults]
        if all(fault["type"] == "missing" for fault in error.errors()):
            text = f"Not known yet, since nobody showed where it lies: {', '.join(keys)}."
            raise ComponentsError("component_missing", text, key=keys[0], keys=keys, printed=PRINTED) from error
        raise ComponentsError("components_invalid", text, key=keys[0], keys=keys) from error
