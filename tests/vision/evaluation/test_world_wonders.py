"""Figures of maps: squares by kind and piece, each board's districts and natural resources, and certainty."""

from __future__ import annotations

import numpy as np
import pytest

from datasets.world_wonders.own_copy import COLS, ROWS
from datasets.world_wonders.own_copy import format_components as written
from scoring.spots.game import Value
from scoring.spots.text import SpotLabel, SpotTable
from scoring.world_wonders.components import load_components
from scoring.world_wonders.game import GAME
from vision.evaluation.spot_judge import Judged, Truth
from vision.evaluation.world_wonders import compare_squares, count_figures
from vision.flat_boards.reading import SpotReading

KNOWN = load_components(written("A"))
CITY = {(8, 0): "road#1", (8, 1): "road#1", (7, 0): "farm#1", (6, 0): "farm#1", (7, 1): "farm#2", (8, 2): "giza#1"}
NOWHERE = np.zeros((4, 2))


def laid(player: str, city: dict[tuple[int, int], str]) -> dict[str, Value]:
    return {f"map.{player}.{row}.{col}": city.get((row, col), "-") for row in range(ROWS) for col in range(COLS)}


def truth(*players: str) -> Truth:
    values = {spot: value for player in players for spot, value in laid(player, CITY).items()}
    return Truth.of(SpotLabel("x.jpg", SpotTable("world-wonders", players, values)), GAME, KNOWN)


def judged(
    table_truth: Truth, city: dict[tuple[int, int], str], doubtful: tuple[str, ...] = (), unseen: tuple[str, ...] = ()
) -> Judged:
    """Judge a reading in which only red's board was found, with this city on it."""
    read = {spot: value for spot, value in laid("red", city).items() if spot not in unseen}
    scored = GAME.score(KNOWN, ("red",), read, check=False)
    spots = {
        spot: SpotReading(spot, value, 0.6 if spot in doubtful else 0.99, (), NOWHERE) for spot, value in read.items()
    }
    return Judged(table_truth, spots, scored.areas, frozenset(doubtful))


def test_a_correct_square_counts_whatever_its_pieces_number() -> None:
    figures = count_figures(judged(truth("red"), {**CITY, (7, 0): "farm#2", (6, 0): "farm#2", (7, 1): "farm#1"}))
    squares = (ROWS * COLS, ROWS * COLS)
    assert figures["map boards found"] == (1, 1)
    assert figures["squares of boards found, given their kind"] == squares
    assert figures["squares of boards found, given their kind and the right piece"] == squares
    assert figures["sure squares, wrong in kind or piece"] == (0, ROWS * COLS)
    assert (
        figures["map boards, districts exactly right"]
        == figures["map boards, natural resources exactly right"]
        == (1, 1)
    )
    assert figures["map boards found, wrong in these and no square doubtful"] == (0, 1)


def test_an_unnamed_monument_counts_as_a_monument() -> None:
    figures = count_figures(judged(truth("red"), {**CITY, (8, 2): "monument#1"}))
    assert figures["squares of boards found, given their kind: monument"] == (1, 1)
    assert figures["squares of monuments, given their name"] == (0, 1)
    assert count_figures(judged(truth("red"), CITY))["squares of monuments, given their name"] == (1, 1)


def test_merged_tiles_count_as_right_only_by_kind() -> None:
    figures = count_figures(judged(truth("red"), {**CITY, (7, 1): "farm#1"}))
    assert figures["squares of boards found, given their kind"] == (ROWS * COLS, ROWS * COLS)
    assert figures["squares of boards found, given their kind and the right piece"] == (ROWS * COLS - 3, ROWS * COLS)
    assert figures["sure squares, wrong in kind or piece"] == (3, ROWS * COLS)


@pytest.mark.parametrize(("doubtful", "amiss"), [((), 1), (("map.red.7.1",), 0)])
def test_a_wrong_board_is_distinguished_from_a_doubtful_one(doubtful: tuple[str, ...], amiss: int) -> None:
    """A tile overlooked beside a natural resource or a tile: the pieces there before it count for nothing."""
    table_truth = truth("red")
    lost = {at: value for at, value in CITY.items() if value != "farm#1" and value != "farm#2"}
    figures = count_figures(judged(table_truth, lost, doubtful))
    assert table_truth.scored.areas
    both = figures["map boards, natural resources and districts exactly right"]
    wrong = figures["map boards found, wrong in these and no square doubtful"]
    assert (both, wrong) == ((0, 1), (amiss, 1))


def test_an_unfound_board_has_no_correct_figures() -> None:
    figures = count_figures(judged(truth("blue", "red"), CITY))
    assert figures["map boards found"] == (1, 2)
    assert figures["map boards, districts exactly right"] == (1, 2)
    assert figures["squares of boards found, given their kind"] == (ROWS * COLS, ROWS * COLS)
    assert count_figures(Judged(truth("red")))["map boards found"] == (0, 1)


def test_an_unseen_square_is_neither_right_nor_certain() -> None:
    verdict = judged(truth("red"), CITY, unseen=("map.red.0.0",))
    (hidden,) = [
        one for one in compare_squares("red", verdict.truth.label.table.laid, verdict.spots) if one.confidence is None
    ]
    assert (hidden.spot, hidden.kind_right, hidden.right) == ("map.red.0.0", False, False)
    assert count_figures(verdict)["squares of boards found, sure"] == (ROWS * COLS - 1, ROWS * COLS)
