"""Squares held against the prints that a person taught.

Two photos of one print differ by light and by how it lies, not in its drawing, while another art's tile of the same
layout differs in nearly every detail. So the drawing's fine structure is compared (what is left once slow changes of
brightness are taken off; correlation after small shifts, all four turns of each print), and counts from where two
tiles of different art no longer come: tables of an art that was not taught are read as before. The net's features,
compared likewise, were tried and are not used: they know no art from another, so that a taught coat of arms made the
net surer of what it misread elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.arrays import Floats, Image, Ints, Singles
from vision.enrolment.prints import Enrolment, TileKey
from vision.photo.crops import CROP_MARGIN, CROP_PX
from vision.squares.catalogue import build_reading_catalogue

PRINT_PX = 32
FINE_SIGMA_PX = 2.0
"""What changes more slowly than over this many of PRINT_PX (a Gaussian's sigma) is light, not drawing."""
SHIFTS_PX = ((0.0, 0.0), (1.5, 0.0), (-1.5, 0.0), (0.0, 1.5), (0.0, -1.5))
"""The shifts (x, y), in pixels of CROP_PX, by which a square may lie off its place."""
MAX_UNLIKE_CORRELATION = 0.3
"""Correlations up to this come between prints of different art, and count nothing."""
NATS_PER_CORRELATION = 20.0
"""What a correlation of 1 more would say for a tile."""
COAT_FACTOR, MAX_COAT_NATS = 2.0, 4.0
"""Tiles that differ in a coat of arms alone correlate nearly alike, so what sets them apart says more. But a set may
draw each copy of a tile anew, and a net that knows its art is surer than any print: so much is said at most."""


@dataclass(frozen=True, slots=True, eq=False)
class Beyond:
    """What squares are if they are of no class of the net: by prints that were taught, wonders among them.

    `log_probs` (n, len(keys) + 1), given that a square is none of the net's own; the last: nor any of these.
    """

    keys: tuple[TileKey, ...]
    log_probs: Floats

    def named(self, square: int) -> tuple[TileKey | None, float]:
        """Return the likeliest key of one square, None for none of them, and how likely it is."""
        best = int(self.log_probs[square].argmax())
        key = self.keys[best] if best < len(self.keys) else None
        return key, float(np.exp(self.log_probs[square, best]))


class References:
    """The prints of some enrolments, by the classes of a net (`BA/RCr@0` and so on, then other and none)."""

    def __init__(self, enrolments: Iterable[Enrolment], classes: Sequence[str]) -> None:
        number = {name: i for i, name in enumerate(classes)}
        keys: list[TileKey] = []
        prints: list[Singles] = []
        for enrolment in enrolments:
            for quarters in range(4):
                turned = np.ascontiguousarray(np.rot90(enrolment.crops, -quarters, axes=(1, 2)))
                keys += [key.turned(quarters) for key in enrolment.keys]
                prints.append(_extract_prints(turned))
        class_numbers = [number.get(resolve_class_name(key)) for key in keys]
        self._other = len(classes) - 2
        self._prints = np.concatenate(prints) if prints else np.zeros((0, PRINT_PX**2 * 3), np.float32)
        self._classes = np.array(
            [-1 if class_number is None else class_number for class_number in class_numbers], np.int64
        )
        self.beyond = tuple(
            sorted({key for key, class_number in zip(keys, class_numbers, strict=True) if class_number is None})
        )
        place = {key: i for i, key in enumerate(self.beyond)}
        self._keys = np.array([place.get(key, -1) for key in keys], np.int64)

    def __len__(self) -> int:
        return len(self._prints)

    def weigh(self, scores: Floats, crops: Image, twins: Ints) -> tuple[Floats, Beyond]:
        """Return logits (n, K + 2) of squares with the evidence of the enrolled prints, and what those of no class are.

        `twins` (m, 2) are the classes that differ in a coat of arms alone.
        """
        likes = np.full((len(crops), len(self._prints)), -1.0, np.float32)
        for shift in SHIFTS_PX:
            np.maximum(likes, _extract_prints(crops, shift) @ self._prints.T, out=likes)
        says = NATS_PER_CORRELATION * np.maximum(likes.astype(np.float64) - MAX_UNLIKE_CORRELATION, 0)
        beyond = _select_strongest(says, self._keys, len(self.beyond))
        weighed = scores + _separate_twins(_select_strongest(says, self._classes, scores.shape[1]), twins)
        if self.beyond:
            weighed[:, self._other] += beyond.max(axis=1)
        beyond_logits = np.column_stack([beyond, np.zeros(len(crops))])
        return weighed, Beyond(self.beyond, beyond_logits - np.logaddexp.reduce(beyond_logits, axis=1, keepdims=True))


def resolve_class_name(key: TileKey) -> str:
    """Return the net's class for a square, if it has one: gardens go with their plain twins, turns that look alike
    are one."""
    reading_catalogue = build_reading_catalogue()
    if key.tile not in reading_catalogue:
        return f"{key.tile}@{key.turns}"
    layout = reading_catalogue[key.tile]
    return f"{layout.id}@{key.turns % layout.symmetry}"


def _select_strongest(says: Floats, of: Ints, count: int) -> Floats:
    """(n, count): what the print that says most for each of so many things says; `of` -1 is none of them."""
    most = np.zeros((len(says), count))
    for i in np.unique(of[of >= 0]):
        most[:, i] = says[:, of == i].max(axis=1)
    return most


def _separate_twins(says: Floats, twins: Ints) -> Floats:
    """(n, K + 2) what prints say, once what sets (m, 2) twins apart is weighed as its own question."""
    most = says[:, twins].max(axis=2)
    apart = np.clip(COAT_FACTOR * (says[:, twins[:, 1]] - says[:, twins[:, 0]]), -MAX_COAT_NATS, MAX_COAT_NATS)
    weighed = says.copy()
    weighed[:, twins[:, 0]] = most - np.maximum(apart, 0)
    weighed[:, twins[:, 1]] = most + np.minimum(apart, 0)
    return weighed


def _extract_prints(crops: Image, shift: tuple[float, float] = (0.0, 0.0)) -> Singles:
    """(n, 3 PRINT_PX^2) the drawing on each crop, of length 1."""
    margin = round(CROP_MARGIN * CROP_PX / (1 + 2 * CROP_MARGIN)) + 2
    step = np.array([(1, 0, shift[0]), (0, 1, shift[1])], np.float32)
    drawings = np.empty((len(crops), PRINT_PX, PRINT_PX, 3), np.float32)
    for drawing, crop in zip(drawings, crops, strict=True):
        moved = cv2.warpAffine(
            np.log(crop.astype(np.float32) + 8), step, crop.shape[1::-1], borderMode=cv2.BORDER_REPLICATE
        )
        small = cv2.resize(moved[margin:-margin, margin:-margin], (PRINT_PX, PRINT_PX), interpolation=cv2.INTER_AREA)
        drawing[:] = small - cv2.GaussianBlur(small, (0, 0), FINE_SIGMA_PX)
    flat = drawings.reshape(len(crops), -1)
    flat -= flat.mean(axis=1, keepdims=True)
    return np.asarray(flat / np.maximum(np.linalg.norm(flat, axis=1, keepdims=True), 1e-6), np.float32)
