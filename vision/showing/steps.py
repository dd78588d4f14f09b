"""A board that a person enrols step by step: its corners, its size, and the features printed on it."""

from __future__ import annotations

from typing import Any

import numpy as np

from vision.arrays import Floats, Image
from vision.flat_boards.card_corners import find_card_corners
from vision.photo.decoding import Photo
from vision.photo.pyramid import Halves
from vision.showing.bank_card import fit_card, load_card_weights
from vision.showing.board_drafts import shrink_photo
from vision.showing.draft import MAX_FOUND, BoardDraft, carry_marks, has_straight_picture, settle_size, straighten
from vision.showing.outlines import find_outlines
from vision.showing.quad_sides import load_edge_weights, refine_corners


def begin_draft(photo: Photo) -> tuple[BoardDraft, Image]:
    """Begin with a photo of an empty board: its corners, if they are found, and the (h, w, 3) photo to keep."""
    pixels = shrink_photo(photo.pixels)
    corners = find_card_corners(Halves(pixels))
    draft = BoardDraft(photo=photo.file, photo_size=(pixels.shape[1], pixels.shape[0]))
    if corners is None:
        return draft, pixels
    return draft.model_copy(
        update={"corners_px": _to_quad(refine_corners(pixels, corners, load_edge_weights()))}
    ), pixels


def refine_board(photo: Image, corners: Any) -> Any:
    """Return the four corners of a board moved onto the lines that a photo (h, w, 3) shows near them."""
    return _to_quad(refine_corners(photo, np.array(corners, np.float64), load_edge_weights()))


def refine_card(photo: Image, corners: Any, board_corners: Any) -> Any:
    """Return the four corners of a card moved onto the edges that a photo (h, w, 3) shows near them, as those of one
    card in the plane of a board given by its own corners; if these are None, each side is moved alone.

    A card has no printed line near its edge, but lies in a shadow.
    """
    moved = refine_corners(photo, np.array(corners, np.float64), None)
    if board_corners is None:
        return _to_quad(moved)
    return _to_quad(fit_card(photo, moved, np.array(board_corners, np.float64), load_card_weights()), digits=2)


def change_draft(
    photo: Image, before: BoardDraft, after: BoardDraft, carries: bool = True
) -> tuple[BoardDraft, Image | None]:
    """Apply other corners, another card or another size: straighten the board and search it again for shapes.

    The draft `carries` its marks along, unless they already refer to the new corners. Return the draft, and the (h, w,
    3) straightened board; None as long as its size is not known well enough.
    """
    sized = settle_size(after)
    if not has_straight_picture(sized):
        return sized.model_copy(update={"boxes": (), "rounds": ()}), None
    picture = straighten(photo, sized)
    outlines = find_outlines(picture)
    found = {name: _to_shapes(getattr(outlines, name)) for name in ("boxes", "rounds")}
    marks = carry_marks(before, sized) if carries else sized.marks
    return sized.model_copy(update={**found, "marks": marks}), picture


def _to_quad(corners: Floats, digits: int = 1) -> tuple[tuple[float, float], ...]:
    return tuple((round(float(x), digits), round(float(y), digits)) for x, y in corners)


def _to_shapes(shapes: Floats) -> tuple[tuple[float, ...], ...]:
    return tuple(tuple(round(float(value), 1) for value in shape) for shape in shapes[:MAX_FOUND])
