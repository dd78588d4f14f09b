"""World Wonders on the command line, from a person's components file to a score sheet with explanations."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from scoring.spots.game import Value
from scoring.spots.text import SpotTable, format_table
from tests.api.commands import run_parsed
from tests.api.spots_seen import MAP
from tests.scoring.world_wonders.cities import TRACKS, beside, city, no_cards

CITIES = city("red", ". . . ./. . giza1 ./. L1 L1 r2/r1 r1 L1 r2") | city("blue", ". . . ./. . . ./. . . ./r1 F1 . .")


@pytest.fixture(autouse=True)
def told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Write a components file, without the symbols that population is checked against."""
    monkeypatch.setenv("WONDERTALLY_DATA", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    tracks = "\n".join(line for line in TRACKS.splitlines() if not line.startswith("population"))
    Path("mine.toml").write_text(MAP + tracks)


def line(*parts: dict[str, Value], players: tuple[str, ...] = ("red", "blue")) -> str:
    values = {spot: value for part in parts for spot, value in part.items()}
    return format_table(SpotTable("world-wonders", players, values))


def report(capsys: pytest.CaptureFixture[str], table: str) -> Any:
    run_parsed(capsys, "enrol", "board", "--game", "world-wonders", "--components", "mine.toml")
    _, out, error = run_parsed(capsys, "board", "score", table, "--json", "-")
    assert error is None
    return json.loads(out)


def test_without_a_components_file_the_map_side_is_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    _, _, error = run_parsed(capsys, "board", "score", line(CITIES))
    assert (error["code"], error["details"]["key"]) == ("component_missing", "map.side")


def test_a_table_is_scored(capsys: pytest.CaptureFixture[str]) -> None:
    """Rings, the least resource, Giza, a natural resource (the other is covered), the library's district, the road."""
    markers = beside("red", 2, (8, 3, 5)) | beside("blue", 4, (2, 2, 2), loan=True)
    cards = no_cards() | {"objective.1": "longest-road"}
    document = report(capsys, line(CITIES, markers, cards))
    assert document["scores"]["final_scoring"] == {"red": 1 + 3 + 2 + 1 + 1 + 3, "blue": 3 + 2 - 2 + 1 + 1}
    assert document["scores"]["winners"] == ["red"]
    assert (document["doubtful"], document["board"]["problems"]) == (False, [])
    assert report(capsys, document["board"]["notation"])["scores"] == document["scores"]


def test_unknown_objectives_are_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    document = report(capsys, line(CITIES, beside("red", 2, (8, 3, 5)), beside("blue", 4, (2, 2, 2))))
    assert document["doubtful"]
    assert {doubt["spot"] for doubt in document["doubts"]} == {"objective.1", "objective.2", "objective.3"}
    assert document["scores"]["winners"] == []


def test_a_broken_rule_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    document = report(capsys, line(CITIES, {"map.blue.0.0": "temple#1"}))
    (problem,) = document["board"]["problems"]
    assert (problem["code"], problem["spots"]) == ("lonely_building", ["map.blue.0.0"])


def test_features_of_two_players_are_named_with_their_owners(capsys: pytest.CaptureFixture[str]) -> None:
    cities = CITIES | city("blue", ". . . ./. . . ./. . . ./r1 L1 . .")
    report(capsys, line(cities))
    _, _, error = run_parsed(capsys, "explain", line(cities), "--feature", "library 1")
    assert (error["code"], error["details"]["features"]) == ("no_such_feature", ["red: library 1", "blue: library 1"])
    _, out, _ = run_parsed(capsys, "explain", line(cities), "--feature", "blue: Library 1")
    assert out.startswith("blue: library 1: building tile")
    assert "row 4, column 2" in out
    _, _, error = run_parsed(capsys, "explain", line(cities), "--feature", "giza")
    assert error["details"]["meant"] == "Giza Pyramid Complex 1"
    wrong = line(cities, {f"map.red.0.{column}": "bridge#1" for column in range(4)})
    _, out, _ = run_parsed(capsys, "explain", wrong, "--player", "blue")
    assert "problem: red: bridge 1 does not cross any water." in out


def test_a_single_player_plays_against_the_automaton(capsys: pytest.CaptureFixture[str]) -> None:
    red = {spot: value for spot, value in CITIES.items() if ".red." in spot}
    solo: dict[str, Value] = {"solo.mode": "hard", "solo.monuments": 1}
    document = report(capsys, line(red, beside("red", 12, (1, 1, 1)), solo, players=("red",)))
    assert document["scores"]["final_scoring"] == {"red": 5 + 1 + 2 + 1 + 1, "automaton": 3 + 1}
    assert document["scores"]["winners"] == ["red"]
