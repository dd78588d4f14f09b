"""Imports between the packages run one way."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

MAX_MODULES = 22
MAX_IMPORTS_OF_READER, MAX_IMPORTS_OF_STAGES = 18, 20
"""Modules of ours that `vision.reader` imports, and that any module imports which it needs to read a photo."""
ROOT = Path(__file__).resolve().parents[2]
MAY_IMPORT = {
    "scoring": set(),
    "vision": {"scoring"},
    "datasets": {"vision", "scoring"},
    "models": {"datasets", "vision", "scoring"},
    "api": {"vision", "scoring"},
}
PROGRAMS = {"datasets/benchmark/reports.py": "api.report.builder"}
"""Started by a benchmark as a process, as the commands are: what it imports of a package above it."""
SCORES = {
    "scoring.carcassonne.doubt.relevance",
    *(
        f"scoring.carcassonne.final.{name}"
        for name in ("explain", "farms", "scoring", "wonders", "rulesets", "sheet", "table")
    ),
    *(f"scoring.tower_of_babel.{name}" for name in ("final", "game", "play")),
    *(f"scoring.world_wonders.{name}" for name in ("features", "final", "game", "objectives", "solo")),
}
"""None of the reader's business: it takes the catalogue, the board and its features."""
EVALUATION = ROOT / "vision" / "evaluation"
"""Holds readings against labels, points among it: no part of reading."""
PIXELS = {"cv2", "PIL", "torch", "onnxruntime", "ortools"}


@pytest.mark.parametrize("package", MAY_IMPORT)
def test_a_package_imports_only_those_below_it(package: str) -> None:
    allowed = MAY_IMPORT[package] | {package}
    wrong = [
        (str(file.relative_to(ROOT)), module)
        for file, module in _imports(package)
        if module.split(".")[0] in MAY_IMPORT.keys() - allowed
    ]
    assert [own for own in wrong if own not in PROGRAMS.items()] == []


def test_every_module_that_scores_is_there() -> None:
    assert [name for name in SCORES if not (ROOT / f"{name.replace('.', '/')}.py").is_file()] == []


@pytest.mark.parametrize("package", MAY_IMPORT)
def test_no_circle_joins_rooms(package: str) -> None:
    """A room is a folder of modules; a module that lies in none, at the package's root, is one by itself."""
    rooms: dict[str, set[str]] = {}
    for file, module in _imports(package):
        here, there = _find_room(_name_module(file)), _find_room(module)
        if there.split(".")[0] == package and here != there:
            rooms.setdefault(here, set()).add(there)
    assert len(rooms) >= 2
    assert list(TopologicalSorter(rooms).static_order())


def test_no_folder_holds_more_modules_than_a_reader_can_see() -> None:
    counts = Counter(file.parent for package in MAY_IMPORT for file in (ROOT / package).rglob("*.py"))
    assert {folder: count for folder, count in counts.items() if count > MAX_MODULES} == {}


def test_the_reader_only_runs_its_stages_and_no_stage_imports_more_than_can_be_overseen() -> None:
    imports: dict[str, set[str]] = {}
    for file, module in [*_imports("vision"), *_imports("scoring")]:
        if module.split(".")[0] in {"vision", "scoring"}:
            imports.setdefault(_name_module(file), set()).add(module)
    stages, left = set[str](), ["vision.reader"]
    while left:
        if (module := left.pop()) not in stages:
            stages.add(module)
            left.extend(imports.get(module, ()))
    assert stages >= {"vision.survey.surveyor", "vision.multiview.joiner", "vision.score_track.track_reader"}
    assert len(imports["vision.reader"]) <= MAX_IMPORTS_OF_READER
    counts = {module: len(imports.get(module, ())) for module in stages}
    assert {module: count for module, count in counts.items() if count > MAX_IMPORTS_OF_STAGES} == {}


def test_nothing_imports_a_program() -> None:
    programs = {file.removesuffix(".py").replace("/", ".") for file in PROGRAMS}
    assert [(file.name, own) for package in MAY_IMPORT for file, own in _imports(package) if own in programs] == []


def test_scoring_knows_nothing_of_pixels() -> None:
    assert [(file.name, module) for file, module in _imports("scoring") if module.split(".")[0] in PIXELS] == []


def test_the_reader_does_not_score_and_knows_nothing_of_evaluation() -> None:
    reader = [(file, module) for file, module in _imports("vision") if EVALUATION not in file.parents]
    assert [(file.name, module) for file, module in reader if module in SCORES] == []
    assert [(file.name, module) for file, module in reader if module.startswith("vision.evaluation")] == []


def test_what_is_installed_needs_nothing_of_the_checkout() -> None:
    """What a wheel does not hold, and whose names are others' packages: `datasets` is Hugging Face's."""
    left_out = {"datasets", "tests", "models"}
    found = [(file.name, module) for package in ("api", "vision", "scoring") for file, module in _imports(package)]
    assert len(found) > 1000
    assert [own for own in found if own[1].split(".")[0] in left_out] == []


def test_only_models_and_tests_need_torch() -> None:
    for package in MAY_IMPORT.keys() - {"models"}:
        assert [file.name for file, module in _imports(package) if module.split(".")[0] == "torch"] == []


def _name_module(file: Path) -> str:
    return ".".join(file.relative_to(ROOT).with_suffix("").parts)


def _find_room(module: str) -> str:
    """Return the package that a module lies in; of a module at the root of its package, the module itself."""
    parts = module.split(".")
    file = ROOT.joinpath(*parts).with_suffix(".py")
    folder = parts[:-1] if file.is_file() else parts
    return ".".join(folder if len(folder) > 1 else parts)


@cache
def _imports(package: str) -> list[tuple[Path, str]]:
    return list(_find_imports(package))


def _find_imports(package: str) -> Iterator[tuple[Path, str]]:
    for file in sorted((ROOT / package).rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                yield from ((file, alias.name) for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                yield file, node.module
