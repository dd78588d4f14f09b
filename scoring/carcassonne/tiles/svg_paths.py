"""Paths in SVG notation, flattened to points."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]

CURVE_STEPS = 16
"""Number of straight steps of a flattened cubic curve. A guess."""
MAX_UNITS = 10_000.0
"""Maximum number in a path: a wonder's frame has 10 squares of 100 units, and curve handles are close to it. Bounds
memory.
"""
_TOKEN = re.compile(r"[A-Za-z]|-?\d+(?:\.\d+)?", re.ASCII)
_PAIRS = {"M": 1, "L": 1, "C": 3, "S": 2, "Z": 0}


def flatten_path(path: str) -> Points:
    """Return the points (n, 2) of a path of absolute M, L, C, S and Z; a cubic curve becomes 16 straight steps.

    Raises ValueError for any other command, and for a number beyond `MAX_UNITS`.
    """
    points: list[Points] = []
    reflected: Points | None = None
    for command, arguments in _split_commands(path):
        if command in "ML":
            points.append(arguments)
        elif command in "CS":
            start = points[-1][-1]
            if command == "S":
                arguments = np.vstack([start if reflected is None else reflected, arguments])
            points.append(_flatten_cubic(start, *arguments))
            reflected = 2 * arguments[2] - arguments[1]
        if command not in "CS":
            reflected = None
    return np.vstack(points)


def _split_commands(path: str) -> Iterator[tuple[str, Points]]:
    tokens = _TOKEN.findall(path)
    while tokens:
        command = tokens.pop(0)
        if command not in _PAIRS:
            raise ValueError(f"a path holds {command!r}, where one of {', '.join(_PAIRS)} is expected")
        length = 2 * _PAIRS[command]
        numbers, tokens = tokens[:length], tokens[length:]
        values = np.array(numbers, dtype=np.float64).reshape(-1, 2)
        if (np.abs(values) > MAX_UNITS).any():
            raise ValueError(f"a path holds a number beyond {MAX_UNITS:g}")
        yield command, values


def _flatten_cubic(start: Points, first: Points, second: Points, end: Points) -> Points:
    t = np.linspace(0, 1, CURVE_STEPS + 1)[1:, None]
    curve = (1 - t) ** 3 * start + 3 * (1 - t) ** 2 * t * first + 3 * (1 - t) * t**2 * second + t**3 * end
    curve[-1] = end
    return np.asarray(curve)
