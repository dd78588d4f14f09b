"""Boards, their problems, their notation and their labels."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.carcassonne.board.board import Board, PlacedMeeple, PlacedWonder, Placement, mark_wonders
from scoring.carcassonne.board.features import build_feature_map, find_cut_features
from scoring.carcassonne.board.label import read_label, write_label
from scoring.carcassonne.board.notation import format_notation, parse_notation
from scoring.carcassonne.board.places import find_segment, name_segment
from scoring.carcassonne.board.problems import find_problems
from scoring.carcassonne.deal.boards import deal_random_board
from scoring.carcassonne.tiles.catalogue import Catalogue, load_base_catalogue, load_full_catalogue
from scoring.carcassonne.tiles.other_boxes import load_whole_catalogue
from scoring.carcassonne.wonders.catalogue import load_wonder_catalogue
from scoring.errors import BoardError, CatalogueError, LabelError, NotationError
from tests.scoring.boards import boards, gardens, plain, wide_boards, wonders
from tests.scoring.laid import laid, marked, together, wonder
from tests.scoring.outside import LABELS, label, needs_shared

RED = {"cell": [0, 0], "colour": "red"}


@given(st.one_of(boards(), wide_boards()))
def test_notation_reads_back_to_the_same_board(board: Board) -> None:
    text = format_notation(board)
    again = parse_notation(text)
    assert again == board
    assert hash(again) == hash(board)
    assert format_notation(again) == text
    assert "\n" not in text


@given(boards().map(lambda board: (board, None)) | wide_boards().map(lambda board: (board, load_full_catalogue())))
def test_labels_read_back_to_the_same_board(case: tuple[Board, Catalogue | None]) -> None:
    board, catalogue = case
    if any(row < 0 or col < 0 for row, col in board.tiles):
        with pytest.raises(LabelError, match="negative_square"):
            write_label(board)
    else:
        assert read_label(write_label(board), catalogue) == board


@given(plain | gardens | wonders.flatmap(lambda wonder: st.sampled_from([*wonder.placements.values()])))
def test_every_segment_of_the_base_game_is_found_by_its_name(placement: Placement) -> None:
    for index in range(len(placement.layout.segments)):
        name = name_segment(placement.layout, placement.turns, index)
        assert find_segment(placement.layout, placement.turns, name) == index


def test_a_wonder_is_identified_by_any_of_its_squares() -> None:
    wonder = PlacedWonder(load_wonder_catalogue()["WH/tikal"], (3, 4), 1)
    assert Board(wonder.placements).wonders == (wonder,)
    assert Board(dict([*wonder.placements.items()][2:4])).wonders == (wonder,)


def test_a_board_keeps_the_wonder_layouts_it_is_read_with() -> None:
    layouts = {**load_wonder_catalogue(), "WH/tikal": replace(load_wonder_catalogue()["WH/tikal"], inferred=("all",))}
    board = Board(PlacedWonder(layouts["WH/tikal"], (0, 0)).placements)
    assert parse_notation(format_notation(board), layouts) == board
    assert parse_notation(format_notation(board)) != board


@given(st.text(alphabet="ABDWZ0123-?/@,= .^_~*redblufcM", max_size=40))
def test_any_text_is_a_board_or_a_notation_error(text: str) -> None:
    with suppress(NotationError):
        board = parse_notation(text)
        assert parse_notation(format_notation(board)) == board


@given(boards(), st.data())
def test_a_notation_error_points_into_the_text(board: Board, data: st.DataObject) -> None:
    text = format_notation(board)
    at = data.draw(st.integers(0, len(text)))
    with pytest.raises(NotationError) as caught:
        parse_notation(text[:at] + "#" + text[at:])
    assert 0 <= caught.value.position <= at


def test_notation_is_legible() -> None:
    board = Board(
        {(0, 1): Placement("D"), (0, 4): Placement("BA/L"), (1, 1): None},
        (PlacedMeeple("red", (0, 4), 0), PlacedMeeple("blue", (0, 1), 3, "lying")),
    )
    assert format_notation(board) == "@0,1 D0-2B0/?? blue_0,1=fER red^0,4=M"


@pytest.mark.parametrize(
    ("text", "code", "position"),
    [
        pytest.param("", "no_tiles", 0, id="nothing at all"),
        pytest.param("@0 D0", "bad_origin", 0, id="origin without a column"),
        pytest.param("D0!", "bad_row", 2, id="neither tile nor gap"),
        pytest.param("D0?", "bad_row", 2, id="half an unknown tile"),
        pytest.param("D0/Z1", "unknown_letter", 3, id="no such letter"),
        pytest.param("D4", "bad_turn", 1, id="five quarters"),
        pytest.param("D", "bad_turn", 1, id="no turn"),
        pytest.param("D0 red", "bad_meeple", 3, id="a colour alone"),
        pytest.param("D0 ", "bad_meeple", 3, id="a space at the end"),
        pytest.param("D0 -red^0,0=cN", "colour_unknown", 3, id="a colour that is no word"),
        pytest.param("D0 red.-big^0,0=cN", "bad_name", 3, id="a kind that is no word"),
        pytest.param("D0 red^0,0=N", "bad_place", 11, id="no such place"),
        pytest.param("D0 red^0,0=M", "no_such_place", 11, id="no monastery there"),
        pytest.param("D0 red^0,1=cN", "no_such_place", 11, id="no tile there"),
        pytest.param("D0(IC/zz)0", "unknown_tile", 2, id="no such id"),
        pytest.param("(IC/C!)4", "bad_turn", 7, id="five quarters of an expansion's tile"),
        pytest.param("D0(IC/C!", "bad_row", 2, id="a parenthesis left open"),
        pytest.param("(WH/alhambra#7)0", "no_such_part", 0, id="a wonder's eighth square"),
        pytest.param("(BA/CG)0 red.abbot^0,0=G2", "no_such_place", 23, id="a second garden"),
    ],
)
def test_notation_errors_have_a_code_and_a_position(text: str, code: str, position: int) -> None:
    with pytest.raises(NotationError) as caught:
        parse_notation(text)
    assert (caught.value.code, caught.value.position) == (code, position)


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        pytest.param("D0", [], id="the start tile"),
        pytest.param("(IC/CcR)0(IC/CcR)1", ["edge_mismatch", "more_than_the_box"], id="an inn's box has one of each"),
        pytest.param("(BA/RFrG)0(BA/RFrG)0", ["more_than_the_box"], id="two gardens of a kind"),
        pytest.param("D0.", ["beyond_the_picture"], id="the picture ends there"),
        pytest.param("D0-.", [], id="the picture ends elsewhere"),
        pytest.param("E1E3 red^0,0=cE", ["complete_but_occupied"], id="a meeple left on a complete city"),
        pytest.param("E1 red_0,0=cE", ["impossible_meeple"], id="a knight who lies"),
        pytest.param("E1 red^0,0=fSL", [], id="a farmer whom his table leaves standing"),
        pytest.param("E1 red~0,0=cE", ["impossible_meeple"], id="a marker beside its wonder"),
        pytest.param("E1 red*0,0=fSL", [], id="a disc can be anything"),
        pytest.param("E1 red.pig*0,0=cE", ["impossible_meeple", "lonely_piece"], id="a pig in a city"),
        pytest.param("E1 red.pig*0,0=fSL red_0,0=fSL", [], id="a pig with its farmer"),
        pytest.param("E1 red.builder^0,0=cE blue^0,0=cE", ["lonely_piece"], id="a builder without a knight"),
        pytest.param("(BA/CG)0 red^0,0=G", ["impossible_meeple"], id="a monk in a garden"),
        pytest.param("(BA/CG)0 red.abbot^0,0=G", [], id="an abbot in a garden"),
        pytest.param("E1 red.castle^0,0=cE", ["piece_not_scored"], id="a piece of another expansion"),
        pytest.param("E1 red.mayor^0,0=cE", [], id="a mayor"),
        pytest.param("(BS/Rr)0 red^0,0=fNL", ["box_not_scored"], id="a box whose bonus is not scored"),
        pytest.param("(MO/M1)0 red_0,0=M", [], id="an abbot who lies on a special monastery"),
        pytest.param("B0 red_0,0=M", ["impossible_meeple"], id="a monk who lies"),
        pytest.param("(AM/A)0B0", [], id="an abbey beside a field"),
        pytest.param("E1 red.big^0,0=cE red.big^0,0=cE", ["too_many_meeples"], id="two big meeples"),
        pytest.param("D0E0", ["edge_mismatch"], id="road against field"),
        pytest.param("D0??", ["tile_unknown"], id="an unknown neighbour"),
        pytest.param("C0C0", ["more_than_the_box"], id="two of a single tile"),
        pytest.param("B0B0-B0", ["island"], id="a tile that touches nothing"),
        pytest.param("B0 red^0,1=?", ["meeple_without_tile"], id="a meeple beside the board"),
        pytest.param("B0 red^0,0=?", ["meeple_without_feature"], id="a meeple on nothing"),
        pytest.param("B0" + " red^0,0=M" * 8, ["too_many_meeples"], id="eight of a colour"),
        pytest.param("B0 blue^0,0=M red^0,0=M", [], id="two players share"),
    ],
)
def test_problems_name_violations_of_the_rules(text: str, codes: list[str]) -> None:
    problems = find_problems(parse_notation(text))
    assert [problem.code for problem in problems] == codes
    assert all(problem.squares and problem.text for problem in problems)


@pytest.mark.parametrize(
    ("marks", "codes"),
    [
        pytest.param(["red"], [], id="marked"),
        pytest.param([], ["unmarked_wonder"], id="unmarked"),
        pytest.param(["red", "blue"], ["disputed_wonder"], id="marked by two"),
        pytest.param(["red", "red"], ["disputed_wonder"], id="marked twice"),
    ],
)
def test_a_wonder_has_one_marker(marks: list[str], codes: list[str]) -> None:
    wonder = PlacedWonder(load_wonder_catalogue()["WH/alhambra"], (0, 0))
    assert [problem.code for problem in find_problems(marked(wonder, *marks))] == codes


def test_a_wonder_is_complete_and_unique_and_a_player_has_at_most_two() -> None:
    alhambra, tikal, stonehenge = (
        load_wonder_catalogue()[f"WH/{name}"] for name in ("alhambra", "tikal", "stonehenge")
    )
    half = dict([*PlacedWonder(alhambra, (0, 0)).placements.items()][:3])
    assert {"broken_wonder"} <= {problem.code for problem in find_problems(Board(half))}
    twice = PlacedWonder(alhambra, (0, 0)).placements | PlacedWonder(alhambra, (0, 9)).placements
    assert {"more_than_the_box"} <= {problem.code for problem in find_problems(Board(twice))}
    many = together(marked(PlacedWonder(w, (0, 9 * i)), "red") for i, w in enumerate((alhambra, tikal, stonehenge)))
    assert [problem.code for problem in find_problems(many)] == ["too_many_wonders", "island", "island"]


@given(boards() | wide_boards())
def test_finding_problems_never_raises(board: Board) -> None:
    for problem in find_problems(board):
        assert set(problem.squares) <= board.occupied | {meeple.square for meeple in board.meeples}


def test_a_board_refuses_impossible_contents() -> None:
    with pytest.raises(BoardError, match="no_such_segment"):
        Board({(0, 0): Placement("D")}, (PlacedMeeple("red", (0, 0), 9),))
    with pytest.raises(BoardError, match="unknown_pose"):
        PlacedMeeple("red", (0, 0), None, "sitting")
    with pytest.raises(CatalogueError, match="unknown_tile"):
        Placement("PD/dragon")


@pytest.mark.parametrize(
    ("tile", "garden", "cell"),
    [
        pytest.param("BA/L", True, None, id="a garden that no printing has"),
        pytest.param("BA/L", False, 0, id="a square of a tile that is one"),
        pytest.param("WH/alhambra", False, None, id="a wonder without a square"),
        pytest.param("WH/alhambra", False, 5, id="a sixth square"),
        pytest.param("WH/alhambra", True, 0, id="a wonder with a garden"),
    ],
)
def test_a_placement_refuses_parts_that_its_tile_does_not_have(tile: str, garden: bool, cell: int | None) -> None:
    with pytest.raises(BoardError, match="no_such_part"):
        Placement(tile, 0, garden, cell)


def test_a_garden_twin_is_its_plain_tile() -> None:
    assert Placement("BA/CG", 5) == Placement("E", 1)


@pytest.mark.parametrize(
    ("content", "code"),
    [
        pytest.param({}, "no_rows", id="no rows"),
        pytest.param({"rows": ["D9"]}, "bad_token", id="no such turn"),
        pytest.param({"rows": ["D0"], "meeples": [{"cell": [0, 0]}]}, "bad_meeple", id="half a meeple"),
        pytest.param({"rows": ["D0"], "meeples": [RED | {"on": "street:N"}]}, "bad_place", id="no kind of place"),
        pytest.param({"rows": ["D0"], "meeples": [RED | {"on": "monastery"}]}, "no_such_place", id="no monastery"),
    ],
)
def test_label_errors_have_a_code(content: dict[str, object], code: str) -> None:
    with pytest.raises(LabelError, match=code):
        read_label(content)


def test_a_tile_beyond_the_catalogue_is_unknown() -> None:
    board = read_label({"rows": ["RI.1/I.e@2 BA/CG@1 .. ??"]})
    assert dict(board.tiles) == {(0, 0): None, (0, 1): Placement("E", 1), (0, 3): None}


@needs_shared
@pytest.mark.parametrize("path", LABELS, ids=lambda path: path.stem)
def test_labels_of_real_tables_survive_both_text_forms(path: Path) -> None:
    board = read_label(label(path), load_whole_catalogue())
    assert parse_notation(format_notation(board)) == board
    assert read_label(write_label(board), load_whole_catalogue()) == board


def test_random_games_obey_the_rules() -> None:
    rng = Random(5)
    for _ in range(20):
        board = deal_random_board(rng)
        assert find_problems(board) == ()
        assert min(row for row, _ in board.tiles) == min(col for _, col in board.tiles) == 0
        assert parse_notation(format_notation(board)) == board


def test_a_whole_game_uses_up_the_box() -> None:
    board = deal_random_board(Random(6))
    tiles = [placement.tile for _, placement in board.known]
    assert len(tiles) == 72
    assert all(tiles.count(layout.id) == layout.count for layout in load_base_catalogue())


def test_impossible_facts_are_reported_first() -> None:
    """A wonder with two markers beside another that a person gave to a player, tiles that do not match, an island."""
    board = laid("E0E0E0 yellow^0,0=cN", (wonder("circus-maximus", (1, 0)), "red"), (wonder("alhambra", (1, 4)), "red"))
    marker = next(meeple for meeple in board.meeples if meeple.square[1] >= 4)
    disputed = replace(board, meeples=(*board.meeples, replace(marker, colour="blue")))
    codes = [
        problem.code for problem in find_problems(mark_wonders(disputed, {"WH/circus-maximus": "green"}), players=2)
    ]
    assert codes == ["disputed_wonder", "too_many_players", "edge_mismatch", "island"]
    settled = mark_wonders(disputed, {"WH/circus-maximus": "green", "WH/alhambra": "red"})
    assert "disputed_wonder" not in [problem.code for problem in find_problems(settled)]


def test_features_that_reach_an_unknown_tile_are_named_and_unfinished() -> None:
    """Two caps back to back with an unknown tile between them: their cities would be one, or two."""
    board = parse_notation("E1??E3 red^0,0=cE")
    features = build_feature_map(board)
    (problem,) = find_problems(board)
    assert (problem.code, problem.squares) == ("tile_unknown", ((0, 1),))
    cities = [feature for feature in features if feature.kind == "city"]
    assert [city.complete for city in cities] == [False, False]
    assert all(city.name in problem.text for city in cities)
    assert {feature.id for feature in find_cut_features(board, features)[0, 1]} == {city.id for city in cities}
