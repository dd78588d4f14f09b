"""/v1/events from outside: an event is created, photos become its tables, and invalid requests are refused."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest
import tomlkit
from starlette.testclient import TestClient

from api.carcassonne.report.board import read_report_board
from api.documents.report import Report
from api.server.settings import Settings
from scoring.carcassonne.wonders.files import vouch_for
from scoring.carcassonne.wonders.tiles import WonderLayout
from tests.api.http.copies import COPY, photograph_copy
from tests.api.serving import LEVEL, Running, error_in, grey_jpeg, photo_form, running, unopened

SEATED = {"round": "1", "table": "1", "player": ["red=Anna", "pink=Ștefan"], "track": ["red=90"]}
Posted = Callable[..., httpx.Response]


def test_photos_become_tables_of_an_event_and_its_standings(tmp_path: Path) -> None:
    with running(tmp_path / "data", readers=1, queue=0) as server:
        made = server.client.post("/v1/events", json={"name": "Cup", "rules": "C3-2023"})
        assert made.status_code == 201
        event = made.json()
        assert (event["may_decide"], event["rules"], len(event["token"])) == (True, "C3-2023", 43)
        address = f"/v1/events/{event['id']}"
        server.client.headers.update({"Authorization": f"Bearer {event['token']}", "X-Wondertally-Who": "Vera"})
        added = server.client.post(f"{address}/tables", **photo_form(LEVEL.read_bytes()), data=SEATED)
        assert (added.status_code, added.json()["table"]["state"]) == (201, "reading")
        assert added.json()["event"]["counts"]["reading"] == 1
        other = server.client.post(f"{address}/tables", **photo_form(grey_jpeg()), data={"table": "2"})
        assert error_in(other, 429)["code"] == "queue_full"
        assert int(other.headers["Retry-After"]) > 0
        table = read(server, address)
        assert table["state"] in ("doubtful", "sure")
        assert (table["coming"], table["photos"], table["whole"]) == (None, ["table.jpg"], False)
        assert {score["colour"]: score["name"] for score in table["scores"]}["pink"] == "Ștefan"
        results = server.client.get(f"{address}/results.csv").text.splitlines()
        (red,) = [line.split(",") for line in results if ",red," in line]
        assert (red[:4], red[6], red[8]) == (["", "1", "1", "table.jpg"], "Anna", "90")
        again = server.client.post(f"{address}/tables", **photo_form(LEVEL.read_bytes()), data=SEATED)
        assert (again.status_code, again.json()["table"]["reading"]) == (200, table["reading"])
        facts = {"goods": "red.wine=2", "players": "3", "tiles_in_play": "80", "owner": "alhambra=red"}
        for field, value in {**facts, "track": "red=91", "player": "red=Ana"}.items():
            other = server.client.post(
                f"{address}/tables", **photo_form(LEVEL.read_bytes()), data={"round": "1", "table": "1", field: value}
            )
            assert error_in(other, 409)["code"] == "table_exists"
            assert error_in(other, 409)["details"] == {"table": table["id"], "differs": [field]}
        less = {"round": "1", "table": "1", "track": "red=90", "game": "carcassonne"}
        again = server.client.post(f"{address}/tables", **photo_form(LEVEL.read_bytes()), data=less)
        assert (again.status_code, again.json()["table"]["reading"]) == (200, table["reading"])
        reading = server.client.get(f"/v1/readings/{table['reading']}").json()
        assert (reading["may_correct"], reading["expires"], reading["report"]["names"]["red"]) == (True, None, "Anna")
        other = server.client.post(f"{address}/tables", **photo_form(grey_jpeg()), data={**SEATED, "table": "2"})
        assert other.status_code == 201
        failed = read(server, address)
        assert (failed["table"], failed["state"], failed["error"]["code"]) == ("2", "failed", "board_not_found")
        assert server.client.delete(f"{address}/tables/{failed['id']}").status_code == 204
        assert server.client.delete(address).status_code == 204
        assert server.photos() == set()


def test_layouts_of_wonders_are_sent_with_the_photos_of_a_table(tmp_path: Path) -> None:
    """The first edges read are a guess; a submitted layout is none."""
    file = tomlkit.dumps(dict(vouch_for(COPY).entry))
    pictures = [photograph_copy(quality) for quality in (95, 94)]
    with running(tmp_path / "data", readers=1) as server:
        event = server.client.post("/v1/events", json={"name": "Cup"}).raise_for_status().json()
        server.client.headers["Authorization"] = f"Bearer {event['token']}"
        address = f"/v1/events/{event['id']}"

        def load_layout() -> WonderLayout:
            table = read(server, address)
            report = server.client.get(f"/v1/readings/{table['reading']}/report.json").raise_for_status().json()
            (placed,) = read_report_board(Report.model_validate(report)).wonders
            return placed.layout

        server.client.post(f"{address}/tables", **photo_form(pictures[0]), data={"table": "1"}).raise_for_status()
        assert load_layout().is_guessed
        (table,) = server.client.get(f"{address}/tables").json()["tables"]
        more = f"{address}/tables/{table['id']}/photos"
        server.client.post(more, **photo_form(pictures[1]), data={"wonder": file}).raise_for_status()
        layout = load_layout()
        assert not layout.is_guessed
        assert layout.parts == COPY.parts
        again = server.client.post(more, **photo_form(pictures[1]), data={"wonder": file})
        assert again.status_code == 200
        changed = tomlkit.dumps({**vouch_for(COPY).entry, "inferred": ["no coat of arms"]})
        for path, place in ((more, {}), (f"{address}/tables", {"table": "1"})):
            other = server.client.post(path, **photo_form(pictures[1]), data={**place, "wonder": changed})
            assert error_in(other, 409)["details"] == {"table": table["id"], "differs": ["wonder"]}
        refused = server.client.post(more, **photo_form(pictures[1]), data={"wonder": "id ="})
        assert error_in(refused, 422)["code"] == "bad_toml"
        server.client.delete(f"{address}/tables/{table['id']}").raise_for_status()
        form = {"table": "1", "wonder": file}
        server.client.post(f"{address}/tables", **photo_form(pictures[0]), data=form).raise_for_status()
        assert not load_layout().is_guessed


def read(server: Running, address: str) -> dict[str, Any]:
    """Return the table that needs a person most, once none is being read."""
    while True:
        tables = server.client.get(f"{address}/tables").raise_for_status().json()["tables"]
        if not any(table["state"] == "reading" for table in tables):
            return dict(tables[0])
        time.sleep(0.1)


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    """Return a client, with the key, of a server that requires one."""
    keys = hashlib.sha256(b"the key").hexdigest()
    with unopened(Settings(data=tmp_path, api_keys=keys)) as app:  # type: ignore[arg-type]
        client = TestClient(app, "http://localhost:8000")
        client.headers["X-API-Key"] = "the key"
        yield client
        client.close()


@pytest.fixture
def event(client: TestClient) -> str:
    """Return the address of an event whose token the client has."""
    made = client.post("/v1/events", json={"name": "Cup"}).raise_for_status().json()
    client.headers["Authorization"] = f"Bearer {made['token']}"
    return f"/v1/events/{made['id']}"


@pytest.mark.parametrize("name", ["", "a\nb", "x" * 81, " Cup", "\0"])
def test_an_event_needs_a_name(client: TestClient, name: str) -> None:
    assert error_in(client.post("/v1/events", json={"name": name}), 422)["code"] == "bad_field"


def test_an_event_needs_a_known_rule_set(client: TestClient) -> None:
    refused = client.post("/v1/events", json={"name": "Cup", "rules": "C9"})
    assert error_in(refused, 422)["code"] == "unknown_rules"


def test_events_and_photos_need_the_key_and_photos_the_token_as_well(client: TestClient, event: str) -> None:
    photo = photo_form(grey_jpeg())
    table = client.get(f"{event}/tables").raise_for_status().json()["tables"]
    assert table == []
    for header, code, status in (("Authorization", "token_wanted", 401), ("X-API-Key", "key_wanted", 401)):
        header_value = client.headers.pop(header)
        for address in (f"{event}/tables", f"{event}/tables/1/photos"):
            assert error_in(client.post(address, **photo, data={"table": "1"}), status)["code"] == code
        client.headers[header] = header_value
    wrong = {"Authorization": "Bearer x"}
    assert error_in(client.post(f"{event}/tables", **photo, data=SEATED, headers=wrong), 403)["code"] == "not_yours"
    assert error_in(client.delete(f"{event}/tables/1", headers=wrong), 403)["code"] == "not_yours"
    assert error_in(client.post(f"{event}/tables/1/photos", **photo), 404)["code"] == "not_found"
    assert error_in(client.delete(f"{event}/tables/1"), 404)["code"] == "not_found"
    del client.headers["X-API-Key"]
    assert error_in(client.post("/v1/events", json={"name": "Cup"}), 401)["code"] == "key_wanted"


INVALID_TABLES: list[tuple[dict[str, Any], str]] = [
    ({}, "bad_field"),
    ({"table": "x" * 41}, "bad_field"),
    ({"table": "1", "round": "a\nb"}, "bad_field"),
    ({"table": ["1", "2"]}, "bad_field"),
    ({"table": "1", "player": ["red"]}, "bad_field"),
    ({"table": "1", "player": ["red=" + "x" * 41]}, "bad_field"),
    ({"table": "1", "player": ["red=Anna", "blue=Anna"]}, "bad_field"),
    ({"table": "1", "player": ["red=Anna", "red=Bob"]}, "bad_field"),
    ({"table": "1", "player": ["mauve=Anna"]}, "colour_unknown"),
    ({"table": "1", "track": ["red=many"]}, "bad_track"),
    ({"table": "1", "track": ["mauve=1"]}, "colour_unknown"),
    ({"table": "1", "game": "chess"}, "unsupported_game"),
    ({"table": "1", "game": "world-wonders", "track": ["red=1"]}, "bad_field"),
    ({"table": "1", "game": "tower-of-babel", "player": ["white=Anna"]}, "colour_unknown"),
]


def test_invalid_tables_are_refused(client: TestClient, event: str) -> None:
    for fields, code in INVALID_TABLES:
        error = error_in(client.post(f"{event}/tables", **photo_form(grey_jpeg()), data=fields), 422)
        assert error["code"] == code, fields
    assert client.get(f"{event}/tables").json()["tables"] == []


def test_an_invalid_photo_is_refused_and_leaves_no_file(client: TestClient, event: str, tmp_path: Path) -> None:
    (tmp_path / "incoming").mkdir(exist_ok=True)
    refused = client.post(f"{event}/tables", **photo_form(b"no picture"), data={"table": "1"})
    assert error_in(refused, 415)["code"] == "not_an_image"
    assert error_in(client.post(f"{event}/tables", json={"table": "1"}), 415)["code"] == "wrong_content_type"
    assert list((tmp_path / "incoming").iterdir()) == []


def test_photos_for_events_count_towards_the_limit_of_readings(tmp_path: Path) -> None:
    with unopened(Settings(data=tmp_path, readings_per_minute=2)) as app:
        client = TestClient(app, "http://localhost:8000")
        answers = [
            client.post(f"/v1/events/x/{address}", **photo_form(b"no picture"))
            for address in ("tables", "tables/1/photos", "tables")
        ]
        client.close()
    assert [answer.status_code for answer in answers] == [404, 404, 429]
    assert int(answers[-1].headers["Retry-After"]) > 0


COLOURS = ("red", "black", "blue", "yellow", "green", "pink")
ROSTER = f"""Round;Table;{";".join(COLOURS)};Player 1;Player 2
1;1;A;B;C;D;E;F
1;2;;;;;;;Ben;Cleo Maria
2;1;;;;;;;Ben;A
"""


def test_a_roster_names_the_players_of_a_round(tmp_path: Path) -> None:
    with running(tmp_path / "data", readers=1) as server:
        event = server.client.post("/v1/events", json={"name": "Cup"}).raise_for_status().json()
        address = f"/v1/events/{event['id']}"
        assert error_in(server.client.put(f"{address}/roster", json={"csv": ROSTER}), 401)["code"] == "token_wanted"
        server.client.headers["Authorization"] = f"Bearer {event['token']}"
        put = server.client.put(f"{address}/roster", json={"csv": ROSTER}).raise_for_status().json()
        assert put == server.client.get(f"{address}/tables").json()
        assert [(one["round"], one["table"], one["names"], one["players"]) for one in put["roster"]] == [
            ("1", "1", dict(zip(COLOURS, "ABCDEF", strict=True)), []),
            ("1", "2", {}, ["Ben", "Cleo Maria"]),
            ("2", "1", {}, ["Ben", "A"]),
        ]
        place = {"round": "1", "table": "1"}
        server.client.post(f"{address}/tables", **photo_form(LEVEL.read_bytes()), data=place).raise_for_status()
        read(server, address)
        one, two = (server.client.get(f"{address}/standings", params={"round": name}).json() for name in "12")
        assert (sorted(each["player"] for each in one["standings"]), two["standings"]) == ([*"ABCDEF"], [])
        assert server.client.get(f"{address}/standings.csv", params={"round": "1"}).text.count("\n") == 7
        for csv, code, key in (
            ("round\n1\n", "bad_roster", "round"),
            ("table,x\n1,2\n", "bad_roster", "x"),
            ("table,red\n1,Ana,Bo\n", "bad_roster_line", ""),
            ("table,red\n1,Ana\n2,Ana\n", "roster_repeats", "Ana"),
        ):
            refused = error_in(server.client.put(f"{address}/roster", json={"csv": csv}), 422)
            assert (refused["code"], refused["details"]["key"]) == (code, key)
        assert len(server.client.get(f"{address}/tables").json()["roster"]) == 3
        csv = "SEP=;\nRunde;Tisch;Spieler:in 1;Jucătoare\n1;1;Ana;Bo\n"
        (pairing,) = server.client.put(f"{address}/roster", json={"csv": csv}).raise_for_status().json()["roster"]
        assert (pairing["table"], pairing["players"]) == ("1", ["Ana", "Bo"])
