"""Photos of one growing board, as a phone sends them to the server."""

from __future__ import annotations

from functools import cache
from random import Random
from typing import Any

import cv2
import numpy as np

from datasets.render.shots import Manner, shoot
from scoring.carcassonne.board.board import Board
from scoring.carcassonne.deal.boards import deal_random_board
from scoring.connected_squares import list_neighbours
from tests.api.serving import Running
from tests.drawn_boards import draw_art

SEED = 5
TILES = (10, 12, 14, 16)
"""Number of tiles in each photo."""
PLAYERS = [{"colour": "blue", "name": "Anna"}, {"colour": "red"}]
MANNER = Manner((1000, 750), elevation=(60, 80), free=(0.25, 0.35), strength=1.0)


@cache
def draw_photos() -> list[bytes]:
    """Draw the photos of a board to which tiles are added, as JPEGs."""
    board = deal_random_board(Random(SEED), tiles=40)
    rng = Random(SEED)
    order = [rng.choice([*board.tiles])]
    while len(order) < max(TILES):
        near = {at for square in order for at in list_neighbours(square)} & board.tiles.keys() - {*order}
        order.append(rng.choice(sorted(near)))
    return [_draw(Board({square: board.tiles[square] for square in order[:count]}), count) for count in TILES]


def _draw(board: Board, seed: int) -> bytes:
    image = shoot(board, draw_art(board), "wood", MANNER, np.random.default_rng(seed)).image
    return cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 80])[1].tobytes()


class KeptGame:
    """A game on a running server, with the token of its owner."""

    def __init__(self, server: Running, **settings: Any) -> None:
        self.client = server.client
        created = self.client.post("/v1/games", json={"players": PLAYERS, **settings})
        assert created.status_code == 201, created.text
        self.id, self.url = created.json()["id"], f"/v1/games/{created.json()['id']}"
        self.owner = {"Authorization": f"Bearer {created.json()['token']}"}

    def send(self, number: int, client_id: str = "", **headers: str) -> Any:
        """Send one of the photos, by its number from 0."""
        files = {"photo": (f"{number}.jpg", draw_photos()[number], "image/jpeg")}
        data = {"client_id": client_id or f"turn-{number}"}
        return self.client.post(f"{self.url}/photos", files=files, data=data, headers={**self.owner, **headers})

    def get(self, **query: Any) -> dict[str, Any]:
        """Return the game."""
        return dict(self.client.get(self.url, params=query).raise_for_status().json())

    def follow(self) -> dict[str, Any]:
        """Return the game once it is current."""
        game = self.get()
        while not game["is_current"]:
            game = self.get(after=game["version"], wait=5)
        return game
