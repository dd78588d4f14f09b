"""Coats of arms told by those that a photo surely shows: one print draws them all alike.

Where a tile's coat of arms lies is known, so each sure one is cut out, and looked for in other squares, turned any way.
How well it is found where there is surely one, and where there is surely none, each photo tells by itself (a linear
discriminant between the two). So a coat of arms is found on a tile whose art no net has seen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np

from scoring.calibration import load_weights
from scoring.carcassonne.tiles.catalogue import Catalogue, list_layout_turns
from scoring.carcassonne.tiles.geometry import SIDES, Square, turn_point
from vision.arrays import Floats, Image
from vision.photo.crops import CROP_MARGIN, crop_squares
from vision.photo.white_balance import correct_white_balance
from vision.survey.survey import PlacedSurvey

SQUARE_PX = 64
"""The size of a square, with its margin, in which coats of arms are looked for."""
PATCH_PX = 11
"""The size of what is cut out about a coat of arms: hardly more than it, since what is around it differs."""
MAX_COATS, MAX_BARE = 8, 24
"""So many squares that surely have a coat of arms, and so many with cities that surely have none, are looked at."""
MIN_COATS, MIN_KINDS, MIN_BARE = 3, 2, 6
"""With fewer coats of arms, kinds of tiles that have one, or squares without one, nothing is told."""
SURE_PROBABILITY = 0.95
PRIOR_SPREAD = 0.03
"""How far likenesses of one kind are apart at least, before any is seen."""


@dataclass(frozen=True, slots=True)
class FoundCoat:
    """How much likelier, in nats, a square has a coat of arms than none, and where (x, y) of it that would lie."""

    nats: float
    at: tuple[float, float]


@dataclass(frozen=True, slots=True, eq=False)
class Likeness:
    """How like a square is, at the likeliest place, to the coats of arms that are cut out."""

    value: float
    at: tuple[float, float]


class CoatMatcher:
    """Tells how much squares of one photo look as if they had a coat of arms.

    `coats` are those that surely have one, each with where (x, y) of it that lies.
    `log_probs` (n, K + 2) say what each of n `squares` is of the catalogue's turned layouts.
    """

    def __init__(
        self, placed: PlacedSurvey, squares: Sequence[Square], log_probs: Floats, catalogue: Catalogue
    ) -> None:
        self._placed = placed
        self.coats, self._bare = _list_sure_squares(placed, squares, log_probs, catalogue)
        self._kinds = _name_kinds(squares, log_probs, catalogue)

    def weigh(self, squares: Sequence[Square]) -> Mapping[Square, FoundCoat]:
        """Return what the squares that the photo shows look like; empty where its coats of arms tell nothing.

        A square of a tile that is known is held against tiles of other kinds alone: what is around a coat of arms is
        no help on a wonder.
        """
        look = load_weights("carcassonne", "wonders")["coat_look"]
        found = {}
        for square, (odds, at) in self.compare(squares).items():
            nats = float(np.clip(look["slope"] * odds + look["offset"], look["least"], look["most"]))
            found[square] = FoundCoat(nats, at)
        return found

    def compare(self, squares: Sequence[Square]) -> Mapping[Square, tuple[float, tuple[float, float]]]:
        """Return the odds of a coat of arms against none as the photo itself tells them, and where it would lie.

        They are in nats, and as if likenesses were spread normally: the calibration makes them honest.
        """
        if self._discriminant is None:
            return {}
        slope, middle = self._discriminant
        within = [square for square in squares if square in self._placed.index]
        likenesses = self._measure(within)
        return {
            square: (slope * (likeness.value - middle), likeness.at)
            for square, likeness in zip(within, likenesses, strict=True)
        }

    @cached_property
    def _discriminant(self) -> tuple[float, float] | None:
        """Slope and middle of the odds of a coat of arms by a likeness."""
        kinds = {self._kinds[square] for square in self.coats}
        if len(self.coats) < MIN_COATS or len(self._bare) < MIN_BARE or len(kinds) < MIN_KINDS:
            return None
        coats, bare = (
            np.array([likeness.value for likeness in self._measure(squares)]) for squares in ([*self.coats], self._bare)
        )
        variance = (coats.var() + bare.var()) / 2 + PRIOR_SPREAD**2
        return float((coats.mean() - bare.mean()) / variance), float((coats.mean() + bare.mean()) / 2)

    @cached_property
    def _patches(self) -> Mapping[Square, tuple[Image, ...]]:
        """What is cut out about each sure coat of arms, turned in each of four ways."""
        patches = {}
        for (square, spot), crop in zip(self.coats.items(), self._crop([*self.coats]), strict=True):
            x, y = (float(convert_to_pixels(number)) for number in spot)
            patch = cv2.getRectSubPix(crop, (PATCH_PX, PATCH_PX), (x, y))
            patches[square] = tuple(np.ascontiguousarray(np.rot90(patch, turns)) for turns in range(4))
        return patches

    def _measure(self, squares: Sequence[Square]) -> list[Likeness]:
        return [
            find_likest(self._list_patches(square), crop)
            for square, crop in zip(squares, self._crop(squares), strict=True)
        ]

    def _list_patches(self, square: Square) -> list[tuple[Image, ...]]:
        """What is cut out of tiles of other kinds than a square's, as far as that is known."""
        kind = self._kinds.get(square)
        return [patch for other, patch in self._patches.items() if kind is None or self._kinds[other] != kind]

    def _crop(self, squares: Sequence[Square]) -> Image:
        image, scale = self._image
        return crop_squares(image, self._placed.quads(squares) * scale, SQUARE_PX)

    @cached_property
    def _image(self) -> tuple[Image, float]:
        """The photo at the size in which squares are cut out, and its scale."""
        survey = self._placed.survey
        image, scale = survey.photo.halves.sized(SQUARE_PX / survey.lattice.tile_px)
        return correct_white_balance(image, np.array([*survey.lattice.corners.values()]) * scale), scale


def _list_sure_squares(
    placed: PlacedSurvey, squares: Sequence[Square], log_probs: Floats, catalogue: Catalogue
) -> tuple[Mapping[Square, tuple[float, float]], list[Square]]:
    """The squares that surely have a coat of arms, with where (x, y) of the square it lies, and those with a city that
    surely have none. How a tile lies that looks the same to the rules after a turn nobody knows: it tells no place."""
    classes = list_layout_turns(catalogue)
    coats: dict[Square, tuple[float, float]] = {}
    bare: list[Square] = []
    for i in np.argsort(-log_probs.max(axis=1), kind="stable").tolist():
        number = int(log_probs[i].argmax())
        if number >= len(classes) or log_probs[i, number] < np.log(SURE_PROBABILITY) or squares[i] not in placed.index:
            continue
        tile, turns = classes[number]
        layout = catalogue[tile]
        if len(layout.coat_spots) == 1 and layout.symmetry == len(SIDES) and len(coats) < MAX_COATS:
            coats[squares[i]] = turn_point(layout.coat_spots[0], turns)
        elif not layout.coat_spots and len(bare) < MAX_BARE and any(part.kind == "city" for part in layout.segments):
            bare.append(squares[i])
    return coats, bare


def _name_kinds(squares: Sequence[Square], log_probs: Floats, catalogue: Catalogue) -> Mapping[Square, tuple[str, ...]]:
    """What lies at the four sides of each square's likeliest tile as it is printed; none for unknown ones."""
    classes = list_layout_turns(catalogue)
    likeliest = log_probs.argmax(axis=1).tolist()
    return {
        square: tuple(catalogue[classes[number][0]].edge(side) for side in SIDES)
        for square, number in zip(squares, likeliest, strict=True)
        if number < len(classes)
    }


def find_likest(patches: Sequence[tuple[Image, ...]], crop: Image) -> Likeness:
    """Find where patches, each turned as is best, lie likeliest in a crop by their mean correlation."""
    maps = [
        np.max([cv2.matchTemplate(crop, turned, cv2.TM_CCOEFF_NORMED) for turned in patch], axis=0) for patch in patches
    ]
    free = max(round(CROP_MARGIN * SQUARE_PX) - 2, 0)
    average = np.mean(maps, axis=0)[free:-free, free:-free]
    row, col = np.unravel_index(int(average.argmax()), average.shape)
    x, y = (convert_to_square(free + number + PATCH_PX // 2) for number in (int(col), int(row)))
    return Likeness(float(average[row, col]), (x, y))


def convert_to_pixels(number: float) -> float:
    """Convert a place on the square to one in a crop, along one axis."""
    return (number + CROP_MARGIN) * SQUARE_PX / (1 + 2 * CROP_MARGIN) - 0.5


def convert_to_square(pixel: float) -> float:
    """Convert a place in a crop to one on the square: the inverse of `convert_to_pixels`."""
    return (pixel + 0.5) * (1 + 2 * CROP_MARGIN) / SQUARE_PX - CROP_MARGIN
