"""Corrections of a game in progress, from given boards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from api.carcassonne.report.move_words import MoveTeller, translate_moves
from api.carcassonne.report.moves import MoveOptions, build_moves
from api.carcassonne.report.moves_schema import Moves
from api.documents.game_corrections import GAME_CORRECTIONS
from scoring.carcassonne.board.notation import parse_notation
from scoring.carcassonne.final.rulesets import TODAY
from scoring.carcassonne.tiles.geometry import Square
from tests.api.tables_read import grey_photo, reading_of
from vision.reading.values import TileAlternative, TileReading, TrackPiece, TrackReading
from vision.sequence.followed import Followed, Sights


def play(
    *boards: str,
    corrections: Sequence[dict[str, Any]] = (),
    players: tuple[str, ...] = ("blue", "red"),
    doubted: Mapping[Square, TileReading] = {},
) -> Moves:
    """Return the moves between boards, blue being on turn at the first, as corrected; some tiles are in doubt."""
    positions = tuple(parse_notation(board) for board in boards)
    photos = tuple(replace(grey_photo(), file=f"{n}.jpg", sha256=f"{n}" * 64) for n in range(len(boards)))
    tiles = tuple(doubted.get(tile.square, tile) for tile in reading_of(positions[-1]).tiles)
    sequence = Followed(photos, positions, tiles, (), frozenset())
    options = MoveOptions(TODAY, players, "blue", corrections=tuple(GAME_CORRECTIONS.validate_python(corrections)))
    return build_moves(sequence, options)


def doubt(square: Square, tile: tuple[str, int], confidence: float, *others: tuple[str, int, float]) -> TileReading:
    """Return the reading of a tile that no print resembles, by its edges."""
    alternatives = tuple(TileAlternative(*other) for other in others)
    return TileReading(*square, *tile, np.zeros((4, 2)), confidence, True, alternatives)


def list_refusals(moves: Moves) -> list[tuple[int, str]]:
    return [(refused.correction, refused.code) for refused in moves.refused]


ROADS = ("L0", "L0/X0", "@0,-1 -L0/V3X0")
"""The first move ends a road of two tiles, the second none."""


@pytest.mark.parametrize("photo", ["1.jpg", "1" * 64])
@pytest.mark.parametrize("points", [0, 2])
def test_typed_points_settle_what_was_taken(points: int, photo: str) -> None:
    moves = play(*ROADS, corrections=[{"kind": "points", "photo": photo, "points": {"blue": points}}])
    assert moves.scores[1].likeliest == {"blue": points, "red": 0}
    assert moves.scores[1].points == {"blue": (points, points), "red": (0, 0)}
    assert moves.stretches[0].settled
    assert moves.refused == []
    assert moves.record.split("\n")[5].endswith(f" = {points} 0")


def test_typed_points_against_the_moves_are_counted_and_reported() -> None:
    moves = play(*ROADS, corrections=[{"kind": "points", "photo": "1.jpg", "points": {"blue": 5}}])
    (problem,) = (problem for problem in moves.open if problem.code == "points_differ")
    assert problem.text.startswith("blue is said to have 5 points at 1.jpg, but with 0 at 0.jpg the moves give 0-2; ")
    assert translate_moves(moves, "de").open[-1].text.endswith("bei 0 auf 0.jpg ergeben die Züge aber 0-2.")
    assert translate_moves(moves, "en", {"blue": "ana"}).open[-1].text.startswith("ana is said to have 5 points")
    assert moves.scores[2].likeliest is not None
    assert moves.scores[2].likeliest["blue"] == 5
    assert not moves.settled


def test_typed_points_are_reported_with_those_that_they_contradict() -> None:
    """Blue's one point at the second photo is between two possible numbers; the right ones later differ from it."""
    typed = [{"kind": "points", "photo": f"{n}.jpg", "points": {"blue": points}} for n, points in ((1, 1), (2, 2))]
    texts = [problem.text for problem in play(*ROADS, corrections=typed).open if problem.code == "points_differ"]
    assert ["with 0 at 0.jpg the moves give 0, 2;" in texts[0], "with 1 at 1.jpg the moves give 1;" in texts[1]] == [
        True
    ] * 2


def list_assumed(moves: Moves) -> list[tuple[int, str]]:
    return [(n, move.player) for n, stretch in enumerate(moves.stretches) for move in stretch.moves if move.assumed]


def test_typed_points_withdraw_what_they_refute_and_prove_what_must_have_been() -> None:
    assert list_assumed(play("L0", "L0/X0/X0")) == [(0, "blue"), (0, "red")]
    typed = {"kind": "points", "photo": "1.jpg", "points": {"blue": 2}}
    proven = play("L0", "L0/X0/X0", corrections=[typed])
    assert list_assumed(proven) == [(0, "red")]
    assert [problem.values["player"] for problem in proven.stretches[0].open] == ["red"]
    between = play(*ROADS, corrections=[typed | {"points": {"blue": 1}}])
    assert list_assumed(between) == []
    assert "points_differ" in list_codes(between)


def list_players(moves: Moves) -> list[str]:
    return [move.player for stretch in moves.stretches for move in stretch.moves]


@pytest.mark.parametrize("photo", [None, "0.jpg", "1.jpg"])
def test_a_turn_is_another_players(photo: str | None) -> None:
    """Blue was said to begin; a later turn that is corrected shows that this was wrong."""
    colour = "blue" if photo == "1.jpg" else "red"
    moves = play(*ROADS, corrections=[{"kind": "turn", "photo": photo, "colour": colour}])
    assert list_players(moves) == ["red", "blue"]
    assert moves.scores[1].likeliest == {"blue": 0, "red": 2}
    assert "turn_differs" not in list_codes(moves)


def test_a_turn_that_the_moves_contradict_is_reported_and_played() -> None:
    """Blue's thief shows who laid the first tile, so red's turn was passed, as was said."""
    boards = ("L0", "L0/V2 blue^1,0=rN", "L0/V2V0 blue^1,0=rN")
    assert list_players(play(*boards)) == ["blue", "red"]
    said = {"kind": "turn", "photo": "1.jpg", "colour": "blue"}
    moves = play(*boards, corrections=[said, {"kind": "turn", "photo": "9.jpg", "colour": "blue"}])
    assert list_players(moves) == ["blue", "blue"]
    (problem,) = (problem for problem in moves.open if problem.code == "turn_differs")
    assert problem.text.startswith("Blue is said to be on turn at 1.jpg, but the moves before give red: ")
    german = [problem.text for problem in translate_moves(moves, "de").open if problem.code == "turn_differs"]
    on_server = moves.open[[p.code for p in moves.open].index("turn_differs")].model_copy(deep=True)
    on_server.values["photo"] = "photo 2"
    assert MoveTeller("ro", {}, moves.origin).translate_problem(on_server).text.startswith("La fotografia 2 ar fi")
    assert "nach den Zügen davor ist es aber Rot" in german[0]
    assert not moves.settled
    assert list_refusals(moves) == [(1, "photo_unknown")]


@pytest.mark.parametrize("corrected", [{"kind": "aside"}, {"kind": "points", "points": {"blue": 2}}], ids=str)
def test_a_photo_left_aside_is_known(corrected: dict[str, Any]) -> None:
    moves = play(*ROADS, corrections=[{"kind": "aside", "photo": "1.jpg"}, {**corrected, "photo": "1.jpg"}])
    refusals = [] if corrected["kind"] == "aside" else [(1, "photo_set_aside")]
    assert list_refusals(moves) == refusals


def test_takings_are_denied_and_made() -> None:
    denied = play(*ROADS, corrections=[{"kind": "not_taken", "square": [2, 1]}])
    assert denied.scores[1].likeliest == {"blue": 0, "red": 0}
    made = {"kind": "piece", "square": [2, 1], "colour": "blue", "place": "road:N"}
    moves = play(*ROADS, corrections=[{"kind": "not_taken", "square": [2, 1]}, made])
    assert moves.scores[1].points == {"blue": (2, 2), "red": (0, 0)}
    assert moves.refused == []


def test_a_tile_is_another_none_or_one_that_was_not_read() -> None:
    turned = play(*ROADS, corrections=[{"kind": "tile", "square": [2, 1], "tile": "L", "turns": 1}])
    assert [tile.tile for tile in turned.stretches[0].moves[0].tiles] == ["BA/CRRR"]
    none = play(*ROADS, corrections=[{"kind": "tile", "square": [2, 0], "tile": None}])
    assert none.boards[2] == none.boards[1]
    late = play(*ROADS, corrections=[{"kind": "tile", "square": [2, 1], "tile": "X", "photo": "2.jpg"}])
    assert [len(stretch.moves) for stretch in late.stretches] == [0, 2]
    new = play("L0", "L0", corrections=[{"kind": "tile", "square": [2, 1], "tile": "X"}])
    assert len(new.stretches[0].moves) == 1


def test_a_piece_stands_until_its_road_is_finished_or_does_not_stand() -> None:
    piece = {"kind": "piece", "square": [2, 1], "colour": "blue", "place": "road:E"}
    moves = play("L0", "L0/V2", "L0/V2X0", corrections=[piece])
    assert [piece.on for piece in moves.stretches[0].moves[0].pieces] == ["road:N"]
    assert ["blue" in board for board in moves.boards] == [False, True, False]
    assert moves.scores[2].likeliest == {"blue": 3, "red": 0}
    gone = play("L0", "L0/V2 blue^1,0=rN", corrections=[{"kind": "piece", "square": [2, 1]}])
    assert "blue" not in gone.boards[1]


def test_a_photo_is_left_out_and_squares_keep_their_names() -> None:
    aside = {"kind": "aside", "photo": "0.jpg"}
    denied = {"kind": "not_taken", "square": [3, 1]}
    moves = play("L0", "@0,-1 -L0/V3X0", "@0,-1 -L0/V3X0/-L2", corrections=[denied, aside])
    assert [photo.file for photo in moves.photos] == ["1.jpg", "2.jpg"]
    assert [(photo.file, photo.reason) for photo in moves.set_aside] == [("0.jpg", "left_aside")]
    assert moves.stretches[0].moves[0].tiles[0].where == "row 3, column 1"
    assert moves.refused == []


@pytest.mark.parametrize(
    ("correction", "code"),
    [
        ({"kind": "points", "photo": "9.jpg", "points": {"blue": 3}}, "photo_unknown"),
        ({"kind": "points", "photo": "2.jpg", "points": {"blue": 1}}, "points_fall"),
        ({"kind": "points", "photo": "2.jpg", "points": {"green": 9}}, "no_such_player"),
        ({"kind": "not_taken", "square": [5, 5]}, "square_empty"),
        ({"kind": "not_taken", "square": [1, 1]}, "nothing_assumed"),
        ({"kind": "tile", "square": [2, 1], "tile": "Ω"}, "tile_unknown_name"),
        ({"kind": "tile", "square": [7, 7], "tile": None}, "square_empty"),
        ({"kind": "tile", "square": [9999, 9999], "tile": "X"}, "touches_nothing"),
        ({"kind": "tile", "square": [2, 2], "tile": "X", "photo": "0.jpg"}, "touches_nothing"),
        ({"kind": "piece", "square": [2, 1], "colour": "blue", "place": "city:N"}, "place_unknown"),
        ({"kind": "piece", "square": [2, 1], "colour": "red", "place": "road:N"}, "taking_impossible"),
        ({"kind": "wonder_owner", "wonder": "babel", "colour": "blue"}, "tile_unknown_name"),
        ({"kind": "aside", "photo": "9.jpg"}, "photo_unknown"),
    ],
    ids=str,
)
def test_a_correction_that_cannot_be_applied_is_refused(correction: dict[str, Any], code: str) -> None:
    """The others still are."""
    typed = {"kind": "points", "photo": "1.jpg", "points": {"blue": 2}}
    moves = play(*ROADS, corrections=[typed, correction])
    assert list_refusals(moves) == [(1, code)]
    assert moves.scores[1].likeliest == {"blue": 2, "red": 0}


def show_track(**spaces: int) -> TrackReading:
    """Return a score board with one piece of each player."""
    pieces = (TrackPiece(colour, "standing", (space,), (0.0, 0.0), 1.0, False) for colour, space in spaces.items())
    return TrackReading(np.zeros((4, 2)), 1.0, tuple(pieces))


@pytest.mark.parametrize("blue", [0, 2])
def test_the_score_track_in_a_photo_settles_the_moves(blue: int) -> None:
    positions = tuple(map(parse_notation, ROADS))
    photos = tuple(replace(grey_photo(), file=f"{n}.jpg") for n in range(3))
    tracks = (None, None, show_track(blue=blue, red=0))
    tiles = reading_of(positions[-1]).tiles
    sequence = Followed(photos, positions, tiles, (), frozenset(), tracks=tracks)
    options = MoveOptions(TODAY, ("blue", "red"), "blue")
    moves = build_moves(sequence, options)
    assert moves.scores[2].points == {"blue": (blue, blue), "red": (0, 0)}
    assert moves.settled
    odd = replace(sequence, tracks=(None, show_track(blue=1, red=0), None))
    assert "track_differs" in [problem.code for problem in build_moves(odd, options).open]
    typed = {"kind": "points", "photo": "2.jpg", "points": {"blue": 2 - blue}}
    corrected = replace(options, corrections=tuple(GAME_CORRECTIONS.validate_python([typed])))
    assert build_moves(sequence, corrected).scores[2].likeliest == {"blue": 2 - blue, "red": 0}


def test_the_score_track_in_the_first_photo_gives_the_points_then() -> None:
    positions = tuple(map(parse_notation, ("L0/X0", "@0,-1 -L0/V3X0")))
    photos = tuple(replace(grey_photo(), file=f"{n}.jpg") for n in range(2))
    tracks = (show_track(blue=2, red=0), None)
    sequence = Followed(photos, positions, reading_of(positions[-1]).tiles, (), frozenset(), tracks=tracks)
    moves = build_moves(sequence, MoveOptions(TODAY, ("blue", "red"), "blue"))
    assert moves.scores[0].likeliest == {"blue": 2, "red": 0}


def list_codes(moves: Moves) -> list[str]:
    return [problem.code for problem in (*moves.open, *(p for stretch in moves.stretches for p in stretch.open))]


def test_an_unknown_tile_is_the_one_that_its_neighbours_pieces_explain() -> None:
    """A straight road is likelier, but blue's thief went home: the tile ends the road. The game goes on."""
    unknown = doubt((1, 0), ("BA/RFr", 1), 0.5, ("BA/RRRR", 0, 0.4))
    boards = ("L0 blue^0,0=rS", "L0/U1", "@0,-1 -L0/V3U1")
    assert "piece_gone_early" in list_codes(play(*boards))
    moves = play(*boards, doubted={(1, 0): unknown})
    assert [stretch.possible for stretch in moves.stretches] == [[{"blue": 2, "red": 0}], [{"blue": 0, "red": 0}]]
    assert not any(stretch.settled for stretch in moves.stretches)
    (problem,) = (problem for problem in moves.open if problem.code == "doubtful_tile")
    assert problem.where == ["row 2, column 1"]
    assert "taken for roads from north, east, south, and west (40%)" in problem.text
    stated = {"kind": "tile", "square": [2, 1], "tile": "BA/RRRR", "turns": 0}
    corrected = play(*boards, corrections=[stated], doubted={(1, 0): unknown})
    assert "doubtful_tile" not in list_codes(corrected)
    assert corrected.scores[-1].likeliest == moves.scores[-1].likeliest


def follow_read(*boards: str, tracks: tuple[TrackReading | None, ...] = ()) -> Followed:
    """Return the game that photos show in which these boards were read."""
    read = [parse_notation(board) for board in boards]
    photos = tuple(replace(grey_photo(), file=f"{n}.jpg") for n in range(len(read)))
    tiled = tuple(frozenset(board.tiles) for board in read)
    sights = Sights(tuple(map(reading_of, read)), tiled, frozenset({"blue", "red"}))
    sequence = Followed(photos, (), reading_of(read[-1]).tiles, (), frozenset(), sights=sights, tracks=tracks)
    return sights.trace(sequence)


def test_a_stated_tile_shows_which_pieces_stood() -> None:
    """By the road as read blue's thief would still stand, and was misread; by the tile as stated it went home."""
    sequence = follow_read("L0 blue^0,0=rS", "L0/U1", "@0,-1 -L0/V3U1")
    stated = GAME_CORRECTIONS.validate_python([{"kind": "tile", "square": [2, 1], "tile": "BA/RRRR", "turns": 0}])
    moves = build_moves(sequence, MoveOptions(TODAY, ("blue", "red"), "blue", corrections=tuple(stated)))
    assert [stretch.possible for stretch in moves.stretches] == [[{"blue": 2, "red": 0}], [{"blue": 0, "red": 0}]]


def test_an_unknown_tile_that_was_read_against_its_neighbour_fits_it() -> None:
    """It was taken for a field, but the road that it faces leads onto it; red goes on in the next turn."""
    misread = doubt((1, 0), ("BA/C", 2), 0.9)
    boards = ("L0", "L0/E2", "L0/E2/W0 red_2,0=fNL")
    assert "no_way" in list_codes(play(*boards))
    moves = play(*boards, doubted={(1, 0): misread})
    assert "no_way" not in list_codes(moves)
    assert [len(stretch.moves) for stretch in moves.stretches] == [1, 1]
    assert [problem.where for problem in moves.open if problem.code == "doubtful_tile"] == [["row 2, column 1"]]


def test_points_span_what_an_unknown_tile_may_bring() -> None:
    """The city's middle may have a coat of arms."""
    unknown = doubt((1, 0), ("BA/CFc.1", 1), 0.7, ("BA/CFc+", 1, 0.2))
    begun, going = "E2 blue^0,0=cS", "E2/G1 blue^0,0=cS"
    over = play(begun, going, "E2/G1/E0", doubted={(1, 0): unknown})
    assert [score.points for score in over.scores[1:]] == [
        {"blue": (0, 0), "red": (0, 0)},
        {"blue": (6, 8), "red": (0, 0)},
    ]
    assert over.scores[2].likeliest == {"blue": 6, "red": 0}
    assert not over.stretches[1].settled
    unfinished = play(begun, going, doubted={(1, 0): unknown})
    assert unfinished.totals is not None
    assert unfinished.totals.ranges == {"blue": (2, 3), "red": (0, 0)}


def test_a_thing_that_no_turn_explains_is_no_tile() -> None:
    """Something west of the board was taken for a tile; red's piece shows whose turn it was. It is asked about."""
    heap = doubt((0, -1), ("BA/RRRR", 0), 0.4)
    moves = play("L0", "@0,-1 X0L0/-X0", "@0,-1 X0L0/-X0/-U1 red_2,0=fER", doubted={(0, -1): heap})
    assert "no_way" not in list_codes(moves)
    assert [[move.player for move in stretch.moves] for stretch in moves.stretches] == [["blue"], ["red"]]
    (problem,) = (problem for problem in moves.open if problem.code == "doubtful_tile")
    assert problem.where == ["row 1, column 0"]
    assert "none is counted" in problem.text


def list_piece_doubts(moves: Moves) -> list[str]:
    return [problem.text for problem in moves.open if problem.code == "doubtful_piece"]


def test_a_piece_in_the_colour_of_another_player_than_the_one_on_turn_is_doubted() -> None:
    options = MoveOptions(TODAY, ("blue", "red"), "blue")
    moves = build_moves(follow_read("L0", "L0/X0 red_1,0=fNL", "@0,-1 -L0/V3X0 red_1,0=fNL"), options)
    assert "no_way" not in list_codes(moves)
    assert [move.player for stretch in moves.stretches for move in stretch.moves] == ["blue", "red"]
    assert not moves.stretches[0].settled
    assert list_piece_doubts(moves) == [
        "Row 2, column 1: The photos show meeple (red): field, north, but the moves fit meeple (blue): field, north, "
        "which is counted."
    ]
    stated = GAME_CORRECTIONS.validate_python(
        [{"kind": "piece", "square": [2, 1], "colour": "red", "place": "field:NL", "piece": "meeple"}]
    )
    assert "no_way" in list_codes(build_moves(follow_read("L0", "L0/X0"), replace(options, corrections=tuple(stated))))


def test_a_piece_that_the_score_track_contradicts_is_doubted() -> None:
    """It was read as a farmer, but the track shows the two points of the road beside it."""
    sequence = follow_read("L0", "L0/X0 blue_1,0=fNL", tracks=(None, show_track(blue=2, red=0)))
    moves = build_moves(sequence, MoveOptions(TODAY, ("blue", "red"), "blue"))
    assert moves.scores[1].points == {"blue": (2, 2), "red": (0, 0)}
    assert not moves.stretches[0].settled
    assert len(list_piece_doubts(moves)) == 1
