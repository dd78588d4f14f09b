"""Photos and their pixels in documents."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from api.documents.report import PhotoInfo, Point

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from vision.photo.decoding import Photo


def build_photo_info(photo: Photo) -> PhotoInfo:
    """Build the report's entry of a photo."""
    return PhotoInfo(file=photo.file, width=photo.width, height=photo.height, sha256=photo.sha256)


def round_points(pixels: ArrayLike) -> list[Point]:
    """Round points (n, 2) to a tenth of a pixel, as pairs."""
    return [(x, y) for x, y in np.round(np.reshape(pixels, (-1, 2)), 1).tolist()]
