"""A box is accepted by several tiles that agree, never by one."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from scoring.carcassonne.board.board import Board
from scoring.carcassonne.deal.boards import EXPANSIONS, deal_random_board, mix_expansions
from scoring.carcassonne.tiles.catalogue import find_tile_box, list_layout_turns, load_base_catalogue
from vision.arrays import Floats
from vision.board.expansions import (
    OTHER_BOXES,
    apply_box_prior,
    apply_unknown_layout_prior,
    count_copies,
    infer_boxes,
    is_supply_exhausted,
)
from vision.board.legal.board import find_legal_board
from vision.board.legal.problem import EXTRA_TILE_COST_NATS
from vision.squares.catalogue import build_reading_catalogue

CATALOGUE = build_reading_catalogue()
CLASSES = list_layout_turns(CATALOGUE)
SEEDS = st.integers(0, 2**32 - 1)


def named(tile: str, turns: int) -> int:
    layout = CATALOGUE[tile]
    return CLASSES.index((layout.id, turns % layout.symmetry))


def truth(board: Board) -> NDArray[np.int64]:
    return np.array(
        [named(placement.tile, placement.turns) for _, placement in board.known if placement.tile in CATALOGUE]
    )


def seen(classes: NDArray[np.int64], rng: np.random.Generator, strength: float) -> NDArray[np.float64]:
    """Return the log-probabilities of a well calibrated net, the better the greater the strength."""
    scores = strength * rng.normal(size=(len(classes), len(CLASSES) + 2))
    scores[np.arange(len(classes)), classes] += strength**2
    return np.asarray(scores - np.logaddexp.reduce(scores, axis=1, keepdims=True))


@settings(max_examples=12, deadline=None)
@given(seed=SEEDS, strength=st.floats(5.5, 7), tiles=st.integers(12, 72))
def test_a_base_board_shows_no_other_box_and_reads_base(seed: int, strength: float, tiles: int) -> None:
    """The net misnames at most one square in a hundred: of twenty, three may agree on a box by chance."""
    board = deal_random_board(Random(seed), tiles)
    scores = seen(truth(board), np.random.default_rng(seed), strength)
    boxes = infer_boxes(scores, CATALOGUE)
    assert boxes.names == ()
    weighed = apply_box_prior(scores, boxes)
    read = find_legal_board(list(board.tiles), weighed, CATALOGUE)
    strays = sum(s.choice < read.other and find_tile_box(CLASSES[s.choice][0]) != "base" for s in read.squares)
    assert strays == 0


@settings(max_examples=12, deadline=None)
@given(seed=SEEDS, chosen=st.sets(st.sampled_from(list(EXPANSIONS)), min_size=1))
@example(seed=122, chosen={"river1"})
def test_the_boxes_on_the_table_are_inferred(seed: int, chosen: set[str]) -> None:
    """The net is as good as above. One that misnames six squares in a hundred makes three of these agree on a box."""
    tiles = mix_expansions(sorted(chosen))
    board = deal_random_board(Random(seed), sum(layout.count for layout in tiles), catalogue=tiles)
    scores = seen(truth(board), np.random.default_rng(seed), 6.0)
    assert set(infer_boxes(scores, CATALOGUE).names) == chosen


@pytest.mark.parametrize("river", ["river1", "river2"])
def test_a_complete_river_claims_the_tiles_that_both_rivers_share(river: str) -> None:
    """Their bridges look alike but for an inn, and a bend with a garden of River I like one with a pig herd."""
    tiles = [layout.id for layout in mix_expansions([river]) if layout.id in CATALOGUE for _ in range(layout.count)]
    scores = seen(np.array([named(tile, 0) for tile in tiles]), np.random.default_rng(1), 6.0)
    likenesses = [named("RI.1/RIrI", 0), named("RI.2/RIrI", 0)], [named("RI.1/II", 0), named("RI.2/II+", 0)]
    for true, other in likenesses if river == "river1" else [likenesses[0][::-1]]:
        square = tiles.index(CLASSES[true][0])
        scores[square] = -30.0
        scores[square, [true, other]] = np.log([0.2, 0.8])
    boxes = infer_boxes(scores, CATALOGUE)
    assert boxes.names == (river,)
    read = apply_box_prior(scores, boxes).argmax(axis=1).tolist()
    assert [CLASSES[choice][0] for choice in read] == [CATALOGUE[tile].id for tile in tiles]


def test_a_single_tile_of_a_box_stays_only_if_the_picture_is_certain() -> None:
    inn, plain = named("IC/Rr.i", 0), named("BA/Rr", 3)
    table = np.full((20, len(CLASSES) + 2), -40.0)
    table[:, named("BA/RFr", 0)] = 0.0
    table[0, named("BA/RFr", 0)] = -40.0
    for chance, stays in ((0.99, False), (1 - 1e-4, True)):
        table[0, [inn, plain]] = np.log([chance, 1 - chance])
        boxes = infer_boxes(table, CATALOGUE)
        assert boxes.names == ()
        weighed = apply_box_prior(table, boxes)
        assert bool(weighed[0, inn] > weighed[0, plain]) == stays
        lost = table[0, inn] - table[0, plain] - (weighed[0, inn] - weighed[0, plain])
        assert lost == pytest.approx(EXTRA_TILE_COST_NATS, abs=1.5)


def test_a_lone_tile_of_a_later_printing_is_read_as_another_box() -> None:
    later, unknown = named("C31TB/L", 0), len(CLASSES)
    older = [named(layout.id, 0) for layout in CATALOGUE if layout.id.startswith(("BA/", "TB/"))]
    alone = [named(layout.id, 0) for layout in CATALOGUE if layout.id.startswith(("BA/", "TB/", "C31TB/"))]
    for tiles, stays in ((older, False), (alone, True)):
        table = np.full((len(tiles) + 1, len(CLASSES) + 2), -40.0)
        table[np.arange(len(tiles)), tiles] = 0.0
        table[-1, [later, unknown]] = np.log([0.95, 0.05])
        boxes = infer_boxes(table, CATALOGUE)
        assert boxes.names == ("traders",)
        weighed = apply_box_prior(table, boxes)
        assert bool(weighed[-1, later] > weighed[-1, unknown]) == stays


def test_a_net_of_the_base_game_finds_no_other_box() -> None:
    classes = len(list_layout_turns(load_base_catalogue())) + 2
    table = np.full((9, classes), -np.log(classes))
    boxes = infer_boxes(table, load_base_catalogue())
    assert boxes.names == ()
    np.testing.assert_allclose(apply_box_prior(table, boxes), table)


def count_games(scores: Floats) -> int:
    """Return the number of base games that the net's scores imply."""
    boxes = infer_boxes(scores, CATALOGUE)
    return count_copies(apply_box_prior(scores, boxes), CATALOGUE, boxes)["base"]


@settings(max_examples=10, deadline=None)
@given(SEEDS, st.integers(1, 3), st.integers(20, 72))
def test_the_number_of_games_follows_from_their_tiles(seed: int, games: int, last: int) -> None:
    pile = [named(layout.id, 0) for layout in load_base_catalogue() for _ in range(layout.count)]
    sample = np.array([*pile * (games - 1), *pile[:last]])
    assert count_games(seen(sample, np.random.default_rng(seed), 6.0)) == games


@settings(max_examples=10, deadline=None)
@given(SEEDS)
def test_part_of_two_games_is_recognised_by_tiles_that_one_game_lacks(seed: int) -> None:
    """Fewer tiles than their number alone would require, among them twenty that one game does not hold."""
    halves = [named(layout.id, 0) for layout in load_base_catalogue() for _ in range(2 * layout.count)]
    sample = np.array(halves[:40] + halves[40::3])
    assert 72 < len(sample) < 1.2 * 72
    assert count_games(seen(sample, np.random.default_rng(seed), 6.0)) == 2


def test_tiles_of_other_boxes_imply_no_second_game() -> None:
    layouts = [layout for layout in mix_expansions([*EXPANSIONS]) if layout.id in CATALOGUE]
    tiles = [named(layout.id, 0) for layout in layouts for _ in range(layout.count)]
    assert count_games(seen(np.array(tiles), np.random.default_rng(1), 6.0)) == 1


@settings(max_examples=30, deadline=None)
@given(seed=SEEDS, strange=st.floats(0.1, 0.9), none=st.floats(0, 0.9))
def test_a_single_unknown_square_is_less_likely_than_several(seed: int, strange: float, none: float) -> None:
    scores = np.exp(seen(truth(deal_random_board(Random(seed), 40)), np.random.default_rng(seed), 5.0))
    shares = scores[0, :-2] / scores[0, :-2].sum()
    doubted = np.log([*(1 - none) * (1 - strange) * shares, (1 - none) * strange, max(none, 1e-9)])
    alone = np.vstack([doubted, np.log(scores[1:])])
    among = np.vstack([doubted] * 20 + [np.log(scores[20:])])
    everywhere = np.ones(len(alone), dtype=np.bool_)
    seldom, often = (np.exp(apply_unknown_layout_prior(log_probs, everywhere)[0]) for log_probs in (alone, among))
    assert seldom[-2] < (1 - none) * strange
    assert seldom[-2] < often[-2]
    for weighed in (seldom, often):
        assert weighed[-1] == pytest.approx(np.exp(doubted[-1]))
        assert weighed[:-1].sum() == pytest.approx(1 - none, rel=1e-6)
        assert weighed[:-2] / weighed[:-2].sum() == pytest.approx(shares)


def test_squares_of_a_wonder_keep_their_probability_of_being_unknown() -> None:
    scores = seen(truth(deal_random_board(Random(3), 20)), np.random.default_rng(3), 5.0)
    ordinary = np.arange(len(scores)) >= 5
    scores[:5] = np.log(1e-12)
    scores[:5, -2] = 0.0
    weighed = apply_unknown_layout_prior(scores, ordinary)
    assert (weighed[:5] == scores[:5]).all()
    assert (weighed[5:, -2] < scores[5:, -2]).all()


@pytest.mark.parametrize(
    ("boxes", "games"),
    [((), 1), ((), 2), (("inns",), 1), (("river1", "traders"), 1), (("river1", "river2"), 1)],
    ids=["base", "two", "inns", "river", "rivers"],
)
def test_nothing_is_missing_once_every_tile_of_the_boxes_is_laid(boxes: tuple[str, ...], games: int) -> None:
    tiles = [CATALOGUE[layout.id].id for layout in mix_expansions(boxes) for _ in range(layout.count)]
    tiles += [layout.id for layout in load_base_catalogue() for _ in range((games - 1) * layout.count)]
    copies = {"base": games, **dict.fromkeys(boxes, 1)}
    assert is_supply_exhausted(tiles, CATALOGUE, copies)
    assert not is_supply_exhausted(tiles[1:], CATALOGUE, copies)
    assert not is_supply_exhausted(tiles, CATALOGUE, {**copies, "base": games + 1})


def test_stated_boxes_override_those_that_the_tiles_suggest() -> None:
    layouts = [layout for layout in mix_expansions(["inns"]) if layout.id in CATALOGUE]
    sample = np.array([named(layout.id, 0) for layout in layouts for _ in range(layout.count)])
    scores = seen(sample, np.random.default_rng(1), 6.0)
    assert infer_boxes(scores, CATALOGUE).names == ("inns",)
    assert infer_boxes(scores, CATALOGUE, {"inns": 0}).names == ()
    assert infer_boxes(scores, CATALOGUE, {"traders": 1, "AM": 1}).names == ("inns", "traders", OTHER_BOXES)
    boxes = infer_boxes(scores, CATALOGUE, {"inns": 2})
    copies = count_copies(apply_box_prior(scores, boxes), CATALOGUE, boxes, {"inns": 2})
    assert copies == {"base": 1, "inns": 2}
