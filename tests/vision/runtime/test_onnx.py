"""Nets share memory and leave other cores alone, nothing reports them, and an unreadable file of theirs is named."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from threadpoolctl import threadpool_info, threadpool_limits

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
LOOK_WITH_EACH = """
import re
from pathlib import Path
import numpy as np
from vision.runtime.onnx import MODELS, Net

def measure():
    return int(re.findall(r"VmRSS:\\s+(\\d+) kB", Path("/proc/self/status").read_text())[0])

nets = [Net(MODELS / "localiser.onnx", threads=1) for _ in range(6)]
picture = np.full((1, 480, 640, 3), 100, np.uint8)
held = [measure()]
for net in nets:
    net(picture)
    held.append(measure())
print(*held)
"""
LOOK = """
from vision.runtime.onnx import MODELS, Net
Net(MODELS / "kinds.onnx")
"""
TRAIN = """
import models.training
from pathlib import Path
import onnxruntime
onnxruntime.InferenceSession(str(Path(models.training.__file__).parents[1] / "kinds.onnx"))
"""


@pytest.mark.parametrize("kept_bytes", [0, 100, 5000])
def test_a_truncated_net_is_named(kept_bytes: int, tmp_path: Path) -> None:
    whole = next(iter(sorted(MODELS.glob("*.onnx"))))
    cut = tmp_path / whole.name
    cut.write_bytes(whole.read_bytes()[:kept_bytes])
    with pytest.raises(InputError) as error:
        Net(cut)
    assert (error.value.code, error.value.details["file"]) == ("models_damaged", whole.name)


@pytest.mark.parametrize("written", [b"", b"x", b"[carcassonne]\n", b"\xff\xfe", b"carcassonne = 3\n"])
def test_unreadable_numbers_are_named(written: bytes, tmp_path: Path) -> None:
    file = tmp_path / CALIBRATION_FILE.name
    file.write_bytes(written)
    environment = {**os.environ, FILE_SETTING: str(file)}
    done = subprocess.run(
        [sys.executable, "-c", LOADING], env=environment, capture_output=True, text=True, check=True, timeout=60
    )
    assert done.stdout.split() == ["models_damaged", file.name]


READING = """
from scoring.errors import InputError
from vision.showing.bank_card import load_card_weights
from vision.showing.outlines import load_shape_rules
from vision.showing.quad_sides import load_edge_weights
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
        ("{miss_px = 0.3, ", "{", "no boards.cards.card.miss_px"),
        ("{miss_px = 0.3, ", '{miss_px = "0.3", ', "boards.cards.card.miss_px is no number"),
        ("{miss_px = 0.3, ", "{miss_px = nan, ", "boards.cards.card.miss_px: no infinite number is accepted"),
        ('"cost" = {', '"price" = 3\n"cost" = {', "world_wonders.pieces.price is no table"),
    ],
)
def test_a_number_missing_in_an_own_file_is_named(old: str, new: str, reason: str, tmp_path: Path) -> None:
    file, written = tmp_path / "own.toml", CALIBRATION_FILE.read_text(encoding="utf-8")
    assert written.count(old) == 1
    file.write_text(written.replace(old, new), encoding="utf-8")
    assert print_reading(file) == f"models_damaged {reason}"


def test_a_folder_in_place_of_the_numbers_is_named(tmp_path: Path) -> None:
    assert print_reading(tmp_path).startswith("models_damaged ")


def blas_threads() -> list[int]:
    return [library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"]


@pytest.mark.skipif(not blas_threads(), reason="which library NumPy's linear algebra comes of cannot be told")
def test_a_net_limits_linear_algebra_to_one_thread() -> None:
    with threadpool_limits(limits=2, user_api="blas"):
        assert max(blas_threads()) == 2
        Net(MODELS / "coats.onnx")
        assert set(blas_threads()) == {1}


@pytest.mark.skipif(sys.platform != "linux", reason="the system's figures are asked for")
def test_further_nets_use_hardly_any_memory() -> None:
    done = subprocess.run([sys.executable, "-c", LOOK_WITH_EACH], capture_output=True, text=True, check=True)
    before, first, *_, last = map(int, done.stdout.split())
    assert first - before > 10_000
    assert last - first < first - before


@pytest.mark.parametrize("code", [LOOK, TRAIN])
def test_nets_write_nothing_to_the_home_folder(code: str, tmp_path: Path) -> None:
    """ONNX Runtime keeps there the number that it gives a machine, and the telemetry it is about to send."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "ORT_"))}
    environment = {**kept, "HOME": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}
    subprocess.run([sys.executable, "-c", code], env=environment, check=True)
    assert list(tmp_path.rglob("*")) == []
