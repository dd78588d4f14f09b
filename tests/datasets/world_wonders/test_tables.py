"""Photos of drawn tables, their labels and files, and the enrolment of a generated copy."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import cv2
import numpy as np
import pytest

from datasets.world_wonders.__main__ import main
from datasets.world_wonders.__main__ import main as generate
from datasets.world_wonders.boards import draw_resource_board
from datasets.world_wonders.own_copy import COLOURS, MONUMENTS, PIECES, WATER
from datasets.world_wonders.own_copy import format_components as written
from datasets.world_wonders.scene import BOARD_MM
from datasets.world_wonders.showing import main as show
from datasets.world_wonders.style import (
    ARTS,
    FRAMES,
    HELD_OUT_ARTS,
    HELD_OUT_GROUNDS,
    MEDLEY,
    TRAINED_ARTS,
    build_style,
)
from datasets.world_wonders.tables import HALVES, deal_monuments, shoot
from scoring.spots.game import find_strange_spot
from scoring.spots.text import parse_label
from scoring.world_wonders.components import load_components
from scoring.world_wonders.game import GAME
from vision.enrolment.games import GameEnrolments


def test_a_label_names_spots_that_the_table_has() -> None:
    shot = shoot("one", build_style("papyrus"), "A", (60, 70), np.random.default_rng(4), ("plain",), 0.3)
    table = shot.label.table
    spots = GAME.spots(load_components(written("A")), table.players, table.laid)
    assert find_strange_spot(spots, table.laid) is None
    assert {spot.id for spot in spots if not spot.typed} == set(table.laid)


def test_boards_lie_within_the_photo() -> None:
    shot = shoot("one", build_style("papyrus"), "B", (40, 41), np.random.default_rng(5), ("plain",), 0.3)
    for sheet in shot.scene.sheets:
        pixels = shot.scene.camera.project(np.column_stack([sheet.corners, np.full(4, BOARD_MM)]))
        assert (pixels > 0).all()
        assert (pixels < shot.scene.camera.size).all()


def test_held_out_arts_are_drawn_with_grounds_of_their_own() -> None:
    for name in HELD_OUT_ARTS:
        assert build_style(name).ground in HELD_OUT_GROUNDS
    for name in TRAINED_ARTS:
        assert build_style(name).ground not in HELD_OUT_GROUNDS


def test_a_seed_gives_the_same_photo() -> None:
    one, other = (
        shoot("one", build_style("fresco"), "A", (50, 80), np.random.default_rng(9), ("wood",), 0.25) for _ in range(2)
    )
    assert one.label == other.label
    assert np.array_equal(one.image, other.image)


def test_the_command_writes_empty_boards_and_tables(tmp_path: Path) -> None:
    main(["--out", str(tmp_path), "--count", "1", "--seed", "6", "--art", "fresco"])
    names = {file.name for file in tmp_path.iterdir()}
    assert {"map.jpg", "components.toml", "table_0000.jpg", "table_0000.json"} <= names
    assert {f"resources-{colour}.jpg" for colour in COLOURS} <= names
    label = parse_label((tmp_path / "table_0000.json").read_text())
    photo = cv2.imread(str(tmp_path / label.photo))
    assert photo is not None
    assert photo.shape[1] >= 2000
    components = load_components((tmp_path / "components.toml").read_text())
    assert GAME.score(components, label.table.players, label.table.laid).totals.keys() == set(label.table.players)


@pytest.mark.parametrize("side", ["A", "B"])
@pytest.mark.parametrize("seed", range(8))
def test_all_monuments_stand_separately_on_land(side: str, seed: int) -> None:
    cities = [deal_monuments("red", side, half, np.random.default_rng(seed)) for half in HALVES]
    kinds = Counter(piece.kind for city in cities for piece in city.pieces if piece.kind != "road")
    assert kinds == {name: PIECES.get(name, 1) for name in MONUMENTS}
    for city in cities:
        for piece in city.pieces:
            others = {cell for other in city.pieces if other is not piece for cell in other.cells}
            assert not any((row + down, col) in others for row, col in piece.cells for down in (-1, 1))
            if piece.kind != "road":
                assert all(city.land.at(cell) != WATER for cell in piece.cells)


@pytest.mark.soak
def test_a_generated_folder_is_enrolled_with_its_monuments(
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


def test_resource_boards_never_measured_show_their_colour_in_any_frame() -> None:
    styles = {style.frame: style for style in (build_style(f"{MEDLEY}{number}") for number in range(30))}
    assert styles.keys() == {*FRAMES}
    assert {build_style(name).frame for name in ARTS} == {"band"}
    shares = {}
    for frame, style in styles.items():
        red, blue = (draw_resource_board(style, colour).astype(int) for colour in ("red", "blue"))
        differs = np.abs(red - blue).max(axis=2) > 60
        shares[frame] = round(float(differs.mean()), 3)
        assert differs[:20].any(), "each shows whose it is"
    assert len({*shares.values()}) == len(FRAMES)


def test_strange_tables_are_the_same_in_other_lights() -> None:
    style = build_style(f"{MEDLEY}3")
    plain, strange = (
        shoot("table", style, "A", (60.0, 80.0), np.random.default_rng(5), ["plain"], 0.1, lights)
        for lights in (False, True)
    )
    assert plain.label.table == strange.label.table
    assert np.abs(plain.image.astype(int) - strange.image).mean() > 2
