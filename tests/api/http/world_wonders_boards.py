"""An owner who shows the boards of World Wonders to the API."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from fastapi.testclient import TestClient

from datasets.render.empty_boards import shoot_empty_board
from vision.arrays import Image


def begin(
    client: TestClient, picture: str, board: Image, size_mm: tuple[float, float], seed: int
) -> tuple[str, dict[str, Any]]:
    """Send the photo of a board, then its corners and the card."""
    photo = shoot_empty_board(board, size_mm, np.random.default_rng(seed), "cloth", (2400, 1800))
    path, data = f"/v1/boards/world-wonders/{picture}", cv2.imencode(".jpg", photo.image)[1].tobytes()
    client.post(f"{path}/photo", files={"photo": ("board.jpg", data, "image/jpeg")}).raise_for_status()
    corners = {"corners_px": photo.corners_px.tolist(), "card_px": photo.card_px.tolist()}
    return path, dict(client.patch(f"{path}/draft", json=corners).raise_for_status().json())
