"""A board with all parts of its layout drawn over it, for checking by eye."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import cv2
import numpy as np
from pydantic import TypeAdapter, ValidationError

from vision.arrays import Floats, Image
from vision.flat_boards.layout import MAX_GRID_LINES, Region

COLOUR = (214, 43, 255)
"""Colour of lines, BGR. A guess."""
_REGIONS: TypeAdapter[Region] = TypeAdapter(Region)


def draw_layout(picture: Image, size_mm: tuple[float, float], layout: Mapping[str, Any]) -> Image:
    """Draw the regions, tracks and grids of a `[layout]` over a picture (h, w, 3) of a board of that size."""
    drawn = picture.copy()
    scale = picture.shape[1] / size_mm[0]
    for name, part in _walk("", layout):
        if (outline := _read_outline(part)) is not None:
            _draw_outline(drawn, outline * scale, name)
        elif isinstance(part, Mapping) and "spaces" in part and isinstance(part["spaces"], int):
            _draw_spaces(drawn, _list_spaces(part) * scale, name)
        elif isinstance(part, Mapping) and "square" in part:
            _draw_grid(drawn, np.array(part["first"]) * scale, float(part["square"]) * scale)
    return drawn


def _walk(name: str, part: Any) -> Iterator[tuple[str, Any]]:
    """Yield all parts of a layout with their names, from the outside in."""
    yield name, part
    if _read_outline(part) is not None:
        return
    if isinstance(part, Mapping):
        for key, inner in part.items():
            yield from _walk(f"{name}.{key}".removeprefix("."), inner)
    elif isinstance(part, Sequence) and not isinstance(part, str):
        for number, inner in enumerate(part, 1):
            yield from _walk(f"{name}.{number}", inner)


def _read_outline(part: Any) -> Floats | None:
    if not isinstance(part, Mapping) or not {"at", "points"} & part.keys():
        return None
    try:
        return _REGIONS.validate_python(part).outline
    except ValidationError:
        return None


def _list_spaces(part: Mapping[str, Any]) -> Floats:
    """Return the centres (n, 2) of the spaces of a run or a track."""
    first, count = np.array(part["first"], np.float64), int(part["spaces"])
    if "step" in part:
        return np.asarray(first + np.arange(count)[:, None] * np.array(part["step"], np.float64))
    return np.asarray(np.linspace(first, np.array(part["last"], np.float64), count))


def _draw_outline(drawn: Image, outline: Floats, name: str) -> None:
    cv2.polylines(drawn, [np.rint(outline).astype(np.int32)], True, COLOUR, 2, cv2.LINE_AA)
    _write(drawn, name.split(".")[-1] if name.count(".") > 1 else name, outline.mean(axis=0))


def _draw_spaces(drawn: Image, spaces: Floats, name: str) -> None:
    for x, y in np.rint(spaces).astype(int).tolist():
        cv2.drawMarker(drawn, (x, y), COLOUR, thickness=2)
    _write(drawn, name.split(".")[-1], spaces[0])


def _draw_grid(drawn: Image, first: Floats, square: float) -> None:
    """Draw grid lines from the first square to the picture's border."""
    high, wide = drawn.shape[:2]
    for axis, length in ((0, wide), (1, high)):
        for number in range(MAX_GRID_LINES):
            at = first[axis] + number * square
            if at > length:
                break
            ends = ((at, first[1]), (at, high)) if axis == 0 else ((first[0], at), (wide, at))
            low, far = (tuple(np.rint(end).astype(int).tolist()) for end in ends)
            cv2.line(drawn, low, far, COLOUR, 1, cv2.LINE_AA)


def _write(drawn: Image, text: str, at: Floats) -> None:
    spot = (round(float(at[0])) - 6 * len(text) // 2, round(float(at[1])) + 5)
    cv2.putText(drawn, text, spot, cv2.FONT_HERSHEY_SIMPLEX, 0.42, (0, 0, 0), 3, cv2.LINE_AA)
    cv2.putText(drawn, text, spot, cv2.FONT_HERSHEY_SIMPLEX, 0.42, (255, 255, 255), 1, cv2.LINE_AA)
