"""A board with a copy of a wonder other than the shipped one: its snapshot and its report hold the layout."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from api.carcassonne.report.board import read_layouts, read_report_board
from api.carcassonne.report.builder import build_board_report, build_report
from api.carcassonne.report.several_photos import build_joined_report
from api.carcassonne.report.snapshot import Snapshot, build_snapshot, restore_wonder_reading
from api.documents.report import Report
from api.errors import ReportError
from scoring.carcassonne.board.board import Board, PlacedWonder
from scoring.carcassonne.board.notation import format_notation
from scoring.carcassonne.final.scoring import compute_final_scoring
from scoring.carcassonne.wonders.tiles import WONDERS, WonderLayout
from tests.api.carcassonne.report.copied import (
    ALHAMBRA,
    bare,
    copied,
    copy_of,
    dealt_with,
    describe_parts,
    guess,
    other_copy,
    shipped,
)
from tests.api.carcassonne.report.timeless import timeless
from tests.api.corrected import build_corrected_report
from tests.api.doubted import joined, view_of, wondrous
from tests.api.tables_read import grey_photo, reading_of
from vision.multiview.reading import JoinedReading
from vision.reading.values import Reading, WonderReading


def keep(layout: WonderLayout, *others: WonderLayout) -> Snapshot:
    """Return the snapshot of a reading, as text and back."""
    reading = copied(layout, [(other, 0.1) for other in others], probability=0.6)
    return Snapshot.model_validate_json(build_snapshot(joined(reading)).to_json())


def report_of(board: Board) -> Report:
    """Return the report of a board, as text and back."""
    return Report.model_validate_json(build_board_report(board).to_json())


def assert_same_layout(layout: WonderLayout, other: WonderLayout) -> None:
    assert (layout.id, layout.squares, layout.parts, layout.marker) == (
        *(other.id, other.squares, other.parts, other.marker),
    )
    assert describe_parts(layout) == describe_parts(other)
    assert (layout.inferred, layout.entry) == (other.inferred, other.entry)


def assert_same_board(board: Board, other: Board) -> None:
    """Assert that everything but the layouts of wonders is equal, and that these are alike."""
    assert format_notation(board) == format_notation(other)
    for one, two in zip(board.wonders, other.wonders, strict=True):
        assert (one.anchor, one.turns) == (two.anchor, two.turns)
        assert_same_layout(one.layout, two.layout)


def test_a_snapshot_keeps_the_layouts_of_copies() -> None:
    others = (guess(other_copy()), bare(), shipped())
    snapshot = keep(copy_of(), *others)
    (restored,) = map(restore_wonder_reading, snapshot.wonders)
    assert_same_layout(restored.placed.layout, copy_of())
    for (placed, _), other in zip(restored.alternatives, others, strict=True):
        assert_same_layout(placed.layout, other)
    read = copied(copy_of(), [(other, 0.1) for other in others], probability=0.6).wonders[0]
    assert (restored.placed.anchor, restored.placed.turns) == (read.placed.anchor, read.placed.turns)
    assert [(o.anchor, o.turns, p) for o, p in restored.alternatives] == [
        (o.anchor, o.turns, p) for o, p in read.alternatives
    ]


def test_a_bare_wonder_stays_bare_in_a_snapshot() -> None:
    (restored,) = map(restore_wonder_reading, keep(bare(), copy_of()).wonders)
    assert restored.placed.layout.is_bare
    assert_same_layout(restored.placed.layout, bare())
    assert not restored.alternatives[0][0].layout.is_bare


def test_shipped_layouts_take_no_room_in_a_snapshot() -> None:
    snapshot = build_snapshot(joined(wondrous(4)))
    assert {entry.layout for wonder in snapshot.wonders for entry in (wonder, *wonder.alternatives)} == {None}
    (restored,) = map(restore_wonder_reading, Snapshot.model_validate_json(snapshot.to_json()).wonders)
    assert restored.placed.layout is shipped()
    assert {id(other.layout) for other, _ in restored.alternatives} == {id(shipped("WH/tikal"))}
    (mixed,) = map(restore_wonder_reading, keep(copy_of(), shipped()).wonders)
    assert mixed.alternatives[0][0].layout is shipped()


def test_a_snapshot_gives_the_report_that_the_photo_gave() -> None:
    read = joined(copied(copy_of(), [(guess(other_copy()), 0.2)], probability=0.7))
    snapshot = Snapshot.model_validate_json(build_snapshot(read).to_json())
    assert timeless(build_corrected_report(snapshot)) == timeless(build_joined_report(read))


@pytest.mark.parametrize("seed", [7, 13, 17, 19])
def test_a_report_holds_the_layout_of_a_copy(seed: int) -> None:
    """With another copy the players would have other points."""
    board = dealt_with(copy_of(), seed)
    report, points = report_of(board), compute_final_scoring(board).totals
    assert report.wonders == [copy_of().entry]
    assert_same_board(read_report_board(report), board)
    assert report.scores.final_scoring == compute_final_scoring(read_report_board(report)).totals == points
    report.wonders = [dict(other_copy().entry)]
    assert compute_final_scoring(read_report_board(report)).totals != points


def test_the_report_of_a_photo_holds_the_layout_as_read() -> None:
    reading = copied(copy_of(), [(shipped(), 0.2)], probability=0.7)
    report = build_joined_report(JoinedReading((view_of(reading),)))
    assert report.wonders == [copy_of().entry]
    assert_same_board(read_report_board(report), dealt_with(copy_of()))


def test_a_report_marks_a_bare_wonder() -> None:
    report = report_of(Board(PlacedWonder(bare(), (0, 0), 1).placements))
    assert report.wonders == [{"id": ALHAMBRA, "squares": [list(square) for square in shipped().squares]}]
    (placed,) = read_report_board(report).wonders
    assert_same_layout(placed.layout, bare())


def test_a_report_of_shipped_wonders_holds_no_layout() -> None:
    board = dealt_with(shipped())
    report = build_board_report(board)
    assert "wonders" not in json.loads(report.to_json())
    (placed,) = read_report_board(Report.model_validate_json(report.to_json())).wonders
    assert placed.layout is shipped()
    assert set(read_layouts([])) == set(WONDERS)
    assert all(layout is shipped(id) for id, layout in read_layouts([]).items())


def test_a_given_layout_overrides_that_of_the_report() -> None:
    """If the given layout is the shipped one, the report's own stays."""
    report = report_of(Board(PlacedWonder(copy_of(), (0, 0)).placements))
    given = {id: shipped(id) for id in WONDERS}
    assert [placed.layout.entry for placed in read_report_board(report, given).wonders] == [copy_of().entry]
    own = other_copy()
    assert [placed.layout for placed in read_report_board(report, {**given, ALHAMBRA: own}).wonders] == [own]


@pytest.mark.parametrize(
    ("damage", "is_bare"),
    [
        pytest.param({"more": 1}, False, id="unknown key"),
        pytest.param({"id": "WH/colossus"}, False, id="unknown wonder"),
        pytest.param({"squares": [[0, 0], [1, 0], [2, 0], [2, 1]]}, False, id="four squares"),
        pytest.param({"roads": []}, False, id="against the rules"),
        pytest.param({"roads": [{"edges": ["2,1 S"], "into": [[1]]}]}, False, id="a road into a list"),
        pytest.param({"id": "WH/colossus"}, True, id="bare unknown wonder"),
        pytest.param({"id": ["WH/alhambra"]}, True, id="bare list of wonders"),
        pytest.param({"squares": 5}, True, id="bare number of squares"),
        pytest.param({"squares": []}, True, id="bare no squares"),
    ],
)
def test_a_report_whose_wonders_are_damaged_is_refused(damage: dict[str, Any], is_bare: bool) -> None:
    report = build_board_report(dealt_with(copy_of()))
    report.wonders = [{**(bare() if is_bare else copy_of()).entry, **damage}]
    with pytest.raises(ReportError) as caught:
        read_report_board(Report.model_validate_json(report.to_json()))
    assert (caught.value.code, caught.value.details["field"]) == ("bad_report", "wonders")


def test_a_report_with_an_empty_layout_is_refused() -> None:
    report = build_board_report(dealt_with(copy_of()))
    report.wonders = [{}]
    with pytest.raises(ReportError) as caught:
        read_report_board(report)
    assert caught.value.code == "bad_report"


@pytest.mark.parametrize("id", ["WH/alhambra", "WH/circus-maximus", "WH/tikal"])
def test_a_photo_of_a_copy_is_reported_in_any_turn(id: str) -> None:
    for seed in (0, 3):
        for turns in range(4):
            board = Board(PlacedWonder(copy_of(id, seed), (3, 4), turns).placements)
            report = build_report(grey_photo(), reading_with(board))
            assert report.wonders == [copy_of(id, seed).entry]
            assert all(feature.outline_px for feature in report.features)


def reading_with(board: Board) -> Reading:
    (placed,) = board.wonders
    return replace(reading_of(board), wonders=(WonderReading(placed, 1.0),))
