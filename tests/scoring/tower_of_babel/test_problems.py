"""What cannot be so on a table is told, with the spots and what its text names."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from scoring.spots.game import Value
from scoring.tower_of_babel.board import WONDERS
from scoring.tower_of_babel.game import GAME
from tests.scoring.tower_of_babel.tables import COMPONENTS, scored

ONE_COMPLETED = {"discs.giza": 0, "row": 1, "held.red.camel": 3}


def codes(more: Mapping[str, Value]) -> list[str]:
    return [trouble.code for trouble in scored(("red", "blue"), more).troubles]


@pytest.mark.parametrize(
    "more",
    [
        {},
        ONE_COMPLETED,
        {"discs.giza": 2, "parts.giza.red.1": 3, "held.red.camel": 1},
        {"discs.giza": 0, "row": 0, "parts.giza.red.3": 3, "held.red.camel": 3},
        {**ONE_COMPLETED, "row": "light"},
        {**ONE_COMPLETED, "cards.blue.points": 1},
        {"discs.giza": 2, "parts.giza.red.3": 3, "held.red.camel-mason": 1},
    ],
    ids=["empty", "completed", "one disc", "just completed", "in the light space", "a card", "two colours"],
)
def test_what_may_be_is_no_problem(more: dict[str, Value]) -> None:
    assert codes(more) == []


@pytest.mark.parametrize(
    ("more", "code", "values"),
    [
        (
            {f"parts.{w}.red.3": 2 for w in ("giza", "zeus", "babel")},
            "too_many_parts",
            {"player": "red", "worth": 3, "number": 6, "most": 5},
        ),
        (
            {"parts.giza.red.1": 15},
            "too_many_parts",
            {"player": "red", "worth": 1, "number": 15, "most": 14},
        ),
        ({**ONE_COMPLETED, "parts.giza.red.1": 4}, "parts_on_completed", {"wonder": "giza", "worth": 4}),
        ({**ONE_COMPLETED, "row": 3}, "marker_elsewhere", {"row": 3, "number": 1}),
        (
            {"discs.giza": 2, "held.red.camel": 1},
            "parts_without_discs",
            {"wonder": "giza", "worth": 0, "taken": 1, "least": 3, "most": 6},
        ),
        (
            {"parts.zeus.blue.1": 2},
            "parts_without_discs",
            {"wonder": "zeus", "worth": 2, "taken": 0, "least": 0, "most": 0},
        ),
        (
            {"held.red.camel": 4, "held.blue.camel": 3},
            "too_many_discs",
            {"disc": "camel", "number": 7, "most": 6},
        ),
        (
            {"held.red.camel": 6, "held.blue.crane-ship": 1},
            "too_many_discs",
            {"disc": "camel", "number": 6, "most": 5},
        ),
        ({"held.red.ship": 1}, "discs_do_not_add_up", {"left": 24, "held": 1, "all": 24}),
        ({**ONE_COMPLETED, "held.red.camel": 2}, "discs_do_not_add_up", {"left": 21, "held": 2, "all": 24}),
        (
            {**ONE_COMPLETED, "cards.red.points": 1, "cards.blue.points": 1},
            "too_many_cards",
            {"card": "points", "number": 2, "most": 1},
        ),
    ],
)
def test_what_cannot_be_is_told(more: dict[str, Value], code: str, values: dict[str, Value]) -> None:
    troubles = [trouble for trouble in scored(("red", "blue"), more).troubles if trouble.code == code]
    assert [trouble.values for trouble in troubles] == [values]
    spots = {spot.id for spot in GAME.spots(COMPONENTS, ("red", "blue"), {})}
    assert troubles[0].spots
    assert set(troubles[0].spots) <= spots


def test_the_eighth_wonder_is_never_completed() -> None:
    assert "too_many_completed" in codes({f"discs.{wonder}": 0 for wonder in WONDERS} | {"row": 7})
    assert "too_many_completed" not in codes({f"discs.{wonder}": 0 for wonder in WONDERS[:7]} | {"row": 7})


def test_more_than_four_discs_of_two_colours_cannot_be() -> None:
    pairs = ("camel-crane", "camel-ship", "camel-mason")
    discs = {f"held.{player}.{pair}": 1 for player in ("red", "blue") for pair in pairs}
    assert "too_many_two_coloured" in codes(discs)


def test_what_is_not_known_is_no_problem() -> None:
    values = {"discs.giza": 2, "held.red.camel": 1, "row": 4}
    assert GAME.score(COMPONENTS, ("red", "blue"), values).troubles == ()
