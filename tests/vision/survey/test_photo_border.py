"""The share of squares that lies in a photo."""

from __future__ import annotations

import numpy as np
import pytest

from vision.photo.crops import CORNERS
from vision.survey.photo_border import _measure_shares


def test_shares_are_those_of_each_square_by_itself() -> None:
    places = np.array([(4, 4), (9.5, 4), (-0.5, -0.25), (11, 4), (2, 2), (3, 3)])
    quads = CORNERS + places[:, None]
    quads[4] = quads[4, [0, 2, 1, 3]]  # turned inside out
    quads[5] = quads[5, 0]  # no more than a point
    assert _measure_shares(quads, (10, 8)).tolist() == pytest.approx([1, 0.5, 0.375, 0, 0, 0])
