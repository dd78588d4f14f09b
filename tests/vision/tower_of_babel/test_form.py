"""The spaces for discs beside a building area: the rounds that are chosen for them, and their names."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from datasets.tower_of_babel import plan
from datasets.tower_of_babel.art import get_art
from datasets.tower_of_babel.board import draw_board
from vision.showing.draft import BoardDraft, BoardMark
from vision.showing.outlines import SEARCH_PX
from vision.showing.printed_numbers import PrintedNumber
from vision.tower_of_babel.form import BONUS, FIRST, LAST, LIGHT, BabelForm
from vision.tower_of_babel.printed_values import read_bonuses, read_row

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


def place_numbers(*numbers: tuple[int, float, float]) -> list[PrintedNumber]:
    return [PrintedNumber(value, x, y, 10.0) for value, x, y in numbers]


FIRST_ROW = place_numbers((8, 100, 0), (4, 200, 0), (3, 300, 0))


@pytest.mark.parametrize(
    ("row", "values"),
    [
        ([(10, 102, 50), (5, 197, 50), (3, 300, 50)], [10, 5]),
        ([(10, 102, 50), (3, 300, 50)], None),
        ([(10, 102, 50), (1, 96, 50), (5, 197, 50)], None),
    ],
)
def test_a_row_is_read_in_the_columns_of_the_known_numbers(
    row: list[tuple[int, float, float]], values: list[int] | None
) -> None:
    assert read_row(place_numbers(*row), FIRST_ROW, (8, 4)) == values
    assert read_row(place_numbers(*row), place_numbers((8, 100, 0), (4, 200, 0), (4, 300, 0)), (8, 4)) is None


@pytest.mark.parametrize(("step", "way"), [((0, 30), (40, 0)), ((60, 0), (0, 25))], ids=["beside", "below"])
def test_bonuses_lie_from_their_counts_as_the_known_ones_do(step: tuple[int, int], way: tuple[int, int]) -> None:
    points = (0, 5, 10, 20, 35, 55)
    places = [(n, n * step[0], n * step[1]) for n in range(1, 7)]
    numbers = place_numbers(*places, *((points[n - 1], x + way[0], y + way[1]) for n, x, y in places))
    known = {1: 0, 2: 5, 4: 20}
    assert read_bonuses(numbers, known).items() >= {3: 10, 5: 35, 6: 55}.items()
    assert read_bonuses(numbers, {**known, 4: 21}) == {}


@pytest.mark.parametrize("art", ["oasis", pytest.param("enamel", marks=pytest.mark.soak)])
def test_the_numbers_of_a_boards_tables_are_read(art: str) -> None:
    rng = np.random.default_rng(3)
    scale = SEARCH_PX / plan.SIZE_MM[0]
    size = (SEARCH_PX, round(plan.SIZE_MM[1] * scale))
    picture = cv2.resize(draw_board(get_art(art, rng), rng), size, interpolation=cv2.INTER_AREA)
    first, *_, last, light = plan.list_row_boxes()
    boxes = {FIRST: first, LAST: last, LIGHT: light, BONUS: plan.get_bonus_box()}
    marks = {name: BoardMark(box=(x * scale, y * scale, w * scale, h * scale)) for name, (x, y, w, h) in boxes.items()}
    draft = BoardDraft(photo="board.jpg", photo_size=(2000, 1500), size_mm=plan.SIZE_MM, marks=marks)
    form = BabelForm()
    rows = dict(enumerate(plan.ROWS, 1))
    printed = {f"scoring_table.rows.{row}": rows[row] for row in range(2, 8)} | {LIGHT: plan.LIGHT}
    truth = {f"{key}.{place}": row[n] for key, row in printed.items() for n, place in enumerate(("most", "second"))}
    truth |= {f"disc_bonus.{discs}": points for discs, points in plan.BONUS.items()}
    guesses = form.guess_values(draft, np.asarray(picture, np.uint8))
    assert guesses.items() <= truth.items()
    assert art != "oasis" or guesses == truth
    assert form.guess_values(draft.model_copy(update={"marks": {}}), np.asarray(picture, np.uint8)) == {}
