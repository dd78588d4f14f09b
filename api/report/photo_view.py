"""What a photo shows of the table, without its pixels: enough to make a report from."""

from __future__ import annotations

from dataclasses import dataclass

from api.report.builder import build_photo_info
from api.report.schema import PhotoInfo
from scoring.carcassonne.tiles.geometry import Square
from vision.multiview.reading import View
from vision.reading.values import Reading


@dataclass(frozen=True, slots=True, eq=False)
class PhotoView:
    """One of the photos: the reading of the whole board in its pixels.

    `squares` and `meeples` (by number) are those that it shows, `best` those that no other shows better; `bare` are
    squares beside the board that its border cuts, and that hold no tile all the same.
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
    """What a view of the board shows."""
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
