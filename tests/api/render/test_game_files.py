"""Files of a game in photos."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from functools import cache

import pytest
from PIL import Image

from api.carcassonne.report.moves import MoveOptions, build_moves
from api.carcassonne.report.moves_schema import Moves
from api.i18n.report_text import label_player
from api.languages import LANGUAGES
from api.render.drawing import get_player_rgb
from api.render.game_files import export_moves, list_points
from api.render.score_chart import HEIGHT_PX, WIDTH_PX
from scoring.carcassonne.final.rulesets import TODAY
from tests.api.tables_read import grey_photo, reading_of
from tests.scoring.games import SETUPS
from tests.scoring.history import record_history
from vision.sequence.followed import Followed

NAMES = {"blue": "=Ana", "red": "Ben"}


@cache
def follow() -> Moves:
    """Return a game of which every second turn was photographed."""
    history = record_history(SETUPS["base"], 5, 30)
    boards = history.boards[::2]
    photos = tuple(replace(grey_photo(), file=f"{n}.jpg") for n in range(len(boards)))
    sequence = Followed(photos, boards, reading_of(boards[-1]).tiles, (), frozenset())
    return build_moves(sequence, MoveOptions(TODAY, SETUPS["base"].players, history.on_turn[0]))


def test_a_table_has_a_row_for_each_turn_and_the_totals() -> None:
    moves = follow()
    assert moves.totals is not None
    rows = [*csv.DictReader(io.StringIO(export_moves(moves, "csv", "en", NAMES).decode()))]
    assert [row["turn"] for row in rows] == [*map(str, range(1, 31)), ""]
    assert [row["photo"] for row in rows[:3]] == ["1.jpg", "1.jpg", "2.jpg"]
    assert {row["player"] for row in rows if row["colour"] == "blue"} == {"'=Ana"}
    for player, total in moves.totals.total.items():
        assert int(rows[-1][f"{player}_after"]) == total
        assert sum(int(row[player]) for row in rows) == total
    assert rows[0]["squares"].startswith("row ")
    german = [*csv.DictReader(io.StringIO(export_moves(moves, "csv", "de", NAMES).decode()))]
    assert german[0]["squares"].startswith("Reihe ")
    assert [{p: int(row[f"{p}_after"]) for p in moves.totals.total} for row in rows[:-1]] == list_points(moves)[1:]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_text_has_the_rounds_and_who_wins(language: str) -> None:
    moves = follow()
    assert moves.totals is not None
    lines = export_moves(moves, "txt", language, NAMES).decode().splitlines()
    (winner,) = moves.totals.winners
    assert label_player(language, winner, NAMES) in lines[0]
    assert all(str(total) in lines[0] for total in moves.totals.total.values())
    rounds = [line for line in lines if line and not line.startswith(" ")]
    assert len(rounds) == 1 + moves.stretches[-1].moves[-1].round + 1
    assert sum("Ben" in line for line in lines) > 5


def test_json_is_the_document_and_a_picture_has_the_players_lines() -> None:
    assert json.loads(export_moves(follow(), "json", "en"))["schema"] == "wondertally/moves/1"
    picture = Image.open(io.BytesIO(export_moves(follow(), "png", "en", NAMES)))
    chart = picture.crop((0, 0, WIDTH_PX, HEIGHT_PX))
    colours = {colour for _, colour in chart.getcolors(1_000_000) or ()}
    assert {get_player_rgb(player) for player in SETUPS["base"].players} <= colours
