"""QR codes read off a screen, by another library than the one that draws them."""

from __future__ import annotations

import cv2
import numpy as np
import zxingcpp


def read_qr_code(screenshot: bytes) -> str:
    """Return the text of the one QR code that a screenshot (PNG) shows."""
    pixels = cv2.imdecode(np.frombuffer(screenshot, np.uint8), cv2.IMREAD_GRAYSCALE)
    assert pixels is not None
    (code,) = zxingcpp.read_barcodes(pixels)
    assert code.format == zxingcpp.BarcodeFormat.QRCode
    return code.text
