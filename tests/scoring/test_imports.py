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
PROGRAMS = {
    "datasets/benchmark/attacks/mutant_readings.py": {
        "api.documents.table_options",
        "api.games.registry",
        "api.reading.tools",
        "api.spots.tables",
    },
    "datasets/benchmark/reports.py": {"api.carcassonne.report.builder"},
    "datasets/evaluation/games.py": {
        "api.carcassonne.report.moves",
        "api.carcassonne.report.moves_schema",
        "api.documents.game_corrections",
        "api.reading.surveys",
    },
}
"""Programs that use the documents as people get them, like the commands: their imports of a package above."""
SCORES = {
    "scoring.carcassonne.doubt.relevance",
    *(
        f"scoring.carcassonne.final.{name}"
        for name in (
            "assumptions",
            "explain",
            "farms",
            "scoring",
            "wonders",
            "rulesets",
            "sheet",
            "table",
        )
    ),
    *(f"scoring.tower_of_babel.{name}" for name in ("final", "game")),
    *(f"scoring.world_wonders.{name}" for name in ("final", "game", "objectives")),
}
"""Modules that do not concern the reader: it takes the catalogue, the board and its features."""
EVALUATION = ROOT / "vision" / "evaluation"
"""Modules that compare readings with labels, including points: no part of reading."""
PARSERS = {
    "scoring.carcassonne.board.board": ("notation", "label", "places", "features", "problems", "tile_counts"),
    "scoring.carcassonne.record.record": ("text",),
    "scoring.carcassonne.wonders.tiles": ("files", "catalogue", "drawing", "validation"),
    "scoring.spots.game": ("text", "table"),
    "scoring.world_wonders.terrain": ("places",),
}
"""Modules of values, each with neighbours that read, write or judge it: these import it, never the reverse."""
GAME_ROOMS = ("api.carcassonne", "api.spots")
LOWER_ROOMS = {
    "api.documents": (*GAME_ROOMS, "api.games", "api.http", "api.i18n", "api.inputs", "api.reading", "api.service"),
    "api.carcassonne": ("api.games", "api.http", "api.schemas", "api.service", "api.spots", "api.tournament"),
    "api.spots": ("api.carcassonne", "api.games", "api.http", "api.schemas", "api.service", "api.tournament"),
    "api.service": ("api.http", "api.schemas"),
}
"""Rooms of `api`, each with rooms above or beside it, which it does not import."""
PIXELS = {"cv2", "PIL", "torch", "onnxruntime", "ortools"}


@pytest.mark.parametrize("package", MAY_IMPORT)
def test_a_package_imports_only_those_below_it(package: str) -> None:
    allowed = MAY_IMPORT[package] | {package}
    wrong = [
        (str(file.relative_to(ROOT)), module)
        for file, module in _imports(package)
        if module.split(".")[0] in MAY_IMPORT.keys() - allowed
    ]
    assert [(file, module) for file, module in wrong if module not in PROGRAMS.get(file, ())] == []


def test_every_listed_scoring_module_exists() -> None:
    assert [name for name in SCORES if not (ROOT / f"{name.replace('.', '/')}.py").is_file()] == []


@pytest.mark.parametrize("package", MAY_IMPORT)
def test_packages_have_no_cyclic_imports(package: str) -> None:
    """A room is a folder of modules; a module outside any, at the package's root, is one by itself."""
    rooms: dict[str, set[str]] = {}
    for file, module in _imports(package):
        here, there = _find_room(_name_module(file)), _find_room(module)
        if there.split(".")[0] == package and here != there:
            rooms.setdefault(here, set()).add(there)
    assert len(rooms) >= 2
    assert list(TopologicalSorter(rooms).static_order())


@pytest.mark.parametrize("value", PARSERS)
def test_value_modules_do_not_import_their_parsers(value: str) -> None:
    room = value.rpartition(".")[0]
    parsers = {f"{room}.{name}" for name in PARSERS[value]}
    graph = _build_module_graph("scoring")
    assert parsers <= graph.keys()
    assert _find_reachable(graph, value) & parsers == set()


@pytest.mark.parametrize("package", ["scoring", "api"])
def test_modules_have_no_cyclic_imports(package: str) -> None:
    """Imports inside functions count as well: they would hide a circle."""
    graph = _build_module_graph(package)
    assert len(graph) > 80
    assert set(TopologicalSorter(graph).static_order()) == graph.keys()


@pytest.mark.parametrize("room", LOWER_ROOMS)
def test_a_lower_package_of_the_interfaces_imports_none_above(room: str) -> None:
    """Imports inside functions and those for types alone count as well."""
    imports = [(_name_module(file), module) for file, module in _imports("api") if _find_room_above(file) == room]
    assert imports
    above = LOWER_ROOMS[room]
    assert [entry for entry in imports if any(_lies_in(entry[1], other) for other in above)] == []


def test_the_protocol_of_games_uses_only_document_types() -> None:
    """Neither the games' own classes nor a document's form named only for types."""
    used = {module for file, module in _imports("api") if _name_module(file) == "api.games.protocol"}
    ours = {module for module in used if module.startswith("api.")}
    assert {module.split(".")[1] for module in ours} == {"documents", "i18n", "reading"}


def test_no_folder_holds_too_many_modules() -> None:
    counts = Counter(file.parent for package in (*MAY_IMPORT, "tests") for file in (ROOT / package).rglob("*.py"))
    assert {folder: count for folder, count in counts.items() if count > MAX_MODULES} == {}


def test_the_reader_only_runs_stages_and_stages_import_few_modules() -> None:
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


def test_no_module_imports_a_program() -> None:
    programs = {file.removesuffix(".py").replace("/", ".") for file in PROGRAMS}
    imports = [(file.name, module) for package in MAY_IMPORT for file, module in _imports(package)]
    assert [(file, module) for file, module in imports if module in programs] == []


def test_scoring_imports_nothing_for_pixels() -> None:
    assert [(file.name, module) for file, module in _imports("scoring") if module.split(".")[0] in PIXELS] == []


def test_the_reader_imports_neither_scoring_nor_evaluation() -> None:
    reader = [(file, module) for file, module in _imports("vision") if EVALUATION not in file.parents]
    assert [(file.name, module) for file, module in reader if module in SCORES] == []
    assert [(file.name, module) for file, module in reader if module.startswith("vision.evaluation")] == []


def test_installed_packages_import_nothing_from_the_checkout() -> None:
    """A wheel lacks these, and their names belong to others' packages: `datasets` is Hugging Face's."""
    left_out = {"datasets", "tests", "models"}
    imports = [(file.name, module) for package in ("api", "vision", "scoring") for file, module in _imports(package)]
    assert len(imports) > 1000
    assert [entry for entry in imports if entry[1].split(".")[0] in left_out] == []


def test_only_models_and_tests_need_torch() -> None:
    for package in MAY_IMPORT.keys() - {"models"}:
        assert [file.name for file, module in _imports(package) if module.split(".")[0] == "torch"] == []


def _name_module(file: Path) -> str:
    return ".".join(file.relative_to(ROOT).with_suffix("").parts)


def _find_room_above(file: Path) -> str:
    """Return the room of `api` that a file lies in, at any depth."""
    return ".".join(file.relative_to(ROOT).parts[:2])


def _lies_in(module: str, room: str) -> bool:
    return f"{module}.".startswith(f"{room}.")


def _find_room(module: str) -> str:
    """Return the package that a module lies in; for a module at the root of its package, the module itself."""
    parts = module.split(".")
    file = ROOT.joinpath(*parts).with_suffix(".py")
    folder = parts[:-1] if file.is_file() else parts
    return ".".join(folder if len(folder) > 1 else parts)


@cache
def _build_module_graph(package: str) -> dict[str, set[str]]:
    """Return the modules of a package, each with those of the package that it imports."""
    files = {_name_module(file): file for file in (ROOT / package).rglob("*.py") if file.name != "__init__.py"}
    graph: dict[str, set[str]] = {name: set() for name in files}
    for name, file in files.items():
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.module:
                targets = {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
                graph[name] |= targets & files.keys()
    return graph


def _find_reachable(graph: dict[str, set[str]], start: str) -> set[str]:
    """Return the modules that a module imports, directly or through others."""
    reachable: set[str] = set()
    fringe = set(graph[start])
    while fringe:
        reachable |= fringe
        fringe = {target for module in fringe for target in graph[module]} - reachable
    return reachable


@cache
def _imports(package: str) -> list[tuple[Path, str]]:
    return list(_find_imports(package))


def _find_imports(package: str) -> Iterator[tuple[Path, str]]:
    for file in sorted((ROOT / package).rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                yield from ((file, alias.name) for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                names = {f"{node.module}.{alias.name}" for alias in node.names}
                modules = {name for name in names if _is_module(name)}
                yield from ((file, module) for module in sorted(modules or {node.module}))


def _is_module(name: str) -> bool:
    return ROOT.joinpath(*name.split(".")).with_suffix(".py").is_file()
