"""Building areas without a frame: they fade into the board, and one that is dragged places those like it."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import pytest

from datasets.tower_of_babel.plan import DISC_RADIUS_MM, SIZE_MM, plan_wonders
from tests.vision.showing.tracks import SIZE, draw_ground, spoil
from vision.arrays import Floats, Image
from vision.showing.draft import BoardDraft, BoardMark
from vision.showing.outlines import find_outlines
from vision.tower_of_babel.form import BabelForm

MM_PX = SIZE_MM[0] / SIZE[0]
FINGER_PX = 6.0
FORM = BabelForm()
PLANS = {f"wonders.{plan.name}.area": plan for plan in plan_wonders()}
AREAS = {name: np.array(plan.area) / MM_PX for name, plan in PLANS.items()}


@cache
def draw_board(seed: int, fade_px: float) -> Image:
    """Draw a board as if from straight above: pictures of other things, all faded at their sides, and framed discs."""
    rng = np.random.default_rng((seed, 5))
    board = draw_ground(rng).astype(np.float64)
    for name, (x, y, w, h) in AREAS.items():
        blank = np.zeros(board.shape[:2])
        cv2.rectangle(blank, (round(x), round(y)), (round(x + w), round(y + h)), 1.0, -1)
        mask = np.asarray(cv2.GaussianBlur(blank, (0, 0), fade_px), np.float64)[..., None]
        scene = np.full(board.shape, rng.uniform(60, 130, 3)) + rng.normal(0, 16, board.shape)
        middle, reach = (round(x + w / 2), round(y + h / 2)), min(w, h)
        cv2.circle(scene, middle, round(reach * rng.uniform(0.15, 0.35)), tuple(rng.uniform(90, 220, 3)), -1)
        board = board * (1 - mask) + scene * mask
        for disc in PLANS[name].discs:
            at = tuple(round(value / MM_PX) for value in disc)
            cv2.circle(board, at, round(DISC_RADIUS_MM / MM_PX), (200, 225, 235), -1, cv2.LINE_AA)
            cv2.circle(board, at, round(DISC_RADIUS_MM / MM_PX), (40, 50, 70), 3, cv2.LINE_AA)
    return spoil(np.asarray(np.clip(board, 0, 255), np.uint8), rng)


def point_at_areas(seed: int, fade_px: float) -> BoardDraft:
    """Tap the middle of each area, with a finger's error."""
    rng, picture = np.random.default_rng(seed), draw_board(seed, fade_px)
    outlines = find_outlines(picture)
    draft = BoardDraft.model_validate(
        {
            "photo": "",
            "photo_size": SIZE,
            "size_mm": (SIZE[0] * MM_PX, SIZE[1] * MM_PX),
            "boxes": outlines.boxes.tolist(),
            "rounds": outlines.rounds.tolist(),
        }
    )
    for name, (x, y, w, h) in AREAS.items():
        at = np.array((x + w / 2, y + h / 2)) + rng.normal(0, FINGER_PX, 2)
        marks = FORM.place(draft, name, (float(at[0]), float(at[1])), picture)
        draft = align(draft.model_copy(update={"marks": marks}), name, picture)
    return draft


def align(draft: BoardDraft, name: str, picture: Image) -> BoardDraft:
    return draft.model_copy(update={"marks": FORM.align(draft, name, picture)})


def drag(draft: BoardDraft, name: str, picture: Image, box: Floats) -> BoardDraft:
    x, y, w, h = (float(value) for value in box)
    return align(draft.model_copy(update={"marks": {**draft.marks, name: BoardMark(box=(x, y, w, h))}}), name, picture)


def measure_areas(draft: BoardDraft) -> dict[str, float]:
    """Return the largest error of a side of each area in millimetres."""
    boxes = {name: draft.marks[name].box for name in AREAS}
    sides = {name: np.array((x, y, x + w, y + h)) for name, (x, y, w, h) in ((n, b) for n, b in boxes.items() if b)}
    true = {name: np.array((x, y, x + w, y + h)) for name, (x, y, w, h) in AREAS.items()}
    return {name: float(np.abs(sides[name] - true[name]).max()) * MM_PX for name in AREAS}


@pytest.mark.parametrize(
    ("seed", "fade_px"), [(1, 7.0), *(pytest.param(*more, marks=pytest.mark.soak) for more in ((2, 10.0), (3, 8.0)))]
)
def test_one_drag_places_all_areas_that_fade_into_the_board(seed: int, fade_px: float) -> None:
    """The others were 5 to 8 mm off after one was dragged, since no line is printed about them."""
    picture, draft = draw_board(seed, fade_px), point_at_areas(seed, fade_px)
    first = next(iter(AREAS))
    dragged = measure_areas(drag(draft, first, picture, AREAS[first]))
    assert dragged[first] < 0.1
    assert max(dragged.values()) < 2.0, dragged


def test_areas_that_fade_are_near_their_place_after_a_tap_each() -> None:
    """They were up to 16 mm off, on lines printed near them."""
    assert max(measure_areas(point_at_areas(1, 7.0)).values()) < 5.0


@pytest.mark.soak
def test_an_area_moved_by_hand_stays_when_another_is_moved() -> None:
    picture, draft = draw_board(1, 7.0), point_at_areas(1, 7.0)
    first, second, *_ = AREAS
    moved = AREAS[second] + np.array((9.0, -7.0, 0, 0))
    draft = drag(drag(draft, second, picture, moved), first, picture, AREAS[first])
    assert draft.marks[second].box == pytest.approx(tuple(moved))
