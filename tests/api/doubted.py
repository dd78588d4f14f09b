"""Readings with doubts of every kind, and their snapshots: a dealt board, seen without a mistake, then doubted."""

from __future__ import annotations

import random
from dataclasses import replace

import numpy as np

from api.carcassonne.report.snapshot import Snapshot, build_snapshot
from scoring.carcassonne.board.board import Board, PlacedWonder
from scoring.carcassonne.deal.boards import deal_random_board
from scoring.carcassonne.tiles.catalogue import list_distinct_turns, load_base_catalogue
from scoring.carcassonne.wonders.catalogue import load_wonder_catalogue
from tests.api.tables_read import dealt, grey_photo, reading_of
from vision.errors import ReadingError
from vision.geometry.warp import scale_warp
from vision.multiview.reading import JoinedReading, View
from vision.reading.values import MeepleAlternative, Reading, TileAlternative, TrackPiece, TrackReading, WonderReading

SMALL = 12
"""Tiles of a board that is scored many times over."""


def small(seed: int) -> Board:
    return dealt(seed, SMALL)


def doubted(board: Board, seed: int) -> Reading:
    """Return a reading of the board with other tiles, other places, further meeples and a score board."""
    rng, reading = random.Random(seed), reading_of(board, seed)
    tiles = list(reading.tiles)
    for i in rng.sample(range(len(tiles)), len(tiles) // 3):
        other = rng.choice(list(load_base_catalogue()))
        turns = rng.choice(list(list_distinct_turns(other)))
        likely = round(rng.uniform(0.02, 0.45), 3)
        alternatives = (TileAlternative(other.id, turns, likely),)
        tiles[i] = replace(tiles[i], confidence=1 - likely, doubtful=likely > 0.1, alternatives=alternatives)
    meeples = [
        replace(meeple, confidence=0.7, doubtful=True, alternatives=(MeepleAlternative(None, 0.3),))
        if rng.random() < 0.3
        else meeple
        for meeple in reading.meeples
    ]
    possible = [replace(meeple, confidence=0.3, doubtful=True) for meeple in meeples[:1]]
    pieces = tuple(
        TrackPiece(colour, "standing", (7,), (10.0, 20.0), 0.9, False) for colour in sorted(board.players)[:2]
    )
    return replace(
        reading,
        tiles=tuple(tiles),
        meeples=tuple(meeples[1:]),
        possible_meeples=tuple(possible),
        track=TrackReading(np.zeros((4, 2)), 0.9, pieces),
    )


def wondrous(seed: int) -> Reading:
    """Return a reading of a board with the Alhambra, which may be Tikal there, or Tikal beside it, or none."""
    alhambra, tikal = load_wonder_catalogue()["WH/alhambra"], load_wonder_catalogue()["WH/tikal"]
    board = deal_random_board(random.Random(seed), SMALL, wonders=[alhambra])
    (placed,) = board.wonders
    others = tuple((PlacedWonder(tikal, placed.anchor, turns), 0.1) for turns in (0, 1))
    return replace(reading_of(board), wonders=(WonderReading(placed, 0.7, others),))


def view_of(reading: Reading, best: bool = True) -> View:
    """Return a photo that shows all of a reading."""
    squares = frozenset((tile.row, tile.col) for tile in reading.tiles)
    meeples = frozenset(range(len(reading.meeples)))
    nothing: frozenset[int] = frozenset()
    return View(grey_photo(), reading, squares, meeples, squares if best else frozenset(), meeples if best else nothing)


def smaller(reading: Reading, scale: float = 0.5) -> Reading:
    """Return the same in a photo of another size, as a further view of it."""

    def foot(at: tuple[float, float]) -> tuple[float, float]:
        return at[0] * scale, at[1] * scale

    return replace(
        reading,
        width=round(reading.width * scale),
        height=round(reading.height * scale),
        tiles=tuple(replace(tile, corners_px=tile.corners_px * scale) for tile in reading.tiles),
        meeples=tuple(replace(meeple, foot_px=foot(meeple.foot_px)) for meeple in reading.meeples),
        possible_meeples=tuple(replace(meeple, foot_px=foot(meeple.foot_px)) for meeple in reading.possible_meeples),
        warp=scale_warp(reading.warp, scale),
    )


def joined(reading: Reading, photos: int = 1) -> JoinedReading:
    """Return one photo of a reading, or two and a third that shows another table."""
    if photos == 1:
        return JoinedReading((view_of(reading),))
    apart = (ReadingError("photos_do_not_join", details={"file": "other.jpg"}),)
    return JoinedReading((view_of(reading), view_of(smaller(reading), best=False)), apart)


def held(seed: int, photos: int = 1) -> Snapshot:
    return build_snapshot(joined(doubted(small(seed), seed), photos))
