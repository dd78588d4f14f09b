"""The page's modules: few enough in each folder to survey, and imports between folders that run one way."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

STATIC = Path(__file__).parents[3] / "api" / "page" / "static"
IMPORTED = re.compile(r"""(?:from |import\(|import )"(\.{1,2}/[\w/.-]+)\"""")
MAX_MODULES = 22
UNCHECKED = {
    *("boards/board_canvas", "boards/board_work", "boards/tile_shapes", "event/event_add", "event/event_desk"),
    *("pages/boards", "pages/desk", "pages/keep", "pages/start", "spots/spot_overlay", "spots/spot_typed"),
    *("spots/spot_view", "wonders/wonder_board", "wonders/wonder_teach"),
}
"""Modules whose types are not checked yet; each one that is checked leaves this list."""


@cache
def list_imports() -> list[tuple[Path, Path]]:
    """List the pairs of modules of which the first imports the second, at once or later."""
    return list(find_imports())


def find_imports() -> Iterator[tuple[Path, Path]]:
    for file in sorted(STATIC.rglob("*.js")):
        for name in IMPORTED.findall(file.read_text(encoding="utf-8")):
            yield file, (file.parent / name).resolve()


def test_no_folder_of_the_page_holds_more_modules_than_a_reader_can_see() -> None:
    counts = Counter(file.parent.name for file in STATIC.rglob("*.js"))
    assert STATIC.name not in counts
    assert {folder: count for folder, count in counts.items() if count > MAX_MODULES} == {}


def test_no_circle_joins_folders_of_the_page() -> None:
    folders: dict[str, set[str]] = {file.parent.name: set() for file in STATIC.rglob("*.js")}
    for file, target in list_imports():
        if file.parent != target.parent:
            folders[file.parent.name].add(target.parent.name)
    order = list(TopologicalSorter(folders).static_order())
    assert order[0] == "lib"
    assert order[-1] == "pages"


def test_every_import_of_the_page_finds_its_module() -> None:
    assert len(list_imports()) > 300
    assert [(file.name, target.name) for file, target in list_imports() if not target.is_file()] == []


def test_types_are_checked_in_every_module_but_those_left() -> None:
    first_lines = {
        file.relative_to(STATIC).with_suffix("").as_posix(): file.read_text(encoding="utf-8").split("\n", 1)[0]
        for file in STATIC.rglob("*.js")
    }
    assert {name for name, line in first_lines.items() if line == "// @ts-nocheck"} == UNCHECKED
    assert {name for name, line in first_lines.items() if line != "// @ts-check"} == UNCHECKED
