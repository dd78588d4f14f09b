"""A rendered table whose wonder was read as other tiles, and is only possible."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from random import Random

import cv2

from api.carcassonne.report.snapshot import Snapshot, build_snapshot
from scoring.carcassonne.board.board import Board, PlacedMeeple, PlacedWonder
from scoring.carcassonne.deal.boards import deal_random_board
from scoring.carcassonne.tiles.geometry import Square
from scoring.carcassonne.wonders.catalogue import load_wonder_catalogue
from tests.drawn_boards import shoot_from_above
from tests.readers import reader
from vision.board.wonders.finder import FoundWonders
from vision.evaluation.labels import Truth, read_truth
from vision.multiview.joiner import JoinedBoard
from vision.multiview.reading import JoinedReading
from vision.photo.decoding import Photo

WONDER = load_wonder_catalogue()["WH/alhambra"]
OWNER, KNIGHT = "red", "blue"
PROBABILITY = 0.2


def deal_marked_board() -> Board:
    """Return a board of 14 tiles and a wonder marked by red, with a farmer beside it, and blue's knight in its city."""
    board = deal_random_board(Random(2), 14, wonders=[WONDER])
    (placed,) = board.wonders
    cell, segment = placed.layout.marked
    marker = PlacedMeeple(OWNER, placed.squares[cell], segment, "upside_down")
    knight = PlacedMeeple(KNIGHT, *_find_part(placed, "city", marker.square))
    farmer = PlacedMeeple(OWNER, *_find_part(placed, "field", marker.square, knight.square), "lying")
    return replace(board, meeples=(marker, knight, farmer))


def _find_part(wonder: PlacedWonder, kind: str, *occupied: Square) -> tuple[Square, int]:
    """Return a part of a kind on a square without a piece."""
    return next(
        (square, number)
        for square, tile in wonder.placements.items()
        for number, part in enumerate(tile.layout.segments)
        if part.kind == kind and square not in occupied
    )


@cache
def photograph() -> tuple[Photo, Truth]:
    """Photograph the board from above."""
    shot = shoot_from_above(deal_marked_board())
    photo = Photo.from_bytes(cv2.imencode(".png", shot.image)[1].tobytes())
    return photo, read_truth({"photo": "a.png", **shot.label}, "a")


@cache
def read_without_wonder() -> tuple[JoinedBoard, FoundWonders]:
    """Return the reading of the board without the wonder, and the wonder as a possible one."""
    joiner, (photo, _) = reader().joiner, photograph()
    board = joiner.read_board(joiner.group([reader().survey(photo)]))
    (wonder,) = board.wonders.read
    possible = FoundWonders(possible=(replace(wonder, probability=PROBABILITY, alternatives=()),))
    joint = board.joint
    tiles, _ = joiner.board_tiles.read(joint.squares, joint.logits, joint.placed, possible)
    return replace(board, tiles=tiles, wonders=FoundWonders()), possible


@cache
def join_possible() -> JoinedReading:
    """Return the reading of the table with the wonder as a possible one."""
    board, possible = read_without_wonder()
    table = reader().joiner.read_pieces(board)
    return replace(table, board=replace(board, wonders=possible)).fill_in().build_reading(None, {})


def keep() -> Snapshot:
    """The snapshot as it was stored and read back."""
    return Snapshot.model_validate_json(build_snapshot(join_possible()).to_json())
