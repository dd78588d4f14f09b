"""A wonder's coats of arms: the cities of it in which a photo shows one.

No text states whether a wonder has any. One print draws all coats of arms alike, and their places on tiles are known,
so each sure one is cut out, and searched for in other squares in every orientation. Each photo provides its own
statistics of matches with and without a coat of arms (a linear discriminant between the two). This finds a coat of arms
on a tile whose art no net has seen; one that is found belongs to the nearest city.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
from shapely import Point

from scoring.calibration import load_weights
from scoring.carcassonne.board.board import PlacedWonder
from scoring.carcassonne.tiles.catalogue import Catalogue, list_layout_turns
from scoring.carcassonne.tiles.geometry import SIDES, Square, turn_point
from scoring.carcassonne.wonders.files import change_coats, list_unsettled_cities, settle_layout
from vision.arrays import Floats, Image, compute_sigmoid
from vision.board.wonders.copies import MIN_COPY_SHARE
from vision.colour.white_balance import correct_white_balance
from vision.photo.crops import CROP_MARGIN, CROP_PX, crop_squares
from vision.reading.values import DOUBT_BELOW, CoatAlternative, WonderReading
from vision.survey.survey import PlacedSurvey

PATCH_PX = 11
"""Size of the patch about a coat of arms: hardly larger than it, since its surroundings differ. A guess."""
MAX_COATS, MAX_BARE = 8, 24
"""Maximum numbers of squares that surely have a coat of arms, and of squares with cities that surely have none. Bounds
time."""
MIN_COATS, MIN_BARE = 3, 6
"""With fewer coats of arms, or squares without one, there is no evidence. A guess."""
PRIOR_SPREAD = 0.03
"""Lower bound of the standard deviation of likenesses. A guess."""


def read_coats(wonder: WonderReading, matcher: CoatMatcher) -> WonderReading:
    """Return the reading with the coats of arms that a photo shows on its squares, and their alternatives.

    The reading is unchanged if its coats of arms are known, or if the photo provides no evidence.
    """
    if not list_unsettled_cities(wonder.placed.layout):
        return wonder
    found = matcher.weigh(wonder.placed.squares)
    if not found:
        return wonder
    placed, coats = settle_cities(wonder.placed, found)
    others = tuple((settle_other(other, found), probability) for other, probability in wonder.alternatives)
    return replace(wonder, placed=placed, coats=coats, alternatives=others)


def settle_other(other: PlacedWonder, found: Mapping[Square, FoundCoat]) -> PlacedWonder:
    """Return another possible wonder on some of the same squares, with its coats of arms settled if they are sure.

    They are if none of the others is likelier than a copy that is not distinguished.
    """
    if not {*other.squares} <= found.keys() or not list_unsettled_cities(other.layout):
        return other
    placed, coats = settle_cities(other, found)
    if any(coat.probability > MIN_COPY_SHARE for coat in coats):
        return placed
    return replace(placed, layout=settle_layout(placed.layout))


def settle_cities(
    placed: PlacedWonder, found: Mapping[Square, FoundCoat]
) -> tuple[PlacedWonder, tuple[CoatAlternative, ...]]:
    """Return the wonder with the most likely coats of arms, and the alternative for each city."""
    layout, coats = placed.layout, []
    by_city = _share_among_cities(placed, found)
    for city in list_unsettled_cities(layout):
        chances = compute_chances(by_city[city])
        count = sum(chance > 0.5 for chance in chances)
        doubts = [min(chance, 1 - chance) for chance in chances]
        least_sure = chances[int(np.argmax(doubts))]
        other = count - 1 if least_sure > 0.5 else count + 1
        coats.append(CoatAlternative(city, other, float(1 - np.prod(1 - np.array(doubts)))))
        if count != layout.count_coats(city):
            layout = change_coats(layout, city, count)
    return replace(placed, layout=layout), tuple(coats)


def compute_chances(nats: Sequence[float]) -> list[float]:
    """Compute the probability of a coat of arms on each square of a city, given how often cities have one.

    A wonder may be of another printing than the tiles, and its coats of arms may look different.
    """
    known = load_weights("carcassonne", "wonders")["coat"]
    prior = known["share"] / len(nats)
    likelier = np.logaddexp(np.log(known["same_print"]) + np.array(nats), np.log(1 - known["same_print"]))
    return [float(chance) for chance in compute_sigmoid(likelier - np.log(1 / prior - 1))]


def _share_among_cities(placed: PlacedWonder, found: Mapping[Square, FoundCoat]) -> Mapping[int, list[float]]:
    """Return the evidence in nats for a coat of arms on each square of each city; 0 for hidden squares.

    If a square has several cities, the one nearest to the most likely place gets the evidence.
    """
    layout, least = placed.layout, load_weights("carcassonne", "wonders")["coat_look"]["least"]
    by_city: dict[int, list[float]] = {}
    for square, cell in zip(placed.squares, layout.cells, strict=True):
        cities = {
            part: segment.geometry
            for part, segment in zip(cell.parts, cell.segments, strict=True)
            if segment.kind == "city"
        }
        coat = found.get(square)
        spot = Point(turn_point(coat.at, -placed.turns)) if coat else None
        nearest = min(cities, key=lambda part: cities[part].distance(spot), default=None) if spot else None
        for part in cities:
            nats = 0.0 if coat is None else coat.nats if part == nearest else min(coat.nats, least)
            by_city.setdefault(part, []).append(nats)
    return by_city


@dataclass(frozen=True, slots=True)
class FoundCoat:
    """The log-likelihood ratio of a coat of arms on a square, in nats, and its place (x, y) on it."""

    nats: float
    at: tuple[float, float]


@dataclass(frozen=True, slots=True, eq=False)
class Likeness:
    """A square's correlation with the coats of arms that are cut out, at the most likely place."""

    value: float
    at: tuple[float, float]


class CoatMatcher:
    """A matcher that weighs the evidence for coats of arms on squares of one photo.

    `coats` are the squares that surely have one, each with its place (x, y). `log_probs` (n, K + 2) are those of the
    catalogue's turned layouts for each of n `squares`.
    """

    def __init__(
        self, placed: PlacedSurvey, squares: Sequence[Square], log_probs: Floats, catalogue: Catalogue
    ) -> None:
        self._placed = placed
        self.coats, self._bare = _list_sure_squares(placed, squares, log_probs, catalogue)
        self._kinds = _name_kinds(squares, log_probs, catalogue)

    def weigh(self, squares: Sequence[Square]) -> Mapping[Square, FoundCoat]:
        """Return the evidence on the squares that the photo shows; empty if its coats of arms provide none.

        A square of a known tile is compared only with tiles of other kinds: on a wonder, the surroundings of a coat of
        arms are no help.
        """
        look = load_weights("carcassonne", "wonders")["coat_look"]
        found = {}
        for square, (odds, at) in self.compare(squares).items():
            nats = float(np.clip(look["slope"] * odds + look["offset"], look["least"], look["most"]))
            found[square] = FoundCoat(nats, at)
        return found

    def compare(self, squares: Sequence[Square]) -> Mapping[Square, tuple[float, tuple[float, float]]]:
        """Return the log-odds of a coat of arms against none by the photo's own statistics, and its place.

        They are in nats and assume normally distributed likenesses; the calibration corrects them.
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
        """Slope and midpoint of the log-odds of a coat of arms by a likeness."""
        kinds = {self._kinds[square] for square in self.coats}
        if len(self.coats) < MIN_COATS or len(self._bare) < MIN_BARE or len(kinds) == 1:
            return None
        coats, bare = (
            np.array([likeness.value for likeness in self._measure(squares)]) for squares in ([*self.coats], self._bare)
        )
        variance = (coats.var() + bare.var()) / 2 + PRIOR_SPREAD**2
        return float((coats.mean() - bare.mean()) / variance), float((coats.mean() + bare.mean()) / 2)

    @cached_property
    def _patches(self) -> Mapping[Square, tuple[Image, ...]]:
        """The patches about each sure coat of arms, in each of four orientations."""
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
        """List the patches of tiles of other kinds than a square's, as far as that is known."""
        kind = self._kinds.get(square)
        return [patch for other, patch in self._patches.items() if kind is None or self._kinds[other] != kind]

    def _crop(self, squares: Sequence[Square]) -> Image:
        image, scale = self._image
        return crop_squares(image, self._placed.quads(squares) * scale)

    @cached_property
    def _image(self) -> tuple[Image, float]:
        """The photo at the size in which squares are cut out, and its scale."""
        survey = self._placed.survey
        image, scale = survey.photo.halves.sized(CROP_PX / survey.lattice.tile_px)
        return correct_white_balance(image, np.array([*survey.lattice.corners.values()]) * scale), scale


def _list_sure_squares(
    placed: PlacedSurvey, squares: Sequence[Square], log_probs: Floats, catalogue: Catalogue
) -> tuple[Mapping[Square, tuple[float, float]], list[Square]]:
    """List the squares that surely have a coat of arms, with its place (x, y), and those with a city that surely have
    none. A tile that is rotationally symmetric under the rules has no recoverable orientation, so the place on it is
    unknown."""
    classes = list_layout_turns(catalogue)
    coats: dict[Square, tuple[float, float]] = {}
    bare: list[Square] = []
    for i in np.argsort(-log_probs.max(axis=1), kind="stable").tolist():
        number = int(log_probs[i].argmax())
        if number >= len(classes) or log_probs[i, number] < np.log(DOUBT_BELOW) or squares[i] not in placed.index:
            continue
        tile, turns = classes[number]
        layout = catalogue[tile]
        if len(layout.coat_spots) == 1 and layout.symmetry == len(SIDES) and len(coats) < MAX_COATS:
            coats[squares[i]] = turn_point(layout.coat_spots[0], turns)
        elif not layout.coat_spots and len(bare) < MAX_BARE and any(part.kind == "city" for part in layout.segments):
            bare.append(squares[i])
    return coats, bare


def _name_kinds(squares: Sequence[Square], log_probs: Floats, catalogue: Catalogue) -> Mapping[Square, tuple[str, ...]]:
    """Return the four edge kinds of each square's most likely tile as it is printed; nothing for unknown ones."""
    classes = list_layout_turns(catalogue)
    likeliest = log_probs.argmax(axis=1).tolist()
    return {
        square: tuple(catalogue[classes[number][0]].edge(side) for side in SIDES)
        for square, number in zip(squares, likeliest, strict=True)
        if number < len(classes)
    }


def find_likest(patches: Sequence[tuple[Image, ...]], crop: Image) -> Likeness:
    """Find the place in a crop with the greatest mean correlation of patches, each in its best orientation."""
    maps = [
        np.max([cv2.matchTemplate(crop, turned, cv2.TM_CCOEFF_NORMED) for turned in patch], axis=0) for patch in patches
    ]
    free = max(round(CROP_MARGIN * CROP_PX) - 2, 0)
    average = np.mean(maps, axis=0)[free:-free, free:-free]
    row, col = np.unravel_index(int(average.argmax()), average.shape)
    x, y = (convert_to_square(free + number + PATCH_PX // 2) for number in (int(col), int(row)))
    return Likeness(float(average[row, col]), (x, y))


def convert_to_pixels(number: float) -> float:
    """Convert a place on the square to one in a crop, along one axis."""
    return (number + CROP_MARGIN) * CROP_PX / (1 + 2 * CROP_MARGIN) - 0.5


def convert_to_square(pixel: float) -> float:
    """Convert a place in a crop to one on the square: the inverse of `convert_to_pixels`."""
    return (pixel + 0.5) * (1 + 2 * CROP_MARGIN) / CROP_PX - CROP_MARGIN
