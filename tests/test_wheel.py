"""An installation without a checkout: a wheel, built here, beside a foreign package called `datasets`."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = ROOT / "datasets" / "examples"
PACKAGES = ("api", "models", "scoring", "vision")
BOARD = "D0V0/-U1 red^1,1=rN blue^0,0=cN"
FOREIGN = {
    "datasets/__init__.py": "from datasets.table import TABLE\n",
    "datasets/table.py": "TABLE = 'of others'\n",
    "datasets-9.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: datasets\nVersion: 9.0\n",
    "datasets-9.0.dist-info/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
}
"""A foreign wheel, with two of the files that Hugging Face's has."""
OVERWRITING = {
    "api/__init__.py": "from api.errors import TheirError\n",
    "api/errors.py": "class TheirError(Exception):\n    pass\n",
    "their_api-9.0.dist-info/METADATA": "Metadata-Version: 2.1\nName: their-api\nVersion: 9.0\n",
    "their_api-9.0.dist-info/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
}
"""A foreign wheel with a package that has the name of one of ours."""


def pip(*arguments: str) -> None:
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", *arguments]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, env=os.environ | {"PYTHONPATH": ""})
    assert ran.returncode == 0, ran.stderr


def files_of(*packages: str) -> set[str]:
    """Return all files of packages in this checkout, except those made by Python."""
    files = (file for package in packages for file in (ROOT / package).rglob("*") if file.is_file())
    return {file.relative_to(ROOT).as_posix() for file in files if file.suffix != ".pyc"}


class Place:
    """An environment of its own; only its programs see the libraries of the tests' environment, not this checkout."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        venv.create(folder, symlinks=True)
        (self.site,) = folder.glob("lib/python*/site-packages")

    def install(self, wheel: Path) -> None:
        pip("--python", str(self.folder), "install", "--no-deps", "--no-index", "--quiet", str(wheel))

    def copy(self, folder: Path) -> Place:
        """Return a copy of this environment with everything installed, which is faster than installing it."""
        own = Place(folder)
        shutil.copytree(self.site, own.site, dirs_exist_ok=True)
        there, here = (place.folder / "bin" / "wondertally" for place in (self, own))
        here.write_text(there.read_text(encoding="utf-8").replace(str(self.folder), str(folder)), encoding="utf-8")
        here.chmod(0o755)
        return own

    def uninstall(self, name: str) -> None:
        pip("--python", str(self.folder), "uninstall", "--yes", "--quiet", name)

    def run(self, command: str, *arguments: str) -> subprocess.CompletedProcess[str]:
        path = os.pathsep.join((str(self.site), sysconfig.get_path("purelib"), sysconfig.get_path("platlib")))
        env = os.environ | {"PYTHONPATH": path, "PYTHONSAFEPATH": "1"}
        whole = [str(self.folder / "bin" / command), *arguments]
        return subprocess.run(whole, cwd=self.folder, env=env, capture_output=True, text=True, check=False)

    def said(self, command: str, *arguments: str) -> str:
        ran = self.run(command, *arguments)
        assert ran.returncode == 0, ran.stderr
        return ran.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a wheel built from a copy of this checkout with an old build, `datasets` included, not cleared away."""
    source, out = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
    for name in ("pyproject.toml", "setup.py", "wondertally.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    for name in (*PACKAGES, "datasets", "tests"):
        shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
    stale = source / "build" / "lib" / "datasets"
    stale.mkdir(parents=True)
    (stale / "__init__.py").touch()
    pip("wheel", "--no-deps", "--no-build-isolation", "--no-index", "--quiet", "--wheel-dir", str(out), str(source))
    (built,) = out.glob("wondertally-*.whl")
    return built


@pytest.fixture(scope="module")
def place(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Place:
    """Return an environment with nothing but the wheel."""
    place = Place(tmp_path_factory.mktemp("installed"))
    place.install(wheel)
    return place


def pack(file: Path, files: dict[str, str]) -> Path:
    """Return a foreign wheel with these files."""
    record = f"{next(name for name in files if '.dist-info/' in name).split('/')[0]}/RECORD"
    with ZipFile(file, "w") as wheel:
        for name, text in files.items():
            wheel.writestr(name, text)
        wheel.writestr(record, "".join(f"{name},,\n" for name in (*files, record)))
    return file


@pytest.fixture(scope="module")
def foreign(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a foreign wheel called `datasets`."""
    return pack(tmp_path_factory.mktemp("foreign") / "datasets-9.0-py3-none-any.whl", FOREIGN)


def test_the_wheel_contains_exactly_what_commands_need(wheel: Path) -> None:
    with ZipFile(wheel) as whole:
        files = {name for name in whole.namelist() if ".dist-info/" not in name}
    assert {name.split("/")[0] for name in files} == {*PACKAGES, "wondertally.py"}
    weights = {name for name in files_of("models") if name.endswith((".onnx", ".md", ".toml"))}
    assert len(weights) > 10
    assert files == files_of("api", "scoring", "vision") | weights | {"models/__init__.py", "wondertally.py"}


def test_the_wheels_own_packages_are_imported(place: Place) -> None:
    names = ", ".join(PACKAGES)
    output = place.said("python", "-c", f"import {names}\nfor own in ({names}): print(own.__file__)")
    assert [Path(line).parents[1] for line in output.split()] == [place.site] * len(PACKAGES)
    lacking = place.run("python", "-m", "datasets.generate")
    assert "No module named 'datasets'" in lacking.stderr


def test_the_library_scores_and_explains_from_the_wheel(place: Place) -> None:
    output = place.said("python", "-c", f"import wondertally as w; print(w.explain(w.score('{BOARD}')).features[0].id)")
    assert output.strip()


def test_commands_run_from_the_wheel(place: Place, tmp_path: Path) -> None:
    assert "evaluate" in place.said("wondertally", "--help")
    scored = json.loads(place.said("wondertally", "board", "score", BOARD, "--json", "-"))
    assert scored["scores"]["final_scoring"] == {"red": 3, "blue": 1}
    for name in ("test_clutter.json", "test_clutter.jpg"):
        shutil.copy(EXAMPLES / name, tmp_path)
    label = str(tmp_path / "test_clutter.json")
    place.said("wondertally", "evaluate", label, "--photos", str(tmp_path), "--out", str(tmp_path / "out"))
    totals = json.loads((tmp_path / "out" / "evaluation.json").read_text(encoding="utf-8"))["totals"]
    assert (totals["photos"], totals["unread"], totals["tiles"]) == (1, 0, 40)
    assert totals["tiles_exact"] >= 36


@pytest.mark.soak
@pytest.mark.parametrize("ours_first", [True, False])
def test_a_foreign_package_called_datasets_is_left_alone(
    place: Place, wheel: Path, foreign: Path, tmp_path: Path, ours_first: bool
) -> None:
    place = place.copy(tmp_path / "place") if ours_first else Place(tmp_path / "place")
    for package in (foreign,) if ours_first else (foreign, wheel):
        place.install(package)
    ask = ("python", "-c", "import datasets; print(datasets.TABLE)")
    assert place.said(*ask) == "of others\n"
    assert "red" in place.said("wondertally", "board", "score", BOARD)
    place.uninstall("datasets")
    assert "red" in place.said("wondertally", "board", "score", BOARD)
    place.install(foreign)
    place.uninstall("wondertally")
    assert place.said(*ask) == "of others\n"


def test_a_distribution_that_overwrites_a_package_is_named(place: Place, tmp_path: Path) -> None:
    place = place.copy(tmp_path / "place")
    place.install(pack(tmp_path / "their_api-9.0-py3-none-any.whl", OVERWRITING))
    ran = place.run("wondertally", "board", "score", BOARD)
    assert (ran.returncode, ran.stdout) == (2, "")
    (line,) = ran.stderr.splitlines()
    error = json.loads(line)["error"]
    assert (error["code"], error["details"]) == (
        "foreign_package",
        {"package": "api", "file": str(place.site / "api")},
    )
    assert "their-api" in error["text"]
