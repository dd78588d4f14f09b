"""/v1/tile-shapes/world-wonders: shapes are drawn, interrupted and resumed, checked, saved and shared."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import cv2
import httpx2 as httpx
import numpy as np
import pytest
from fastapi.testclient import TestClient

from api.enrolment.tile_shapes import check_shapes, format_squares, parse_squares
from datasets.world_wonders.own_copy import SHAPES
from scoring.world_wonders.game import GAME
from tests.api.serving import error_in, running
from vision.enrolment.games import GameEnrolment, GameEnrolments
from vision.errors import EnrolmentError
from vision.showing.board_drafts import MAX_SHAPES, MAX_SIDE

SHAPES_PATH = "/v1/tile-shapes/world-wonders"
ALL = [format_squares(frozenset(squares)) for squares in SHAPES.values()]


def draw(client: TestClient, *shapes: str) -> dict[str, Any]:
    sent = {"shapes": [{"shape": shape} for shape in shapes]}
    return dict(client.put(f"{SHAPES_PATH}/draft", json=sent).raise_for_status().json())


def load_shapes(tmp_path: Path) -> list[str]:
    components = GAME.components(GameEnrolments(tmp_path / "games").components(GAME.name) or None)
    return [shape.shape for shape in components.buildings.shapes or ()]


def test_a_draft_of_shapes_is_saved_and_takes_effect_once_it_is_stored(client: TestClient, tmp_path: Path) -> None:
    assert client.get("/v1/boards/world-wonders").json()["shapes"] == 0
    state = draw(client, "#.#../...../...../...../.....", ".....")
    assert state["begun"]
    assert state["kept"] == []
    assert client.get(SHAPES_PATH).json()["drawn"][0] == {"shape": "#.#../...../...../...../.....", "at": None}
    assert client.get("/v1/boards/world-wonders").json()["shapes_begun"]
    assert load_shapes(tmp_path) == []
    draw(client, *ALL[:2], "...../.###./...#./...../.....")
    kept = client.put(SHAPES_PATH).raise_for_status().json()
    assert kept["kept"] == load_shapes(tmp_path) == [*ALL[:2], "###/..#"]
    assert not kept["begun"]
    assert client.get("/v1/boards/world-wonders").json()["shapes"] == 3


def test_a_draft_is_discarded_and_stored_shapes_stay(client: TestClient, tmp_path: Path) -> None:
    draw(client, "##")
    client.put(SHAPES_PATH).raise_for_status()
    draw(client, "##", "#")
    assert client.delete(f"{SHAPES_PATH}/draft").status_code == 204
    state = client.get(SHAPES_PATH).json()
    assert [drawn["shape"] for drawn in state["drawn"]] == state["kept"] == load_shapes(tmp_path) == ["##"]


@pytest.mark.parametrize(
    ("language", "shapes", "code", "number"),
    [
        ("en", ["##", "...../....."], "shape_empty", 2),
        ("de", ["##", "#", "#.#"], "shape_not_connected", 3),
        ("ro", ["##/#.", "##", ".#/##"], "shape_twice", 3),
    ],
)
def test_an_invalid_shape_is_refused_with_its_number(
    client: TestClient, tmp_path: Path, shapes: list[str], code: str, number: int, language: str
) -> None:
    draw(client, *shapes)
    refused = client.put(SHAPES_PATH, headers={"Accept-Language": language})
    error = error_in(refused, 422)
    assert (error["code"], error["details"]["number"]) == (code, number)
    assert len(error["text"]) > 20
    assert load_shapes(tmp_path) == []
    assert client.get(SHAPES_PATH).json()["begun"]


def test_shapes_beyond_the_bounds_are_refused(client: TestClient) -> None:
    for shape in ("#" * (MAX_SIDE + 1), "/".join("#" * (MAX_SIDE + 1))):
        sent = {"shapes": [{"shape": "#"}, {"shape": shape}]}
        error = error_in(client.put(f"{SHAPES_PATH}/draft", json=sent), 422)
        assert (error["code"], error["details"]["number"]) == ("shape_too_large", 2)
    for wrong in ("", "#x", "##//#", "#" * 300):
        assert (
            error_in(client.put(f"{SHAPES_PATH}/draft", json={"shapes": [{"shape": wrong}]}), 422)["code"]
            == "bad_field"
        )
    many = [{"shape": "#"}] * (MAX_SHAPES + 1)
    assert error_in(client.put(f"{SHAPES_PATH}/draft", json={"shapes": many}), 422)["code"] == "bad_field"
    assert not client.get(SHAPES_PATH).json()["begun"]


def test_mirror_images_are_two_shapes() -> None:
    assert check_shapes(["##./.##", ".##/##."]) == ["##./.##", ".##/##."]
    with pytest.raises(EnrolmentError, match="shape_twice"):
        check_shapes(["##./.##", ".#/##/#."])


def test_other_facts_in_a_file_about_a_shape_are_kept(client: TestClient, tmp_path: Path) -> None:
    text = '# mine\n[map]\nside = "A"\n\n[[buildings.shapes]]\nshape = "##/#."\ntiles = { library = 2, farm = 3 }\n'
    GameEnrolments(tmp_path / "games").save(GameEnrolment(GAME.name, text))
    assert client.get(SHAPES_PATH).json()["kept"] == ["##/#."]
    draw(client, "###", ".#/##")
    client.put(SHAPES_PATH).raise_for_status()
    changed = GameEnrolments(tmp_path / "games").components(GAME.name)
    shapes = GAME.components(changed).buildings.shapes
    assert shapes is not None
    bar, corner = shapes
    assert bar.tiles is None
    assert corner.tiles == {"library": 2, "farm": 3}
    assert parse_squares(corner.shape) == parse_squares(".#/##")
    assert "# mine" in changed
    draw(client)
    client.put(SHAPES_PATH).raise_for_status()
    assert load_shapes(tmp_path) == []


@pytest.mark.parametrize(
    "text",
    [
        'buildings = { shapes = [{ shape = "##", tiles = { farm = 1 } }] }\n',
        '[[buildings.shapes]]\nshape = "##"\ntiles.farm = 1\n[map]\nside = "A"\n[[buildings.shapes]]\nshape = "#"\n',
        'buildings.shapes = [{ shape = "#/#", tiles = { farm = 1 } }]\n',
    ],
)
def test_shapes_are_stored_in_a_file_of_any_form(client: TestClient, tmp_path: Path, text: str) -> None:
    GameEnrolments(tmp_path / "games").save(GameEnrolment(GAME.name, text))
    draw(client, "###", "##")
    client.put(SHAPES_PATH).raise_for_status()
    assert load_shapes(tmp_path) == ["###", "##"]
    components = GAME.components(GameEnrolments(tmp_path / "games").components(GAME.name))
    assert [shape.tiles for shape in components.buildings.shapes or ()] == [None, {"farm": 1}]


@pytest.mark.parametrize(
    "shapes",
    [["#" * length for length in range(1, MAX_SIDE + 1)] * 5, ["#" * 300], ["#" * (MAX_SIDE + 1)], ["#/#/#/#/#/#"]],
)
def test_a_file_with_too_many_or_too_large_shapes_is_handled(
    client: TestClient, tmp_path: Path, shapes: list[str]
) -> None:
    text = "".join(f'[[buildings.shapes]]\nshape = "{shape}"\n' for shape in shapes)
    GameEnrolments(tmp_path / "games").save(GameEnrolment(GAME.name, text))
    for method, path in (("GET", SHAPES_PATH), ("PUT", SHAPES_PATH)):
        error = error_in(client.request(method, path), 422)
        assert (error["code"], error["details"]["key"].split(".")[:2]) == (
            "components_invalid",
            ["buildings", "shapes"],
        )
    assert client.delete(f"{SHAPES_PATH}/draft").status_code == 204


def test_empty_rows_and_columns_around_a_shape_are_ignored(client: TestClient, tmp_path: Path) -> None:
    wide = f'[[buildings.shapes]]\nshape = "{"." * 150}/{"." * 148}##"\n'
    GameEnrolments(tmp_path / "games").save(GameEnrolment(GAME.name, wide))
    state = client.get(SHAPES_PATH).raise_for_status().json()
    assert state["kept"] == ["##"]
    assert client.put(SHAPES_PATH).raise_for_status().json()["kept"] == load_shapes(tmp_path) == ["##"]


@pytest.mark.soak
def test_drawing_while_others_discard_the_draft_is_handled(tmp_path: Path) -> None:
    photo = cv2.imencode(".jpg", np.full((90, 160, 3), 200, np.uint8))[1].tobytes()
    with running(tmp_path, readers=1, requests_per_minute=10_000, readings_per_minute=10_000) as server:

        def work(number: int) -> list[int]:
            statuses = []
            with httpx.Client(base_url=server.url, timeout=120) as client:
                for turn in range(12):
                    if (number + turn) % 2:
                        sent = {"shapes": [{"shape": "##"}]}
                        statuses.append(client.put(f"{SHAPES_PATH}/draft", json=sent).status_code)
                        files = {"photo": ("tiles.jpg", photo, "image/jpeg")}
                        statuses.append(client.post(f"{SHAPES_PATH}/photo", files=files).status_code)
                    else:
                        statuses.append(client.delete(f"{SHAPES_PATH}/draft").status_code)
            return statuses

        with ThreadPoolExecutor(8) as pool:
            statuses = {status for done in pool.map(work, range(8)) for status in done}
    assert statuses == {200, 204}


@pytest.mark.parametrize(
    ("path", "size"),
    [
        (f"{SHAPES_PATH}/photo", (2, 30_000)),
        ("/v1/boards/world-wonders/map/photo", (30_000, 2)),
        ("/v1/boards/world-wonders/map/photo", (1, 1)),
    ],
)
def test_a_photo_may_be_a_narrow_strip(client: TestClient, path: str, size: tuple[int, int]) -> None:
    strip = cv2.imencode(".png", np.full((*size, 3), 200, np.uint8))[1].tobytes()
    state = client.post(path, files={"photo": ("strip.png", strip, "image/png")}).raise_for_status().json()
    assert min(state["photo_size"]) == 1


def test_a_photo_of_the_tiles_is_kept_with_the_draft(client: TestClient) -> None:
    assert error_in(client.get(f"{SHAPES_PATH}/photo.jpg"), 404)["code"] == "no_such_enrolment"
    draw(client, "##")
    photo = cv2.imencode(".jpg", np.full((90, 160, 3), 200, np.uint8))[1].tobytes()
    state = client.post(f"{SHAPES_PATH}/photo", files={"photo": ("tiles.jpg", photo, "image/jpeg")}).json()
    assert state["photo_size"] == [160, 90]
    assert state["drawn"] == [{"shape": "##", "at": None}]
    at = {"shapes": [{"shape": "##", "at": [40.5, 20]}]}
    assert client.put(f"{SHAPES_PATH}/draft", json=at).json()["drawn"][0]["at"] == [40.5, 20]
    assert client.get(SHAPES_PATH).json()["photo_size"] == [160, 90]
    assert client.get(f"{SHAPES_PATH}/photo.jpg").headers["content-type"] == "image/jpeg"
    client.put(SHAPES_PATH).raise_for_status()
    assert client.get(f"{SHAPES_PATH}/photo.jpg").status_code == 404


def test_the_file_of_boards_includes_the_shapes(client: TestClient, tmp_path: Path) -> None:
    draw(client, *ALL)
    client.put(SHAPES_PATH).raise_for_status()
    enrolments = GameEnrolments(tmp_path / "games")
    text = enrolments.components(GAME.name)
    enrolments.save(GameEnrolment(GAME.name, text, {"map": np.zeros((40, 60, 3), np.uint8)}))
    file = client.get("/v1/boards/world-wonders/file").raise_for_status().content
    enrolments.forget(GAME.name)
    assert client.get(SHAPES_PATH).json()["kept"] == []
    client.put("/v1/boards/world-wonders/file", content=file).raise_for_status()
    assert client.get(SHAPES_PATH).json()["kept"] == load_shapes(tmp_path) == ALL


def test_a_game_without_tile_shapes_offers_no_drawing(client: TestClient) -> None:
    assert client.get("/v1/boards/tower-of-babel").json()["shapes"] is None
    for method, path in (("GET", ""), ("PUT", ""), ("DELETE", "/draft")):
        assert error_in(client.request(method, f"/v1/tile-shapes/tower-of-babel{path}"), 404)["code"] == "not_found"


def test_a_damaged_draft_is_reported_and_can_be_discarded(client: TestClient, tmp_path: Path) -> None:
    draw(client, "##")
    (tmp_path / "board-drafts" / "world-wonders" / "shapes" / "shapes.json").write_text("{")
    assert error_in(client.get(SHAPES_PATH), 422)["code"] == "bad_enrolment"
    assert client.get("/v1/boards/world-wonders").json()["shapes_begun"]
    assert client.delete(f"{SHAPES_PATH}/draft").status_code == 204
    assert client.get(SHAPES_PATH).json()["drawn"] == []
