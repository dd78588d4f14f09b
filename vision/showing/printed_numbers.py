"""Numbers printed on a board, read in its straightened picture; a person checks all that follows from them.

RapidOCR reads them: its package ships its nets, which run on ONNX Runtime. Tesseract is a program of the system's, and
EasyOCR and docTR need PyTorch.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from functools import cache
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from vision.arrays import EVEN_ODDS, Floats, Image
from vision.showing.draft import BoxMark
from vision.showing.outlines import SEARCH_PX

if TYPE_CHECKING:
    from rapidocr import RapidOCR

PARAMETERS = {
    "Global.log_level": "error",
    "Global.use_cls": False,
    "Global.text_score": math.sqrt(EVEN_ODDS),
    "Det.limit_type": "max",
    "Det.limit_side_len": SEARCH_PX,
    "EngineConfig.onnxruntime.intra_op_num_threads": 1,
}
"""Settings of the library: texts stand upright, a part of a picture is not enlarged, and a text is left out if its
score is nearer to even odds than to certainty. Measured: right texts have 0.79 at least, a wrong one on a blurred board
has 0.55.
"""
_reading = Lock()


class PrintedNumber(NamedTuple):
    """A number, its centre and its height in pixels of the straightened picture."""

    value: int
    x: float
    y: float
    height: float

    def lies_in(self, box: BoxMark) -> bool:
        """Return whether the centre lies in a box."""
        x, y, w, h = box
        return x < self.x < x + w and y < self.y < y + h


def read_printed_numbers(picture: Image, boxes: Sequence[BoxMark]) -> tuple[PrintedNumber, ...]:
    """Read the numbers in boxes of a picture (h, w, 3), from the top left; a text may hold several."""
    if not boxes:
        return ()
    edges = np.array([(x, y, x + w, y + h) for x, y, w, h in boxes])
    left, top = np.maximum(edges[:, :2].min(axis=0), 0).astype(int)
    right, bottom = np.ceil(edges[:, 2:].max(axis=0)).astype(int)
    texts = _read_texts(np.ascontiguousarray(picture[top:bottom, left:right]))
    numbers = [number for text, corners in texts for number in _split_text(text, corners + np.array([left, top]))]
    return tuple(number for number in numbers if any(number.lies_in(box) for box in boxes))


def _read_texts(picture: Image) -> list[tuple[str, Floats]]:
    """Read the texts of a picture (h, w, 3), each with its corners (4, 2)."""
    from rapidocr.utils.output import RapidOCROutput

    with _reading:
        found = _load_reader()(picture)
    assert isinstance(found, RapidOCROutput)
    return [] if found.txts is None or found.boxes is None else list(zip(found.txts, found.boxes, strict=True))


def _split_text(text: str, corners: Floats) -> Iterator[PrintedNumber]:
    """Yield the numbers of a text with corners (4, 2), each where its digits stand if all signs are equally wide."""
    left, right = corners[:, 0].min(), corners[:, 0].max()
    for match in re.finditer(r"[0-9]{1,3}", text):
        x = left + (right - left) * (match.start() + match.end()) / 2 / len(text)
        yield PrintedNumber(int(match[0]), float(x), float(corners[:, 1].mean()), float(np.ptp(corners[:, 1])))


@cache
def _load_reader() -> RapidOCR:
    """Load the library and its nets: not before somebody enrols a board."""
    from rapidocr import RapidOCR

    return RapidOCR(params=PARAMETERS)
