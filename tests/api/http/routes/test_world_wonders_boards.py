"""Enrolling World Wonders: the map's grid and terrain are found, the tracks of a resource board tapped."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fastapi.testclient import TestClient

from datasets.world_wonders.boards import draw_map, draw_resource_board
from datasets.world_wonders.own_copy import (
    FIRST_MM,
    MAP_MM,
    MARGIN_MM,
    POPULATION_AT,
    RESOURCES_MM,
    RINGS_AT,
    SQUARE_MM,
    STEP_MM,
    TRACK_STEP_MM,
    TRACKS,
    build_land,
)
from datasets.world_wonders.style import build_style
from scoring.world_wonders.game import GAME
from tests.api.http.world_wonders_boards import begin
from vision.enrolment.games import GameEnrolment, GameEnrolments
from vision.flat_boards.layout import Part, read_layout
from vision.world_wonders.layout import Layout, TrackLayout
from vision.world_wonders.reader import build_reader

MAX_ERROR_MM = 2.0


class ResourcesLayout(Part):
    """The layout of a resource board alone."""

    resources: dict[str, TrackLayout]


def point(
    client: TestClient, path: str, mark: str, share: tuple[float, float], state: dict[str, Any]
) -> dict[str, Any]:
    at = [part * side for part, side in zip(share, state["straight_size"], strict=True)]
    return dict(client.post(f"{path}/draft/points", json={"mark": mark, "at": at}).raise_for_status().json())


@pytest.mark.parametrize(
    "art", ["fresco", *(pytest.param(art, marks=pytest.mark.soak) for art in ("ivory", "saffron"))]
)
def test_a_map_is_found_with_its_terrain_and_a_tap_changes_a_square(
    client: TestClient, tmp_path: Path, art: str
) -> None:
    path, state = begin(client, "map", draw_map(build_style(art), "A", "red"), MAP_MM, 1)
    assert state["missing"] == []
    truth = build_land("A", "red").rows
    lines = state["marks"]["map"]["lines"]
    assert (len(lines), len(lines[0])) == (len(truth), len(truth[0]))
    wrong = [(r, c) for r, row in enumerate(truth) for c, letter in enumerate(row) if lines[r][c] != letter]
    assert len(wrong) <= 6
    for row, col in wrong:
        share = [(MARGIN_MM + (at + 0.5) * SQUARE_MM) / side for at, side in zip((col, row), MAP_MM, strict=True)]
        while state["marks"]["map"]["lines"][row][col] != truth[row][col]:
            state = point(client, path, "map", (share[0], share[1]), state)
    client.put(path).raise_for_status()
    components = GameEnrolments(tmp_path / "games").components(GAME.name)
    layout = read_layout(Layout, components).map
    own = np.array(layout.first) + layout.square * np.array([(0, 0), (len(truth[0]), len(truth))])
    true = MARGIN_MM + SQUARE_MM * np.array([(0, 0), (len(truth[0]), len(truth))])
    assert np.abs(own - true).max() < MAX_ERROR_MM
    assert GAME.components(components).map.A is not None


def find_space(track: str, space: int) -> tuple[float, float]:
    """Return a point a little beside the centre of a track's space, in shares of the board."""
    y = FIRST_MM[1] + [*TRACKS].index(track) * TRACK_STEP_MM
    return (FIRST_MM[0] + space * STEP_MM + 1) / RESOURCES_MM[0], (y + 1) / RESOURCES_MM[1]


def show_resources(client: TestClient, picture: str) -> str:
    """Tap each track twice, then the rings and symbols of its spaces."""
    path, state = begin(client, picture, draw_resource_board(build_style("fresco"), "red"), RESOURCES_MM, 2)
    assert state["missing"] == [*TRACKS, "population.rings"]
    for track, spaces in TRACKS.items():
        for space in (0, spaces - 1):
            state = point(client, path, track, find_space(track, space), state)
    assert state["missing"] == ["population.rings"]
    for name, spaces_shown in (("rings", RINGS_AT), *((track, own) for track, own in POPULATION_AT.items())):
        track, mark = ("population", "population.rings") if name == "rings" else (name, f"{name}.population")
        for space in spaces_shown:
            state = point(client, path, mark, find_space(track, space), state)
    assert state["missing"] == []
    client.put(path).raise_for_status()
    return path


def test_each_track_of_a_resource_board_is_tapped_twice_and_then_its_rings(client: TestClient, tmp_path: Path) -> None:
    show_resources(client, "resources")
    text = GameEnrolments(tmp_path / "games").components(GAME.name)
    tracks = read_layout(ResourcesLayout, text).resources
    for track, spaces in TRACKS.items():
        y = FIRST_MM[1] + [*TRACKS].index(track) * TRACK_STEP_MM
        ends = np.array([(FIRST_MM[0] + space * STEP_MM, y) for space in (0, spaces - 1)])
        assert tracks[track].spaces == spaces
        assert np.abs(tracks[track].middles[[0, -1]] - ends).max() < MAX_ERROR_MM
    board = GAME.components(text).board
    assert board.population.rings == RINGS_AT
    assert {name: getattr(board, name).population for name in POPULATION_AT} == POPULATION_AT


@pytest.mark.soak
def test_repeated_taps_on_a_space_give_two_rings_and_then_none(client: TestClient) -> None:
    path, state = begin(client, "resources", draw_resource_board(build_style("fresco"), "red"), RESOURCES_MM, 2)
    for space in (0, TRACKS["population"] - 1):
        state = point(client, path, "population", find_space("population", space), state)
    counts = []
    for _ in range(3):
        state = point(client, path, "population.rings", find_space("population", 7), state)
        mark = state["marks"].get("population.rings")
        counts.append(0 if mark is None else [number for _, _, number in mark["spaces"]].count(7))
    assert counts == [1, 2, 0]
    before = state["marks"]
    state = point(client, path, "population.rings", (0.5, 0.02), state)
    assert state["marks"] == before


@pytest.mark.soak
def test_side_b_has_a_map_for_each_player_and_resource_boards_of_its_own(client: TestClient, tmp_path: Path) -> None:
    address = "/v1/boards/world-wonders"
    show_resources(client, "resources-b")
    sides = {"map.side": "B", "resources.side": "B"}
    state = client.patch(address, json={"values": sides}).raise_for_status().json()
    wanted = [board["name"] for board in state["boards"] if board["wanted"]]
    assert wanted == ["map-yellow", "map-green", "map-white", "map-red", "map-blue", "resources-b"]
    for colour in ("red", "blue"):
        path, drawn = begin(client, f"map-{colour}", draw_map(build_style("ivory"), "B", colour), MAP_MM, 3)
        truth = build_land("B", colour).rows
        grid = {"map": {**drawn["marks"]["map"], "lines": truth}}
        client.patch(f"{path}/draft", json={"marks": grid}).raise_for_status()
        client.put(path).raise_for_status()
    enrolment = GameEnrolments(tmp_path / "games").load(GAME.name)
    reader = build_reader(enrolment)
    assert {*reader.maps} == {"red", "blue"}
    assert {*reader.resources} == {"yellow", "green", "white", "red", "blue"}
    assert reader.components.terrain("blue").lines == build_land("B", "blue").rows
    assert {name: track.spaces for name, track in reader.tracks.items()} == TRACKS


def test_facts_that_no_board_shows_are_typed_stored_and_undone(client: TestClient, tmp_path: Path) -> None:
    address = "/v1/boards/world-wonders"
    numbers = {fact["key"]: fact["value"] for fact in client.get(address).json()["facts"] if fact["kind"] == "number"}
    assert len(numbers) == 21
    assert [key for key, value in numbers.items() if value is not None] == ["monuments.giza.rings"]
    typed = {"values": {"monuments.petra.rings": 3, "monuments.moai.rings": 1}}
    state = client.patch(address, json=typed).raise_for_status().json()
    assert {fact["key"]: fact["value"] for fact in state["facts"]}["monuments.petra.rings"] == 3
    client.patch(address, json={"values": {"monuments.moai.rings": None, "box.mundo": True}})
    components = GAME.components(GameEnrolments(tmp_path / "games").components(GAME.name))
    assert (components.monuments["petra"].rings, components.monuments["moai"].rings) == (3, None)
    assert components.box.mundo
    for wrong in ({"monuments.petra.rings": "three"}, {"roads.long": 5}, {"map.side": "C"}):
        refused = client.patch(address, json={"values": wrong})
        assert refused.status_code == 422
        assert refused.json()["error"]["code"] == "components_invalid"
    assert GAME.components(GameEnrolments(tmp_path / "games").components(GAME.name)).monuments["petra"].rings == 3


def test_the_file_of_boards_includes_the_looks_of_monuments(client: TestClient, tmp_path: Path) -> None:
    look = np.full((64, 32, 4), 255, np.uint8)
    enrolments = GameEnrolments(tmp_path / "games")
    enrolments.save(GameEnrolment(GAME.name, '[map]\nside = "A"\n', {"map": np.zeros((40, 60, 3), np.uint8)}))
    enrolments.add_pieces(GAME.name, {"trojan-horse": [look, look // 2]})
    assert client.get("/v1/boards/world-wonders").json()["pieces"] == ["trojan-horse"]
    file = client.get("/v1/boards/world-wonders/file").raise_for_status().content
    enrolments.forget(GAME.name)
    client.put("/v1/boards/world-wonders/file", content=file).raise_for_status()
    looks = enrolments.load(GAME.name).pieces["trojan-horse"]
    assert [int(own[0, 0, 0]) for own in looks] == [255, 127]
