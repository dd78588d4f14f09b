"""A foreign package with the name of one of ours is one clear error, before any of it is imported."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("api", "models", "scoring", "vision")
INSTALLED = ("-c", "from wondertally import run_command; run_command()")
"""The action of the console script."""
MODULE = ("-m", "wondertally")
WORDS = ("board", "score", "D0 red^0,0=cN")
IMPORTED = "raise RuntimeError('a package of others was imported')\n"


def run(*words: str, path: tuple[Path, ...], folder: Path) -> subprocess.CompletedProcess[str]:
    env = os.environ | {"PYTHONPATH": os.pathsep.join(map(str, path))}
    return subprocess.run([sys.executable, *words], cwd=folder, env=env, capture_output=True, text=True, check=False)


def error_of(done: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    """Return the one line on standard error."""
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    return dict(json.loads(line)["error"])


@pytest.mark.parametrize(
    ("file", "name"),
    [
        *[("{}/__init__.py", name) for name in PACKAGES],
        ("{}.py", "api"),
        *[pytest.param("{}.py", name, marks=pytest.mark.soak) for name in PACKAGES if name != "api"],
    ],
)
def test_a_foreign_package_earlier_on_the_path_is_named(name: str, file: str, tmp_path: Path) -> None:
    foreign = tmp_path / "theirs" / file.format(name)
    foreign.parent.mkdir(parents=True)
    foreign.write_text(IMPORTED)
    error = error_of(run(*INSTALLED, *WORDS, path=(tmp_path / "theirs", ROOT), folder=tmp_path))
    place = foreign.parent if foreign.name == "__init__.py" else foreign
    assert (error["code"], error["details"]) == ("foreign_package", {"package": name, "file": str(place)})
    assert str(place) in error["text"]
    assert str(ROOT / name) in error["text"]


def test_a_folder_of_that_name_in_the_working_directory_is_named(tmp_path: Path) -> None:
    """`python -m` searches there first, the console script does not."""
    (tmp_path / "api").mkdir()
    (tmp_path / "api" / "__init__.py").write_text(IMPORTED)
    error = error_of(run(*MODULE, *WORDS, path=(ROOT,), folder=tmp_path))
    assert error["details"] == {"package": "api", "file": str(tmp_path / "api")}
    done = run("-P", *INSTALLED, *WORDS, path=(ROOT,), folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_folder_without_modules_causes_no_error(tmp_path: Path) -> None:
    (tmp_path / "models").mkdir()
    done = run(*MODULE, *WORDS, path=(ROOT,), folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "red" in done.stdout


def test_the_library_is_imported_and_reports_the_conflict_when_used(tmp_path: Path) -> None:
    (tmp_path / "scoring.py").write_text(IMPORTED)
    code = """
import wondertally
for use in (lambda: wondertally.score("D0"), lambda: wondertally.WondertallyError):
    try:
        use()
    except ImportError as error:
        print(error.name, error.path)
"""
    done = run("-c", code, path=(ROOT,), folder=tmp_path)
    assert (done.stdout, done.stderr) == (f"scoring {tmp_path / 'scoring.py'}\n" * 2, "")


def test_a_missing_package_is_named(tmp_path: Path) -> None:
    shutil.copy(ROOT / "wondertally.py", tmp_path)
    error = error_of(run("-S", "wondertally.py", *WORDS, path=(), folder=tmp_path))
    assert error["details"] == {"package": "api", "file": str(tmp_path / "api")}
    assert "install wondertally anew" in error["text"]


def test_the_module_runs_the_commands(tmp_path: Path) -> None:
    done = run(*MODULE, *WORDS, path=(ROOT,), folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "red" in done.stdout
    failed = run(*MODULE, "score", "none.jpg", path=(ROOT,), folder=tmp_path)
    assert failed.returncode == 2
    assert json.loads(failed.stderr)["error"]["code"] == "photo_not_found"
