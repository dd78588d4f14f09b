"""The outlines of five squares, and their probability for each wonder."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from datasets.scene.varied_wonders import OTHER_SHAPES
from scoring.carcassonne.tiles.geometry import SIDES, Square, get_neighbour
from scoring.carcassonne.wonders.catalogue import load_wonder_catalogue
from scoring.carcassonne.wonders.files import build_bare_wonder, read_wonder
from scoring.carcassonne.wonders.shapes import (
    INFERRED_OUTLINE,
    OTHER_OUTLINES,
    OWN_OUTLINE,
    find_likelier_wonder,
    list_outlines,
    move_squares,
    weigh_outline,
)
from scoring.carcassonne.wonders.tiles import COATS_UNSEEN, WONDERS, WonderLayout

IDS = sorted(WONDERS)
squares = st.tuples(st.integers(-9, 9), st.integers(-9, 9))
regions = st.lists(squares, min_size=1, max_size=6, unique=True)


def turn_outline(outline: tuple[Square, ...], turns: int) -> tuple[Square, ...]:
    return tuple(sorted(move_squares(outline, turns)))


def find_first_turn(outline: tuple[Square, ...]) -> tuple[Square, ...]:
    """Return one of the turns of an outline, the same one for all of them."""
    return min(turn_outline(outline, turns) for turns in range(4))


def list_free_outlines() -> list[tuple[Square, ...]]:
    """Return one of the turns of each outline, mirrored ones apart."""
    return sorted({find_first_turn(outline) for outline in list_outlines()})


def vouched(layout: WonderLayout) -> WonderLayout:
    """Return a layout of which only the coats of arms are a guess."""
    return read_wonder({**layout.entry, "inferred": [COATS_UNSEEN]})


def test_twelve_letters_have_sixty_three_outlines() -> None:
    assert len(list_outlines()) == 63
    assert Counter(list_outlines().values()) == Counter(
        {"F": 8, "I": 2, "L": 8, "N": 8, "P": 8, "T": 4, "U": 4, "V": 4, "W": 4, "X": 1, "Y": 8, "Z": 4}
    )


def test_eighteen_outlines_remain_without_turns() -> None:
    assert len(list_free_outlines()) == 18


@pytest.mark.parametrize("outline", list_outlines())
def test_an_outline_is_five_connected_sorted_squares_from_0(outline: tuple[Square, ...]) -> None:
    reached = {outline[0]}
    for _ in outline:
        reached |= {near for at in reached for side in SIDES if (near := get_neighbour(at, side)) in outline}
    assert reached == {*outline}
    assert len(reached) == 5
    assert list(outline) == sorted(outline)
    assert (min(row for row, _ in outline), min(col for _, col in outline)) == (0, 0)


@given(st.sampled_from(sorted(list_outlines())), st.integers(0, 3))
def test_an_outline_keeps_its_letter_when_turned_or_mirrored(outline: tuple[Square, ...], turns: int) -> None:
    mirrored = tuple((row, -col) for row, col in outline)
    letters = {list_outlines()[turn_outline(way, turns)] for way in (outline, mirrored)}
    assert letters == {list_outlines()[outline]}


@given(regions)
def test_four_quarter_turns_change_nothing(region: list[Square]) -> None:
    moved = move_squares(region)
    turned = moved
    for _ in range(4):
        turned = move_squares(turned, 1)
    assert turned == moved
    assert move_squares(region, 4) == moved


@given(regions, st.integers(-8, 8), st.integers(-8, 8))
def test_turns_add_up_and_turning_back_is_the_inverse(region: list[Square], first: int, second: int) -> None:
    assert move_squares(move_squares(region, first), second) == move_squares(region, first + second)
    assert move_squares(move_squares(region, first), -first) == move_squares(region)


@given(regions, squares)
def test_a_region_is_normalised_independently_of_its_place(region: list[Square], step: Square) -> None:
    elsewhere = [(row + step[0], col + step[1]) for row, col in region]
    assert move_squares(elsewhere) == move_squares(region)


def test_a_quarter_turn_is_clockwise() -> None:
    assert move_squares([(0, 0), (0, 1), (0, 2), (1, 0)], 1) == ((0, 1), (1, 1), (2, 1), (0, 0))


@pytest.mark.parametrize("id", IDS)
def test_a_wonder_includes_its_inferred_outline_and_the_shares_sum_to_one(id: str) -> None:
    layout = load_wonder_catalogue()[id]
    for turns in range(4):
        assert weigh_outline(layout, turn_outline(layout.squares, turns)) == INFERRED_OUTLINE[id]
    assert 0.98 <= sum(weigh_outline(layout, outline) for outline in list_free_outlines()) <= 1.01


@pytest.mark.parametrize("id", IDS)
def test_all_turns_of_an_outline_are_equally_likely(id: str) -> None:
    layout = load_wonder_catalogue()[id]
    for outline in list_free_outlines():
        assert len({weigh_outline(layout, turn_outline(outline, turns)) for turns in range(4)}) == 1


@pytest.mark.parametrize("id", IDS)
def test_every_outline_is_possible_and_the_inferred_one_most_likely(id: str) -> None:
    """By far, except for the one wonder whose captions fit a second outline nearly as well."""
    layout = load_wonder_catalogue()[id]
    own = find_first_turn(layout.squares)
    others = [weigh_outline(layout, outline) for outline in list_free_outlines() if outline != own]
    assert min(others) > 0.001
    assert weigh_outline(layout, own) > max(others) * (1.2 if id == "WH/terracotta-army" else 2.9)


@pytest.mark.parametrize("id", sorted(OTHER_OUTLINES))
def test_outlines_that_fit_the_captions_are_more_likely_than_others(id: str) -> None:
    layout, letters = load_wonder_catalogue()[id], list_outlines()
    free = [outline for outline in list_free_outlines() if outline != find_first_turn(layout.squares)]
    named = {letter: sum(weigh_outline(layout, o) for o in free if letters[o] == letter) for letter in letters.values()}
    assert {letter: named[letter] for letter in OTHER_OUTLINES[id]} == pytest.approx(OTHER_OUTLINES[id])
    fitting = [weigh_outline(layout, o) for o in free if letters[o] in OTHER_OUTLINES[id]]
    rest = [weigh_outline(layout, o) for o in free if letters[o] not in OTHER_OUTLINES[id]]
    assert min(fitting) > max(rest)


@pytest.mark.parametrize("id", IDS)
def test_an_outline_given_by_a_person_is_trusted(id: str) -> None:
    layout = vouched(load_wonder_catalogue()[id])
    assert not layout.is_guessed
    for turns in range(4):
        assert weigh_outline(layout, turn_outline(layout.squares, turns)) == OWN_OUTLINE
    assert sum(weigh_outline(layout, outline) for outline in list_free_outlines()) <= 1.001
    others = [outline for outline in list_outlines() if find_first_turn(layout.squares) != find_first_turn(outline)]
    assert max(weigh_outline(layout, outline) for outline in others) < 1 - OWN_OUTLINE


def test_the_mirror_image_of_an_outline_is_a_different_outline() -> None:
    layout = load_wonder_catalogue()["WH/stonehenge"]
    mirrored = turn_outline(tuple((row, -col) for row, col in layout.squares), 0)
    assert list_outlines()[mirrored] == list_outlines()[find_first_turn(layout.squares)]
    assert weigh_outline(layout, mirrored) < 0.01


@pytest.mark.parametrize("id", IDS)
def test_inferred_facts_are_edges_or_squares_but_not_coats_of_arms(id: str) -> None:
    shipped = load_wonder_catalogue()[id]
    assert shipped.is_guessed
    assert COATS_UNSEEN in shipped.inferred
    assert not read_wonder({**shipped.entry, "inferred": []}).is_guessed
    assert read_wonder({**shipped.entry, "inferred": ["the ends of both roads"]}).is_guessed


def test_an_outline_that_suggests_another_wonder_is_reported() -> None:
    shipped = load_wonder_catalogue()
    cross = shipped["WH/angkor-wat"].squares
    assert find_likelier_wonder(build_bare_wonder("WH/alhambra", cross)) == "WH/angkor-wat"
    for id, layout in shipped.items():
        assert find_likelier_wonder(layout) is None, id
        assert find_likelier_wonder(build_bare_wonder(id, tuple(reversed(layout.squares)))) is None


def test_an_outline_that_its_captions_allow_suggests_no_other_wonder() -> None:
    for id, shapes in OTHER_SHAPES.items():
        for squares in shapes:
            assert find_likelier_wonder(build_bare_wonder(id, squares)) is None
