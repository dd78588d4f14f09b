"""One reading of several photos: the same board and meeples, in each photo's own pixels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from scoring.carcassonne.board.square_names import find_origin
from scoring.carcassonne.tiles.geometry import Square
from vision.errors import ReadingError
from vision.geometry.lattice_transform import Step, turn_quad
from vision.geometry.warp import project_to_photo
from vision.multiview.grouping import Alignment, Joint
from vision.multiview.placed_pieces import Sighting, move_piece
from vision.multiview.tile_fusion import FULL_TILE_PX
from vision.photo.decoding import Photo
from vision.reading.values import MeepleReading, Reading, TileReading, WonderReading
from vision.survey.photo_border import find_bare_neighbours, find_squares_unseen_by_all
from vision.survey.survey import PlacedSurvey, Survey


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """One of the photos, and the reading of the whole board in its pixels, also beyond the picture.

    `squares` and `meeples` (by index) are those that the photo shows, `best` those that no other photo shows better;
    `bare` are squares beside the board that the photo's border cuts and that have no tile.
    """

    photo: Photo
    reading: Reading
    squares: frozenset[Square]
    meeples: frozenset[int]
    best: frozenset[Square]
    best_meeples: frozenset[int]
    bare: frozenset[Square] = frozenset()


@dataclass(frozen=True, slots=True, eq=False)
class JoinedReading:
    """The photos that were joined, the one that shows most first, and the errors of the others."""

    views: tuple[View, ...]
    apart: tuple[ReadingError, ...] = ()

    def without(self, photos: Sequence[Photo], error: ReadingError) -> JoinedReading:
        """Return the reading with further unreadable photos, each as the error with its file."""
        unread = (ReadingError(error.code, error.text, {**error.details, "file": photo.file}) for photo in photos)
        return replace(self, apart=(*self.apart, *unread))


def exclude_duplicate_surveys(surveys: Sequence[Survey]) -> list[Survey]:
    """Return each photo's survey once: the same file again is no further evidence."""
    return list({survey.photo.sha256: survey for survey in reversed(surveys)}.values())[::-1]


def build_joined_reading(main: Reading, joint: Joint, sightings: Sequence[Sighting]) -> JoinedReading:
    """Build the views of all photos from a reading in the pixels of the first one, its first tiles in row 0 and column
    0.
    """
    row, col = find_origin(tile.square for tile in main.tiles)
    if (step := Step(0, -row, -col)) != Step():
        main, joint = _move_reading(main, step), _move_joint(joint, step)
        sightings = [replace(sighting, piece=move_piece(sighting.piece, step)) for sighting in sightings]
    tiles = _choose_best_photos(main.tiles, joint)
    feet = {sighting.piece.at: sighting.best for sighting in sightings}
    meeples = [feet[meeple.at] for meeple in main.meeples]
    views = _mark_unseen_squares(
        [_build_view(main, n, placed, tiles, meeples) for n, placed in enumerate(joint.placed)]
    )
    files = [placed.survey.photo.file for placed in joint.placed]
    return JoinedReading(
        tuple(views), tuple(build_join_error(survey, alignment, files) for survey, alignment in joint.apart)
    )


def _move_joint(joint: Joint, step: Step) -> Joint:
    """Return the surveys in a lattice of the same north."""
    squares = tuple(map(step.square, joint.squares))
    return replace(joint, placed=tuple(placed.shift(step) for placed in joint.placed), squares=squares)


def _move_reading(reading: Reading, step: Step) -> Reading:
    """Return the reading in a lattice of the same north."""
    return replace(
        reading,
        tiles=tuple(_move_tile(tile, step) for tile in reading.tiles),
        meeples=tuple(_move_meeple(meeple, step) for meeple in reading.meeples),
        possible_meeples=tuple(_move_meeple(meeple, step) for meeple in reading.possible_meeples),
        wonders=tuple(_move_wonder(wonder, step) for wonder in reading.wonders),
        possible_wonders=tuple(_move_wonder(wonder, step) for wonder in reading.possible_wonders),
        warp=step.warp(reading.warp),
        unseen=frozenset(map(step.square, reading.unseen)),
    )


def _move_tile(tile: TileReading, step: Step) -> TileReading:
    row, col = step.square(tile.square)
    return replace(tile, row=row, col=col)


def _move_meeple(meeple: MeepleReading, step: Step) -> MeepleReading:
    (x, y), (row, col) = step.points(np.array([meeple.at]))[0].tolist(), step.square((meeple.row, meeple.col))
    return replace(meeple, at=(x, y), row=row, col=col)


def _move_wonder(wonder: WonderReading, step: Step) -> WonderReading:
    others = tuple((step.wonder(placed), probability) for placed, probability in wonder.alternatives)
    return replace(wonder, placed=step.wonder(wonder.placed), alternatives=others)


def _mark_unseen_squares(views: Sequence[View]) -> list[View]:
    """Return the views, with the squares beside the board that none of the photos shows added to their readings."""
    unseen = find_squares_unseen_by_all((view.reading, view.bare) for view in views)
    return [replace(view, reading=replace(view.reading, unseen=unseen)) for view in views]


def _choose_best_photos(tiles: Sequence[TileReading], joint: Joint) -> Mapping[Square, int]:
    """Choose the photo that shows each tile best: the surest one, preferably with larger tiles."""
    squares = [tile.square for tile in tiles]
    sizes = np.array([placed.sizes(squares) for placed in joint.placed])
    sureness = np.zeros_like(sizes)
    for n, placed in enumerate(joint.placed):
        for i, square in enumerate(squares):
            if square in placed.index:
                sureness[n, i] = np.exp(placed.logits.layouts[placed.index[square]].max())
    return dict(zip(squares, (sureness * np.minimum(sizes / FULL_TILE_PX, 1)).argmax(axis=0).tolist(), strict=True))


def _build_view(
    main: Reading, number: int, placed: PlacedSurvey, tiles: Mapping[Square, int], meeples: Sequence[int]
) -> View:
    width, height = placed.size
    reading = replace(
        main,
        width=width,
        height=height,
        tiles=_project_tiles(main.tiles, placed),
        meeples=_project_meeples(main.meeples, placed),
        possible_meeples=_project_meeples(main.possible_meeples, placed),
        warp=placed.warp,
    )
    visible = placed.shows_points(np.array([meeple.at for meeple in main.meeples]).reshape(-1, 2))
    return View(
        photo=placed.survey.photo,
        reading=reading,
        squares=frozenset(square for square in tiles if square in placed.index),
        meeples=frozenset(np.flatnonzero(visible).tolist()),
        best=frozenset(square for square, best in tiles.items() if best == number),
        best_meeples=frozenset(i for i, best in enumerate(meeples) if best == number),
        bare=find_bare_neighbours(placed.survey.photo, reading),
    )


def _project_tiles(tiles: Sequence[TileReading], placed: PlacedSurvey) -> tuple[TileReading, ...]:
    quads = placed.quads([tile.square for tile in tiles])
    return tuple(
        replace(tile, corners_px=turn_quad(quad, -tile.turns)) for tile, quad in zip(tiles, quads, strict=True)
    )


def _project_meeples(meeples: Sequence[MeepleReading], placed: PlacedSurvey) -> tuple[MeepleReading, ...]:
    feet = project_to_photo(placed.warp, np.array([meeple.at for meeple in meeples]).reshape(-1, 2)).tolist()
    return tuple(replace(meeple, foot_px=(x, y)) for meeple, (x, y) in zip(meeples, feet, strict=True))


def build_join_error(survey: Survey, alignment: Alignment, joined: Sequence[str]) -> ReadingError:
    """Build the error that states why a photo was left out of some others, which are named by their files."""
    details = {"file": survey.photo.file, "joined": list(joined)}
    reason = "ambiguous" if alignment.is_enough else "too_little_in_common"
    return ReadingError("photos_do_not_join", details={**details, "reason": reason})
