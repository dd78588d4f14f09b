"""The evidence of upside-down pieces for wonders is fitted on photos."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from models.calibration.markers import LookedAtPiece, collect_pieces, fit_row
from tests.api.carcassonne.corrections.further import photograph
from tests.readers import reader


def test_the_marker_of_a_photo_has_higher_odds_than_other_pieces(tmp_path: Path) -> None:
    photo, truth = photograph()
    file = tmp_path / "a.png"
    assert cv2.imwrite(str(file), photo.pixels)
    pieces = [*collect_pieces(reader(), truth, file)]
    (marker,) = [piece for piece in pieces if piece.is_marker]
    others = [piece for piece in pieces if not piece.is_marker]
    assert len(others) >= 2
    assert all(marker.odds > other.odds for other in others)
    assert sum(piece.tiles for piece in pieces) == 14


def test_a_row_states_the_cases_it_was_fitted_on() -> None:
    rng = np.random.default_rng(0)
    markers = [LookedAtPiece(float(odds), True, 1.0, 0) for odds in rng.normal(1, 1, 30)]
    others = [LookedAtPiece(float(odds), False, 0.5, 10) for odds in rng.normal(-5, 1, 60)]
    row = fit_row([*markers, *others])
    assert (row.table, row.name) == ("wonders", "marker_look")
    assert (row.values["markers"], row.values["pieces"]) == (30, 60)
    assert row.values["expected"] == pytest.approx(5 * 30 / 600)
    assert row.values["slope"] > 0
    middle = -row.values["offset"] / row.values["slope"]
    assert -5 < middle < 1
    with pytest.raises(ValueError, match="both kinds"):
        fit_row(markers)
