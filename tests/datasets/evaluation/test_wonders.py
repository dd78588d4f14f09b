"""A wonder counts as read by its name and its squares, and its edges one by one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from datasets.evaluation.wonders import format_lines, judge_wonders
from datasets.scene.varied_wonders import vary_wonder
from scoring.carcassonne.wonders.catalogue import load_wonder_catalogue
from scoring.carcassonne.wonders.files import build_wonder
from scoring.carcassonne.wonders.plans import plan_layout, write_plan
from tests.vision.reading.wonder_read import table
from vision.reading.values import Reading, WonderReading


def read_as(reading: Reading, layout_id: str, seed: int | None = None) -> Reading:
    """Return the reading with another wonder, or another copy of it, on the squares of its own."""
    (wonder,) = reading.wonders
    layout = load_wonder_catalogue()[layout_id] if seed is None else vary_wonder(layout_id, np.random.default_rng(seed))
    return replace(reading, wonders=(WonderReading(replace(wonder.placed, layout=layout), 1.0),))


def test_a_wonder_that_is_read_as_it_lies_has_all_its_edges_right() -> None:
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


def test_another_copy_is_read_but_for_the_edges_that_differ() -> None:
    _, reading, truth = table()
    (wonder,) = truth.board.wonders
    copy = read_as(reading, wonder.layout.id, seed=3)
    table_judged = judge_wonders(copy, truth)
    (judged,) = table_judged.wonders
    shipped, other = reading.wonders[0].placed.edges, copy.wonders[0].placed.edges
    assert judged.right == sum(shipped[edge] == other[edge] for edge in shipped) < judged.edges == 12
    assert f"{judged.right} of 12 edges" in next(iter(format_lines([table_judged])))


def test_another_wonder_and_none_are_not_read() -> None:
    _, reading, truth = table()
    for wrong in (read_as(reading, "WH/tikal"), replace(reading, wonders=())):
        table_judged = judge_wonders(wrong, truth)
        (judged,) = table_judged.wonders
        assert (judged.is_read, judged.is_asked, judged.edges) == (False, False, 0)
        assert table_judged.read == len(wrong.wonders)
        assert "was not read" in next(iter(format_lines([table_judged])))


def test_a_wonder_that_may_lie_there_is_asked_about() -> None:
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
