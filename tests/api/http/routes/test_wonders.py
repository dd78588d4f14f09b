"""/v1/wonders: the description of a layout, enrolling and undoing, prints; with permissions and errors."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import tomlkit
from fastapi.testclient import TestClient

from api.server.tokens import hash_secret
from datasets.scene.varied_wonders import vary_wonder
from scoring.carcassonne.wonders.catalogue import load_wonder_catalogue
from scoring.carcassonne.wonders.files import read_wonder
from scoring.carcassonne.wonders.tiles import COATS_UNSEEN, WONDERS
from tests.api.http.copies import COPY, photograph_copy, write_copy
from tests.api.serving import build_client, error_in, running
from tests.vision.enrolling.lone import draw_lone
from vision.enrolment.wonders import NAMED_FILES, EnrolledWonder, EnrolledWonders, load_wonders_in_force

OTHER = vary_wonder("WH/stonehenge", np.random.default_rng(2))
KEY = "k" * 32


def explain(client: TestClient, plan: dict[str, Any]) -> dict[str, Any]:
    answer = client.post("/v1/wonder-layouts", json={"plan": plan})
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def find_source(client: TestClient) -> str:
    wonders = client.get("/v1/wonders").json()["wonders"]
    return next(str(wonder["source"]) for wonder in wonders if wonder["id"] == "WH/stonehenge")


def test_all_wonders_are_listed_as_shipped(client: TestClient) -> None:
    document = client.get("/v1/wonders").json()
    assert [wonder["id"] for wonder in document["wonders"]] == list(WONDERS)
    assert {wonder["source"] for wonder in document["wonders"]} == {"shipped"}
    assert document["refused"] is None


@pytest.mark.parametrize("id", WONDERS)
def test_the_layout_in_force_is_returned_with_its_parts(client: TestClient, id: str) -> None:
    meaning = client.get(f"/v1/wonders/{id.removeprefix('WH/')}").json()
    layout = load_wonder_catalogue()[id]
    assert [part["kind"] for part in meaning["parts"]] == [part.kind for part in layout.parts]
    assert (meaning["contradictions"], meaning["problem"], meaning["other_fields"]) == ([], None, None)
    assert read_wonder(tomllib.loads(meaning["file"])).parts == layout.parts
    assert all(part["path"].startswith("M") for part in meaning["parts"])
    assert explain(client, meaning["plan"])["contradictions"] == []


def test_a_layout_is_explained_without_storing_it(client: TestClient, tmp_path: Path) -> None:
    meaning = explain(client, write_copy())
    assert [(p["kind"], p["open_ends"], p["cities"]) for p in meaning["parts"]] == [
        (p.kind, p.open_ends, len(p.cities)) for p in COPY.parts
    ]
    assert not (tmp_path / "wonders").exists()


def test_contradictions_of_the_rules_are_reported_with_their_numbers(client: TestClient) -> None:
    plan = write_copy()
    plan["roads"].pop()
    plan["monastery"] = plan["squares"][0]
    told = {one["about"]: (one["stated"], one["found"]) for one in explain(client, plan)["contradictions"]}
    assert told == {"road_squares": ([1, 1, 2], [1, 2]), "monasteries": ([0], [1])}
    plan = write_copy()
    plan["roads"][1]["edges"].append("1,1 W")
    assert explain(client, plan)["contradictions"] == [{"about": "road_ends", "stated": [1, 1, 2], "found": [1, 2, 2]}]


def test_an_impossible_plan_is_returned_with_its_problem(client: TestClient) -> None:
    plan = write_copy()
    plan["roads"][1]["edges"] = []
    meaning = explain(client, plan)
    assert (meaning["problem"]["code"], meaning["parts"]) == ("no_way_out", [])
    crossed = write_copy()
    crossed["wonder"] = [[0, 2]]
    meaning = explain(client, crossed)
    assert (meaning["problem"]["code"], meaning["file"]) == ("cannot_be_drawn", "")


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({}, "bad_field"),
        ({"plan": {}}, "bad_field"),
        ({"file": "id = "}, "bad_toml"),
        ({"file": 'id = "WH/stonehenge"'}, "missing_key"),
        ({"file": "x" * 40_000}, "bad_field"),
        ({"plan": {"id": "WH/stonehenge", "squares": [[0, 99]], "wonder": []}}, "bad_field"),
    ],
)
def test_an_invalid_layout_is_refused(client: TestClient, body: dict[str, Any], code: str) -> None:
    answer = client.post("/v1/wonder-layouts", json=body)
    assert (answer.status_code, answer.json()["error"]["code"]) == (422, code)


def test_a_layout_is_enrolled_returned_as_a_file_and_undone(client: TestClient, tmp_path: Path) -> None:
    enrolled = EnrolledWonders(tmp_path / "wonders")
    for layout in (COPY, OTHER):
        answer = client.put("/v1/wonders/stonehenge", json={"plan": write_copy(layout)})
        assert answer.status_code == 200, answer.text
        assert load_wonders_in_force(enrolled)["WH/stonehenge"].parts == layout.parts
    assert not enrolled.load("stonehenge").layout.is_guessed
    assert find_source(client) == "taught"
    file = client.get("/v1/wonders/stonehenge/file")
    assert file.headers["content-disposition"] == 'attachment; filename="stonehenge.toml"'
    assert read_wonder(tomllib.loads(file.text)).parts == OTHER.parts
    assert client.delete("/v1/wonders/stonehenge").json()["source"] == "taught"
    assert load_wonders_in_force(enrolled)["WH/stonehenge"].parts == COPY.parts
    assert client.delete("/v1/wonders/stonehenge").json()["source"] == "shipped"
    assert client.delete("/v1/wonders/stonehenge").json()["error"]["code"] == "nothing_to_take_back"
    answer = client.put("/v1/wonders/stonehenge", json={"file": file.text})
    assert answer.status_code == 200
    assert load_wonders_in_force(enrolled)["WH/stonehenge"].parts == OTHER.parts
    enrolled.forget("stonehenge")
    assert find_source(client) == "shipped"
    assert client.delete("/v1/wonders/stonehenge").json()["can_undo"]
    assert load_wonders_in_force(enrolled)["WH/stonehenge"].parts == OTHER.parts


def test_a_layout_that_contradicts_the_rules_is_not_enrolled(client: TestClient, tmp_path: Path) -> None:
    plan = write_copy()
    plan["roads"].pop()
    answer = client.put("/v1/wonders/stonehenge", json={"plan": plan})
    assert (answer.status_code, answer.json()["error"]["code"]) == (422, "contradicts_the_rules")
    answer = client.put("/v1/wonders/tikal", json={"plan": write_copy()})
    assert answer.json()["error"]["code"] == "other_wonder"
    answer = client.put("/v1/wonders/colossus", json={"plan": write_copy()})
    assert (answer.status_code, answer.json()["error"]["code"]) == (404, "not_found")
    assert not (tmp_path / "wonders").exists()


def test_a_layout_named_by_a_setting_takes_precedence(
    client: TestClient, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = EnrolledWonders(tmp_path / "named")
    monkeypatch.setenv(NAMED_FILES, str(store.save(EnrolledWonder(COPY))))
    assert find_source(client) == "named"
    answer = client.put("/v1/wonders/stonehenge", json={"plan": write_copy(OTHER)})
    assert answer.json()["error"]["code"] == "wonder_named"


def test_a_damaged_file_is_listed_with_its_error(client: TestClient, tmp_path: Path) -> None:
    (tmp_path / "wonders").mkdir()
    (tmp_path / "wonders" / "stonehenge.toml").write_text("id =", encoding="utf-8")
    wonders = client.get("/v1/wonders").json()["wonders"]
    assert [(wonder["source"], wonder["problem"]) for wonder in wonders[:2]] == [
        ("taught", "bad_enrolment"),
        ("shipped", None),
    ]
    for address in ("/v1/wonders/stonehenge", "/v1/wonders/stonehenge/file"):
        error = client.get(address).json()["error"]
        assert (error["code"], error["details"]["name"]) == ("bad_enrolment", "stonehenge")
    assert client.get("/v1/wonders/tikal").status_code == client.get("/v1/wonders/tikal/file").status_code == 200
    assert client.delete("/v1/wonders/stonehenge").json()["source"] == "shipped"


def test_only_this_machine_or_a_client_with_a_key_enrols_wonders(tmp_path: Path) -> None:
    for far in build_client(tmp_path / "far", host="table.localhost"):
        assert far.get("/v1/wonders").json()["refused"] == "local_only"
        for answer in (
            far.put("/v1/wonders/stonehenge", json={"plan": write_copy()}),
            far.delete("/v1/wonders/stonehenge"),
        ):
            assert answer.json()["error"]["code"] == "local_only"
        assert explain(far, write_copy())["problem"] is None
    for keyed in build_client(tmp_path / "keyed", api_keys=hash_secret(KEY)):
        assert keyed.get("/v1/wonders").json()["refused"] == "key_wanted"
        assert keyed.post("/v1/wonder-layouts", json={"plan": write_copy()}).json()["error"]["code"] == "key_wanted"
        answer = keyed.put("/v1/wonders/stonehenge", json={"plan": write_copy()}, headers={"X-API-Key": KEY})
        assert answer.status_code == 200
    assert not (tmp_path / "far" / "wonders").exists()


def test_unstated_coats_of_arms_of_an_enrolled_copy_stay_inferred(client: TestClient) -> None:
    plan = {**write_copy(), "inferred": [COATS_UNSEEN]}
    assert explain(client, plan)["plan"]["inferred"] == [COATS_UNSEEN]
    for enrolled, guesses in ((plan, [COATS_UNSEEN]), (write_copy(), [])):
        assert client.put("/v1/wonders/stonehenge", json={"plan": enrolled}).status_code == 200
        file = tomllib.loads(client.get("/v1/wonders/stonehenge/file").text)
        assert file.get("inferred", []) == guesses
        assert explain(client, file if "wonder" in file else plan)["plan"]["inferred"] == guesses


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("a = " + "[" * 15000, "bad_toml"),
        ("a = " + "9" * 5000, "bad_toml"),
        ("{good}roads = [" + ", ".join(['"M 150 200 L 150 210"'] * 21) + "]\n", "bad_value"),
        ("{good}roads = ['M 150 200 " + "L 150 201 L 151 200 " * 1000 + "']\n", "bad_path"),
        ("inferred = [1979-05-27]\n{good}", "bad_value"),
    ],
)
def test_endless_files_are_refused_soon(client: TestClient, text: str, code: str) -> None:
    shipped = load_wonder_catalogue()["WH/alhambra"].entry
    good = tomlkit.dumps({key: shipped[key] for key in ("id", "squares", "wonder", "marker")})
    answer = client.post("/v1/wonder-layouts", json={"file": text.replace("{good}", good)})
    assert (answer.status_code, answer.json()["error"]["code"]) == (422, code)


def test_a_square_named_twice_is_refused_and_nothing_is_stored(client: TestClient, tmp_path: Path) -> None:
    plan = write_copy()
    row, col = plan["wonder"][0]
    doubled = {**plan, "wonder": [*plan["wonder"], [float(row), float(col)]]}
    answer = client.put("/v1/wonders/stonehenge", json={"file": tomlkit.dumps(doubled)})
    assert (answer.status_code, answer.json()["error"]["code"]) == (422, "bad_squares")
    assert find_source(client) == "shipped"


@pytest.mark.parametrize(
    ("wonder", "code"),
    [
        ({}, "missing_key"),
        ({"id": 5}, "missing_key"),
        ({**load_wonder_catalogue()["WH/tikal"].entry, "marker": [1, 1]}, "bad_marker"),
    ],
)
@pytest.mark.parametrize("told", [{"board": "-U1"}, {"record": "no record"}])
def test_an_invalid_layout_sent_with_a_board_is_a_client_error(
    client: TestClient, wonder: dict[str, Any], code: str, told: dict[str, str]
) -> None:
    answer = client.post("/v1/scores", json={**told, "wonders": [wonder]})
    assert (answer.status_code, answer.json()["error"]["code"]) == (422, code)


ON_THE_BOARD = "D0(WH/alhambra#0)0/-(WH/alhambra#1)0V0/-(WH/alhambra#2)0(WH/alhambra#3)0(WH/alhambra#4)0 blue~2,2=W"
RULED = """
id = "WH/alhambra"
squares = [[0, 0], [1, 0], [2, 0], [2, 1], [2, 2]]
wonder = [[2, 1], [2, 0], [2, 2]]
cities = [{ edges = ["0,0 N", "1,0 W", "2,0 S"], walled = true }]
roads = [{ edges = ["2,1 N"] }, { edges = ["2,2 E"] }]
"""


def score(client: TestClient, **words: Any) -> dict[str, Any]:
    answer = client.post("/v1/scores", json=words)
    assert answer.status_code == 200, answer.text
    return dict(answer.json()["report"])


def test_a_board_is_scored_by_the_layouts_in_force(client: TestClient) -> None:
    """Like `board score`; a submitted one, for example of a shared link, takes precedence."""
    shipped = score(client, board=ON_THE_BOARD)
    assert "wonders" not in shipped
    client.put("/v1/wonders/alhambra", json={"file": RULED}).raise_for_status()
    enrolled = score(client, board=ON_THE_BOARD)
    assert [wonder["wonder"] for wonder in enrolled["wonders"]] == [tomllib.loads(RULED)["wonder"]]
    other = dict(load_wonder_catalogue()["WH/alhambra"].entry)
    sent = score(client, board=ON_THE_BOARD, wonders=[other])
    assert [wonder["wonder"] for wonder in sent["wonders"]] == [other["wonder"]]
    assert score(client, board=ON_THE_BOARD, wonders=enrolled["wonders"])["wonders"] == enrolled["wonders"]


def test_a_board_with_a_damaged_enrolled_layout_is_refused(client: TestClient, tmp_path: Path) -> None:
    (tmp_path / "wonders").mkdir()
    (tmp_path / "wonders" / "alhambra.toml").write_text("id =")
    answer = client.post("/v1/scores", json={"board": ON_THE_BOARD})
    assert (answer.status_code, answer.json()["error"]["code"]) == (422, "bad_enrolment")
    assert "wonders" not in score(client, board="D0V0/-U1")
    other = dict(load_wonder_catalogue()["WH/alhambra"].entry)
    assert [wonder["wonder"] for wonder in score(client, board=ON_THE_BOARD, wonders=[other])["wonders"]]


def test_an_empty_folder_in_place_of_a_layout_is_removed(client: TestClient, tmp_path: Path) -> None:
    folder = tmp_path / "wonders" / "alhambra.toml"
    folder.mkdir(parents=True)
    listed = {wonder["id"]: wonder["problem"] for wonder in client.get("/v1/wonders").json()["wonders"]}
    assert listed["WH/alhambra"] == "bad_enrolment"
    (folder / "mine.txt").write_text("mine")
    answer = client.delete("/v1/wonders/alhambra")
    assert (answer.status_code, answer.json()["error"]["code"]) == (409, "enrolment_not_empty")
    (folder / "mine.txt").unlink()
    assert client.delete("/v1/wonders/alhambra").json()["source"] == "shipped"
    assert not folder.exists()


def test_two_layouts_of_one_wonder_are_refused(client: TestClient) -> None:
    entry = dict(load_wonder_catalogue()["WH/alhambra"].entry)
    answer = client.post("/v1/scores", json={"board": ON_THE_BOARD, "wonders": [entry, entry]})
    assert (answer.status_code, answer.json()["error"]["code"]) == (422, "wonder_twice")
    form = {"wonder": [RULED, RULED]}
    answer = client.post("/v1/readings", data=form, files={"photo": ("a.jpg", b"", "image/jpeg")})
    assert (answer.status_code, answer.json()["error"]["code"]) == (422, "wonder_twice")


def test_a_sent_file_with_a_deep_key_is_refused_at_once(client: TestClient) -> None:
    answer = client.post("/v1/wonder-layouts", json={"file": "a." * 16_000 + "b=1"})
    assert (answer.status_code, answer.json()["error"]["code"]) == (422, "bad_toml")


def test_the_error_for_the_owner_nobody_gives_the_right_spelling(client: TestClient) -> None:
    answer = client.post("/v1/scores", json={"board": ON_THE_BOARD, "owners": {"alhambra": "nobody"}})
    error = answer.json()["error"]
    assert error["code"] == "colour_unknown"
    assert "meant" not in error["details"]
    assert error["details"]["nobody"] == "null"
    assert error["text"].endswith("For a wonder that nobody holds it is null.")
    assert score(client, board=ON_THE_BOARD, owners={"alhambra": None})["unowned"] == ["WH/alhambra"]


def test_the_print_from_the_photo_is_stored_with_the_layout(tmp_path: Path) -> None:
    """A photo and a reading are named in few bytes; the pixels are those that the server already has."""
    with running(tmp_path / "data", readers=1) as server:
        enrolled = EnrolledWonders(server.data / "wonders")
        file, _ = draw_lone("WH/tikal")
        picture = {"photo": ("lone.jpg", file.read_bytes(), "image/jpeg")}
        far = server.client.post("/v1/wonders/tikal/photo", files=picture, headers={"Host": "table.localhost"})
        assert far.raise_for_status().json()["photo"] is None, "who may not enrol gets no name of the photo"
        seen = server.client.post("/v1/wonders/tikal/photo", files=picture).raise_for_status().json()
        body = {"plan": seen["plan"], "photo": seen["photo"]}
        answer = server.client.put("/v1/wonders/tikal", json=body).raise_for_status().json()
        assert answer["print"] == "lone.jpg"
        art = enrolled.load("tikal").art
        assert art is not None
        assert (art.source, [key.tile for key in art.keys]) == ("lone.jpg", [f"WH/tikal#{cell}" for cell in range(5)])
        again = server.client.put("/v1/wonders/tikal", json=body).raise_for_status().json()
        assert again["print"] == "lone.jpg"
        assert server.client.delete("/v1/wonders/tikal").json()["source"] == "shipped", "kept already: no further step"
        for named, code in (
            ({"photo": "nonesuch"}, "print_gone"),
            ({"reading": "nonesuch"}, "not_found"),
            ({"reading": "x", "photo": "x"}, "bad_field"),
        ):
            refused = server.client.put("/v1/wonders/tikal", json={"plan": seen["plan"], **named})
            assert error_in(refused)["code"] == code
        other = {"plan": write_copy(), "photo": seen["photo"]}
        assert error_in(server.client.put("/v1/wonders/stonehenge", json=other))["code"] == "wonder_not_seen"
        table = {"photo": ("table.jpg", photograph_copy(), "image/jpeg")}
        reading = server.client.post("/v1/readings", files=table).raise_for_status().json()
        lies = server.client.get(f"/v1/readings/{reading['id']}/wonders/stonehenge").raise_for_status().json()
        body = {"plan": lies["plan"], "reading": reading["id"]}
        answer = server.client.put("/v1/wonders/stonehenge", json=body).raise_for_status().json()
        assert answer["print"] == "table.jpg"
        art = enrolled.load("stonehenge").art
        assert art is not None
        assert art.source == "table.jpg"
        assert {key.tile for key in art.keys} <= {f"WH/stonehenge#{cell}" for cell in range(5)}
        body = {"plan": seen["plan"], "reading": reading["id"]}
        answer = server.client.put("/v1/wonders/tikal", json=body).raise_for_status().json()
        assert answer["print"] is None, "Tikal does not lie there"
