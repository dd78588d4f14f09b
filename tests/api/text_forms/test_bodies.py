"""For any body of a request, every address answers without a fault, and soon."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from api.server.settings import Settings
from tests.api.doubted import held
from tests.api.http.copies import write_copy
from tests.api.serving import error_in, keep, unopened
from tests.api.spots_seen import babel
from tests.api.text_forms.forms import EXAMPLES, board_drafts, corrections, records, wonder_files
from tests.api.text_forms.hostile import Given, give, hostile_json, hostile_line, no_hang
from vision.showing.board_drafts import BoardDrafts
from vision.showing.draft import BoardDraft

READINGS, TOKEN = ("abcdefghijklmnopqrstuv", "vutsrqponmlkjihgfedcba"), "the owner's token"
UNKNOWN = "unknownunknownunknowna"
"""A reading that nobody keeps: a known one would be enrolled by a queue, and none is open here."""
LAYOUT = json.dumps({"plan": write_copy()})
SCORED = {
    "board": "D0V0/-U1 red^1,1=rN blue^0,0=cN",
    "rules": "C3",
    "track": {"blue": 90},
    "names": {"blue": "Anna"},
    "tiles_in_play": 90,
    "player_count": 3,
    "boxes": {"base": 2},
    "goods": {"wine": {"red": 2}},
    "owners": {"alhambra": "red"},
}
DRAFT = json.loads(board_drafts()[0])
BODIES: dict[str, tuple[str, str, list[str]]] = {
    "scores": ("POST", "/v1/scores", [json.dumps(SCORED), json.dumps({"record": records()[0]})]),
    "corrections": (
        "PATCH",
        f"/v1/readings/{READINGS[0]}",
        [json.dumps({"corrections": json.loads(one), "version": 0}) for one in corrections()],
    ),
    "corrections of spots": (
        "PATCH",
        f"/v1/readings/{READINGS[1]}",
        [json.dumps({"corrections": json.loads(one)}) for one in corrections() if "spot" in one or "players" in one],
    ),
    "event": ("POST", "/v1/events", [json.dumps({"name": "Cup", "rules": "C3", "tie_breakers": ["points", "wins"]})]),
    "lesson": ("POST", "/v1/enrolments", [json.dumps({"reading": UNKNOWN, "name": "mine"})]),
    "facts": ("PATCH", "/v1/boards/world-wonders", [json.dumps({"values": {"map.side": "A", "box.long_roads": 5}})]),
    "shapes": (
        "PUT",
        "/v1/tile-shapes/world-wonders/draft",
        [json.dumps({"shapes": [{"shape": "##/#.", "at": [10, 20]}, {"shape": "##"}]})],
    ),
    "layout": ("POST", "/v1/wonder-layouts", [LAYOUT, json.dumps({"file": wonder_files()[0]})]),
    "taught layout": ("PUT", "/v1/wonders/stonehenge", [LAYOUT]),
    "board draft": (
        "PATCH",
        "/v1/boards/tower-of-babel/board/draft",
        [json.dumps({"told_size_mm": [500, 400], "marks": DRAFT["marks"], "values": DRAFT["values"]})],
    ),
    "point": (
        "POST",
        "/v1/boards/tower-of-babel/board/draft/points",
        [json.dumps({"mark": "track", "at": [50, 60]}), json.dumps({"mark": "turn_order.first", "at": [50, 60]})],
    ),
}


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Return an app that keeps a reading of tiles, one of a printed board, and a draft of a board."""
    folder: Path = tmp_path_factory.mktemp("bodies")
    (folder / "incoming").mkdir()
    with unopened(Settings(data=folder, requests_per_minute=1_000_000)) as app:
        keep(app, READINGS[0], TOKEN, held(3))
        keep(app, READINGS[1], TOKEN, babel(3))
        grey = np.full((480, 480, 3), 90, np.uint8)
        draft = BoardDraft.model_validate(DRAFT)
        BoardDrafts(app.state.server.board_showing.drafts.folder).save("tower-of-babel", "board", draft, grey, grey)
        yield TestClient(app, base_url="http://localhost", client=("127.0.0.1", 5000), raise_server_exceptions=False)


@pytest.mark.fuzz
@pytest.mark.parametrize("name", BODIES)
def test_no_body_causes_a_server_error_or_a_wait(name: str, client: Any) -> None:
    method, path, bodies = BODIES[name]
    headers = {"Authorization": f"Bearer {TOKEN}", "Content-Type": "application/json"}

    def ask(body: str) -> None:
        with no_hang():
            answer = client.request(method, path, content=body.encode(errors="replace"), headers=headers)
        if answer.status_code >= 400:
            assert answer.status_code < 500, answer.text
            error_in(answer)

    for body in bodies:
        ask(body)

    @given(body=give(st.sampled_from(bodies).flatmap(hostile_json)))
    @settings(
        max_examples=EXAMPLES or settings().max_examples // 2,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate],
        database=None,
        derandomize=not EXAMPLES,
    )
    def check(body: Given) -> None:
        ask(body.text)

    check()


FIELDS = {
    "square": "3,4",
    "number": "0",
    "width": "300",
    "turns": "1",
    "place": "city:N",
    "colour": "red",
    "piece": "meeple",
    "feature": "R1.1",
    "player": "red",
    "language": "en",
    "photo": "0",
    "lines": "true",
    "tile": "D",
}
"""Parts of a query, with their values."""
ADDRESSES = {
    "explanation": f"/v1/readings/{READINGS[0]}/explanation",
    "explanation of spots": f"/v1/readings/{READINGS[1]}/explanation",
    "picture": f"/v1/readings/{READINGS[0]}/explanation.png",
    "drawing": "/v1/tiles/drawing.svg",
    "photo": f"/v1/readings/{READINGS[0]}/photo",
    "overlay": f"/v1/readings/{READINGS[0]}/overlay.png",
    "report": f"/v1/readings/{READINGS[0]}/report.json",
}


@pytest.mark.fuzz
@pytest.mark.parametrize("name", ADDRESSES)
def test_no_query_causes_a_server_error_or_a_wait(name: str, client: Any) -> None:
    assert client.get(ADDRESSES[name]).status_code != 404

    @given(fields=st.fixed_dictionaries({}, optional={key: hostile_line(value) for key, value in FIELDS.items()}))
    @settings(
        max_examples=EXAMPLES or settings().max_examples // 2,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.generate],
        derandomize=not EXAMPLES,
    )
    def check(fields: dict[str, str]) -> None:
        words = {key: word.encode(errors="replace").decode()[:2000] for key, word in fields.items()}
        with no_hang():
            answer = client.get(ADDRESSES[name], params=words)
        assert answer.status_code < 500, answer.text

    check()
