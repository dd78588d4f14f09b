"""Boards that differ a little are rescored locally, with the same totals as a full scoring."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.carcassonne.board.board import Board, PlacedMeeple, PlacedWonder, Placement
from scoring.carcassonne.board.problems import NEVER_TRUE, find_impossible, find_problems
from scoring.carcassonne.deal.boards import deal_random_board, mix_expansions
from scoring.carcassonne.doubt.kinds.tile import OtherTile
from scoring.carcassonne.doubt.kinds.wonder import FurtherWonder, OtherCoats, OtherWonder
from scoring.carcassonne.doubt.local_scoring import LocalScorer
from scoring.carcassonne.final.rulesets import RULESETS, TODAY, Ruleset
from scoring.carcassonne.final.scoring import compute_final_scoring
from scoring.carcassonne.final.table import Table
from scoring.carcassonne.tiles.catalogue import Catalogue, list_layout_turns, load_base_catalogue, load_full_catalogue
from scoring.carcassonne.wonders.catalogue import load_wonder_catalogue
from scoring.carcassonne.wonders.files import change_coats
from scoring.carcassonne.wonders.tiles import WonderLayout


def list_all_placements() -> list[Placement]:
    return [Placement(*turned) for turned in list_layout_turns(load_full_catalogue())]


@cache
def list_twins(tile: str) -> tuple[str, ...]:
    """Return the tiles that differ from one only in the marks on their parts."""
    here = [(part.kind, part.edges) for part in load_full_catalogue()[tile].segments]
    return tuple(
        other.id for other in load_full_catalogue() if [(part.kind, part.edges) for part in other.segments] == here
    )


def change_tile(board: Board, rng: Random) -> Board:
    """Put another tile on a square, often a twin, an unknown one or none; the pieces there stand anywhere on it."""
    square = rng.choice([*board.tiles])
    old = board.tiles[square]
    tiles, kept = dict(board.tiles), [meeple for meeple in board.meeples if meeple.square != square]
    if rng.random() < 0.1:
        del tiles[square]
        return replace(board, tiles=tiles, meeples=tuple(kept))
    new = None if rng.random() < 0.1 else rng.choice(list_all_placements())
    if old is not None and old.wonder is None and rng.random() < 0.5:
        new = Placement(rng.choice(list_twins(old.tile)), old.turns)
    tiles[square] = new
    parts = [None, *range(len(new.layout.segments))] if new else [None]
    moved = [replace(meeple, segment=rng.choice(parts)) for meeple in board.meeples if meeple.square == square]
    return replace(board, tiles=tiles, meeples=(*kept, *moved))


def add_tile(board: Board, rng: Random) -> Board:
    row, col = rng.choice([*board.tiles])
    square = row + rng.choice((-1, 0, 1)), col + rng.choice((-1, 1))
    return replace(board, tiles={square: rng.choice(list_all_placements()), **board.tiles})


def add_piece(board: Board, rng: Random) -> Board:
    square, placement = rng.choice([*board.known])
    segment = rng.choice([None, *range(len(placement.layout.segments))])
    piece = PlacedMeeple(
        rng.choice(("red", "blue", "pink")), square, segment, kind=rng.choice(("meeple", "big", "pig"))
    )
    return replace(board, meeples=(*board.meeples, piece))


def rename_player(board: Board, rng: Random) -> Board:
    if not board.players:
        return board
    player = rng.choice(board.players)
    return replace(board, meeples=tuple(replace(m, colour="white") if m.colour == player else m for m in board.meeples))


def drop_piece(board: Board, rng: Random) -> Board:
    return replace(board, meeples=tuple(rng.sample(board.meeples, max(len(board.meeples) - 1, 0))))


def add_marker(board: Board, rng: Random) -> Board:
    """Put one more piece upside down on a wonder."""
    marked = [
        (square, segment)
        for square, placement in board.known
        for segment, part in enumerate(placement.layout.segments)
        if part.kind == "wonder"
    ]
    if not marked:
        return board
    colour, (square, segment) = rng.choice(("red", "blue", "pink", *board.players)), rng.choice(marked)
    return replace(board, meeples=(*board.meeples, PlacedMeeple(colour, square, segment, "upside_down")))


CHANGES = (change_tile, change_tile, add_tile, add_piece, rename_player, drop_piece)


@pytest.mark.parametrize("rules", RULESETS.values(), ids=RULESETS)
@settings(max_examples=settings().max_examples // 4)
@given(
    seed=st.integers(0, 2**32),
    tiles=st.sampled_from((12, 36, 72)),
    boxes=st.sampled_from(((), ("inns",), ("traders", "river1"))),
    steps=st.integers(1, 3),
)
def test_local_totals_equal_those_of_the_whole_board(
    rules: Ruleset, seed: int, tiles: int, boxes: tuple[str, ...], steps: int
) -> None:
    rng = Random(seed)
    board = deal_random_board(rng, tiles, catalogue=mix_expansions(boxes))
    scorer = LocalScorer(board, rules, Table())
    for _ in range(5):
        other = board
        for change in rng.choices(CHANGES, k=steps):
            other = change(other, rng)
        assert scorer.compute_totals(other) == compute_final_scoring(other, rules=rules).totals


def change_wonder(board: Board, rng: Random) -> Board:
    """Put another wonder in place of one, the same one turned or with other coats of arms, one more, or a part."""
    layout = rng.choice([*load_wonder_catalogue().values()])
    if not board.wonders or rng.random() < 0.2:
        placed = PlacedWonder(layout, rng.choice([*board.tiles]), rng.randrange(4))
        return FurtherWonder(placed.squares, placed, 0.1).on(board)
    here = rng.choice(board.wonders)
    choice = rng.random()
    if choice < 0.4:
        coated = [copy for copy in list_coated(here.layout.id) if copy is not here.layout]
        placed = replace(here, layout=rng.choice(coated) if coated else here.layout)
    elif choice < 0.6:
        placed = PlacedWonder(layout, here.anchor, rng.randrange(4))
    else:
        square, new = rng.choice([*here.placements.items()])
        cells = len(here.layout.cells)
        broken = rng.choice((None, new, replace(new, cell=rng.randrange(cells)), replace(new, turns=new.turns + 1)))
        return OtherTile(square, broken, 0.1, empty=rng.random() < 0.3).on(board)
    return OtherWonder(here.squares, placed, 0.1).on(board)


@cache
def list_coated(wonder: str) -> tuple[WonderLayout, ...]:
    """Return a wonder as shipped, and with another coat of arms in one of its cities."""
    layout = load_wonder_catalogue()[wonder]
    cities = [part for part, segment in enumerate(layout.parts) if segment.kind == "city"]
    return (layout, *(change_coats(layout, city, 1 + layout.count_coats(city)) for city in cities))


TABLES = (
    Table(),
    Table(players=("green", "red"), tiles_in_play=130),
    Table(player_count=5, goods={"wine": {"red": 2, "blue": 1}}),
    Table(goods={"king": {"red": 1}, "baron": {"blue": 1}, "gold": {"red": 4}}),
)
WONDER_CHANGES = (*CHANGES, add_marker, change_wonder, change_wonder, change_wonder)


@pytest.mark.parametrize("rules", [rules for rules in RULESETS.values() if rules.has_wonders], ids=lambda r: r.name)
@settings(max_examples=settings().max_examples // 4)
@given(
    seed=st.integers(0, 2**32),
    tiles=st.sampled_from((15, 40, 110)),
    table=st.sampled_from(TABLES),
    steps=st.integers(1, 3),
)
def test_local_totals_equal_those_of_the_whole_board_with_wonders(
    rules: Ruleset, seed: int, tiles: int, table: Table, steps: int
) -> None:
    rng = Random(seed)
    wonders = rng.sample([*load_wonder_catalogue().values()], rng.randint(1, 4))
    board = deal_random_board(rng, tiles, catalogue=mix_expansions(("inns", "traders")), wonders=wonders)
    scorer = LocalScorer(board, rules, table)
    for _ in range(5):
        other = board
        for change in rng.choices(WONDER_CHANGES, k=steps):
            other = change(other, rng)
        assert scorer.compute_totals(other) == compute_final_scoring(other, rules=rules, table=table).totals


def deal_large_board(boxes: int, wonders: int) -> Board:
    base = load_base_catalogue()
    layouts = tuple(replace(layout, count=boxes * layout.count) for layout in base)
    laid = [load_wonder_catalogue()[wonder] for wonder in PAYING_WONDERS[:wonders]]
    return deal_random_board(Random(boxes), 72 * boxes, 5, 7 * boxes, Catalogue(layouts), laid)


PAYING_WONDERS = ("WH/circus-maximus", "WH/alhambra", "WH/angkor-wat", "WH/terracotta-army")


def list_other_coats(board: Board) -> Iterator[Board]:
    """Return a board with another coat of arms, for each tile that has a twin and for each city of a wonder."""
    for square, placement in board.known:
        for twin in list_twins(placement.tile) if placement.wonder is None else ():
            if twin != placement.tile and twin in load_base_catalogue():
                yield replace(board, tiles={**board.tiles, square: Placement(twin, placement.turns)})
    for wonder in board.wonders:
        for layout in list_coated(wonder.layout.id)[1:]:
            yield OtherCoats(wonder.squares, replace(wonder, layout=layout), 0.1).on(board)


@pytest.mark.parametrize("wonders", [0, 4])
def test_the_cost_of_rescoring_one_doubt_does_not_grow_with_the_board(wonders: int) -> None:
    means = []
    for boxes in (1, 4):
        board = deal_large_board(boxes, wonders)
        scorer, others = LocalScorer(board, TODAY, Table()), list(list_other_coats(board))
        whole = scorer.scored_squares
        assert [scorer.compute_totals(other) for other in others] == [
            compute_final_scoring(other).totals for other in others
        ]
        means.append((scorer.scored_squares - whole) / len(others))
    assert means[1] < 2 * means[0]


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 2**32), players=st.sampled_from((None, 2)))
def test_impossible_facts_are_found_without_a_full_check(seed: int, players: int | None) -> None:
    rng = Random(seed)
    board = deal_random_board(rng, 40, 3, 12, wonders=rng.sample([*load_wonder_catalogue().values()], rng.randrange(3)))
    for _ in range(4):
        board = rng.choice(CHANGES)(board, rng)
    problems = [problem for problem in find_problems(board, players=players) if problem.code in NEVER_TRUE]
    assert [*find_impossible(board, players)] == problems
