"""The truth about a photo: hand-made labels and the generator's own files, which share one JSON form.

Beside the tokens and meeples that `scoring.carcassonne.board.label` reads, a label has the place of the board in the
photo: `points` [[px, py, col, row], ...], tile corners in photo pixels, or `corners_px` [{"cell": [row, col],
"corners": [[x, y] x 4]}, ...], each square's own NW, NE, SE, SW corner in the label's frame. A meeple's foot is
`foot_px` [x, y], or `at` [col, row] in lattice units.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import cv2
import numpy as np
from numpy.typing import ArrayLike
from pydantic import BaseModel, Field, ValidationError
from scipy.interpolate import RBFInterpolator

from scoring.carcassonne.board.board import Board, PlacedMeeple, Placement
from scoring.carcassonne.board.label import list_meeples, parse_label, read_label, read_meeple
from scoring.carcassonne.final.table import Table, read_label_table
from scoring.carcassonne.tiles.catalogue import Catalogue
from scoring.carcassonne.tiles.geometry import Square
from scoring.carcassonne.tiles.other_boxes import load_whole_catalogue
from scoring.connected_squares import MAX_BOARD_SQUARES, MAX_COORDINATE
from scoring.errors import LabelError
from vision.arrays import Floats
from vision.errors import InputError
from vision.flat_boards.layout import Corners, Pixel, PixelPoint

KNOWN = Catalogue(load_whole_catalogue().layouts)
"""Every tile with a known layout; gardens count as their plain twins."""
BENDING_POINTS = 8
"""A label with more corners than this bends its lattice, since tiles laid by hand drift. A guess."""
SMOOTHING = 0.5
"""Smoothing of the bent lattice. A guess."""
UNREADABLE = "??"
_MAX_POINTS = (MAX_BOARD_SQUARES + 1) * 4
"""Maximum number of points of a label: four corners for each square. A lattice through more takes the cube of their
number to bend. Bounds time."""
_Coordinate = Annotated[int, Field(ge=-MAX_COORDINATE, le=MAX_COORDINATE)]
_Node = Annotated[float, Field(ge=-MAX_COORDINATE, le=MAX_COORDINATE)]
_DoubtfulCell = tuple[_Coordinate, _Coordinate] | tuple[_Coordinate, _Coordinate, str]
"""Row, column, and perhaps a remark."""


@dataclass(frozen=True, slots=True, eq=False)
class TrueTile:
    """A square with a tile: `placement` is None if the catalogue lacks the tile, or it is not readable.

    `corners_px` (4, 2) are the square's NW, NE, SE, SW corners as placed, in the label's frame.
    """

    square: Square
    placement: Placement | None
    readable: bool
    doubtful: bool
    corners_px: Floats

    @property
    def centre_px(self) -> Floats:
        """The (2,) middle of the square."""
        return np.asarray(self.corners_px.mean(axis=0))

    @property
    def size_px(self) -> float:
        """The mean length of the square's sides."""
        return float(np.linalg.norm(self.corners_px - np.roll(self.corners_px, 1, axis=0), axis=1).mean())


@dataclass(frozen=True, slots=True)
class TrueMeeple:
    """A meeple of the board and its foot in the photo."""

    placed: PlacedMeeple
    foot_px: tuple[float, float]


@dataclass(frozen=True, slots=True, eq=False)
class Truth:
    """The content of a label; `photo` as written there, `expect_final` the points counted by the game's players.

    `art` names the tiles' art if the label has it; `view` is the label's description of how the photo was taken.
    `series` is the folder of the photo, `photographer` the person who took it: from the label, else from the beginning
    of a real photo's file name. `table` describes the table beside the board.
    """

    name: str
    photo: str
    board: Board
    tiles: tuple[TrueTile, ...]
    meeples: tuple[TrueMeeple, ...]
    expect_final: Mapping[str, int] | None = None
    art: str = ""
    view: Mapping[str, Any] = field(default_factory=dict)
    series: str = ""
    photographer: str = ""
    table: Table = field(default_factory=Table)


class _Foot(BaseModel):
    at: tuple[_Node, _Node] | None = None
    foot_px: PixelPoint | None = None


class _Cell(BaseModel):
    cell: tuple[_Coordinate, _Coordinate]
    corners: Corners


class _Shown(BaseModel):
    """The label's facts about its photo, apart from the board; other fields are left to their own readers."""

    points: Annotated[tuple[tuple[Pixel, Pixel, _Node, _Node], ...], Field(max_length=_MAX_POINTS)] = ()
    corners_px: Annotated[tuple[_Cell, ...], Field(max_length=MAX_BOARD_SQUARES)] = ()
    doubtful_cells: Annotated[tuple[_DoubtfulCell, ...], Field(max_length=MAX_BOARD_SQUARES)] = ()
    meeples: tuple[_Foot, ...] = ()
    expect_final: dict[str, Annotated[int, Field(ge=-9999, le=9999)]] | None = None
    view: dict[str, Any] = Field(default_factory=dict)


class Lattice:
    """A map from lattice units (col, row) to photo pixels: a homography, bent by thin-plate splines if possible."""

    def __init__(self, points: ArrayLike) -> None:
        """Fit to `points` (n, 4) of px, py, col, row; raises LabelError if they do not span a plane."""
        table = np.asarray(points, np.float64)
        if table.ndim != 2 or table.shape[1] != 4 or len(table) < 4:
            raise LabelError("bad_points", "a label needs four points or more, each px, py, col, row")
        pixels, nodes = table[:, :2], table[:, 2:]
        homography, _ = cv2.findHomography(nodes, pixels, 0)
        if homography is None:
            raise LabelError("bad_points", "the label's points do not span a plane")
        self.homography: Floats = np.asarray(homography, np.float64)
        self._bend: RBFInterpolator | None = None
        if len(table) > BENDING_POINTS:
            rest = pixels - self._flat(nodes)
            self._bend = RBFInterpolator(nodes, rest, kernel="thin_plate_spline", smoothing=SMOOTHING)

    def __call__(self, nodes: ArrayLike) -> Floats:
        """Return pixels (n, 2) of nodes (n, 2) as col, row."""
        at = np.asarray(nodes, np.float64).reshape(-1, 2)
        return self._flat(at) if self._bend is None else np.asarray(self._flat(at) + self._bend(at))

    def _flat(self, nodes: Floats) -> Floats:
        return np.asarray(cv2.perspectiveTransform(nodes[:, None, :], self.homography)[:, 0, :], np.float64)


def load_truth(path: Path) -> Truth:
    """Load the truth from a label file; raises InputError if there is none, LabelError if it cannot be read."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise InputError("file_not_found", f"There is no label {path.name}.", {"file": str(path)}) from error
    except ValueError as error:
        raise LabelError("bad_label", f"{path.name} is no text: {error}") from error
    return read_truth(parse_label(text), path.stem, path.parent.name)


def read_truth(label: Mapping[str, Any], name: str, folder: str = "") -> Truth:
    """Read the truth from a label's content; raises LabelError.

    `folder` is the name of the label's folder: its series if the photo's path names none.
    """
    if not isinstance(label.get("photo"), str):
        raise LabelError("no_photo", f"the label {name} does not say which photo it is of")
    table = read_label_table(label)
    board, _ = table.put_on(read_label(label, KNOWN))
    fields = _parse_shown(label)
    corners = _corners(fields, board)
    return Truth(
        name=str(label.get("id", name)),
        photo=label["photo"],
        board=board,
        tiles=_tiles(label, fields, board, corners),
        meeples=tuple(
            _meeple(*meeple, board, corners) for meeple in zip(list_meeples(label), fields.meeples, strict=True)
        ),
        expect_final=fields.expect_final,
        art=str(fields.view.get("art", label.get("edition", ""))),
        view=fields.view,
        series=Path(label["photo"]).parent.name or folder,
        photographer=str(label.get("photographer", "" if "view" in label else _guess_photographer(label["photo"]))),
        table=table,
    )


def _parse_shown(label: Mapping[str, Any]) -> _Shown:
    try:
        return _Shown.model_validate(label)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise LabelError("bad_label", f"the label's {where}: {first['msg']}", field=where) from error


def _guess_photographer(photo: str) -> str:
    """Guess the photographer of a photo whose name begins with a person's letters: `kpm_24.jpg`."""
    begins = re.match("[a-z][a-z0-9]*(?=_)", Path(photo).stem)
    return begins[0] if begins else ""


def _corners(fields: _Shown, board: Board) -> dict[Square, Floats]:
    """Return each square's corners (4, 2) in the photo: as given, else from the lattice."""
    labelled = {entry.cell: np.array(entry.corners, np.float64) for entry in fields.corners_px}
    missing = [square for square in board.tiles if square not in labelled]
    if missing:
        lattice = Lattice(fields.points)
        labelled |= {(row, col): lattice(_around(row, col)) for row, col in missing}
    return labelled


def _around(row: int, col: int) -> Sequence[tuple[int, int]]:
    return (col, row), (col + 1, row), (col + 1, row + 1), (col, row + 1)


def _tiles(
    label: Mapping[str, Any], fields: _Shown, board: Board, corners: Mapping[Square, Floats]
) -> tuple[TrueTile, ...]:
    tokens = [row.split() for row in label["rows"]]
    doubted = {cell[:2] for cell in fields.doubtful_cells}
    return tuple(
        TrueTile((row, col), placement, tokens[row][col] != UNREADABLE, (row, col) in doubted, corners[row, col])
        for (row, col), placement in board.tiles.items()
    )


def _meeple(meeple: Mapping[str, Any], foot: _Foot, board: Board, corners: Mapping[Square, Floats]) -> TrueMeeple:
    placed = read_meeple(meeple, board.tiles)
    if foot.foot_px is not None:
        return TrueMeeple(placed, foot.foot_px)
    if foot.at is None or placed.square not in corners:
        raise LabelError("bad_meeple", f"a meeple needs foot_px, or at on one of the board's tiles: {meeple!r}")
    (row, col), (x, y) = placed.square, foot.at
    return TrueMeeple(placed, _inside(corners[row, col], x - col, y - row))


def _inside(corners: Floats, right: float, down: float) -> tuple[float, float]:
    """Return the pixel of a point of a square, 0 to 1 from its north-west corner, in perspective."""
    unit = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)
    warp = cv2.getPerspectiveTransform(unit, corners.astype(np.float32))
    x, y = cv2.perspectiveTransform(np.array([[[right, down]]], np.float64), warp)[0, 0]
    return float(x), float(y)
