"""Tables to measure on: the board drawn, stones laid at random under the rules, and photographed at a slant."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np

from scoring.spots.game import Value
from scoring.spots.text import SpotLabel, SpotTable, format_label
from tests.api.fourth_game.reader import STONES
from tests.api.fourth_game.rules import MOST_STONES, QUAYS, ROWS
from vision.arrays import Image

PX_MM = 4
SIZE_MM = (240, 160)
PLACES = {row: [(60 + 60 * number, 50 + 60 * line) for number in range(QUAYS)] for line, row in enumerate(ROWS)}
RADIUS_MM = 16
COMPONENTS = "\n".join(
    [
        "[worth]",
        "lower = 5",
        "[pictures.board]",
        f"size_mm = {list(SIZE_MM)}",
        "[layout]",
        *(
            f"{row} = [{', '.join(f'{{ at = [{x}, {y}], radius = {RADIUS_MM} }}' for x, y in PLACES[row])}]"
            for row in ROWS
        ),
    ]
)


def draw_board() -> Image:
    """Draw the empty board, (h, w, 3) BGR from straight above."""
    rng = np.random.default_rng(4)
    width, height = SIZE_MM[0] * PX_MM, SIZE_MM[1] * PX_MM
    board = np.full((height, width, 3), (150, 190, 200), np.uint8)
    for _ in range(400):
        at, size = rng.integers((0, 0), (width, height)), int(rng.integers(6, 26))
        paint = tuple(int(value) for value in rng.integers(60, 230, 3))
        cv2.rectangle(board, at.tolist(), (at + size).tolist(), paint, -1)
    for x, y in (place for row in ROWS for place in PLACES[row]):
        cv2.circle(board, (x * PX_MM, y * PX_MM), RADIUS_MM * PX_MM, (225, 235, 235), -1)
        cv2.circle(board, (x * PX_MM, y * PX_MM), RADIUS_MM * PX_MM, (40, 40, 40), 4)
    return board


def deal_stones(rng: np.random.Generator) -> dict[str, Value]:
    """Return the stones on the quays: of each player at most as many as there are."""
    names = [f"quay.{row}.{number + 1}" for row in ROWS for number in range(QUAYS)]
    stones = [colour for colour in STONES for _ in range(int(rng.integers(1, MOST_STONES + 1)))]
    order = rng.permutation(len(names))
    laid: dict[str, Value] = dict.fromkeys(names, "-")
    return laid | {names[i]: colour for i, colour in zip(order, stones, strict=False)}


def photograph(laid: dict[str, Value], rng: np.random.Generator) -> Image:
    """Return a photo of the board with stones on it, on a grey table."""
    board = draw_board()
    for name, value in laid.items():
        if value != "-":
            _, row, number = name.split(".")
            x, y = PLACES[row][int(number) - 1]
            cv2.circle(board, (x * PX_MM, y * PX_MM), 10 * PX_MM, STONES[str(value)], -1, cv2.LINE_AA)
    height, width = board.shape[:2]
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    aslant = np.asarray(corners * 1.1 + (150, 120) + rng.uniform(-60, 60, (4, 2)), np.float32)
    homography = cv2.getPerspectiveTransform(corners, aslant)
    photo = cv2.warpPerspective(board, homography, (1400, 1000), borderValue=(90, 95, 90))
    noise = np.asarray(rng.normal(0, 3, photo.shape))
    return np.asarray(np.clip(photo + noise, 0, 255), np.uint8)


def write_tables(folder: Path, count: int) -> list[Path]:
    """Write photos of tables, and their labels."""
    labels = []
    for number in range(count):
        rng = np.random.default_rng((7, number))
        laid = deal_stones(rng)
        cv2.imwrite(str(folder / f"table-{number}.jpg"), photograph(laid, rng))
        table = SpotTable("fourth-game", ("red", "blue"), {**laid, "flag": "red"})
        labels.append(folder / f"table-{number}.json")
        labels[-1].write_text(format_label(SpotLabel(f"table-{number}.jpg", table)), encoding="utf-8")
    return labels
