"""The score track in the report: typed by a person, or read from a score board, and never guessed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from api.carcassonne.explain.accounts import build_explanation
from api.carcassonne.explain.source import Source
from api.carcassonne.report.builder import build_board_report
from api.carcassonne.report.score_track import add_track_points
from api.documents.forms import OPEN_CODES
from api.documents.report import Report, Track, TrackPiece, TrackToken
from api.documents.table_options import Question
from api.errors import TrackError
from api.inputs.table_words import parse_track_points
from scoring.carcassonne.board.board import Board, PlacedWonder
from scoring.carcassonne.board.notation import parse_notation
from scoring.carcassonne.wonders.catalogue import load_wonder_catalogue
from scoring.player_colours import COLOURS
from tests.api.commands import error_of, run
from tests.scoring.laid import marked, together

NOTATION = "D0V0/-U1 red^1,1=rN blue^0,0=cN"
FINAL = {"blue": 1, "red": 3}

typed_tracks = st.dictionaries(st.sampled_from(COLOURS), st.integers(0, 999))


def report() -> Report:
    return build_board_report(parse_notation(NOTATION))


def piece(colour: str, *spaces: int, pose: str = "standing", doubtful: bool = False) -> TrackPiece:
    return TrackPiece(
        colour=colour,
        pose=pose,
        spaces=list(spaces),
        foot_px=(0.0, 0.0),
        confidence=0.9,
        doubtful=doubtful or len(spaces) > 1,
    )


def seen(*pieces: TrackPiece, unknown_tile: bool = False) -> Report:
    """Return a report of a board of three tiles, none of them complete, and of a score board with these pieces.

    An unknown tile may have brought any points.
    """
    notation = "D0V0??/-U1- red^1,1=rN blue^0,0=cN" if unknown_tile else NOTATION
    return with_pieces(parse_notation(notation), *pieces)


def token(points: int, colour: str | None, doubtful: bool = False) -> TrackToken:
    corners = [(0.0, 0.0)] * 4
    return TrackToken(
        points=points, colour=colour, corners_px=corners, taught="mine", confidence=0.9, doubtful=doubtful
    )


def with_pieces(board: Board, *pieces: TrackPiece) -> Report:
    """Return a board's report, with a score board with these pieces."""
    result = build_board_report(board)
    result.track = Track(corners_px=[(0.0, 0.0)] * 4, pieces=list(pieces))
    return result


def codes(report: Report) -> list[str]:
    return [problem.code for problem in report.board.problems if problem.code.startswith("track")]


@given(typed_tracks)
def test_typed_points_read_back_and_count_in_the_totals(typed: dict[str, int]) -> None:
    assert parse_track_points(f"{colour}={points}" for colour, points in typed.items()) == typed
    scores = add_track_points(report(), typed).scores
    assert {colour: points for colour, points in scores.on_track.items() if points is not None} == typed
    for player, total in scores.total.items():
        assert total == (FINAL.get(player, 0) + typed[player] if player in typed else None)
    assert set(scores.total) == set(scores.final_scoring) == FINAL.keys() | typed.keys()


@given(typed_tracks, st.integers(0, 49), st.integers(0, 49))
def test_typed_points_are_never_overwritten(typed: dict[str, int], blue: int, red: int) -> None:
    result = add_track_points(seen(piece("blue", blue), piece("red", red), unknown_tile=True), typed)
    assert {colour: result.scores.on_track[colour] for colour in typed} == typed
    assert result.scores.on_track["blue"] == typed.get("blue", blue)
    assert len(codes(result)) == len({"blue", "red"} - typed.keys())


@pytest.mark.parametrize(
    ("given", "code"),
    [
        (["blue"], "bad_track"),
        (["blue=ten"], "bad_track"),
        (["=3"], "bad_track"),
        (["blue=1.5"], "bad_track"),
        (["blue=-3"], "negative_track"),
        (["blue=3", "Blue=4"], "track_twice"),
        (["ultramarine=4"], "colour_unknown"),
    ],
)
def test_invalid_input_is_refused_with_a_code(given: list[str], code: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(TrackError, match=code):
        add_track_points(report(), parse_track_points(given))
    options = [word for value in given for word in ("--track", value)]
    status, _, errors = run(capsys, "board", "score", NOTATION, *options)
    assert (status, error_of(errors)["code"]) == (2, code)


def test_the_command_writes_and_prints_track_and_total(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "report.json"
    arguments = ["--track", "blue=90", "--track", "red=28", "--json", str(file)]
    status, out, _ = run(capsys, "board", "score", NOTATION, *arguments)
    scores = json.loads(file.read_text())["scores"]
    assert status == 0
    assert scores["on_track"] == {"blue": 90, "red": 28}
    assert scores["total"] == {"blue": 91, "red": 31}
    rows = [line.split() for line in out.splitlines()]
    assert ["blue", "90", "score", "track"] in rows
    assert ["blue", "91", "total"] in rows
    assert ["red", "31", "total"] in rows


def test_points_can_be_typed_for_a_player_without_pieces() -> None:
    result = add_track_points(report(), {"green": 12})
    assert result.scores.final_scoring == {**FINAL, "green": 0}
    assert result.scores.total == {"blue": None, "green": 12, "red": None}
    assert result.rules.players == ["blue", "green", "red"]


def test_a_piece_on_an_unreachable_space_is_refused() -> None:
    result = add_track_points(seen(piece("blue", 0), piece("red", 37)), {})
    assert result.scores.on_track == {"blue": 0, "red": None}
    assert codes(result) == ["track_too_many"]
    assert not result.doubtful


def test_a_possible_further_lap_is_reported() -> None:
    result = add_track_points(seen(piece("blue", 40), piece("red", 7, pose="lying"), unknown_tile=True), {})
    assert result.scores.on_track == {"blue": 40, "red": 57}
    assert codes(result) == ["track_laps_unknown", "track_laps_unknown"]
    assert "90" in result.board.problems[-2].text
    assert result.doubtful


@pytest.mark.parametrize(
    ("owners", "pieces", "on_track"),
    [
        pytest.param(["blue"], [piece("blue", 3)], {"blue": 53}, id="3 is less than one takes"),
        pytest.param(["blue"], [piece("blue", 10)], {"blue": 10}, id="10 is enough for one"),
        pytest.param(["red", "red"], [piece("red", 20)], {"red": 70}, id="20 is less than two take"),
        pytest.param(
            ["red", "blue"], [piece("red", 20), piece("blue", 4)], {"red": 20, "blue": 54}, id="one of each player"
        ),
    ],
)
def test_the_owner_of_a_wonder_has_at_least_the_points_it_required(
    owners: list[str], pieces: list[TrackPiece], on_track: dict[str, int]
) -> None:
    wonders = (load_wonder_catalogue()[f"WH/{name}"] for name in ("alhambra", "tikal"))
    placements = (PlacedWonder(wonder, (0, 9 * i)) for i, wonder in enumerate(wonders))
    board = together(marked(wonder, owner) for wonder, owner in zip(placements, owners, strict=False))
    assert add_track_points(with_pieces(board, *pieces), {}).scores.on_track == on_track


@pytest.mark.parametrize(
    ("pieces", "code", "told"),
    [
        ([], "track_piece_missing", ""),
        ([piece("red", 7), piece("red", 9)], "track_not_sure", "7 or 9"),
        ([piece("red", 7, 8)], "track_not_sure", "7 or 8"),
        ([piece("red", 7, doubtful=True)], "track_not_sure", "7"),
    ],
)
def test_uncertain_points_stay_open_and_list_the_likely_values(pieces: list[TrackPiece], code: str, told: str) -> None:
    read = add_track_points(seen(piece("blue", 3), *pieces, unknown_tile=True), {})
    problem = next(problem for problem in read.board.problems if problem.code == code)
    assert read.scores.on_track["red"] is None
    assert read.scores.total["red"] is None
    assert told in problem.text
    assert "--track red=" in problem.text


def test_a_colour_without_pieces_on_the_board_is_no_player() -> None:
    result = add_track_points(seen(piece("white", 0), piece("blue", 0), piece("red", 0)), {})
    assert result.scores.on_track == {"blue": 0, "red": 0}
    assert codes(result) == ["track_stranger"]
    assert add_track_points(seen(piece("white", 0)), {"white": 50}).scores.total["white"] == 50


@pytest.mark.parametrize(
    ("tokens", "points", "problems"),
    [
        ([], 12, ["track_laps_unknown", "track_laps_unknown"]),
        ([token(50, "blue")], 62, ["track_laps_unknown"]),
        ([token(50, "blue"), token(100, "blue")], 162, ["track_laps_unknown"]),
        ([token(50, "red")], 12, ["track_laps_unknown"]),
        ([token(50, "blue", doubtful=True)], 12, ["track_laps_unknown", "track_laps_unknown", "token_not_sure"]),
        ([token(50, None, doubtful=True)], 12, ["track_laps_unknown", "track_laps_unknown", "token_not_sure"]),
        (
            [token(50, "blue"), token(100, "blue", doubtful=True)],
            12,
            ["track_laps_unknown", "track_laps_unknown", "token_not_sure"],
        ),
    ],
)
def test_tokens_settle_the_laps_of_their_sure_owners(
    tokens: list[TrackToken], points: int, problems: list[str]
) -> None:
    result = seen(piece("blue", 12), piece("red", 7), unknown_tile=True)
    assert result.track is not None
    result.track.tokens = tokens
    result = add_track_points(result, {})
    assert result.scores.on_track["blue"] == points
    track_problems = [problem for problem in result.board.problems if problem.code.startswith(("track", "token"))]
    assert [problem.code for problem in track_problems] == problems
    assert result.scores.on_track["red"] == (57 if token(50, "red") in tokens else 7)


def test_an_explanation_does_not_ask_for_typed_points() -> None:
    """The report asks for blue's and red's laps; typed points for blue answer that, and red's stay open."""
    read = add_track_points(seen(piece("blue", 12), piece("red", 20), unknown_tile=True), {})
    source = Source.from_report(read)
    asked = [problem.values["player"] for problem in source.problems if problem.code in OPEN_CODES]
    assert asked == ["blue", "red"]
    typed = source.type_track({"blue": 62})
    assert [one.values["player"] for one in typed.problems if one.code in OPEN_CODES] == ["red"]
    standing = build_explanation(typed, Question())[0].standing
    assert {one.player: (one.on_track, one.total) for one in standing} == {"blue": (62, 63), "red": (20, 23)}
