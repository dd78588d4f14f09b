"""Tiles that lie as a person says they do: which square of a photo is which of the board, and the prints cut out."""

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
from vision.enrolment.prints import Enrolment, TileKey
from vision.errors import EnrolmentError
from vision.geometry.lattice_transform import Step
from vision.multiview.tile_fusion import compute_class_prior
from vision.photo.crops import compute_tile_px, crop_squares, shrink_image
from vision.photo.decoding import Photo
from vision.squares.print_matching import resolve_class_name
from vision.squares.square_reader import TILE_PX
from vision.survey.survey import Survey

MISREAD = 0.3
"""Of the squares: how many may be read quite wrongly; art worth teaching is art that is read badly."""
NATS_AHEAD = 5.0
"""By so much the board must fit better one way round than any other."""
STRAY_NATS = 2.0
"""At most so much speaks against a square that the photo's lattice has and the board has not."""


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """How a board lies in a photo: for each of its squares that of the photo's lattice, and the step to the board.

    `nats` is what speaks for it, `otherwise` names the squares that the reader would have read as other tiles.
    """

    squares: Mapping[Square, Square]
    step: Step
    nats: float
    otherwise: tuple[Square, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Taught:
    """An enrolment, and the squares of the board that had been read otherwise before: a slip would be among them."""

    enrolment: Enrolment
    otherwise: tuple[Square, ...] = ()


def enrol_board(survey: Survey, board: Board, catalogue: Catalogue, name: str) -> Taught:
    """What a photo teaches in which a board lies, any way round; raises EnrolmentError."""
    found = fit_board(survey, board, catalogue)
    quads = {square: found.step.quad(survey.lattice.corners[own]) for square, own in found.squares.items()}
    return Taught(build_enrolment(name, survey.photo, quads, select_tile_keys(board)), found.otherwise)


def fit_board(survey: Survey, board: Board, catalogue: Catalogue) -> Fit:
    """The way in which a board lies in a photo; raises EnrolmentError where there is none, or several."""
    if not board.tiles:
        raise EnrolmentError("nothing_to_enrol")
    fits = sorted(_fits(survey, board, catalogue), key=lambda found: -found.nats)
    if not fits:
        raise build_misfit_error(survey.squares, board)
    best, *others = fits
    if others and best.nats - others[0].nats < NATS_AHEAD:
        raise EnrolmentError("turn_not_clear", details={"ways": len(fits)})
    if best.otherwise and best.nats <= 0:
        raise EnrolmentError("board_contradicts_photo", details={"squares": list(best.otherwise)})
    return best


def select_tile_keys(board: Board) -> dict[Square, TileKey]:
    """What every square shows that has a name; where a twin lies elsewhere without a piece, not those with one."""
    named = {square: TileKey(format_tile_token(laid), laid.turns) for square, laid in board.known}
    named |= {square: TileKey(tile.tile, tile.turns) for square, tile in board.foreign.items()}
    covered = {meeple.square for meeple in board.meeples}
    free = {key.tile for square, key in named.items() if square not in covered}
    return {square: key for square, key in named.items() if square not in covered or key.tile not in free}


def build_enrolment(
    name: str, photo: Photo, quads: Mapping[Square, Floats], keys: Mapping[Square, TileKey]
) -> Enrolment:
    """The prints of the squares that have a key, cut out at their (4, 2) corners NW, NE, SE, SW as the board lies.

    Raises EnrolmentError `nothing_to_enrol`.
    """
    squares = [square for square in keys if square in quads]
    if not squares:
        raise EnrolmentError("nothing_to_enrol")
    corners = np.array([quads[square] for square in squares])
    image, scale = shrink_image(photo.pixels, TILE_PX / float(np.median(compute_tile_px(corners))))
    crops = crop_squares(image, corners * scale)
    return Enrolment(name, photo.file, date.today().isoformat(), tuple(keys[square] for square in squares), crops)


def build_misfit_error(seen: Sequence[Square], board: Board) -> EnrolmentError:
    """What to say where a board does not lie on the squares seen."""
    details = {
        "seen": format_notation(build_unknown_board(seen)),
        "given": format_notation(build_unknown_board(list(board.tiles))),
    }
    return EnrolmentError("board_does_not_fit", details=details)


def build_unknown_board(squares: Sequence[Square]) -> Board:
    """Unknown tiles on some squares, counted from row 0 and column 0."""
    low = Step(0, -min(row for row, _ in squares), -min(col for _, col in squares))
    return Board({low.square(square): None for square in squares})


def _fits(survey: Survey, board: Board, catalogue: Catalogue) -> Iterator[Fit]:
    """Every step that lays the photo's squares on all of the board's, with none to spare that is clearly a tile."""
    known = _Known.of(survey, catalogue)
    wanted = board.tiles.keys()
    for turns in range(4):
        turned = [Step(turns).square(square) for square in survey.squares]
        first = next(iter(wanted))
        for row, col in turned:
            step = Step(turns, first[0] - row, first[1] - col)
            index = {step.square(square): i for i, square in enumerate(survey.squares)}
            spare = [i for square, i in index.items() if square not in wanted]
            if wanted <= index.keys() and all(known.stray(i) <= STRAY_NATS for i in spare):
                yield _weighed(known, step, board, index, spare)


def _weighed(known: _Known, step: Step, board: Board, index: Mapping[Square, int], spare: Sequence[int]) -> Fit:
    back = step.inverse()
    told = {square: known.nats(index[square], laid, back.turns) for square, laid in board.known}
    squares = {square: back.square(square) for square in board.tiles}
    otherwise = tuple(square for square, nats in told.items() if nats < 0)
    return Fit(squares, step, sum(told.values()) - sum(known.stray(i) for i in spare), otherwise)


@dataclass(frozen=True, slots=True, eq=False)
class _Known:
    """What a survey's squares look like, against what is usual."""

    probabilities: Floats
    edges: Floats
    prior: Floats
    classes: Mapping[str, int]

    @classmethod
    def of(cls, survey: Survey, catalogue: Catalogue) -> _Known:
        classes = {f"{tile}@{turns}": i for i, (tile, turns) in enumerate(list_layout_turns(catalogue))}
        logits = survey.logits
        return cls(np.exp(logits.layouts), np.exp(logits.edges), compute_class_prior(catalogue), classes)

    def stray(self, square: int) -> float:
        """Nats against a square that holds no tile of the board."""
        return -float(np.log(max(self.probabilities[square, -1], 1e-9)))

    def nats(self, square: int, laid: Placement, turns: int) -> float:
        """How much likelier a square looks if a tile lies there, so many quarter turns on, than if any does."""
        key = TileKey(format_tile_token(laid), laid.turns).turned(turns)
        own = self.classes.get(resolve_class_name(key))
        if own is not None:
            return float(np.log(MISREAD + (1 - MISREAD) * self.probabilities[square, own] / self.prior[own]))
        kinds = [Placement(laid.tile, key.turns, cell=laid.cell, wonder=laid.wonder).edge(side) for side in SIDES]
        likely = [self.edges[square, i, EDGE_KINDS.index(k)] * 4 for i, k in enumerate(kinds) if k in EDGE_KINDS]
        return float(np.log(MISREAD + (1 - MISREAD) * np.array(likely)).sum())
