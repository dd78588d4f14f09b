"""Standing and lying farmers are counted, on real tables if these are available."""

from __future__ import annotations

import pytest

from models.calibration.farmers import PRIOR_SHARES, PosedPiece, collect_pieces, fit_row
from models.calibration.photographers import DRAWN, CasesOfTable
from tests.readers import reader
from tests.scoring.outside import SHARED, needs_shared
from vision.evaluation.labels import load_truth

FARMER = PosedPiece(stands=False, is_farmer=True, seems_in_field=True)
STANDING = PosedPiece(stands=True, is_farmer=True, seems_in_field=True)
KNIGHT = PosedPiece(stands=True, is_farmer=False, seems_in_field=False)
STRAY = PosedPiece(stands=True, is_farmer=False, seems_in_field=True)


def test_each_share_is_of_the_pieces_that_it_is_about() -> None:
    pieces = [FARMER] * 7 + [STANDING] + [KNIGHT] * 11 + [STRAY]
    values = fit_row([CasesOfTable(DRAWN, (piece,)) for piece in pieces]).values
    assert values == {
        "farmers": pytest.approx((8 + 6) / 40, abs=1e-3),
        "standing": pytest.approx((1 + 0.4) / 28, abs=1e-3),
        "strays": pytest.approx((1 + 0.4) / 32, abs=1e-3),
        "pieces": 20,
    }


def test_what_was_never_seen_is_as_likely_as_was_thought() -> None:
    """If a photographer's tables have no lying piece, farmers are not assumed to stand half of the time."""
    values = fit_row([CasesOfTable(DRAWN, (KNIGHT,))]).values
    assert values["standing"] == PRIOR_SHARES["standing"]
    assert 0 < values["strays"] < PRIOR_SHARES["strays"]
    assert 0 < values["farmers"] < PRIOR_SHARES["farmers"]


@needs_shared
def test_farmers_of_a_real_table_lie() -> None:
    truth = load_truth(SHARED / "labels" / "kpm_15.json")
    pieces = list(collect_pieces(reader(), truth, SHARED / "photos" / "failing" / "kpm_15.jpg"))
    assert len(pieces) >= 10
    assert any(piece.is_farmer for piece in pieces)
    assert not any(piece.stands for piece in pieces if piece.is_farmer)
