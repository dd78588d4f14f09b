"""Pieces on finished tables are counted by their feature, and knights by their tile."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from datasets.evaluation.density import Density, main, measure_density
from scoring.carcassonne.board.board import Board, PlacedMeeple
from scoring.carcassonne.deal.boards import deal_random_board
from tests.vision.evaluation.dealt import dealt_label

TWINS = "FGMNOPQRST"
"""The letters of tiles that differ from another in a coat of arms alone."""


def piece(board: Board, letters: str, kind: str, colour: str = "red") -> PlacedMeeple:
    """Return a piece on the first segment of a kind on a tile of these letters."""
    return next(
        PlacedMeeple(colour, square, index, "lying" if kind == "field" else "standing")
        for square, placement in board.known
        if placement.layout.letter in letters
        for index, segment in enumerate(placement.layout.segments)
        if segment.kind == kind
    )


def table() -> Board:
    """Return three knights, one of them on a tile that has a twin, two thieves, a farmer, and a monk."""
    tiles = deal_random_board(Random(5)).tiles
    bare = Board(tiles)
    on_twin, beside, alone = (piece(bare, letters, "city") for letters in (TWINS, "E", "C"))
    others = [piece(bare, *where) for where in (("U", "road"), ("V", "road"), ("T", "field"), ("A", "monastery"))]
    return Board(tiles, (on_twin, beside, alone, *others))


def test_pieces_are_counted_by_their_feature() -> None:
    stood_on = Counter(city=3, road=2, field=1, monastery=1)
    assert measure_density([table()]) == Density(1, stood_on, 1)
    assert measure_density([table(), table()]) == Density(2, stood_on + stood_on, 2)


def test_a_piece_on_no_known_feature_is_still_counted() -> None:
    board = table()
    lost = replace(board, meeples=(*board.meeples, PlacedMeeple("blue", next(iter(board.tiles)), None)))
    assert measure_density([lost]).pieces == 8
    assert measure_density([lost]).stood_on["nothing"] == 1


def test_cleared_unfinished_and_partly_unknown_tables_are_left_out() -> None:
    board = table()
    square = next(square for square in board.tiles if all(square != meeple.square for meeple in board.meeples))
    unknown = Board({**board.tiles, square: None}, board.meeples)
    smaller = Board({at: placement for at, placement in board.tiles.items() if at != square}, board.meeples)
    assert measure_density([Board(board.tiles), unknown, smaller]) == Density(0, Counter(), 0)


def test_the_command_counts_the_contents_of_labels(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    labels = [dealt_label(seed, 72) for seed in (1, 2)]
    for number, label in enumerate(labels):
        (tmp_path / f"{number}.json").write_text(json.dumps({"photo": "x.jpg", **label}), encoding="utf-8")
    pieces = [(label["rows"], meeple) for label in labels for meeple in label["meeples"]]
    on = Counter(meeple["on"].split(":")[0] for _, meeple in pieces)
    cells = [(rows[meeple["cell"][0]].split()[meeple["cell"][1]], meeple) for rows, meeple in pieces]
    twins = sum(token[0] in TWINS and meeple["on"].startswith("city") for token, meeple in cells)
    main([str(tmp_path / "0.json"), str(tmp_path / "1.json")])
    assert capsys.readouterr().out.splitlines() == [
        "tables 2",
        f"pieces a table {len(pieces) / 2:.1f}",
        f"on cities {on['city'] / len(pieces):.0%}",
        f"on roads {on['road'] / len(pieces):.0%}",
        f"on fields {on['field'] / len(pieces):.0%}",
        f"on monasteries {on['monastery'] / len(pieces):.0%}",
        f"knights a table {on['city'] / 2:.1f}",
        f"of them on tiles that have a twin but for the coat of arms {twins / 2:.1f}",
    ]


def test_a_missing_label_is_one_clear_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main([str(tmp_path / "none.json")])
    assert left.value.code == 2
    assert "file_not_found" in capsys.readouterr().err
