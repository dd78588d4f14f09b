"""A board that a person shows step by step: its corners, its size, what is printed where."""

from __future__ import annotations

from typing import Any

import numpy as np

from vision.arrays import Floats, Image
from vision.enrolment.board_drafts import shrink_photo
from vision.enrolment.score_tokens import find_card_corners
from vision.photo.decoding import Photo
from vision.photo.pyramid import Halves
from vision.printed.draft import BoardDraft, carry_marks, has_straight_picture, settle_size, straighten
from vision.printed.outlines import find_outlines, refine_corners

MAX_SHAPES = 3000
REFINEMENTS = 2
"""The second look begins where the first one ended, and so looks less far aside."""


def begin_draft(photo: Photo) -> tuple[BoardDraft, Image]:
    """Begin with a photo of an empty board: its corners, where they are found, and the (h, w, 3) photo to keep."""
    pixels = shrink_photo(photo.pixels)
    corners = find_card_corners(Halves(pixels))
    draft = BoardDraft(photo=photo.file, photo_size=(pixels.shape[1], pixels.shape[0]))
    if corners is None:
        return draft, pixels
    return draft.model_copy(update={"corners_px": _to_quad(_refine(pixels, corners))}), pixels


def refine_quad(photo: Image, corners: Any) -> Any:
    """Return the four corners moved onto the lines that a photo (h, w, 3) shows near them."""
    return _to_quad(_refine(photo, np.array(corners, np.float64)))


def change_draft(photo: Image, before: BoardDraft, after: BoardDraft) -> tuple[BoardDraft, Image | None]:
    """Take over other corners, another card or another size: the board is straightened and looked through anew.

    Return the draft, and the (h, w, 3) straightened board; None as long as that is not known enough.
    """
    sized = settle_size(after)
    if not has_straight_picture(sized):
        return sized.model_copy(update={"boxes": (), "halves": (), "rounds": ()}), None
    picture = straighten(photo, sized)
    outlines = find_outlines(picture)
    found = {name: _to_shapes(getattr(outlines, name)) for name in ("boxes", "halves", "rounds")}
    return sized.model_copy(update={**found, "marks": carry_marks(before, sized)}), picture


def _refine(photo: Image, corners: Floats) -> Floats:
    for _ in range(REFINEMENTS):
        corners = refine_corners(photo, corners)
    return corners


def _to_quad(corners: Floats) -> tuple[tuple[float, float], ...]:
    return tuple((round(float(x), 1), round(float(y), 1)) for x, y in corners)


def _to_shapes(shapes: Floats) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(round(float(value), 1) for value in shape) for shape in shapes[:MAX_SHAPES])
