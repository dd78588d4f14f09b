"""Alternatives on a map are asked about piece by piece, not square by square."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from scoring.confidence import CONFIDENCE_SURE
from scoring.spots.doubts import SpotDoubts, assess_spot_doubts
from scoring.spots.game import Value
from scoring.spots.table import Settled, group_adjacent_spots, settle_table
from scoring.world_wonders.game import GAME
from tests.scoring.world_wonders.cities import beside, city, no_cards, printed

KNOWN = printed("....", "....", "..*.", "....")
CITY = ". . . ./. . . ./L1 L1 . ./r1 r1 r1 r1"


def table(text: str = CITY) -> Settled:
    values = city("red", text) | city("blue", ". . . ./. . . ./. . . ./. . . .")
    markers = beside("red", 2, (3, 3, 3)) | beside("blue", 2, (3, 3, 3))
    return settle_table(GAME, KNOWN, ("red", "blue"), values | markers | no_cards())


def doubts(settled_table: Settled, others: Mapping[str, Mapping[str, float]]) -> SpotDoubts:
    alternatives: dict[str, list[tuple[Value, float]]] = {
        f"map.red.{at}": list(values.items()) for at, values in others.items()
    }
    return assess_spot_doubts(settled_table, settled_table.scored(), alternatives)


def test_a_piece_that_may_be_nothing_is_one_doubt() -> None:
    settled_table = table("T1 T1 . ./T1 T1 . ./T1 T1 . ./r1 r1 . .")
    assessment = doubts(settled_table, {f"{row}.{col}": {"-": 0.1} for row in range(3) for col in range(2)})
    (change,) = assessment.changes
    assert len(change.spots) == 6
    assert len(change.parts) == 1
    assert assessment.confidence == pytest.approx(0.9), "it is one doubt, not six"
    assert change.totals == settled_table.scored_with(dict.fromkeys(change.spots, "-")).totals


def test_something_overlooked_on_squares_side_by_side_is_one_doubt() -> None:
    assessment = doubts(table(), {"2.2": {"road#2": 0.1}, "2.3": {"road#2": 0.1}, "0.0": {"road#2": 0.08}})
    assert [change.spots for change in assessment.changes] == [("map.red.2.2", "map.red.2.3")]
    assert assessment.confidence < CONFIDENCE_SURE


def test_a_piece_of_another_kind_that_changes_nothing_is_tried_in_part() -> None:
    """A library that may be two is surrounded twice; it makes no difference which half is the other one."""
    settled_table = table("F1 F1 F1 F1/L1 L1 L1 L1/r1 r1 r1 r1/r2 r2 r2 r2")
    assessment = doubts(settled_table, {f"1.{col}": {"library#2": 0.2 if col < 2 else 0.1} for col in range(4)})
    (change,) = assessment.changes
    assert {frozenset(part) for part in change.parts} == {
        frozenset({"map.red.1.0", "map.red.1.1"}),
        frozenset({"map.red.1.2", "map.red.1.3"}),
    }
    assert change.probability == 0.2
    assert change.totals is not None
    assert change.totals["red"] == settled_table.scored().totals["red"] + 1


def test_what_brings_the_same_is_no_doubt() -> None:
    assert doubts(table(), {"2.0": {"market#1": 0.4}, "2.1": {"market#1": 0.4}}).changes == ()


def test_squares_hang_together_on_one_players_board_alone() -> None:
    spots = {spot.id: spot for spot in table().spots}
    names = ["map.red.0.0", "map.red.0.1", "map.blue.0.2", "map.red.1.2", "resource.red.food", "map.blue.1.2"]
    groups = {frozenset(group) for group in group_adjacent_spots([spots[name] for name in names])}
    assert groups == {
        frozenset({"map.red.0.0", "map.red.0.1"}),
        frozenset({"map.blue.0.2", "map.blue.1.2"}),
        frozenset({"map.red.1.2"}),
        frozenset({"resource.red.food"}),
    }
