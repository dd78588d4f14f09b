"""A picture of the score over a game's turns, with the totals below: a stair for each player."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence

import numpy as np
from PIL import Image, ImageDraw

from api.render.drawing import DARK, LIGHT, Legend, Scale, add_legend, get_player_rgb, load_font

WIDTH_PX, HEIGHT_PX = 1200, 720
"""Size of the chart without its legend. A guess."""
MARGIN_PX = 70
"""Room around the chart, for the numbers. A guess."""
STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)
"""Possible distances of two lines of the chart: the round numbers up to the maximum of typed points."""
_GRID = (70, 74, 82)
_MAX_LINES = 8
"""Maximum number of distances between lines, across and up. A guess."""
_SCALE = Scale(tile=80, line=2, text=20, legend=24)

Place = tuple[float, float]


def draw_score_chart(points: Sequence[Mapping[str, int]], legend: Legend) -> bytes:
    """Draw the points after each turn, from the start on, as a PNG."""
    canvas = Image.new("RGB", (WIDTH_PX, HEIGHT_PX), DARK)
    draw, most = ImageDraw.Draw(canvas), max(5, *(max(after.values(), default=0) for after in points))
    _draw_grid(draw, most, len(points) - 1)
    for player in points[0]:
        line = list(_draw_stair([after[player] for after in points], most))
        draw.line(line, fill=LIGHT, width=9, joint="curve")
        draw.line(line, fill=get_player_rgb(player), width=6, joint="curve")
    picture = add_legend(np.asarray(canvas), legend, _SCALE)
    stream = io.BytesIO()
    picture.save(stream, "PNG")
    return stream.getvalue()


def _draw_stair(points: Sequence[int], most: int) -> list[Place]:
    """Return the corners of a player's stair, in pixels."""
    places = [_place(0, points[0], len(points) - 1, most)]
    for turn, value in enumerate(points[1:], 1):
        x, y = _place(turn, value, len(points) - 1, most)
        places += [(x, places[-1][1]), (x, y)]
    return places


def _place(turn: float, value: float, turns: int, most: int) -> Place:
    across, up = WIDTH_PX - 2 * MARGIN_PX, HEIGHT_PX - 2 * MARGIN_PX
    return MARGIN_PX + across * turn / max(1, turns), HEIGHT_PX - MARGIN_PX - up * value / most


def _draw_grid(draw: ImageDraw.ImageDraw, most: int, turns: int) -> None:
    """Draw lines at round numbers of points, and the numbers of turns."""
    font = load_font(_SCALE.text)
    for value in _list_marks(most):
        (left, y), (right, _) = (_place(turn, value, 1, most) for turn in (0, 1))
        draw.line([(left, y), (right, y)], fill=_GRID, width=2)
        draw.text((left - 12, y), str(value), LIGHT, font, anchor="rm")
    for turn in _list_marks(turns):
        x, y = _place(turn, 0, turns, most)
        draw.text((x, y + 24), str(turn), LIGHT, font, anchor="mm")


def _list_marks(most: int) -> range:
    step = next((step for step in STEPS if most / step <= _MAX_LINES), max(1, most))
    return range(0, most + 1, step)
