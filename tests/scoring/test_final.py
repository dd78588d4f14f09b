"""The final scoring, by hand, against the referee, and what may change it."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from scoring.carcassonne.alternatives import OtherPlace, OtherTile
from scoring.carcassonne.board import Board, PlacedMeeple, Placement
from scoring.carcassonne.deal import COLOURS, random_board
from scoring.carcassonne.doubt import score_changing
from scoring.carcassonne.features import features
from scoring.carcassonne.final import final_scoring
from scoring.carcassonne.label import read_label, write_label
from tests.scoring.outside import LABELS, label, needs_shared, referee


@pytest.mark.parametrize(
    ("text", "totals", "rule", "words"),
    [
        pytest.param("U0U0 red^0,0=rE", {"red": 2}, "road.unfinished", "2 tiles x 1", id="open road"),
        pytest.param("A3A1 red^0,0=rE", {"red": 2}, "road.finished", "2 tiles x 1", id="road never scored"),
        pytest.param("U0 red^0,0=rE blue^0,0=rW", {"blue": 1, "red": 1}, "road.unfinished", "1 tile x 1", id="shared"),
        pytest.param(
            "U0U0 red^0,0=rE red^0,1=rE blue^0,1=rE",
            {"blue": 0, "red": 2},
            "road.unfinished",
            "2 tiles x 1",
            id="majority takes all",
        ),
        pytest.param("M0 red^0,0=cN", {"red": 2}, "city.unfinished", "(1 tile + 1 coat of arms) x 1", id="open city"),
        pytest.param("E1E3 red^0,0=cE", {"red": 4}, "city.finished", "2 tiles x 2", id="city never scored"),
        pytest.param("B0U0 red^0,0=M", {"red": 2}, "monastery.unfinished", "1 + 1 tile around", id="monastery"),
        pytest.param("E1E3 red_0,0=fSL", {"red": 3}, "field.farm", "1 finished city x 3", id="farm"),
        pytest.param("E2B0/E0B0 red_0,0=fNL", {"red": 3}, "field.farm", "1 finished city x 3", id="touched twice"),
        pytest.param("E0 red_0,0=fSL", {"red": 0}, "field.farm", "0 finished cities x 3", id="farm without a city"),
    ],
)
def test_scores_by_hand(text: str, totals: dict[str, int], rule: str, words: str) -> None:
    sheet = final_scoring(Board.from_notation(text))
    assert sheet.totals == totals
    assert {(entry.rule, entry.text) for entry in sheet.entries} == {(rule, words)}


def test_a_meeple_on_no_feature_scores_nothing() -> None:
    assert final_scoring(Board.from_notation("?? red^0,0=?")).totals == {"red": 0}


@needs_shared
@pytest.mark.parametrize("path", LABELS, ids=lambda path: path.stem)
def test_agrees_with_the_referee_on_real_tables(path: Path) -> None:
    """The referee counts no unreadable tile towards a monastery, and knows the river: both are levelled here."""
    content = label(path)
    board = read_label(content)
    known = {**content, **write_label(board), "meeples": _on_known_tiles(content, board)}
    assert _points_without_monasteries(board) == _referee_without_monasteries(known)
    if all(placement for placement in board.tiles.values()):
        assert final_scoring(board).totals == referee().Board(content).final()[0]


@needs_shared
def test_reproduces_the_real_result_of_a_whole_game() -> None:
    content = next(label(path) for path in LABELS if path.stem == "t3k14_spielende")
    assert final_scoring(read_label(content)).totals == {"blue": 35, "yellow": 52}


@needs_shared
def test_agrees_with_the_referee_on_two_thousand_boards() -> None:
    rng = Random(2000)
    for number in range(2000):
        board = random_board(rng, tiles=rng.choice((4, 12, 24, 40, 72)))
        if number % 2:
            board = Board(board.tiles, tuple(_anywhere(board, rng)))
        oracle = referee().Board(write_label(board))
        points = dict.fromkeys(board.players, 0) | oracle.final()[0]
        assert final_scoring(board).totals == points, board.notation()
        roads = Counter((f.size, f.complete) for f in features(board) if f.kind == "road")
        assert roads == Counter((size, done) for size, done, _ in oracle.roads()), board.notation()


def test_only_doubts_that_change_points_are_named_likeliest_first() -> None:
    board = Board.from_notation("E1E3B0 red^0,0=cE blue^0,2=M")
    turned_away = OtherTile((0, 1), Placement("E", 1), 0.2)
    same_score = OtherTile((0, 1), Placement("K", 3), 0.5)
    no_tile = OtherTile((0, 2), None, 0.3, empty=True)
    farmer = OtherPlace(1, replace(board.meeples[1], segment=1, pose="lying"), 0.1)
    gone = OtherPlace(1, None, 0.05)
    changes = score_changing(board, [turned_away, same_score, no_tile, farmer, gone])
    assert [(change.alternative, change.totals) for change in changes] == [
        (no_tile, {"blue": 0, "red": 4}),
        (turned_away, {"blue": 2, "red": 1}),
        (farmer, {"blue": 3, "red": 4}),
        (gone, {"red": 4}),
    ]


def test_a_meeple_keeps_to_the_like_part_of_another_tile() -> None:
    board = Board.from_notation("D0 red^0,0=rE blue_0,0=fSL green^0,0=cN")
    assert OtherTile((0, 0), Placement("U"), 0.5).on(board).notation() == "U0 green^0,0=? red^0,0=rE blue_0,0=fER"
    assert OtherTile((0, 0), None, 0.5).on(board).notation() == "?? blue_0,0=? green^0,0=? red^0,0=?"


def _anywhere(board: Board, rng: Random) -> list[PlacedMeeple]:
    """Meeples wherever there is a segment, on complete features too."""
    places = [(square, index) for square, p in board.known for index in range(len(p.layout.segments))]
    chosen = rng.choices(places, k=rng.randint(0, 30))
    return [PlacedMeeple(rng.choice(COLOURS), square, index) for square, index in chosen]


def _on_known_tiles(content: dict[str, Any], board: Board) -> list[Any]:
    return [meeple for meeple in content["meeples"] if board.tiles[tuple(meeple["cell"])]]


def _points_without_monasteries(board: Board) -> Counter[str]:
    points: Counter[str] = Counter()
    for entry in final_scoring(board).entries:
        points[entry.player] += 0 if entry.rule.startswith("monastery") else entry.points
    return points


def _referee_without_monasteries(content: dict[str, Any]) -> Counter[str]:
    points: Counter[str] = Counter()
    for what, _, winners, each in referee().Board(content).final()[1]:
        for winner in winners:
            points[winner] += 0 if what.startswith("monastery") else each
    return points
