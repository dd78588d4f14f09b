"""The pieces that photos of a table show, in one lattice and each once, and the print beneath them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from scoring.carcassonne.board.board import Board
from scoring.carcassonne.board.locate import DISC_RADIUS_TILES
from scoring.carcassonne.tiles.geometry import PrintedRoads
from vision.arrays import SUREST, Floats, compute_sigmoid, compute_softmax
from vision.geometry.lattice_transform import Step
from vision.multiview.tile_fusion import OVERLOOKED_SHARE, compute_repeat_discount
from vision.photo.crops import compute_tile_px
from vision.pieces.assignment import SAME_PIECE_TILES
from vision.pieces.classifier import compute_feet_distance, logit
from vision.pieces.ground_classifier import Evidence, Grounds
from vision.pieces.meeples import weigh_tiles
from vision.pieces.piece_reader import PieceReader
from vision.pieces.tiles_beneath import rename_likeliest_tile
from vision.reading.board import build_board
from vision.reading.piece import Piece
from vision.reading.values import Reading, TileReading
from vision.roads.printed_roads import HIDDEN_TILES, TILE_PX, trace_printed_roads
from vision.survey.survey import PlacedSurvey

SAME_FOOT = 0.25
"""Feet in two photos that are nearer than this, in tiles, are one; within one photo more is known
(`vision.pieces.classifier`). A guess."""


def read_placed_pieces(
    piece_reader: PieceReader, placed: PlacedSurvey, tiles: Sequence[TileReading], board: Board
) -> list[Piece]:
    """Return the pieces that one photo shows on the tiles: found in its own lattice, placed in the common one."""
    squares = sorted(placed.find_own_squares([tile.square for tile in tiles]))
    if not squares:
        return []
    return [move_piece(piece, placed.step) for piece in piece_reader.read_pieces(placed.survey, squares, board)]


def weigh_tiles_and_grounds(
    piece_reader: PieceReader, placed: Sequence[PlacedSurvey], sightings: Sequence[Sighting], reading: Reading
) -> tuple[tuple[TileReading, ...], Board, Grounds]:
    """Return the tiles of a reading weighed by the pieces, the board they form, and the print beneath the pieces.

    If the pieces favour another name for a tile, all tiles are weighed again on the resulting board.
    """
    tiles, pieces = reading.tiles, [sighting.piece for sighting in sightings]
    while True:
        board = build_board(replace(reading, tiles=tiles))
        grounds = read_grounds(piece_reader, placed, sightings, board)
        weighed = weigh_tiles(tiles, pieces, piece_reader.names, board, grounds)
        renamed = rename_likeliest_tile(tiles, weighed)
        if renamed is None:
            return weighed, board, grounds
        tiles = renamed


def read_grounds(
    piece_reader: PieceReader, placed: Sequence[PlacedSurvey], sightings: Sequence[Sighting], board: Board
) -> Grounds:
    """Read the print beneath and around pieces, each in the photo that shows it best, the first of several."""
    near = [[i for i, sighting in enumerate(sightings) if sighting.best == number] for number in range(len(placed))]
    evidence: list[Evidence] = [{} for _ in sightings]
    roads: list[PrintedRoads] = []
    for survey, numbers in zip(placed, near, strict=True):
        grounds = read_grounds_of_photo(piece_reader, survey, [sightings[i].piece for i in numbers], board)
        roads.append(grounds.roads)
        for i, of_piece in zip(numbers, grounds.evidence, strict=True):
            evidence[i] = of_piece
    return Grounds({road: course for some in reversed(roads) for road, course in some.items()}, tuple(evidence))


def read_grounds_of_photo(
    piece_reader: PieceReader, placed: PlacedSurvey, pieces: Sequence[Piece], board: Board
) -> Grounds:
    """Read the print that one photo shows beneath and around pieces, in the common lattice."""
    known = {
        square: placement
        for square, placement in board.tiles.items()
        if placement is not None and square in placed.index
    }
    if not known or not pieces:
        return Grounds(evidence=tuple({} for _ in pieces))
    quads = placed.quads(list(known))
    image, scale = placed.survey.photo.halves.sized(TILE_PX / float(np.median(compute_tile_px(quads))))
    disc = piece_reader.names.poses.index("disc")
    radii = [DISC_RADIUS_TILES if np.argmax(piece.poses) == disc else HIDDEN_TILES for piece in pieces]
    feet = np.array([piece.at for piece in pieces])
    roads = trace_printed_roads(image, quads * scale, known, feet, np.array(radii))
    return Grounds(roads, tuple(piece_reader.classify_ground(image, scale, placed.warp, pieces, board)))


@dataclass(frozen=True, slots=True)
class Sighting:
    """A piece, and the index of the photo that shows it best."""

    piece: Piece
    best: int


def move_piece(piece: Piece, step: Step) -> Piece:
    """Return the piece in another lattice."""
    (col, row), (head_col, head_row) = step.points(np.array([piece.at, piece.head])).tolist()
    return replace(piece, at=(col, row), head=(head_col, head_row))


def join_pieces(pieces_by_photo: Sequence[Sequence[Piece]], placed: Sequence[PlacedSurvey]) -> list[Sighting]:
    """Join the pieces of all photos, in the common lattice, so that each piece appears once."""
    groups: list[dict[int, Piece]] = []
    every = [(photo, piece) for photo, pieces in enumerate(pieces_by_photo) for piece in pieces]
    for photo, piece in sorted(every, key=lambda entry: -entry[1].presence):
        open_groups = [group for group in groups if photo not in group and _compute_relative_distance(piece, group) < 1]
        if open_groups:
            min(open_groups, key=lambda group: _compute_relative_distance(piece, group))[photo] = piece
        else:
            groups.append({photo: piece})
    return [_build_sighting(group, placed) for group in groups]


def _compute_relative_distance(piece: Piece, group: dict[int, Piece]) -> float:
    """Compute the distance from the group's first piece, relative to the maximum for one piece."""
    first = next(iter(group.values()))
    alike = int(np.argmax(piece.colours)) == int(np.argmax(first.colours))
    return compute_feet_distance(piece, first) / (SAME_PIECE_TILES if alike else SAME_FOOT)


def _build_sighting(group: dict[int, Piece], placed: Sequence[PlacedSurvey]) -> Sighting:
    best = max(group, key=lambda photo: group[photo].presence)
    lacking = [i for i, survey in enumerate(placed) if i not in group and _is_piece_visible(survey, group[best])]
    if len(group) + len(lacking) == 1:
        return Sighting(group[best], best)
    photos = [*group, *lacking]
    leans = np.array([placed[i].leans(np.array([group[best].at]))[0] for i in photos])
    count = float(compute_repeat_discount(leans, np.ones(len(photos))))
    weights = np.array([piece.presence for piece in group.values()])
    at = weights @ np.array([piece.at for piece in group.values()]) / weights.sum()
    odds = float(logit(weights).sum() + len(lacking) * logit(np.array(OVERLOOKED_SHARE)))
    piece = Piece(
        at=(float(at[0]), float(at[1])),
        presence=float(compute_sigmoid(count * odds)),
        colours=_multiply_odds([piece.colours for piece in group.values()], count),
        poses=_multiply_odds([piece.poses for piece in group.values()], count),
        kinds=_multiply_odds(_list_examined_kinds(group.values()), count),
        seen=group[best].seen,
        seeming=group[best].seeming,
        whole=group[best].whole,
    )
    return Sighting(piece, best)


def _is_piece_visible(survey: PlacedSurvey, piece: Piece) -> bool:
    """Return whether a piece would be visible there: its square is visible as a square."""
    return piece.square in survey.index and bool(survey.shows_points(np.array([piece.at]))[0])


def _list_examined_kinds(pieces: Iterable[Piece]) -> list[Floats]:
    """Return the odds of the kinds in the photos that examined them: the boxes that each photo shows may differ."""
    kinds = [piece.kinds for piece in pieces]
    return [odds for odds in kinds if len(odds) > 1] or kinds[:1]


def _multiply_odds(odds: Sequence[Floats], count: float) -> Floats:
    """Return (K,) the product of distributions, to the power `count`."""
    if len(odds) == 1:
        return odds[0]
    log = count * np.log(np.maximum(odds, SUREST)).sum(axis=0)
    return compute_softmax(log)
