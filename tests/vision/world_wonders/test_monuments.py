"""Names for monuments: by looks, by footprint, one of each, and none without an enrolment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from datasets.world_wonders.own_copy import format_components as written
from scoring.world_wonders.components import load_components
from vision.arrays import Image
from vision.enrolment.games import MAX_LOOKS, GameEnrolment, GameEnrolments
from vision.errors import EnrolmentError
from vision.flat_boards.reading import SpotReading
from vision.world_wonders.monument_features import Look, compute_look_difference, extract_look
from vision.world_wonders.monuments import (
    Monuments,
    NarrowPieces,
    list_monument_pieces,
    load_look_weights,
    load_tower_weights,
    may_be_monument,
    weigh_towers,
)
from vision.world_wonders.squares import SQUARE_PX

CARDS = load_components(written("A")).monuments
BLOCK = ((0, 0), (0, 1), (1, 0), (1, 1))
EMPTY = np.full((6 * SQUARE_PX, 6 * SQUARE_PX, 3), (70, 150, 90), np.uint8)


def standing(*things: tuple[tuple[tuple[int, int], ...], tuple[int, int, int]]) -> np.ndarray:
    """Return a map with objects of a colour, lighter in their middle, on some squares."""
    picture = EMPTY.copy()
    for squares, colour in things:
        for row, col in squares:
            part = picture[row * SQUARE_PX : (row + 1) * SQUARE_PX, col * SQUARE_PX : (col + 1) * SQUARE_PX]
            part[:] = colour
            part[6:-6, 6:-6] = np.minimum(np.array(colour) + 40, 255)
    return picture


def moved(down: int, right: int) -> tuple[tuple[int, int], ...]:
    return tuple((row + down, col + right) for row, col in BLOCK)


def read(*pieces: tuple[tuple[int, int], ...]) -> list[SpotReading]:
    outline = np.zeros((4, 2))
    return [
        SpotReading(f"map.red.{row}.{col}", f"monument#{number}", 0.9, (("-", 0.05),), outline)
        for number, squares in enumerate(pieces, 1)
        for row, col in squares
    ]


RED, BLUE = (40, 40, 200), (200, 60, 50)
SHOWN = {
    "giza": [extract_look(standing((BLOCK, RED)), EMPTY, BLOCK)],
    "lighthouse": [extract_look(standing((BLOCK[:1], RED)), EMPTY, BLOCK[:1])],
}


def name_shown(readings: list[SpotReading], view: Image, empty: Image) -> list[SpotReading]:
    """Return a map's squares with names for the enrolled monuments."""
    return Monuments(SHOWN, CARDS).look_at(view, empty).name_readings(readings)


def test_an_enrolled_monument_is_named_and_others_are_asked_about() -> None:
    there, other = moved(3, 3), moved(0, 3)
    named = name_shown(read(there, other), standing((there, RED), (other, BLUE)), EMPTY)
    assert {spot.value for spot in named[:4]} == {"giza#1"}
    assert {spot.value for spot in named[4:]} == {"monument#1"}
    for spot in named:
        shares = [likely for _, likely in spot.alternatives]
        assert shares == sorted(shares, reverse=True)
        assert spot.value not in dict(spot.alternatives)
        assert spot.confidence + sum(shares) <= 1 + 1e-9
        assert spot.confidence <= 0.9


def test_each_monument_is_named_at_most_once() -> None:
    there, other = moved(3, 3), moved(0, 3)
    named = name_shown(read(there, other), standing((there, RED), (other, RED)), EMPTY)
    assert sorted({str(spot.value) for spot in named}) == ["giza#1", "monument#1"]


def test_a_footprint_rules_out_other_monuments() -> None:
    named = name_shown(read(((2, 2), (2, 3))), standing((((2, 2), (2, 3)), RED)), EMPTY)
    assert {spot.value for spot in named} == {"monument#1"}
    assert not any("#" in str(value) for spot in named for value, _ in spot.alternatives)
    assert may_be_monument(CARDS["giza"], moved(1, 2))
    assert not may_be_monument(CARDS["giza"], BLOCK[:3])
    assert may_be_monument(CARDS["moai"], [(4, 4)])


def test_touching_monuments_are_separated_by_their_shapes() -> None:
    spots = [replace(spot, value="moai#1") for spot in read(((2, 2), (2, 3), (4, 4)))]
    assert [*list_monument_pieces(spots, CARDS)] == [("moai", [(2, 2)]), ("moai", [(2, 3)]), ("moai", [(4, 4)])]
    whole = [replace(spot, value="giza#1") for spot in read(BLOCK)]
    assert [*list_monument_pieces(whole, CARDS)] == [("giza", [*BLOCK])]
    torn = [replace(spot, value="giza#1") for spot in read(BLOCK[:3])]
    assert [*list_monument_pieces(torn, CARDS)] == [("giza", [*BLOCK[:3]])]


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2**32), st.integers(0, 3))
def test_looks_are_compared_in_every_turn(seed: int, turns: int) -> None:
    rng = np.random.default_rng(seed)
    picture = rng.integers(0, 256, (2 * SQUARE_PX, SQUARE_PX, 4), np.uint8)
    picture[..., 3] = 255
    differ = compute_look_difference(Look(picture), Look(np.ascontiguousarray(np.rot90(picture, turns))))
    assert differ is not None
    assert max(differ[:2]) < 0.02
    assert differ[2] < 3.0
    square = rng.integers(0, 256, (SQUARE_PX, SQUARE_PX, 4), np.uint8)
    assert compute_look_difference(Look(picture), Look(square)) is None


def test_enrolled_monuments_are_stored_and_removed(tmp_path: Path) -> None:
    store = GameEnrolments(tmp_path / "games")
    store.save(GameEnrolment("world-wonders", written("A")))
    looks = [np.full((SQUARE_PX, SQUARE_PX, 4), shade, np.uint8) for shade in range(MAX_LOOKS + 2)]
    states = [store.state("world-wonders")]
    for look in looks:
        store.add_pieces("world-wonders", {"moai": [look], "chichen-itza": [look]})
        states.append(store.state("world-wonders"))
    assert len({*states}) == len(states)
    pieces = store.load("world-wonders").pieces
    assert pieces.keys() == {"moai", "chichen-itza"}
    assert [int(look[0, 0, 0]) for look in pieces["moai"]] == list(range(2, MAX_LOOKS + 2))
    store.forget_piece("world-wonders", "moai")
    assert store.load("world-wonders").pieces.keys() == {"chichen-itza"}
    with pytest.raises(EnrolmentError, match="no_such_enrolment"):
        store.forget_piece("world-wonders", "moai")
    with pytest.raises(EnrolmentError, match="bad_name"):
        store.add_pieces("world-wonders", {"../moai": looks[:1]})
    (store.folder / "world-wonders" / "pieces" / "giza-1.png").write_bytes(b"no picture")
    with pytest.raises(EnrolmentError, match="bad_enrolment"):
        store.load("world-wonders")
    store.forget("world-wonders")
    assert store.games() == []


def weigh(
    colours: list[tuple[int, int, int]],
    odds: list[float],
    parts: tuple[int, ...] = (1, 1),
    places: Sequence[float] = (),
) -> list[float]:
    """Return the nats in favour of towers for pieces of some colours, each on its own square."""
    squares = [((2 * (i // 3), 2 * (i % 3)),) for i in range(len(colours))]
    view = standing(*zip(squares, colours, strict=True))
    looks = [Look(extract_look(view, EMPTY, where)) for where in squares]
    before, by_look = np.array(odds), np.array(places or [0.0] * len(odds))
    more = weigh_towers(NarrowPieces(looks, before, by_look), parts, load_look_weights(), load_tower_weights())
    return [float(nats) for nats in before - by_look + more[:, 0] - more[:, 1]]


def test_narrow_pieces_that_look_alike_are_towers() -> None:
    first, second, other = weigh([RED, RED, BLUE], [0.5, -0.5, 0.0])
    assert min(first, second) > 0.5
    assert other < 0


def test_a_piece_unlike_the_towers_is_a_monument() -> None:
    *towers, other = weigh([RED, RED, BLUE], [2.0, 2.0, 1.0])
    assert min(towers) > 2
    assert other < -1


def test_a_single_narrow_piece_has_nothing_to_be_compared_with() -> None:
    assert weigh([RED], [0.7]) == pytest.approx([0.7])
    assert weigh([], []) == []


def test_a_piece_like_an_enrolled_monument_is_no_tower() -> None:
    looks = Monuments(SHOWN, CARDS).look_at(standing((BLOCK[:1], RED)), EMPTY)
    like, unlike = looks.weigh_place(BLOCK[:1]), looks.weigh_place([(4, 4)])
    assert like > 1 > 0 > unlike
    (alone,) = weigh([RED], [0.5], places=[like])
    assert alone < 0
    *towers, monument = weigh([BLUE, BLUE, RED], [1.0, 1.0, 1.0], places=[unlike, unlike, like])
    assert min(towers) > 2
    assert monument < -1


def test_towers_may_be_of_the_material_of_the_monuments() -> None:
    assert min(weigh([RED, RED], [2.0, 2.0], places=[1.5, 1.5])) > 0


def test_a_few_pieces_alike_are_no_towers_because_one_of_them_resembles_a_tower() -> None:
    near = (55, 60, 190)
    *moai, tower = weigh([near, near, near, RED], [0.0, 0.0, 0.0, 4.0], parts=(3, 1), places=[2.0, 2.0, 2.0, 0.0])
    assert max(moai) < 0 < tower


def test_a_piece_that_looks_like_another_is_no_flat_tile() -> None:
    squares, places = (((0, 0),), ((0, 2),), ((0, 4),)), np.zeros(3)
    view = standing(*zip(squares, (RED, RED, BLUE), strict=True))
    looks = [Look(extract_look(view, EMPTY, where)) for where in squares]
    more = weigh_towers(NarrowPieces(looks, places, places), (1, 1), load_look_weights(), load_tower_weights())
    assert min(more[:2].max(axis=1)) > 3
    assert more[2, 0] == 0


def test_alike_pieces_may_be_the_parts_of_one_monument() -> None:
    alike, odds = [RED, RED, RED], [-1.0, -1.0, -1.0]
    assert min(weigh(alike, odds)) > 0
    assert max(weigh(alike, odds, parts=(3, 1))) < -1
    assert min(weigh(alike, [3.0, 3.0, 3.0], parts=(3, 1))) > 1
