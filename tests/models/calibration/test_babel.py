"""The evidence behind doubts of Tower of Babel is counted from labels, and outlines of empty boards are fitted."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from datasets.tower_of_babel.__main__ import main as draw
from datasets.tower_of_babel.art import FITTED_BOARD_ARTS, HELD_OUT_BOARD_ARTS
from models.calibration import boards as command
from models.calibration.babel import (
    JudgedSpot,
    SeenPaints,
    TriedSets,
    collect_paints,
    fit_black_chroma,
    fit_block_weights,
    fit_disc_weights,
    fit_kinds,
    judge_spots,
    survey_folders,
)
from models.calibration.boards import collect_points, draw_boards, fit_points, measure_loss
from vision.flat_boards.reading import SpotReading
from vision.showing.bank_card import load_card_weights
from vision.showing.equal_boxes import load_line_weights
from vision.showing.quad_sides import load_edge_weights
from vision.tower_of_babel.pieces import DiscFeatures

OUTLINE = np.zeros((4, 2))


def test_readings_are_compared_with_the_label() -> None:
    spots = [
        SpotReading("row", 2, 0.9, ((3, 0.08),), OUTLINE),
        SpotReading("discs.zeus", 1, 1.0, (), OUTLINE),
        SpotReading("track.red", 5, 1.0, (), OUTLINE),
    ]
    assert list(judge_spots(spots, {"row": 3, "discs.zeus": 1})) == [
        JudgedSpot("row", 2, {3: 0.08}, 3),
        JudgedSpot("discs", 1, {}, 1),
    ]


def test_the_lines_state_the_cases_behind_the_numbers() -> None:
    spots = [JudgedSpot("row", 2, {3: 0.25}, truth) for truth in (3, 2, 5)]
    numbers, amiss = fit_kinds(spots)
    assert (numbers.table, numbers.name) == ("doubts", "row")
    assert [numbers.values[name] for name in ("offered", "so", "said")] == [3, 1, 0.8]
    assert amiss.format_line() == '"row" = {share = 0.375, fitted_on = {so = 1, of = 3}}'


@pytest.mark.soak
def test_drawn_tables_are_read_to_collect_spots(tmp_path: Path) -> None:
    size = ["--size", "1600", "1200", "--strength", "0.3", "--elevation", "70", "80"]
    draw(["--out", str(tmp_path), "--count", "1", "--seed", "3", "--art", "papyrus", *size])
    ((tried, spots),) = survey_folders([tmp_path])
    assert 1 < len(tried) <= 8
    assert all(0 <= sets.truth < len(sets.costs) == len(sets.counts) for sets in tried)
    kinds = {spot.kind for spot in spots}
    assert kinds == {"parts", "discs", "track", "row"}


def test_fitted_house_costs_make_the_true_sets_most_likely() -> None:
    """Sets are drawn with known weights: these are recovered."""
    rng = np.random.default_rng(4)
    wonders = []
    for _ in range(1500):
        counts = np.arange(1.0, 7.0)
        costs = 5.0 * (rng.normal(0, 2.4, len(counts)) - 3.4 * counts)
        logits = -(costs / 5.0 + 3.4 * counts)
        chances = np.exp(logits - logits.max())
        wonders.append(TriedSets(counts, costs, int(rng.choice(len(counts), p=chances / chances.sum()))))
    row = fit_block_weights(wonders)
    assert (row.table, row.name) == ("blocks", "house")
    assert row.values["cost"] * row.values["correlated_mm2"] == pytest.approx(17.0, abs=0.4)
    assert row.values["correlated_mm2"] == pytest.approx(5.0, abs=0.4)
    assert row.values["wonders"] == 1500
    assert 100 < row.values["wrong"] < 750


def test_weights_of_discs_are_recovered_and_stay_finite_without_a_mistake() -> None:
    rng = np.random.default_rng(6)
    alike = rng.uniform(0, 1, 4000)
    has_disc = rng.random(4000) < 1 / (1 + np.exp(8 * alike - 5))
    spaces = [(DiscFeatures(float(a), 0.0, 1.0), bool(d)) for a, d in zip(alike, has_disc, strict=True)]
    fitted = fit_disc_weights(spaces)
    assert fitted.fitted["intercept"] == pytest.approx(5, abs=0.5)
    assert fitted.fitted["alike"] == pytest.approx(-8, abs=0.7)
    apart = [(DiscFeatures(0.95, 0.0, 1.0), False)] * 30 + [(DiscFeatures(0.3, 0.2, 1.0), True)] * 10
    separate = fit_disc_weights(apart)
    assert separate.values["wrong"] == 0
    assert all(abs(weight) < 100 for weight in separate.fitted.values())


@pytest.mark.soak
def test_dark_green_parts_are_not_black_if_black_is_colourless() -> None:
    """Dark green paint (chroma 15) beside yellow: only the chroma of black decides whether it is black."""
    yellow, dark_green, grey = (
        np.array([30.0, 190.0, 215.0]),
        np.array([38.0, 62.0, 34.0]),
        np.array([40.0, 40.0, 40.0]),
    )
    green = SeenPaints([yellow, dark_green], [], frozenset({"yellow", "green"}))
    black = SeenPaints([yellow], [grey], frozenset({"yellow", "black"}))
    fitted = fit_black_chroma([green, green, black]).values
    assert fitted["chroma"] < 8
    assert (fitted["tables"], fitted["wrong"]) == (3, 0)
    tinted = SeenPaints([yellow, dark_green], [], frozenset({"yellow", "black"}))
    assert fit_black_chroma([tinted] * 3).values["chroma"] > fitted["chroma"]


@pytest.mark.soak
def test_the_paints_of_drawn_tables_are_collected(tmp_path: Path) -> None:
    draw(["--out", str(tmp_path), "--count", "1", "--seed", "71", "--art", "oasis"])
    (paints,) = collect_paints([tmp_path])
    assert paints.players
    assert len(paints.hues) + len(paints.neutral) >= len(paints.players) - 1


def test_the_share_and_surprise_of_edges_on_lines_are_recovered() -> None:
    rng = np.random.default_rng(1)
    points = np.where(rng.random(40_000) < 0.8, rng.exponential(3.0, 40_000), rng.exponential(1.0, 40_000))
    seen, surprise = fit_points(points)
    assert (seen, surprise) == pytest.approx((0.8, 3.0), rel=0.05)


@pytest.mark.soak
def test_boards_are_drawn_in_no_held_out_art(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not {*FITTED_BOARD_ARTS} & {*HELD_OUT_BOARD_ARTS}
    monkeypatch.setattr(command, "FITTED_BOARD_ARTS", ("marble",))
    (photographed,), (board,) = draw_boards(1, 5)
    assert photographed.measure_misfit(load_edge_weights()) < 1.0
    assert photographed.measure_size_off(load_card_weights()) < 0.5
    assert collect_points(board).mean() > 1.5  # by the surprise of any point it is 1
    wrong, off = measure_loss([board], load_line_weights())
    assert wrong <= 2
    assert off < 1.5
