"""How farmers stand is counted, on real tables where these are at hand."""

from __future__ import annotations

import pytest

from models.calibration.farmers import PosedPiece, collect_pieces, fit_row
from tests.scoring.outside import SHARED, needs_shared
from vision.evaluation.labels import load_truth
from vision.reader import Reader

FARMER = PosedPiece(stands=False, is_farmer=True, seems_in_field=True)
STANDING = PosedPiece(stands=True, is_farmer=True, seems_in_field=True)
KNIGHT = PosedPiece(stands=True, is_farmer=False, seems_in_field=False)
STRAY = PosedPiece(stands=True, is_farmer=False, seems_in_field=True)


def test_each_share_is_of_the_pieces_that_it_is_about() -> None:
    values = fit_row([FARMER] * 7 + [STANDING] + [KNIGHT] * 11 + [STRAY]).values
    assert values == {
        "farmers": pytest.approx(8.5 / 21, abs=1e-3),
        "standing": pytest.approx(1.5 / 9, abs=1e-3),
        "strays": pytest.approx(1.5 / 13, abs=1e-3),
        "pieces": 20,
    }


def test_what_was_never_seen_is_not_impossible() -> None:
    values = fit_row([FARMER, KNIGHT]).values
    assert 0 < values["standing"] < 1
    assert 0 < values["strays"] < 1


@needs_shared
def test_farmers_of_a_real_table_lie() -> None:
    truth = load_truth(SHARED / "labels" / "kpm_15.json")
    pieces = list(collect_pieces(Reader(), truth, SHARED / "photos" / "failing" / "kpm_15.jpg"))
    assert len(pieces) >= 10
    assert any(piece.is_farmer for piece in pieces)
    assert not any(piece.stands for piece in pieces if piece.is_farmer)
