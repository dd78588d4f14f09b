"""Players hand in their own tables with a token for that alone; the owner chooses the order of ranking."""

from __future__ import annotations

from typing import Any

import httpx2 as httpx
import pytest
from playwright.sync_api import sync_playwright

from api.render.qr_code import draw_qr_code
from tests.api.page.browser import launched
from tests.api.page.qr_codes import read_qr_code
from tests.api.serving import LEVEL, Running, error_in, photo_form

pytestmark = pytest.mark.parametrize("server", ["sqlite"], indirect=True)
SITE = "http://192.168.1.20:8000"


def make_event(server: Running, **asked: Any) -> dict[str, Any]:
    made = server.client.post("/v1/events", json={"name": "Cup", **asked}).raise_for_status().json()
    return {
        **made,
        "path": f"/v1/events/{made['id']}",
        "owner": bearer(made["token"]),
        "player": bearer(made["hand_in"]),
    }


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def hand_in(server: Running, event: dict[str, Any], headers: dict[str, str]) -> httpx.Response:
    form = {**photo_form(LEVEL.read_bytes()), "data": {"round": "1", "table": "1", "player": ["red=Ana"]}}
    return server.client.post(f"{event['path']}/tables", headers=headers, **form)


def test_a_player_adds_a_table_and_may_do_nothing_else(server: Running) -> None:
    event = make_event(server)
    error_in(hand_in(server, event, {}), 401)
    error_in(hand_in(server, event, bearer("another")), 403)
    added = hand_in(server, event, event["player"])
    assert added.status_code == 201
    assert (added.json()["event"]["may_decide"], added.json()["event"]["may_add"]) == (False, True)
    assert added.json()["event"]["hand_in"] is None
    table = f"{event['path']}/tables/{added.json()['table']['id']}"
    decision = {"unscorable": "spilt coffee"}
    error_in(server.client.post(f"{table}/decisions", json=decision, headers=event["player"]), 403)
    error_in(server.client.post(f"{table}/photos", headers=event["player"], **photo_form(LEVEL.read_bytes())), 403)
    error_in(server.client.delete(table, headers=event["player"]), 403)
    error_in(server.client.patch(event["path"], json={"tie_breakers": ["wins"]}, headers=event["player"]), 403)
    error_in(server.client.get(f"{event['path']}/hand-in.svg?site={SITE}", headers=event["player"]), 403)
    seen = server.client.get(event["path"], headers=event["player"]).json()
    assert (seen["may_decide"], seen["may_add"], seen["hand_in"]) == (False, True, None)
    seen = server.client.get(event["path"]).json()
    assert (seen["may_decide"], seen["may_add"], seen["hand_in"]) == (False, False, None)
    assert server.client.get(event["path"], headers=event["owner"]).json()["hand_in"] == event["hand_in"]


def test_the_qr_code_of_an_event_leads_to_submitting_photos(server: Running) -> None:
    event = make_event(server)
    answer = server.client.get(f"{event['path']}/hand-in.svg?site={SITE}", headers=event["owner"]).raise_for_status()
    assert read_codes(answer.text) == [f"{SITE}/event/{event['id']}#hand-in={event['hand_in']}"]
    for site in ("javascript:alert(1)", "http://a b", "http://a/path", ""):
        error = error_in(
            server.client.get(f"{event['path']}/hand-in.svg", params={"site": site}, headers=event["owner"])
        )
        assert error["code"] == "bad_field"


def test_the_owner_chooses_the_criteria_of_ranks(server: Running) -> None:
    event = make_event(server)
    assert event["tie_breakers"] == ["wins", "points", "share"]
    by_share = make_event(server, tie_breakers=["share", "wins"])
    assert by_share["tie_breakers"] == ["share", "wins"]
    change = {"tie_breakers": ["points", "share"]}
    changed = server.client.patch(event["path"], json=change, headers=event["owner"]).raise_for_status().json()
    assert changed["tie_breakers"] == ["points", "share"]
    assert changed["version"] > event["version"]
    for wrong in ([], ["wins", "wins"], ["luck"]):
        refused = server.client.patch(event["path"], json={"tie_breakers": wrong}, headers=event["owner"])
        assert error_in(refused, 422)["code"] == "bad_field"


def read_codes(*drawn: str) -> list[str]:
    """Read codes, given as SVG, like a phone pointed at the screen."""
    with sync_playwright() as playwright, launched(playwright) as browser:
        page = browser.new_page(viewport={"width": 500, "height": 500})
        read = []
        for svg in drawn:
            page.set_content(f"<style>body{{margin:40px;background:#ccc}}svg{{width:400px}}</style>{svg}")
            read.append(read_qr_code(page.screenshot()))
        return read


def test_qr_codes_of_links_of_any_length_can_be_read(server: Running) -> None:
    texts = ["http://a/", f"{SITE}/event/{'x' * 22}#hand-in={'y' * 32}", "https://" + "long." * 40 + "org/"]
    assert read_codes(*map(draw_qr_code, texts)) == texts
