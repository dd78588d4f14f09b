"""A batch of a game of spots: a worker's reading of a table, and the results and standings of several."""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from api.batch import work
from api.batch.work import read_table, score_snapshot
from api.batch.worker_identity import compute_enrolment_digest, compute_identity
from api.games.registry import parse_snapshot_json
from api.tournament.listed_tables import ListedTable, group_photos_by_table
from api.tournament.results import Result, write_results
from tests.api.pebbles.tables import COMPONENTS, enrol, photo, register

LISTING = (
    "photo,event,round,table,red,blue,wonders\n"
    "a.png,Cup,1,1,Ana,Ben,\n"
    "b.png,Cup,1,2,Eva,Jon,\n"
)  # fmt: skip
TABLES = {"a.png": {(0, 0): "red", (0, 1): "red", (1, 2): "blue"}, "b.png": {(0, 0): "blue", (0, 1): "red"}}


@pytest.fixture
def tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[ListedTable]]:
    """Return two tables whose photos lie in a folder, in an enrolled game."""
    register(monkeypatch)
    monkeypatch.setenv("WONDERTALLY_DATA", str(tmp_path / "data"))
    for cached in (work._get_tables, compute_identity):
        cached.cache_clear()
    enrol()
    for name, pebbles in TABLES.items():
        photo(tmp_path / name, pebbles)
    yield group_photos_by_table(list(TABLES), LISTING, None)
    for cached in (work._get_tables, compute_identity):
        cached.cache_clear()


def told_of(folder: Path, table: ListedTable, game: str) -> dict[str, Any]:
    photos = tuple((name, sha256((folder / name).read_bytes()).hexdigest()) for name in table.photos)
    return read_table(str(folder), photos, "C3", table.said, game)


@pytest.mark.parametrize("game", ["", "pebbles"])
def test_tables_are_read_named_and_placed(tables: list[ListedTable], tmp_path: Path, game: str) -> None:
    results = []
    for table in tables:
        result = told_of(tmp_path, table, game)
        assert result["passing"] == {}
        assert len(result["contents"]) == 1
        results.append(Result(table, json.loads(result["report"])))
    summary = write_results(tmp_path, results)
    assert [row.status for row in summary.rows] == ["doubtful", "doubtful"], "who has the sun is not told"
    assert all(row.whole for row in summary.rows), "nothing is scored before the end"
    assert [(standing.player, standing.points) for standing in summary.standings] == [
        ("Ana", 2),
        ("Eva", 1),
        ("Jon", 1),
        ("Ben", 1),
    ]
    rows = (tmp_path / "results.csv").read_text().splitlines()
    assert "Cup,1,1,a.png,doubtful,red,Ana,2,,2,1" in rows[1]
    lines = [json.loads(line) for line in (tmp_path / "results.jsonl").read_text().splitlines()]
    assert [(line["game"], line["batch"]["table"]) for line in lines] == [("pebbles", "1"), ("pebbles", "2")]


def test_a_stored_reading_is_rescored_with_other_facts(tables: list[ListedTable], tmp_path: Path) -> None:
    result = told_of(tmp_path, tables[0], "pebbles")
    corrections = json.dumps([{"kind": "spot", "id": "sun", "value": "blue"}])
    anew = json.loads(score_snapshot(parse_snapshot_json(result["held"]), corrections)["report"])
    assert anew["scores"]["total"] == {"red": 2, "blue": 3}
    assert not anew["doubtful"]
    strange = score_snapshot(
        parse_snapshot_json(result["held"]), json.dumps([{"kind": "track", "colour": "red", "points": 9}])
    )
    assert strange["error"]["code"] == "spot_unknown", "Pebbles has no track"


def test_a_missing_component_is_the_tables_error(tables: list[ListedTable], tmp_path: Path) -> None:
    before = compute_enrolment_digest()
    enrol(components=COMPONENTS.replace("row_bonus = 4", ""))
    assert compute_enrolment_digest() != before, "what was not read for want of a component is read anew"
    photo(tmp_path / "a.png", {(0, 0): "red", (0, 1): "red", (0, 2): "red"})
    result = told_of(tmp_path, tables[0], "pebbles")
    assert result["error"]["code"] == "component_missing"
