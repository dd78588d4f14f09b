"""Batches without the extra `cluster`."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

EXAMPLES = Path(__file__).parents[3] / "datasets" / "examples"


def test_without_dask_a_batch_runs_here_and_a_cluster_is_refused(tmp_path: Path) -> None:
    """Without the extra `cluster`, batch and library read, and only a scheduler's address is an error."""
    (tmp_path / "sitecustomize.py").write_text("import sys\n\nsys.modules['distributed'] = None\n")
    started = [sys.executable, "-c", "from api.cli.main import main; main()"]
    env = os.environ | {"PYTHONPATH": str(tmp_path)}

    def run_without(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([*started, *words], env=env, capture_output=True, text=True, check=False)

    folder, out = tmp_path / "photos", tmp_path / "out"
    folder.mkdir()
    shutil.copy(EXAMPLES / "test_level.jpg", folder / "table.jpg")
    refused = run_without("batch", str(folder), "--out", str(out), "--scheduler", "tcp://127.0.0.1:8786")
    assert refused.returncode == 2
    assert json.loads(refused.stderr)["error"]["code"] == "cluster_missing"
    read = run_without("batch", str(folder), "--out", str(out))
    assert (read.returncode, "table.jpg" in (out / "results.csv").read_text()) == (0, True)
