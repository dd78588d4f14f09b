"""The pieces on the score board: the space on which each stands, or the spaces it stands between."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.carcassonne.score_board.spaces import TILE_MM
from vision.arrays import Floats, Image
from vision.colour.lab import compute_colour_distance, convert_to_lab
from vision.flat_boards.board import EnrolledBoard, rectify_board
from vision.geometry.rectification import apply_homography
from vision.localise.lattice import build_flat_lattice
from vision.localise.refinement import stack_square_corners
from vision.photo.crops import shrink_image
from vision.pieces.background import reconstruct_bare_print, reconstruct_bare_table
from vision.pieces.crops import STAND_TILE_PX
from vision.pieces.kind_classifier import Names
from vision.pieces.meeples import (
    MIN_COUNTED_PRESENCE,
    MIN_SURE_PRESENCE,
    PLACE_SURE,
    select_shown_pieces,
)
from vision.pieces.piece_reader import find_possible_pieces
from vision.reading.piece import Piece
from vision.reading.values import TrackPiece, TrackReading
from vision.runtime.onnx import Net
from vision.score_board.first_edition import ScoreSheet, compute_sheet_corners

MAX_FOOT_OFF_MM = 2.5
"""Maximum error of a foot: all spaces within this distance are possible. A guess."""
MAX_BESIDE_MM = 12.0
"""A piece farther than this from every space stands on none. A guess."""
PIECE_MM = 14.0
"""Extent that a piece hides about its foot: nearer to the photo's border its foot may lie outside. A guess."""
SECOND_PIECE_ODDS = 0.1
"""Factor on the odds of a colour that another piece surely has: each player has one piece on the board. A guess."""
STRANGER_ODDS = 0.05
"""Factor on the odds of a colour that has no piece on the tiles. A guess."""


@dataclass(frozen=True, slots=True)
class PieceNets:
    """The nets that find and classify pieces."""

    finder: Net
    classifier: Net


def read_track(nets: PieceNets, pixels: Image, sheet: ScoreSheet, players: Collection[str] = ()) -> TrackReading:
    """Read the pieces on a score board that a photo shows; `players` are the colours of those on the tiles."""
    names = Names.of(nets.classifier)
    # A piece beside the sheet waits for a wonder; it is not the player's piece on the track.
    on_board = [
        piece for piece in _find_pieces(sheet, nets, pixels) if sheet.layout.holds(_locate_foot(piece), MAX_FOOT_OFF_MM)
    ]
    playing = [name in players or not players for name in names.colours]
    candidates = apply_uniqueness_prior(apply_print_evidence(on_board, sheet, pixels), playing)
    size = (pixels.shape[1], pixels.shape[0])
    pieces = [_read_track_piece(piece, sheet, names, size) for piece in candidates]
    read = TrackReading(
        corners_px=compute_sheet_corners(sheet),
        likeness=sheet.likeness,
        pieces=tuple(piece for piece in pieces if piece is not None),
        lap=sheet.layout.lap,
        taught=sheet.enrolled,
    )
    return doubt_absent_colours(read, players)


def doubt_absent_colours(track: TrackReading, colours: Collection[str]) -> TrackReading:
    """Return the track with pieces of colours absent from the board marked doubtful, since these are rare.

    `colours` are those of the board's pieces; without any, the players are unknown.
    """
    if not colours:
        return track
    pieces = tuple(replace(piece, doubtful=piece.doubtful or piece.colour not in colours) for piece in track.pieces)
    return replace(track, pieces=pieces)


def apply_print_evidence(pieces: Sequence[Piece], sheet: ScoreSheet, pixels: Image) -> list[Piece]:
    """Return the pieces, each less likely the more an enrolled board looks empty there."""
    if sheet.picture is None or not pieces:
        return list(pieces)
    board = EnrolledBoard(sheet.picture, sheet.layout.size)
    feet = np.array([_locate_foot(piece) for piece in pieces])
    odds = np.exp(-compute_print_evidence(pixels, sheet.homography, board, feet))
    return [
        replace(piece, presence=float(piece.presence * k / (1 - piece.presence * (1 - k))))
        for piece, k in zip(pieces, odds, strict=True)
    ]


def apply_uniqueness_prior(pieces: Sequence[Piece], playing: Sequence[bool]) -> list[Piece]:
    """Return the pieces with probabilities and colours given the others; `playing` (colours,) have tiles."""
    if not pieces:
        return []
    hues = np.array([piece.colours for piece in pieces]) * np.where(playing, 1.0, STRANGER_ODDS)
    presence = np.array([piece.presence for piece in pieces])
    presence_by_colour = presence[:, None] * hues
    others = np.stack(
        [np.delete(presence_by_colour, i, axis=0).max(axis=0, initial=0.0) for i in range(len(presence_by_colour))]
    )
    left = hues * (1 - (1 - SECOND_PIECE_ODDS) * others)
    share = left.sum(axis=1)
    likely = presence * share / (1 - presence + presence * share)
    return [
        replace(piece, presence=float(p), colours=odds / odds.sum())
        for piece, p, odds in zip(pieces, likely, left, strict=True)
    ]


def _find_pieces(sheet: ScoreSheet, nets: PieceNets, pixels: Image) -> list[Piece]:
    """Find the pieces on the sheet, which is treated as a lattice of squares of a tile's size."""
    cols, rows = (int(np.ceil(side / TILE_MM)) for side in sheet.layout.size)
    squares = [(row, col) for row in range(rows) for col in range(cols)]
    corners = stack_square_corners(squares)
    lattice = build_flat_lattice(sheet.homography @ np.diag([TILE_MM, TILE_MM, 1]), squares)
    image, scale = shrink_image(pixels, STAND_TILE_PX / lattice.tile_px)

    def bare(view: Image, of: Floats) -> Image:
        """Return the enrolled empty board, cut into squares that just fill it; else the print by squares with twins."""
        if sheet.picture is None:
            return reconstruct_bare_table(view, of)
        shares = corners / (cols, rows)
        there = (
            apply_homography(sheet.homography, (shares * sheet.layout.size).reshape(-1, 2)).reshape(-1, 4, 2) * scale
        )
        height, width = sheet.picture.shape[:2]
        return reconstruct_bare_print(view, there, sheet.picture, shares * (width, height))

    # A player has only a piece or two there, so pieces need not look like others.
    places = find_possible_pieces(nets.finder, nets.classifier, image, scale, lattice, squares, bare)
    return select_shown_pieces(places, Names.of(nets.classifier).colours)


def _locate_foot(piece: Piece) -> tuple[float, float]:
    """Return the piece's foot in millimetres of the sheet."""
    return piece.at[0] * TILE_MM, piece.at[1] * TILE_MM


def is_cut(sheet: ScoreSheet, place: tuple[float, float], size: tuple[int, int]) -> bool:
    """Return whether a piece with its foot there may reach beyond a photo of `size` (width, height)."""
    x, y = place
    steps = (0, 0), (PIECE_MM, 0), (-PIECE_MM, 0), (0, PIECE_MM), (0, -PIECE_MM)
    around = apply_homography(sheet.homography, np.array([(x + right, y + down) for right, down in steps]))
    return bool(((around < 0) | (around > size)).any())


def _read_track_piece(piece: Piece, sheet: ScoreSheet, names: Names, size: tuple[int, int]) -> TrackPiece | None:
    """Read the space of a piece in a photo of `size`; None if it is on no space, or is probably no piece."""
    place = _locate_foot(piece)
    on = sheet.layout.spaces_near(place, MAX_FOOT_OFF_MM)
    spaces = on or sheet.layout.spaces_near(place, MAX_BESIDE_MM)[:2]
    if piece.presence < MIN_COUNTED_PRESENCE or not spaces:
        return None
    foot = apply_homography(sheet.homography, np.array([place]))[0]
    hue = float(piece.colours.max())
    unsure = len(on) != 1 or piece.presence < MIN_SURE_PRESENCE or hue < PLACE_SURE
    return TrackPiece(
        colour=names.colours[int(piece.colours.argmax())],
        pose=names.poses[int(piece.poses.argmax())],
        spaces=spaces,
        foot_px=(float(foot[0]), float(foot[1])),
        confidence=piece.presence * hue,
        doubtful=unsure or is_cut(sheet, place, size),
    )


PX_MM = 1.5
"""Pixels per millimetre. A guess."""
AROUND_MM = (11.0, 24.0)
"""Inner and outer radius of the ring in which the light is measured. A guess."""
UNLIKE, UNLIKE_NAT = 15.0, 4.0
"""Lab units: a place that differs from the print by the former may be a piece; every multiple of the latter below it is
a nat against one. Measured: pieces have 24 and more, bare print mostly less than 10."""
ALIKE, ALIKE_NAT = 0.55, 0.06
"""The same for the correlation with the print, in the other direction. Measured: pieces have at most 0.55, bare print
0.75 and more, under a glare as well."""


def compute_print_evidence(photo: Image, homography: Floats, board: EnrolledBoard, feet: Floats) -> Floats:
    """Return (n,) the evidence in nats against pieces at (n, 2) millimetres: the likeness to the empty board.

    Places beside the board have none. `homography` (3, 3) maps its millimetres to pixels of the photo.
    """
    view = _soft(rectify_board(photo, homography, board.size_mm, PX_MM)[0])
    picture = _soft(board.at(PX_MM))
    return np.array([_against(view, picture, at * PX_MM) for at in feet]).reshape(-1)


def _soft(picture: Image) -> Image:
    return np.asarray(cv2.blur(picture, (3, 3)), np.uint8)


def _against(view: Image, picture: Image, at: Floats) -> float:
    """Return the evidence against a piece with its foot at (2,) pixels of the two pictures."""
    height, width = picture.shape[:2]
    if not ((at >= 0) & (at < (width, height))).all():
        return 0.0
    reach = round(AROUND_MM[1] * PX_MM)
    x, y = at.astype(int).tolist()
    rows, cols = slice(max(0, y - reach), y + reach + 1), slice(max(0, x - reach), x + reach + 1)
    patch, printed = view[rows, cols].astype(np.float32), picture[rows, cols].astype(np.float32)
    ys, xs = np.mgrid[rows.start : rows.start + patch.shape[0], cols.start : cols.start + patch.shape[1]]
    away = np.hypot(xs + 0.5 - at[0], ys + 0.5 - at[1]) / PX_MM
    under, about = away <= PIECE_MM / 2, (away >= AROUND_MM[0]) & (away <= AROUND_MM[1])
    gain = np.median((patch[about] + 4) / (printed[about] + 4), axis=0)
    unlike = np.median(compute_colour_distance(_lab(patch), _lab(printed * gain))[under])
    alike = _correlation(patch[under], printed[under])
    return float(max(UNLIKE - unlike, 0.0) / UNLIKE_NAT + max(alike - ALIKE, 0.0) / ALIKE_NAT)


def _correlation(one: NDArray[np.float32], other: NDArray[np.float32]) -> float:
    """Return the correlation of (n, 3) colours with (n, 3) others, each about its mean."""
    a, b = one - one.mean(axis=0), other - other.mean(axis=0)
    return float((a * b).sum() / np.sqrt(max(float((a * a).sum() * (b * b).sum()), 1e-6)))


def _lab(picture: NDArray[np.float32]) -> Floats:
    return convert_to_lab(np.clip(picture, 0, 255))
