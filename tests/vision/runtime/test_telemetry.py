"""No telemetry reports that photos are read here."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

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


@pytest.mark.parametrize("code", [LOOK, TRAIN])
def test_nets_leave_nothing_in_their_owners_home(code: str, tmp_path: Path) -> None:
    """ONNX Runtime keeps there the number that it gives a machine, and the telemetry it is about to send."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "ORT_"))}
    environment = {**kept, "HOME": str(tmp_path), "PYTHONDONTWRITEBYTECODE": "1"}
    subprocess.run([sys.executable, "-c", code], env=environment, check=True)
    assert list(tmp_path.rglob("*")) == []
