"""A board that somebody is showing: the photo's corners, what the program found, and what was pointed at so far.

All lies in pixels: the corners and the bank card in those of the photo, everything else in those of the straightened
picture, which shows the board alone, from straight above. A game's form (`BoardForm`) says what is to be pointed at,
and turns it into the millimetres of its layout.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Annotated, Any, Literal, Protocol, runtime_checkable

import cv2
import numpy as np
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from vision.arrays import Floats, Image
from vision.errors import EnrolmentError
from vision.photo.crops import CORNERS
from vision.printed.bank_card import measure_board
from vision.printed.board import is_valid_quad, project_points, rectify_board
from vision.printed.layout import MAX_PHOTO_PX, MAX_SIDE_MM, MIN_SIDE_MM, Corners, PhotoSize, Pixel, PixelPoint, SideMm
from vision.printed.outlines import Outlines

STRAIGHT_PX = 1600
"""The longer side of the straightened picture."""
MAX_MARKS, MAX_NODES, MAX_FOUND = 200, 60, 3000

DraftValue = Annotated[int, Field(ge=0, le=1000)]
"""A number that a board prints: no component counts more (`scoring.tower_of_babel.components`)."""
Extent = Annotated[float, Field(gt=0, le=MAX_PHOTO_PX, allow_inf_nan=False)]
Quad = Corners
BoxMark = tuple[Pixel, Pixel, Extent, Extent]
RoundMark = tuple[Pixel, Pixel, Extent]
Node = tuple[Pixel, Pixel, DraftValue]
MAX_LINES = 40
Line = Annotated[str, Field(min_length=1, max_length=MAX_LINES)]
MarkKind = Literal["box", "round", "path", "grid", "spaces"]


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class BoardMark(_Model):
    """What was pointed at: a `box` x, y, width, height, a `round` x, y, radius, or a `path` of spaces with the numbers
    that are printed on them, `reach` pixels from their middles to their edges.

    A box with `lines` is a grid of squares: a text for each row, a letter for what each square shows. `spaces` are
    those of a path's that show something, each as often as it shows it. `at` is where somebody pointed for what the
    program found; None for what a person dragged into place.
    """

    box: BoxMark | None = None
    round: RoundMark | None = None
    path: Annotated[tuple[Node, ...], Field(max_length=MAX_NODES)] | None = None
    spaces: Annotated[tuple[Node, ...], Field(min_length=1, max_length=MAX_NODES)] | None = None
    reach: Extent | None = None
    lines: Annotated[tuple[Line, ...], Field(min_length=1, max_length=MAX_LINES)] | None = None
    at: PixelPoint | None = None

    @property
    def kind(self) -> MarkKind:
        """What it is."""
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


class BoardDraft(_Model):
    """All of it. `size_mm` is the board's, None until the card is pointed at or it is told otherwise."""

    photo: str
    photo_size: PhotoSize
    corners_px: Quad | None = None
    card_px: Quad | None = None
    told_size_mm: tuple[SideMm, SideMm] | None = None
    size_mm: tuple[SideMm, SideMm] | None = None
    boxes: Annotated[tuple[BoxMark, ...], Field(max_length=MAX_FOUND)] = ()
    rounds: Annotated[tuple[RoundMark, ...], Field(max_length=MAX_FOUND)] = ()
    marks: Annotated[dict[str, BoardMark], Field(max_length=MAX_MARKS)] = Field(default_factory=dict)
    values: Annotated[dict[str, DraftValue], Field(max_length=MAX_MARKS)] = Field(default_factory=dict)

    @model_validator(mode="before")
    @classmethod
    def _drop_halves(cls, fields: Any) -> Any:
        """What is kept of a draft that an earlier version began has boxes that are not looked for any more."""
        return (
            {name: value for name, value in fields.items() if name != "halves"} if isinstance(fields, dict) else fields
        )

    @property
    def straight_size(self) -> tuple[int, int]:
        """Width and height of the straightened picture; the board's size is known."""
        assert self.size_mm is not None
        scale = STRAIGHT_PX / max(self.size_mm)
        return round(self.size_mm[0] * scale), round(self.size_mm[1] * scale)

    @property
    def mm_px(self) -> float:
        """Millimetres of a pixel of the straightened picture."""
        assert self.size_mm is not None
        return max(self.size_mm) / STRAIGHT_PX

    @property
    def outlines(self) -> Outlines:
        """What was found."""
        boxes, rounds = (np.array(each, np.float64) for each in (self.boxes, self.rounds))
        return Outlines(boxes.reshape(-1, 4), rounds.reshape(-1, 3))


@dataclass(frozen=True, slots=True)
class MarkForm:
    """Something to point at; one that is `optional` may be left out.

    `words` names what a person is told of it, of what (`of`, a message), and which one of several (`number`).
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

    `words` names what a person is told of it, and which one of several it is (`number`).
    """

    key: str
    words: str
    number: int = 0
    box: BoxMark | None = None
    optional: bool = False


class BoardForm(Protocol):
    """What a game needs to be told of one of its boards."""

    @property
    def marks(self) -> Sequence[MarkForm]:
        """All that is to be pointed at, in the order in which it is asked for."""
        ...

    def propose(self, picture: Image, draft: BoardDraft) -> Mapping[str, BoardMark]:
        """Propose marks that the straightened picture (h, w, 3) tells by itself."""
        ...

    def list_values(self, draft: BoardDraft) -> Sequence[ValueForm]:
        """List the numbers that the board prints."""
        ...

    def place(self, draft: BoardDraft, name: str, at: PixelPoint) -> dict[str, BoardMark]:
        """Return the marks once somebody has pointed at a place for one of them: it, and what follows from it."""
        ...

    def build_components(self, draft: BoardDraft) -> Mapping[str, Any]:
        """Build what the components file has of it; all that is not optional is there."""
        ...


@runtime_checkable
class AligningForm(Protocol):
    """A form some of whose marks are printed alike, so that each tells of the others."""

    def align(self, draft: BoardDraft, name: str, picture: Image) -> dict[str, BoardMark]:
        """Return the marks once one of them was pointed at or dragged: those like it as the straightened picture
        (h, w, 3) says of all of them together."""
        ...


def list_missing_marks(form: BoardForm, draft: BoardDraft) -> list[str]:
    """List what is still to be pointed at."""
    return [mark.name for mark in form.marks if not _is_told(mark, draft.marks.get(mark.name))]


def list_missing_values(form: BoardForm, draft: BoardDraft) -> list[str]:
    """List the keys of the numbers that are still to be typed."""
    return [value.key for value in form.list_values(draft) if not value.optional and value.key not in draft.values]


def _is_told(form: MarkForm, mark: BoardMark | None) -> bool:
    """Whether a mark is of its form's kind, and a path whole; what is optional may be missing."""
    if mark is None:
        return form.optional
    return mark.kind == form.kind and _is_whole(mark)


def _is_whole(mark: BoardMark) -> bool:
    if mark.path is None:
        return True
    numbers = [number for _, _, number in mark.path]
    return len(numbers) > 1 and numbers[0] == 0 and all(a < b for a, b in pairwise(numbers))


def find_dragged_mark(before: BoardDraft, after: BoardDraft) -> str | None:
    """Find the mark that somebody dragged: the only one that differs, though it was pointed at where it was before.

    What is taken back or done again differs in what was pointed at.
    """
    changed = [name for name, mark in after.marks.items() if before.marks.get(name) != mark]
    if len(changed) != 1 or before.marks.keys() != after.marks.keys():
        return None
    (name,) = changed
    return name if before.marks[name].at == after.marks[name].at else None


def is_storable(draft: BoardDraft) -> bool:
    """Return whether a draft can be read again once it is written: all of it lies where something can lie."""
    try:
        BoardDraft.model_validate(draft.model_dump())
    except ValidationError:
        return False
    return True


def settle_size(draft: BoardDraft) -> BoardDraft:
    """Return the draft with the board's size as the card tells it, or as it was told; None where neither does.

    Raises EnrolmentError `size_not_told` where by its outline the card is none: no board is as small or as large.
    """
    size = draft.told_size_mm
    if draft.corners_px is not None and draft.card_px is not None:
        size = measure_board(np.array(draft.corners_px), np.array(draft.card_px), draft.photo_size)
        if size is None or not MIN_SIDE_MM <= min(size) <= max(size) <= MAX_SIDE_MM:
            raise EnrolmentError("size_not_told", details={"size_mm": size and [round(side, 2) for side in size]})
    return draft.model_copy(update={"size_mm": size})


def straighten(photo: Image, draft: BoardDraft) -> Image:
    """Return the board (h, w, 3) alone, from straight above; its corners and size are known."""
    assert draft.corners_px is not None
    assert draft.size_mm is not None
    return rectify_board(photo, _build_homography(draft), draft.size_mm, STRAIGHT_PX / max(draft.size_mm))[0]


def has_straight_picture(draft: BoardDraft) -> bool:
    """Return whether the board's corners and size are known, so that it can be straightened."""
    corners = draft.corners_px
    return corners is not None and draft.size_mm is not None and is_valid_quad(np.array(corners), draft.photo_size)


def carry_marks(before: BoardDraft, after: BoardDraft) -> dict[str, BoardMark]:
    """Return the marks of a draft where they lie once its corners or its size are others."""
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
    """(3, 3) from the board's millimetres to pixels of its photo."""
    assert draft.size_mm is not None
    board = (CORNERS * draft.size_mm).astype(np.float32)
    return np.asarray(cv2.getPerspectiveTransform(board, np.array(draft.corners_px, np.float32)), np.float64)
