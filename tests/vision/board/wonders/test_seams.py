"""Borders between two tiles count as seams by the photo's own statistics, lines within one print do not."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import cv2
import numpy as np
import pytest

from scoring.carcassonne.tiles.geometry import Square
from tests.readers import reader, survey_example
from vision.arrays import Floats, Image
from vision.board.wonders.seams import (
    MIN_BORDERS,
    SIDE_PX,
    WITHIN,
    Border,
    SeamLook,
    SeamMeter,
    crop_dominoes,
    load_most_nats,
    measure_lines,
    weigh_print,
)
from vision.geometry.lattice_transform import Step
from vision.photo.decoding import Photo
from vision.photo.pyramid import Halves
from vision.squares.catalogue import build_reading_catalogue
from vision.survey.survey import PlacedSurvey


@cache
def read_table() -> PlacedSurvey:
    """Return the project's own picture of a table without wonders."""
    return reader().joiner.group([survey_example("table")]).placed[0]


def list_borders(placed: PlacedSurvey) -> list[Border]:
    """Return all borders between two squares."""
    return [
        (square, other)
        for square in sorted(placed.index)
        for other in ((square[0], square[1] + 1), (square[0] + 1, square[1]))
        if other in placed.index
    ]


def cut_rows(placed: PlacedSurvey, starts: list[Square], first: float, last: float) -> Floats:
    """Return (n, 4, 2) corners of the area between two columns, counted from the west of three squares side by side."""
    corners = np.array([(col + x, y) for col in range(3) for x, y in ((0, 0), (1, 0), (1, 1), (0, 1))])
    wanted = np.array([[(first, 0.0), (last, 0.0), (last, 1.0), (first, 1.0)]])
    rows = [placed.quads([(row, col + n) for n in range(3)]).reshape(-1, 2) for row, col in starts]
    return np.array([cv2.perspectiveTransform(wanted, cv2.findHomography(corners, seen)[0])[0] for seen in rows])


def list_rows_of_three(placed: PlacedSurvey) -> list[Square]:
    """Return the first of three squares side by side, no square twice."""
    starts: list[Square] = []
    for row, col in sorted(placed.index):
        free = all(start[0] != row or col - start[1] > 2 for start in starts)
        if free and all((row, col + n) in placed.index for n in range(3)):
            starts.append((row, col))
    return starts


def print_across(placed: PlacedSurvey, starts: list[Square]) -> PlacedSurvey:
    """Return the photo with a print continued across a border of two squares, copied from half a square east."""
    pixels = placed.survey.photo.pixels.copy()
    source, target = (cut_rows(placed, starts, *span).astype(np.float32) for span in ((0.5, 2.5), (0, 2)))
    for old, new in zip(source, target, strict=True):
        moved = cv2.warpPerspective(
            placed.survey.photo.pixels, cv2.getPerspectiveTransform(old, new), placed.size, flags=cv2.INTER_LINEAR
        )
        inside = np.zeros(pixels.shape[:2], np.uint8)
        cv2.fillConvexPoly(inside, new.round().astype(np.int32), 1)
        pixels[inside > 0] = moved[inside > 0]
    photo = Photo(Halves(pixels), "print.jpg", "0" * 64, 0.0)
    return replace(placed, survey=replace(placed.survey, photo=photo))


@cache
def weigh_all(placed: PlacedSurvey) -> Floats:
    borders = list_borders(placed)
    return np.array(SeamMeter(placed, borders).weigh(borders))


def draw_dominoes(count: int, seed: int, seams: bool) -> Image:
    """Draw two squares of one noisy texture, or of two with a dark line between them."""
    rng = np.random.default_rng(seed)
    left = rng.integers(70, 190, (count, 1, 1, 3))
    right = left + rng.integers(-25, 25, (count, 1, 1, 3)) if seams else left
    textures = rng.normal(0, 25, (count, SIDE_PX // 8, 2 * SIDE_PX // 8))
    smooth = np.stack([cv2.resize(t, (2 * SIDE_PX, SIDE_PX), interpolation=cv2.INTER_CUBIC) for t in textures])
    pixels = np.where(np.arange(2 * SIDE_PX)[:, None] < SIDE_PX, left, right) + smooth[..., None]
    pixels = pixels + rng.normal(0, 4, pixels.shape)
    if seams:
        pixels[:, :, SIDE_PX - 1 : SIDE_PX + 1] -= 30
    return np.asarray(np.clip(pixels, 0, 255), np.uint8)


def test_nearly_all_borders_between_tiles_count_as_seams() -> None:
    nats = weigh_all(read_table())
    assert len(nats) > 100
    assert np.mean(nats > 0) > 0.95
    assert np.median(nats) > 3


def test_the_evidence_of_a_border_is_bounded() -> None:
    nats = weigh_all(read_table())
    assert np.abs(nats).max() <= load_most_nats()
    assert np.mean(nats == load_most_nats()) > 0.3


def test_lines_within_tiles_are_evidence_against_a_seam() -> None:
    placed = read_table()
    dominoes = crop_dominoes(placed.survey.photo.pixels, cut_rows(placed, list_rows_of_three(placed), 0, 2))
    statistics = measure_lines(dominoes)
    assert statistics.shape == (len(dominoes), len(WITHIN) + 1, 5)
    assert len(dominoes) >= MIN_BORDERS
    for part in range(2):
        learned = statistics[part::2]
        look = SeamLook.learn(learned[:, -1], learned[:, :-1].reshape(-1, 5))
        others = look.weigh(statistics[1 - part :: 2])
        assert np.mean(others[:, -1] > 0) > 0.9
        assert np.mean(others[:, :-1] < 0) > 0.85


def test_prints_that_continue_across_a_border_mostly_contradict_a_seam() -> None:
    placed = read_table()
    starts = list_rows_of_three(placed)
    across = [((row, col), (row, col + 1)) for row, col in starts]
    borders = list_borders(placed)
    printed = SeamMeter(print_across(placed, starts), borders)
    touched = {square for border in across for square in border}
    apart = [border for border in borders if not {*border} & touched]
    assert len(apart) > 20
    before, after = (np.array(meter.weigh(across)) for meter in (SeamMeter(placed, borders), printed))
    assert np.mean(before > 0) > 0.95
    assert np.mean(after < 0) > 0.7
    assert np.median(after) < -1
    assert np.mean(after < before) > 0.9
    assert np.mean(np.array(printed.weigh(apart)) > 0) > 0.95


def test_too_few_borders_give_no_evidence() -> None:
    placed = read_table()
    borders = list_borders(placed)
    assert SeamMeter(placed, borders[: MIN_BORDERS - 1]).weigh(borders) == [0.0] * len(borders)
    assert SeamMeter(placed, []).weigh(borders[:1]) == [0.0]
    assert all(SeamMeter(placed, borders[:MIN_BORDERS]).weigh(borders))


def test_a_border_outside_the_photo_gives_no_evidence() -> None:
    placed = read_table()
    borders = list_borders(placed)
    square = borders[0][0]
    unseen = [((90, 90), (90, 91)), ((square[0] - 50, square[1]), square)]
    told = SeamMeter(placed, [*unseen, *borders]).weigh([*unseen, *borders])
    assert told[:2] == [0.0, 0.0]
    assert told[2:] == pytest.approx(weigh_all(placed))
    few = borders[: MIN_BORDERS - 1]
    assert SeamMeter(placed, [*unseen, *few]).weigh(few) == [0.0] * len(few)


def test_a_border_weighs_the_same_in_repeated_calls() -> None:
    placed = read_table()
    borders = list_borders(placed)
    meter = SeamMeter(placed, borders)
    singly = [nats for border in borders[::-1] for nats in meter.weigh([border, border])]
    assert singly[::2] == singly[1::2]
    assert singly[::2] == pytest.approx(weigh_all(placed)[::-1])
    assert meter.weigh([]) == []


@pytest.mark.parametrize("turns", [1, 2])
def test_the_turn_of_the_lattice_hardly_matters(turns: int) -> None:
    placed, step = read_table(), Step(turns, 3, -2)
    turned = PlacedSurvey.at(placed.survey, step, build_reading_catalogue())
    moved = [tuple(sorted(step.square(square) for square in border)) for border in list_borders(placed)]
    borders: list[Border] = [(first, second) for first, second in moved]
    before, after = weigh_all(placed), np.array(SeamMeter(turned, sorted(borders)).weigh(borders))
    assert np.mean((before > 0) == (after > 0)) > 0.95
    assert np.mean(np.abs(before - after)) < 0.5


def test_seam_appearance_is_learned_despite_a_few_borders_without_one() -> None:
    dominoes = np.concatenate([draw_dominoes(36, 1, True), draw_dominoes(4, 2, False)])
    statistics = measure_lines(dominoes)
    look = SeamLook.learn(statistics[:, -1], statistics[:, :-1].reshape(-1, 5))
    nats = look.weigh(statistics[:, -1])
    assert np.mean(nats[:36] > 0) > 0.95
    assert (nats[36:] < 0).all()


def test_missing_seams_are_evidence_only_where_seams_run_around_them() -> None:
    """A blurred part of a photo has no seams, neither within five squares nor around them."""
    within = np.full(3, -4 * load_most_nats())
    sharp, blurred, edge = weigh_print(within, np.array([10 * load_most_nats(), -10 * load_most_nats(), 0.0]))
    assert sharp == pytest.approx(-within[0], abs=0.1)
    assert abs(blurred) < 0.01
    assert blurred < edge < sharp
    assert weigh_print(-within[:1], np.array([20.0]))[0] < -10
