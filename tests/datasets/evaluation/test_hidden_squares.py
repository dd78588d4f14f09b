"""The objects before a square of a map, as the camera sees it, and the counts of hidden squares."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from datasets.evaluation.hidden_squares import find_squares_behind, main
from datasets.world_wonders.__main__ import main as draw
from vision.evaluation.world_wonders import SquareRead
from vision.world_wonders.layout import Grid

GRID = Grid(9, 11, (14.0, 14.0), 18.0)
TOWER_AT = (5, 5)


def read_map() -> dict[tuple[int, int], SquareRead]:
    """Return an empty map with one tower."""
    kinds = {at: "tower" if at == TOWER_AT else "-" for at in np.ndindex(GRID.rows, GRID.cols)}
    return {at: SquareRead(f"map.red.{at[0]}.{at[1]}", kind, kind, True, True, 0.9) for at, kind in kinds.items()}


def test_squares_beyond_a_tower_are_behind_it() -> None:
    x, y = GRID.corners[TOWER_AT].mean(axis=0)
    south = np.array([x, y + 400.0, 800.0])
    assert [*find_squares_behind(read_map(), south, GRID)] == [(4, 5)]
    low = np.array([x, y + 400.0, 400.0])
    assert [*find_squares_behind(read_map(), low, GRID)] == [(3, 5), (4, 5)]


def test_no_square_is_behind_a_tower_seen_from_straight_above() -> None:
    x, y = GRID.corners[TOWER_AT].mean(axis=0)
    assert not [*find_squares_behind(read_map(), np.array([x, y, 500.0]), GRID)]


def test_the_squares_of_a_drawn_folder_are_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    draw(["--out", str(tmp_path), "--count", "1", "--seed", "31", "--art", "basalt"])
    main([str(tmp_path)])
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 4
    assert " of 99, " in lines[0]
