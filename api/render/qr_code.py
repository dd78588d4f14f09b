"""A link as a QR code, to be scanned from paper or a screen."""

from __future__ import annotations

import cv2
import numpy as np

QUIET_MODULES = 4
"""White border around the code, in modules, as the standard requires."""


def draw_qr_code(text: str) -> str:
    """Draw a text as a QR code in SVG."""
    drawn = cv2.QRCodeEncoder.create().encode(text) == 0
    rows, cols = np.flatnonzero(drawn.any(axis=1)), np.flatnonzero(drawn.any(axis=0))
    modules = drawn[rows[0] : rows[-1] + 1, cols[0] : cols[-1] + 1]
    side = modules.shape[0] + 2 * QUIET_MODULES
    squares = "".join(f"M{x + QUIET_MODULES} {y + QUIET_MODULES}h1v1h-1z" for y, x in np.argwhere(modules))
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {side} {side}" shape-rendering="crispEdges">'
        f'<path fill="#fff" d="M0 0h{side}v{side}H0z"/><path d="{squares}"/></svg>'
    )
