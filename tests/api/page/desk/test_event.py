"""The review desk in a real browser: an event of three of our examples, read by a real batch."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx2 as httpx
import pytest
from playwright.sync_api import Locator, Page, Route, expect

from api.server.settings import Settings
from api.service.event_import import ImportSummary, import_batch
from tests.api.page.browser import DESKTOP, PHONE
from tests.api.page.conftest import Open
from tests.api.page.hands import faults, named, shown_standings
from tests.api.processes import run_process
from tests.api.serving import EXAMPLES, Running

PHOTOS = ("test_level", "test_clutter", "test_snow")
OTHERS = ("black", "blue", "yellow", "green", "pink")
TRACKS = ",".join(f"{colour}_track" for colour in OTHERS)
LISTING = f"""photo,event,round,table,red,red_track,{",".join(OTHERS)},{TRACKS}
test_clutter.jpg,cup,1,1,Anna,60,Bob,Cleo,Dan,Eva,Fay,0,0,0,0,0
test_level.jpg,cup,1,2,Gus,0,Hal,Ina,Jon,Kim,Lea,0,0,0,0,0
test_snow.jpg,cup,1,3,Max,0,Ned,Ole,Pia,Ros,Sue,0,0,0,0,0
"""
EXPORTS = ("results.csv", "results.jsonl", "standings.csv")


@pytest.fixture(scope="module")
def batch_out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a real batch of three photos."""
    folder, out = tmp_path_factory.mktemp("photos"), tmp_path_factory.mktemp("out")
    for name in PHOTOS:
        shutil.copy(EXAMPLES / f"{name}.jpg", folder)
    (folder / "list.csv").write_text(LISTING, encoding="utf-8")
    words = ("batch", str(folder), "--out", str(out), "--listing", str(folder / "list.csv"))
    run_process(words, check=True, timeout=900)
    return out


@dataclass
class Cup:
    """An event on the server, and its state from the API."""

    url: str
    done: ImportSummary

    @property
    def page(self) -> str:
        return self.url + self.done.page

    def get(self, path: str = "") -> httpx.Response:
        return httpx.get(f"{self.url}/v1/events/{self.done.event}{path}", timeout=120).raise_for_status()

    def first(self) -> dict[str, Any]:
        """Return the table that needs a person most."""
        return dict(self.get("/tables").json()["tables"][0])

    def questions(self, table: Mapping[str, Any]) -> list[dict[str, Any]]:
        return list(httpx.get(f"{self.url}/v1/readings/{table['reading']}", timeout=120).json()["questions"])

    def standings(self) -> list[tuple[str, int]]:
        return [(standing["player"], standing["points"]) for standing in self.get().json()["standings"]]


@pytest.fixture
def cup(server: Running, batch_out: Path) -> Cup:
    """Return the batch as an event of its own."""
    file = batch_out / "batch.json"
    file.write_text(json.dumps({**json.loads(file.read_text(encoding="utf-8")), "id": uuid4().hex}), encoding="utf-8")
    done = import_batch(batch_out, None, None, Settings(data=server.data), lambda stage, done, of: None)
    return Cup(server.url, done)


@pytest.mark.soak
def test_keys_decide_and_everybody_sees_the_standings_move(cup: Cup, opened: Open) -> None:
    page, other = named(opened(cup.page), "Zoë"), opened(cup.page.partition("#")[0])
    assert "#" not in page.url
    before, table = cup.standings(), cup.first()
    assert shown_standings(page) == shown_standings(other) == before
    choices = cup.questions(table)[0]["choices"]
    page.locator(".question-card .answer").nth(len(choices) - 1).wait_for()
    moving = next(
        n for n, choice in enumerate(choices) if choice["final_scoring"] not in (None, choices[0]["final_scoring"])
    )
    page.keyboard.press(str(moving + 1))
    expect(page.locator("#told")).to_contain_text("answered")
    after = cup.standings()
    assert after != before
    assert shown_standings(page) == after
    expect(other.locator("#standings tbody .points")).to_have_text([str(points) for _, points in after])
    page.keyboard.press("u")
    expect(page.locator("#told")).to_contain_text("taken back")
    assert shown_standings(page) == cup.standings() == before
    page.keyboard.press("y")
    expect(page.locator("#told")).to_contain_text(": checked")
    expect(page.locator(f'#tables [data-table="{table["id"]}"] .state')).to_have_text("checked")
    assert page.locator("#tables [aria-current]").get_attribute("data-table") != str(table["id"])
    acts = [(act["who"], act["what"]) for act in cup.get("/history").json()["acts"]]
    assert acts == [("Zoë", "corrected"), ("Zoë", "undone"), ("Zoë", "checked")]
    page.keyboard.press("h")
    expect(page.get_by_role("dialog").locator("li")).to_have_count(3)
    expect(other.locator(f'#tables [data-table="{table["id"]}"] .state')).to_have_text("checked")


@pytest.mark.soak
def test_changes_between_the_two_responses_of_a_refresh_are_shown(cup: Cup, opened: Open) -> None:
    page, table = named(opened(cup.page), "Zoë"), cup.first()
    others: list[httpx.Response] = []

    def decided_by_another(route: Route) -> None:
        if not others:
            others.append(cup.get("/tables"))
            path = f"{cup.url}/v1/events/{cup.done.event}/tables/{table['id']}/decisions"
            header = {"Authorization": f"Bearer {cup.done.token}", "X-Wondertally-Who": "Max"}
            decision = {"unscorable": "spilt coffee", "version": table["version"]}
            httpx.post(path, json=decision, headers=header, timeout=120).raise_for_status()
        route.continue_()

    page.route(f"**/v1/events/{cup.done.event}", decided_by_another)
    page.route(f"**/v1/events/{cup.done.event}/tables", lambda route: route.fulfill(json=others[0].json()), times=1)
    page.reload()
    expect(page.locator(f'[data-table="{table["id"]}"] .state')).to_have_class("state state-unscorable")
    assert others[0].json()["version"] < cup.get().json()["version"]


@dataclass
class Late:
    """The desk at its first table, while the server delays the second one's reading."""

    page: Page
    asked: list[Route]

    @property
    def card(self) -> Locator:
        return self.page.locator("#card")

    @property
    def title(self) -> str:
        return self.page.locator("#table-title").inner_text()

    def told(self) -> None:
        """Release the answer, and wait until the desk has processed it."""
        assert self.asked
        for route in self.asked:
            route.continue_()
        self.page.wait_for_load_state("networkidle")


@pytest.fixture
def late(cup: Cup, opened: Open) -> Late:
    page, routes = named(opened(cup.page), "Ana"), list[Route]()
    page.route(
        f"**/v1/readings/{cup.get('/tables').json()['tables'][1]['reading']}", lambda route: routes.append(route)
    )
    page.reload()
    page.locator(".question-card .answer").first.wait_for()
    return Late(page, routes)


@pytest.mark.soak
def test_a_late_response_does_not_change_the_displayed_table(cup: Cup, late: Late) -> None:
    assert len(cup.questions(cup.first())) > 1
    title, left = late.title, late.card.locator(".question-card .ask-about span:last-child")
    late.page.keyboard.press("j")
    expect(late.card).to_have_attribute("aria-busy", "true")
    late.page.keyboard.press("k")
    expect(late.card).to_have_attribute("aria-busy", "false")
    late.told()
    assert late.title == title
    before = left.inner_text()
    late.page.keyboard.press("s")
    expect(left).not_to_have_text(before)


@pytest.mark.soak
def test_no_key_decides_a_table_before_it_is_displayed(cup: Cup, late: Late) -> None:
    title = late.title
    for key in ("j", "y", "1", "s", "x", "p"):
        late.page.keyboard.press(key)
    assert late.title == title
    assert late.page.locator("dialog").count() == 0
    late.told()
    expect(late.card).to_have_attribute("aria-busy", "false")
    assert late.title != title
    assert cup.get("/history").json()["acts"] == []
    late.page.keyboard.press("y")
    expect(late.page.locator("#told")).to_contain_text(": checked")


@pytest.mark.soak
def test_all_tables_are_checked_by_one_key_each_and_exports_stay_the_same(cup: Cup, opened: Open) -> None:
    page = named(opened(cup.page), "Ana")
    for left in range(len(PHOTOS), 0, -1):
        expect(page.locator(".table-card [data-decision=confirm]")).to_be_visible()
        expect(page.locator("#card")).to_have_attribute("aria-busy", "false")
        page.keyboard.press("Enter")
        expect(page.locator("#tables .state.state-checked")).to_have_count(len(PHOTOS) - left + 1)
    exports = {name: cup.get(f"/{name}").content for name in EXPORTS}
    assert exports["results.csv"].count(b",checked,") == 18
    with page.expect_download() as download:
        page.get_by_role("link", name="Results (CSV)").click()
    assert download.value.path().read_bytes() == exports["results.csv"]
    assert {name: cup.get(f"/{name}").content for name in EXPORTS} == exports


@pytest.mark.soak
def test_a_correction_on_the_readings_page_moves_the_standings(cup: Cup, opened: Open) -> None:
    page = named(opened(cup.page), "Ana")
    page.locator("#open-reading").wait_for()
    with page.context.expect_page() as popup:
        page.keyboard.press("o")
    reading = popup.value
    reading.wait_for_selector("#result:not([hidden])")
    reading.get_by_role("button", name="Players").click()
    sheet = reading.get_by_role("dialog")
    sheet.get_by_label("Name of red").fill("Zed")
    with reading.expect_response(lambda answer: answer.request.method == "PATCH") as patched:
        sheet.get_by_role("button", name="Save").click()
    assert patched.value.ok
    (act,) = cup.get("/history").json()["acts"]
    assert (act["who"], act["what"]) == ("Ana", "corrected")
    expect(page.locator('#standings tr[data-player="Zed"]')).to_have_count(1)
    expect(page.locator("#tables")).to_contain_text("Zed")
    assert "Zed" in dict(cup.standings())


@pytest.mark.parametrize(
    ("device", "scheme"),
    [
        pytest.param(DESKTOP, "dark", id="desktop", marks=pytest.mark.soak),
        pytest.param(PHONE, "light", id="phone"),
    ],
)
@pytest.mark.soak
def test_the_desk_is_usable_by_touch_and_axe_finds_no_serious_fault(
    cup: Cup, opened: Open, device: Mapping[str, Any], scheme: str
) -> None:
    page = named(opened(cup.page, device, color_scheme=scheme), "Ana")
    page.locator(".question-card .answer").first.wait_for()
    assert faults(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    answer = page.locator(".question-card .answer").nth(1)
    answer.tap() if device is PHONE else answer.click()
    expect(page.locator("#told")).to_contain_text("answered")
    expect(page.locator("#card")).to_have_attribute("aria-busy", "false")  # otherwise it is redrawn under the finger
    page.locator("[data-decision=unscorable]").click()
    page.get_by_label("Why").fill("A dog ran over it")
    assert faults(page) == []
    page.get_by_role("dialog").get_by_role("button", name="Save").click()
    expect(page.locator("#told")).to_contain_text("left out")
    assert "A dog ran over it" in cup.get("/tables").text
    page.get_by_role("button", name="Keyboard shortcuts").click()
    page.get_by_role("dialog").wait_for()
    assert faults(page) == []


@pytest.mark.soak
def test_without_the_token_the_desk_is_read_only_until_it_is_typed(cup: Cup, opened: Open, watch: Any) -> None:
    page = opened(cup.page.partition("#")[0], locale="de-DE")
    assert page.locator("[data-decision]").count() == 0
    page.get_by_role("button", name="Tische prüfen").click()
    page.get_by_label("Der Schlüssel des Turniers").fill(cup.done.token)
    page.get_by_role("dialog").get_by_role("button", name="Speichern").click()
    page.locator("[data-decision=confirm]").wait_for()
    page.reload()
    page.locator("#event:not([hidden])").wait_for()
    page.get_by_label("Dein Name").wait_for()
