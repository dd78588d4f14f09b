"""A track's spaces are counted from the places that a user taps, whatever their shape; else the user is asked."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from tests.vision.showing.tracks import (
    FONTS,
    GOLD,
    SHAPES,
    SIZE,
    draw_ground,
    draw_space,
    draw_track,
    place_on_arc,
    place_straight,
    spoil,
)
from vision.arrays import Floats, Image
from vision.showing.draft import BoardDraft, BoardMark, list_missing_marks
from vision.showing.outlines import find_outlines
from vision.showing.pointing import add_node
from vision.tower_of_babel.form import BabelForm

FINGER_PX = 4.0


def tap_track(picture: Image, places: list[Floats], rng: np.random.Generator) -> BoardMark:
    """Tap some spaces of a track, each with a finger's error."""
    outlines, path = find_outlines(picture), None
    for at in places:
        x, y = at + rng.normal(0, FINGER_PX, 2)
        path = add_node(picture, outlines, path, (float(x), float(y)))
    assert path is not None
    return path


def draw_ring_track(
    shape: str, radius: float, font: int | None, rng: np.random.Generator
) -> tuple[Image, Floats, list[int]]:
    """Draw a track along three sides of a board; return its places, and the numbers of those to tap."""
    step = 2.4 * radius
    wide, high = int(1300 // step), int(900 // step)
    left, top = 150.0, 130.0
    corners = [(0, 0), (wide, 0), (wide, high), (0, high)]
    sides = [
        place_straight((left + a * step, top + b * step), (left + c * step, top + d * step), abs(c - a) + abs(d - b))
        for (a, b), (c, d) in pairwise(corners)
    ]
    places = np.vstack([sides[0], *(side[1:] for side in sides[1:])])
    picture = draw_ground(rng)
    draw_track(picture, shape, places, radius, font)
    return spoil(picture, rng), places, [0, wide, wide + high, 2 * wide + high]


@pytest.mark.parametrize("radius", [pytest.param(22, marks=pytest.mark.soak), 28])
@pytest.mark.parametrize("shape", [shape for shape in SHAPES if shape != "dot"])
def test_spaces_of_any_shape_are_counted_between_the_corners(shape: str, radius: float) -> None:
    rng = np.random.default_rng((SHAPES.index(shape), int(radius)))
    font = FONTS[SHAPES.index(shape) % len(FONTS)]
    picture, places, numbers = draw_ring_track(shape, radius, font, rng)
    path = tap_track(picture, [places[number] for number in numbers], rng)
    assert path.path is not None
    assert [number for *_, number in path.path] == numbers
    assert path.unsure == ()
    assert np.abs(np.array(path.path)[:, :2] - places[numbers]).max() < 3 * FINGER_PX


@pytest.mark.parametrize("font", [FONTS[0], *(pytest.param(font, marks=pytest.mark.soak) for font in FONTS[1:]), None])
def test_round_spaces_are_counted_with_numbers_in_any_font(font: int | None) -> None:
    rng = np.random.default_rng(5)
    picture, places, numbers = draw_ring_track("round", 26, font, rng)
    path = tap_track(picture, [places[number] for number in numbers], rng)
    assert path.path is not None
    assert ([number for *_, number in path.path], path.unsure) == (numbers, ())


@pytest.mark.parametrize("sweep", [100, 170])
def test_spaces_on_an_arc_become_nodes_that_follow_it(sweep: float) -> None:
    rng = np.random.default_rng(int(sweep))
    count = int(np.radians(sweep) * 380 // 64)
    places = place_on_arc((800, 650), 380, 190, 190 + sweep, count)
    picture = draw_ground(rng)
    draw_track(picture, "round", places, 27, FONTS[0])
    path = tap_track(spoil(picture, rng), [places[0], places[-1]], rng)
    assert path.path is not None
    assert [number for *_, number in path.path] == [*range(count + 1)]
    assert path.unsure == ()
    assert np.abs(np.array(path.path)[:, :2] - places).max() < 16


def test_a_number_that_the_picture_leaves_open_has_to_be_confirmed() -> None:
    """Spaces at uneven distances cannot be counted; a tap on each of them needs no counting."""
    rng = np.random.default_rng(3)
    gaps = rng.uniform(60, 150, 9)
    places = np.column_stack([150 + np.concatenate([[0], np.cumsum(gaps)]), np.full(10, 400.0)])
    picture = draw_ground(rng)
    draw_track(picture, "round", places, 26, FONTS[0])
    path = tap_track(spoil(picture, rng), [places[0], places[-1]], rng)
    assert path.unsure == (1,)
    form = BabelForm()
    draft = BoardDraft(photo="", photo_size=SIZE, marks={"track": path})
    assert "track" in list_missing_marks(form, draft)
    confirmed = path.model_copy(update={"unsure": (), "path": (*(path.path or ())[:1], (*places[-1], 9))})
    assert "track" not in list_missing_marks(form, draft.model_copy(update={"marks": {"track": confirmed}}))


def test_a_large_corner_space_is_not_counted_as_several() -> None:
    """The corner is twice as wide as the others, which would make ten spaces out of nine."""
    rng = np.random.default_rng(8)
    picture = draw_ground(rng)
    xs = 250 + np.array([0.0, *(96 + 64 * np.arange(8)), 96 * 2 + 64 * 7])
    for number, x in enumerate(xs):
        draw_space(picture, "box", np.array((x, 500.0)), 56 if number in (0, 9) else 28, GOLD)
    path = tap_track(spoil(picture, rng), [np.array((xs[0], 500.0)), np.array((xs[-1], 500.0))], rng)
    assert path.path is not None
    assert path.unsure == (1,) or path.path[-1][2] == 9


@pytest.mark.soak
def test_a_count_is_right_or_unsure() -> None:
    """Two taps anywhere, on a track or beside it: nothing is counted wrongly without a question."""
    for seed in range(6):
        rng = np.random.default_rng((seed, 77))
        shape, radius = SHAPES[seed % len(SHAPES)], float(rng.uniform(14, 40))
        picture, places, _ = draw_ring_track(shape, radius, FONTS[seed % len(FONTS)], rng)
        for _ in range(3):
            first, last = sorted(rng.choice(len(places) // 3, 2, replace=False))
            path = tap_track(picture, [places[first], places[last]], rng)
            assert path.path is not None
            assert path.unsure or path.path[-1][2] == last - first
        beside = [rng.uniform((300, 300), (1300, 900)) for _ in range(2)]
        assert tap_track(picture, beside, rng).unsure
