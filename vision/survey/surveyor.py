"""From one photo to its survey: the places of tiles, the look of each square, and the score board beside them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import compress

import numpy as np

from scoring.carcassonne.tiles.catalogue import START_TILES
from scoring.carcassonne.tiles.geometry import Square, find_outer_neighbours
from vision.arrays import EVEN_ODDS
from vision.enrolment.score_boards import EnrolledScoreBoard
from vision.errors import ReadingError
from vision.localise.lattice import Lattice, add_squares, is_too_large
from vision.localise.search import (
    FIRST_LOOKS_PX,
    find_lattice,
    find_small_lattices,
    find_table_squares,
    paint_over_squares,
)
from vision.photo.decoding import Photo
from vision.photo.pyramid import Halves
from vision.runtime.onnx import Net
from vision.runtime.parallel import Stopwatch, run_concurrently
from vision.score_board.detector import ScoreBoardFinder
from vision.score_board.first_edition import exclude_sheet_squares, find_score_sheet
from vision.squares.background import SURE
from vision.squares.board_size import MIN_BOARD_TILES, find_shown_tiles, refuse_large_board
from vision.squares.classifier import TileLogits
from vision.squares.square_reader import SquareReader
from vision.survey.survey import Survey, share_sheet

MIN_DIFFERENT_TILES = 6
"""Minimum number of different tiles after a second pass: the tile-like patterns of a cloth repeat. A guess."""
SAMPLED_SQUARES = 100
"""Number of squares sampled from a lattice that is too large, to estimate the share with tiles of the game: within a
tenth at a confidence of 95 %. Bounds time."""


class Surveyor:
    """A surveyor of photos; `score_boards` are searched for before the first edition's, and may be replaced."""

    def __init__(
        self, localiser: Net, square_reader: SquareReader, score_boards: Iterable[EnrolledScoreBoard] = ()
    ) -> None:
        self.score_boards = ScoreBoardFinder(score_boards)
        self._localiser, self._square_reader = localiser, square_reader

    def survey(self, photo: Photo, watch: Stopwatch) -> Survey:
        """Return the evidence of one photo before the rules are applied.

        If a pass over the photo leads to no board, it is repeated with the table painted over, then at other sizes.
        Raises ReadingError: `board_not_found`, `board_too_large`.
        """
        for look, first_px in enumerate(FIRST_LOOKS_PX):
            survey = self._look(photo, photo.halves, first_px, watch)
            if survey and self._is_board(survey, MIN_DIFFERENT_TILES if look else 1):
                return survey
            if survey and len(table := find_table_squares(survey.logits.layouts, survey.lattice)):
                survey = self._look(photo, paint_over_squares(photo.halves, table), first_px, watch)
                if survey and self._is_board(survey, MIN_DIFFERENT_TILES):
                    return survey
        raise ReadingError("board_not_found")

    def survey_starts(self, photo: Photo, watch: Stopwatch) -> Iterator[Survey]:
        """Yield the evidence of each small group of tiles with a start tile: a game begins with one on a large table,
        so the last look is a closer one. The score board may be shown by any group.
        """
        surveys: list[Survey] = []
        for first_px in (*FIRST_LOOKS_PX, 2 * max(FIRST_LOOKS_PX)):
            with watch("lattice"):
                lattices = [*find_small_lattices(self._localiser, photo.halves, first_px)]
            for lattice in lattices:
                if survey := self._survey_squares(photo, lattice, watch, min_tiles=1):
                    surveys.append(survey)
        for survey in share_sheet(surveys):
            if not {*START_TILES}.isdisjoint(self._find_tiles(survey)):
                yield survey

    def survey_again(self, photo: Photo, like: Survey) -> Survey | None:
        """Return the sure tiles of a photo on the squares of another survey's lattice and beside them.

        Others count as bare: no look at the photo found a tile there. Only a tile of a known kind is sure where the
        other photo shows none: a patterned cloth looks like any.

        None if the camera moved: no tile is the same, or one differs.
        """
        wide = add_squares(like.lattice, find_outer_neighbours(like.lattice.corners))
        logits = self._square_reader.read(photo.halves, wide)
        known = logits.layouts[:, :-2].max(axis=1) > np.log(EVEN_ODDS)
        before, now = (one.layouts[: len(like.squares), :-2] for one in (like.logits, logits))
        tiled = (before.max(axis=1) > np.log(EVEN_ODDS)) & known[: len(before)]
        if not tiled.any() or (before.argmax(axis=1) != now.argmax(axis=1))[tiled].any():
            return None
        there = np.pad(like.logits.layouts[:, -1] < np.log(EVEN_ODDS), (0, len(known) - len(before)))
        sure = (logits.layouts[:, -1] < np.log(1 - SURE)) & (known | there)
        squares = [*compress(wide.corners, sure)]
        corners = {square: wide.corners[square] for square in squares}
        lattice = Lattice(corners, dict.fromkeys(squares, 1.0), wide.homography)
        return Survey(photo, lattice, TileLogits(logits.layouts[sure], logits.edges[sure]), {}) if squares else None

    def extend(self, survey: Survey, squares: Sequence[Square]) -> Survey:
        """Return a survey extended by some squares beside its own, as `extend_survey` does."""
        return extend_survey(survey, squares, self._square_reader)

    def look(self, photo: Photo, watch: Stopwatch) -> Survey:
        """Return the survey of a first pass over a photo, even if hardly a tile is known.

        Raises ReadingError: `board_not_found` for no lattice at all, `board_too_large`.
        """
        survey = self._look(photo, photo.halves, FIRST_LOOKS_PX[0], watch)
        if survey is None:
            raise ReadingError("board_not_found")
        return survey

    def _look(self, photo: Photo, picture: Halves, first_px: int, watch: Stopwatch) -> Survey | None:
        """Survey a `picture`, the photo or a part of it, beginning at this size in pixels; None without a board."""
        with watch("lattice"):
            lattice = find_lattice(self._localiser, picture, first_px)
        if lattice is None:
            return None
        if is_too_large(lattice):
            self._refuse_tiles(photo, lattice)
            return None
        return self._survey_squares(photo, lattice, watch, MIN_BOARD_TILES)

    def _survey_squares(self, photo: Photo, lattice: Lattice, watch: Stopwatch, min_tiles: int) -> Survey | None:
        """Survey the squares of a lattice; None if fewer than `min_tiles` lie beside the score board."""
        with watch("tiles"):
            enrolled = self.score_boards.find(photo.halves, lattice.tile_px)
            sheet, logits = run_concurrently(
                lambda: enrolled or find_score_sheet(photo.halves, lattice.warp(), lattice.corners),
                lambda: self._square_reader.read(photo.halves, lattice),
            )
            beside = exclude_sheet_squares(lattice, sheet) if sheet else lattice
            if len(beside.corners) < min_tiles:
                return None
            if len(beside.corners) < len(lattice.corners):
                logits = self._square_reader.read(photo.halves, beside)
        return Survey(photo, beside, logits, watch.laps, sheet)

    def _is_board(self, survey: Survey, different: int) -> bool:
        """Return whether enough of its tiles are known, and enough different ones among them."""
        tiles = self._find_tiles(survey)
        return len(tiles) >= MIN_BOARD_TILES and len({*tiles}) >= different

    def _find_tiles(self, survey: Survey) -> list[str]:
        return find_shown_tiles(survey.logits, self._square_reader.catalogue)

    def _refuse_tiles(self, photo: Photo, lattice: Lattice) -> None:
        """Raise ReadingError `board_too_large` if a sample of a lattice's squares shows too many tiles.

        Otherwise the lattice is a cloth or similar, and a pass at another size may avoid it.
        """
        squares = list(lattice.corners)
        sample = squares[:: -(-len(squares) // SAMPLED_SQUARES)]
        logits = self._square_reader.read_alone(photo.halves, lattice, sample)
        share = len(find_shown_tiles(logits, self._square_reader.catalogue)) / len(sample)
        refuse_large_board(round(share * len(squares)))


def extend_survey(survey: Survey, squares: Sequence[Square], square_reader: SquareReader) -> Survey:
    """Return a survey extended by some squares beside its own, except those under the score board.

    It is the same object if its lattice cannot be extended by any of them.
    """
    lattice = add_squares(survey.lattice, squares)
    if survey.sheet:
        lattice = exclude_sheet_squares(lattice, survey.sheet)
    if len(lattice.corners) == len(survey.squares):
        return survey
    return replace(survey, lattice=lattice, logits=square_reader.read(survey.photo.halves, lattice))
