"""Our own score boards with other tracks than the first edition's, and tokens of 50 and 100 points, for a user to
enrol.

`ring`: 50 fields along the border around a painted landscape. `winding`: 50 stepping stones on a path that winds
through it. A token is a shield with its number in a wreath of roofs and trees. Millimetres, x right, y down.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from shapely import Point, Polygon, box

from datasets.art.canvas import to_bgr
from datasets.art.score_board import add_texture, draw_score_board, to_fixed_point, vary_colour, wobble_lines
from datasets.art.style import Style
from scoring.carcassonne.score_board.spaces import FIRST_EDITION, LAP_SPACES, TILE_MM, ScoreLayout, is_dark_space
from vision.arrays import Floats, Image

FIELD_MM = 20
"""Side of a field of the ring."""
COLS, ROWS = 16, 11
STONE_RADIUS_MM = 9.0
"""Radius of a stepping stone."""
MEADOWS, TREES, HOUSES = 14, 60, 26
SIDE_MM = 40.0
"""Side of a token."""
RIM_MM = 2.2
WREATH_MM = (13.0, 18.0)
"""Range of distances of roofs and trees from the centre."""
WREATH_COUNT = 46
SHIELD_MM = ((-10, -10), (10, -10), (10, 2), (7, 8), (0, 12), (-7, 8), (-10, 2))
"""Corners of the shield relative to the token's centre."""


@dataclass(frozen=True, slots=True, eq=False)
class Design:
    """A score board's spaces, and the spaces that a user names to enrol it."""

    name: str
    layout: ScoreLayout
    named: tuple[int, ...]

    @property
    def middles(self) -> Floats:
        """(n, 2) centres of the spaces in millimetres."""
        return np.array([(area.centroid.x, area.centroid.y) for area in self.layout.areas])

    def drawn(self, style: Style, rng: np.random.Generator, tile_px: int = 120) -> Image:
        """Return a picture (h, w, 3), BGR, in a style, at a scale of `tile_px` per tile width."""
        if self is DESIGNS["first"]:
            return draw_score_board(style, rng, tile_px)
        k = tile_px / TILE_MM
        width, height = self.layout.size
        picture = np.full((round(height * k), round(width * k), 3), to_bgr(style.grass), np.uint8)
        _land(picture, self.layout.size, style, k, rng)
        _path(picture, self, style, k, rng)
        return add_texture(wobble_lines(picture, k, rng), style, rng)


def _ring() -> Design:
    """Return the ring, clockwise from the lower left corner."""
    west = [(0, row) for row in reversed(range(ROWS))]
    north = [(col, 0) for col in range(1, COLS)]
    east = [(COLS - 1, row) for row in range(1, ROWS)]
    south = [(col, ROWS - 1) for col in reversed(range(1, COLS - 1))]
    cells = [*west, *north, *east, *south]
    areas = [box(x * FIELD_MM, y * FIELD_MM, (x + 1) * FIELD_MM, (y + 1) * FIELD_MM) for x, y in cells]
    corners = (len(west) - 1, len(west + north) - 1, len(west + north + east) - 1)
    return Design(
        "ring", ScoreLayout((COLS * FIELD_MM, ROWS * FIELD_MM), tuple(areas), LAP_SPACES), (0, *corners, LAP_SPACES - 1)
    )


def _winding() -> Design:
    """Return 5 wavy rows of 10, back and forth from the lower left corner upwards."""
    stones = []
    for row in range(5):
        for step in range(10):
            x = 28.0 + 22.5 * (step if row % 2 == 0 else 9 - step)
            stones.append(Point(x, 222.0 - 48.0 * row - 11.0 * np.sin(x / 30.0)).buffer(STONE_RADIUS_MM))
    named = [space for space in range(LAP_SPACES) if space % 2 == 0 or space % 10 == 9]
    return Design("winding", ScoreLayout((260, 250), tuple(stones), LAP_SPACES), tuple(named))


def _first() -> Design:
    turning = (0, 1, 4, 7, 8, 9, 10, 12, 13, 14, 18, 23, 24, 25, 26, 29, 33, 34, 35, 36, 37, 38, 39, 40, 44, 46, 47, 48)
    return Design("first", FIRST_EDITION, (*turning, LAP_SPACES - 1))


DESIGNS: Mapping[str, Design] = {design.name: design for design in (_first(), _ring(), _winding())}


def _land(picture: Image, size: tuple[float, float], style: Style, k: float, rng: np.random.Generator) -> None:
    """Draw meadows, a river, houses and trees at random."""
    width, height = size
    for _ in range(MEADOWS):
        at, axes = rng.uniform((0, 0), size), rng.uniform(12, 45, 2)
        shade = vary_colour(style.grass_light if rng.random() < 0.6 else style.city_ground, rng)
        angle = float(rng.uniform(0, 180))
        cv2.ellipse(picture, _at(at, k), _at(axes, k), angle, 0, 360, to_bgr(shade), -1, cv2.LINE_AA)
    river = np.stack(
        [np.linspace(0, width, 40), height * rng.uniform(0.3, 0.7) + 18 * np.sin(np.linspace(0, 7, 40))], 1
    )
    for colour, wide in ((style.ink, 9.0), (style.water, 7.5)):
        cv2.polylines(picture, [to_fixed_point(river, k)], False, to_bgr(colour), round(wide * k), cv2.LINE_AA, 4)
    things = [_house] * HOUSES + [_tree] * TREES
    places = sorted(rng.uniform((4, 6), (width - 4, height - 4), (len(things), 2)).tolist(), key=lambda at: at[1])
    for number, at in zip(rng.permutation(len(things)), places, strict=True):
        things[number](picture, np.array(at), style, k, rng)


def _at(place: Floats, k: float) -> tuple[int, int]:
    x, y = np.rint(np.asarray(place) * k).astype(int).tolist()
    return x, y


def _house(picture: Image, at: Floats, style: Style, k: float, rng: np.random.Generator) -> None:
    w, h = rng.uniform(4, 8), rng.uniform(3, 6)
    wall = at + np.array([(-w / 2, -h), (w / 2, -h), (w / 2, 0), (-w / 2, 0)])
    roof = at + np.array([(-w / 2 - 0.7, -h), (0, -h - rng.uniform(3, 6)), (w / 2 + 0.7, -h)])
    tile = style.roofs[int(rng.integers(len(style.roofs)))]
    for corners, colour in ((wall, vary_colour(style.house, rng)), (roof, vary_colour(tile, rng))):
        cv2.fillPoly(picture, [to_fixed_point(corners, k)], to_bgr(colour), cv2.LINE_AA, 4)
        cv2.polylines(
            picture, [to_fixed_point(corners, k)], True, to_bgr(style.ink), max(1, round(0.4 * k)), cv2.LINE_AA, 4
        )


def _tree(picture: Image, at: Floats, style: Style, k: float, rng: np.random.Generator) -> None:
    leaf = style.foliage[int(rng.integers(len(style.foliage)))]
    for _ in range(4):
        blob = at + rng.normal(0, 1.4, 2)
        cv2.circle(
            picture, _at(blob, k), round(rng.uniform(1.2, 2.6) * k), to_bgr(vary_colour(leaf, rng)), -1, cv2.LINE_AA
        )
    cv2.circle(picture, _at(at, k), round(2.8 * k), to_bgr(style.ink), 1, cv2.LINE_AA)


def _path(picture: Image, design: Design, style: Style, k: float, rng: np.random.Generator) -> None:
    """Draw the spaces, every fifth in another colour, each with its number."""
    line = max(1, round((0.6 + 1.0 * style.outline) * k))
    pale = max(style.road, style.house, style.grass_light, key=sum)
    for space, area in enumerate(design.layout.areas):
        outline = to_fixed_point(_outline(area), k)
        shade = vary_colour(style.city_ground if is_dark_space(space) else pale, rng)
        cv2.fillPoly(picture, [outline], to_bgr(shade), cv2.LINE_AA, 4)
        cv2.polylines(picture, [outline], True, to_bgr(style.ink), line, cv2.LINE_AA, 4)
        at, size = design.middles[space], 0.14 * k
        (w, h), _ = cv2.getTextSize(str(space), cv2.FONT_HERSHEY_DUPLEX, size, 1)
        x, y = _at(at, k)
        cv2.putText(
            picture, str(space), (x - w // 2, y + h // 2), cv2.FONT_HERSHEY_DUPLEX, size, to_bgr(style.ink), 1, 16
        )


def _outline(area: Polygon) -> Sequence[tuple[float, float]]:
    return [(float(x), float(y)) for x, y in area.exterior.coords]


def draw_score_token(points: int, style: Style, rng: np.random.Generator, px: int = 240) -> Image:
    """Draw the side of a token that shows `points`: a picture (px, px, 3), BGR."""
    k = px / SIDE_MM
    picture = np.full((px, px, 3), to_bgr(vary_colour(style.city_ground, rng)), np.uint8)
    _wreath(picture, style, k, rng)
    middle = np.full(2, SIDE_MM / 2)
    shield = to_fixed_point(np.array(SHIELD_MM) + middle, k)
    field, charge = style.shield
    cv2.fillPoly(picture, [shield], to_bgr(vary_colour(field, rng)), cv2.LINE_AA, 4)
    cv2.polylines(picture, [shield], True, to_bgr(style.ink), round(0.9 * k), cv2.LINE_AA, 4)
    _number(picture, points, to_bgr(charge), k)
    rim = round(RIM_MM * k)
    cv2.rectangle(picture, (0, 0), (px - 1, px - 1), to_bgr(style.wall), rim)
    cv2.rectangle(picture, (rim // 2, rim // 2), (px - rim // 2, px - rim // 2), to_bgr(style.ink), max(1, rim // 6))
    return add_texture(picture, style, rng)


def _wreath(picture: Image, style: Style, k: float, rng: np.random.Generator) -> None:
    """Draw roofs and trees around the middle, each at a random position and size."""
    for angle in np.sort(rng.uniform(0, 2 * np.pi, WREATH_COUNT)):
        at = SIDE_MM / 2 + rng.uniform(*WREATH_MM) * np.array([np.cos(angle), np.sin(angle)])
        size = rng.uniform(1.0, 2.4)
        if rng.random() < 0.5:
            roof = at + size * np.array([(-1.0, 0.6), (0.0, -1.0), (1.0, 0.6)])
            shape, shade = roof, vary_colour(style.roofs[int(rng.integers(len(style.roofs)))], rng)
        else:
            around = np.linspace(0, 2 * np.pi, 9)[:-1]
            leaf = style.foliage[int(rng.integers(len(style.foliage)))]
            shape = at + 0.8 * size * np.stack([np.cos(around), np.sin(around)], axis=1)
            shade = vary_colour(leaf, rng)
        cv2.fillPoly(picture, [to_fixed_point(shape, k)], to_bgr(shade), cv2.LINE_AA, 4)
        cv2.polylines(
            picture, [to_fixed_point(shape, k)], True, to_bgr(style.ink), max(1, round(0.25 * k)), cv2.LINE_AA, 4
        )


def _number(picture: Image, points: int, colour: tuple[float, float, float], k: float) -> None:
    text, size, stroke = str(points), (0.36 if points < 100 else 0.27) * k, max(1, round(1.1 * k))
    (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_TRIPLEX, size, stroke)
    half = picture.shape[0] / 2
    at = (round(half - width / 2), round(half + height / 2 - 1.5 * k))
    cv2.putText(picture, text, at, cv2.FONT_HERSHEY_TRIPLEX, size, colour, stroke, cv2.LINE_AA)
