"""The page's modules: their types, unit tests of their logic in node, and the documentation of the API."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest
from playwright.sync_api import expect

from api.page.phrases import load_phrases
from api.page.site import describe_kinds
from tests.api.page.browser import REQUIRED, skip_unless_required
from tests.api.page.conftest import Open
from tests.api.serving import Running

STATIC = Path(__file__).parents[3] / "api" / "page" / "static"
IMPORTED = re.compile(r"""(?:from |import\(|import )"(\.{1,2}/[\w/.-]+)\"""")
MAX_MODULES = 22
UNCHECKED = {
    *("boards/board_canvas", "boards/board_work", "boards/tile_shapes", "event/event_add", "event/event_desk"),
    *("pages/boards", "pages/desk", "pages/keep", "pages/start", "spots/spot_overlay", "spots/spot_typed"),
    *("spots/spot_view", "wonders/wonder_board", "wonders/wonder_enrol_sheet"),
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


def test_no_folder_of_the_page_holds_too_many_modules() -> None:
    counts = Counter(file.parent.name for file in STATIC.rglob("*.js"))
    assert STATIC.name not in counts
    assert {folder: count for folder, count in counts.items() if count > MAX_MODULES} == {}


def test_folders_of_the_page_have_no_cyclic_imports() -> None:
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


def test_every_module_is_type_checked_except_the_listed_ones() -> None:
    first_lines = {
        file.relative_to(STATIC).with_suffix("").as_posix(): file.read_text(encoding="utf-8").split("\n", 1)[0]
        for file in STATIC.rglob("*.js")
    }
    assert {name for name, line in first_lines.items() if line == "// @ts-nocheck"} == UNCHECKED
    assert {name for name, line in first_lines.items() if line != "// @ts-check"} == UNCHECKED


UNITS = Path(__file__).parent / "units"
OLDEST_NODE = 20
"""The oldest node whose test runner and whose JavaScript the tests use."""


def find_node() -> str:
    """Return the path of node; skips the test without one that is new enough, or fails it if one is required."""
    node = shutil.which("node")
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout if node else "v0"
    if node is None or int(version.removeprefix("v").split(".")[0]) < OLDEST_NODE:
        skip_unless_required(
            f"no node {OLDEST_NODE} or newer, which runs the page's unit tests: apt-get install nodejs"
        )
    return node


def test_every_javascript_unit_test_passes(tmp_path: Path) -> None:
    page = tmp_path / "page.json"
    page.write_text(json.dumps({"words": load_phrases("en"), "kinds": describe_kinds()}), encoding="utf-8")
    files = sorted(str(file) for file in UNITS.glob("*.test.js"))
    command = [find_node(), "--test", "--test-reporter=tap", *files]
    env = os.environ | {"WONDERTALLY_PAGE": str(page)}
    ran = subprocess.run(command, capture_output=True, text=True, check=False, env=env)
    assert ran.returncode == 0, ran.stdout + ran.stderr
    counted = re.search(r"^# pass (\d+)$", ran.stdout, re.MULTILINE)
    assert counted
    assert int(counted[1]) >= 4 * len(files)


def test_a_missing_node_fails_if_the_pages_tests_are_required(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setenv(REQUIRED, "required")
    with pytest.raises(pytest.fail.Exception, match="no node"):
        find_node()
    monkeypatch.delenv(REQUIRED)
    with pytest.raises(pytest.skip.Exception):
        find_node()


@pytest.mark.soak
def test_the_api_documentation_is_readable_and_can_be_tried(server: Running, opened: Open) -> None:
    page = opened(f"{server.url}/docs")  # its `watch` fails if another host is asked, or the policy broken
    expect(page.locator("#operations-readings-create_reading")).to_contain_text("/v1/readings")
    rules = page.locator("#operations-catalogue-get_rules")
    rules.locator("button.opblock-summary-control").click()
    rules.get_by_role("button", name="Try it out").click()
    rules.get_by_role("button", name="Execute").click()
    expect(rules.locator(".live-responses-table")).to_contain_text('"C3"')
