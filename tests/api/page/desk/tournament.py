"""A tournament as people hold it: played tables, photos from players' phones, one person at the desk."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import httpx2 as httpx
import numpy as np
from playwright.sync_api import Locator, Page, expect

from datasets.art.procedural import draw_tile_set
from datasets.art.style import STYLES
from datasets.render.shots import Manner, shoot
from scoring.carcassonne.deal.boards import deal_random_board
from scoring.carcassonne.final.scoring import compute_final_scoring
from tests.api.page.browser import DESKTOP
from tests.api.page.conftest import READ_MS, Open
from tests.api.serving import LEVEL, Running, photo_form

PEOPLE = ("Ana", "Ben", "Cem", "Dora", "Emil", "Fay", "Gus", "Hana", "Ivo", "Jana", "Karl", "Lia")
ROUNDS, TABLES = 3, 4
"""Twelve people at four tables, three at each, three times over."""
TILES, ART_PX, TRACK_MOST = 24, 240, 90
MANNER = Manner((2000, 1500), (66, 76), (0.02, 0.08), strength=0.4)
LOOKS = (("meadow", "planks"), ("terra", "cloth"), ("meadow", "wood"))

Place = tuple[str, str]
"""A round and a table of it."""


@dataclass(frozen=True)
class Played:
    """A played table: its photo, the players by colour, the points of the game, those of its end."""

    round: int
    table: int
    photo: Path
    names: Mapping[str, str]
    track: Mapping[str, int]
    final: Mapping[str, int]

    @property
    def place(self) -> Place:
        """Its place in the event: round and table."""
        return str(self.round), str(self.table)


def play_tables(folder: Path, count: int) -> Iterator[Played]:
    """Play tables in the project's own art, and take a photo of each."""
    arts = {style: draw_tile_set(STYLES[style], 1, ART_PX) for style in {style for style, _ in LOOKS}}
    for number in range(count):
        rng = Random(number)
        board = deal_random_board(rng, TILES, 3)
        final = compute_final_scoring(board).totals
        style, tabletop = LOOKS[number % len(LOOKS)]
        shot = shoot(board, arts[style], tabletop, MANNER, np.random.default_rng(number))
        shot.save(folder, f"table{number}", 90)
        colours = sorted(final)
        round_, table = number // TABLES, number % TABLES
        seats = [PEOPLE[(table + seat * TABLES + round_ * seat) % TABLES + seat * TABLES] for seat in range(3)]
        names = dict(zip(colours, seats, strict=False))
        track = {colour: rng.randint(20, TRACK_MOST) for colour in names}
        yield Played(round_ + 1, table + 1, folder / f"table{number}.jpg", names, track, final)


@dataclass
class Hand:
    """A person at a screen: each press is counted, typing is not, nor Tab from field to field."""

    page: Page
    presses: int = 0

    def press(self, target: Locator) -> None:
        """Press a button, a link or a field."""
        touch = self.page.evaluate("navigator.maxTouchPoints > 0")
        (target.tap if touch else target.click)()
        self.presses += 1

    def choose_photo(self, target: Locator, photo: Path) -> None:
        """Press a field of photos, and choose one."""
        with self.page.expect_file_chooser() as choosing:
            self.press(target)
        choosing.value.set_files(photo)

    def type_into(self, target: Locator, words: str) -> None:
        """Type into a field that Tab reaches from the present focus; any other is pressed first."""
        if not self._tab_to(target):
            self.press(target)
        self.page.keyboard.press("Control+a")
        self.page.keyboard.type(words)

    def _tab_to(self, target: Locator) -> bool:
        if not self.page.evaluate("document.activeElement.matches('input')"):
            return False
        form = "document.activeElement.form"
        order = self.page.evaluate(f"[...{form}.elements].filter((one) => one.offsetParent).map((one) => one.id)")
        now, wanted = self.page.evaluate("document.activeElement.id"), target.get_attribute("id")
        if wanted not in order or order.index(wanted) < order.index(now):
            return False
        for _ in range(order.index(wanted) - order.index(now)):
            self.page.keyboard.press("Tab")
        return bool(target.evaluate("(one) => one === document.activeElement"))


def hand_in(hand: Hand, played: Played, told: bool) -> None:
    """Hand a table in from a player's phone, with names and points of the game if they are `told`."""
    sheet = hand.page.get_by_role("dialog")
    hand.choose_photo(sheet.locator("#photos-of-table"), played.photo)
    for name, words in (("round", str(played.round)), ("table", str(played.table))):
        if sheet.locator(f"#{name}").input_value() != words:
            hand.type_into(sheet.locator(f"#{name}"), words)
    rows = sheet.locator(".player-row").evaluate_all("(rows) => rows.map((row) => row.dataset.player)")
    for colour in [row for row in rows if told and row in played.names]:
        hand.type_into(sheet.locator(f"#name-{colour}"), played.names[colour])
        hand.type_into(sheet.locator(f"#track-{colour}"), str(played.track[colour]))
    hand.press(sheet.locator("button[type=submit]"))
    sheet.wait_for(state="detached")


@dataclass
class Desk:
    """The person who checks the tables of an event, on the page of the hand; the API gives their state."""

    hand: Hand
    tables: Mapping[Place, Played]
    client: httpx.Client

    @property
    def page(self) -> Page:
        return self.hand.page

    def check_all(self) -> Counter[Place]:
        """Go through all tables in the order of the desk; return the presses for each."""
        presses = Counter[Place]()
        while open_tables := [table for table in self.list_tables() if table["state"] not in ("checked", "unscorable")]:
            assert not [table for table in open_tables if table["state"] in ("failed", "waiting")]
            if all(table["state"] == "reading" for table in open_tables):
                self.page.wait_for_timeout(300)
                continue
            self._wait_for_card()
            table = self._find_current()
            if table["state"] not in ("doubtful", "sure"):
                self.page.wait_for_timeout(300)
                continue
            before = self.hand.presses
            self._do_next(table)
            presses[table["round"], table["table"]] += self.hand.presses - before
        return presses

    def list_tables(self) -> list[dict[str, Any]]:
        """List the tables as the API has them."""
        return list(self._get(f"/v1/events/{self.page.url.rpartition('/')[2]}/tables")["tables"])

    def _get(self, path: str) -> dict[str, Any]:
        return dict(self.client.get(path).raise_for_status().json())

    def _find_current(self) -> dict[str, Any]:
        number = int(self.page.locator('#tables [aria-current="true"]').get_attribute("data-table") or 0)
        return next(table for table in self.list_tables() if table["id"] == number)

    def _wait_for_card(self) -> None:
        """Wait until the card shows the present state of the selected table."""
        self.page.wait_for_function(
            """() => document.querySelector('#card').getAttribute('aria-busy') === 'false'
              && document.querySelector('.table-card')"""
        )

    def _do_next(self, table: dict[str, Any]) -> None:
        """Do the first action on the card: answer, type missing facts, or confirm."""
        told, played = self.page.locator("#told"), self.tables[table["round"], table["table"]]
        told.evaluate("(told) => { told.textContent = ''; }")
        answers = self.page.locator(".question-card .answer")
        if answers.count():
            self.hand.press(answers.nth(self._pick(table, played)))
        elif self._type_missing(played):
            self.hand.press(self.page.locator("#typed-players button[type=submit]"))
        else:
            self.hand.press(self.page.locator("[data-decision=confirm]"))
        expect(told).not_to_be_empty(timeout=READ_MS)
        expect(told).not_to_have_class("error")

    def _type_missing(self, played: Played) -> bool:
        """Type names and points that are missing beside the photo; False if none are."""
        missing = False
        for colour, name in played.names.items():
            for kind, words in (("name", name), ("track", str(played.track[colour]))):
                field_ = self.page.locator(f"#typed-{kind}-{colour}")
                if field_.count() and not field_.input_value():
                    self.hand.type_into(field_, words)
                    missing = True
        return missing

    def _pick(self, table: dict[str, Any], played: Played) -> int:
        """Pick the true answer: the one whose points are nearest to the table's result."""
        choices = self._get(f"/v1/readings/{table['reading']}")["questions"][0]["choices"]
        return min(range(len(choices)), key=lambda number: _measure_distance(choices[number], played.final))


def _measure_distance(choice: Mapping[str, Any], final: Mapping[str, int]) -> float:
    points = choice["final_scoring"]
    if points is None:
        return float("inf")
    return float(sum(abs(points.get(colour, 0) - final.get(colour, 0)) for colour in {*points, *final}))


@dataclass
class Cup:
    """An event with one table that was read, without any names."""

    address: str
    made: dict[str, Any]

    @property
    def page(self) -> str:
        return f"{self.address}/event/{self.made['id']}"

    @property
    def owners(self) -> str:
        return f"{self.page}#token={self.made['token']}"

    @property
    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.made['token']}"}

    def get(self, path: str = "") -> dict[str, Any]:
        answer = httpx.get(f"{self.address}/v1/events/{self.made['id']}{path}", headers=self.headers, timeout=120)
        return dict(answer.raise_for_status().json())

    def table(self) -> dict[str, Any]:
        return dict(self.get("/tables")["tables"][0])


def make_cup(server: Running) -> Cup:
    """Create the event, and wait until its table has been read."""
    made = httpx.post(f"{server.url}/v1/events", json={"name": "Cup"}).raise_for_status().json()
    cup = Cup(server.url, made)
    form = {**photo_form(LEVEL.read_bytes()), "data": {"round": "1", "table": "1"}}
    path = f"{server.url}/v1/events/{made['id']}/tables"
    httpx.post(path, headers=cup.headers, timeout=120, **form).raise_for_status()
    ended = time.monotonic() + READ_MS / 1000
    while cup.table()["state"] == "reading":
        assert time.monotonic() < ended
        time.sleep(0.3)
    return cup


def as_owner(cup: Cup, opened: Open, device: Any = DESKTOP, **options: Any) -> Page:
    """Open the desk and give a name, like its owner."""
    page = opened(cup.owners, device, **options)
    page.locator("#asked-name").fill("Zoë")
    page.locator("dialog button[type=submit]").click()
    page.locator("dialog").wait_for(state="detached")
    page.locator(".table-photo img").wait_for()
    return page
