"""Moves between photos: rendered ones of a small game with the real nets, then documents of given readings."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from threading import Timer
from typing import Any

import cv2
import numpy as np
import pytest

from api.carcassonne.report.move_words import translate_moves
from api.carcassonne.report.moves import MoveOptions, build_moves
from api.carcassonne.report.moves_schema import Moves
from api.cli.game_in_photos import sort_photos
from api.documents.game_corrections import DenyTaking, GiveWonder
from datasets.art.procedural import draw_tile_set
from datasets.art.style import STYLES
from datasets.render.shots import Manner, shoot
from scoring.carcassonne.board.board import Board
from scoring.carcassonne.board.box_rules import UNSAID, BoxRules
from scoring.carcassonne.board.notation import parse_notation
from scoring.carcassonne.final.rulesets import TODAY
from scoring.carcassonne.play.game import Game, Setup, Turn
from scoring.carcassonne.record.text import parse_record
from tests.api.carcassonne.report.timeless import from_zero
from tests.api.commands import EXAMPLE, error_of, run
from tests.api.tables_read import grey_photo, reading_of
from tests.scoring.games import SETUPS, random_game
from tests.scoring.history import History, record_history
from vision.errors import WondertallyError
from vision.photo.decoding import Photo
from vision.reading.values import TileAlternative
from vision.sequence.followed import Followed
from vision.sequence.piece_history import PieceDoubt, Stay

PLAYERS = ("red", "blue")
AT = (9, 10, 12)
"""The moves after which a photo was taken."""


@cache
def played() -> tuple[tuple[Board, ...], tuple[dict[str, int], ...]]:
    """Return the boards of a game, as a label has them, and the points at each."""
    boards: list[Board] = []
    points: list[dict[str, int]] = []

    def watch(game: Game, turn: Turn) -> None:
        boards.append(from_zero(game.board()))
        points.append(dict(game.scores))

    random_game(Setup(PLAYERS), 3, watch)
    return tuple(boards), tuple(points)


@pytest.fixture(scope="module")
def photos(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Return three photos of the game, each from elsewhere."""
    folder = tmp_path_factory.mktemp("game")
    art, rng, paths = draw_tile_set(STYLES["meadow"], 1, 120), np.random.default_rng(2), []
    for number in AT:
        manner = Manner((1000, 750), elevation=(60, 85), free=(0.3, 0.4), strength=0.3)
        paths.append(str(folder / f"{number}.jpg"))
        cv2.imwrite(paths[-1], shoot(played()[0][number], art, "wood", manner, rng).image)
    return paths


def test_photos_of_a_game_give_its_moves(photos: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    document_at, record_at = tmp_path / "moves.json", tmp_path / "game.txt"
    files = ("--json", str(document_at), "--record", str(record_at), "--players", "red,blue")
    status, out, _ = run(capsys, "moves", *photos, str(EXAMPLE), *files)
    assert status == 0
    document = json.loads(document_at.read_text(encoding="utf-8"))
    boards, points = played()
    assert [photo["file"] for photo in document["photos"]] == ["9.jpg", "10.jpg", "12.jpg"]
    assert document["set_aside"] == [{"file": "table.jpg", "reason": "photos_do_not_join"}]
    for notation, at in zip(document["boards"], AT, strict=True):
        read = parse_notation(notation)
        assert sorted(p.tile for _, p in read.known) == sorted(p.tile for _, p in boards[at].known)
        assert sorted(m.colour for m in read.meeples) == sorted(m.colour for m in boards[at].meeples)
    assert [len(stretch["moves"]) for stretch in document["stretches"]] == [1, 2]
    assert all(true_gains(points, n) in stretch["possible"] for n, stretch in enumerate(document["stretches"]))
    assert "points at 12.jpg: " in out
    record = parse_record(record_at.read_text(encoding="utf-8"))
    record.replay()
    if all(len(stretch["possible"]) == 1 for stretch in document["stretches"]):
        assert len(record.moves) == 3
    assert "doubtful_time" not in [problem["code"] for problem in document["open"]]


def true_gains(points: tuple[dict[str, int], ...], stretch: int) -> dict[str, int]:
    before, after = points[AT[stretch]], points[AT[stretch + 1]]
    return {player: after[player] - before[player] for player in sorted(PLAYERS)}


def test_a_series_survives_odd_photos(photos: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """One photo is out of order, one is doubled, one shows no board, and one half of it."""
    plain, half, document_at = tmp_path / "plain.jpg", tmp_path / "half.jpg", tmp_path / "moves.json"
    picture = Photo.from_path(photos[2]).pixels
    cv2.imwrite(str(plain), np.full_like(picture, 90))
    cv2.imwrite(str(half), np.concatenate([picture[:, :500], np.full_like(picture[:, 500:], 90)], axis=1))
    given = [photos[0], photos[2], str(half), photos[1], str(plain), photos[2]]
    status, out, err = run(capsys, "moves", *given, "--players", "red,blue", "--json", str(document_at))
    document = json.loads(document_at.read_text(encoding="utf-8"))
    assert (status, err) == (0, "")
    assert [photo["file"] for photo in document["photos"]] == ["9.jpg", "10.jpg", "12.jpg"]
    assert [len(stretch["moves"]) for stretch in document["stretches"]] == [1, 2]
    reasons = {photo["file"]: photo["reason"] for photo in document["set_aside"]}
    assert reasons == {"half.jpg": "photos_out_of_order", "plain.jpg": "board_not_found", "12.jpg": "same_photo"}
    assert "12.jpg was taken after 10.jpg, so it is put there" in out


def test_photos_of_two_tables_are_reported(photos: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    status, _, err = run(capsys, "moves", photos[0], str(EXAMPLE), "--players", "red,blue")
    assert (status, error_of(err)["code"]) == (1, "photos_do_not_join")


def test_a_game_is_watched_as_its_photos_come(
    photos: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    stated = ("--players", "red,blue", "--points", "0,0", "--points-at", "12.jpg:red=77")
    document_at, options = tmp_path / "moves.json", (*stated, "--idle", "1.2")
    status, out, _ = run(capsys, "watch", str(Path(photos[0]).parent), *options, "--json", str(document_at))
    assert status == 0
    assert out.startswith("9.jpg: ")  # alone, it tells no moves
    assert out.count("9.jpg to 10.jpg") == out.count("10.jpg to 12.jpg") == 1
    document = json.loads(document_at.read_text(encoding="utf-8"))
    assert [photo["file"] for photo in document["photos"]] == ["9.jpg", "10.jpg", "12.jpg"]
    scores = document["scores"][-1]["likeliest"]
    assert f"points at 12.jpg: blue {scores['blue']}, red 77" in out
    assert out.count("red is said to have 77 points at 12.jpg") == 1


def test_a_photo_still_being_written_is_read_once_it_is_whole(
    photos: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Pipes and folders among the photos are passed over, and a folder out of reach is waited for."""
    folder, (first, late) = tmp_path / "camera", (Path(photo) for photo in photos[:2])
    (folder / "sub.jpg").mkdir(parents=True)
    os.mkfifo(folder / "pipe.jpg")
    (folder / late.name).write_bytes(late.read_bytes()[:20_000])

    def finish() -> None:
        folder.rename(tmp_path / "away")
        time.sleep(0.7)
        (tmp_path / "away").rename(folder)
        for photo in (first, late):
            (folder / photo.name).write_bytes(photo.read_bytes())

    timer = Timer(1.5, finish)
    timer.start()
    status, out, err = run(capsys, "watch", str(folder), "--players", "red,blue", "--idle", "3")
    timer.join()
    assert (status, err) == (0, "")
    assert "set aside: 10.jpg: The end of the picture is missing: it was not sent completely." in out
    assert "9.jpg to 10.jpg" in out


@pytest.mark.parametrize("wrong", [["game.jpg"], [".", "--idle", "-1"]], ids=str)
def test_a_file_is_not_watched_nor_for_less_than_no_time(
    wrong: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("game.jpg").touch()
    status, _, err = run(capsys, "watch", *wrong)
    assert (status, error_of(err)["code"]) == (2, "bad_usage")


def test_broken_photos_of_one_name_are_all_set_aside(
    photos: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    broken = [tmp_path / folder / "image.jpg" for folder in "ab"]
    for number, file in enumerate(broken):
        file.parent.mkdir()
        file.write_bytes(b"no picture" * (1 + number))
    status, out, _ = run(capsys, "moves", *photos[:2], *map(str, broken), "--players", "red,blue")
    assert (status, out.count("set aside: image.jpg")) == (0, 2)


def test_a_single_photo_is_refused(photos: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    status, _, err = run(capsys, "moves", photos[0], photos[0], "--players", "red,blue")
    assert (status, error_of(err)["code"]) == (2, "too_few_photos")


@pytest.mark.parametrize(
    "options",
    [
        ("--players", "red"),
        ("--players", "red,red"),
        ("--players", "red,"),
        ("--players", "red,blue", "--on-turn", ""),
        ("--players", "red,blue", "--points", "3"),
        ("--players", "red,blue", "--points", "3,x"),
        ("--points", "3,4"),
        ("--players", "red,blue", "--on-turn", "green"),
    ],
    ids=" ".join,
)
def test_invalid_players_are_refused(options: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    status, _, err = run(capsys, "moves", "a.jpg", "b.jpg", *options)
    assert (status, error_of(err)["code"]) == (2, "bad_players")


@pytest.mark.parametrize("command", ["moves", "watch"])
def test_players_are_needed_before_photos_are_read(
    command: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    status, _, err = run(capsys, command, str(tmp_path))
    assert (status, error_of(err)["code"]) == (2, "players_needed")


def test_copies_are_read_by_their_numbers_and_others_by_their_time() -> None:
    written = {"b9.jpg": 50.3, "b10.jpg": 50.1, "b11.jpg": 50.2, "c1.jpg": 12.0, "a1.jpg": 99.0}
    sorted_files = sort_photos({Path(name): seconds for name, seconds in written.items()})
    assert [file.name for file in sorted_files] == ["c1.jpg", "b9.jpg", "b10.jpg", "b11.jpg", "a1.jpg"]


@pytest.mark.parametrize("options", [("--players", "mauve,rde"), ("--players", "red,blue", "--on-turn", "mauve")])
def test_players_of_an_unknown_colour_are_refused(options: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    status, _, err = run(capsys, "moves", "a.jpg", "b.jpg", *options)
    error = error_of(err)
    assert (status, error["code"], error["details"]["colour"]) == (2, "colour_unknown", "mauve")


def followed(*boards: str, doubts: tuple[PieceDoubt, ...] = ()) -> Followed:
    """Return photos read without a mistake."""
    positions = tuple(parse_notation(board) for board in boards)
    photos = tuple(replace(grey_photo(), file=f"{n}.jpg") for n in range(len(positions)))
    return Followed(photos, positions, reading_of(positions[-1]).tiles, doubts, frozenset())


def built(*boards: str, options: MoveOptions | None = None, doubts: tuple[PieceDoubt, ...] = ()) -> dict[str, Any]:
    moves = build_moves(followed(*boards, doubts=doubts), options or MoveOptions(TODAY, ("blue", "red"), None, (5, 9)))
    document: dict[str, Any] = json.loads(moves.to_json())
    return document


def test_given_points_are_carried_forward() -> None:
    document = built("L0 blue^0,0=rS", "L0/X0")
    before, after = (score["points"] for score in document["scores"])
    assert before == {"blue": [5, 5], "red": [9, 9]}
    assert after == {"blue": [7, 7], "red": [9, 9]}
    (problem,) = document["open"]
    assert problem["code"] == "on_turn"
    assert problem["text"].endswith(": blue, red or red, blue")


def test_the_player_on_turn_may_be_given() -> None:
    options = MoveOptions(TODAY, ("blue", "red"), "red")
    document = built("L0", "L0/X0", options=options)
    assert document["orders"] == [["red", "blue"]]
    (stretch,) = document["stretches"]
    assert stretch["possible"] == [{"blue": 0, "red": 0}, {"blue": 0, "red": 2}]
    assert [problem["code"] for problem in stretch["open"]] == ["assumed_piece"]
    assert stretch["assumed"] == 1
    assert stretch["moves"][0]["text"].endswith(" at row 2, column 1: thief; 2 points for red (finished road)")
    assert document["scores"][1]["likeliest"] == {"blue": 0, "red": 2}
    assert not document["settled"]
    assert document["record"].endswith("1 red X0@1,0 rN open = 2 0\n")
    denied = built("L0", "L0/X0", options=replace(options, corrections=(DenyTaking(square=(2, 1)),)))
    assert denied["settled"]
    assert denied["scores"][1]["likeliest"] == {"blue": 0, "red": 0}


def test_orders_of_many_players_are_counted() -> None:
    of_three = "L0 blue^0,0=rS red^0,0=rE green^0,0=rW"
    document = built(of_three, "L0/X0 blue^0,0=rS red^0,0=rE green^0,0=rW", options=MoveOptions(TODAY))
    assert len(document["orders"]) == 6
    (problem,) = (problem for problem in document["open"] if problem["code"] == "on_turn")
    assert problem["text"].endswith(": 6 orders of the players are possible")


def test_the_record_goes_on_after_a_tile_of_another_box() -> None:
    """The abbey ends blue's road. Four tiles L lie there, of three in the box."""
    boards = ("L0L0L0L0 blue^0,0=rS", "L0L0L0L0/(AM/A)0", "L0L0L0L0/(AM/A)0/E2")
    document = built(*boards, options=MoveOptions(TODAY, ("blue", "red"), "red"))
    record = parse_record(document["record"])
    assert record.setup.further == ("BA/CRRR", "AM/A")
    assert len(record.moves) == 2
    assert "record_ends" not in [problem["code"] for problem in document["open"]]
    assert record.replay().scores == {"red": 0, "blue": 1}


def test_players_are_those_whose_meeples_are_seen() -> None:
    document = built("L0 blue^0,0=rS red^0,0=rE", "L0/X0 red^0,0=rE", options=MoveOptions(TODAY))
    assert document["open"][0]["code"] == "players_not_named"
    with pytest.raises(WondertallyError) as caught:
        built("L0 blue^0,0=rS", "L0/X0", options=MoveOptions(TODAY))
    assert caught.value.code == "players_needed"


def test_a_doubt_about_a_piece_affects_only_what_depends_on_it() -> None:
    doubt = PieceDoubt((0, 0), Stay("blue", 1), None, 0.3)
    boards = ("L0 blue^0,0=rS", "L0/X0", "L0/X0/L2 red^2,0=rE", "@0,-1 -L0/-X0/V3L2 red^2,0=rE")
    options = MoveOptions(TODAY, ("blue", "red"), "blue")
    sure, unsure = built(*boards, options=options), built(*boards, options=options, doubts=(doubt,))
    assert [stretch["settled"] for stretch in sure["stretches"]] == [True, True, True]
    assert [stretch["settled"] for stretch in unsure["stretches"]] == [False, False, True]
    assert "doubtful_piece" in [problem["code"] for problem in unsure["open"]]


def of_kept(history: History, *boards: Board) -> dict[str, Any]:
    """Return the document of photos read without a mistake, of a game with wonders and a given first turn."""
    photos = tuple(replace(grey_photo(), file=f"{n}.jpg") for n in range(len(boards)))
    sequence = Followed(photos, boards, reading_of(boards[-1]).tiles, (), frozenset())
    moves = build_moves(sequence, MoveOptions(TODAY, SETUPS["wonders"].players, history.on_turn[0]))
    document: dict[str, Any] = json.loads(moves.to_json())
    return document


def about_a_wonder(seed: int = 2) -> History:
    """Return a game from the turn in which its first wonder is laid."""
    whole = record_history(SETUPS["wonders"], seed, 60)
    first = next(n for n, board in enumerate(whole.boards) if board.wonders)
    return History(whole.boards[first - 1 : first + 4], whole.on_turn[first - 1 :], whole.points[first - 1 :])


def test_a_wonder_is_laid_between_photos() -> None:
    history = about_a_wonder()
    document = of_kept(history, *history.boards)
    assert {square["tile"][:3] for square in document["stretches"][0]["moves"][0]["tiles"]} >= {"WH/"}
    for n, stretch in enumerate(document["stretches"]):
        assert history.gains(n) in [
            tuple(points[player] for player in sorted(points)) for points in stretch["possible"]
        ]
    assert "wonder_unmarked" not in [problem["code"] for problem in document["open"]]


@pytest.mark.parametrize("marker", [("builder", "upside_down", 2), ("pig", "standing", 2), ("big", "standing", 9)])
def test_the_marker_of_a_wonder_implies_no_box(marker: tuple[str, str, int]) -> None:
    """It may be any figure of its owner, upside down or not."""
    kind, pose, seed = marker
    history = about_a_wonder(seed)
    boards = [
        replace(
            board,
            meeples=tuple(
                replace(piece, kind=kind, pose=pose) if board.is_marker(piece) else piece for piece in board.meeples
            ),
        )
        for board in history.boards[:2]
    ]
    document = of_kept(history, *boards)
    assert [problem["code"] for problem in document["stretches"][0]["open"]] == []
    assert "wonder_unmarked" not in [problem["code"] for problem in document["open"]]
    assert "\nboxes base inns\n" in document["record"]


@pytest.mark.parametrize("is_turn_known", [True, False])
def test_the_turns_show_whose_an_unmarked_wonder_is(is_turn_known: bool) -> None:
    """If it is not known who is on turn at the first of two photos, the owner is asked, and stated once."""
    history = about_a_wonder()
    before, after = history.boards[:2]
    old, new = set(before.meeples), [piece for piece in after.meeples if after.is_marker(piece)]
    bare, marked_board = (
        Board(after.tiles, (*(piece for piece in after.meeples if piece in old), *markers)) for markers in ((), new)
    )
    sequence = follow_boards([before, bare])
    options = MoveOptions(TODAY, SETUPS["wonders"].players, history.on_turn[0] if is_turn_known else None)
    moves = build_moves(sequence, options)
    asked = [problem for problem in moves.open if problem.code == "wonder_unmarked"]
    assert len(asked) == (not is_turn_known)
    marked = build_moves(follow_boards([before, marked_board]), options)
    if is_turn_known:
        assert moves.totals == marked.totals
        return
    (wonder,) = (str(problem.values["wonder"]) for problem in asked)
    owner = marked.stretches[0].moves[0].player
    answer = GiveWonder(wonder=wonder, colour=owner)
    answered = build_moves(sequence, replace(options, corrections=(answer,)))
    assert "wonder_unmarked" not in [problem.code for problem in answered.open]
    assert answered.totals == marked.totals


def follow_boards(boards: Sequence[Board]) -> Followed:
    """Return photos read without a mistake."""
    photos = tuple(replace(grey_photo(), file=f"{n}.jpg") for n in range(len(boards)))
    return Followed(photos, tuple(boards), reading_of(boards[-1]).tiles, (), frozenset())


def test_without_the_first_photo_neither_the_points_nor_the_turn_are_known() -> None:
    sequence = followed("L0/X0", "L0/X0/X0")
    options = MoveOptions(TODAY, ("blue", "red"), "blue", (3, 5))
    assert build_moves(sequence, options).scores[0].points == {"blue": (3, 3), "red": (5, 5)}
    late = build_moves(replace(sequence, lacks_first=True), options)
    assert [score.points for score in late.scores] == [None, None]
    assert "on_turn" in [problem.code for problem in late.open]


def test_an_unmarked_wonder_is_named_by_the_squares_of_the_first_board() -> None:
    wonder = WONDER.replace("-", "")
    boards = [parse_notation(board) for board in ("E2", f"E2/{wonder}", f"@-1,0 E0/E2/{wonder}")]
    moves = build_moves(follow_boards(boards), MoveOptions(TODAY, ("red", "blue")))
    (asked,) = (problem for problem in moves.open if problem.code == "wonder_unmarked")
    assert asked.text == "row 2, column 1: no player's piece is visible on Alhambra: who owns it?"
    assert asked.where == ["row 2, column 1"]


def test_a_doubtful_tile_may_be_a_wonder_or_an_enrolled_print() -> None:
    sequence = followed("L0", "L0/X0")
    others = (TileAlternative("WH/alhambra", 1, 0.3), TileAlternative("my print", 0, 0.2))
    tiles = [replace(tile, doubtful=tile.row == 1, alternatives=others) for tile in sequence.tiles]
    moves = build_moves(replace(sequence, tiles=tuple(tiles)), MoveOptions(TODAY, ("blue", "red"), "blue"))
    (doubt,) = (problem for problem in moves.open if problem.code == "doubtful_tile")
    assert doubt.text == (
        "Row 2, column 1: The tile is taken for roads from north, east, south, and west (over 99%); "
        "it may be another: Alhambra (30%) or my print (20%)."
    )
    german = translate_moves(moves, "de").open
    assert [problem.text for problem in german if problem.code == "doubtful_tile"] == [
        "Reihe 2, Spalte 1: Dieses Plättchen zählt als Straßen nach Norden, Osten, Süden und Westen (über 99\xa0%). "
        "Vielleicht ist es ein anderes: Alhambra (30\xa0%) oder my print (20\xa0%)."
    ]


def test_a_wonder_that_is_not_laid_yet_is_asked_once_and_stated() -> None:
    """The photos end right after a player has the points for one; the record goes on and is marked."""
    whole, setup = record_history(SETUPS["wonders"], 2, 60), SETUPS["wonders"]
    first = next(n for n, board in enumerate(whole.boards) if board.wonders)
    before = next(n for n in range(first) if max(whole.points[n]) >= 10)
    options = MoveOptions(TODAY, setup.players, whole.on_turn[0], wonders=1)
    sequence = follow_boards(whole.boards[: before + 1])
    moves = build_moves(sequence, options)
    (question,) = (problem for problem in moves.open if problem.code == "wonder_taken")
    player = str(question.values["player"])
    assert moves.record.splitlines()[-1].count(" open ") == 1
    answer = GiveWonder(wonder="tikal", colour=player)
    answered = build_moves(sequence, replace(options, corrections=(answer,)))
    assert [problem.code for problem in answered.open if problem.code.startswith(("wonder", "record"))] == []
    assert f"takes:{player}:tikal" in answered.record
    without = build_moves(sequence, replace(options, wonders=0, corrections=(answer,)))
    assert [refused.code for refused in without.refused] == ["wonder_not_there"]
    assert "wonder_taken" not in [p.code for p in without.open]


WONDER = "-(WH/alhambra#0)0/-(WH/alhambra#1)0/-(WH/alhambra#2)0(WH/alhambra#3)0(WH/alhambra#4)0"
WONDERLESS = "-/-/-"
MARKER = " blue~2,1=W"
ROAD, FINISHED = "/-/-(IC/RFr.iG)0A1", "/-/A3(IC/RFr.iG)0A1"
"""Red's road with an inn, and the same once the tile at its other end is laid."""


def follow(before: str, after: str, rules: BoxRules = UNSAID) -> Moves:
    boards = parse_notation(before), parse_notation(after)
    photos = tuple(replace(grey_photo(), file=f"{n}.jpg") for n in range(len(boards)))
    sequence = Followed(photos, boards, reading_of(boards[-1]).tiles, (), frozenset())
    return build_moves(sequence, MoveOptions(TODAY, ("red", "blue"), "red", box_rules=rules))


def find_questions(moves: Moves) -> list[str]:
    return [problem.text for problem in moves.open if problem.code == "box_rules_unsaid"]


def test_moves_beside_a_wonder_ask_for_the_box_rules_and_accept_them() -> None:
    before, after = f"{WONDER}{ROAD} red^4,1=rE{MARKER}", f"{WONDER}{FINISHED}{MARKER}"
    moves = follow(before, after)
    assert not moves.settled
    (question,) = find_questions(moves)
    assert "did you play with the rules of Inns & Cathedrals?" in question
    assert "(as counted here): blue 0, red 6; without them: blue 0, red 3" in question
    for played, points in ((True, 6), (False, 3)):
        rules = BoxRules.of({"inns": played})
        told = follow(before, after, rules)
        assert find_questions(told) == []
        assert told.settled
        assert told.scores[-1].points == {"blue": (0, 0), "red": (points, points)}
        assert parse_notation(told.boards[-1]).box_rules == rules
        assert parse_record(told.record).replay().setup.box_rules == rules


def test_moves_without_a_wonder_do_not_ask_for_box_rules() -> None:
    moves = follow(f"{WONDERLESS}{ROAD} red^4,1=rE", f"{WONDERLESS}{FINISHED}")
    assert find_questions(moves) == []
    assert moves.scores[-1].points == {"blue": (0, 0), "red": (6, 6)}


@pytest.mark.parametrize("name", ["base", "traders", "wonders"])
def test_totals_are_those_of_the_record_scored_again(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    history = record_history(SETUPS[name], 5, 30)
    moves = build_moves(follow_boards(history.boards), MoveOptions(TODAY, SETUPS[name].players, history.on_turn[0]))
    totals = moves.totals
    assert totals is not None
    assert len(moves.record.splitlines()) == 35
    record, report_at = tmp_path / "game.txt", tmp_path / "report.json"
    record.write_text(moves.record, encoding="utf-8")
    assert run(capsys, "board", "score", str(record), "--json", str(report_at))[0] == 0
    scores = json.loads(report_at.read_text(encoding="utf-8"))["scores"]
    assert scores["total"] == totals.total
    assert scores["final_scoring"] == totals.final_scoring
    assert sum(entry.points for entry in totals.entries) == sum(totals.final_scoring.values())
    assert totals.winners == [player for player in totals.total if totals.total[player] == max(totals.total.values())]


@pytest.mark.parametrize(
    ("points", "winners", "settled"),
    [((0, 9), ["red"], True), ((0, 2), ["blue", "red"], False), ((1, 2), ["blue"], False)],
)
def test_the_winner_is_settled_or_open(points: tuple[int, int], winners: list[str], settled: bool) -> None:
    """Blue has 2 points if it took the road, as is assumed."""
    totals = built("L0", "L0/X0", options=MoveOptions(TODAY, ("blue", "red"), "blue", points))["totals"]
    assert (totals["winners"], totals["settled"]) == (winners, settled)


def test_a_missing_photo_is_the_error_where_too_few_are_left(
    photos: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    status, _, err = run(capsys, "moves", photos[0], str(tmp_path / "none.jpg"), "--players", "red,blue")
    assert (status, error_of(err)["code"]) == (2, "photo_not_found")


def test_corrections_come_from_a_file_and_words(
    photos: list[str], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Moves are printed in German; the correction of an empty square is the error at the end."""
    corrections, table = tmp_path / "corrections.json", tmp_path / "game.csv"
    corrections.write_text('[{"kind": "points", "photo": "9.jpg", "points": {"red": 3, "blue": 4}}]', "utf-8")
    given = ("--players", "red,blue", "--corrections", str(corrections), "--not-taken", "90,90")
    options = ("--language", "de", "--export", str(table))
    status, out, err = run(capsys, "moves", *photos[:2], *given, *options)
    assert (status, error_of(err)["code"]) == (2, "square_empty")
    assert "Korrektur 2 (not_taken) wurde nicht angewendet: Auf diesem Feld liegt kein Plättchen." in out
    assert "Punkte bei 10.jpg: Blau" in out
    assert len(table.read_text("utf-8").splitlines()) == 1 + 1 + 1


@pytest.mark.parametrize(
    ("given", "code"),
    [
        (("--corrections", "bad.json"), "bad_corrections"),
        (("--points-at", "a.jpg"), "bad_track"),
        (("--points-at", "a.jpg:blue=x"), "bad_track"),
        (("--points-at", "none.jpg:blue=1"), "photo_unknown"),
        (("--not-taken", "here"), "bad_square"),
        (("--export", "a.doc"), "cannot_write"),
    ],
    ids=str,
)
def test_bad_corrections_are_refused_before_photos_are_read(
    given: tuple[str, str],
    code: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("bad.json").write_text('[{"kind": "points"}]', "utf-8")
    status, _, err = run(capsys, "moves", "a.jpg", "b.jpg", *given)
    assert (status, error_of(err)["code"]) == (2, code)
