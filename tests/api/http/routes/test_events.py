"""Events: a batch's folder taken over, decided upon, and exported; the standings follow every change."""

from __future__ import annotations

import csv
import io
import json
import os
import shutil
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from sqlalchemy import text
from starlette.testclient import TestClient

from api.app import create_app
from api.http.dependencies import Server
from api.server.settings import Settings
from api.server.tokens import generate_id
from api.service.event_import import ImportSummary, import_batch
from api.store.event_additions import SubmissionStore
from api.store.photos import MARK
from api.store.rosters import RosterStore
from api.tournament.errors import BatchError
from api.tournament.listed_tables import ListedTable
from api.tournament.results import extract_table_score, summarise_result
from api.tournament.standings import compute_standings
from tests.api.batched import TRACK, batched, leave_batch, listing, read_by_batch, take_over
from tests.api.commands import error_of, run
from tests.api.processes import Process
from tests.api.serving import error_in

TABLES = {"a.png": 1, "b.png": 2, "torn.png": 3, "c.png": 4}
SEEDS = {"a.png": 6, "b.png": 3, "c.png": 1}
CSVS = ("results.csv", "standings.csv")
EXPORTS = (*CSVS, "results.jsonl")


@dataclass
class Cup:
    """A batch's folders, the server that took it over, and a client with the event's token."""

    photos: Path
    out: Path
    settings: Settings
    client: TestClient
    done: ImportSummary

    @property
    def url(self) -> str:
        return f"/v1/events/{self.done.event}"

    @property
    def server(self) -> Server:
        server: Server = self.client.app.state.server  # type: ignore[attr-defined]
        return server

    def again(self) -> ImportSummary:
        return import_batch(self.out, None, str(self.photos), self.settings, lambda stage, done, of: None)

    def event(self) -> dict[str, Any]:
        return dict(self.client.get(self.url).raise_for_status().json())

    def tables(self) -> dict[str, dict[str, Any]]:
        """Return the tables by their photos, in the order in which they need a person."""
        document = self.client.get(f"{self.url}/tables").raise_for_status().json()
        return {table["photos"][0]: table for table in document["tables"]}

    def decide(self, photo: str, who: str = "Vera", **decision: Any) -> dict[str, Any]:
        table = self.tables()[photo]
        address = f"{self.url}/tables/{table['id']}/decisions"
        answer = self.client.post(address, json=decision, headers={"X-Wondertally-Who": who})
        return dict(answer.raise_for_status().json())

    def reading(self, photo: str) -> dict[str, Any]:
        return dict(self.client.get(f"/v1/readings/{self.tables()[photo]['reading']}").raise_for_status().json())

    def questions(self, photo: str) -> list[dict[str, Any]]:
        return list(self.reading(photo)["questions"])

    def export(self, name: str) -> bytes:
        return self.client.get(f"{self.url}/{name}").raise_for_status().content

    def rows(self, photo: str) -> list[dict[str, str]]:
        read = csv.DictReader(io.StringIO(self.export("results.csv").decode(), newline=""))
        return [row for row in read if row["photos"] == photo]

    def standings_hold(self) -> None:
        """Assert that the rows in the database equal the standings of `api.tournament.standings` now."""
        results = self.server.events.iterate_results(self.done.event)
        scores = [score for result in results for score in extract_table_score(summarise_result(result))]
        assert self.server.events.list_standings(self.done.event) == compute_standings(scores)


@pytest.fixture(scope="module")
def left(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a batch of three tables and a torn photo, beside its photos."""
    folder = tmp_path_factory.mktemp("batch")
    leave_batch(folder, TABLES, SEEDS)
    return folder


@pytest.fixture
def cup(left: Path, database: str, tmp_path: Path) -> Iterator[Cup]:
    """Return it, taken over by a server."""
    taken = take_over(left, database, tmp_path, requests_per_minute=100_000)
    client = TestClient(create_app(taken.settings), "http://localhost:8000")
    client.headers["Authorization"] = f"Bearer {taken.done.token}"
    yield Cup(taken.photos, taken.out, taken.settings, client, taken.done)
    client.close()
    client.app.state.server.engine.dispose()  # type: ignore[attr-defined]


def test_a_table_has_places_once_all_track_points_are_known(cup: Cup) -> None:
    """By the final scoring alone a place could contradict the totals beside it; the file has none either."""
    reports = {photo: cup.reading(photo)["report"] for photo in SEEDS}
    on_board = {photo: {one["colour"] for one in report["board"]["meeples"]} for photo, report in reports.items()}
    seen = {photo: {piece["colour"] for piece in report["track"]["pieces"]} for photo, report in reports.items()}
    photo, colour = next((photo, min(unseen)) for photo in SEEDS if (unseen := on_board[photo] - seen[photo]))
    scores = cup.tables()[photo]["scores"]
    points = [score["points"] for score in scores]
    assert [score["place"] for score in scores] == [1 + sum(other > mine for other in points) for mine in points]
    assert {row["colour"]: int(row["place"]) for row in cup.rows(photo)} == {s["colour"]: s["place"] for s in scores}
    cup.decide(photo, answer={"kind": "track", "colour": colour, "points": None})
    assert {score["place"] for score in cup.tables()[photo]["scores"]} == {None}
    assert {row["place"] for row in cup.rows(photo)} == {""}
    cup.decide(photo, answer={"kind": "track", "colour": colour, "points": TRACK[colour]})
    assert cup.tables()[photo]["scores"] == scores


def test_files_of_a_table_are_named_by_day_place_and_players(cup: Cup) -> None:
    table = cup.tables()["a.png"]
    names = [score["name"] for score in table["scores"]]
    for file in ("report.csv", "report.pdf"):
        answer = cup.client.get(f"/v1/readings/{table['reading']}/{file}", params={"language": "de"})
        named = answer.raise_for_status().headers["content-disposition"]
        ascii_name, _, written = named.removeprefix('attachment; filename="').partition("\"; filename*=UTF-8''")
        assert ascii_name.isascii()
        name = unquote(written)
        day = cup.reading("a.png")["created"][:10]
        assert name.startswith(f"Wondertally {day} {cup.event()['name']}")
        assert name.endswith(file[-4:])
        assert f"Tisch {table['table']}" in name if table["table"].isdecimal() else table["table"] in name
        assert any(player in name for player in names if player)


def test_an_imported_batch_exports_the_same_files_as_the_batch(cup: Cup) -> None:
    assert (cup.done.tables, cup.done.taken) == (4, 3)
    for name in EXPORTS:
        assert cup.export(name) == (cup.out / name).read_bytes() == cup.export(name)
    assert cup.event()["name"] == "cup"
    assert cup.client.get(f"/v1/readings/{cup.tables()['a.png']['reading']}/photo").status_code == 200
    cup.standings_hold()


def test_tables_that_need_a_person_come_first(cup: Cup) -> None:
    tables = cup.tables()
    assert [table["state"] for table in tables.values()] == ["failed", "doubtful", "doubtful", "doubtful"]
    sure = [table["confidence"] for table in tables.values()][1:]
    assert sure == sorted(sure)
    cup.decide(list(tables)[1], confirm=True)
    assert [table["state"] for table in cup.tables().values()] == ["failed", "doubtful", "doubtful", "checked"]
    assert cup.event()["counts"]["checked"] == 1
    assert tables["torn.png"]["error"]["code"] == "truncated_image"


def test_a_confirmed_table_is_no_longer_doubtful_and_names_who_checked_it(cup: Cup) -> None:
    made = cup.decide("a.png", who="J%C3%BCrgen", confirm=True)
    assert (made["table"]["state"], made["table"]["who"]) == ("checked", "Jürgen")
    assert {row["status"] for row in cup.rows("a.png")} == {"checked"}
    assert {player["doubtful_tables"] for player in made["event"]["standings"]} == {2}
    assert cup.export("results.jsonl") == (cup.out / "results.jsonl").read_bytes()
    cup.standings_hold()


def points_on_board(table: dict[str, Any]) -> dict[str, int]:
    """Return each player's points of the final scoring: all their points except those typed of the score track."""
    return {player["colour"]: player["points"] - TRACK[player["colour"]] for player in table["scores"]}


def test_answers_correct_tables_and_the_standings_until_nothing_is_open(cup: Cup) -> None:
    before = {name: cup.export(name) for name in EXPORTS}
    while questions := cup.questions("b.png"):
        choice = questions[0]["choices"][1]
        made = cup.decide("b.png", answer=choice["correction"])
        points = points_on_board(made["table"])
        assert {colour: points[colour] for colour in choice["final_scoring"]} == choice["final_scoring"]
        cup.standings_hold()
    assert made["table"]["state"] == "checked"
    after = {name: cup.export(name) for name in EXPORTS}
    assert after["results.csv"] != before["results.csv"]
    assert {name: cup.export(name) for name in EXPORTS} == after
    while cup.tables()["b.png"]["decided_at"] or cup.reading("b.png")["can_undo"]:
        cup.decide("b.png", undo=True)
        cup.standings_hold()
    assert {name: cup.export(name) for name in CSVS} == {name: before[name] for name in CSVS}


@pytest.mark.soak
def test_the_last_answer_leaves_a_table_open_if_a_player_has_no_name(cup: Cup) -> None:
    table = cup.tables()["b.png"]
    colour = table["scores"][0]["colour"]
    change = {"corrections": [{"kind": "player", "colour": colour, "name": None}]}
    assert cup.client.patch(f"/v1/readings/{table['reading']}", json=change).status_code == 200
    while questions := cup.questions("b.png"):
        made = cup.decide("b.png", answer=questions[0]["choices"][1]["correction"])
    assert made["table"]["state"] == "sure"
    named = {"corrections": [{"kind": "player", "colour": colour, "name": "Ana"}]}
    assert cup.client.patch(f"/v1/readings/{table['reading']}", json=named).status_code == 200
    assert cup.decide("b.png", confirm=True)["table"]["state"] == "checked"


def test_a_table_that_cannot_be_scored_has_no_points(cup: Cup) -> None:
    cup.decide("a.png", unscorable="The wind took it")
    assert cup.tables()["a.png"]["state"] == "unscorable"
    (row,) = cup.rows("a.png")
    assert (row["status"], row["error"], row["player"]) == ("failed", "not_scorable", "")
    assert {player["tables"] for player in cup.event()["standings"]} == {2}
    cup.standings_hold()
    cup.decide("a.png", undo=True)
    assert cup.export("results.csv") == (cup.out / "results.csv").read_bytes()


def test_a_correction_on_a_readings_page_counts_at_once_and_reopens_the_check(cup: Cup) -> None:
    cup.decide("c.png", confirm=True)
    reading = cup.tables()["c.png"]["reading"]
    change = {"corrections": [{"kind": "track", "colour": "red", "points": 70}]}
    assert cup.client.patch(f"/v1/readings/{reading}", json=change).status_code == 200
    (red,) = [row for row in cup.rows("c.png") if row["colour"] == "red"]
    assert red["on_track"] == "70"
    assert cup.tables()["c.png"]["state"] == "doubtful"
    cup.standings_hold()
    undone = cup.client.patch(f"/v1/readings/{reading}", json={"reset": True}).json()
    assert undone["report"]["names"]["red"] == "Anna", "what the listing says is not undone"


def test_the_second_of_two_simultaneous_decisions_is_refused(cup: Cup) -> None:
    table = cup.tables()["a.png"]
    cup.decide("a.png", confirm=True)
    for decision in ({"unscorable": "x"}, {"answer": {"kind": "no_tile", "row": 0, "col": 0}}, {"undo": True}):
        answer = cup.client.post(
            f"{cup.url}/tables/{table['id']}/decisions", json={**decision, "version": table["version"]}
        )
        assert error_in(answer, 409)["code"] == "conflict"
    assert cup.tables()["a.png"]["state"] == "checked"


def test_decisions_at_many_tables_at_once_leave_the_right_standings(cup: Cup) -> None:
    events = cup.server.events
    tables = [table for table in events.list_tables(cup.done.event) if table.reading]

    def decide(number: int) -> None:
        for turn in range(5):
            now = events.get_table(cup.done.event, tables[number].id)
            events.decide(now, "reopened" if turn % 2 else "unscorable", "Vera", "x")

    threads = [threading.Thread(target=decide, args=(number,)) for number in range(len(tables))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    cup.standings_hold()
    assert events.list_standings(cup.done.event) == []
    assert len(events.list_acts(cup.done.event)) == 15


def test_the_history_shows_who_made_each_decision(cup: Cup) -> None:
    cup.decide("a.png", who="Ana", confirm=True)
    cup.decide("a.png", who="Bo", undo=True)
    cup.decide("b.png", who="Ana", answer=cup.questions("b.png")[0]["choices"][1]["correction"])
    acts = cup.client.get(f"{cup.url}/history").json()["acts"]
    ids = {name: table["id"] for name, table in cup.tables().items()}
    act_rows = sorted((act["table"], act["who"], act["what"]) for act in acts)
    assert act_rows == [
        (ids["a.png"], "Ana", "checked"),
        (ids["a.png"], "Bo", "reopened"),
        (ids["b.png"], "Ana", "corrected"),
    ]


def test_importing_the_same_folder_again_changes_nothing(cup: Cup) -> None:
    version, reading = cup.event()["version"], cup.tables()["a.png"]["reading"]
    again = cup.again()
    assert (again.token, again.taken, again.changed, again.event) == ("", 0, 0, cup.done.event)
    assert (cup.event()["version"], cup.tables()["a.png"]["reading"]) == (version, reading)


def test_a_resumed_batch_is_imported_without_losing_corrections(cup: Cup) -> None:
    answered = cup.questions("b.png")[0]["choices"][1]
    cup.decide("b.png", answer=answered["correction"])
    cup.decide("c.png", confirm=True)
    before = cup.tables()
    read_by_batch(cup.photos, cup.out, "new.png", 2)
    (cup.photos / "a.png").unlink()
    read_by_batch(cup.photos, cup.out, "a.png", 5)
    (cup.photos / "b.png").unlink()
    read_by_batch(cup.photos, cup.out, "b.png", 4)
    batched(cup.photos, cup.out, listing({**TABLES, "new.png": 5}).replace("Anna", "Anne"))
    again = cup.again()
    assert (again.tables, again.taken, again.kept) == (5, 2, 1)
    tables = cup.tables()
    assert tables["a.png"]["reading"] != before["a.png"]["reading"], "nobody had corrected it"
    assert tables["b.png"]["reading"] == before["b.png"]["reading"]
    points = points_on_board(tables["b.png"])
    assert {colour: points[colour] for colour in answered["final_scoring"]} == answered["final_scoring"]
    assert tables["c.png"]["state"] == "checked"
    assert {score["name"] for table in tables.values() for score in table["scores"] if score["colour"] == "red"} == {
        "Anne"
    }
    cup.standings_hold()
    assert cup.again().taken == 0


def test_a_resumed_batch_keeps_tables_handed_in_on_the_page(cup: Cup) -> None:
    adding, reading = SubmissionStore(cup.server.engine), generate_id()
    rosters = RosterStore(cup.server.engine)
    submission = {"files": ["x.jpg"], "contents": [], "known": 0, "who": "Vera"}
    placed = rosters.complete(cup.done.event, ListedTable(("x.jpg",), "", "1", "5"))
    assert placed.event == "cup", "as the other tables"
    adding.add(cup.done.event, placed, reading, submission)
    cup.server.readings.store.fail(reading, {"code": "board_not_found", "text": "No.", "details": {}})
    before = cup.tables()
    read_by_batch(cup.photos, cup.out, "new.png", 2)
    batched(cup.photos, cup.out, listing({**TABLES, "new.png": 5}))
    again = cup.again()
    assert (again.tables, again.taken, again.kept) == (5, 0, 1)
    assert cup.tables() == before
    cup.standings_hold()


@pytest.mark.soak
def test_a_picture_in_two_files_is_reported_at_both_tables(cup: Cup) -> None:
    """Also in a batch without a listing: there each file is a table of its own, and both would count."""
    read_by_batch(cup.photos, cup.out, "again.png", SEEDS["b.png"])
    batched(cup.photos, cup.out, None)
    cup.again()
    tables = cup.tables()
    assert {photo: table["same_photos"] for photo, table in tables.items() if table["same_photos"]} == {
        "again.png": {"again.png": "b.png"},
        "b.png": {"b.png": "again.png"},
    }
    assert all(tables[photo]["missing"] == {} for photo in ("again.png", "b.png"))
    (row, *_) = cup.rows("again.png")
    assert "again.png is the same picture as b.png, which is of another table" in row["problems"]
    assert (tables["again.png"]["state"], cup.rows("b.png")[0]["status"]) == ("doubtful", "doubtful")
    assert cup.again().changed == 0
    (cup.photos / "again.png").unlink()
    batched(cup.photos, cup.out, None)
    cup.again()
    assert cup.tables()["b.png"]["same_photos"] == {}


def test_a_later_listing_moves_tables_with_their_corrections(tmp_path: Path) -> None:
    photos, out = tmp_path / "photos", tmp_path / "out"
    read_by_batch(photos, out, "a.png", 6)
    batched(photos, out, None)
    settings = Settings(data=tmp_path / "data")
    done = import_batch(out, "cup", None, settings, lambda stage, done, of: None)
    cup = Cup(photos, out, settings, TestClient(create_app(settings), "http://localhost:8000"), done)
    cup.client.headers["Authorization"] = f"Bearer {done.token}"
    assert cup.event()["standings"] == []
    address = f"{cup.url}/tables/{cup.tables()['a.png']['id']}/decisions"
    assert error_in(cup.client.post(address, json={"confirm": True}), 409)["code"] == "track_open"
    on_track = cup.reading("a.png")["report"]["scores"]["on_track"]
    for colour in on_track:
        cup.decide("a.png", answer={"kind": "track", "colour": colour, "points": 60})
    assert cup.tables()["a.png"]["state"] == "doubtful", "what else is in doubt was not answered"
    cup.decide("a.png", confirm=True)
    batched(photos, out, listing({"a.png": 1, "gone.png": 1}))
    cup.again()
    (table,) = cup.tables().values()
    assert table["missing"] == {"gone.png": "photo_not_found"}
    assert (table["table"], table["state"]) == ("1", "checked")
    assert len(cup.event()["standings"]) == 7


def test_a_deleted_event_leaves_nothing(cup: Cup) -> None:
    assert cup.client.delete(cup.url).status_code == 204
    assert error_in(cup.client.get(cup.url), 404)["code"] == "not_found"
    with cup.server.engine.connect() as connection:
        for table in ("events", "event_tables", "decisions", "standings", "readings", "photos", "changes"):
            assert connection.execute(text(f"SELECT count(*) FROM {table}")).scalar() == 0
    assert [file.name for file in (cup.settings.data / "photos").iterdir()] == [MARK]


def test_a_table_reports_that_its_reading_was_deleted(cup: Cup) -> None:
    reading = cup.tables()["a.png"]["reading"]
    assert cup.client.delete(f"/v1/readings/{reading}").status_code == 204
    table = cup.tables()["a.png"]
    assert (table["state"], table["reading"], table["error"]["code"]) == ("failed", None, "not_found")
    cup.standings_hold()


def test_only_clients_with_the_token_decide(cup: Cup) -> None:
    address = f"{cup.url}/tables/{cup.tables()['a.png']['id']}/decisions"
    stranger = TestClient(cup.client.app, "http://localhost:8000")
    assert stranger.get(cup.url).json()["may_decide"] is False
    assert error_in(stranger.post(address, json={"confirm": True}), 401)["code"] == "token_wanted"
    wrong = {"Authorization": "Bearer x"}
    assert error_in(stranger.post(address, json={"confirm": True}, headers=wrong), 403)["code"] == "not_yours"
    assert error_in(stranger.delete(cup.url), 401)["code"] == "token_wanted"
    assert cup.event()["counts"]["checked"] == 0


@pytest.mark.parametrize("asked", [{}, {"confirm": True, "undo": True}, {"unscorable": ""}, {"unscorable": "a\nb"}])
def test_invalid_decisions_are_refused(cup: Cup, asked: dict[str, Any]) -> None:
    address = f"{cup.url}/tables/{cup.tables()['a.png']['id']}/decisions"
    assert error_in(cup.client.post(address, json=asked), 422)["code"] == "bad_field"


def test_a_table_without_points_can_be_neither_confirmed_nor_undone(cup: Cup) -> None:
    address = f"{cup.url}/tables/{cup.tables()['torn.png']['id']}/decisions"
    assert error_in(cup.client.post(address, json={"confirm": True}), 409)["code"] == "not_read_yet"
    address = f"{cup.url}/tables/{cup.tables()['a.png']['id']}/decisions"
    assert error_in(cup.client.post(address, json={"undo": True}), 409)["code"] == "nothing_to_undo"
    for nothing in (
        f"{cup.url}/tables/x/decisions",
        f"{cup.url}/tables/999/decisions",
        "/v1/events/%00/tables/1/decisions",
    ):
        assert error_in(cup.client.post(nothing, json={"undo": True}), 404)["code"] == "not_found"


def test_a_folder_without_a_batch_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BatchError, match="no_batch"):
        import_batch(tmp_path, None, None, Settings(data=tmp_path / "data"), lambda stage, done, of: None)


def test_a_batch_csv_naming_only_unknown_players_is_refused_with_its_line(
    left: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """This includes a batch of an earlier version, which accepted such a CSV."""
    monkeypatch.setenv("WONDERTALLY_DATA", str(tmp_path / "data"))
    shutil.copytree(left / "out", tmp_path / "out")
    for name in ("A" * 41, '"An\nna"'):
        csv = listing(TABLES).replace("Anna", name)
        (tmp_path / "list.csv").write_text(csv, encoding="utf-8")
        (tmp_path / "out" / "batch.json").write_text(
            json.dumps({**json.loads((left / "out" / "batch.json").read_text()), "listing": csv}), encoding="utf-8"
        )
        batch = ("batch", str(left / "photos"), "--out", str(tmp_path / "new"), "--listing", str(tmp_path / "list.csv"))
        for words in (("event", "import", str(tmp_path / "out")), batch):
            status, _, err = run(capsys, *words)
            error = error_of(err)
            assert (status, error["code"]) == (2, "bad_listing")
            assert error["details"]["line"] == 2  # at the beginning of the row


def test_the_command_prints_the_events_token_once_and_its_page(
    left: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WONDERTALLY_DATA", str(tmp_path / "data"))
    status, out, err = run(capsys, "event", "import", str(left / "out"), "--name", "Cup of Cups", "--json", "-")
    document = json.loads(out)
    assert (status, err, document["taken"]) == (0, "", 3)
    assert document["page"] == f"/event/{document['event']}#token={document['token']}"
    status, out, _ = run(capsys, "event", "import", str(left / "out"))
    assert (status, "token" in out, document["event"] in out) == (0, False, True)
    status, _, err = run(capsys, "event", "import", str(tmp_path))
    assert (status, error_of(err)["code"]) == (2, "no_batch")


def test_a_lost_token_is_replaced_for_the_event_and_its_readings(
    cup: Cup, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WONDERTALLY_DATA", str(cup.settings.data))
    monkeypatch.setenv("WONDERTALLY_DATABASE", cup.settings.database)
    _, out, _ = run(capsys, "event", "token", str(cup.out), "--json", "-")
    address, change = f"/v1/readings/{cup.tables()['a.png']['reading']}", {"reset": True}
    assert error_in(cup.client.patch(address, json=change), 403)["code"] == "not_yours"
    cup.client.headers["Authorization"] = f"Bearer {json.loads(out)['token']}"
    assert cup.client.patch(address, json=change).status_code == 200
    assert cup.event()["may_decide"] is True
    (cup.out / "batch.json").write_text((cup.out / "batch.json").read_text().replace('"id": "', '"id": "x'))
    status, _, err = run(capsys, "event", "token", str(cup.out))
    assert (status, error_of(err)["code"]) == (2, "no_event")


@pytest.mark.soak
def test_a_killed_import_is_resumed(left: Path, tmp_path: Path) -> None:
    """It is killed once it has stored a given amount: that part is complete, and another run ends like a single one."""
    data = tmp_path / "data"
    words, env = ["event", "import", str(left / "out")], {**os.environ, "WONDERTALLY_DATA": str(data)}
    for photos in (1, 3):
        with Process(words, env=env) as process:
            while process.poll() is None and len(list(data.glob("photos/*.jpg"))) < photos:
                time.sleep(0.005)
            process.kill()
    settings = Settings(data=data)
    done = import_batch(left / "out", None, None, settings, lambda stage, done, of: None)
    client = TestClient(create_app(settings), "http://localhost:8000")
    for name in EXPORTS:
        assert client.get(f"/v1/events/{done.event}/{name}").content == (left / "out" / name).read_bytes()
    tables = client.get(f"/v1/events/{done.event}/tables").json()["tables"]
    readings = {table["reading"] for table in tables if table["reading"]}
    assert len(readings) == 3
    for reading in readings:
        assert client.get(f"/v1/readings/{reading}/photo").status_code == 200
