"""Tiles and pieces of further expansions: on the board, in its text forms, and in the documentation."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.carcassonne.board.board import Board, Placement
from scoring.carcassonne.board.features import build_feature_map
from scoring.carcassonne.board.label import read_label, write_label
from scoring.carcassonne.board.notation import format_notation, parse_notation
from scoring.carcassonne.board.pieces import PIECES
from scoring.carcassonne.board.problems import find_problems
from scoring.carcassonne.final.scoring import compute_final_scoring
from scoring.carcassonne.tiles.catalogue import load_full_catalogue
from scoring.carcassonne.tiles.expansions import (
    EXPANSIONS,
    NEUTRAL_PIECES,
    ForeignTile,
    find_piece_expansion,
    find_tile_expansion,
)
from scoring.carcassonne.tiles.layout import may_adjoin
from scoring.carcassonne.tiles.other_boxes import (
    find_plain_twin,
    get_layout,
    is_plain,
    load_other_catalogue,
    load_whole_catalogue,
)
from scoring.carcassonne.wonders.tiles import WONDERS
from scoring.errors import BoardError, NotationError

DOCUMENT = Path(__file__).parents[4] / "docs" / "expansions.md"
boxes = [box for expansion in EXPANSIONS for box in expansion.boxes]
foreign = st.builds(
    ForeignTile,
    st.builds("{}/{}".format, st.sampled_from(boxes), st.text("CRFLcrf.+~_123", min_size=1, max_size=8)),
    st.integers(0, 3),
).filter(lambda tile: tile.tile not in load_whole_catalogue())
squares = st.tuples(st.integers(0, 6), st.integers(0, 6))


@given(st.dictionaries(squares, st.just(Placement("BA/RCr")) | foreign, min_size=1, max_size=9))
def test_a_foreign_tile_keeps_its_name_in_every_text_form(
    contents: dict[tuple[int, int], Placement | ForeignTile],
) -> None:
    tiles = {square: tile if isinstance(tile, Placement) else None for square, tile in contents.items()}
    others = {square: tile for square, tile in contents.items() if isinstance(tile, ForeignTile)}
    board = Board(tiles, foreign=others)
    assert parse_notation(format_notation(board)) == board
    assert read_label(write_label(board), load_whole_catalogue()) == board
    squares = {problem.squares for problem in find_problems(board) if problem.code == "tile_not_scored"}
    assert squares == {(square,) for square in others}


def test_a_foreign_tile_counts_as_an_unknown_one() -> None:
    foreign, unknown = parse_notation("U0(DG/CRFR)1U0 red^0,0=rE"), parse_notation("U0??U0 red^0,0=rE")
    assert compute_final_scoring(foreign) == compute_final_scoring(unknown)
    assert [f.squares for f in build_feature_map(foreign)] == [f.squares for f in build_feature_map(unknown)]
    (problem,) = find_problems(foreign)
    assert (problem.code, problem.squares) == ("tile_not_scored", ((0, 1),))
    assert "The Princess & the Dragon" in problem.text


def test_a_square_with_a_known_tile_has_no_foreign_one() -> None:
    tiles = {(0, 0): Placement("BA/RCr"), (0, 1): None}
    board = Board(tiles, foreign={square: ForeignTile("TO/C") for square in ((0, 0), (0, 1), (5, 5))})
    assert set(board.foreign) == {(0, 1)}
    assert board != Board(tiles)
    assert hash(board) != hash(Board(tiles))


@pytest.mark.parametrize(
    ("piece", "words"),
    [
        (
            "red.castle^0,0=cN",
            "a red castle at row 1, column 1 is of Bridges, Castles & Bazaars, which is not scored here",
        ),
        ("grey.dragon^0,0=?", "a dragon at row 1, column 1 is of The Princess & the Dragon, which is not scored here"),
        ("red.gnome^0,0=?", "a red gnome at row 1, column 1 is of an expansion, which is not scored here"),
    ],
)
def test_a_foreign_piece_is_named_with_its_box(piece: str, words: str) -> None:
    problems = {problem.code: problem.text for problem in find_problems(parse_notation(f"D0 {piece}"))}
    assert ("meeple_without_feature" in problems) == ("gnome" in piece)
    assert problems["piece_not_scored"] == words


def test_foreign_pieces_do_not_score_and_neutral_ones_are_no_players() -> None:
    board = parse_notation("D0 blue^0,0=cN grey.dragon^0,0=cN red.castle^0,0=cN")
    assert board.players == ("blue", "red")
    assert dict(compute_final_scoring(board).totals) == {"blue": 1, "red": 0}


@pytest.mark.parametrize("tile", ["XX/CRFR", "DG", "DG/", "DG/a b", "BA/none"])
def test_a_tile_of_no_expansion_is_refused_as_a_foreign_tile(tile: str) -> None:
    with pytest.raises(BoardError):
        ForeignTile(tile)
    with pytest.raises(NotationError):
        parse_notation(f"({tile})0")


def test_nothing_that_is_scored_counts_as_foreign() -> None:
    names = [name for layout in load_full_catalogue() for name in (layout.id, *layout.aliases)]
    assert not [name for name in (*names, *WONDERS) if find_tile_expansion(name)]


def test_every_other_tile_belongs_to_one_expansion() -> None:
    others = {layout.id: layout for layout in load_other_catalogue()}
    assert all(find_tile_expansion(name) for name in others)
    assert {layout.box for layout in others.values()} == {box for expansion in EXPANSIONS for box in expansion.boxes}
    assert not others.keys() & {layout.id for layout in load_full_catalogue()}


def test_no_scored_piece_counts_as_foreign() -> None:
    assert not [kind for kind in PIECES if find_piece_expansion(kind)]
    assert NEUTRAL_PIECES.isdisjoint(PIECES)


def test_the_documentation_lists_every_expansion_with_its_tiles_and_pieces() -> None:
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in DOCUMENT.read_text().splitlines()]
    entries = {row[0]: (row[-2], row[-1]) for row in rows if len(row) in (4, 5) and not row[0].startswith("-")}
    del entries["expansion"]
    assert list(entries) == [expansion.name for expansion in EXPANSIONS]
    for expansion in EXPANSIONS:
        tiles, pieces = entries[expansion.name]
        assert tiles == ", ".join(f"`{box}/`" for box in expansion.boxes)
        assert pieces == ", ".join(f"`{piece}`" for piece in (*expansion.pieces, *expansion.neutral))


def test_the_bonus_of_a_watchtower_is_not_scored_and_is_reported() -> None:
    """The publisher's answer: all meeples of a tile of several squares, not those of the square beside it alone."""
    board = parse_notation("(WT/FRFR_3C)1E0 red^0,1=cN")
    assert [problem.code for problem in find_problems(board)] == ["box_not_scored"]
    assert compute_final_scoring(board).totals == {"red": 1}
    row = next(line for line in DOCUMENT.read_text(encoding="utf-8").splitlines() if "The Watchtowers" in line)
    assert "meeples on the whole tile beside a watchtower" in row


def test_an_abbey_adjoins_any_land_and_other_land_only_its_like() -> None:
    kinds = ("field", "road", "city", "river")
    assert all(may_adjoin("any", kind) and may_adjoin(kind, "any") for kind in kinds)
    assert {(one, other) for one in kinds for other in kinds if may_adjoin(one, other)} == {(k, k) for k in kinds}


@pytest.mark.parametrize("name", ["D", "BA/RCr", "IC/Rr.i", "AM/A", "BA/CG"])
def test_a_layout_is_found_by_its_name_in_whichever_box(name: str) -> None:
    assert name in (get_layout(name).id, get_layout(name).letter, *get_layout(name).aliases)


def test_land_without_its_vineyard_is_a_tile_of_its_own() -> None:
    """It reads back, it bears nothing, and counts for its box's supply."""
    assert find_plain_twin("HS/RRr.v") == "HS/RRr.0"
    board = parse_notation("(HS/RRr.0)1")
    assert format_notation(board) == "(HS/RRr.0)1"
    (placement,) = (placement for _, placement in board.known)
    assert is_plain(placement.layout)
    assert [placement.edge(side) for side in "NESW"] == [Placement("HS/RRr.v", 1).edge(side) for side in "NESW"]
    twice = parse_notation("(HS/RRr.0)1/.(HS/RRr.0)1")
    assert "more_than_the_box" in {problem.code for problem in find_problems(twice)}
    assert not {problem.code for problem in find_problems(board)}
