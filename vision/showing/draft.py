"""The draft of a board that a user is enrolling: the photo's corners, the detected shapes, and the marks placed so far.

All coordinates are pixels: those of the photo for the corners and the bank card, those of the straightened picture, a
rectified view of the board alone, for everything else. A game's form (`BoardForm`) lists the marks to place, and
converts them to the millimetres of its layout.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, Any, Literal, Protocol, runtime_checkable

import cv2
import numpy as np
from pydantic import Field, ValidationError, model_validator

from vision.arrays import Floats, Image
from vision.errors import EnrolmentError
from vision.flat_boards.board import is_valid_quad, project_points, rectify_board
from vision.flat_boards.layout import (
    MAX_GRID_LINES,
    MAX_PARTS,
    MAX_SIDE_MM,
    MIN_SIDE_MM,
    Corners,
    Part,
    PhotoSize,
    Pixel,
    PixelPoint,
    SideMm,
)
from vision.photo.crops import CORNERS
from vision.photo.decoding import MAX_SIDE_PX
from vision.showing.bank_card import measure_board
from vision.showing.outlines import SEARCH_PX, Outlines

MAX_FOUND = 3000
"""Maximum number of shapes of a kind that are found in a draft. Bounds memory."""

DraftValue = Annotated[int, Field(ge=0, le=1000)]
"""A number that a board prints: no component counts more (`scoring.tower_of_babel.components`)."""
Extent = Annotated[float, Field(gt=0, le=MAX_SIDE_PX, allow_inf_nan=False)]
Quad = Corners
BoxMark = tuple[Pixel, Pixel, Extent, Extent]
RoundMark = tuple[Pixel, Pixel, Extent]
Node = tuple[Pixel, Pixel, DraftValue]
Line = Annotated[str, Field(min_length=1, max_length=MAX_GRID_LINES)]
MarkKind = Literal["box", "round", "path", "grid", "spaces"]


class BoardMark(Part):
    """A mark on the straightened picture, in its pixels.

    It is a `box` x, y, width, height, a `round` x, y, radius, or a `path` of spaces with their printed numbers and a
    distance `reach` from their centres to their edges. A box with `lines` is a grid of squares: a text per row, a
    letter per square. `spaces` are spaces of a path that show something, each repeated as often as it shows it. `at` is
    the point at which the user pointed for a detected shape; None for a mark dragged into place. `unsure` are the
    indices of a path's nodes whose number the picture leaves open; the user confirms it by removing the index.
    """

    box: BoxMark | None = None
    round: RoundMark | None = None
    path: Annotated[tuple[Node, ...], Field(max_length=MAX_PARTS)] | None = None
    spaces: Annotated[tuple[Node, ...], Field(min_length=1, max_length=MAX_PARTS)] | None = None
    reach: Extent | None = None
    unsure: Annotated[tuple[DraftValue, ...], Field(max_length=MAX_PARTS)] = ()
    lines: Annotated[tuple[Line, ...], Field(min_length=1, max_length=MAX_GRID_LINES)] | None = None
    at: PixelPoint | None = None

    @property
    def kind(self) -> MarkKind:
        """The kind of mark."""
        if self.box is not None:
            return "box" if self.lines is None else "grid"
        if self.spaces is not None:
            return "spaces"
        return "path" if self.round is None else "round"

    @model_validator(mode="after")
    def _is_one(self) -> BoardMark:
        if sum(part is not None for part in (self.box, self.round, self.path, self.spaces)) != 1:
            raise ValueError("a mark is a box, a round, a path or spaces")
        if self.lines is not None and (self.box is None or len({len(line) for line in self.lines}) > 1):
            raise ValueError("a grid is a box, and its rows are of one length")
        return self


class BoardDraft(Part):
    """The whole draft. `size_mm` is the board's size, None until the card is pointed at or the size is entered."""

    photo: str
    photo_size: PhotoSize
    corners_px: Quad | None = None
    card_px: Quad | None = None
    told_size_mm: tuple[SideMm, SideMm] | None = None
    size_mm: tuple[SideMm, SideMm] | None = None
    boxes: Annotated[tuple[BoxMark, ...], Field(max_length=MAX_FOUND)] = ()
    rounds: Annotated[tuple[RoundMark, ...], Field(max_length=MAX_FOUND)] = ()
    marks: Annotated[dict[str, BoardMark], Field(max_length=MAX_PARTS)] = Field(default_factory=dict)
    values: Annotated[dict[str, DraftValue], Field(max_length=MAX_PARTS)] = Field(default_factory=dict)

    @model_validator(mode="before")
    @classmethod
    def _drop_halves(cls, fields: Any) -> Any:
        """Drop the unused field `halves` of stored drafts."""
        return (
            {name: value for name, value in fields.items() if name != "halves"} if isinstance(fields, dict) else fields
        )

    @property
    def straight_size(self) -> tuple[int, int]:
        """Width and height of the straightened picture; requires the board's size."""
        assert self.size_mm is not None
        scale = SEARCH_PX / max(self.size_mm)
        return round(self.size_mm[0] * scale), round(self.size_mm[1] * scale)

    @property
    def mm_px(self) -> float:
        """Millimetres per pixel of the straightened picture."""
        assert self.size_mm is not None
        return max(self.size_mm) / SEARCH_PX

    @property
    def outlines(self) -> Outlines:
        """The detected shapes."""
        boxes, rounds = (np.array(each, np.float64) for each in (self.boxes, self.rounds))
        return Outlines(boxes.reshape(-1, 4), rounds.reshape(-1, 3))


@dataclass(frozen=True, slots=True)
class MarkForm:
    """Something to point at; an `optional` one may be left out.

    `words` names the text shown to the user, `of` the message for its owner, `number` its number among several.
    """

    name: str
    kind: MarkKind
    words: str
    of: str = ""
    number: int = 0
    optional: bool = False


@dataclass(frozen=True, slots=True)
class ValueForm:
    """A number to type, by its key in the components file, and the box of the straightened picture that shows it.

    `words` names the text shown to the user, `number` its number among several.
    """

    key: str
    words: str
    number: int = 0
    box: BoxMark | None = None
    optional: bool = False


class BoardForm(Protocol):
    """The information that a game needs about one of its boards."""

    @property
    def marks(self) -> Sequence[MarkForm]:
        """All marks to place, in the order in which the page asks for them."""

    def propose(self, picture: Image, draft: BoardDraft) -> Mapping[str, BoardMark]:
        """Propose marks that follow from the straightened picture (h, w, 3) alone."""

    def list_values(self, draft: BoardDraft) -> Sequence[ValueForm]:
        """List the numbers that the board prints."""

    def place(self, draft: BoardDraft, name: str, at: PixelPoint, picture: Image) -> dict[str, BoardMark]:
        """Return the marks after a user pointed at a place in the straightened picture (h, w, 3) for one of them,
        including marks that follow from it."""

    def build_components(self, draft: BoardDraft) -> Mapping[str, Any]:
        """Build the board's part of the components file; all marks that are not optional exist."""


@runtime_checkable
class AligningForm(Protocol):
    """A form with marks that are printed alike, so that each provides information about the others."""

    def align(self, draft: BoardDraft, name: str, picture: Image) -> dict[str, BoardMark]:
        """Return the marks after one was pointed at or dragged, with those like it fitted jointly to the picture (h, w,
        3)."""


@runtime_checkable
class NumberedForm(Protocol):
    """A form whose numbers may be read from the picture, for a person to check."""

    def guess_values(self, draft: BoardDraft, picture: Image) -> Mapping[str, int]:
        """Read the numbers of `list_values` in the straightened picture (h, w, 3), by key; none that is unclear."""


def list_missing_marks(form: BoardForm, draft: BoardDraft) -> list[str]:
    """List the marks still to be placed."""
    return [mark.name for mark in form.marks if not _is_complete(mark, draft.marks.get(mark.name))]


def list_missing_values(form: BoardForm, draft: BoardDraft) -> list[str]:
    """List the keys of the numbers still to be typed."""
    return [value.key for value in form.list_values(draft) if not value.optional and value.key not in draft.values]


def _is_complete(form: MarkForm, mark: BoardMark | None) -> bool:
    """Return whether a mark has its form's kind and, for a path, is complete; an optional one may be missing."""
    if mark is None:
        return form.optional
    return mark.kind == form.kind and _is_whole(mark)


def _is_whole(mark: BoardMark) -> bool:
    if mark.path is None:
        return True
    numbers = [number for _, _, number in mark.path]
    return len(numbers) > 1 and not mark.unsure and numbers[0] == 0 and all(a < b for a, b in pairwise(numbers))


def find_dragged_mark(before: BoardDraft, after: BoardDraft) -> str | None:
    """Find the mark that was dragged: the only one that differs while its pointed-at place is unchanged.

    Undo and redo also change that place.
    """
    changed = [name for name, mark in after.marks.items() if before.marks.get(name) != mark]
    if len(changed) != 1 or before.marks.keys() != after.marks.keys():
        return None
    (name,) = changed
    return name if before.marks[name].at == after.marks[name].at else None


def is_storable(draft: BoardDraft) -> bool:
    """Return whether a stored draft could be read again: all of its coordinates are valid."""
    try:
        BoardDraft.model_validate(draft.model_dump())
    except ValidationError:
        return False
    return True


def settle_size(draft: BoardDraft) -> BoardDraft:
    """Return the draft with the board's size from the card or as entered; None if neither is known.

    Raises EnrolmentError `size_not_told` if the card's outline implies an impossible board size.
    """
    size = draft.told_size_mm
    if draft.corners_px is not None and draft.card_px is not None:
        size = measure_board(np.array(draft.corners_px), np.array(draft.card_px), draft.photo_size)
        if size is None or not MIN_SIDE_MM <= min(size) <= max(size) <= MAX_SIDE_MM:
            raise EnrolmentError("size_not_told", details={"size_mm": size and [round(side, 2) for side in size]})
    return draft.model_copy(update={"size_mm": size})


def straighten(photo: Image, draft: BoardDraft) -> Image:
    """Return the rectified board (h, w, 3) alone; its corners and size are known."""
    assert draft.corners_px is not None
    assert draft.size_mm is not None
    return rectify_board(photo, _build_homography(draft), draft.size_mm, SEARCH_PX / max(draft.size_mm))[0]


def has_straight_picture(draft: BoardDraft) -> bool:
    """Return whether the board's corners and size are known, so that it can be straightened."""
    corners = draft.corners_px
    return corners is not None and draft.size_mm is not None and is_valid_quad(np.array(corners), draft.photo_size)


def carry_marks(before: BoardDraft, after: BoardDraft) -> dict[str, BoardMark]:
    """Return the marks of a draft moved to their positions under its changed corners or size."""
    if not (has_straight_picture(before) and has_straight_picture(after)):
        return dict(after.marks)
    to_photo = _build_homography(before) @ np.diag([before.mm_px, before.mm_px, 1.0])
    back = np.linalg.inv(_build_homography(after) @ np.diag([after.mm_px, after.mm_px, 1.0])) @ to_photo
    homography = np.asarray(back / back[2, 2], np.float64)
    return {name: _carry_mark(mark, homography) for name, mark in after.marks.items()}


def _carry_mark(mark: BoardMark, homography: Floats) -> BoardMark:
    if mark.box is not None:
        x, y, w, h = mark.box
        corners = project_points(homography, CORNERS * (w, h) + (x, y))
        (left, top), (right, bottom) = corners.min(axis=0), corners.max(axis=0)
        at = None if mark.at is None else tuple(project_points(homography, np.array([mark.at]))[0].tolist())
        return mark.model_copy(update={"box": (left, top, right - left, bottom - top), "at": at})
    if mark.round is not None:
        x, y, radius = mark.round
        middle, rim = project_points(homography, np.array([(x, y), (x + radius, y)]))
        at = None if mark.at is None else tuple(middle.tolist())
        return mark.model_copy(update={"round": (*middle, float(np.linalg.norm(rim - middle))), "at": at})
    field = "path" if mark.spaces is None else "spaces"
    nodes: tuple[Node, ...] = getattr(mark, field)
    if not nodes:
        return mark
    places = project_points(homography, np.array([node[:2] for node in nodes]))
    carried = tuple((*place, node[2]) for place, node in zip(places.tolist(), nodes, strict=True))
    return mark.model_copy(update={field: carried})


def _build_homography(draft: BoardDraft) -> Floats:
    """Return the (3, 3) homography from the board's millimetres to pixels of its photo."""
    assert draft.size_mm is not None
    board = (CORNERS * draft.size_mm).astype(np.float32)
    return np.asarray(cv2.getPerspectiveTransform(board, np.array(draft.corners_px, np.float32)), np.float64)
