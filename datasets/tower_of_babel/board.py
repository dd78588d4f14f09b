"""Drawing of the project's own board for Tower of Babel in any look."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.art.canvas import to_bgr
from datasets.art.style import Colour
from datasets.render.tabletops import sample_fractal
from datasets.tower_of_babel.art import BoardArt
from datasets.tower_of_babel.plan import (
    BONUS,
    DISC_RADIUS_MM,
    LIGHT,
    ROWS,
    SIZE_MM,
    TRACK_WIDTH_MM,
    Box,
    Place,
    WonderPlan,
    get_bonus_box,
    list_row_boxes,
    list_track_middles,
    list_turn_places,
    plan_wonders,
)
from vision.arrays import Floats, Image

PX_PER_MM = 4
FIXED_POINT_BITS = 4
STITCH_MM = 3.0
Points = list[tuple[float, float]]
Drawing = Iterator[tuple[Points, float]]


class _Paper:
    """The picture under construction, in millimetres."""

    def __init__(self, art: BoardArt, rng: np.random.Generator) -> None:
        self.art, self.rng = art, rng
        w, h = (round(side * PX_PER_MM) for side in SIZE_MM)
        self.pixels: Image = np.full((h, w, 3), to_bgr(art.base), np.uint8)

    def fill(self, points: Floats | list[Place], colour: Colour, lined: float = 0.0) -> None:
        """Fill a polygon, optionally with an outline `lined` millimetres wide."""
        cv2.fillPoly(self.pixels, [_to_fixed_points(points)], to_bgr(colour), cv2.LINE_AA, FIXED_POINT_BITS)
        if lined:
            self.outline(points, colour, lined)

    def frame(self, box: Box, colour: Colour, lined: float) -> None:
        """Draw a box for pieces in the art's frame style, with lines about `lined` millimetres wide."""
        if self.art.frame == "line":
            self.fill(_corners(box), colour, lined)
            return
        self.fill(_corners(box), colour)
        x, y, w, h = box
        if self.art.frame == "none":
            return
        if self.art.frame == "corners":
            self._mark_corners(box, colour, lined)
            return
        if self.art.frame == "double":
            for out in (-0.7, 0.7):
                self.outline(_corners((x - out, y - out, w + 2 * out, h + 2 * out)), colour, 0.45 * lined)
            return
        if self.art.frame == "inset":
            self.fill(_corners(box), self.lined(colour))
            inner = 1.5 * lined
            self.fill(_corners((x + inner, y + inner, w - 2 * inner, h - 2 * inner)), colour)
            return
        if self.art.frame == "bevel":
            self._bevel(box, colour, lined)
            return
        if self.art.frame == "band":
            self._line_band(box, lined)
            return
        for (x0, y0), (x1, y1) in zip(_corners(box), [*_corners(box)[1:], _corners(box)[0]], strict=True):
            length = float(np.hypot(x1 - x0, y1 - y0))
            ends = [(start, min(start + STITCH_MM, length)) for start in np.arange(0.0, length, 1.5 * STITCH_MM)]
            for first, last in ends:
                points = [(x0 + (x1 - x0) * at / length, y0 + (y1 - y0) * at / length) for at in (first, last)]
                self.outline(points, colour, 0.8 * lined)

    def _mark_corners(self, box: Box, colour: Colour, lined: float) -> None:
        """Draw an angle at each corner of a box, and nothing between them."""
        x, y, w, h = box
        reach = min(3 * STITCH_MM, w / 3, h / 3)
        for corner_x, into_x in ((x, 1), (x + w, -1)):
            for corner_y, into_y in ((y, 1), (y + h, -1)):
                for end in ((corner_x + into_x * reach, corner_y), (corner_x, corner_y + into_y * reach)):
                    self.outline([(corner_x, corner_y), end], colour, 1.2 * lined)

    def _bevel(self, box: Box, colour: Colour, lined: float) -> None:
        """Draw light lines above and to the left of a box, dark ones below and to the right."""
        north_west, north_east, south_east, south_west = _corners(box)
        light = _mixed(colour, (255, 255, 255), 0.5)
        for ends, shade in (
            ((south_west, north_west), light),
            ((north_west, north_east), light),
            ((north_east, south_east), self.lined(colour)),
            ((south_east, south_west), self.lined(colour)),
        ):
            width = max(1, round(lined * PX_PER_MM))
            fixed = [_to_fixed_points(list(ends))]
            cv2.polylines(self.pixels, fixed, False, to_bgr(shade), width, cv2.LINE_AA, FIXED_POINT_BITS)

    def _line_band(self, box: Box, lined: float) -> None:
        """Draw a band of two alternating colours around a box."""
        for (x0, y0), (x1, y1) in zip(_corners(box), [*_corners(box)[1:], _corners(box)[0]], strict=True):
            length = float(np.hypot(x1 - x0, y1 - y0))
            for number, first in enumerate(np.arange(0.0, length, STITCH_MM)):
                last = min(first + STITCH_MM, length)
                ends = [(x0 + (x1 - x0) * at / length, y0 + (y1 - y0) * at / length) for at in (first, last)]
                colour = self.art.accent if number % 2 else self.art.stone
                width = max(1, round(1.2 * lined * PX_PER_MM))
                fixed = [_to_fixed_points(ends)]
                cv2.polylines(self.pixels, fixed, False, to_bgr(colour), width, cv2.LINE_AA, FIXED_POINT_BITS)

    def outline(self, points: Floats | list[Place], colour: Colour, lined: float) -> None:
        """Draw a closed line around an area of a colour, `lined` millimetres wide."""
        fixed = [_to_fixed_points(points)]
        width = max(1, round(lined * PX_PER_MM))
        cv2.polylines(self.pixels, fixed, True, to_bgr(self.lined(colour)), width, cv2.LINE_AA, FIXED_POINT_BITS)

    def disc(self, at: Place, radius: float, colour: Colour, lined: float = 0.0) -> None:
        angles = np.linspace(0, 2 * np.pi, 48, endpoint=False)
        self.fill(np.array(at) + radius * np.stack([np.cos(angles), np.sin(angles)], 1), colour, lined)

    def text(self, at: Place, words: str, high: float, colour: Colour) -> None:
        """Draw text centred on a place."""
        scale = high * PX_PER_MM / 22
        (w, h), _ = cv2.getTextSize(words, cv2.FONT_HERSHEY_COMPLEX, scale, 2)
        spot = (round(at[0] * PX_PER_MM - w / 2), round(at[1] * PX_PER_MM + h / 2))
        cv2.putText(self.pixels, words, spot, cv2.FONT_HERSHEY_COMPLEX, scale, to_bgr(colour), 2, cv2.LINE_AA)

    def lined(self, colour: Colour) -> Colour:
        """Return the colour of a line around an area of a colour."""
        share = 0.3 + 0.7 * self.art.outline
        red, green, blue = (round(c + (i - c) * share) for c, i in zip(colour, self.art.ink, strict=True))
        return red, green, blue

    def varied(self, colour: Colour, most: float = 0.08) -> Colour:
        red, green, blue = (int(np.clip(c * self.rng.uniform(1 - most, 1 + most), 0, 255)) for c in colour)
        return red, green, blue


def draw_board(art: BoardArt, rng: np.random.Generator) -> Image:
    """Draw the empty board (h, w, 3) BGR at PX_PER_MM pixels per millimetre."""
    paper = _Paper(art, rng)
    _draw_track(paper)
    for i, plan in enumerate(plan_wonders()):
        _draw_wonder(paper, plan, art.grounds[i % len(art.grounds)])
    _draw_tables(paper)
    for at in list_turn_places():
        paper.disc(at, 10, art.track[1], 0.8)
        paper.disc(at, 6, art.track[0])
    return _painted(paper.pixels, art, rng)


def _to_fixed_points(points: Floats | list[Place]) -> NDArray[np.int32]:
    """Convert (n, 2) places in millimetres to OpenCV's fixed-point pixels, whose centres have integer coordinates."""
    return np.asarray(np.rint((np.array(points) * PX_PER_MM - 0.5) * (1 << FIXED_POINT_BITS)), np.int32)


def _corners(box: Box) -> list[Place]:
    x, y, w, h = box
    return [(x, y), (x + w, y), (x + w, y + h), (x, y + h)]


def _draw_track(paper: _Paper) -> None:
    half = TRACK_WIDTH_MM / 2 - 0.6
    for space, (x, y) in enumerate(list_track_middles()):
        colour = paper.varied(paper.art.track[space % 5 == 0], 0.05)
        paper.fill(_corners((x - half, y - half, 2 * half, 2 * half)), colour, 0.5)
        paper.text((x, y - 5), str(space), 5.5, paper.art.ink)


def _draw_wonder(paper: _Paper, plan: WonderPlan, ground: Colour) -> None:
    art = paper.art
    paper.fill(_corners(plan.cell), paper.varied(ground), 1.0)
    x, y, w, h = plan.area
    picture = _Paper(art, paper.rng)
    picture.pixels = paper.pixels.copy()
    for points, shade in SIGHTS[plan.name]():
        placed = np.array(points) * (w, h + 22) + (x, y - 22)
        colour = paper.varied(_mixed(art.stone, ground, shade), 0.05)
        for target in (paper, picture):
            target.fill(placed, colour, 0.6)
    paper.frame(plan.area, art.area, 1.0)
    _ornament(paper, plan.area)
    inner = np.s_[round(y * PX_PER_MM) : round((y + h) * PX_PER_MM), round(x * PX_PER_MM) : round((x + w) * PX_PER_MM)]
    shows = art.area_shows
    paper.pixels[inner] = (shows * picture.pixels[inner] + (1 - shows) * paper.pixels[inner]).astype(np.uint8)
    for at in plan.discs:
        paper.disc(at, DISC_RADIUS_MM + 1, _mixed(ground, art.ink, 0.35), 0.8)
        paper.disc(at, DISC_RADIUS_MM - 2, _mixed(ground, art.stone, 0.4), 0.4)
    bx, by, bw, bh = plan.banner
    paper.fill(_corners(plan.banner), art.accent, 0.8)
    paper.text((bx + bw / 2, by + bh / 2), plan.name.upper(), 6.5, art.stone)


def _ornament(paper: _Paper, box: Box) -> None:
    """Draw the pattern of a building area."""
    x, y, w, h = box
    line = _mixed(paper.art.area, paper.art.ink, 0.3 + 0.3 * paper.art.outline)
    kind = paper.art.ornament
    if kind in ("slabs", "tiles"):
        step = 14.0 if kind == "slabs" else 7.0
        for row in range(int(h // step) + 1):
            off = step * 0.7 * (row % 2) if kind == "slabs" else 0.0
            for col in range(-1, int(w // (step * 1.4)) + 1):
                left, right = (float(np.clip(x + off + c * step * 1.4, x, x + w)) for c in (col, col + 1))
                low, high = y + row * step, min(y + (row + 1) * step, y + h)
                if right > left and high > low:
                    shade = paper.varied(paper.art.area, 0.07)
                    paper.fill(_corners((left, low, right - left, high - low)), shade, 0.3)
    elif kind == "weave":
        for i in range(int(w // 6)):
            paper.fill(_corners((x + 6 * i, y, 2, h)), paper.varied(line))
    elif kind == "rays":
        middle = np.array((x + w / 2, y + h / 2))
        for angle in np.linspace(0, 2 * np.pi, 24, endpoint=False):
            ends = [(np.cos(a), np.sin(a)) for a in (angle, angle + 0.12)]
            paper.fill(np.array([middle, *(middle + 0.48 * h * np.array(end) for end in ends)]), line)
    elif kind == "waves":
        along = np.linspace(0, w, 60)
        for i in range(int(h // 9)):
            up = y + 6 + 9 * i + 2 * np.sin(along / 5 + i)
            top, bottom = (np.stack([x + along, up + d], 1) for d in (0.0, 1.2))
            paper.fill(np.concatenate([top, bottom[::-1]]), line)
    elif kind == "scales":
        for row in range(int(h // 7)):
            for col in range(int(w // 10)):
                at = (x + 5 + 10 * col + 5 * (row % 2) * (col + 1 < w // 10), y + 3.5 + 7 * row)
                paper.disc(at, 4.2, paper.varied(paper.art.area, 0.12), 0.3)
    elif kind == "rings":
        for col in range(int(w // 20)):
            for row in range(int(h // 20)):
                for radius in (8.0, 5.0):
                    at = (x + 11 + 20 * col, y + 11 + 20 * row)
                    paper.disc(at, radius, paper.varied(paper.art.area, 0.1), 0.3)
    elif kind == "zigzag":
        along = np.linspace(0, w, int(w // 5) + 1)
        for i in range(int(h // 12)):
            level = y + 4 + 12 * i + 5 * (np.arange(len(along)) % 2)
            top, bottom = (np.stack([x + along, level + d], 1) for d in (0.0, 1.6))
            paper.fill(np.concatenate([top, bottom[::-1]]), line)
    elif kind == "hatch":
        for start in np.arange(-h, w, 8.0):
            low, high = max(0.0, -start), min(h, w - start)
            if high - low > 2:
                paper.fill([(x + start + at, y + at) for at in (low, high, high - 1, low + 1)], line)


def _draw_tables(paper: _Paper) -> None:
    art = paper.art
    x, _, w, _ = list_row_boxes()[0]
    paper.text((x + w / 2, 40), "WONDERS", 7, art.ink)
    for i, box in enumerate(list_row_boxes()):
        light = i == len(ROWS)
        most, second = LIGHT if light else ROWS[i]
        paper.frame(box, art.stone if light else paper.varied(art.area), 0.8)
        middle = box[1] + box[3] / 2
        paper.text((box[0] + 18, middle), str(most), 8, art.ink)
        paper.text((box[0] + 44, middle), str(second), 8, art.ink)
        paper.disc((box[0] + 0.84 * w, middle), 5, _mixed(art.area, art.ink, 0.25), 0.3)
    bx, by, bw, bh = get_bonus_box()
    paper.fill(_corners(get_bonus_box()), art.area, 1.0)
    points = {1: 0, 2: 5, 3: BONUS[3], 4: 20, 5: BONUS[5], 6: BONUS[6], 7: BONUS[7]}
    for i, (count, worth) in enumerate(points.items()):
        paper.text((bx + bw / 2, by + bh * (i + 0.5) / len(points)), f"{count}: {worth}", 8, art.ink)


def _mixed(one: Colour, other: Colour, share: float) -> Colour:
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return red, green, blue


def _painted(picture: Image, art: BoardArt, rng: np.random.Generator) -> Image:
    """Return the picture with blotches like those of paint and parchment."""
    h, w = picture.shape[:2]
    size = max(h, w) // 2
    layers = [cv2.resize(sample_fractal(rng, size, cells, 3), (max(h, w),) * 2)[:h, :w] for cells in (4, 40)]
    strength = 1 + 0.05 * art.texture * (layers[0] + layers[1])
    return np.asarray(np.clip(picture * strength[..., None], 0, 255), np.uint8)


def _box(x: float, y: float, w: float, h: float) -> Points:
    return [(x, y), (x + w, y), (x + w, y + h), (x, y + h)]


def _giza() -> Drawing:
    for x, w, h in ((0.62, 0.36, 0.4), (0.02, 0.42, 0.5), (0.25, 0.52, 0.72)):
        yield [(x, 0.95), (x + w / 2, 0.95 - h), (x + w, 0.95)], 0.0
        yield [(x + w / 2, 0.95 - h), (x + 0.62 * w, 0.95), (x + w, 0.95)], 0.45


def _colossus() -> Drawing:
    yield _box(0.25, 0.85, 0.5, 0.1), 0.5
    yield [(0.36, 0.85), (0.44, 0.45), (0.56, 0.45), (0.64, 0.85), (0.55, 0.85), (0.5, 0.6), (0.45, 0.85)], 0.1
    yield [(0.4, 0.22), (0.6, 0.22), (0.58, 0.5), (0.42, 0.5)], 0.0
    yield [(0.6, 0.22), (0.75, 0.05), (0.8, 0.08), (0.62, 0.32)], 0.1
    yield _box(0.45, 0.08, 0.1, 0.13), 0.2


def _zeus() -> Drawing:
    yield _box(0.2, 0.3, 0.6, 0.65), 0.6
    yield [(0.35, 0.6), (0.65, 0.6), (0.75, 0.95), (0.25, 0.95)], 0.1
    yield [(0.4, 0.3), (0.6, 0.3), (0.65, 0.62), (0.35, 0.62)], 0.0
    yield _box(0.44, 0.14, 0.12, 0.15), 0.15
    yield _box(0.76, 0.1, 0.03, 0.85), 0.3


def _gardens() -> Drawing:
    for i in range(4):
        yield _box(0.05 + 0.11 * i, 0.75 - 0.2 * i, 0.9 - 0.22 * i, 0.2), 0.15 * (i % 2)
        for k in range(6 - i):
            yield _box(0.09 + 0.11 * i + 0.14 * k, 0.72 - 0.2 * i, 0.07, 0.09), 0.8


def _mausoleum() -> Drawing:
    yield _box(0.12, 0.62, 0.76, 0.33), 0.3
    for i in range(6):
        yield _box(0.16 + 0.12 * i, 0.36, 0.06, 0.26), 0.0
    yield _box(0.12, 0.3, 0.76, 0.07), 0.2
    yield [(0.14, 0.3), (0.42, 0.08), (0.58, 0.08), (0.86, 0.3)], 0.1


def _lighthouse() -> Drawing:
    yield _box(0.3, 0.55, 0.4, 0.4), 0.2
    yield _box(0.38, 0.25, 0.24, 0.3), 0.05
    yield _box(0.44, 0.1, 0.12, 0.15), 0.3
    yield [(0.5, 0.02), (0.56, 0.1), (0.44, 0.1)], 0.7
    yield [(0.56, 0.1), (0.98, 0.0), (0.98, 0.14)], 0.0


def _artemis() -> Drawing:
    yield _box(0.05, 0.85, 0.9, 0.1), 0.3
    for i in range(7):
        yield _box(0.09 + 0.127 * i, 0.42, 0.06, 0.43), 0.0
    yield _box(0.05, 0.35, 0.9, 0.08), 0.2
    yield [(0.03, 0.35), (0.5, 0.1), (0.97, 0.35)], 0.1


def _babel() -> Drawing:
    for i in range(6):
        yield (
            [
                (0.12 + 0.06 * i, 0.95 - 0.15 * i),
                (0.88 - 0.06 * i, 0.95 - 0.15 * i),
                (0.84 - 0.06 * i, 0.78 - 0.15 * i),
                (0.16 + 0.06 * i, 0.82 - 0.15 * i),
            ],
            0.25 * (i % 2),
        )


SIGHTS: dict[str, Callable[[], Drawing]] = {
    "giza": _giza,
    "colossus": _colossus,
    "zeus": _zeus,
    "gardens": _gardens,
    "mausoleum": _mausoleum,
    "lighthouse": _lighthouse,
    "artemis": _artemis,
    "babel": _babel,
}
