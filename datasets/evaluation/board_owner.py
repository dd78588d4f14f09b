"""A simulated user who enrols the empty board of Tower of Babel: taps, then drags visible errors, as on a phone.

The user knows the positions of everything printed (`datasets.tower_of_babel.plan`), and taps and drags with a finger's
error. Everything else is the server's own code (`vision.showing.steps`, `vision.tower_of_babel.form`).
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import cv2
import numpy as np

from datasets.render.empty_boards import EmptyBoardPhoto, shoot_empty_board
from datasets.tower_of_babel.art import get_art
from datasets.tower_of_babel.board import draw_board
from datasets.tower_of_babel.plan import (
    DISC_RADIUS_MM,
    SIZE_MM,
    TRACK_WIDTH_MM,
    format_components,
    get_bonus_box,
    list_row_boxes,
    list_track_middles,
    list_turn_places,
    plan_wonders,
)
from scoring.tower_of_babel.board import WONDERS
from scoring.tower_of_babel.components import ROWS
from vision.arrays import Floats, Image
from vision.flat_boards.board import is_valid_quad
from vision.flat_boards.layout import Circle, Region
from vision.photo.decoding import Photo
from vision.showing.bank_card import find_card
from vision.showing.draft import BoardDraft, BoardMark, has_straight_picture
from vision.showing.steps import begin_draft, change_draft, refine_board, refine_card
from vision.tower_of_babel.form import BONUS, DISCS, FIRST, LAST, LIGHT, BabelForm
from vision.tower_of_babel.layout import Layout, read_board_layout

TAP_SHARE, DRAG_SHARE = 0.005, 0.001
"""Standard deviation of a finger's error per axis, as a share of the longer side of the phone's view: for a tap on the
whole picture, and for a drag under the magnifying glass."""
SEEN_SHARE = 0.006
"""Share of the photo's longer side beyond which a misplaced corner is noticed."""
SEEN_MM = 1.5
"""Distance between print and drawn outline beyond which the user notices the error."""
CARD_VIEW_SHARE = 0.18
"""Share of the photo's longer side visible while a card's corners are tapped."""
TURNING_SPACES = (0, 23, 39, 62, 77)
"""The spaces of the track that are tapped: the first, those in the board's corners, and the last."""
TURN_RADIUS_MM = 10.0
TABLETOPS = ("wood", "cloth", "planks", "granite", "stripes")
STRENGTHS = (0.35, 0.7)
"""Range of the strength of light, lens and sensor effects on photos."""
FORM = BabelForm()

Place = tuple[float, float]


def draw_owner(art: str, seed: int, number: int, types_size: bool = False) -> BoardOwner:
    """Draw the board of an art and a photo of it, on any table in any light; deterministic in its arguments.

    With `types_size`, the owner types the board's width and height in millimetres instead of pointing at a bank card.
    """
    rng = np.random.default_rng((seed, zlib.crc32(art.encode()), number))
    board = draw_board(get_art(art, rng), rng)
    ground, strength = str(rng.choice(TABLETOPS)), float(rng.uniform(*STRENGTHS))
    return BoardOwner(shoot_empty_board(board, SIZE_MM, rng, ground, strength=strength), rng, types_size)


def build_truth() -> Mapping[str, Floats]:
    """Build the printed shapes in millimetres: a box's sides, a disc's centre and radius, a path's nodes."""
    rows, turns = list_row_boxes(), list_turn_places()
    boxes = {
        **{f"wonders.{plan.name}.area": plan.area for plan in plan_wonders()},
        **dict(zip((FIRST, LAST, LIGHT), (rows[0], rows[ROWS - 1], rows[ROWS]), strict=True)),
        BONUS: get_bonus_box(),
    }
    rounds = {
        f"wonders.{plan.name}.discs.{disc}": (*at, DISC_RADIUS_MM)
        for plan in plan_wonders()
        for disc, at in enumerate(plan.discs, 1)
    }
    ends = {"turn_order.first": (*turns[0], TURN_RADIUS_MM), "turn_order.last": (*turns[-1], TURN_RADIUS_MM)}
    nodes = np.array([list_track_middles()[space] for space in TURNING_SPACES])
    return {
        **{name: np.array((x, y, x + w, y + h)) for name, (x, y, w, h) in boxes.items()},
        **{name: np.array(shape) for name, shape in {**rounds, **ends}.items()},
        "track": nodes,
    }


TRUTH: Mapping[str, Floats] = build_truth()


@dataclass
class Effort:
    """The effort of enrolling a board: taps, and drags of corners and of printed marks."""

    taps: int = 0
    corner_drags: int = 0
    drags: int = 0


@dataclass
class BoardOwner:
    """A user with a photo of the empty board; all randomness comes from `rng`."""

    photo: EmptyBoardPhoto
    rng: np.random.Generator
    types_size: bool = False
    effort: Effort = field(default_factory=Effort)

    def __post_init__(self) -> None:
        data = np.asarray(cv2.imencode(".jpg", self.photo.image, [cv2.IMWRITE_JPEG_QUALITY, 92])[1]).tobytes()
        self.draft, self.pixels = begin_draft(Photo.from_bytes(data, "board.jpg"))

    def show(self) -> BoardDraft:
        """Enrol the board by taps, dragging only corners that are visibly wrong."""
        self.show_outlines()
        self._point_at_everything()
        return self.draft

    def show_outlines(self) -> None:
        """Point out the board's corners and the card, so that the board can be straightened."""
        self._show_corners()
        if self.types_size:
            self._change({"told_size_mm": SIZE_MM})
        else:
            self._show_card()
        if not has_straight_picture(self.draft):
            raise ValueError("the board has no size")

    def drag(self) -> BoardDraft:
        """Drag marks that are visibly wrong, the worst first."""
        for _ in self.draft.marks:
            off = self.measure()
            worst = max(off, key=lambda name: off[name])
            if off[worst] <= SEEN_MM:
                break
            self._drag_mark(worst)
        return self.draft

    def measure(self) -> dict[str, float]:
        """Measure each mark's distance from the print in millimetres, except for the box that is only cropped."""
        marks = self.draft.marks.items()
        return {name: measure_mark(name, mark, self.mm_px) for name, mark in marks if name != BONUS}

    @property
    def size_off(self) -> float:
        """Relative error of the board's width."""
        assert self.draft.size_mm is not None
        return self.draft.size_mm[0] / SIZE_MM[0] - 1

    @property
    def mm_px(self) -> Floats:
        """Millimetres per pixel of the straightened picture (2,), from the true size."""
        return np.array(SIZE_MM) / self.draft.straight_size

    @property
    def _photo_px(self) -> int:
        return max(self.draft.photo_size)

    def _show_corners(self) -> None:
        true = self.photo.corners_px
        corners = self.draft.corners_px
        if corners is None or np.linalg.norm(np.array(corners) - true, axis=1).max() > SEEN_SHARE * self._photo_px:
            taps = true + self.rng.normal(0, TAP_SHARE * self._photo_px, (4, 2))
            taps = np.clip(taps, 0, self.draft.photo_size)
            self.effort.taps += 4
            self._change({"corners_px": refine_board(self.pixels, taps)})
        self._drag_corners("corners_px", true, self._photo_px)
        self.effort.taps += 1

    def _show_card(self) -> None:
        true, view = self.photo.card_px, CARD_VIEW_SHARE * self._photo_px
        x, y = true.mean(axis=0) + self.rng.normal(0, TAP_SHARE * self._photo_px, 2)
        self.effort.taps += 1
        card = find_card(self.pixels, (float(x), float(y)))
        if card is None or _measure_quads(card, true) > 2 * SEEN_SHARE * view:
            taps = true + self.rng.normal(0, TAP_SHARE * view, (4, 2))
            self.effort.taps += 4
            card = taps
        self._change({"card_px": refine_card(self.pixels, card, self.draft.corners_px)})
        self.effort.taps += 1

    def _drag_corners(self, name: str, true: Floats, view_px: float) -> None:
        """Drag the corners of a quad that are visibly wrong."""
        corners = np.array(getattr(self.draft, name))
        off = np.linalg.norm(corners - true, axis=1) > SEEN_SHARE * view_px
        if off.any():
            corners[off] = (true + self.rng.normal(0, DRAG_SHARE * view_px, (4, 2)))[off]
            self.effort.corner_drags += int(off.sum())
            self._change({name: tuple((float(x), float(y)) for x, y in corners)})

    def _change(self, fields: Mapping[str, Any]) -> None:
        after = BoardDraft.model_validate({**self.draft.model_dump(), **fields})
        if after.corners_px is not None and not is_valid_quad(np.array(after.corners_px), after.photo_size):
            raise ValueError("no corners")
        self.draft, straight = change_draft(self.pixels, self.draft, after)
        if straight is not None:
            self.straight: Image = straight

    def _point_at_everything(self) -> None:
        """Tap each missing mark, in the order in which the page asks for them."""
        for mark in FORM.marks:
            for place in self._list_places(mark.name):
                at = np.array(place) + self.rng.normal(0, TAP_SHARE * max(SIZE_MM), 2)
                x, y = np.clip(at, 1, np.array(SIZE_MM) - 1) / self.mm_px
                self.effort.taps += 1
                self._set_marks(FORM.place(self.draft, mark.name, (float(x), float(y)), self.straight))
                self._set_marks(FORM.align(self.draft, mark.name, self.straight))
        self.effort.taps += 1

    def _set_marks(self, marks: Mapping[str, BoardMark]) -> None:
        self.draft = self.draft.model_copy(update={"marks": dict(marks)})

    def _list_places(self, name: str) -> Iterator[Place]:
        if name in self.draft.marks:
            return
        shape = TRUTH[name]
        if ".discs." in name:
            shape = self._find_missing_disc(name)
        if name == "track":
            yield from ((float(x), float(y)) for x, y in shape)
        elif len(shape) == 4:
            yield float(shape[0] + shape[2]) / 2, float(shape[1] + shape[3]) / 2
        else:
            yield float(shape[0]), float(shape[1])

    def _find_missing_disc(self, name: str) -> Floats:
        """Return a printed space of a wonder without a mark; any of its spaces may be tapped first."""
        kin = name.rpartition(".")[0]
        rounds = [mark.round for other, mark in self.draft.marks.items() if other.startswith(kin) and mark.round]
        middles = np.array([entry[:2] for entry in rounds]).reshape(-1, 2) * self.mm_px
        spaces = [TRUTH[f"{kin}.{disc}"] for disc in DISCS]
        free = [each for each in spaces if (np.linalg.norm(middles - each[:2], axis=1) > DISC_RADIUS_MM).all()]
        return free[0] if free else TRUTH[name]

    def _drag_mark(self, name: str) -> None:
        """Drag the handles of a mark that are visibly wrong."""
        miss = DRAG_SHARE * max(SIZE_MM)
        mark, shape = self.draft.marks[name], TRUTH[name].astype(np.float64)
        if mark.path is not None:
            dragged = self._drag_path(mark, shape, miss)
        else:
            dropped = shape + self.rng.normal(0, miss, shape.shape)
            x_mm, y_mm = self.mm_px
            if mark.box is not None:
                self.effort.drags += _count_dots(_to_sides(mark) * np.tile(self.mm_px, 2), shape)
                left, top, right, bottom = dropped / np.tile(self.mm_px, 2)
                dragged = BoardMark(box=(left, top, right - left, bottom - top))
            else:
                assert mark.round is not None
                x, y, radius = mark.round
                moved = np.hypot(x * x_mm - shape[0], y * y_mm - shape[1]) > SEEN_MM
                grown = abs(radius * x_mm - shape[2]) > SEEN_MM
                self.effort.drags += max(1, int(moved) + int(grown))
                dragged = BoardMark(round=(dropped[0] / x_mm, dropped[1] / y_mm, dropped[2] / x_mm))
        self._set_marks({**self.draft.marks, name: dragged})
        self._set_marks(FORM.align(self.draft, name, self.straight))

    def _drag_path(self, mark: BoardMark, nodes: Floats, miss: float) -> BoardMark:
        """Drag the misplaced nodes of a path, and correct wrong numbers."""
        assert mark.path is not None
        path = list(mark.path)
        for i, (true, number) in enumerate(zip(nodes, TURNING_SPACES, strict=True)):
            place = np.array(path[i][:2]) * self.mm_px
            moved = np.abs(place - true).max() > SEEN_MM
            if moved:
                place = true + self.rng.normal(0, miss, 2)
            self.effort.drags += int(moved) + int(path[i][2] != number)
            x, y = place / self.mm_px
            path[i] = (float(x), float(y), number)
        return BoardMark(path=tuple(path), reach=mark.reach)


def measure_mark(name: str, mark: BoardMark, mm_px: Floats) -> float:
    """Measure a mark's distance from the print in millimetres: the maximum over its sides, centre and radius.

    A path with wrong numbers counts as off by a whole space.
    """
    shape = TRUTH[name]
    if mark.path is not None:
        if tuple(number for *_, number in mark.path) != TURNING_SPACES:
            return float(TRACK_WIDTH_MM)
        return float(np.abs(np.array([node[:2] for node in mark.path]) * mm_px - shape).max())
    if mark.box is not None:
        return float(np.abs(_to_sides(mark) * np.tile(mm_px, 2) - shape).max())
    assert mark.round is not None
    return float(np.abs(np.array(mark.round) * (*mm_px, mm_px[0]) - shape).max())


def measure_layout(draft: BoardDraft) -> Floats:
    """Measure the error (n,) of each area and space of the resulting layout, in millimetres.

    An area's error is that of its farthest corner, a disc's that of its centre or its radius.
    """
    layout = Layout.model_validate(FORM.build_components(draft)["layout"])
    truth = read_board_layout(format_components())
    return np.array([_compare(*pair) for pair in zip(_list_shapes(layout), _list_shapes(truth), strict=True)])


def _list_shapes(layout: Layout) -> Iterator[Floats]:
    for wonder in WONDERS:
        yield layout.wonders[wonder].area.outline
        yield from (_describe_round(region) for region in layout.wonders[wonder].discs)
    yield from layout.track.middles
    yield from (region.outline for region in (*layout.scoring_table.rows, layout.scoring_table.light))
    assert layout.turn_order is not None
    yield from (_describe_round(region) for region in layout.turn_order.spaces)


def _describe_round(region: Region) -> Floats:
    assert isinstance(region, Circle)
    return np.array((*region.at, region.radius))


def _compare(shape: Floats, true: Floats) -> float:
    return float(np.abs(shape - true).max())


def _to_sides(mark: BoardMark) -> Floats:
    assert mark.box is not None
    x, y, w, h = mark.box
    return np.array((x, y, x + w, y + h))


def _count_dots(sides: Floats, true: Floats) -> int:
    """Return the number of opposite corners of a box to drag until its sides match the print."""
    off = np.abs(sides - true) > SEEN_MM
    return max(1, int(off[:2].any()) + int(off[2:].any()))


def _measure_quads(quad: Floats, true: Floats) -> float:
    """Return the largest corner distance between two quads, minimised over the choice of first corner."""
    return min(float(np.linalg.norm(np.roll(quad, turn, axis=0) - true, axis=1).max()) for turn in range(4))
