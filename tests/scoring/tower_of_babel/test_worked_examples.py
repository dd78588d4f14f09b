"""Worked examples of the rule text of Tower of Babel, point by point; named after the passage."""

from __future__ import annotations

import pytest

from scoring.tower_of_babel.components import Row
from scoring.tower_of_babel.final import compute_shares
from tests.scoring.tower_of_babel.tables import COMPONENTS, of_wonder, scored

FOUR = ("red", "yellow", "green", "blue")


def parts(wonder: str, **worths: int) -> dict[str, int | str]:
    """Return building parts of value 1 on a wonder."""
    return {f"parts.{wonder}.{player}.1": worth for player, worth in worths.items()}


def test_first_wonder_red_6_yellow_4_green_some_blue_none() -> None:
    """Red 8, yellow 4, green 3, blue 0: the last disc completed it, and the marker has not moved yet."""
    table = {"discs.giza": 0, "row": 0, **parts("giza", red=6, yellow=4, green=2)}
    assert of_wonder(scored(FOUR, table), "giza") == {"red": 8, "yellow": 4, "green": 3}


def test_red_and_yellow_tie_with_5() -> None:
    table = {"discs.giza": 0, "row": 0, **parts("giza", red=5, yellow=5, green=1, blue=2)}
    assert of_wonder(scored(FOUR, table), "giza") == {"red": 4, "yellow": 4, "green": 3, "blue": 3}


def test_several_tie_for_second() -> None:
    """ "The player with the most scores the highest value and all other players [...] score 3 points"."""
    table = {"discs.giza": 0, "row": 0, **parts("giza", red=5, yellow=3, green=3, blue=1)}
    assert of_wonder(scored(FOUR, table), "giza") == {"red": 8, "yellow": 3, "green": 3, "blue": 3}


def test_two_coloured_disc_counts_with_the_camels() -> None:
    """20 for 4 camels, 5 for 2 ships, nothing for one crane: 25; whatever else the disc shows."""
    discs = {"held.red.camel": 3, "held.red.ship": 2, "held.red.crane": 1}
    for other in ("crane", "mason"):
        scores = scored(("red", "yellow"), {**discs, f"held.red.camel-{other}": 1})
        assert {entry.feature: entry.points for entry in scores.entries} == {"held.red.camel": 20, "held.red.ship": 5}
        assert scores.totals == {"red": 25, "yellow": 0}
        camels = next(area for area in scores.areas if area.id == "held.red.camel")
        assert camels.spots == ("held.red.camel", f"held.red.camel-{other}")


def test_parts_count_by_their_value() -> None:
    table = {"discs.zeus": 1, "parts.zeus.red.3": 2, "parts.zeus.yellow.1": 5, "parts.zeus.green.3": 1}
    assert of_wonder(scored(FOUR, table), "zeus") == {"red": 9, "yellow": 5, "green": 3}


def test_only_incomplete_wonders_score_by_the_light_space() -> None:
    table = {"row": 1, "discs.giza": 0, "discs.babel": 2, **parts("babel", red=3, blue=2)}
    scores = scored(FOUR, table)
    assert of_wonder(scores, "babel") == {"red": 9, "blue": 5}
    assert [entry.values["row"] for entry in scores.entries] == ["light", "light"]
    assert {area.id: area.complete for area in scores.areas if area.kind == "wonder" and area.complete} == {
        "wonder.giza": True
    }


@pytest.mark.parametrize(("number", "points"), [(1, 4), (2, 8)])
def test_building_disc_bonus_scores_one_point_per_disc(number: int, points: int) -> None:
    discs = {"held.red.camel": 1, "held.red.crane": 1, "held.red.ship": 1, "held.red.ship-mason": 1}
    scores = scored(("red", "blue"), {**discs, "cards.red.disc-bonus": number})
    assert [entry.points for entry in scores.entries if entry.rule == "cards.disc-bonus"] == [points]


def test_five_victory_points() -> None:
    assert scored(("red", "blue"), {"cards.blue.points": 2}).totals == {"red": 0, "blue": 10}


@pytest.mark.parametrize(
    ("worths", "points"),
    [
        ({}, {}),
        ({"red": 1}, {"red": 8}),
        ({"red": 2, "blue": 2}, {"red": 4, "blue": 4}),
        ({"red": 2, "blue": 2, "green": 2}, {"red": 4, "blue": 4, "green": 4}),
        ({"red": 2, "blue": 2, "green": 1}, {"red": 4, "blue": 4, "green": 3}),
        ({"red": 3, "blue": 2, "green": 1}, {"red": 8, "blue": 4, "green": 3}),
        ({"red": 3, "blue": 1, "green": 1}, {"red": 8, "blue": 3, "green": 3}),
    ],
    ids=["nobody", "alone", "two tie", "all tie", "two tie before a third", "no tie", "second tied"],
)
def test_ties(worths: dict[str, int], points: dict[str, int]) -> None:
    shares = compute_shares(Row(most=8, second=4), COMPONENTS.scoring_table.others, worths)
    assert {player: share.points for player, share in shares.items()} == points
