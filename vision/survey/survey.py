"""The evidence of one photo of a table before the rules are applied, so that several photos can be combined."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from scoring.carcassonne.tiles.catalogue import Catalogue, list_layout_turns
from scoring.carcassonne.tiles.geometry import Square
from vision.arrays import EVEN_ODDS, Flags, Floats, Ints
from vision.geometry.camera import compute_leans, estimate_camera
from vision.geometry.lattice_transform import Step
from vision.geometry.warp import is_in_front, project_to_photo
from vision.localise.lattice import Lattice
from vision.localise.refinement import stack_square_corners
from vision.photo.crops import compute_tile_px
from vision.photo.decoding import Photo
from vision.reading.values import Warp
from vision.score_board.first_edition import ScoreSheet, exclude_sheet_squares
from vision.squares.background import find_bare_squares
from vision.squares.classifier import TileLogits


@dataclass(frozen=True, slots=True, eq=False)
class Survey:
    """One photo's lattice and the look of its squares: the rows of `logits` are in the lattice's own order.

    `sheet` is the score board beside it, if one is seen.
    """

    photo: Photo
    lattice: Lattice
    logits: TileLogits
    timing_ms: Mapping[str, float]
    sheet: ScoreSheet | None = None

    @property
    def squares(self) -> list[Square]:
        return list(self.lattice.corners)

    @property
    def found(self) -> float:
        """The number of tiles that support the lattice; half-seen ones count half."""
        return sum(self.lattice.support.values())

    @property
    def known_tiles(self) -> int:
        """The number of tiles of a known kind that the photo probably shows."""
        return int((self.logits.layouts[:, :-2].max(axis=1) > np.log(EVEN_ODDS)).sum())


def share_sheet(surveys: Collection[Survey]) -> list[Survey]:
    """Return the surveys of one photo with the score board that any of them shows, without those of tiles upon it.

    A few tiles hardly show from where the photo was taken, so that a score board beside them may be missed.
    """
    sheets = [survey.sheet for survey in surveys if survey.sheet is not None]
    if not sheets:
        return [*surveys]
    best = max(sheets, key=lambda sheet: sheet.likeness)
    beside = [
        survey for survey in surveys if len(exclude_sheet_squares(survey.lattice, best).corners) == len(survey.squares)
    ]
    return [survey if survey.sheet is not None else replace(survey, sheet=best) for survey in beside]


@dataclass(frozen=True, slots=True, eq=False)
class PlacedSurvey:
    """A survey in the common lattice of several, addressed by the squares of that lattice."""

    survey: Survey
    step: Step
    warp: Warp
    logits: TileLogits
    index: Mapping[Square, int]
    """The row in `logits` of each square that the photo's own lattice has."""
    bare: frozenset[Square] = frozenset()
    """Squares on which the photo shows bare table, among those that were looked at."""

    @classmethod
    def at(cls, survey: Survey, step: Step, catalogue: Catalogue) -> PlacedSurvey:
        """Return the survey moved by a step from its own lattice."""
        index = {step.square(square): i for i, square in enumerate(survey.squares)}
        logits = turn_logits(survey.logits, step.turns, catalogue)
        return cls(survey, step, step.warp(survey.lattice.warp()), logits, index)

    def shift(self, step: Step) -> PlacedSurvey:
        """Return the survey in another lattice of the same north."""
        index = {step.square(square): i for square, i in self.index.items()}
        bare = frozenset(map(step.square, self.bare))
        return replace(self, step=self.step.then(step), warp=step.warp(self.warp), index=index, bare=bare)

    def look_for_table(self, squares: Sequence[Square]) -> PlacedSurvey:
        """Return the survey with those of some squares on which the photo shows bare table."""
        if not squares:
            return self
        visible = [square for square, whole in zip(squares, self.shows(squares), strict=True) if whole]
        survey, back = self.survey, self.step.inverse()
        bare = find_bare_squares(survey.photo.halves, survey.lattice, survey.logits, {*map(back.square, visible)})
        return replace(self, bare=self.bare | set(map(self.step.square, bare)))

    def without_pixels(self) -> PlacedSurvey:
        """Return the survey without the pixels of its photo."""
        return replace(self, survey=replace(self.survey, photo=self.survey.photo.without_pixels()))

    @property
    def size(self) -> tuple[int, int]:
        """The photo's width and height in pixels."""
        return self.survey.photo.width, self.survey.photo.height

    def corners(self, square: Square) -> Floats:
        """Return (4, 2) pixels of a square's corners NW, NE, SE, SW, extrapolated beyond the photo."""
        return np.asarray(self.quads([square])[0])

    def quads(self, squares: Sequence[Square]) -> Floats:
        """Return (n, 4, 2) pixels of the corners of several squares, in the order of `corners`."""
        back, corners = self.step.inverse(), self.survey.lattice.corners
        quads = [corners.get(back.square(square)) for square in squares]
        beyond = [square for square, quad in zip(squares, quads, strict=True) if quad is None]
        foretold = iter(
            project_to_photo(self.warp, stack_square_corners(beyond).reshape(-1, 2)).reshape(-1, 4, 2) if beyond else ()
        )
        corners_px = [next(foretold) if quad is None else self.step.quad(quad) for quad in quads]
        return np.array(corners_px).reshape(-1, 4, 2)

    def find_own_squares(self, squares: Sequence[Square]) -> list[Square]:
        """Return those of some squares that the photo's own lattice has, in its own numbering."""
        back = self.step.inverse()
        return [back.square(square) for square in squares if square in self.index]

    def shows(self, squares: Sequence[Square]) -> Flags:
        """Return (n,) whether the whole of each square lies inside the picture."""
        points = stack_square_corners(squares).reshape(-1, 2)
        return np.asarray(self.shows_points(points).reshape(-1, 4).all(axis=1))

    def shows_points(self, points: Floats) -> Flags:
        """Return (n,) whether each of (n, 2) lattice points (col, row) lies inside the picture."""
        pixels = project_to_photo(self.warp, points)
        return np.asarray(is_in_front(self.warp, points) & ((pixels >= 0) & (pixels <= self.size)).all(axis=1))

    def leans(self, points: Floats) -> Floats:
        """Return (n, 2) the leans of things standing at (n, 2) lattice points, which characterise a viewpoint."""
        return compute_leans(estimate_camera(self.warp.homography, self.size), points)

    def sizes(self, squares: Sequence[Square]) -> Floats:
        """Return (n,) each square's size in pixels."""
        return compute_tile_px(self.quads(squares))


def turn_logits(logits: TileLogits, turns: int, catalogue: Catalogue) -> TileLogits:
    """Return the logits of the same squares in a lattice whose north is `turns` quarter turns counter-clockwise."""
    layouts = np.empty_like(logits.layouts)
    layouts[:, map_turned_classes(catalogue, turns)] = logits.layouts
    return TileLogits(layouts, np.roll(logits.edges, turns, axis=1))


@cache
def map_turned_classes(catalogue: Catalogue, turns: int) -> Ints:
    """Return (K + 2,) the class that each becomes when its tile is turned clockwise; the last two stay."""
    classes = list_layout_turns(catalogue)
    number = {name: i for i, name in enumerate(classes)}
    turned = [number[tile, (tile_turns + turns) % catalogue[tile].symmetry] for tile, tile_turns in classes]
    return np.array([*turned, len(classes), len(classes) + 1])
