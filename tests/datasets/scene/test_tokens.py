"""Tokens are laid before the players: as many points as laps, on nothing; readings of them are counted correctly."""

from __future__ import annotations

from random import Random

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from shapely import Point, Polygon

from datasets.art.score_board import draw_score_board
from datasets.art.score_designs import draw_score_token
from datasets.art.style import MEADOW
from datasets.evaluation.score_tracks import judge_tokens
from datasets.render.random_tables import Props, View, sample_table
from datasets.scene.tokens import MIN_DISTANCE_TILES, place_remaining_pieces, place_tokens, sample_laps
from scoring.carcassonne.deal.boards import deal_random_board
from tests.datasets.tables import cheap_art
from vision.reading.values import TrackReading, TrackToken

PRINTED = {points: draw_score_token(points, MEADOW, np.random.default_rng(0), 40) for points in (50, 100)}
PLAYERS = ("red", "blue", "green", "black")
BOUNDS = (0.0, 0.0, 9.0, 6.0)
TILES = np.array([(0.0, 0.0), (9.0, 0.0), (9.0, 6.0), (0.0, 6.0)])
BGR = dict.fromkeys(PLAYERS, (20, 40, 60))


@given(st.integers(0, 2**32))
def test_each_player_has_tokens_for_their_laps(seed: int) -> None:
    rng = np.random.default_rng(seed)
    laps = sample_laps(PLAYERS, rng)
    tokens = place_tokens(BOUNDS, [TILES], laps, PRINTED, rng)
    for player, gone in laps.items():
        points = [token.points for token in tokens if token.colour == player]
        assert sum(points) == 50 * gone
        assert points.count(50) <= 1
    areas = [Polygon(token.corners) for token in tokens]
    assert all(one.distance(other) >= MIN_DISTANCE_TILES * 0.99 for one in areas for other in areas if one is not other)
    assert all(area.distance(Polygon(TILES)) >= MIN_DISTANCE_TILES * 0.99 for area in areas)
    hands = {"red": 2, "blue": 0, "green": 9}
    left = list(place_remaining_pieces(tokens, [TILES], hands, BGR, 1.0, rng))
    for piece in left:
        assert not any(area.contains(Point(piece.at)) for area in (*areas, Polygon(TILES)))
    assert all(sum(piece.colour == player for piece in left) <= min(3, hands.get(player, 0)) for player in PLAYERS)


def test_without_room_no_tokens_are_placed() -> None:
    everywhere = 100 * (TILES - 4.0)
    assert place_tokens(BOUNDS, [everywhere], {"red": 2}, PRINTED, np.random.default_rng(0)) == ()


@settings(max_examples=5)
@given(st.integers(0, 2**16))
def test_all_tokens_lie_within_the_picture_and_off_the_board(seed: int) -> None:
    rng = np.random.default_rng(seed)
    props = Props.gather([cheap_art()], [deal_random_board(Random(seed), 20)], ["wood"], rng, grounds=1, ground_px=64)
    sheet = draw_score_board(MEADOW, rng, 20)
    table = sample_table(props, View((800, 600), whole=(0.02, 0.05)), rng, score_board=sheet, tokens=PRINTED)
    assert table.score_board is not None
    assert all(on.piece.pose == "standing" for on in table.score_board.pieces)
    for token in table.score_board.tokens:
        pixels = table.camera.project(np.column_stack([token.corners, np.zeros(4)]))
        assert (pixels >= 0).all()
        assert (pixels <= table.camera.size).all()


def test_readings_of_tokens_are_counted_by_their_correctness() -> None:
    square = np.array([(0.0, 0), (10, 0), (10, 10), (0, 10)])
    truth = [{"points": 50, "colour": "red", "corners_px": square + 20 * i} for i in range(5)]
    read = [(50, "red", 0, False), (50, "blue", 1, False), (100, "red", 2, True), (100, "red", 9, False)]
    tokens = tuple(TrackToken(points, colour, square + 20 * i, "mine", 0.9, d) for points, colour, i, d in read)
    assert judge_tokens(truth, TrackReading(square, 1.0, (), tokens=tokens)) == {
        "tokens": 5,
        "tokens found": 3,
        "tokens right": 1,
        "tokens wrong": 1,
        "tokens refused": 3,
        "token points right": 2,
        "tokens invented": 1,
    }
    assert judge_tokens(truth, None)["tokens refused"] == 5
