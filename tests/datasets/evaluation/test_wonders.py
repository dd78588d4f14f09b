"""A wonder counts as read by its name and its squares, and its edges and corrections one by one."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from datasets.evaluation.wonder_enrolment import align_squares, count_corrections, enrol_wonder, format_summary
from datasets.evaluation.wonders import (
    Corrections,
    add_up,
    count_inner_corrections,
    count_steps,
    format_lines,
    judge_wonders,
)
from datasets.scene.varied_wonders import vary_wonder
from scoring.carcassonne.board.board import PlacedWonder
from scoring.carcassonne.wonders.catalogue import load_wonder_catalogue
from scoring.carcassonne.wonders.files import build_bare_wonder, build_wonder, read_wonder
from scoring.carcassonne.wonders.plans import plan_layout, write_plan
from scoring.carcassonne.wonders.tiles import WONDERS
from tests.readers import reader
from tests.vision.enrolling.lone import draw_lone
from tests.vision.reading.wonder_read import table
from vision.geometry.lattice_transform import Step
from vision.reading.values import Reading, WonderReading

ENTRY: dict[str, Any] = {
    "id": "WH/alhambra",
    "squares": [[0, 0], [1, 0], [2, 0], [2, 1], [2, 2]],
    "wonder": [[2, 1], [2, 0], [2, 2]],
    "cities": [{"edges": ["0,0 N", "1,0 W", "2,0 S"], "walled": True}],
    "roads": [{"edges": ["2,1 N"]}, {"edges": ["2,2 E"]}],
}


def read_as(reading: Reading, layout_id: str, seed: int | None = None) -> Reading:
    """Return the reading with another wonder, or another copy of it, on the squares of its own."""
    (wonder,) = reading.wonders
    layout = load_wonder_catalogue()[layout_id] if seed is None else vary_wonder(layout_id, np.random.default_rng(seed))
    return replace(reading, wonders=(WonderReading(replace(wonder.placed, layout=layout), 1.0),))


def test_a_correctly_read_wonder_has_all_edges_right() -> None:
    _, reading, truth = table()
    table_judged = judge_wonders(reading, truth)
    (judged,) = table_judged.wonders
    (wonder,) = truth.board.wonders
    assert (judged.wonder, judged.is_read) == (wonder.layout.id, True)
    assert judged.right == judged.edges == len(wonder.edges) == 12
    named, asked, edges, within, coats, others = format_lines([table_judged])
    assert "1 of 1" in named
    assert "1 of 1" in asked
    assert "12 of 12" in edges
    assert "within right, where all edges are: 1 of 1" in within
    assert "1 of 1" in coats
    assert others.endswith("read: 0, asked about: 0")


def test_another_copy_counts_as_read_except_for_differing_edges() -> None:
    _, reading, truth = table()
    (wonder,) = truth.board.wonders
    copy = read_as(reading, wonder.layout.id, seed=3)
    table_judged = judge_wonders(copy, truth)
    (judged,) = table_judged.wonders
    shipped, other = reading.wonders[0].placed.edges, copy.wonders[0].placed.edges
    assert judged.right == sum(shipped[edge] == other[edge] for edge in shipped) < judged.edges == 12
    assert f"{judged.right} of 12 edges" in next(iter(format_lines([table_judged])))


def test_another_wonder_or_none_counts_as_not_read() -> None:
    _, reading, truth = table()
    for wrong in (read_as(reading, "WH/tikal"), replace(reading, wonders=())):
        table_judged = judge_wonders(wrong, truth)
        (judged,) = table_judged.wonders
        assert (judged.is_read, judged.is_asked, judged.edges) == (False, False, 0)
        assert table_judged.read == len(wrong.wonders)
        assert "was not read" in next(iter(format_lines([table_judged])))


def test_a_possible_wonder_is_asked_about() -> None:
    _, reading, truth = table()
    possible = tuple(replace(wonder, probability=0.2) for wonder in reading.wonders)
    table_judged = judge_wonders(replace(reading, wonders=(), possible_wonders=possible), truth)
    (judged,) = table_judged.wonders
    assert (judged.is_read, judged.is_asked) == (False, True)
    first, read, asked, *_ = format_lines([table_judged])
    assert first.endswith("is asked about")
    assert "0 of 1" in read
    assert "1 of 1" in asked
    other = read_as(reading, "WH/tikal").wonders
    table_judged = judge_wonders(replace(reading, wonders=(), possible_wonders=other), truth)
    assert (table_judged.wonders[0].is_asked, table_judged.asked) == (False, 1)


def test_a_copy_with_the_same_edges_may_differ_within() -> None:
    _, reading, truth = table()
    (wonder,) = reading.wonders
    layout = wonder.placed.layout
    plan = plan_layout(layout)
    (first, *others) = plan.cities
    copies = {
        "coats": replace(plan, cities=(replace(first, coats=first.coats + 1), *others)),
        "fields": replace(plan, cities=(replace(first, walled=not first.walled), *others)),
    }
    for name, other in copies.items():
        copy = build_wonder(write_plan(other))
        read = replace(reading, wonders=(WonderReading(replace(wonder.placed, layout=copy), 1.0),))
        table_judged = judge_wonders(read, truth)
        (judged,) = table_judged.wonders
        assert judged.has_right_edges
        assert judged.has_right_features == (name == "coats")
        *_, within, coats, _ = format_lines([table_judged])
        assert ("1 of 1" in within, "1 of 1" in coats) == (name == "coats", name != "coats")


def lay(turns: int = 0, **changes: Any) -> PlacedWonder:
    return PlacedWonder(read_wonder({**ENTRY, **changes}), (3, 4), turns)


@pytest.mark.parametrize("turns", range(4))
@pytest.mark.parametrize("id", sorted(WONDERS))
def test_a_correctly_read_wonder_needs_no_correction(id: str, turns: int) -> None:
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
def test_parts_are_joined_and_separated_step_by_step(read: tuple[int, ...], true: tuple[int, ...], steps: int) -> None:
    ends = [((0, col), "N") for col in range(len(read))]
    marks, true_marks = (dict(zip(ends, parts, strict=True)) for parts in (read, true))
    assert count_steps(marks, true_marks) == count_steps(true_marks, marks) == steps


def test_a_bare_wonder_needs_every_correction() -> None:
    true = lay()
    bare = PlacedWonder(build_bare_wonder("WH/alhambra", true.layout.squares), (3, 4))
    counted = count_corrections(bare, true, 1)
    assert counted.outline == 1
    assert counted.edges == 5
    assert counted.squares == 3
    assert counted.total >= 9


@pytest.mark.soak
def test_a_tile_enrolled_from_its_photo_is_corrected_to_the_true_one() -> None:
    file, truth = draw_lone("WH/tikal")
    trial = enrol_wonder(reader(), file.parent, truth)
    assert trial.error == ""
    assert trial.corrections.total <= 4
    assert trial.layout.parts == truth.board.wonders[0].layout.parts
    assert trial.art is not None
    assert [key.tile for key in trial.art.keys] == [f"WH/tikal#{cell}" for cell in range(5)]
    lines = [*format_summary([trial, trial])]
    assert lines[0].startswith(f"corrections a wonder: {trial.corrections.total:.2f} (")
    assert lines[2].startswith("found: 2 of 2")


@pytest.mark.parametrize("turns", range(4))
def test_squares_are_aligned_by_their_places(turns: int) -> None:
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


def test_corrections_are_summed_by_kind() -> None:
    sums = add_up([Corrections(edges=2, coats=1), Corrections(edges=1)])
    assert (sums["edges"], sums["coats"], sums["outline"]) == (3, 1, 0)
