"""Games kept by their photos: each is read once, in order, and the log follows from them and the corrections."""

from __future__ import annotations

import re
import time

import pytest

from tests.api.http.growing import PLAYERS, KeptGame
from tests.api.serving import Running, error_in


@pytest.fixture(scope="module")
def game(server: Running) -> KeptGame:
    """Return a game of three photos, one of them sent twice."""
    kept = KeptGame(server, on_turn="blue", points={"blue": 4, "red": 2})
    statuses = [kept.send(number).status_code for number in (0, 1, 1, 2)]
    assert statuses == [201, 201, 200, 201]
    return kept


def test_each_photo_counts_once_and_in_order(game: KeptGame) -> None:
    kept = game.follow()
    assert [(photo["number"], photo["status"], photo["place"]) for photo in kept["photos"]] == [
        (1, "read", 0),
        (2, "read", 1),
        (3, "read", 2),
    ]
    assert [photo["file"] for photo in kept["log"]["photos"]] == ["photo 1", "photo 2", "photo 3"]
    assert kept["log"]["scores"][0]["likeliest"] == {"blue": 4, "red": 2}
    tiles = [sum(len(move["tiles"]) for move in stretch["moves"]) for stretch in kept["log"]["stretches"]]
    assert tiles == [2, 2]


def test_a_correction_is_answered_with_the_new_log_and_may_be_removed(game: KeptGame) -> None:
    before = game.follow()
    points = {"kind": "points", "photo": "photo 2", "points": {"blue": 9, "red": 7}}
    answer = game.client.post(
        f"{game.url}/corrections", json=points, headers={**game.owner, "X-Wondertally-Who": "Eva"}
    )
    assert answer.status_code == 201, answer.text
    assert answer.json()["log"]["scores"][1]["likeliest"] == {"blue": 9, "red": 7}
    (made,) = answer.json()["corrections"]
    assert (made["correction"], made["who"]) == (points, "Eva")
    undone = game.client.delete(f"{game.url}/corrections/{made['id']}", headers=game.owner).raise_for_status().json()
    assert undone["log"] == before["log"]
    assert undone["corrections"] == []
    (again,) = game.client.post(f"{game.url}/corrections", json=points, headers=game.owner).json()["corrections"]
    retried = game.client.delete(f"{game.url}/corrections/{made['id']}", headers=game.owner)
    assert error_in(retried, 404)["code"] == "not_found"
    game.client.delete(f"{game.url}/corrections/{again['id']}", headers=game.owner).raise_for_status()


def test_a_log_is_written_as_files_with_the_players_names(game: KeptGame) -> None:
    game.follow()
    lines = {}
    for form, media_type in (("txt", "text/plain"), ("json", "application/json"), ("csv", "text/csv")):
        answer = game.client.get(f"{game.url}/log.{form}", params={"language": "de"}).raise_for_status()
        assert answer.headers["content-type"].startswith(media_type)
        assert "Anna legt" in answer.text
        lines[form] = len(answer.text.splitlines())
        named = answer.headers["content-disposition"]
        assert re.search(rf'filename="Wondertally \d+-\d+-\d+ Anna, Rot\.{form}"', named), named
    assert lines["csv"] == 1 + 4 + 1
    picture = game.client.get(f"{game.url}/log.png").raise_for_status()
    assert picture.content.startswith(b"\x89PNG")
    assert "Anna legt" in game.get(language="de")["log"]["log"][0]["text"]
    assert error_in(game.client.get(f"{game.url}/log.exe"), 422)["code"] == "bad_field"


def test_an_impossible_correction_is_refused(game: KeptGame) -> None:
    before = game.follow()
    for wrong, status, code in (
        ({"kind": "tile", "square": [90, 90], "tile": None}, 422, "square_empty"),
        ({"kind": "tile", "square": [9999, 9999], "tile": "X"}, 422, "touches_nothing"),
        ({"kind": "points", "photo": "photo 9", "points": {"blue": 9}}, 422, "photo_unknown"),
        ({"kind": "points", "photo": "photo 1", "points": {"Rot": 5, "red": 7}}, 422, "bad_field"),
        ({"kind": "unheard of"}, 422, "bad_field"),
    ):
        answer = game.client.post(f"{game.url}/corrections", json=wrong, headers=game.owner)
        assert error_in(answer, status)["code"] == code
    assert game.follow() == before


def test_a_phone_without_the_key_may_only_watch(game: KeptGame) -> None:
    watched = game.follow()
    assert not watched["may_correct"]
    photo = game.client.get(f"{game.url}/photos/2", params={"width": 200})
    assert (photo.status_code, photo.headers["content-type"]) == (200, "image/jpeg")
    assert error_in(game.client.get(f"{game.url}/photos/9"), 404)["code"] == "not_found"
    assert error_in(game.send(3, Authorization="Bearer nobody"), 403)["code"] == "not_yours"
    for method, path in (("POST", "/finish"), ("DELETE", ""), ("DELETE", "/corrections/1")):
        answer = game.client.request(method, f"{game.url}{path}", json={})
        assert error_in(answer, 401)["code"] == "token_wanted"


def test_a_follower_is_answered_once_something_changed(game: KeptGame) -> None:
    now = game.follow()
    started = time.monotonic()
    assert game.get(after=now["version"], wait=0.2)["version"] == now["version"]
    assert time.monotonic() - started >= 0.2
    finished = game.client.post(f"{game.url}/finish", json={}, headers=game.owner).raise_for_status().json()
    assert finished["finished"] is not None
    assert game.get(after=now["version"], wait=20)["version"] == finished["version"] > now["version"]
    going_on = game.client.post(f"{game.url}/finish", json={"finished": False}, headers=game.owner).json()
    assert going_on["finished"] is None


def test_a_finished_game_goes_on_with_its_next_photo(server: Running) -> None:
    """A photo that is there already, or one under the id of another, changes nothing."""
    kept = KeptGame(server)
    kept.send(0)
    kept.client.post(f"{kept.url}/finish", json={}, headers=kept.owner).raise_for_status()
    assert kept.send(0).status_code == 200
    assert error_in(kept.send(1, client_id="turn-0"), 409)["code"] == "conflict"
    assert kept.get()["finished"] is not None
    assert kept.send(1).status_code == 201
    assert kept.get()["finished"] is None
    server.client.delete(kept.url, headers=kept.owner)


def test_invalid_settings_and_photos_are_refused(server: Running) -> None:
    post = server.client.post
    for wrong in (
        {"players": PLAYERS[:1]},
        {"players": [PLAYERS[0], PLAYERS[0]]},
        {"players": PLAYERS, "on_turn": "green"},
        {"players": PLAYERS, "points": {"green": 3}},
        {"players": PLAYERS, "points": {"Rot": 5, "red": 7}},
    ):
        assert error_in(post("/v1/games", json=wrong), 422)["code"] == "bad_field"
    assert error_in(post("/v1/games", json={"players": PLAYERS, "rules": "none"}), 422)["code"] == "unknown_rules"
    game = KeptGame(server)
    photos = {"photo": ("a.jpg", b"no picture", "image/jpeg")}
    for data, status, code in (({"client_id": "1"}, 415, "not_an_image"), ({"client_id": "a b"}, 422, "bad_field")):
        answer = post(f"{game.url}/photos", files=photos, data=data, headers=game.owner)
        assert error_in(answer, status)["code"] == code
    assert game.get()["photos"] == []
    server.client.delete(game.url, headers=game.owner)


def test_a_deleted_game_leaves_nothing_behind(server: Running, game: KeptGame) -> None:
    before = server.photos()
    gone = KeptGame(server)
    gone.send(0)
    gone.send(1)
    assert len(server.photos() - before) == 2
    assert server.client.delete(gone.url, headers=gone.owner).status_code == 204
    assert error_in(server.client.get(gone.url), 404)["code"] == "not_found"
    assert server.photos() == before
    states = {file.stem for file in (server.data / "game-states").rglob("*.*")}
    assert game.id in states
    assert gone.id not in states
