"""A reader of the score board that photos of a table show: the pieces on it, and the tokens of points beside it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

import numpy as np

from vision.enrolment.score_boards import EnrolledToken
from vision.photo.decoding import Photo
from vision.reading.piece import Piece
from vision.reading.values import TileReading, TrackReading, TrackToken
from vision.runtime.onnx import Net
from vision.score_board.detector import ScoreBoardFinder, find_lone_score_board
from vision.score_track.pieces import PieceNets, read_track
from vision.score_track.token_detector import TokenFinder
from vision.score_track.token_owners import SeenTable, assign_owners
from vision.survey.survey import PlacedSurvey


class TrackReader:
    """A reader of score boards with the nets that find pieces; `tokens`, a finder, may be replaced."""

    def __init__(self, finder: Net, classifier: Net, tokens: Iterable[EnrolledToken] = ()) -> None:
        self.tokens = TokenFinder(tokens)
        self._nets = PieceNets(finder, classifier)

    def read(
        self,
        photos: Sequence[PlacedSurvey],
        tiles: Sequence[TileReading],
        pieces: Sequence[Sequence[Piece]],
        colours: Collection[str],
    ) -> TrackReading | None:
        """Return the score board in the first photo that shows it, and the tokens there; None if no photo shows it.

        `pieces` are those on the tiles that each photo shows, `colours` are their colours.
        """
        for number, placed in enumerate(photos):
            if placed.survey.sheet:
                track = read_track(self._nets, placed.survey.photo.pixels, placed.survey.sheet, colours)
                tokens = self._read_tokens(placed, tiles, pieces[number], track)
                return replace(track, photo=number, tokens=tokens)
        return None

    def read_alone(self, photo: Photo, boards: ScoreBoardFinder, colours: Collection[str]) -> TrackReading | None:
        """Return the score board in a photo that shows nothing else; None if it is not found."""
        sheet = find_lone_score_board(photo.halves, boards)
        if sheet is None:
            return None
        return replace(read_track(self._nets, photo.pixels, sheet, colours), file=photo.file)

    def _read_tokens(
        self, placed: PlacedSurvey, tiles: Sequence[TileReading], pieces: Sequence[Piece], track: TrackReading
    ) -> tuple[TrackToken, ...]:
        """Read the tokens of points in one photo, off the tiles and the score board, each with its owner."""
        survey = placed.survey
        squares = set(placed.find_own_squares([tile.square for tile in tiles]))
        quads = np.array([survey.lattice.corners[square] for square in squares])
        covered = np.concatenate([quads, track.corners_px[None]])
        tokens = self.tokens.find(survey.photo.halves, survey.lattice.tile_px, covered)
        table = SeenTable(self._nets, survey.photo.halves, survey.lattice, squares, pieces)
        return assign_owners(table, tokens, {piece.colour for piece in track.pieces})
