"""A copy whose edges differ from the inferred ones is read as it lies, by its edges and the rule texts."""

from __future__ import annotations

from functools import cache
from random import Random

import numpy as np
import pytest

from datasets.scene.varied_wonders import vary_wonder
from scoring.carcassonne.board.board import Board, PlacedWonder
from scoring.carcassonne.deal.boards import deal_random_board
from scoring.carcassonne.tiles.geometry import SIDES, Square
from scoring.carcassonne.wonders.catalogue import load_wonder_catalogue
from scoring.carcassonne.wonders.files import build_bare_wonder, vouch_for
from scoring.carcassonne.wonders.shapes import move_squares
from scoring.carcassonne.wonders.tiles import COATS_UNSEEN, WONDERS, WonderLayout, list_outer_edges
from scoring.carcassonne.wonders.validation import STATED
from tests.vision.board.wonders.logits import CATALOGUE, logits_of
from vision.board.wonders.copies import (
    MAX_COPIES,
    MIN_COPY_SHARE,
    draw_copy,
    list_edge_kinds,
    read_copy,
    weigh_layout,
)
from vision.board.wonders.edges import list_features, list_kinds, weigh_edge_ways
from vision.board.wonders.evidence import SquareEvidence
from vision.board.wonders.finder import find_wonders
from vision.reading.values import WonderReading

IDS = sorted(WONDERS)
SEEDS = dict(zip(IDS, ((2, 0), (3, 0), (4, 3), (3, 2), (0, 3), (1, 4), (3, 5), (2, 4)), strict=True))
"""Seeds that soon draw a copy, by wonder."""
COPIES = [(id, seed) for id in IDS for seed in SEEDS[id]]
PROBABILITY = 0.9
"""Probability that the wonder lies there at all."""


@cache
def copy_of(id: str, seed: int) -> WonderLayout:
    return vary_wonder(id, np.random.default_rng(seed))


@cache
def deal(layout: WonderLayout, seed: int) -> Board:
    """Return a board of 30 tiles and a wonder."""
    board = deal_random_board(Random(seed), 30, wonders=[layout])
    assert len(board.wonders) == 1
    return board


def weigh_board(board: Board, seed: int, edge_sure: float = 0.97) -> tuple[SquareEvidence, list[Square]]:
    """Return the logits of a net with such confidence in edges for a board's squares."""
    squares = list(board.tiles)
    logits = logits_of(board, np.random.default_rng(seed), 0.98, edge_sure)
    return SquareEvidence.from_logits(squares, logits, CATALOGUE), squares


def read_as(layout: WonderLayout, board: Board, seed: int, edge_sure: float = 0.97) -> WonderReading:
    """Read the wonder on a board, starting from another layout of the same squares."""
    (placed,) = board.wonders
    reading = WonderReading(PlacedWonder(layout, placed.anchor, placed.turns), PROBABILITY)
    return read_copy(reading, *weigh_board(board, seed, edge_sure))


@cache
def read_inferred(id: str, seed: int) -> WonderReading:
    """Read a copy on a board, starting from the inferred layout."""
    return read_as(load_wonder_catalogue()[id], deal(copy_of(id, seed), seed), seed)


def list_board_edges(placed: PlacedWonder) -> dict[tuple[Square, str], str]:
    """Return the kind of each outer edge on the board."""
    edges = {(at, side): p.edge(side) for at, p in placed.placements.items() for side in SIDES}
    return {edge: kind for edge, kind in edges.items() if kind != "inside"}


def list_parts(layout: WonderLayout) -> list[tuple[str, tuple[int, ...], int]]:
    """Return roads, cities and the monastery with their squares and open ends."""
    built = [part for part in layout.parts if part.kind in ("road", "city", "monastery")]
    return sorted((part.kind, tuple(sorted({*part.squares})), part.open_ends) for part in built)


def count_fields(layout: WonderLayout) -> int:
    return sum(part.kind == "field" for part in layout.parts)


def place_on(layout: WonderLayout, covered: set[Square], turns: int) -> PlacedWonder:
    """Lay a wonder on the squares that it covers in some turn."""
    anchors = [layout.anchor(square, 0, turns) for square in sorted(covered)]
    return next(p for p in (PlacedWonder(layout, a, turns) for a in anchors) if {*p.squares} == covered)


def assert_shares(reading: WonderReading) -> None:
    """Assert that a copy and the other candidates share the probability of the wonder."""
    shares = [share for _, share in reading.alternatives]
    assert PROBABILITY / 2 < reading.probability + sum(shares) <= PROBABILITY + 1e-9
    assert reading.probability <= PROBABILITY
    assert len(shares) < MAX_COPIES
    assert all(share >= MIN_COPY_SHARE * PROBABILITY for share in shares)
    assert shares == sorted(shares, reverse=True)
    assert reading.probability >= max(shares, default=0)


@pytest.mark.parametrize(("id", "seed"), COPIES)
def test_a_copy_has_the_observed_outer_edges(id: str, seed: int) -> None:
    reading = read_inferred(id, seed)
    (lying,) = deal(copy_of(id, seed), seed).wonders
    assert list_board_edges(reading.placed) == list_board_edges(lying)
    assert {*reading.placed.squares} == {*lying.squares}
    shipped = load_wonder_catalogue()[id]
    same = list_edge_kinds(shipped, 0).tolist() == list_edge_kinds(copy_of(id, seed), 0).tolist()
    assert (reading.placed.layout is shipped) == same


@pytest.mark.parametrize(("id", "seed"), COPIES)
def test_roads_and_cities_of_a_copy_have_the_stated_squares_and_ends(id: str, seed: int) -> None:
    layout, stated = read_inferred(id, seed).placed.layout, STATED[id]
    assert list_parts(layout) == list_parts(copy_of(id, seed))
    roads = [part for part in layout.parts if part.kind == "road"]
    assert sorted(len(part.squares) for part in roads) == sorted(road.squares for road in stated.roads)
    if stated.ends_are_known:
        assert sorted(part.open_ends for part in roads) == sorted(road.open_ends for road in stated.roads)
    assert sorted(len(p.squares) for p in layout.parts if p.kind == "city") == sorted(stated.cities)


def test_nearly_all_copies_have_the_stated_number_of_fields() -> None:
    right = [count_fields(read_inferred(id, seed).placed.layout) == STATED[id].fields for id, seed in COPIES]
    assert np.mean(right) > 0.9


@pytest.mark.parametrize("id", IDS)
def test_the_inside_of_a_copy_is_inferred_and_its_file_states_so(id: str) -> None:
    layout = read_inferred(id, SEEDS[id][0]).placed.layout
    assert layout is not load_wonder_catalogue()[id]
    assert layout.is_guessed
    assert layout.inferred[-1] == COATS_UNSEEN
    assert layout.entry["inferred"] == list(layout.inferred)


@pytest.mark.parametrize(("id", "seed"), COPIES)
def test_a_copy_with_its_alternatives_is_at_most_as_likely_as_the_wonder(id: str, seed: int) -> None:
    assert_shares(read_inferred(id, seed))


@pytest.mark.parametrize("id", ["WH/angkor-wat", "WH/stonehenge", "WH/terracotta-army"])
def test_illegible_edges_give_alternatives_that_differ_in_them(id: str) -> None:
    seed = SEEDS[id][0]
    reading = read_as(load_wonder_catalogue()[id], deal(copy_of(id, seed), seed), seed, 0.5)
    assert_shares(reading)
    ways = [reading.placed, *(placed for placed, _ in reading.alternatives)]
    edges = [tuple(sorted(list_board_edges(placed).items())) for placed in ways]
    assert len({*edges}) == len(edges) > 1
    assert all({*placed.squares} == {*reading.placed.squares} for placed in ways)


def test_other_possible_wonders_are_still_named() -> None:
    board = deal(copy_of("WH/stonehenge", 1), 1)
    (lying,) = board.wonders
    other = PlacedWonder(load_wonder_catalogue()["WH/tikal"], (0, 0))
    shipped = PlacedWonder(load_wonder_catalogue()["WH/stonehenge"], lying.anchor, lying.turns)
    reading = read_copy(WonderReading(shipped, 0.6, ((other, 0.3),)), *weigh_board(board, 1))
    assert list_board_edges(reading.placed) == list_board_edges(lying)
    assert reading.alternatives[-1] == (other, 0.3)
    assert reading.probability + sum(share for _, share in reading.alternatives) == pytest.approx(0.9)


@pytest.mark.parametrize("id", IDS)
def test_the_layout_in_force_is_kept_if_it_matches(id: str) -> None:
    layout = load_wonder_catalogue()[id]
    reading = read_as(layout, deal(layout, 1), 1)
    assert reading.placed.layout is layout
    assert reading.placed in deal(layout, 1).wonders
    assert reading.probability > 0.95 * PROBABILITY


@pytest.mark.parametrize("id", ["WH/angkor-wat", "WH/circus-maximus", "WH/stonehenge"])
def test_a_layout_given_by_a_person_is_kept_and_trusted(id: str) -> None:
    """It is read as given even if some of its edges are hard to see."""
    own = vouch_for(copy_of(id, SEEDS[id][0]))
    assert not own.is_guessed
    for edge_sure in (0.97, 0.55):
        reading = read_as(own, deal(own, 2), 2, edge_sure)
        assert reading.placed.layout is own
        assert reading.placed in deal(own, 2).wonders


def test_a_layout_given_by_a_person_yields_to_clear_edges() -> None:
    id = "WH/stonehenge"
    board = deal(copy_of(id, SEEDS[id][0]), 2)
    reading = read_as(vouch_for(load_wonder_catalogue()[id]), board, 2)
    assert list_board_edges(reading.placed) == list_board_edges(board.wonders[0])


@pytest.mark.parametrize(("id", "turns"), [("WH/angkor-wat", 1), ("WH/angkor-wat", 2), ("WH/abu-simbel", 2)])
def test_the_edges_decide_the_turn_of_a_symmetric_wonder(id: str, turns: int) -> None:
    layout = load_wonder_catalogue()[id]
    board = deal(layout, 3)
    (lying,) = board.wonders
    turned = place_on(layout, {*lying.squares}, (lying.turns + turns) % 4)
    assert list_board_edges(turned) != list_board_edges(lying)
    reading = read_copy(WonderReading(turned, PROBABILITY), *weigh_board(board, 3))
    assert reading.placed == lying


@pytest.mark.parametrize("id", ["WH/abu-simbel", "WH/angkor-wat", "WH/stonehenge", "WH/terracotta-army", "WH/tikal"])
def test_a_bare_wonder_gets_a_layout_with_the_observed_edges(id: str) -> None:
    board = deal(copy_of(id, SEEDS[id][1]), 1)
    (lying,) = board.wonders
    corner = min(row for row, _ in lying.squares), min(col for _, col in lying.squares)
    bare = build_bare_wonder(id, tuple(sorted(move_squares(lying.squares))))
    reading = read_copy(WonderReading(PlacedWonder(bare, corner), PROBABILITY), *weigh_board(board, 1))
    assert list_board_edges(reading.placed) == list_board_edges(lying)
    assert_shares(reading)
    layout = reading.placed.layout
    assert not layout.is_bare
    assert count_fields(layout) == STATED[id].fields
    stated = sorted((kind, len(squares)) for kind, squares, _ in list_parts(lying.layout))
    assert sorted((kind, len(squares)) for kind, squares, _ in list_parts(layout)) == stated


def test_only_edges_of_the_layout_in_force_support_its_wonder() -> None:
    layout = load_wonder_catalogue()["WH/stonehenge"]
    kinds = list_edge_kinds(layout, 1)
    plain = np.where(kinds[..., None] == np.arange(4), 1.0, -4.0)[None]
    blank, free = np.zeros((1, 5, 4, 4)), np.zeros(1)
    assert weigh_layout(layout, 1, blank, free)[0] == pytest.approx(0)
    assert weigh_layout(layout, 1, plain, free)[0] > weigh_layout(layout, 3, plain, free)[0]
    assert weigh_layout(layout, 3, plain, free)[0] > -0.2
    own = vouch_for(layout)
    assert weigh_layout(own, 1, plain, free)[0] > weigh_layout(layout, 1, plain, free)[0]
    assert weigh_layout(own, 3, plain, free)[0] < weigh_layout(layout, 3, plain, free)[0]


def slip_edge(layout: WonderLayout, rng: np.random.Generator) -> WonderLayout:
    """Return a copy that differs from a layout at one outer edge, and at another if the first requires it."""
    ends, features = list_outer_edges(layout.squares), list_features(layout)
    kinds = list_edge_kinds(layout, 0)
    own = np.array([kinds[cell, SIDES.index(side)] for cell, side in ends])
    while True:
        edge = int(rng.integers(len(ends)))
        wanted = np.full((len(ends), 4), -3.0)
        wanted[np.arange(len(ends)), own] = 0.0
        wanted[edge] = -9.0
        wanted[edge, rng.choice([kind for kind in range(3) if kind != own[edge]])] = 3.0
        ways, _ = weigh_edge_ways(wanted, ends, features)
        copy = draw_copy(layout, tuple(ends), ways[0].features, features) if ways else None
        if copy is not None and 0 < (list_kinds(ways[0], features) != own).sum() <= 2:
            return copy


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("id", IDS)
def test_a_given_layout_that_contradicts_its_neighbours_is_doubted(id: str, seed: int) -> None:
    """This holds for enrolled and for written layouts: the tiles beside it are read with certainty."""
    given = vouch_for(load_wonder_catalogue()[id])
    board = deal(slip_edge(given, np.random.default_rng(seed)), seed)
    (placed,) = board.wonders
    logits = logits_of(board, np.random.default_rng(seed))
    (reading,) = find_wonders(list(board.tiles), logits, CATALOGUE, layouts={**load_wonder_catalogue(), id: given}).read
    assert {*reading.placed.squares} == {*placed.squares}
    offered = [reading.placed, *(other for other, _ in reading.alternatives)]
    assert any(other.edges == placed.edges for other in offered)
    assert reading.placed.edges == placed.edges or reading.doubtful


@pytest.mark.parametrize("id", IDS)
def test_a_given_layout_that_fits_its_neighbours_is_certain(id: str) -> None:
    given = vouch_for(load_wonder_catalogue()[id])
    board = deal(given, 1)
    logits = logits_of(board, np.random.default_rng(1))
    (reading,) = find_wonders(list(board.tiles), logits, CATALOGUE, layouts={**load_wonder_catalogue(), id: given}).read
    assert reading.placed == board.wonders[0]
    assert not reading.doubtful
