"""Contradictions on a table are reported, with the spots and the values that their text names."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import cycle
from random import Random

import pytest

from scoring.spots.game import Value
from scoring.tower_of_babel.board import COLOURS, KINDS, NO, TWO_COLOURED, WONDERS, YES
from scoring.tower_of_babel.game import GAME
from tests.scoring.tower_of_babel.tables import COMPONENTS, empty, scored

ONE_COMPLETED = {"discs.giza": 0, "row": 1, "held.red.camel": 3}


NOT_OVER = "no_kind_used_up"


def codes(more: Mapping[str, Value]) -> list[str]:
    return [trouble.code for trouble in scored(("red", "blue"), more).troubles]


ALL_SHIPS = {"discs.zeus": 0, "discs.babel": 0, "row": 2, "held.red.ship": 4, "held.blue.ship": 2}
"""A table on which the last disc with a ship was taken."""
PAIRS_OF_SHIPS = {"held.red.camel-ship": 1, "held.red.crane-ship": 1, "held.blue.ship-mason": 1}
ALL_BUT_HIDDEN = {"discs.giza": 1, "parts.giza.red.1": 10} | ALL_SHIPS | PAIRS_OF_SHIPS | {"held.blue.ship": 1}
"""All five ships and the three pairs with one: the fourth pair shows no ship."""


@pytest.mark.parametrize(
    ("more", "is_over"),
    [
        ({}, False),
        (ONE_COMPLETED, False),
        (ALL_SHIPS, True),
        ({**ALL_SHIPS, "held.blue.ship": 1, "held.blue.mason": 1}, False),
        ({**ALL_SHIPS, "held.red.ship": 3, "held.blue.camel-crane": 1}, False),
        (ALL_BUT_HIDDEN, True),
        ({**ALL_BUT_HIDDEN, "held.red.ship": 3, "held.red.mason": 1}, False),
    ],
    ids=["begun", "one wonder", "ships", "a ship left", "pairs left", "ships and their pairs", "one of those left"],
)
def test_a_game_that_is_not_over_is_noted_and_scored(more: dict[str, Value], is_over: bool) -> None:
    """ "The game ends, as soon as the last building disc of one kind is taken." """
    scores = scored(("red", "blue"), {**more, "parts.colossus.red.1": 1})
    assert NOT_OVER not in [trouble.code for trouble in scores.troubles] if is_over else NOT_OVER in codes(more)
    assert scores.totals["red"] > 0
    assert "discs_do_not_add_up" not in codes(more)


def take_discs(pairs: tuple[str, ...], seed: int) -> Iterator[tuple[dict[str, Value], bool]]:
    """Yield the table and whether the game is over, before each disc and at the end; each brings a part of value 3."""
    rng, players = Random(seed), cycle(COLOURS)
    discs = [*KINDS * (6 - bool(pairs)), *pairs]
    rng.shuffle(discs)
    lying = {wonder: discs[3 * at : 3 * at + 3] for at, wonder in enumerate(WONDERS)}
    placed: Counter[str] = Counter()
    while True:
        left = {f"discs.{wonder}": len(of_wonder) for wonder, of_wonder in lying.items()}
        row = sum(not number for number in left.values())
        is_over = len({kind for of_wonder in lying.values() for disc in of_wonder for kind in disc.split("-")}) < 4
        yield {**left, **placed, "row": row, TWO_COLOURED: YES if pairs else NO}, is_over
        if is_over:
            return
        player, wonder = next(players), rng.choice([wonder for wonder in WONDERS if lying[wonder]])
        placed[f"held.{player}.{lying[wonder].pop()}"] += 1
        placed[f"parts.{wonder}.{player}.3"] += 1
        if not lying[wonder]:
            placed = Counter({spot: n for spot, n in placed.items() if not spot.startswith(f"parts.{wonder}.")})


@pytest.mark.parametrize(
    "pairs", [(), ("camel-crane", "crane-ship", "ship-mason", "camel-mason")], ids=["plain", "pairs"]
)
def test_a_game_is_noted_as_not_over_up_to_its_last_disc(pairs: tuple[str, ...]) -> None:
    """`take_discs` knows each disc on the table; the table shows only their number, and players' holdings."""
    for seed in range(20):
        tables, over = zip(*take_discs(pairs, seed), strict=True)
        found = [[trouble.code for trouble in scored(COLOURS, table).troubles] for table in tables]
        assert all(codes_of_table in ([], [NOT_OVER]) for codes_of_table in found), seed
        noted = [bool(codes_of_table) for codes_of_table in found]
        assert not any(one and other for one, other in zip(noted, over, strict=True)), seed
        assert noted[0]
        if not pairs:
            assert noted == [not one for one in over], seed


@pytest.mark.parametrize("unknown", ["discs.giza", "held.red.mason"])
def test_an_unfinished_game_is_not_reported_if_that_is_unknown(unknown: str) -> None:
    laid = empty(("red", "blue")) | {**ALL_SHIPS, "held.blue.ship": 1, "held.blue.mason": 1}
    assert NOT_OVER in [trouble.code for trouble in GAME.score(COMPONENTS, ("red", "blue"), laid).troubles]
    del laid[unknown]
    assert NOT_OVER not in [trouble.code for trouble in GAME.score(COMPONENTS, ("red", "blue"), laid).troubles]


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
def test_legal_contents_are_no_problem(more: dict[str, Value]) -> None:
    assert codes(more) == [NOT_OVER]


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
def test_impossible_contents_are_reported(more: dict[str, Value], code: str, values: dict[str, Value]) -> None:
    troubles = [trouble for trouble in scored(("red", "blue"), more).troubles if trouble.code == code]
    assert [trouble.values for trouble in troubles] == [values]
    spots = {spot.id for spot in GAME.spots(COMPONENTS, ("red", "blue"), {})}
    assert troubles[0].spots
    assert set(troubles[0].spots) <= spots


def test_the_eighth_wonder_is_never_completed() -> None:
    assert "too_many_completed" in codes({f"discs.{wonder}": 0 for wonder in WONDERS} | {"row": 7})
    assert "too_many_completed" not in codes({f"discs.{wonder}": 0 for wonder in WONDERS[:7]} | {"row": 7})


def test_more_than_four_two_coloured_discs_are_a_problem() -> None:
    pairs = ("camel-crane", "camel-ship", "camel-mason")
    discs = {f"held.{player}.{pair}": 1 for player in ("red", "blue") for pair in pairs}
    assert "too_many_two_coloured" in codes(discs)


def test_unknown_contents_are_no_problem() -> None:
    values = {"discs.giza": 2, "held.red.camel": 1, "row": 4}
    assert GAME.score(COMPONENTS, ("red", "blue"), values).troubles == ()
