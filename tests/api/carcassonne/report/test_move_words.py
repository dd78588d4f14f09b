"""Moves in words, in each language."""

from __future__ import annotations

from dataclasses import replace

import pytest

from api.carcassonne.report.move_words import MoveTeller, translate_moves
from api.carcassonne.report.moves import MoveOptions, build_moves
from api.carcassonne.report.moves_schema import Moves
from api.languages import LANGUAGES
from scoring.carcassonne.board.notation import parse_notation
from scoring.carcassonne.final.rulesets import TODAY
from tests.api.tables_read import grey_photo, reading_of
from tests.scoring.games import SETUPS
from tests.scoring.history import record_history
from vision.sequence.followed import Followed


def follow(*boards: str) -> Moves:
    positions = tuple(parse_notation(board) for board in boards)
    photos = tuple(replace(grey_photo(), file=f"{n}.jpg") for n in range(len(boards)))
    sequence = Followed(photos, positions, reading_of(positions[-1]).tiles, (), frozenset())
    return build_moves(sequence, MoveOptions(TODAY, ("blue", "red"), "red"))


LINES = {
    "en": (
        "red lays the roads from north, east, south, and west at row 2, column 1",
        "2 points for blue (finished road)",
        "blue takes the meeple back from row 1, column 1",
        "blue gets 2 points for a road of 2, which red finishes",
    ),
    "de": (
        "Rot legt auf Reihe 2, Spalte 1: Straßen nach Norden, Osten, Süden und Westen",
        "2 Punkte für Blau (Fertige Straße)",
        "zurück an Blau von Reihe 1, Spalte 1: Meeple",
        "Blau bekommt 2 Punkte für eine Straße aus 2 Plättchen, vollendet von Rot",
    ),
    "ro": (
        "roșu așază pe rândul 2, coloana 1: drumuri spre nord, est, sud și vest",
        "2 puncte pentru albastru (drum finalizat)",
        "înapoi la albastru de pe rândul 1, coloana 1: meeple",
        "roșu finalizează un drum de 2 cartonașe: albastru primește 2 puncte",
    ),
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_log_is_written_in_each_language(language: str) -> None:
    log = translate_moves(follow("L0 blue^0,0=rS", "L0/X0"), language).log
    assert [line.kind for line in log] == ["move", "points"]
    *move, points = LINES[language]
    assert [line.text for line in log] == ["; ".join(move), points]
    assert (log[1].player, log[1].points, log[1].tiles, log[1].round) == ("blue", 2, [(1, 0)], 1)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("before", "after", "code"),
    [("D0V0", "D0V3", "tile_changed"), ("L0X0", "L0", "tiles_vanish"), ("L0", "L0/??", "unknown_tile")],
)
def test_boards_that_no_play_explains_have_words(before: str, after: str, code: str, language: str) -> None:
    """They name the first square once, and may be translated again."""
    moves = translate_moves(follow(before, after), language)
    (line,) = moves.log
    assert (line.kind, line.code) == ("open", code)
    square = MoveTeller(language, {}, moves.origin).name_square(line.tiles[0]).casefold()
    assert line.text.casefold().startswith(f"{square}: ")
    assert line.text.casefold().count(square) == 1
    assert translate_moves(moves, language).log == moves.log


@pytest.mark.parametrize("language", LANGUAGES)
def test_players_have_names_in_what_is_open_too(language: str) -> None:
    moves = translate_moves(follow("L0", "L0/X0"), language, {"red": "Ana"})
    move, points, assumed = moves.log
    assert [line.text.startswith("Ana") for line in (move, points)] == [True, True]
    assert assumed.code == "assumed_piece"
    assert "Ana" in assumed.text
    teller = MoveTeller(language, {"red": "Ana"}, moves.origin)
    assert moves.totals is not None
    sums, result = teller.describe_totals(moves.totals)
    assert "Ana 2 + 0 = 2" in sums
    assert "Ana" in result


@pytest.mark.parametrize("name", SETUPS)
def test_games_with_all_boxes_have_words_in_each_language(name: str) -> None:
    history = record_history(SETUPS[name], 4, 40)
    photos = tuple(replace(grey_photo(), file=f"{n}.jpg") for n in range(len(history.boards)))
    sequence = Followed(photos, history.boards, reading_of(history.boards[-1]).tiles, (), frozenset())
    moves = build_moves(sequence, MoveOptions(TODAY, SETUPS[name].players, history.on_turn[0]))
    logs = [translate_moves(moves, language).log for language in LANGUAGES]
    assert len({len(log) for log in logs}) == 1
    assert all(len({line.text for line in lines}) == 3 for lines in zip(*logs, strict=True))


def test_rounds_count_both_halves_of_a_double_turn_as_one() -> None:
    history = record_history(SETUPS["traders"], 4, 40)
    photos = tuple(replace(grey_photo(), file=f"{n}.jpg") for n in range(len(history.boards)))
    sequence = Followed(photos, history.boards, reading_of(history.boards[-1]).tiles, (), frozenset())
    moves = build_moves(sequence, MoveOptions(TODAY, SETUPS["traders"].players, history.on_turn[0]))
    played = [move for stretch in moves.stretches for move in stretch.moves]
    doubles = sum(move.again for move in played)
    assert doubles > 0
    assert played[-1].round == (len(played) - doubles - 1) // len(SETUPS["traders"].players) + 1
    assert any(move.goods and "takes" in move.text for move in played)
