"""Corrections of an enrolled wonder are counted one by one; a wonder that is read as it lies needs none."""

from __future__ import annotations

from typing import Any

import pytest

from datasets.evaluation.teaching import align_squares, count_corrections, format_summary, teach_wonder
from datasets.evaluation.wonders import Corrections, add_up, count_inner_corrections, count_steps
from scoring.carcassonne.board.board import PlacedWonder
from scoring.carcassonne.wonders.catalogue import load_wonder_catalogue
from scoring.carcassonne.wonders.files import build_bare_wonder, read_wonder
from scoring.carcassonne.wonders.tiles import WONDERS
from tests.readers import reader
from tests.vision.teaching.lone import draw_lone
from vision.geometry.lattice_transform import Step

ENTRY: dict[str, Any] = {
    "id": "WH/alhambra",
    "squares": [[0, 0], [1, 0], [2, 0], [2, 1], [2, 2]],
    "wonder": [[2, 1], [2, 0], [2, 2]],
    "cities": [{"edges": ["0,0 N", "1,0 W", "2,0 S"], "walled": True}],
    "roads": [{"edges": ["2,1 N"]}, {"edges": ["2,2 E"]}],
}


def lay(turns: int = 0, **changes: Any) -> PlacedWonder:
    return PlacedWonder(read_wonder({**ENTRY, **changes}), (3, 4), turns)


@pytest.mark.parametrize("turns", range(4))
@pytest.mark.parametrize("id", sorted(WONDERS))
def test_a_wonder_that_is_read_as_it_lies_needs_no_correction(id: str, turns: int) -> None:
    placed = PlacedWonder(load_wonder_catalogue()[id], (1, 2), turns)
    assert count_corrections(placed, placed, 0).total == 0


@pytest.mark.parametrize(
    ("changes", "corrections"),
    [
        ({"cities": [{"edges": ["0,0 N", "1,0 W", "2,0 S"], "walled": True, "coats": 1}]}, Corrections(coats=1)),
        ({"cities": [{"edges": ["0,0 N", "1,0 W", "2,0 S"]}]}, Corrections(fields=1)),
        ({"roads": [{"edges": ["2,1 S"]}, {"edges": ["2,2 E"]}]}, Corrections(edges=2)),
    ],
    ids=["a coat of arms", "a city that does not stand against the wonder", "a road at another edge"],
)
@pytest.mark.parametrize("turns", [0, 3])
def test_each_difference_is_one_correction(changes: dict[str, Any], corrections: Corrections, turns: int) -> None:
    counted = count_corrections(lay(turns, **changes), lay(turns), 0)
    assert (counted.edges, counted.coats, counted.joins) == (corrections.edges, corrections.coats, corrections.joins)
    if not corrections.edges:
        assert counted == corrections
        assert count_inner_corrections(lay(turns), lay(turns, **changes)) == corrections


@pytest.mark.parametrize(
    ("read", "true", "steps"),
    [
        ((1, 1, 2), (5, 5, 6), 0),
        ((1, 1, 1), (1, 1, 2), 1),
        ((1, 2, 3), (1, 1, 1), 2),
        ((1, 1, 2), (1, 2, 2), 2),
        ((1, 1, 2, 2), (1, 2, 1, 2), 4),
    ],
    ids=["the same", "to be parted", "to be joined twice", "one edge of another", "both mixed"],
)
def test_parts_are_joined_and_parted_step_by_step(read: tuple[int, ...], true: tuple[int, ...], steps: int) -> None:
    ends = [((0, col), "N") for col in range(len(read))]
    marks, true_marks = (dict(zip(ends, parts, strict=True)) for parts in (read, true))
    assert count_steps(marks, true_marks) == count_steps(true_marks, marks) == steps


def test_of_a_bare_wonder_all_is_to_be_corrected() -> None:
    true = lay()
    bare = PlacedWonder(build_bare_wonder("WH/alhambra", true.layout.squares), (3, 4))
    counted = count_corrections(bare, true, 1)
    assert counted.outline == 1
    assert counted.edges == 5
    assert counted.squares == 3
    assert counted.total >= 9


def test_a_tile_that_is_taught_from_its_photo_is_corrected_until_it_is_the_true_one() -> None:
    file, truth = draw_lone("WH/tikal")
    lesson = teach_wonder(reader(), file.parent, truth)
    assert lesson.error == ""
    assert lesson.corrections.total <= 4
    assert lesson.layout.parts == truth.board.wonders[0].layout.parts
    assert lesson.art is not None
    assert [key.tile for key in lesson.art.keys] == [f"WH/tikal#{cell}" for cell in range(5)]
    lines = [*format_summary([lesson, lesson])]
    assert lines[0].startswith(f"corrections a wonder: {lesson.corrections.total:.2f} (")
    assert lines[2].startswith("found: 2 of 2")


@pytest.mark.parametrize("turns", range(4))
def test_squares_are_aligned_by_where_they_lie(turns: int) -> None:
    _, truth = draw_lone("WH/tikal")
    step = Step(turns, 2, -3)
    quads = {step.square(tile.square): step.quad(tile.corners_px) for tile in truth.tiles}
    assert align_squares(quads, truth) == step
    (wonder,) = truth.board.wonders
    moved = step.wonder(wonder)
    assert {*moved.squares} == {*quads}
    assert moved.turns == (wonder.turns + turns) % 4
    shifted = {square: quad + 100.0 for square, quad in quads.items()}
    assert align_squares(shifted, truth) is None


def test_sums_are_of_each_sort() -> None:
    sums = add_up([Corrections(edges=2, coats=1), Corrections(edges=1)])
    assert (sums["edges"], sums["coats"], sums["outline"]) == (3, 1, 0)
