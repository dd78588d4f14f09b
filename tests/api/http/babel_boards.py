"""An owner who shows a board of Tower of Babel to the API."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import cv2
import numpy as np
from fastapi.testclient import TestClient

from datasets.render.empty_boards import EmptyBoardPhoto, shoot_empty_board
from datasets.tower_of_babel.art import get_art
from datasets.tower_of_babel.board import draw_board
from datasets.tower_of_babel.plan import (
    SIZE_MM,
    get_bonus_box,
    list_row_boxes,
    list_track_middles,
    list_turn_places,
    plan_wonders,
)
from tests.api.serving import build_client
from tests.kept import keep

DRAFTS = "board-drafts"
BOARD = "/v1/boards/tower-of-babel/board"
KEYS = [
    *(f"scoring_table.rows.{row}.{place}" for row in range(2, 8) for place in ("most", "second")),
    *(f"scoring_table.light.{place}" for place in ("most", "second")),
    *(f"disc_bonus.{discs}" for discs in (3, 5, 6)),
]
"""The seventeen numbers that only a board prints."""


@keep
def photograph() -> tuple[EmptyBoardPhoto, bytes]:
    rng = np.random.default_rng((2, 7))
    board = draw_board(get_art("oasis", rng), rng)
    photo = shoot_empty_board(board, SIZE_MM, rng, "planks", (2000, 1500))
    return photo, cv2.imencode(".jpg", photo.image)[1].tobytes()


def send_photo(client: TestClient) -> dict[str, Any]:
    """Send the photo, then the corners and the card."""
    photo, data = photograph()
    answer = client.post(f"{BOARD}/photo", files={"photo": ("board.jpg", data, "image/jpeg")})
    assert answer.status_code == 200, answer.text
    return change(client, corners_px=photo.corners_px.tolist(), card_px=photo.card_px.tolist())


def change(client: TestClient, **fields: Any) -> dict[str, Any]:
    answer = client.patch(f"{BOARD}/draft", json=fields)
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def point(client: TestClient, state: dict[str, Any], mark: str, place_mm: tuple[float, float]) -> dict[str, Any]:
    width, height = state["straight_size"]
    at = [place_mm[0] / SIZE_MM[0] * width, place_mm[1] / SIZE_MM[1] * height]
    answer = client.post(f"{BOARD}/draft/points", json={"mark": mark, "at": at})
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def begin(client: TestClient) -> dict[str, Any]:
    """Return the draft of a board whose photo, corners and card were sent."""
    return _write_draft(client, _list_begun())


def show_wholly(client: Any, data: Path | None = None) -> dict[str, Any]:
    """Return the draft of a board on which every place was pointed at; `data` is the folder of another process."""
    return _write_draft(client, _list_shown(), data)


def _write_draft(client: Any, files: Mapping[str, bytes], data: Path | None = None) -> dict[str, Any]:
    folder = (data or client.app.state.server.settings.data) / DRAFTS
    for name, content in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    return dict(client.get(f"{BOARD}/draft").raise_for_status().json())


@keep
def _list_begun() -> dict[str, bytes]:
    return _list_drafts(send_photo)


@keep
def _list_shown() -> dict[str, bytes]:
    return _list_drafts(_point_everywhere)


def _list_drafts(show: Callable[[TestClient], object]) -> dict[str, bytes]:
    """Return the files of the drafts after something was shown to another server."""
    with TemporaryDirectory() as folder:
        for client in build_client(Path(folder)):
            show(client)
        drafts = Path(folder) / DRAFTS
        return {str(file.relative_to(drafts)): file.read_bytes() for file in drafts.rglob("*") if file.is_file()}


def _point_everywhere(client: TestClient) -> dict[str, Any]:
    state = begin(client)
    for plan in plan_wonders():
        x, y, w, h = plan.area
        state = point(client, state, f"wonders.{plan.name}.area", (x + w / 2, y + h / 2))
    for space in (0, 23, 39, 62, 77):
        state = point(client, state, "track", list_track_middles()[space])
    rows = list_row_boxes()
    for mark, (x, y, w, h) in {
        "scoring_table.first": rows[0],
        "scoring_table.last": rows[6],
        "scoring_table.light": rows[7],
        "disc_bonus": get_bonus_box(),
    }.items():
        state = point(client, state, mark, (x + w / 2, y + h / 2))
    for mark, place in (("turn_order.first", list_turn_places()[0]), ("turn_order.last", list_turn_places()[-1])):
        state = point(client, state, mark, place)
    return state
