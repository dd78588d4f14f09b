"""Worked examples and answers of the rule texts about the course of a game; named after the passage.

Turns are written as in a record. A score that a test starts from is given to the track by itself: games that lead to a
certain score would hide the subject of the test.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from scoring.carcassonne.board.board import PlacedWonder, Placement
from scoring.carcassonne.board.notation import format_place, parse_notation, parse_tile
from scoring.carcassonne.board.problems import find_problems
from scoring.carcassonne.final.rulesets import get_ruleset
from scoring.carcassonne.play.game import Game, Move, PlacedTile, Setup, Stand, Taking
from scoring.carcassonne.play.score_track import ScoreTrack
from scoring.carcassonne.play.stack import Stack, parse_tile_name
from scoring.carcassonne.record.record import Record, RecordedMove
from scoring.carcassonne.record.text import format_record, parse_record
from scoring.carcassonne.tiles.geometry import HALF_EDGES, UNIT
from scoring.carcassonne.tiles.layout import Segment, TileLayout
from scoring.carcassonne.wonders.catalogue import load_wonder_catalogue
from scoring.carcassonne.wonders.tiles import WONDERS, WonderLayout, find_inner_sides
from scoring.errors import PlayError, ScoringError
from tests.scoring.carcassonne.play.turns import (
    bonuses,
    give,
    lay_wonder,
    move,
    play,
    refused,
    set_scores,
)
from tests.scoring.games import list_wonder_places

TWO, THREE = ("red", "blue"), ("red", "blue", "yellow")


def game_of(players: tuple[str, ...] = TWO, wonders_each: int = 1, rules: str = "C3", start: str = "D1") -> Game:
    """Return a game with all wonders laid out."""
    return Game(
        Setup(players, ("base", "inns"), tuple(WONDERS), wonders_each, get_ruleset(rules), start=parse_tile(start))
    )


# 3. Scoring a feature and getting a wonder tile


def test_example_setup_for_4_players_two_meeples_of_each_lie_beside_the_10() -> None:
    """Nine meeples of a colour: one on the track, two beside its 10, six in the supply; a wonder for each player."""
    four = ("red", "blue", "yellow", "green")
    game = Game(Setup(four, wonders=tuple(WONDERS)[:4]))
    assert game.track.pairs_at == 10
    assert game.scores == dict.fromkeys(four, 0)
    assert [hand["meeple"] for hand in game.hands.values()] == [9 - 1 - 2] * 4
    with pytest.raises(PlayError, match="too_few_wonders"):
        Setup(four, wonders=tuple(WONDERS)[:3])


def test_variant_setup_two_wonders_a_player_and_ten_meeples() -> None:
    assert Setup(TWO, wonders=tuple(WONDERS), wonders_each=2).supply == {"meeple": 10 - 1 - 2 - 1}
    with pytest.raises(PlayError, match="too_few_wonders"):
        Setup(("red", "blue", "yellow", "green", "black"), wonders=tuple(WONDERS), wonders_each=2)


def test_setup_example_the_first_to_reach_10_takes_a_wonder_and_pairs_move_to_15() -> None:
    """English text: "You are the first player to reach 10 points"."""
    game = game_of()
    assert game.hands["red"]["meeple"] == 6
    set_scores(game, red=8)
    play(game, "K3@0,1 cW takes:red:tikal")
    assert game.scores["red"] == 12
    assert game.track.pairs_at == 15
    assert game.hands["red"]["meeple"] == 6 + 2
    assert game.in_front["red"] == ("WH/tikal",)
    assert "WH/tikal" not in game.wonders_left


def test_reaching_the_pairs_without_taking_a_wonder_is_refused() -> None:
    game = game_of()
    set_scores(game, red=8)
    assert refused(game, "K3@0,1 cW") == "wonder_not_taken"
    assert refused(game, "K3@0,1 cW takes:blue:tikal") == "wonder_not_reached"
    assert refused(game, "K3@0,1 takes:red:tikal") == "wonder_not_reached"
    assert refused(game, "K3@0,1 cW takes:red:tikal takes:red:alhambra") == "wonder_not_reached"


def test_a_wonder_that_another_has_taken_is_not_available() -> None:
    game = game_of()
    give(game, "blue", "tikal")
    set_scores(game, red=12)
    assert refused(game, "K3@0,1 cW takes:red:tikal") == "wonder_not_available"


def test_the_pairs_are_never_moved_beyond_25() -> None:
    """ "Attention": even with more than four players."""
    track = ScoreTrack.at_start(("a", "b", "c", "d", "e", "f"), 1)
    spaces = []
    for player in track.points:
        spaces.append(track.pairs_at)
        track = track.took(player)
    assert spaces == [10, 15, 20, 25, 25, 25]


def test_special_case_the_player_on_turn_chooses_when_several_reach_the_pairs() -> None:
    """After the chosen one the pairs move on; only a player still on or past them takes the next."""
    track = replace(ScoreTrack.at_start(THREE, 1), points={"red": 16, "blue": 12, "yellow": 3})
    assert track.claimants() == ("red", "blue")
    assert track.took("red").claimants() == ()
    assert track.took("blue").claimants() == ("red",)


@pytest.mark.parametrize("taker", TWO)
def test_two_players_reach_the_pairs_and_the_one_on_turn_chooses_first(taker: str) -> None:
    """Red completes a road on which both stand: one takes a wonder, and the pairs at 15 are too far for the other."""
    game = game_of(start="A3")
    play(game, "U0@0,1 rW", "B0@1,1", "B0@1,2", "B0@1,3", "E0@-1,1", "A1@0,3 rW")
    set_scores(game, red=8, blue=8)
    assert refused(game, "U0@0,2") == "wonder_not_taken"
    assert refused(game, "U0@0,2 takes:red:tikal takes:blue:alhambra") == "wonder_not_reached"
    play(game, f"U0@0,2 takes:{taker}:tikal")
    assert game.scores == {"red": 12, "blue": 12}
    assert game.in_front[taker] == ("WH/tikal",)


def test_variant_the_second_wonder_at_50_gives_one_meeple() -> None:
    game = game_of(wonders_each=2)
    give(game, "red", "tikal")
    lay_wonder(game, "tikal")
    play(game, "U1@-1,0")
    set_scores(game, red=48)
    before = game.hands["red"]["meeple"]
    play(game, "K3@0,1 cW takes:red:alhambra")
    assert game.in_front["red"] == ("WH/alhambra",)
    assert game.hands["red"]["meeple"] == before + 1


def test_without_the_variant_nobody_takes_a_second_wonder() -> None:
    track = replace(ScoreTrack.at_start(TWO, 1), points={"red": 60, "blue": 0}).took("red")
    assert track.claimants() == ()


# 1. Placing a wonder tile


def test_the_owner_of_a_wonder_lays_it_and_draws_no_tile() -> None:
    game = game_of()
    give(game, "red", "stonehenge")
    assert refused(game, "K3@0,1") == "wonder_waits"
    assert refused(game, "(WH/alhambra)0@0,5") == "no_such_wonder"
    left = len(game.supply.stack)
    lay_wonder(game, "stonehenge")
    assert len(game.supply.stack) == left
    (marker,) = game.board().meeples
    assert (marker.pose, marker.colour) == ("upside_down", "red")
    assert game.hands["red"]["meeple"] == 6 + 1


def test_a_wonder_is_laid_by_the_usual_rules() -> None:
    game = game_of()
    give(game, "red", "stonehenge")
    assert refused(game, "(WH/stonehenge)0@0,0") == "square_taken"
    assert refused(game, "(WH/stonehenge)0@9,9") == "touches_nothing"
    lawful = {
        (place.anchor, place.turns) for place in list_wonder_places(game, load_wonder_catalogue()["WH/stonehenge"])
    }
    touching = {((row, col), turns) for row in range(-4, 5) for col in range(-4, 5) for turns in range(4)} - lawful
    codes = {refused(game, f"(WH/stonehenge){turns}@{at[0]},{at[1]}") for at, turns in sorted(touching)}
    assert codes == {"square_taken", "touches_nothing", "edge_mismatch"}


def test_question_a_wonder_may_lie_beside_another() -> None:
    """The publisher's answer of 10/2023."""
    game = game_of()
    give(game, "red", "stonehenge")
    give(game, "blue", "alhambra")
    lay_wonder(game, "stonehenge")
    first = set(game.board().wonders[0].squares)
    beside = [
        place
        for place in list_wonder_places(game, load_wonder_catalogue()["WH/alhambra"])
        if any((row + 1, col) in first or (row, col + 1) in first for row, col in place.squares)
    ]
    game.play(Move("blue", beside[0]))
    assert len(game.board().wonders) == 2
    assert find_problems(game.board()) == ()


def test_note_a_wonder_that_fits_draws_no_extra_tile() -> None:
    game = game_of()
    give(game, "red", "stonehenge")
    assert refused(game, "+K3@0,1 (WH/stonehenge)0@0,5") == "wonder_fits"
    assert refused(game, "-K (WH/stonehenge)0@0,5") == "wonder_fits"


def meadow() -> WonderLayout:
    """Return an Alhambra with nothing but fields at its edges, which therefore does not fit beside a crossing."""
    real = load_wonder_catalogue()["WH/alhambra"]
    cells = []
    for square, cell in zip(real.squares, real.cells, strict=True):
        inside = find_inner_sides(real.squares, square)
        open_halves = tuple(half for half in HALF_EDGES if half[0] not in inside)
        segments = (Segment("field", UNIT, open_halves), Segment("wonder", UNIT.buffer(-0.3), ()))
        cells.append(TileLayout(cell.id, "", 1, (), segments, inside=inside, parts=(0, 1)))
    return WonderLayout(real.id, real.name, real.squares, tuple(cells), real.marker)


def test_note_a_wonder_that_fits_nowhere_draws_a_tile_that_makes_room_for_it() -> None:
    """A tile that fits itself but leaves the wonder no room goes out of the game; no piece goes on the extra tile."""
    game = game_of(start="X0")
    give(game, "red", "alhambra")
    field = meadow()
    assert list_wonder_places(game, field) == []
    extra = PlacedTile(Placement("BA/RRR", 2), (-1, 0))
    squares = PlacedWonder(field, (-2, 0), 2)
    alone = Move("red", squares)
    assert refused_move(game, alone) == "edge_mismatch" or refused_move(game, alone) == "touches_nothing"
    assert refused_move(game, replace(alone, extra=extra)) == "edge_mismatch"
    extra = PlacedTile(Placement("BA/RRR"), (-1, 0))
    assert refused_move(game, replace(alone, extra=extra, removed=("BA/RFr",))) == "tile_fits"
    left = len(game.supply.stack)
    stand = Stand((-1, 0), 0)
    assert refused_move(game, replace(alone, extra=extra, removed=("BA/CRRR",), stands=(stand,))) == "not_on_the_tile"
    game.play(replace(alone, extra=extra, removed=("BA/CRRR",)))
    assert len(game.supply.stack) == left - 2
    assert len(game.board().tiles) == 1 + 1 + 5


FIGURES = ["", ".big", ".pig", ".builder", ".abbot", ".shepherd"]
"""Kinds in a board's notation: those of the boxes that are played, and one of a box that is not."""
EVERY_PIECE = ("base", "inns", "traders", "abbot")


def as_found(
    marker: str, boxes: tuple[str, ...] = ("base",), pieces: str = "", points: tuple[int, int] = (12, 0)
) -> Game:
    """Return a game started from a board with red's Alhambra, marked by a piece of some kind and pose."""
    tiles = "E0/(WH/alhambra#0)0/(WH/alhambra#1)0/(WH/alhambra#2)0(WH/alhambra#3)0(WH/alhambra#4)0"
    layout = load_wonder_catalogue()["WH/alhambra"]
    row, col = layout.squares[layout.marked[0]]
    board = parse_notation(f"@0,0 {tiles} red{marker}{1 + row},{col}=W {pieces}".strip())
    return Game(Setup(TWO, boxes, tuple(WONDERS), start_board=board, points=points))


@pytest.mark.parametrize("pose", "~^_*")
@pytest.mark.parametrize("kind", FIGURES)
@pytest.mark.parametrize("boxes", [("base",), EVERY_PIECE], ids=["base", "every piece"])
def test_note_any_figure_may_mark_a_wonder_that_was_laid_before(kind: str, pose: str, boxes: tuple[str, ...]) -> None:
    """ "You can use the large meeple of the 1st expansion or any other figure"; "you can put [it] upside down"."""
    game = as_found(kind + pose, boxes)
    supply = Counter(game.setup.supply)
    assert game.in_effect("WH/alhambra") == "red"
    assert game.track.claimants() == ()
    used = kind.removeprefix(".")
    assert game.to_set("red") == supply + Counter(meeple=1) - Counter([used] if used else [])
    assert game.to_set("blue") == supply
    place = game.places("U")[0]
    game.play(Move("red", place))
    assert not {problem.code for problem in find_problems(game.board())} & {"impossible_meeple", "piece_not_scored"}
    replayed = parse_record(format_record(Record.of(game))).replay()
    assert replayed.board() == game.board()
    assert replayed.final() == game.final()


def test_note_a_big_meeple_that_marks_a_wonder_is_no_longer_in_hand() -> None:
    assert refused(as_found(".big^", EVERY_PIECE), "E2@-1,0 big:cS") == "no_piece_left"
    with pytest.raises(PlayError, match="bad_start"):
        as_found(".big^", EVERY_PIECE, "red.big^0,0=cN")
    with pytest.raises(PlayError, match="bad_start"):
        as_found("~", pieces="red^3,0=W")


def test_note_the_abbot_that_marks_a_wonder_is_not_taken_back() -> None:
    """ "This marker meeple remains there until the end of the game"."""
    assert refused(as_found(".abbot^", EVERY_PIECE), "E2@-1,0 recalls:abbot") == "no_abbot_out"


@pytest.mark.parametrize("pose", "~^_*")
@pytest.mark.parametrize("kind", ["meeple", *(kind[1:] for kind in FIGURES[1:])])
def test_note_any_figure_may_mark_the_wonder_that_is_laid(kind: str, pose: str) -> None:
    game = Game(Setup(TWO, EVERY_PIECE, tuple(WONDERS), start=parse_tile("D1")))
    give(game, "red", "alhambra")
    before = game.to_set("red")
    place = _first_place(game, "alhambra")
    words = f"(WH/alhambra){place.turns}@{place.anchor[0]},{place.anchor[1]}"
    elsewhere = next(at for at, tile in place.placements.items() if tile.cell == 2)
    turn = play(game, f"{words} marks:{kind}{pose}@{elsewhere[0]},{elsewhere[1]}")
    (marker,) = game.board().meeples
    assert (marker.kind, marker.square) == (kind, elsewhere)
    assert game.board().is_marker(marker)
    assert game.to_set("red") == before - Counter({kind: kind != "meeple"})
    again = parse_record(format_record(Record(game.setup, (RecordedMove(turn.move, (0, 0)),))))
    assert again.moves[0].move == turn.move


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("K3@0,1 marks:big^", "wrong_place"),
        ("{wonder} marks:dragon^", "wrong_place"),
        ("{wonder} marks:big^@9,9", "wrong_place"),
        ("{wonder} big:{city} marks:big^", "no_piece_left"),
    ],
)
def test_impossible_markers_are_refused(words: str, code: str) -> None:
    game = game_of()
    give(game, "red", "alhambra")
    place = _first_place(game, "alhambra")
    at, index = next(members[0] for members in game.free_features(place))
    city = f"{format_place(place.placements[at], index)}@{at[0]},{at[1]}"
    wonder = f"(WH/alhambra){place.turns}@{place.anchor[0]},{place.anchor[1]}"
    if not words.startswith("{"):
        game = game_of()
    assert refused(game, words.format(wonder=wonder, city=city)) == code


# 2. Placing a meeple on a wonder tile


def _first_place(game: Game, wonder: str) -> PlacedWonder:
    return list_wonder_places(game, load_wonder_catalogue()[f"WH/{wonder}"])[0]


def test_example_alhambra_a_marker_then_a_meeple_in_the_city_and_one_on_a_road() -> None:
    game = game_of()
    give(game, "red", "alhambra")
    place = _first_place(game, "alhambra")
    free = {place.placements[at].layout.segments[i].kind: (at, i) for (at, i), *_ in game.free_features(place)}
    game.play(Move("red", place, (Stand(*free["city"]), Stand(*free["road"]))))
    assert sorted(meeple.pose for meeple in game.board().meeples) == ["standing", "standing", "upside_down"]
    assert game.hands["red"]["meeple"] == 6 + 2 - 3


def test_two_meeples_of_a_wonder_stand_on_different_features_be_it_in_one_square() -> None:
    game = game_of()
    give(game, "red", "alhambra")
    place = _first_place(game, "alhambra")
    one = next(members for members in game.free_features(place) if len(members) > 1)
    with pytest.raises(PlayError, match="feature_occupied"):
        game.play(Move("red", place, (Stand(*one[0]), Stand(*one[1]))))
    by_square: dict[object, list[tuple[tuple[int, int], int]]] = {}
    for members in game.free_features(place):
        by_square.setdefault(members[0][0], []).append(members[0])
    pair = next(members for members in by_square.values() if len(members) > 1)
    game.play(Move("red", place, (Stand(*pair[0]), Stand(*pair[1]))))
    assert len({meeple.square for meeple in game.board().meeples if meeple.pose != "upside_down"}) == 1


def test_three_meeples_on_a_wonder_tile_or_one_on_the_wonder_itself_are_refused() -> None:
    game = game_of()
    give(game, "red", "alhambra")
    place = _first_place(game, "alhambra")
    stands = tuple(Stand(*members[0]) for members in game.free_features(place)[:3])
    with pytest.raises(PlayError, match="too_many_meeples"):
        game.play(Move("red", place, stands))
    at, segment = next(
        (at, index)
        for at, placement in place.placements.items()
        for index, part in enumerate(placement.layout.segments)
        if part.kind == "wonder"
    )
    with pytest.raises(PlayError, match="wrong_place"):
        game.play(Move("red", place, (Stand(at, segment),)))


# 3. Scoring a wonder: Notre-Dame


def with_wonder(
    wonder: str, *before: str, rules: str = "C3", start: str = "D1", players: tuple[str, ...] = TWO
) -> Game:
    """Return a game in which red laid a wonder after some turns, in effect from red's next turn on."""
    game = game_of(players, start=start)
    for words in before:
        play(game, words)
    give(game, "red", wonder)
    lay_wonder(game, wonder)
    return game


def test_example_notre_dame_a_meeple_beside_a_monastery_scores_3_points() -> None:
    game = with_wonder("notre-dame", "B0@0,-1", "U1@-1,0")
    play(game, "U1@-2,0")
    assert bonuses(play(game, "E0@-1,-1 cN")) == [("red", 3, "wonder.notre-dame")]
    assert game.scores["red"] == 3


def test_notre_dame_pays_3_for_any_number_of_adjacent_monasteries() -> None:
    game = with_wonder("notre-dame", "B0@0,-1 M", "B0@-1,-1")
    play(game, "E0@-1,-2")
    assert bonuses(play(game, "B0@0,-2 M")) == [("red", 3, "wonder.notre-dame")]


def test_notre_dame_pays_nobody_else_and_nothing_far_from_a_monastery() -> None:
    game = with_wonder("notre-dame", "B0@0,-1", "U1@-1,0")
    assert bonuses(play(game, "E0@-1,-1 cN")) == []
    assert bonuses(play(game, "U1@-2,0 rN")) == []


@pytest.mark.parametrize(("rules", "points"), [("C3", 0), ("C3-2023", 0), ("C3-original", 6)])
def test_notre_dame_has_no_effect_in_the_turn_it_is_laid(rules: str, points: int) -> None:
    """The tile has a monastery itself: two meeples beside it bring 3 points each by the first print alone."""
    game = game_of(rules=rules)
    give(game, "red", "notre-dame")
    place = _first_place(game, "notre-dame")
    beside = [[m for m in free if _beside_its_monastery(place, m[0])] for free in game.free_features(place)]
    game.play(Move("red", place, tuple(Stand(*members[0]) for members in beside if members)[:2]))
    assert game.scores["red"] == points


def _beside_its_monastery(place: PlacedWonder, square: tuple[int, int]) -> bool:
    kinds = {at: {part.kind for part in placement.layout.segments} for at, placement in place.placements.items()}
    (row, col) = next(at for at, segments in kinds.items() if "monastery" in segments)
    return max(abs(square[0] - row), abs(square[1] - col)) == 1


@pytest.mark.parametrize(("rules", "points"), [("C3", 0), ("C3-original", 3)])
def test_stonehenge_has_no_effect_in_the_turn_it_is_laid(rules: str, points: int) -> None:
    """A footnote on the sentence removed by the first revision; the wonder completes another's road as it is laid."""
    game = game_of(start="A3", rules=rules)
    play(game, "U0@0,1 rE")
    give(game, "blue", "stonehenge")
    moves = [Move("blue", place) for place in list_wonder_places(game, load_wonder_catalogue()["WH/stonehenge"])]
    turn = game.play(next(move for move in moves if any(entry.player == "red" for entry in game.worth(move))))
    assert sum(entry.points for entry in turn.entries if entry.player == "blue") == points


# 3. Scoring a wonder: Stonehenge


def test_stonehenge_example_pays_3_for_another_players_road() -> None:
    """A road of four tiles with yellow pieces only."""
    game = with_wonder("stonehenge", start="A3", players=("red", "yellow"))
    play(game, "U0@0,1 rE", "U0@0,2", "B0@-1,0")
    turn = play(game, "A1@0,3")
    assert [(e.player, e.points, e.rule) for e in turn.entries] == [
        ("red", 3, "wonder.stonehenge"),
        ("yellow", 4, "road.finished"),
    ]


def test_stonehenge_pays_for_a_road_occupied_in_the_turn_that_completes_it() -> None:
    """The publisher's answer of 3/2024."""
    game = with_wonder("stonehenge", start="A3")
    play(game, "U0@0,1")
    turn = play(game, "A1@0,2 rW")
    assert [(e.points, e.rule) for e in turn.entries] == [(3, "wonder.stonehenge"), (3, "road.finished")]


def test_stonehenge_pays_nothing_for_an_unoccupied_road() -> None:
    game = with_wonder("stonehenge", start="A3")
    play(game, "U0@0,1")
    assert play(game, "A1@0,2").entries == ()


# 3. Scoring a wonder: Tikal


def test_tikal_example_pays_the_owner_8_for_4_meeples_in_cities() -> None:
    """Blue has the most in a city of four tiles; red has a meeple there and three in other cities."""
    game = game_of(start="E1")
    play(game, "F0@0,1 cW", "B0@-1,1", "E0@-1,0 cN", "B0@-1,2")
    give(game, "red", "tikal")
    lay_wonder(game, "tikal")
    play(game, "B0@-1,3", "E0@-2,1 cN", "E3@0,3 big:cW", "E0@-2,2 cN")
    turn = play(game, "G0@0,2")
    assert [(e.player, e.points, e.rule) for e in turn.entries] == [
        ("red", 4 * 2, "wonder.tikal"),
        ("blue", (4 + 1) * 2, "city.finished"),
    ]


def test_tikal_pays_nothing_for_a_two_tile_city_or_one_without_the_owner() -> None:
    game = with_wonder("tikal")
    play(game, "U1@-1,0")
    assert bonuses(play(game, "K3@0,1 cW")) == []
    game = game_of(start="E1")
    play(game, "F0@0,1", "B0@-1,1", "E0@-1,0 cN", "B0@-1,2")
    give(game, "red", "tikal")
    lay_wonder(game, "tikal")
    play(game, "B0@-1,3", "E0@-2,1 cN")
    assert bonuses(play(game, "E3@0,2 cW")) == []


# 3. Scoring a wonder: Abu Simbel


def abu_simbel() -> Game:
    game = with_wonder("abu-simbel")
    play(game, "U1@-1,0")
    return game


def test_example_abu_simbel_two_tiles_are_drawn_one_is_laid_and_one_kept() -> None:
    game = abu_simbel()
    left = len(game.supply.stack)
    assert refused(game, "B0@0,-1") == "must_keep_a_tile"
    play(game, "B0@0,-1 keeps:A")
    assert (len(game.supply.stack), game.supply.kept_tile) == (left - 2, "BA/LR")
    assert refused(game, "B0@-1,-1 keeps:A") == "nothing_to_keep"
    play(game, "B0@-1,-1")
    assert refused(game, "B0@-2,-1 keeps:E") == "kept_tile_lost"
    play(game, "B0@-2,-1 keeps:A")
    assert (len(game.supply.stack), game.supply.kept_tile) == (left - 4, "BA/LR")


def near_the_end(game: Game, **left: int) -> None:
    stack = Stack(({parse_tile_name(letter).tile: number for letter, number in left.items()},)) if left else Stack(())
    game.supply = replace(game.supply, stack=stack)


def test_the_owner_of_abu_simbel_lays_the_kept_tile_after_the_last_draw() -> None:
    game = abu_simbel()
    near_the_end(game, B=3)
    play(game, "B0@0,-1 keeps:B", "B0@-1,-1")
    assert not game.is_over
    assert refused(game, "E0@-1,0") == "not_in_stack"
    play(game, "B0@-2,-1")
    assert game.is_over
    assert refused(game, "B0@-3,-1") == "game_over"


def test_abu_simbel_an_unchosen_tile_that_is_the_last_goes_to_the_next_player() -> None:
    game = abu_simbel()
    near_the_end(game, B=2)
    play(game, "B0@0,-1 keeps:B")
    assert not game.is_over
    assert game.on_turn == "blue"
    play(game, "B0@-1,-1 M")
    assert game.is_over


# The base game's turn


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("K3@0,0", "square_taken"),
        ("K3@0,3", "touches_nothing"),
        ("K0@0,1", "edge_mismatch"),
        ("K3@0,1 cW rS", "too_many_meeples"),
        ("(TB/RRrr)0@0,1", "not_in_stack"),
        ("-K K3@0,1", "tile_fits"),
        ("K3@0,1 keeps:E", "nothing_to_keep"),
        ("+E0@5,5 K3@0,1", "no_extra_tile"),
        ("K3@0,1 abbot:cW", "wrong_place"),
        ("K3@0,1 builder:cW", "no_piece_left"),
        ("K3@0,1 pig:cW", "wrong_place"),
        ("K3@0,1 recalls:abbot", "no_abbot_out"),
    ],
)
def test_a_move_against_the_rules_names_its_rule_and_changes_nothing(words: str, code: str) -> None:
    assert refused(game_of(), words) == code


def test_a_turn_out_of_order_an_occupied_feature_and_an_empty_hand_are_refused() -> None:
    game = game_of()
    assert refused_move(game, Move("blue", PlacedTile(*_tile("K3@0,1")))) == "not_your_turn"
    assert refused_move(game, Move("red", PlacedTile(*_tile("K3@0,1")), (Stand((0, 0), 0),))) == "not_on_the_tile"
    assert refused_move(game, Move("red", PlacedTile(*_tile("K3@0,1")), (Stand((0, 1), 9),))) == "no_such_segment"
    play(game, "V1@1,0 rW")
    assert refused(game, "U1@-1,0 rS") == "feature_occupied"
    play(game, "U1@-1,0")
    game.hands["red"]["meeple"] = 0
    assert refused(game, "B0@0,-1 M") == "no_piece_left"


def _tile(word: str) -> tuple[Placement, tuple[int, int]]:
    tile = move(game_of(), word).tile
    assert isinstance(tile, PlacedTile)
    return tile.placement, tile.square


def refused_move(game: Game, illegal: Move) -> str:
    with pytest.raises(ScoringError) as caught:
        game.play(illegal)
    return caught.value.code


def test_a_taking_names_a_player_and_a_wonder() -> None:
    assert move(game_of(), "K3@0,1 takes:red:notre-dame").takes == (Taking("red", "WH/notre-dame"),)
