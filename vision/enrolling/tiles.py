"""Tiles that lie as a person states: the assignment of a photo's squares to the board's, and the prints cut out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

import numpy as np

from scoring.carcassonne.board.board import Board, Placement
from scoring.carcassonne.board.notation import format_notation, format_tile_token
from scoring.carcassonne.tiles.catalogue import Catalogue, list_layout_turns
from scoring.carcassonne.tiles.geometry import SIDES, Square
from vision.arrays import Floats
from vision.board.legal.problem import EDGE_KINDS
from vision.board.legal.pruning import REACH_NATS
from vision.enrolment.prints import Enrolment, TileKey
from vision.errors import EnrolmentError
from vision.geometry.lattice_transform import Step
from vision.multiview.tile_fusion import compute_class_prior
from vision.photo.crops import compute_tile_px, crop_squares, shrink_image
from vision.photo.decoding import Photo
from vision.squares.print_matching import resolve_class_name
from vision.squares.square_reader import TILE_PX
from vision.survey.survey import Survey

MISREAD_SHARE = 0.3
"""Share of the squares that may be completely misread: art worth enrolling is art that is read badly. A guess."""
MAX_STRAY_NATS = 2.0
"""Maximum evidence for a tile on a square of the photo's lattice that the board lacks. A guess."""


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """The placement of a board in a photo: each square's counterpart in the photo's lattice, and the step.

    `nats` is its evidence; `otherwise` names the squares that the reader would have read as other tiles.
    """

    squares: Mapping[Square, Square]
    step: Step
    nats: float
    otherwise: tuple[Square, ...]


@dataclass(frozen=True, slots=True, eq=False)
class BoardEnrolment:
    """An enrolment, and the squares of the board that are read otherwise without it, which may include a person's slip.

    People count the squares from the board's `origin`.
    """

    enrolment: Enrolment
    otherwise: tuple[Square, ...] = ()
    origin: Square = (0, 0)


def enrol_board(survey: Survey, board: Board, catalogue: Catalogue, name: str) -> BoardEnrolment:
    """Enrol the tiles of a photo that shows a board in any orientation; raises EnrolmentError."""
    fit = fit_board(survey, board, catalogue)
    quads = {
        square: fit.step.quad(survey.lattice.corners[photo_square]) for square, photo_square in fit.squares.items()
    }
    return BoardEnrolment(
        build_enrolment(name, survey.photo, quads, select_tile_keys(board)), fit.otherwise, board.origin
    )


def fit_board(survey: Survey, board: Board, catalogue: Catalogue) -> Fit:
    """Find the placement of a board in a photo; raises EnrolmentError if there is none, or several."""
    if not board.tiles:
        raise EnrolmentError("nothing_to_enrol")
    fits = sorted(_list_fits(survey, board, catalogue), key=lambda fit: -fit.nats)
    if not fits:
        raise build_misfit_error(survey.squares, board)
    best, *others = fits
    if others and best.nats - others[0].nats < REACH_NATS:
        raise EnrolmentError("turn_not_clear", details={"ways": len(fits)})
    if best.otherwise and best.nats <= 0:
        raise EnrolmentError("board_contradicts_photo", details={"squares": list(best.otherwise)})
    return best


def select_tile_keys(board: Board) -> dict[Square, TileKey]:
    """Return the key of every named square, without squares under pieces that have a free twin elsewhere."""
    named = {square: TileKey(format_tile_token(placement), placement.turns) for square, placement in board.known}
    named |= {square: TileKey(tile.tile, tile.turns) for square, tile in board.foreign.items()}
    covered = {meeple.square for meeple in board.meeples}
    free = {key.tile for square, key in named.items() if square not in covered}
    return {square: key for square, key in named.items() if square not in covered or key.tile not in free}


def build_enrolment(
    name: str, photo: Photo, quads: Mapping[Square, Floats], keys: Mapping[Square, TileKey]
) -> Enrolment:
    """Build the prints of the squares with a key, cut out at their (4, 2) corners NW, NE, SE, SW.

    Raises EnrolmentError `nothing_to_enrol`.
    """
    squares = [square for square in keys if square in quads]
    if not squares:
        raise EnrolmentError("nothing_to_enrol")
    corners = np.array([quads[square] for square in squares])
    image, scale = shrink_image(photo.pixels, TILE_PX / float(np.median(compute_tile_px(corners))))
    crops = crop_squares(image, corners * scale)
    return Enrolment(name, photo.file, date.today().isoformat(), tuple(keys[square] for square in squares), crops)


def build_misfit_error(squares: Sequence[Square], board: Board) -> EnrolmentError:
    """Build the error for a board that does not fit the squares of a photo."""
    details = {
        "seen": format_notation(build_unknown_board(squares)),
        "given": format_notation(build_unknown_board(list(board.tiles))),
    }
    return EnrolmentError("board_does_not_fit", details=details)


def build_unknown_board(squares: Sequence[Square]) -> Board:
    """Build a board of unknown tiles on some squares, counted from row 0 and column 0."""
    low = Step(0, -min(row for row, _ in squares), -min(col for _, col in squares))
    return Board({low.square(square): None for square in squares})


def _list_fits(survey: Survey, board: Board, catalogue: Catalogue) -> Iterator[Fit]:
    """Yield every step that covers all of the board's squares, with no clear tile left over in the photo."""
    evidence = _SquareEvidence.of(survey, catalogue)
    wanted = board.tiles.keys()
    for turns in range(4):
        turned = [Step(turns).square(square) for square in survey.squares]
        first = next(iter(wanted))
        for row, col in turned:
            step = Step(turns, first[0] - row, first[1] - col)
            index = {step.square(square): i for i, square in enumerate(survey.squares)}
            spare = [i for square, i in index.items() if square not in wanted]
            if wanted <= index.keys() and all(evidence.stray(i) <= MAX_STRAY_NATS for i in spare):
                yield _weigh_fit(evidence, step, board, index, spare)


def _weigh_fit(
    evidence: _SquareEvidence, step: Step, board: Board, index: Mapping[Square, int], spare: Sequence[int]
) -> Fit:
    back = step.inverse()
    square_nats = {square: evidence.nats(index[square], placement, back.turns) for square, placement in board.known}
    squares = {square: back.square(square) for square in board.tiles}
    otherwise = tuple(square for square, nats in square_nats.items() if nats < 0)
    return Fit(squares, step, sum(square_nats.values()) - sum(evidence.stray(i) for i in spare), otherwise)


@dataclass(frozen=True, slots=True, eq=False)
class _SquareEvidence:
    """The look of a survey's squares, relative to the prior."""

    probabilities: Floats
    edges: Floats
    prior: Floats
    classes: Mapping[str, int]

    @classmethod
    def of(cls, survey: Survey, catalogue: Catalogue) -> _SquareEvidence:
        classes = {f"{tile}@{turns}": i for i, (tile, turns) in enumerate(list_layout_turns(catalogue))}
        logits = survey.logits
        return cls(np.exp(logits.layouts), np.exp(logits.edges), compute_class_prior(catalogue), classes)

    def stray(self, square: int) -> float:
        """Return the nats against a square without a tile of the board."""
        return -float(np.log(max(self.probabilities[square, -1], 1e-9)))

    def nats(self, square: int, placement: Placement, turns: int) -> float:
        """Return the log-likelihood ratio of a certain tile on a square, after `turns` turns, against any tile."""
        key = TileKey(format_tile_token(placement), placement.turns).turned(turns)
        class_number = self.classes.get(resolve_class_name(key))
        if class_number is not None:
            return float(
                np.log(
                    MISREAD_SHARE
                    + (1 - MISREAD_SHARE) * self.probabilities[square, class_number] / self.prior[class_number]
                )
            )
        kinds = [
            Placement(placement.tile, key.turns, cell=placement.cell, wonder=placement.wonder).edge(side)
            for side in SIDES
        ]
        likely = [self.edges[square, i, EDGE_KINDS.index(k)] * 4 for i, k in enumerate(kinds) if k in EDGE_KINDS]
        return float(np.log(MISREAD_SHARE + (1 - MISREAD_SHARE) * np.array(likely)).sum())
