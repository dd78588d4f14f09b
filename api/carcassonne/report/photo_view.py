"""A photo's view of the table, without its pixels: enough to build a report from."""

from __future__ import annotations

from dataclasses import dataclass

from api.documents.photos import build_photo_info
from api.documents.report import PhotoInfo
from scoring.carcassonne.tiles.geometry import Square
from vision.multiview.reading import View
from vision.reading.values import Reading


@dataclass(frozen=True, slots=True, eq=False)
class PhotoView:
    """The reading of the whole board in the pixels of one photo.

    `squares` and `meeples` (by index) are those visible in it, `best` and `best_meeples` those that no other photo
    shows better; `bare` are squares beside the board that the photo's border cuts and that are nevertheless known to be
    empty.
    """

    photo: PhotoInfo
    decode_ms: float
    reading: Reading
    squares: frozenset[Square]
    meeples: frozenset[int]
    best: frozenset[Square]
    best_meeples: frozenset[int]
    bare: frozenset[Square]


def build_photo_view(view: View) -> PhotoView:
    """Build the photo view of a view of the board."""
    return PhotoView(
        photo=build_photo_info(view.photo),
        decode_ms=view.photo.decode_ms,
        reading=view.reading,
        squares=view.squares,
        meeples=view.meeples,
        best=view.best,
        best_meeples=view.best_meeples,
        bare=view.bare,
    )
