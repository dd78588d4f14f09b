"""A piece still on a road is evidence against the tile that would complete the road."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from scoring.carcassonne.board.board import Board, Placement
from scoring.carcassonne.board.features import build_feature_map
from tests.readers import reader
from tests.scoring.outside import SHARED, needs_shared
from vision.evaluation.labels import load_truth
from vision.evaluation.matching import is_same_tile, match_reading
from vision.photo.crops import CORNERS
from vision.photo.decoding import Photo
from vision.pieces.placement import Place
from vision.pieces.tiles_beneath import PossiblePlaces, rename_likeliest_tile, weigh_tiles_by_pieces
from vision.reading.values import TileAlternative, TileReading

CROSSING, BEND = "BA/RRR", "BA/Rr"


def lay_with_road(tile: str, side: str, *others: str) -> Placement:
    """Lay a tile so that a road leaves it at a side, and fields at the others named."""
    return next(
        placed
        for placed in (Placement(tile, turns) for turns in range(4))
        if placed.edge(side) == "road" and all(placed.edge(other) == "field" for other in others)
    )


WEST, MIDDLE = lay_with_road(CROSSING, "E"), lay_with_road("U", "E", "N")
ENDS = {name: lay_with_road(name, "W", "N") for name in (CROSSING, BEND)}


def read_tile(square: tuple[int, int], placed: Placement, confidence: float, *others: TileAlternative) -> TileReading:
    name = placed.layout.id
    return TileReading(*square, name, placed.turns, CORNERS, confidence, False, others)


def lay_row(read: str, confidence: float) -> tuple[list[TileReading], Board]:
    """Return a row of three tiles: a crossing, a road, and a crossing or a bend that may be the other of both."""
    (other,) = ENDS.keys() - {read}
    instead = TileAlternative(other, ENDS[other].turns, 1 - confidence)
    tiles = [
        read_tile((0, 0), WEST, 1.0),
        read_tile((0, 1), MIDDLE, 1.0),
        read_tile((0, 2), ENDS[read], confidence, instead),
    ]
    return tiles, Board({(0, 0): WEST, (0, 1): MIDDLE, (0, 2): ENDS[read]})


def stand_on_road(presence: float = 1.0) -> PossiblePlaces:
    road = next(i for i, part in enumerate(MIDDLE.layout.segments) if part.kind == "road")
    return PossiblePlaces(presence, (Place((0, 1), road, "standing", 0.7),))


def test_the_tile_that_would_complete_an_occupied_road_is_renamed() -> None:
    tiles, board = lay_row(CROSSING, 0.85)
    weighed = weigh_tiles_by_pieces(tiles, board, [stand_on_road()])
    assert weighed[2].confidence < 0.5
    assert weighed[2].confidence + weighed[2].alternatives[0].probability == pytest.approx(1)
    renamed = rename_likeliest_tile(tiles, weighed)
    assert renamed is not None
    last = renamed[2]
    assert (last.tile, last.turns) == (BEND, ENDS[BEND].turns)
    assert (last.confidence, last.alternatives[0].probability) == pytest.approx((0.15, 0.85))
    np.testing.assert_array_equal(
        np.roll(last.corners_px, last.turns, axis=0), np.roll(CORNERS, tiles[2].turns, axis=0)
    )
    again = weigh_tiles_by_pieces(renamed, replace(board, tiles={**board.tiles, (0, 2): ENDS[BEND]}), [stand_on_road()])
    assert again[2].confidence == pytest.approx(weighed[2].alternatives[0].probability), "evidence counts once"
    assert rename_likeliest_tile(renamed, again) is None


def test_without_a_piece_on_the_road_tiles_stay() -> None:
    tiles, board = lay_row(CROSSING, 0.85)
    assert weigh_tiles_by_pieces(tiles, board, []) == tuple(tiles)
    beside = PossiblePlaces(1.0, (Place((0, 1), 0 if MIDDLE.layout.segments[0].kind == "field" else 1, "lying", 0.7),))
    weighed = weigh_tiles_by_pieces(tiles, board, [beside])
    assert rename_likeliest_tile(tiles, weighed) is None


def test_a_doubtful_piece_is_weaker_evidence() -> None:
    tiles, board = lay_row(CROSSING, 0.85)
    chances = [weigh_tiles_by_pieces(tiles, board, [stand_on_road(p)])[2].confidence for p in (1.0, 0.5, 0.0)]
    assert chances == sorted(chances)
    assert chances[-1] == pytest.approx(0.85)


def test_a_bend_with_an_occupied_road_becomes_more_certain() -> None:
    tiles, board = lay_row(BEND, 0.85)
    assert not any(build_feature_map(board).at((0, 1), s).complete for s in range(len(MIDDLE.layout.segments)))
    assert weigh_tiles_by_pieces(tiles, board, [stand_on_road()])[2].confidence > 0.95


@needs_shared
def test_a_tile_hidden_by_a_real_piece_leaves_its_road_open() -> None:
    truth = load_truth(SHARED / "labels" / "new" / "ls_five_colours.json")
    reading = reader().read(Photo.from_path(SHARED / "photos" / "failing" / "ls_five_colours.jpg"))
    match = match_reading(reading, truth)
    assert all(is_same_tile(read, true, match) for read, true in match.tiles)
