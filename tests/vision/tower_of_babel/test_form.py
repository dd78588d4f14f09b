"""The spaces for discs beside a building area: the rounds that are chosen for them, and their names."""

from __future__ import annotations

import numpy as np

from vision.showing.draft import BoardDraft, BoardMark
from vision.tower_of_babel.form import BabelForm

AREA = "wonders.giza.area"
PICTURE = np.full((1143, 1600, 3), 128, np.uint8)


def draw_draft(*rounds: tuple[float, float, float]) -> BoardDraft:
    """Return a board of 560 by 400 mm, with a dragged area of giza."""
    marks = {AREA: BoardMark(box=(100.0, 100.0, 240.0, 240.0))}
    return BoardDraft(photo="board.jpg", photo_size=(2000, 1500), size_mm=(560.0, 400.0), rounds=rounds, marks=marks)


def list_discs(draft: BoardDraft) -> list[float | None]:
    """Return the three spaces from left to right; None for an unknown one."""
    marks = [draft.marks.get(f"wonders.giza.discs.{disc}") for disc in (1, 2, 3)]
    return [mark.round[0] if mark is not None and mark.round is not None else None for mark in marks]


def test_a_circle_across_an_areas_side_is_not_taken_for_a_disc_space() -> None:
    """A round in the picture above an area may be nearer to it than those printed below."""
    draft = draw_draft((150.0, 95.0, 36.0), (140.0, 400.0, 36.0), (220.0, 400.0, 36.0), (300.0, 400.0, 36.0))
    shared = draft.model_copy(update={"marks": BabelForm().align(draft, AREA, PICTURE)})
    assert list_discs(shared) == [140.0, 220.0, 300.0]


def test_spaces_are_named_from_left_to_right_in_any_order_of_taps() -> None:
    """The missing one was requested as the third, wherever it was."""
    form = BabelForm()
    draft = draw_draft((140.0, 400.0, 36.0), (300.0, 400.0, 36.0))
    shared = draft.model_copy(update={"marks": form.align(draft, AREA, PICTURE)})
    assert list_discs(shared) == [140.0, 300.0, None]
    pointed = shared.model_copy(update={"marks": form.place(shared, "wonders.giza.discs.3", (221.0, 399.0), PICTURE)})
    assert list_discs(pointed) == [140.0, 221.0, 300.0]


def test_an_ornament_of_circles_is_not_taken_for_disc_spaces() -> None:
    """Rings in the areas are many more than the 24 spaces, and could suggest areas that are not there."""
    rings = [(x, y, 23.0) for x in range(120, 1500, 40) for y in range(500, 1000, 80)]
    spaces = [(x, y, 36.0) for x in np.linspace(140.0, 1400, 12) for y in (400.0, 1060.0)]
    shared = draw_draft(*rings, *spaces)
    shared = shared.model_copy(update={"marks": BabelForm().align(shared, AREA, PICTURE)})
    assert all(mark.round[2] == 36 for mark in shared.marks.values() if mark.round is not None)
    assert None not in list_discs(shared)
