"""The types of arrays that pass between modules; what their axes are, the functions that take them say."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
"""Numbers: coordinates, probabilities, colours; the shape stands where it is used."""
Singles = NDArray[np.float32]
"""Numbers in single precision: logits, maps, descriptors, layers of a picture."""
Image = NDArray[np.uint8]
"""Pixels, mostly (h, w, 3) BGR."""
Flags = NDArray[np.bool_]
"""Yes or no for each place."""
Ints = NDArray[np.int64]
"""Indices and counts."""
