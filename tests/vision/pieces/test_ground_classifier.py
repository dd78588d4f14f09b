"""The print beneath a piece indicates its feature, in addition to the drawing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from datasets.art.procedural import draw_grounds, draw_tile_set
from datasets.art.style import STYLES
from models.samples.ground import POSES as GROUND_POSES
from models.samples.ground import GroundSamples, draw_ground_samples
from scoring.carcassonne.board.board import Board, Placement
from scoring.carcassonne.board.features import build_feature_map
from scoring.carcassonne.board.locate import Standing, locate_piece
from scoring.carcassonne.tiles.geometry import Square
from vision.pieces.ground_classifier import (
    DRAWN_KINDS,
    GROUND_CHANNELS,
    GROUND_PX,
    NO_FEATURE,
    DrawnGround,
    classify_ground_beneath,
    classify_grounds,
    rasterise_features,
    weigh_by_ground,
    weigh_witnesses,
)
from vision.reading.piece import Piece
from vision.reading.values import Warp
from vision.runtime.onnx import MODELS, Net

POSES = ("standing", "lying", "disc", "upside_down")
TILES = {(0, 0): Placement("V"), (0, 1): Placement("U", 1), (1, 0): Placement("E", 2), (1, 1): Placement("B")}
BOARD = Board(TILES)
FEATURES = build_feature_map(BOARD)
FEET = st.tuples(st.floats(0.05, 1.95), st.floats(0.05, 1.95))
NATS = st.floats(-8, 8)


@pytest.fixture(scope="module")
def net() -> Net:
    return Net(MODELS / "ground.onnx")


def piece(at: tuple[float, float], pose: str) -> Piece:
    return Piece(at, 0.99, np.ones(1), np.array([float(pose == name) for name in POSES]))


@given(FEET)
def test_the_middle_of_the_raster_shows_the_feature_drawn_there(foot: tuple[float, float]) -> None:
    ground = rasterise_features(BOARD, FEATURES, foot)
    middle = int(ground.numbers[GROUND_PX // 2, GROUND_PX // 2])
    there = shapely.Point(*foot)
    near = {feature.id for feature in FEATURES if feature.geometry.distance(there) < 2 / GROUND_PX}
    assert middle != NO_FEATURE
    assert ground.features[middle] in near


@given(FEET, st.tuples(st.integers(-3, 3), st.integers(-3, 3)))
def test_the_raster_does_not_depend_on_the_boards_position(foot: tuple[float, float], step: Square) -> None:
    moved = Board({(row + step[0], col + step[1]): placement for (row, col), placement in TILES.items()})
    shifted = rasterise_features(moved, build_feature_map(moved), (foot[0] + step[1], foot[1] + step[0]))
    ground = rasterise_features(BOARD, FEATURES, foot)
    assert [*shifted.kinds] == [*ground.kinds]
    assert (shifted.numbers != ground.numbers).mean() < 0.02


def test_each_channel_shows_a_kind_and_the_last_the_feature_in_question() -> None:
    ground = rasterise_features(BOARD, FEATURES, (0.5, 0.5))
    for number, kind in enumerate(ground.kinds):
        *kinds, asked = (channel > 0 for channel in np.moveaxis(ground.draw_channels([number])[0], 2, 0))
        assert (asked == (ground.numbers == number)).all()
        channel = next(i for i, drawn in enumerate(DRAWN_KINDS) if kind in drawn)
        assert kinds[channel][asked].all()
        assert (np.sum(kinds, axis=0) == (ground.numbers != NO_FEATURE)).all()
    assert len(DRAWN_KINDS) + 1 == GROUND_CHANNELS - 3


@given(FEET, st.sampled_from(["standing", "lying", "disc"]), st.lists(NATS, min_size=9, max_size=9))
def test_evidence_of_the_print_moves_weight_only_between_features(
    foot: tuple[float, float], pose: str, nats: list[float]
) -> None:
    standings = locate_piece(BOARD, foot, pose)
    shown = dict(zip((feature.id for feature in FEATURES), nats, strict=False))
    weighed = weigh_by_ground(standings, FEATURES, shown)
    assert [(s.square, s.segment) for s in weighed] == [(s.square, s.segment) for s in standings]
    assert sum(s.mass for s in weighed) == pytest.approx(sum(s.mass for s in standings))
    assert sum(s.probability for s in weighed) == pytest.approx(1 if weighed else 0)
    if standings:
        gains = {FEATURES.at(a.square, a.segment).id: b.mass / a.mass for a, b in zip(standings, weighed, strict=True)}
        for before, after in zip(standings, weighed, strict=True):
            gain = gains[FEATURES.at(before.square, before.segment).id]
            assert after.mass == pytest.approx(before.mass * gain, rel=1e-6, abs=1e-300)


@given(FEET, st.floats(0.1, 4))
def test_a_more_clearly_visible_feature_is_more_likely(foot: tuple[float, float], more: float) -> None:
    standings = locate_piece(BOARD, foot, "disc")
    masses = weigh_witnesses(standings, FEATURES, {})
    first, *_ = masses
    shown = dict.fromkeys(masses, 0.0)

    def share(of: dict[str, float]) -> float:
        weighed = weigh_by_ground(standings, FEATURES, of)
        return sum(s.probability for s in weighed if FEATURES.at(s.square, s.segment).id == first)

    assert share({**shown, first: more}) >= share(shown)


def test_without_evidence_of_the_print_only_the_drawing_counts() -> None:
    standings: tuple[Standing, ...] = locate_piece(BOARD, (0.4, 0.6), "disc")
    assert weigh_by_ground(standings, FEATURES, {}) == standings


def test_only_pieces_on_several_possible_features_are_examined(net: Net) -> None:
    board = Board({(0, 0): Placement("U")})
    features = build_feature_map(board)
    image, warp = np.full((256, 256, 3), 120, np.uint8), Warp(np.diag([128.0, 128.0, 1.0]))
    beside_road, in_field = (0.5, 0.42), (0.5, 0.12)
    pieces = [
        piece(beside_road, "disc"),
        piece(beside_road, "lying"),
        piece(in_field, "lying"),
        piece(in_field, "disc"),
    ]
    shown = classify_ground_beneath(net, image, 1.0, warp, pieces, POSES, board, features)
    kinds = [sorted(features[id].kind for id in of_piece) for of_piece in shown]
    assert kinds == [["field", "field", "road"], ["field", "field"], [], []]


@pytest.fixture(scope="module")
def sloppy() -> GroundSamples:
    """Return pieces set sloppily on tables in art unknown to the net: its roads and walls run beside the drawing."""
    tiles = draw_tile_set(STYLES["autumn"], 77, 240)
    return draw_ground_samples([replace(tiles, grounds=draw_grounds(77))], 77, 0, tables=4)


def build_grounds(samples: GroundSamples) -> list[DrawnGround]:
    """Return the drawings of samples, whose features are named by their numbers."""
    grounds = []
    for numbers, kinds in zip(samples.numbers, samples.kinds, strict=True):
        known = tuple(DRAWN_KINDS[kind][0] for kind in kinds.tolist() if kind >= 0)
        names = tuple(str(i) for i in range(len(known)))
        grounds.append(DrawnGround(numbers.astype(np.int64), names, known))
    return grounds


def list_possible(ground: DrawnGround, pose: str) -> list[bool]:
    """Return the features a piece may be on, if no table stands its farmers upright."""
    return [pose == "disc" or (kind == "field") == (pose == "lying") for kind in ground.kinds]


def count_right(samples: GroundSamples, scores: Sequence[Sequence[float]], grounds: Sequence[DrawnGround]) -> int:
    """Count the pieces whose highest-scoring feature is the true one, among those that the pose allows."""
    right = 0
    for of_piece, ground, pose, true in zip(scores, grounds, samples.poses, samples.truth, strict=True):
        possible = list_possible(ground, GROUND_POSES[pose])
        best = max(range(len(possible)), key=lambda i: of_piece[i] if possible[i] else -np.inf)
        right += best == true
    return right


@pytest.mark.soak
def test_on_unseen_art_the_print_is_more_accurate_than_the_drawing(net: Net, sloppy: GroundSamples) -> None:
    grounds = build_grounds(sloppy)
    shown = classify_grounds(net, sloppy.pictures, grounds, [np.arange(len(ground.features)) for ground in grounds])
    away = np.hypot(*np.meshgrid(*[(np.arange(GROUND_PX) + 0.5) / GROUND_PX - 0.5] * 2))
    nearness = [
        [-float(away[ground.numbers == i].min(initial=1.0)) for i in range(len(ground.features))] for ground in grounds
    ]
    by_print = count_right(sloppy, [[*of_piece.values()] for of_piece in shown], grounds)
    assert by_print > count_right(sloppy, nearness, grounds)
    assert by_print / len(sloppy) > 0.9
