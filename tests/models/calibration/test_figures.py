"""Weights fitted on pieces and figures separate them on tables that were not fitted on."""

from __future__ import annotations

import json

import numpy as np

from models.calibration.board.figures import SEEN_BY_EYE, Thing, fit_row
from vision.pieces.figures import FigureWeights


def sample_things(table: str, logits: float, boxes: bool, figures: bool, drawn: bool = False) -> list[Thing]:
    rng = np.random.default_rng(len(table))
    return [Thing(table, np.array([logits + rng.normal(), 4.0, 8.0, boxes, 1.0]), figures, drawn) for _ in range(20)]


def test_less_sure_things_on_tables_with_other_boxes_are_figures() -> None:
    pieces = sample_things("base", 8.0, False, False) + sample_things("dragon", 8.0, True, False)
    figures = sample_things("dragon", 3.0, True, True) + sample_things("fairy!", 3.0, True, True)
    row = fit_row([*pieces, *figures])
    weights = FigureWeights(**row.fitted)
    assert weights.classifier < 0 < weights.boxes
    counts = {name: row.fitted_on[name] for name in ("things", "figures", "asked", "pieces_asked")}
    assert counts == {"things": 80, "figures": 40, "asked": 40, "pieces_asked": 1}


def test_how_often_drawn_tables_have_figures_says_nothing_about_others() -> None:
    real = sample_things("base", 8.0, False, False) + sample_things("dragon", 3.0, True, True)
    drawn = sample_things("things", 3.0, False, True, drawn=True) + sample_things(
        "things", 8.0, False, False, drawn=True
    )
    without, beside = (FigureWeights(**fit_row(things).fitted) for things in (real, [*real, *drawn]))
    assert abs(without.offset - beside.offset) < abs(beside.classifier * 5)


def test_every_photo_seen_by_eye_has_both() -> None:
    seen = json.loads(SEEN_BY_EYE.read_text(encoding="utf-8"))
    assert sum(len(photo["figures"]) for photo in seen.values()) > 20
    assert all(set(photo) == {"figures", "pieces"} and photo["pieces"] for photo in seen.values())
