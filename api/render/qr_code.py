"""QR codes, as a picture and in a terminal."""

from __future__ import annotations

import cv2
import numpy as np

from vision.arrays import Flags

QUIET_MODULES = 4
"""White border around the code, in modules, as the standard requires."""
_HALVES = {(False, False): "█", (False, True): "▀", (True, False): "▄", (True, True): " "}
"""Two modules above each other, true if dark, as a character of a light colour on a dark terminal."""


def draw_qr_code(text: str) -> str:
    """Draw a text as a QR code in SVG."""
    modules = _encode(text)
    squares = "".join(f"M{x} {y}h1v1h-1z" for y, x in np.argwhere(modules))
    side = len(modules)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {side} {side}" shape-rendering="crispEdges">'
        f'<path fill="#fff" d="M0 0h{side}v{side}H0z"/><path d="{squares}"/></svg>'
    )


def print_qr_code(text: str) -> str:
    """Return a text as a QR code in lines of block characters, white on black whatever colours a terminal has."""
    modules = _encode(text)
    rows = np.vstack([modules, np.zeros((len(modules) % 2, len(modules)), bool)]).reshape(-1, 2, len(modules))
    lines = ("".join(_HALVES[bool(above), bool(below)] for above, below in row.T) for row in rows)
    return "\n".join(f"\x1b[97;40m{line}\x1b[0m" for line in lines)


def _encode(text: str) -> Flags:
    """Return the modules (side, side) of a text's code with the quiet border, true if dark."""
    dark = cv2.QRCodeEncoder.create().encode(text) == 0
    rows, cols = np.flatnonzero(dark.any(axis=1)), np.flatnonzero(dark.any(axis=0))
    return np.pad(dark[rows[0] : rows[-1] + 1, cols[0] : cols[-1] + 1], QUIET_MODULES)
