"""The operations on a running server, each with a request about data that really exists."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import cv2

from tests.api.http.babel_boards import BOARD, KEYS, change, photograph, show_wholly
from tests.api.http.copies import photograph_copy, write_copy
from tests.api.http.growing import PLAYERS, KeptGame
from tests.api.serving import LEVEL, Running, photo_form, until
from tests.vision.enrolling.lone import draw_lone
from tests.vision.world_wonders.drawn_tables import empty_copy, photo_with, squares
from vision.enrolment.games import GameEnrolments

Body = dict[str, Any]
OF_SHAPES = {
    "get_tile_shapes",
    "keep_tile_shapes",
    "change_tile_shapes",
    "drop_tile_shapes",
    "take_tiles_photo",
    "get_tiles_photo",
}
"""Operations of a game whose tiles have shapes."""
KNOWN_POINTS = {"kind": "points", "photo": "photo 2", "points": {"blue": 7}}
DRAWN_SHAPES = {"shapes": [{"shape": "##"}, {"shape": "##/#."}]}


class Things:
    """One item of each kind that an address names, really present on a server, with the tokens of their owners.

    Deleted items are recreated by the next request that needs them.
    """

    def __init__(self, server: Running) -> None:
        self.client: Any = server.client
        self.tokens = dict[str, str]()
        self.gone: dict[str, list[str]] = {"reading_id": [], "event_id": [], "name": [], "game_id": []}
        self._server = server
        self._reading = self._event = self._city = self._game = ""
        self.enrol_wonder()

    def note(self, document: Body) -> str:
        """Record the owner of a new item; return its id."""
        self.tokens[document["id"]] = document["token"]
        return str(document["id"])

    def find_owner(self, names: Body) -> dict[str, str]:
        """Return the headers of the owner of the item in an address."""
        token = next((self.tokens[id] for id in map(str, names.values()) if id in self.tokens), "nobody's")
        return {"Authorization": f"Bearer {token}"}

    @property
    def reading(self) -> str:
        """Create a reading of tiles, among them a wonder."""
        if not self._reading:
            form = photo_form(photograph_copy())
            self._reading = self.note(self.client.post("/v1/readings", **form).raise_for_status().json())
            assert self._server.followed(self._reading)["status"] == "done"
        return self._reading

    @property
    def city(self) -> str:
        """Create a reading of World Wonders, in which a person named a monument."""
        if not self._city:
            store = GameEnrolments(self._server.data / "games")
            if "world-wonders" not in store.games():
                store.save(empty_copy())
            named = [f"{spot}=giza#1" for spot in squares("giza")]
            form = photo_form(draw_city(), "city.png", "image/png")
            data = {"game": "world-wonders", "set": named}
            self._city = self.note(self.client.post("/v1/readings", **form, data=data).raise_for_status().json())
            assert self._server.followed(self._city)["status"] == "done"
        return self._city

    @property
    def event(self) -> str:
        """Create an event."""
        if not self._event:
            self._event = self.note(self.client.post("/v1/events", json={"name": "Cup"}).raise_for_status().json())
        return self._event

    @property
    def game(self) -> str:
        """Create a game with two photos."""
        if not self._game:
            kept = KeptGame(self._server)
            self._game, self.tokens[kept.id] = kept.id, kept.owner["Authorization"].removeprefix("Bearer ")
            for number in (0, 1):
                kept.send(number).raise_for_status()
            kept.follow()
        return self._game

    @property
    def game_correction(self) -> int:
        """Create a correction of the game."""
        path, owner = f"/v1/games/{self.game}", {"Authorization": f"Bearer {self.tokens[self.game]}"}
        corrected = self.client.post(f"{path}/corrections", json=KNOWN_POINTS, headers=owner).raise_for_status().json()
        return int(corrected["corrections"][-1]["id"])

    @property
    def table(self) -> int:
        """Create a table of the event whose photo was read."""
        path, owner = f"/v1/events/{self.event}/tables", {"Authorization": f"Bearer {self.tokens[self.event]}"}
        tables = self.client.get(path, headers=owner).raise_for_status().json()["tables"]
        if not tables:
            form, data = photo_form(LEVEL.read_bytes()), {"table": "1", "round": "1"}
            self.client.post(path, **form, data=data, headers=owner).raise_for_status()

        def are_read() -> bool:
            tables = self.client.get(path, headers=owner).raise_for_status().json()["tables"]
            return all(table["coming"] is None for table in tables)

        until(are_read)
        return int(self.client.get(path, headers=owner).json()["tables"][0]["id"])

    @property
    def enrolment(self) -> str:
        """Enrol tiles."""
        names = [one["name"] for one in self.client.get("/v1/enrolments").json()["enrolments"]]
        if names:
            return str(names[0])
        body = {"reading": self.reading, "name": "mine"}
        return str(self.client.post("/v1/enrolments", json=body).raise_for_status().json()["name"])

    def enrol_wonder(self) -> None:
        """Enrol a wonder's layout."""
        self.client.put("/v1/wonders/stonehenge", json={"plan": write_copy()}).raise_for_status()

    def begin_board(self) -> None:
        """Begin enrolling a board."""
        if self.client.get(f"{BOARD}/draft").status_code == 404:
            self.client.post(f"{BOARD}/photo", **board_photo()).raise_for_status()
            photo, _ = photograph()
            change(self.client, corners_px=photo.corners_px.tolist(), card_px=photo.card_px.tolist())

    def show_board(self) -> None:
        """Complete the draft of a board."""
        draft = self.client.get(f"{BOARD}/draft")
        if draft.status_code == 404 or draft.json()["missing"]:
            show_wholly(self.client, self._server.data)
            change(self.client, values={key: 5 + number for number, key in enumerate(KEYS)})

    def keep_board(self) -> None:
        """Save an enrolled board."""
        boards = self.client.get("/v1/boards/tower-of-babel").raise_for_status().json()["boards"]
        if not any(board["kept"] for board in boards):
            self.show_board()
            self.client.put(BOARD).raise_for_status()

    def read_board_file(self) -> bytes:
        """Create a file of boards."""
        self.keep_board()
        return bytes(self.client.get("/v1/boards/tower-of-babel/file").raise_for_status().content)

    def draw_shapes(self) -> None:
        """Create a draft of tile shapes, beside a photo of them."""
        path = "/v1/tile-shapes/world-wonders"
        self.client.post(f"{path}/photo", **photo_form(LEVEL.read_bytes())).raise_for_status()
        self.client.put(f"{path}/draft", json=DRAWN_SHAPES).raise_for_status()

    def decide(self) -> Body:
        """Return a decision about the table: that it is right, or else its reversal."""
        table, path = self.table, f"/v1/events/{self.event}/tables"
        owner = {"Authorization": f"Bearer {self.tokens[self.event]}"}
        tables = {one["id"]: one["state"] for one in self.client.get(path, headers=owner).json()["tables"]}
        return {"undo": True} if tables[table] in ("checked", "unscorable") else {"unscorable": "it rained"}

    def forget(self, operation: str, names: Body) -> None:
        """Record an operation's deletion."""
        if operation == "delete_reading":
            self.gone["reading_id"].append(names["reading_id"])
            self._reading = "" if names["reading_id"] == self._reading else self._reading
            self._city = "" if names["reading_id"] == self._city else self._city
        if operation == "delete_event":
            self.gone["event_id"].append(names["event_id"])
            self._event = ""
        if operation == "delete_game":
            self.gone["game_id"].append(names["game_id"])
            self._game = ""
        if operation == "delete_enrolment":
            self.gone["name"].append(names["name"])


@cache
def draw_city() -> bytes:
    """Draw a photo of a city with a monument."""
    return cv2.imencode(".png", photo_with(["giza"], 1, 70.0).pixels)[1].tobytes()


def board_photo() -> dict[str, Any]:
    """Return the form with a photo of an empty board."""
    return photo_form(photograph()[1], "board.jpg")


def lone_photo() -> dict[str, Any]:
    """Return the form with a photo of a wonder alone."""
    return photo_form(draw_lone("WH/tikal")[0].read_bytes(), "lone.jpg")


def list_names(things: Things, operation: str) -> dict[str, Callable[[], str | int]]:
    """Return the functions that create, or find, the item of each name in an operation's address."""
    of_a_city = operation in ("get_new_pieces", "keep_pieces")
    return {
        "reading_id": lambda: things.city if of_a_city else things.reading,
        "event_id": lambda: things.event,
        "table": lambda: things.table,
        "game_id": lambda: things.game,
        "number": lambda: 1,
        "form": lambda: "csv",
        "correction": lambda: things.game_correction,
        "name": lambda: things.enrolment,
        "wonder": lambda: "tikal" if operation == "read_wonder_photo" else "stonehenge",
        "game": lambda: "world-wonders" if operation in OF_SHAPES else "tower-of-babel",
        "picture": lambda: "board",
    }


def _need(prepare: Callable[[Things], None], **sent: Any) -> Callable[[Things], Body]:
    """Prepare the subject of a request, before it is sent."""

    def build(things: Things) -> Body:
        prepare(things)
        return dict(sent)

    return build


REQUESTS: dict[str, Callable[[Things], Body]] = {
    "create_reading": lambda things: photo_form(LEVEL.read_bytes()) | {"headers": {"Prefer": "respond-async"}},
    "correct_reading": lambda things: {"json": {"corrections": [{"kind": "track", "colour": "red", "points": 7}]}},
    "get_explanation_picture": lambda things: {"params": {"feature": "R1"}},
    "create_event": lambda things: {"json": {"name": "Cup"}},
    "change_event": lambda things: {"json": {"tie_breakers": ["points", "wins"]}},
    "get_hand_in_code": lambda things: {"params": {"site": "http://localhost:8000"}},
    "add_event_table": lambda things: (
        photo_form(LEVEL.read_bytes()) | {"data": {"table": "2", "round": "1", "player": "red=Ann", "track": "red=30"}}
    ),
    "decide_table": lambda things: {"json": things.decide()},
    "add_table_photos": lambda things: photo_form(LEVEL.read_bytes()),
    "create_game": lambda things: {"json": {"players": PLAYERS}},
    "add_game_photo": lambda things: photo_form(LEVEL.read_bytes()) | {"data": {"client_id": "2"}},
    "correct_game": lambda things: {"json": KNOWN_POINTS},
    "finish_game": lambda things: {"json": {"finished": False}},
    "score_board": lambda things: {"json": {"board": "D0V0/-U1 red^1,1=rN blue^0,0=cN", "track": {"blue": 90}}},
    "create_enrolment": lambda things: {"json": {"reading": things.reading}},
    "enrol_wonder": lambda things: {"json": {"plan": write_copy()}},
    "undo_wonder": _need(Things.enrol_wonder),
    "get_wonder_file": _need(Things.enrol_wonder),
    "explain_wonder_layout": lambda things: {"json": {"plan": write_copy()}},
    "read_wonder_photo": lambda things: lone_photo(),
    "change_game_facts": lambda things: {"json": {"values": {}}},
    "get_board_file": _need(Things.keep_board),
    "take_board_file": lambda things: {
        "content": things.read_board_file(),
        "headers": {"Content-Type": "application/octet-stream"},
    },
    "begin_board": lambda things: board_photo(),
    "get_board_draft": _need(Things.begin_board),
    "change_board_draft": _need(Things.begin_board, json={"values": {KEYS[0]: 12}}),
    "drop_board_draft": _need(Things.begin_board),
    "get_board_draft_picture": _need(Things.begin_board),
    "point_at_board": _need(Things.begin_board, json={"mark": "track", "at": [50, 50]}),
    "keep_board": _need(Things.show_board),
    "undo_board": _need(Things.keep_board),
    "keep_tile_shapes": _need(Things.draw_shapes),
    "change_tile_shapes": lambda things: {"json": DRAWN_SHAPES},
    "drop_tile_shapes": _need(Things.draw_shapes),
    "take_tiles_photo": lambda things: photo_form(LEVEL.read_bytes()),
    "get_tiles_photo": _need(Things.draw_shapes),
    "get_tile_drawing": lambda things: {"params": {"tile": "D"}},
}
"""The body of each operation that takes one, by the operations' ids."""


def build_request(things: Things, operation: str) -> Body:
    """Build an operation's body, about items that really exist."""
    return REQUESTS[operation](things) if operation in REQUESTS else {}
