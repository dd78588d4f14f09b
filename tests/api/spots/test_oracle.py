"""Questions of a table of spots answered from its label: the number of answers until the points are right."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from api.spots.oracle import interview_table
from datasets.tower_of_babel.deal import deal_game
from datasets.tower_of_babel.plan import format_components as format_babel
from datasets.world_wonders.own_copy import format_components
from scoring.spots.game import Value
from scoring.spots.text import SpotLabel, SpotTable
from scoring.tower_of_babel.game import GAME as BABEL
from scoring.world_wonders.game import GAME
from vision.evaluation.spot_judge import Truth, judge_interview, judge_reading
from vision.flat_boards.reading import SpotReading, TableReading
from vision.photo.decoding import Photo
from vision.photo.pyramid import Halves

COMPONENTS = format_components("A")
ROWS, COLS = 9, 11
MONUMENT = ((7, 0), (7, 1))
"""Squares of a monument beside a road along the Sidewalk."""

OUTLINE = np.array([(0, 0), (9, 0), (9, 9), (0, 9)], np.float64)
PHOTO = Photo(Halves(np.zeros((10, 10, 3), np.uint8)), "table.png", "0" * 64, 0.0)


def build_label() -> SpotLabel:
    """Return the label of one player: a road, a monument, and a library that a road touches."""
    laid: dict[str, Value] = {f"map.red.{row}.{col}": "-" for row in range(ROWS) for col in range(COLS)}
    laid |= {f"map.red.8.{col}": "road#1" for col in range(4)}
    laid |= {f"map.red.{row}.{col}": "trojan-horse#1" for row, col in MONUMENT}
    laid |= {"map.red.8.4": "library#1", "map.red.8.5": "library#1"}
    laid |= {f"resource.red.{track}": 3 for track in ("population", "food", "ceramics", "gears")}
    return SpotLabel("table.png", SpotTable("world-wonders", ("red",), laid | {"loan.red": "no", "solo.mode": "-"}))


@pytest.fixture
def truth() -> Truth:
    return Truth.of(build_label(), GAME, GAME.components(COMPONENTS))


def read(truth: Truth, **changes: SpotReading) -> TableReading:
    """Return a reading of it that is right and certain except for some spots; monuments have no names."""
    spots = [
        SpotReading(id, "monument#1" if value == "trojan-horse#1" else value, 1.0, (), OUTLINE)
        for id, value in truth.table.laid.items()
        if id.startswith(("map.", "resource."))
    ]
    readings = tuple(changes.get(spot.id.replace(".", "_"), spot) for spot in spots)
    return TableReading((PHOTO,), ("red",), readings, {})


def test_a_monument_is_named_by_one_answer(truth: Truth) -> None:
    reading = read(truth)
    interview = interview_table(reading, truth, COMPONENTS)
    verdict = judge_interview(judge_reading(reading, truth, 0.0), interview)
    assert verdict.right_after == (False, True)
    assert verdict.settled
    assert (verdict.is_right_after(0), verdict.is_right_after(6)) == (False, True)


def test_a_doubtful_wrong_marker_is_corrected(truth: Truth) -> None:
    whole = read(truth)
    food = next(spot for spot in whole.spots if spot.id == "resource.red.food")
    wrong = replace(food, value=2, confidence=0.6, alternatives=((3, 0.4),))
    interview = interview_table(read(truth, resource_red_food=wrong), truth, COMPONENTS)
    assert interview.finals[-1] == {player: points for player, points in truth.scored.totals.items() if points}
    assert len(interview.finals) == 3


def test_a_certain_wrong_square_stays_wrong(truth: Truth) -> None:
    whole = read(truth)
    food = next(spot for spot in whole.spots if spot.id == "resource.red.food")
    reading = read(truth, resource_red_food=replace(food, value=1))
    verdict = judge_interview(judge_reading(reading, truth, 0.0), interview_table(reading, truth, COMPONENTS))
    assert verdict.answers == len(verdict.right_after) - 1
    assert not verdict.final_answered


def test_a_player_in_another_colour_is_named_by_one_answer() -> None:
    deals = (deal_game(np.random.default_rng(seed), 70) for seed in range(30))
    deal = next(deal for deal in deals if len(deal.players) < len(BABEL.colours))
    player, free = deal.players[0], next(colour for colour in BABEL.colours if colour not in deal.players)
    label, components = SpotLabel("a.jpg", SpotTable(BABEL.name, deal.players, deal.laid()), {}), format_babel()
    truth = Truth.of(label, BABEL, BABEL.components(components))
    spots = tuple(
        SpotReading(id.replace(f".{player}", f".{free}"), truth.table.laid[id], 0.99, (), OUTLINE) for id in truth.shown
    )
    reading = TableReading((PHOTO,), tuple(free if one == player else one for one in deal.players), spots, {})
    doubted = replace(reading, renames=(({free: player}, 0.2),))
    silent, asked = (
        judge_interview(judge_reading(each, truth, 0.0), interview_table(each, truth, components))
        for each in (reading, doubted)
    )
    assert not silent.final_answered
    assert not asked.final_exact
    assert asked.settled
    assert asked.right_after == (False, True), "one answer sets all of the player's right, and then theirs is typed"
    assert asked.final_confidence == pytest.approx(0.8)
