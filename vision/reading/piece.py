"""A piece seen in a photo: its foot, and the probabilities of its presence and its names."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from vision.arrays import Floats


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """A piece with its foot `at` lattice units (col, row): the probability of its presence, and the odds of its names.

    The odds of its kind are (1,) if its kind was not classified (`vision.pieces.kind_classifier`). `paint` is its
    colour in the photo (`vision.colour.appearance`). `seen` and `seeming` are its presence by each net alone,
    and `said` the odds of its colours by the net alone, (1,) if unknown. `head` is the point on the table where its top
    is seen, in lattice units, NaN if unknown; it is `whole` unless the photo's border cuts it.
    """

    at: tuple[float, float]
    presence: float
    colours: Floats
    poses: Floats
    kinds: Floats = field(default_factory=lambda: np.ones(1))
    paint: Floats = field(default_factory=lambda: np.full(3, np.nan))
    seen: float = np.nan
    seeming: float = np.nan
    said: Floats = field(default_factory=lambda: np.ones(1))
    head: tuple[float, float] = (np.nan, np.nan)
    whole: bool = True

    @property
    def square(self) -> tuple[int, int]:
        """Return the square (row, col) of the lattice under its foot, with or without a tile."""
        return math.floor(self.at[1]), math.floor(self.at[0])
