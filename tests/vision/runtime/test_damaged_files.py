"""A net or a file of fitted numbers that cannot be read: an error with a code, which names the file."""

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
