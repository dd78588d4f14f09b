"""/v1/boards: a board is enrolled over HTTP, interrupted and resumed, saved, shared; with permissions and errors."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from fastapi.testclient import TestClient

from api.enrolment.board_showing import pack_board_file
from datasets.tower_of_babel.plan import (
    SIZE_MM,
    format_components,
    plan_wonders,
)
from tests.api.http.babel_boards import BOARD, KEYS, begin, change, photograph, point, send_photo, show_wholly
from tests.api.serving import build_client, error_in
from vision.enrolment.games import GameEnrolment, GameEnrolments
from vision.flat_boards.layout import MAX_PARTS


def test_an_enrolment_of_a_board_is_begun_interrupted_and_resumed(client: TestClient) -> None:
    listed = client.get("/v1/boards/tower-of-babel").json()
    assert (listed["boards"], listed["refused"]) == (
        [{"name": "board", "kept": False, "begun": False, "wanted": True}],
        None,
    )
    state = send_photo(client)
    assert np.allclose(state["size_mm"], SIZE_MM, atol=2.5)
    x, y, w, h = plan_wonders()[0].area
    point(client, state, "wonders.giza.area", (x + w / 2, y + h / 2))
    assert client.get("/v1/boards/tower-of-babel").json()["boards"][0]["begun"]
    again = client.get(f"{BOARD}/draft").json()
    assert set(again["marks"]) == {
        "wonders.giza.area",
        *(f"wonders.giza.discs.{disc}" for disc in (1, 2, 3)),
    }
    for straight in ("false", "true"):
        picture = client.get(f"{BOARD}/draft/picture.jpg?straight={straight}")
        assert cv2.imdecode(np.frombuffer(picture.content, np.uint8), cv2.IMREAD_COLOR) is not None
    assert client.delete(f"{BOARD}/draft").status_code == 204
    assert not client.get("/v1/boards/tower-of-babel").json()["boards"][0]["begun"]
    assert error_in(client.get(f"{BOARD}/draft"), 404)["code"] == "no_such_enrolment"


@pytest.mark.soak
def test_all_missing_marks_are_reported_at_once(client: TestClient) -> None:
    state = show_wholly(client)
    assert state["missing"] == KEYS
    error = error_in(client.put(BOARD), 422)
    assert (error["code"], error["details"]["missing"]) == ("board_incomplete", KEYS)


def test_a_stored_board_is_transferred_to_another_server(client: TestClient, tmp_path: Path) -> None:
    show_wholly(client)
    change(client, values={key: 5 + number for number, key in enumerate(KEYS)})
    kept = client.put(BOARD)
    assert kept.status_code == 200, kept.text
    assert kept.json() == {"game": "tower-of-babel", "boards": ["board"], "missing": [], "source": "shown"}
    file = client.get("/v1/boards/tower-of-babel/file")
    for other in build_client(tmp_path / "other"):
        assert error_in(other.get("/v1/boards/tower-of-babel/file"), 422)["code"] == "game_not_enrolled"
        taken = other.put("/v1/boards/tower-of-babel/file", content=file.content)
        assert taken.status_code == 200, taken.text
        assert taken.json()["source"] == "file"
        game = next(game for game in other.get("/v1/games").json()["games"] if game["name"] == "tower-of-babel")
        assert game["reads_photos"]
    own, others = (GameEnrolments(folder / "games").load("tower-of-babel") for folder in (tmp_path, tmp_path / "other"))
    assert own.components == others.components
    assert np.array_equal(own.pictures["board"], others.pictures["board"])


def test_marks_stay_at_their_print_when_the_corners_are_moved(client: TestClient) -> None:
    state = begin(client)
    x, y, w, h = plan_wonders()[0].area
    before = point(client, state, "wonders.giza.area", (x + w / 2, y + h / 2))
    moved = [[-40 + before["corners_px"][0][0], before["corners_px"][0][1] - 30], *before["corners_px"][1:]]
    after = change(client, corners_px=moved)
    assert after["marks"] != before["marks"]
    back = change(client, corners_px=before["corners_px"], marks=before["marks"])
    assert back["marks"] == before["marks"]


def pack(**files: bytes) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name, data in files.items():
            archive.writestr(name.replace("__", "."), data)
    return packed.getvalue()


MANIFEST = json.dumps({"format": 1, "game": "tower-of-babel"}).encode()


INVALID_FILES = [
    b"no archive",
    pack(),
    pack(wondertally__json=MANIFEST),
    pack(wondertally__json=MANIFEST, components__toml=b""),
    pack(wondertally__json=MANIFEST, components__toml=b"", board__png=b"no picture"),
    pack(wondertally__json=b"[]", components__toml=b"", board__png=b""),
    pack(wondertally__json=b'{"format": 2, "game": "tower-of-babel"}', components__toml=b""),
]


def test_an_invalid_file_of_boards_is_refused(client: TestClient) -> None:
    for data in INVALID_FILES:
        answer = client.put("/v1/boards/tower-of-babel/file", content=data)
        assert error_in(answer, 422)["code"] == "board_file_invalid", data


def test_files_of_another_game_or_without_meaning_are_refused(client: TestClient) -> None:
    picture = np.zeros((40, 60, 3), np.uint8)
    own = pack_board_file(GameEnrolment("tower-of-babel", format_components(), {"board": picture}))
    assert error_in(client.put("/v1/boards/world-wonders/file", content=own), 422)["code"] == "other_game"
    wrong = pack_board_file(GameEnrolment("tower-of-babel", "[wrong]\nkey = 1", {"board": picture}))
    assert error_in(client.put("/v1/boards/tower-of-babel/file", content=wrong), 422)["code"] == "components_invalid"


def test_unknown_marks_and_games_are_refused(client: TestClient) -> None:
    assert error_in(client.get("/v1/boards/carcassonne"))["code"] == "not_found"
    assert error_in(client.get("/v1/boards/tower-of-babel/cover/draft"), 404)["code"] == "no_such_picture"
    _, data = photograph()
    client.post(f"{BOARD}/photo", files={"photo": ("board.jpg", data, "image/jpeg")})
    early = client.post(f"{BOARD}/draft/points", json={"mark": "track", "at": [5, 5]})
    assert error_in(early, 422)["code"] == "bad_corners"
    wrong = client.post(f"{BOARD}/draft/points", json={"mark": "moon", "at": [5, 5]})
    assert error_in(wrong, 422)["code"] == "no_such_mark"
    assert error_in(client.patch(f"{BOARD}/draft", json={"told_size_mm": [1, 2]}), 422)["code"] == "bad_field"


def test_only_permitted_clients_enrol_a_board(tmp_path: Path) -> None:
    for stranger in build_client(tmp_path, "table.example"):
        assert stranger.get("/v1/boards/tower-of-babel").json()["refused"] == "local_only"
        _, data = photograph()
        sent = stranger.post(f"{BOARD}/photo", files={"photo": ("board.jpg", data, "image/jpeg")})
        assert error_in(sent, 403)["code"] == "local_only"
        assert error_in(stranger.put("/v1/boards/tower-of-babel/file", content=b""), 403)["code"] == "local_only"
        assert "/boards/tower-of-babel" not in stranger.get("/").text


def test_corners_that_exclude_a_mark_change_nothing(client: TestClient) -> None:
    """The draft must stay readable after a slip of the finger."""
    state = begin(client)
    change(client, marks={"wonders.giza.area": {"box": [-100, -100, 15_000, 15_000]}})
    before = client.get(f"{BOARD}/draft").json()
    (x, y), *_ = state["corners_px"]
    for corners in (
        [[x, y], [x + 60, y], [x + 60, y + 40], [x, y + 40]],
        [state["corners_px"][number] for number in (0, 2, 1, 3)],
        [[-500, y], *state["corners_px"][1:]],
    ):
        error = error_in(client.patch(f"{BOARD}/draft", json={"corners_px": corners}), 422)
        assert error["code"] == "bad_corners"
        assert client.get(f"{BOARD}/draft").json() == before


def test_a_card_that_implies_a_tiny_board_changes_nothing(client: TestClient) -> None:
    """An object that is no card must not give a board of 0.02 mm."""
    before = begin(client)
    (x, y), *_ = before["card_px"]
    for side in (0.5, 4000.0):
        card = [[x, y], [x + side, y], [x + side, y + 1.6 * side], [x, y + 1.6 * side]]
        error = error_in(client.patch(f"{BOARD}/draft", json={"card_px": card}), 422)
        assert error["code"] == "size_not_told"
        assert client.get(f"{BOARD}/draft").json() == before


def test_a_cards_corners_may_be_given_in_any_order(client: TestClient) -> None:
    """Corners given crosswise must not make a board of 836 mm by 227."""
    before = begin(client)
    corners = photograph()[0].card_px
    for order in ((0, 2, 1, 3), (0, 3, 2, 1), (2, 0, 3, 1)):
        change(client, card_px=None)
        after = change(client, card_px=[corners[number].tolist() for number in order])
        assert after["size_mm"] == pytest.approx(before["size_mm"], rel=1e-3)


INVALID_CARDS = {
    "on a line": [[100, 100], [200, 200], [300, 300], [400, 400]],
    "two places": [[1700, 400], [1700, 400], [1800, 700], [1800, 700]],
    "three places": [[1700, 400], [1850, 400], [1800, 700], [1800, 700]],
    "partly outside": [[1900, 400], [2150, 400], [2150, 560], [1900, 560]],
    "far outside": [[-20000, -20000], [20000, -20000], [20000, 20000], [-20000, 20000]],
}


def test_invalid_card_corners_are_refused(client: TestClient) -> None:
    before = begin(client)
    begun = change(client, card_px=None)
    for name, card in INVALID_CARDS.items():
        error = error_in(client.patch(f"{BOARD}/draft", json={"card_px": card}), 422)
        assert error["code"] == "size_not_told", name
        assert client.get(f"{BOARD}/draft").json() == begun, name
    assert change(client, card_px=before["card_px"])["size_mm"] == pytest.approx(before["size_mm"], rel=1e-3)


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"values": {"moon": 3}}, "no_such_value"),
        ({"values": {KEYS[0]: 3, "scoring_table.rows.9.most": 3}}, "no_such_value"),
        ({"marks": {"moon": {"round": [5, 5, 3]}}}, "no_such_mark"),
    ],
)
def test_marks_that_the_board_lacks_are_refused(client: TestClient, fields: dict[str, Any], code: str) -> None:
    before = begin(client)
    error = error_in(client.patch(f"{BOARD}/draft", json=fields), 422)
    assert error["code"] == code
    assert error["details"]["name"] in ("moon", "scoring_table.rows.9.most")
    assert client.get(f"{BOARD}/draft").json() == before


def test_corners_restored_by_an_undo_keep_their_place(client: TestClient) -> None:
    """They must not be moved onto the photo's lines after they were dragged."""
    state = begin(client)
    x, y, w, h = plan_wonders()[0].area
    point(client, state, "wonders.giza.area", (x + w / 2, y + h / 2))
    (west, north), *others = state["corners_px"]
    before = change(client, corners_px=[[west - 9, north - 7], *others])
    assert change(client, corners_px=None)["corners_px"] is None
    fields = {name: before[name] for name in ("corners_px", "card_px", "told_size_mm", "marks", "values")}
    assert change(client, **fields) == before


def find_sizes(state: dict[str, Any]) -> dict[str, tuple[float, float]]:
    """Return width and height of the building areas in millimetres, by name."""
    mm_px = SIZE_MM[0] / state["straight_size"][0]
    boxes = {name: mark["box"] for name, mark in state["marks"].items() if name.endswith(".area")}
    return {name: (box[2] * mm_px, box[3] * mm_px) for name, box in boxes.items()}


def test_dragging_one_area_sets_the_size_of_all(client: TestClient) -> None:
    state = begin(client)
    plans = plan_wonders()[:3]
    for plan in plans:
        x, y, w, h = plan.area
        state = point(client, state, f"wonders.{plan.name}.area", (x + w / 2 + 3, y + h / 2 - 4))
    assert all(np.allclose(size, plans[0].area[2:], atol=2) for size in find_sizes(state).values())
    first, *others = (f"wonders.{plan.name}.area" for plan in plans)
    x, y, w, h = state["marks"][first]["box"]
    dragged = {**state["marks"], first: {**state["marks"][first], "box": [x - 9, y - 9, w + 18, h + 12]}}
    after = change(client, marks=dragged)
    assert after["marks"][first]["box"] == dragged[first]["box"]
    assert after["marks"][first]["at"] is None
    for name in others:
        assert after["marks"][name]["box"][2:] == pytest.approx([w + 18, h + 12])
        assert after["marks"][name]["at"] == state["marks"][name]["at"]
    assert change(client, marks=state["marks"])["marks"] == state["marks"]


@pytest.mark.parametrize("shape", [{"box": [5, 5, 50, 50]}, {"round": [50, 50, 30]}, {"path": [[5, 5, 0], [9, 9, 7]]}])
def test_a_mark_of_another_kind_is_missing(client: TestClient, shape: dict[str, Any]) -> None:
    kinds = {mark["name"]: mark["kind"] for mark in begin(client)["wanted_marks"]}
    change(client, marks=dict.fromkeys(kinds, shape), values=dict.fromkeys(KEYS, 5))
    error = error_in(client.put(BOARD), 422)
    assert error["code"] == "board_incomplete"
    assert set(error["details"]["missing"]) == {name for name, kind in kinds.items() if kind not in shape}


def test_a_complete_path_accepts_no_further_space(client: TestClient) -> None:
    begin(client)
    for path in ([[10 + number, 10, number] for number in range(MAX_PARTS)], [[10, 10, 0], [40, 10, 1000]]):
        before = change(client, marks={"track": {"path": path, "reach": 5}})
        answer = client.post(f"{BOARD}/draft/points", json={"mark": "track", "at": [900, 900]})
        assert (answer.status_code, answer.json()) == (200, before)


def test_a_damaged_draft_is_restarted(client: TestClient, tmp_path: Path) -> None:
    begin(client)
    (tmp_path / "board-drafts" / "tower-of-babel" / "board" / "draft.json").write_text("{")
    assert error_in(client.get(f"{BOARD}/draft"), 422)["code"] == "bad_enrolment"
    send_photo(client)


def test_each_change_over_http_can_be_undone(client: TestClient, tmp_path: Path) -> None:
    """A board from a file adds its values; a step back restores what was typed and shown before."""
    store = GameEnrolments(tmp_path / "games")
    own = "[layout.parts]\nvalue_1 = [9.0, 9.0, 9.0]\n"
    store.save(GameEnrolment("tower-of-babel", own))
    sent = GameEnrolment("tower-of-babel", format_components(), {"board": np.zeros((400, 560, 3), np.uint8)})
    client.put("/v1/boards/tower-of-babel/file", content=pack_board_file(sent)).raise_for_status()
    assert "value_1 = [9.0" in store.components("tower-of-babel") or "value_1" in format_components()
    listed = client.get("/v1/boards/tower-of-babel").json()
    assert (listed["boards"][0]["kept"], listed["steps"]) == (True, 2)
    undone = client.post("/v1/boards/tower-of-babel/file/undo").raise_for_status().json()
    assert (undone["boards"][0]["kept"], undone["steps"]) == (False, 1)
    assert store.components("tower-of-babel") == own
    client.post("/v1/boards/tower-of-babel/file/undo").raise_for_status()
    error = error_in(client.post("/v1/boards/tower-of-babel/file/undo"), 422)
    assert error["code"] == "nothing_to_take_back"
