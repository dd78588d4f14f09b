"""A generated copy is enrolled like an owner's: boards, and each monument as it stands on a map."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from datasets.world_wonders.__main__ import main as generate
from datasets.world_wonders.own_copy import MONUMENTS, PIECES, WATER
from datasets.world_wonders.showing import main as show
from datasets.world_wonders.tables import HALVES, deal_monuments
from vision.enrolment.games import GameEnrolments


@pytest.mark.parametrize("side", ["A", "B"])
@pytest.mark.parametrize("seed", range(8))
def test_all_monuments_stand_apart_on_land(side: str, seed: int) -> None:
    cities = [deal_monuments("red", side, half, np.random.default_rng(seed)) for half in HALVES]
    kinds = Counter(piece.kind for city in cities for piece in city.pieces if piece.kind != "road")
    assert kinds == {name: PIECES.get(name, 1) for name in MONUMENTS}
    for city in cities:
        for piece in city.pieces:
            others = {cell for other in city.pieces if other is not piece for cell in other.cells}
            assert not any((row + down, col) in others for row, col in piece.cells for down in (-1, 1))
            if piece.kind != "road":
                assert all(city.land.at(cell) != WATER for cell in piece.cells)


def test_a_folder_is_shown_with_its_monuments(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("WONDERTALLY_DATA", str(tmp_path / "data"))
    folder = tmp_path / "tables"
    generate(["--out", str(folder), "--count", "0", "--seed", "5", "--art", "cedar", "--monuments", "1"])
    show([str(folder), "--unnamed"])
    assert not GameEnrolments().load("world-wonders").pieces
    show([str(folder)])
    enrolment = GameEnrolments().load("world-wonders")
    assert enrolment.pictures.keys() == {
        "map",
        *(f"resources-{c}" for c in ("yellow", "green", "white", "red", "blue")),
    }
    assert enrolment.pieces.keys() <= MONUMENTS.keys()
    assert len(enrolment.pieces) >= len(MONUMENTS) // 2
    assert "monuments: " in capsys.readouterr().out
