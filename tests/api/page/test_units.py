"""The page's logic without a browser: its modules in node's own test runner."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from api.page.phrases import load_phrases
from api.page.site import describe_kinds

UNITS = Path(__file__).parent / "units"
NODE = shutil.which("node")
OLDEST = 20
"""The oldest node whose test runner and whose JavaScript the tests use."""


def is_node_able() -> bool:
    """Return whether there is a node that is new enough."""
    if NODE is None:
        return False
    version = subprocess.run([NODE, "--version"], capture_output=True, text=True, check=True).stdout
    return int(version.removeprefix("v").split(".")[0]) >= OLDEST


def test_every_module_keeps_its_promises(tmp_path: Path) -> None:
    if not is_node_able():
        pytest.skip(f"no node {OLDEST} or newer, which runs the page's unit tests: apt-get install nodejs")
    assert NODE is not None
    page = tmp_path / "page.json"
    page.write_text(json.dumps({"words": load_phrases("en"), "kinds": describe_kinds()}), encoding="utf-8")
    files = sorted(str(file) for file in UNITS.glob("*.test.js"))
    command = [NODE, "--test", "--test-reporter=tap", *files]
    env = os.environ | {"WONDERTALLY_PAGE": str(page)}
    ran = subprocess.run(command, capture_output=True, text=True, check=False, env=env)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    counted = re.search(r"^# pass (\d+)$", ran.stdout, re.MULTILINE)
    assert counted
    assert int(counted[1]) >= 4 * len(files)
