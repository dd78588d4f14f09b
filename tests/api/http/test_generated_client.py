"""A client generated from the API's document, used as its author would, against a running server."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

from scoring.carcassonne.final.rulesets import RULESETS
from tests.api.http.growing import draw_photos
from tests.api.serving import LEVEL, Running

PACKAGE = "wondertally_client"
CONFIG = {
    "content_type_overrides": {
        "application/jsonl": "text/plain",
        "application/pdf": "application/octet-stream",
        "application/toml": "text/plain",
        "image/jpeg": "application/octet-stream",
        "image/png": "application/octet-stream",
        "image/svg+xml": "text/plain",
    }
}
"""The kinds of contents for types that the generator does not know by name."""

REQUIRED = "WONDERTALLY_CLIENT_TESTS"
"""Set to `required` if a missing generator is a failure: in CI."""

Call = Callable[..., Any]


def generator_path() -> Path:
    """Return the generator's path; skips the test without one, or fails it if one is required."""
    path = Path(sys.prefix) / "client" / "bin" / "openapi-python-client"
    if not path.exists():
        reason = "no generator of clients is installed (make .venv/client.stamp)"
        if os.environ.get(REQUIRED) == "required":
            pytest.fail(reason)
        pytest.skip(reason)
    return path


@pytest.fixture(scope="module")
def generated(server: Running, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Return the client's package, imported; no part of the document may be left out."""
    folder = tmp_path_factory.mktemp("generated")
    (folder / "openapi.json").write_bytes(server.client.get("/openapi.json").raise_for_status().content)
    (folder / "config.json").write_text(json.dumps(CONFIG), encoding="utf-8")
    generator = generator_path()
    words = ["generate", "--path", "openapi.json", "--config", "config.json", "--meta", "none", "--fail-on-warning"]
    done = subprocess.run(
        [generator, *words, "--output-path", PACKAGE],
        cwd=folder,
        env={**os.environ, "PATH": f"{generator.parent}{os.pathsep}{os.environ['PATH']}"},  # it calls ruff by its name
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    sys.path.insert(0, str(folder))
    yield import_module(PACKAGE)
    sys.path.remove(str(folder))


@pytest.fixture(scope="module")
def models(generated: Any) -> Any:
    return import_module(f"{PACKAGE}.models")


def operation(name: str) -> Call:
    """Return the client's function for an operation, named as `tag.operation`."""
    return import_module(f"{PACKAGE}.api.{name}").sync_detailed  # type: ignore[no-any-return]


@pytest.fixture
def owner(generated: Any, server: Running) -> Iterator[Call]:
    """Connect the client with a token."""
    with ExitStack() as opened:
        yield lambda token: opened.enter_context(
            generated.AuthenticatedClient(base_url=server.url, token=token, timeout=120)
        )


@pytest.fixture
def visitor(generated: Any, server: Running) -> Iterator[Any]:
    """Connect the client without a token."""
    with generated.Client(base_url=server.url, timeout=120) as connected:
        yield connected


def test_a_photo_is_read_corrected_exported_and_deleted(models: Any, visitor: Any, owner: Call) -> None:
    file = import_module(f"{PACKAGE}.types").File(BytesIO(LEVEL.read_bytes()), "level.jpg", "image/jpeg")
    made = operation("readings.create_reading")(
        client=visitor, body=models.ReadingCreate(photo=[file], track=["red=90"])
    )
    assert isinstance(made.parsed, models.ReadingCreated), made.content
    assert made.status_code == 201
    assert made.parsed.report.scores.on_track["red"] == 90

    reading = made.parsed.id
    mine = owner(made.parsed.token)
    change = models.ReadingUpdate(
        corrections=[models.SetTrack(kind="track", colour="red", points=91)], version=made.parsed.version
    )
    corrected = operation("corrections.correct_reading")(reading, client=mine, body=change).parsed
    assert corrected.report.scores.on_track["red"] == 91
    *_, item = operation("corrections.get_reading_history")(reading, client=visitor).parsed.changes
    assert isinstance(item, models.HistoryItem)
    assert item.corrections[0].points == 91

    page = operation("exports.get_report_pdf")(reading, client=visitor, language=models.LanguageCode.DE).parsed
    assert page.payload.read(5) == b"%PDF-"
    assert operation("exports.get_report_csv")(reading, client=visitor).parsed.startswith("player,")

    refused = operation("readings.delete_reading")(reading, client=owner("another"))
    assert (refused.status_code, refused.parsed.error.code) == (403, "not_yours")
    assert operation("readings.delete_reading")(reading, client=mine).status_code == 204
    gone = operation("readings.get_reading")(reading, client=visitor)
    assert (gone.status_code, gone.parsed.error.code) == (404, "not_found")


def test_boards_are_scored_and_rules_listed(models: Any, visitor: Any) -> None:
    rules = operation("catalogue.get_rules")(client=visitor).parsed
    assert isinstance(rules.rules[0], models.RuleSet)
    assert [one.name for one in rules.rules] == list(RULESETS)
    asked = models.ScoreRequest.from_dict({"board": "D0V0/-U1 red^1,1=rN", "track": {"red": 5}})
    scored = operation("scores.score_board")(client=visitor, body=asked).parsed
    assert isinstance(scored, models.ScoreResult)
    assert scored.report.scores.total["red"] == 5 + scored.report.scores.final_scoring["red"]
    wrong = operation("scores.score_board")(client=visitor, body=models.ScoreRequest(board="D7"))
    assert (wrong.status_code, wrong.parsed.error.code) == (422, "bad_turn")


def test_an_event_is_created_and_read(models: Any, visitor: Any, owner: Call) -> None:
    made = operation("events.create_event")(client=visitor, body=models.EventCreate(name="Cup")).parsed
    assert isinstance(made, models.EventCreated)
    document = operation("events.get_event")(made.id, client=owner(made.token)).parsed
    assert (document.name, document.may_decide, document.standings) == ("Cup", True, [])
    assert operation("events.list_event_tables")(made.id, client=visitor).parsed.tables == []
    assert operation("events.delete_event")(made.id, client=owner(made.token)).status_code == 204


def test_a_game_is_kept_by_its_photos_and_corrected(models: Any, visitor: Any, owner: Call) -> None:
    players = [models.GamePlayer(colour="blue", name="Anna"), models.GamePlayer(colour="red")]
    made = operation("games.create_game")(client=visitor, body=models.GameCreate(players=players)).parsed
    assert isinstance(made, models.GameCreated)
    mine = owner(made.token)
    for number, photo in enumerate(draw_photos()[:2]):
        file = import_module(f"{PACKAGE}.types").File(BytesIO(photo), "photo.jpg", "image/jpeg")
        body = models.GamePhotoCreate(photo=file, client_id=str(number))
        sent = operation("games.add_game_photo")(made.id, client=mine, body=body)
        assert (sent.status_code, sent.parsed.number) == (201, number + 1)
    game = made
    while not (game.is_current and len(game.photos) == 2):
        game = operation("games.get_game")(made.id, client=visitor, after=game.version).parsed
    assert [photo.status for photo in game.photos] == ["read", "read"]
    points = models.GivePoints(photo="photo 2", points=models.GivePointsPoints.from_dict({"blue": 7}), kind="points")
    corrected = operation("games.correct_game")(made.id, client=mine, body=points).parsed
    assert corrected.log.scores[1].likeliest["blue"] == 7
    assert corrected.corrections[0].correction.photo == "photo 2"
    undo = operation("games.remove_game_correction")(made.id, corrected.corrections[0].id, client=mine)
    assert undo.parsed.corrections == []
    assert operation("games.delete_game")(made.id, client=mine).status_code == 204
