"""Nets that run one after the other share the same memory."""

from __future__ import annotations

import subprocess
import sys

import pytest

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


@pytest.mark.skipif(sys.platform != "linux", reason="the system's figures are asked for")
def test_further_nets_take_hardly_any_memory() -> None:
    done = subprocess.run([sys.executable, "-c", LOOK_WITH_EACH], capture_output=True, text=True, check=True)
    before, first, *_, last = map(int, done.stdout.split())
    assert first - before > 10_000
    assert last - first < first - before
