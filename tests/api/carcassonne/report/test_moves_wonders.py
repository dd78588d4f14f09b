"""Wonders in play from photos in order: rendered games whose wonder has an enrolled layout, not the shipped one."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import cv2
import numpy as np
import pytest
from fastapi.testclient import TestClient

from api.carcassonne.report.board import read_layouts
from api.server.settings import Settings
from datasets.render.shots import Manner, shoot
from datasets.scene.varied_wonders import vary_wonder
from scoring.carcassonne.board.board import Board, PlacedWonder
from scoring.carcassonne.board.notation import parse_notation
from scoring.carcassonne.board.problems import find_problems
from scoring.carcassonne.deal.boards import deal_random_board
from scoring.carcassonne.play.game import Game, Setup
from scoring.carcassonne.record.text import parse_record
from scoring.carcassonne.wonders.catalogue import load_wonder_catalogue
from scoring.carcassonne.wonders.tiles import WONDERS, WonderLayout
from tests.api.carcassonne.report.timeless import from_zero
from tests.api.processes import run_process
from tests.api.serving import unopened
from tests.drawn_boards import draw_art
from tests.scoring.games import random_move
from vision.enrolment.wonders import EnrolledWonder, EnrolledWonders

GAMES = {"stonehenge": (19, 2), "notre-dame": (15, 1), "tikal": (17, 1), "abu-simbel": (2, 2)}
"""The seed of a board with the wonder, and the moves between two photos of it, in which the wonder brings points."""
SILENT = "abu-simbel"
"""Wonders that bring their owner a choice, and no points."""


@dataclass(frozen=True)
class Played:
    """A game between two photos: players in order, both boards, each player's gain, and the layout of its wonder."""

    players: tuple[str, ...]
    boards: tuple[Board, Board]
    gains: Mapping[str, int]
    rules: frozenset[str]
    layout: WonderLayout


@cache
def play(name: str) -> Played:
    seed, count = GAMES[name]
    layout = vary_wonder(f"WH/{name}", np.random.default_rng(5))
    start = deal_random_board(Random(seed), 9, 2, meeples=4, wonders=[layout])
    players = tuple(sorted(start.players))
    game, rng = Game(Setup(players, ("base",), tuple(WONDERS), start_board=start, points=(0, 0))), Random(seed)
    rules = set[str]()
    for _ in range(count):
        move = random_move(game, rng)
        assert move is not None
        rules |= {entry.rule for entry in game.play(move).entries}
    whole = game.board()
    top, left = (min(square[i] for square in whole.tiles) for i in (0, 1))
    before = Board({k: v for k, v in whole.tiles.items() if k in start.tiles}, start.meeples)
    moved = from_zero(whole)
    frame = {(row - top, col - left): placement for (row, col), placement in before.tiles.items()}
    pieces = tuple(replace(m, square=(m.square[0] - top, m.square[1] - left)) for m in before.meeples)
    return Played(players, (Board(frame, pieces), moved), dict(game.scores), frozenset(rules), layout)


def photograph(played: Played, folder: Path) -> list[str]:
    """Return both boards, rendered from elsewhere each time, in art of the wonder's own layout."""
    art, rng = draw_art(played.boards[1]), np.random.default_rng(2)
    files = []
    for number, board in enumerate(played.boards):
        manner = Manner((1000, 750), elevation=(65, 85), free=(0.25, 0.35), strength=0.3)
        files.append(str(folder / f"{number}.jpg"))
        cv2.imwrite(files[-1], shoot(board, art, "wood", manner, rng).image)
    return files


@pytest.fixture(
    params=[
        "tikal",
        *(pytest.param(name, marks=pytest.mark.soak) for name in ("abu-simbel", "stonehenge", "notre-dame")),
    ]
)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def read_moves(name: str, tmp_path: Path, *words: str, data: Path) -> dict[str, Any]:
    played = play(name)
    photos = photograph(played, tmp_path)
    options = ("--players", ",".join(played.players), "--on-turn", played.players[0], "--json", "-")
    done = run_process(["moves", *photos, *options, *words], env={"WONDERTALLY_DATA": str(data)}, check=True)
    return dict(json.loads(done.stdout))


@pytest.mark.parametrize("way", ["file", pytest.param("data folder", marks=pytest.mark.soak)])
def test_moves_use_the_enrolled_layout_of_a_wonder(name: str, way: str, tmp_path: Path) -> None:
    played = play(name)
    assert name == SILENT or f"wonder.{name}" in played.rules
    assert not [problem for problem in find_problems(played.boards[1], 14) if problem.code == "edge_mismatch"]
    store = EnrolledWonders(tmp_path / "taught" / "wonders")
    file = store.save(EnrolledWonder(played.layout))
    elsewhere = tmp_path / "empty"
    words = ("--wonder", str(file)) if way == "file" else ()
    document = read_moves(name, tmp_path, *words, data=elsewhere if way == "file" else tmp_path / "taught")
    assert [entry["id"] for entry in document["wonders"]] == [f"WH/{name}"]
    layouts = read_layouts(document["wonders"])
    assert layouts[f"WH/{name}"].parts == played.layout.parts
    for notation, board in zip(document["boards"], played.boards, strict=True):
        read = parse_notation(notation, layouts)
        assert sorted(placement.tile for _, placement in read.known) == sorted(p.tile for _, p in board.known)
        assert not [problem for problem in find_problems(read) if problem.code == "edge_mismatch"]
    (stretch,) = document["stretches"]
    assert stretch["possible"] == [played.gains]
    assert {entry["rule"] for move in stretch["moves"] for entry in move["scores"]} == played.rules
    check_record(document, played, tmp_path)


def check_record(document: dict[str, Any], played: Played, tmp_path: Path) -> None:
    """Check that the record replays with the layouts of the document, on the server too."""
    record = document["record"]
    game = parse_record(record, read_layouts(document["wonders"])).replay()
    assert game.scores == played.gains
    with unopened(Settings(data=tmp_path / "server")) as app, TestClient(app) as client:
        answer = client.post("/v1/scores", json={"record": record, "wonders": document["wonders"]})
        assert answer.status_code == 200, answer.text
        assert answer.json()["record"]["scores"] == dict(played.gains)


@pytest.mark.parametrize("game", GAMES)
def test_the_layouts_are_not_the_shipped_ones(game: str) -> None:
    """Otherwise these tests would prove nothing."""
    (placed,) = play(game).boards[1].wonders
    shipped = load_wonder_catalogue()[placed.layout.id]
    assert placed.layout.squares == shipped.squares
    assert placed.edges != PlacedWonder(shipped, placed.anchor, placed.turns).edges
