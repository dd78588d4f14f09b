"""An unreadable net or file of fitted numbers: an error with a code that names the file."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from scoring.calibration import CALIBRATION_FILE, FILE_SETTING
from vision.errors import InputError
from vision.runtime.onnx import MODELS, Net

LOADING = """
from scoring.calibration import load_platt_scalings, load_weights
from scoring.errors import InputError
try:
    load_platt_scalings("carcassonne"), load_weights("carcassonne", "coats")
except InputError as error:
    print(error.code, error.details["file"])
"""


@pytest.mark.parametrize("kept_bytes", [0, 100, 5000])
def test_a_net_that_is_cut_off_is_named(kept_bytes: int, tmp_path: Path) -> None:
    whole = next(iter(sorted(MODELS.glob("*.onnx"))))
    cut = tmp_path / whole.name
    cut.write_bytes(whole.read_bytes()[:kept_bytes])
    with pytest.raises(InputError) as error:
        Net(cut)
    assert (error.value.code, error.value.details["file"]) == ("models_damaged", whole.name)


@pytest.mark.parametrize("written", [b"", b"x", b"[carcassonne]\n", b"\xff\xfe", b"carcassonne = 3\n"])
def test_numbers_that_cannot_be_read_are_named(written: bytes, tmp_path: Path) -> None:
    file = tmp_path / CALIBRATION_FILE.name
    file.write_bytes(written)
    environment = {**os.environ, FILE_SETTING: str(file)}
    done = subprocess.run(
        [sys.executable, "-c", LOADING], env=environment, capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.split() == ["models_damaged", file.name]


READING = """
from scoring.errors import InputError
from vision.showing.card_fit import load_card_weights
from vision.showing.outlines import load_shape_rules
from vision.showing.side_lines import load_edge_weights
from vision.world_wonders.pieces import load_piece_costs
try:
    load_card_weights(), load_edge_weights(), load_shape_rules("card")["filled"], load_piece_costs()
except InputError as error:
    print(error.code, error.details["reason"])
"""


def print_reading(file: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-c", READING],
        env={**os.environ, FILE_SETTING: str(file)},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return done.stdout.strip()


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("[boards.cards]", "[boards.other]", "no boards.cards"),
        ('"card" = {miss_px', '"other" = {miss_px', "no boards.cards.card"),
        ("{miss_px = 0.3, ", "{", "no boards.cards.card.miss_px"),
        ("{miss_px = 0.3, ", '{miss_px = "0.3", ', "boards.cards.card.miss_px is no number"),
        ("{miss_px = 0.3, ", "{miss_px = nan, ", "boards.cards.card.miss_px: no infinite number is accepted"),
        ('"card" = {filled', '"other" = {filled', "no boards.shapes.card"),
        ('"cost" = {', '"costs" = {', "no world_wonders.pieces.cost"),
        ('"cost" = {', '"price" = 3\n"cost" = {', "world_wonders.pieces.price is no table"),
    ],
)
def test_a_number_that_a_file_of_ones_own_lacks_is_named(old: str, new: str, reason: str, tmp_path: Path) -> None:
    file, written = tmp_path / "own.toml", CALIBRATION_FILE.read_text(encoding="utf-8")
    assert written.count(old) == 1
    file.write_text(written.replace(old, new), encoding="utf-8")
    assert print_reading(file) == f"models_damaged {reason}"


def test_a_folder_in_the_place_of_numbers_is_named(tmp_path: Path) -> None:
    assert print_reading(tmp_path).startswith("models_damaged ")
