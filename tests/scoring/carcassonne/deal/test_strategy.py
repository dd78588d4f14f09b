"""Games between sensible players obey the rules, move by move, and leave boards like real games."""

from __future__ import annotations

from collections import Counter
from functools import cache
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.carcassonne.board.board import Board, PlacedMeeple, Placement
from scoring.carcassonne.board.features import build_feature_map
from scoring.carcassonne.board.problems import find_problems
from scoring.carcassonne.deal.boards import build_board_at_origin, deal_random_board, mix_expansions
from scoring.carcassonne.deal.strategy import FARM_CITY_POINTS, PlayedGame, Prospects, simulate_board, simulate_game
from scoring.carcassonne.final.scoring import compute_final_scoring
from scoring.carcassonne.play.game import Game, Move, Setup
from scoring.carcassonne.play.running_features import Laying, Tracker
from scoring.carcassonne.tiles.catalogue import load_base_catalogue

SEEDS = st.integers(0, 2**32 - 1)
SPRING = "RI/s"


@cache
def played(seed: int) -> PlayedGame:
    """Return the game of two players for a seed."""
    return simulate_game(Random(seed), 2)


def replayed(game: PlayedGame, *boxes: str) -> Game:
    """Replay a simulated game in the play engine, which refuses illegal moves."""
    engine = Game(Setup(game.players, ("base", *boxes), start=game.start))
    for move in game.moves:
        engine.play(move)
    return engine


def at_the_end(engine: Game) -> Board:
    left = engine.board()
    return build_board_at_origin(dict(left.known), left.meeples)


def knights(board: Board) -> int:
    features = build_feature_map(board)
    return sum(below is not None and below.kind == "city" for below in map(features.under, board.meeples))


@settings(max_examples=2, deadline=None)
@given(seed=SEEDS, players=st.none() | st.integers(2, 5))
def test_the_engine_plays_the_same_game_to_the_same_end(seed: int, players: int | None) -> None:
    game = simulate_game(Random(seed), players)
    engine = replayed(game)
    assert engine.is_over
    assert at_the_end(engine) == game.board
    assert find_problems(game.board, in_play=len(game.board.tiles)) == ()
    assert players in (None, len(game.players))
    assert set(game.board.players) <= set(game.players)


@settings(max_examples=2, deadline=None)
@given(seed=SEEDS, meeples=st.integers(1, 5))
def test_nobody_places_more_meeples_than_given(seed: int, meeples: int) -> None:
    game = simulate_game(Random(seed), 2, meeples=meeples)
    out = Counter(dict.fromkeys(game.players, 0))
    for move, turn in zip(game.moves, replayed(game).turns, strict=True):
        out[move.player] += len(move.stands)
        assert out[move.player] <= meeples
        out.subtract(piece.colour for piece in turn.returned)
    assert out == {player: sum(meeple.colour == player for meeple in game.board.meeples) for player in game.players}


@pytest.mark.parametrize("seed", [0, *[pytest.param(seed, marks=pytest.mark.soak) for seed in (1, 2)]])
@pytest.mark.parametrize(
    "boxes", [pytest.param(["river1"], marks=pytest.mark.soak), ["river2"], ["inns", "traders"]], ids="-".join
)
def test_other_boxes_are_played_by_the_rules_to_their_last_tile(boxes: list[str], seed: int) -> None:
    tiles = mix_expansions(boxes)
    game = simulate_game(Random(seed), 2, tiles)
    assert at_the_end(replayed(game, *boxes)) == game.board
    assert find_problems(game.board) == ()
    assert Counter(tile.tile for _, tile in game.board.known) == {layout.id: layout.count for layout in tiles}


def test_an_unplaceable_end_of_a_river_is_set_aside() -> None:
    game = simulate_game(Random(1), 2, mix_expansions(["river1", "river2"]))
    assert at_the_end(replayed(game, "river1", "river2")) == game.board
    (away,) = [tile for move in game.moves for tile in move.removed]
    assert away not in {tile.tile for _, tile in game.board.known}
    assert game.start.tile == SPRING


def test_a_seed_determines_the_game() -> None:
    assert simulate_game(Random(3), 2) == played(3)
    assert simulate_board(Random(3), 2) == played(3).board != played(2).board


def test_every_tile_of_the_box_is_laid() -> None:
    board = simulate_board(Random(5))
    assert Counter(tile.tile for _, tile in board.known) == {
        layout.id: layout.count for layout in load_base_catalogue()
    }


@pytest.mark.soak
def test_far_fewer_knights_are_left_than_in_random_placement() -> None:
    seeds = range(4)
    left = sum(knights(played(seed).board) for seed in seeds)
    random = sum(knights(deal_random_board(Random(seed), players=2)) for seed in seeds)
    assert 0 < left < 0.75 * random


def test_players_finish_their_features_and_place_farmers_late() -> None:
    for seed in range(4):
        game = played(seed)
        assert sum(replayed(game).scores.values()) > 50
        farmers = [number for number, move in enumerate(game.moves) if sets_a_farmer(move)]
        assert sum(number >= len(game.moves) / 2 for number in farmers) > len(farmers) / 2


def sets_a_farmer(move: Move) -> bool:
    (placement,) = move.tile.placements.values()
    return any(placement.layout.segments[stand.segment].kind == "field" for stand in move.stands)


HANDS = {"red": 3, "blue": 3}


def lying(board: Board) -> Laying:
    """Return a board with its meeples, as a laying of all of it."""
    laying = Laying(Tracker())
    laying.lay(dict(board.known))
    for meeple in board.meeples:
        laying.stand(meeple)
    return laying


def hopes(board: Board, tiles_left: int, hands: dict[str, int] | None = None) -> dict[str, float]:
    return Prospects(board.meeples, hands or HANDS, tiles_left).after(lying(board))


@settings(max_examples=8, deadline=None)
@given(st.integers(0, 2**32 - 1))
def test_without_tiles_left_expectations_equal_final_scoring_except_farms(seed: int) -> None:
    board = deal_random_board(Random(seed), 60, players=3)
    expected: dict[str, float] = dict.fromkeys(board.players, 0.0)
    for entry in compute_final_scoring(board).entries:
        expected[entry.player] += entry.points / 3 * FARM_CITY_POINTS if entry.rule == "field.farm" else entry.points
    prospects = hopes(board, 0, dict.fromkeys(board.players, 2))
    assert prospects == pytest.approx(expected)


def city(*, closed: bool) -> Board:
    """Return two tiles whose city is closed, or one with a city that is open; red is its knight."""
    tiles = {(0, 0): Placement("E", 2)} | ({(1, 0): Placement("E", 0)} if closed else {})
    return Board(tiles, (PlacedMeeple("red", (0, 0), 0),))


def test_an_open_city_is_worth_more_while_tiles_are_left() -> None:
    rest = hopes(Board(city(closed=False).tiles), 30)["red"]
    late, early = hopes(city(closed=False), 0)["red"], hopes(city(closed=False), 30)["red"] - rest
    assert late == 1
    assert early > late


def test_a_meeple_on_a_closed_feature_is_worth_one_in_hand() -> None:
    with_four = {**HANDS, "red": 4}
    scored = hopes(city(closed=True), 30)["red"] - hopes(Board(city(closed=True).tiles), 30, with_four)["red"]
    assert round(scored, 6) == 4


def test_the_last_meeple_in_hand_is_worth_most_and_nothing_at_the_end() -> None:
    def of_hand(meeples: int, tiles_left: int) -> float:
        return hopes(Board(city(closed=False).tiles), tiles_left, {"red": meeples, "blue": 0})["red"]

    assert of_hand(1, 30) - of_hand(0, 30) > of_hand(7, 30) - of_hand(6, 30) > 0
    assert of_hand(3, 60) > of_hand(3, 30) > of_hand(3, 0) == 0


def test_a_rival_with_the_majority_has_all_the_points() -> None:
    board = city(closed=False)
    two = Board(board.tiles, (*board.meeples, PlacedMeeple("blue", (0, 0), 0), PlacedMeeple("blue", (0, 0), 0)))
    assert hopes(two, 0) == {"red": 0, "blue": 1}
