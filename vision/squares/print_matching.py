"""Squares compared with the prints that a person enrolled.

Two photos of one print differ in light and pose, not in the drawing, while another art's tile of the same layout
differs in nearly every detail. The comparison therefore uses the drawing's fine structure (the residual after removing
slow changes of brightness; correlation after small shifts, all four turns of each print). It counts only above the
correlations of two tiles of different art: tables of an art that is not enrolled are read as without enrolments. The
net's features, compared likewise, were tried and are not used: they do not distinguish arts, so that an enrolled coat
of arms made the net surer of squares it misread elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.arrays import EVEN_ODDS, Floats, Image, Ints, Singles, compute_softmax
from vision.enrolment.prints import Enrolment, TileKey
from vision.photo.crops import CROP_MARGIN, CROP_PX
from vision.squares.catalogue import build_reading_catalogue

PRINT_PX = 32
"""Size of a compared print in pixels. A guess."""
FINE_SIGMA_PX = 2.0
"""Changes slower than this many of PRINT_PX (a Gaussian's sigma) are light, not drawing. A guess."""
SHIFTS_PX = ((0.0, 0.0), (1.5, 0.0), (-1.5, 0.0), (0.0, 1.5), (0.0, -1.5))
"""The shifts (x, y), in pixels of CROP_PX, by which a square may be misplaced. A guess."""
MAX_UNLIKE_CORRELATION = 0.3
"""Correlations up to this occur between prints of different art, and are no evidence. A guess."""
NATS_PER_CORRELATION = 20.0
"""Nats for a tile per unit of correlation. A guess."""
COAT_FACTOR, MAX_COAT_NATS = 2.0, 4.0
"""Factor and maximum of the evidence between tiles that differ in a coat of arms alone. They correlate almost equally,
so their difference means more. But a set may draw each copy of a tile differently, and a net that knows its art is
surer than any print, so the evidence is limited. A guess."""


@dataclass(frozen=True, slots=True, eq=False)
class Beyond:
    """The identity of squares that are of no class of the net, by enrolled prints, wonders among them.

    `log_probs` (n, len(keys) + 1) are conditional on a square being none of the net's own classes; the last column
    means none of these prints either.
    """

    keys: tuple[TileKey, ...]
    log_probs: Floats

    def named(self, square: int, further_nats: Sequence[float] = ()) -> tuple[TileKey | None, float]:
        """Return the key of one square that is likelier than not, None for none of them, and its probability.

        `further_nats` are other evidence for each key.
        """
        nats = self.log_probs[square] + np.array([*further_nats, 0.0] if further_nats else 0.0)
        probabilities = compute_softmax(nats)
        candidates = zip(self.keys, probabilities[:-1].tolist(), strict=True)
        key, probability = max(candidates, key=lambda candidate: candidate[1], default=(None, 0.0))
        return (key, probability) if probability > EVEN_ODDS else (None, 1 - probability)


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
        """Return logits (n, K + 2) with the evidence of enrolled prints, and the identities of squares of no class.

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
    """Return the net's class for a square, if any; gardens are plain twins, indistinguishable turns one."""
    reading_catalogue = build_reading_catalogue()
    if key.tile not in reading_catalogue:
        return f"{key.tile}@{key.turns}"
    layout = reading_catalogue[key.tile]
    return f"{layout.id}@{key.turns % layout.symmetry}"


def _select_strongest(says: Floats, of: Ints, count: int) -> Floats:
    """Return (n, count) the strongest evidence of any print for each of `count` things; `of` -1 is none of them."""
    most = np.zeros((len(says), count))
    for i in np.unique(of[of >= 0]):
        most[:, i] = says[:, of == i].max(axis=1)
    return most


def _separate_twins(says: Floats, twins: Ints) -> Floats:
    """Return (n, K + 2) the prints' evidence, with the difference between (m, 2) twins weighed separately."""
    most = says[:, twins].max(axis=2)
    apart = np.clip(COAT_FACTOR * (says[:, twins[:, 1]] - says[:, twins[:, 0]]), -MAX_COAT_NATS, MAX_COAT_NATS)
    weighed = says.copy()
    weighed[:, twins[:, 0]] = most - np.maximum(apart, 0)
    weighed[:, twins[:, 1]] = most + np.minimum(apart, 0)
    return weighed


def _extract_prints(crops: Image, shift: tuple[float, float] = (0.0, 0.0)) -> Singles:
    """Extract (n, 3 PRINT_PX^2) the drawing on each crop, of length 1."""
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
