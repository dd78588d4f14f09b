"""Standing and lying farmers are counted, on real tables if these are available."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from datasets.art.procedural import draw_tile_set
from datasets.art.style import STYLES
from datasets.generate import Deal
from datasets.render.shots import Manner, shoot
from models.calibration.farmers import (
    PRIOR_SHARES,
    PosedPiece,
    StandingPiece,
    collect_posed_pieces,
    collect_standing_pieces,
    fit_pieces_row,
    fit_standing_row,
)
from models.calibration.photographers import DRAWN, CasesOfTable
from tests.readers import reader
from tests.scoring.outside import SHARED, needs_shared
from vision.arrays import SUREST
from vision.evaluation.labels import load_truth
from vision.pieces.placement import load_standing_scaling

FARMER = PosedPiece(stands=False, is_farmer=True, seems_in_field=True)
STANDING = PosedPiece(stands=True, is_farmer=True, seems_in_field=True)
KNIGHT = PosedPiece(stands=True, is_farmer=False, seems_in_field=False)
STRAY = PosedPiece(stands=True, is_farmer=False, seems_in_field=True)


def test_each_share_is_fitted_on_its_own_pieces() -> None:
    pieces = [FARMER] * 7 + [STANDING] + [KNIGHT] * 11 + [STRAY]
    values = fit_pieces_row([CasesOfTable(DRAWN, (piece,)) for piece in pieces]).values
    assert values == {
        "farmers": pytest.approx((8 + 6) / 40, abs=1e-3),
        "standing": pytest.approx((1 + 0.4) / 28, abs=1e-3),
        "strays": pytest.approx((1 + 0.4) / 32, abs=1e-3),
        "pieces": 20,
    }


def test_unobserved_poses_keep_their_prior_probability() -> None:
    """If a photographer's tables have no lying piece, farmers are not assumed to stand half of the time."""
    values = fit_pieces_row([CasesOfTable(DRAWN, (KNIGHT,))]).values
    assert values["standing"] == PRIOR_SHARES["standing"]
    assert 0 < values["strays"] < PRIOR_SHARES["strays"]
    assert 0 < values["farmers"] < PRIOR_SHARES["farmers"]


@needs_shared
def test_farmers_of_a_real_table_lie() -> None:
    truth = load_truth(SHARED / "labels" / "kpm_15.json")
    pieces = list(collect_posed_pieces(reader(), truth, SHARED / "photos" / "failing" / "kpm_15.jpg"))
    assert len(pieces) >= 10
    assert any(piece.is_farmer for piece in pieces)
    assert not any(piece.stands for piece in pieces if piece.is_farmer)


@pytest.mark.parametrize(("slope", "offset"), [(1.0, 0.0), (0.5, 1.0)])
def test_slope_and_offset_are_recovered(slope: float, offset: float) -> None:
    rng = np.random.default_rng(1)
    logits = rng.normal(0, 3, 4000)
    outcomes = rng.random(4000) < 1 / (1 + np.exp(-slope * logits - offset))
    pieces = [
        StandingPiece(float(1 / (1 + np.exp(-logit))), bool(so)) for logit, so in zip(logits, outcomes, strict=True)
    ]
    values = fit_standing_row([CasesOfTable(DRAWN, (piece,)) for piece in pieces]).values
    assert values["slope"] == pytest.approx(slope, abs=0.1)
    assert values["offset"] == pytest.approx(offset, abs=0.15)
    assert (values["pieces"], values["farmers"]) == (4000, int(outcomes.sum()))


@pytest.mark.soak
def test_standing_farmers_of_a_drawn_table_are_compared_with_the_others(tmp_path: Path) -> None:
    rng = np.random.default_rng(2)
    board = Deal(played=True, players=3, standing=True).board(rng)
    art = draw_tile_set(STYLES["ink"], 1, 160)
    shoot(board, art, "plain", Manner((2000, 1500), (70, 90), strength=0.3), rng).save(tmp_path, "table")
    pieces = list(collect_standing_pieces(reader(), load_truth(tmp_path / "table.json"), tmp_path / "table.jpg"))
    farmers, others = ([p.probability for p in pieces if p.is_farmer == farmer] for farmer in (True, False))
    assert len(farmers) >= 2
    assert len(others) >= 2
    assert np.mean(farmers) > np.mean(others) + 0.3


@needs_shared
@pytest.mark.parametrize("name", ["kpm_11", "ls_five_colours"])
def test_the_scaling_in_force_is_honest_for_real_standing_farmers(name: str) -> None:
    """Each table leaves all farmers standing; the scaling in force is honest on it, though fitted on few pieces."""
    truth = load_truth(SHARED / "labels" / "new" / f"{name}.json")
    pieces = list(collect_standing_pieces(reader(), truth, SHARED / "photos" / "failing" / f"{name}.jpg"))
    scaled = [(load_standing_scaling().apply(piece.probability, SUREST), piece.is_farmer) for piece in pieces]
    assert all((probability > 0.5) == is_farmer for probability, is_farmer in scaled)
    assert sum(1 - p if is_farmer else p for p, is_farmer in scaled) < 0.03 * len(scaled)


@needs_shared
def test_a_table_with_lying_farmers_is_no_evidence() -> None:
    truth = load_truth(SHARED / "labels" / "kpm_15.json")
    assert not list(collect_standing_pieces(reader(), truth, SHARED / "photos" / "failing" / "kpm_15.jpg"))
