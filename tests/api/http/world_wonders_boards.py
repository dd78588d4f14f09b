"""An owner who shows the boards of World Wonders to the API."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from fastapi.testclient import TestClient

from api.server.settings import Settings
from datasets.render.empty_boards import shoot_empty_board
from tests.api.serving import unopened
from vision.arrays import Image


@pytest.fixture
def client(tmp_path: Path) -> Iterator[TestClient]:
    (tmp_path / "incoming").mkdir()
    with unopened(Settings(data=tmp_path)) as app:
        yield TestClient(app, base_url="http://localhost", client=("127.0.0.1", 5000))


def begin(
    client: TestClient, picture: str, board: Image, size_mm: tuple[float, float], seed: int
) -> tuple[str, dict[str, Any]]:
    """Send the photo of a board, then its corners and the card."""
    photo = shoot_empty_board(board, size_mm, np.random.default_rng(seed), "cloth", (2400, 1800))
    path, data = f"/v1/boards/world-wonders/{picture}", cv2.imencode(".jpg", photo.image)[1].tobytes()
    client.post(f"{path}/photo", files={"photo": ("board.jpg", data, "image/jpeg")}).raise_for_status()
    corners = {"corners_px": photo.corners_px.tolist(), "card_px": photo.card_px.tolist()}
    return path, dict(client.patch(f"{path}/draft", json=corners).raise_for_status().json())
