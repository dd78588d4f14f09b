"""Figures of other boxes, coins and dice: things that stand on the board and are no player's pieces.

They may have a player's paint, so neither the print nor the other pieces argue against them. Their shape does: the net
that classifies pieces is less sure of a piece, and less sure of its pose, than with the table's other pieces. Such
figures are rare unless tiles of other boxes lie on the table.

A barn (Abbey & Mayor) is a player's, and stands where four fields meet. Other things stand there by chance.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from scoring.calibration import load_weights
from scoring.carcassonne.board.board import Board
from scoring.carcassonne.board.locate import Standing, locate_piece
from scoring.carcassonne.board.pieces import PIECES, brings_pieces
from scoring.carcassonne.tiles.expansions import EXPANSIONS, find_tile_expansion, find_tile_rules
from scoring.carcassonne.tiles.geometry import SIDES
from vision.arrays import EVEN_ODDS, Floats, compute_sigmoid
from vision.pieces.classifier import logit
from vision.reading.piece import Piece

BARN, MEETING_TILES = "barn", len(SIDES)
"""The kind of a barn, and the number of tiles around it. By the rules."""


class FigureWeights(NamedTuple):
    """Weights of the evidence that a thing is no player's piece, and an offset.

    The evidence is the net's logits of a piece there and of its likeliest pose, the median of the former over the
    table's pieces, and whether tiles of other `boxes` that have pieces of their own lie on the table.
    """

    classifier: float
    pose: float
    median: float
    boxes: float
    offset: float


def load_figure_weights() -> FigureWeights:
    """Return the weights from the calibration file, fitted by `python -m models.calibration.board.figures`.

    Raises ScoringError `models_missing` if the file is missing.
    """
    row = load_weights("carcassonne", "presence")["figure"]
    return FigureWeights(*(row[name] for name in FigureWeights._fields))


def estimate_figures(pieces: Sequence[Piece], board: Board) -> Floats:
    """Return the probability (n,) that each of n things read as pieces on a board is no player's.

    It is 0 where it is too low to ask about, and where no net saw the piece, or only a part of it.
    """
    likely = compute_sigmoid(list_figure_evidence(pieces, board) @ np.array(load_figure_weights()))
    least = load_weights("carcassonne", "presence")["figure_asked"]["least"]
    whole = np.array([piece.whole for piece in pieces], np.bool_)
    return np.where(whole & (likely >= least), likely, 0.0)


def list_figure_evidence(pieces: Sequence[Piece], board: Board) -> Floats:
    """Return the values (n, 5) of the evidence about each of n pieces, in the order of `FigureWeights`."""
    if not pieces:
        return np.zeros((0, len(FigureWeights._fields)))
    words = logit(np.array([piece.seen for piece in pieces]))
    poses = logit(np.array([piece.poses.max() for piece in pieces]))
    counted = np.array([piece.presence >= EVEN_ODDS for piece in pieces])
    of_table = [np.median(words[counted] if counted.any() else words), _may_have_figures(board), 1.0]
    return np.column_stack([words, poses, np.tile(of_table, (len(pieces), 1))])


class Barn(NamedTuple):
    """The places of a barn, one on each of the tiles that meet there, and the probabilities of a barn, of another
    piece and of none, given that something stands there.
    """

    places: tuple[Standing, ...]
    barn: float
    other: float
    none: float


def find_barn(piece: Piece, figure: float, board: Board) -> Barn | None:
    """Return what a thing is that may be a barn, given the probability that it is no usual piece.

    It is None without tiles of Abbey & Mayor, off the corners of four tiles, and beside other land than fields there.
    """
    corner = (round(piece.at[0]), round(piece.at[1]))
    reach = load_weights("carcassonne", "presence")["figure_asked"]["corner"]
    rules = PIECES[BARN].box
    if not figure or math.dist(piece.at, corner) > reach:
        return None
    places = tuple(place for place in locate_piece(board, corner, "standing", BARN) if place.mass > EVEN_ODDS)
    if len(places) < MEETING_TILES or all(find_tile_rules(placed.tile) != rules for _, placed in board.known):
        return None
    by_chance = math.pi * reach**2
    odds = np.array([EVEN_ODDS * figure, (1 - figure) * by_chance, EVEN_ODDS * figure * by_chance])
    return Barn(places, *(odds / odds.sum()).tolist())


def _may_have_figures(board: Board) -> bool:
    """Return whether tiles of an expansion with pieces of its own lie on the board: a single one may be misread."""
    lying = Counter(find_tile_expansion(placed.tile) for _, placed in board.known if placed.layout.box)
    return any(lying[expansion.name] > 1 for expansion in EXPANSIONS if brings_pieces(expansion))
