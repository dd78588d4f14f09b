"""Counting of a track's spaces between two that a user pointed at, whatever their shape: by their repetition.

The spaces of a track are printed alike and at equal distances, on a straight line or on an arc. The picture along such
a line therefore correlates with itself displaced by one space. Outlines decide, since numbers and colours differ.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np

from vision.arrays import Floats, Image, Singles
from vision.flat_boards.layout import PixelPoint
from vision.showing.equal_boxes import GRAIN_PX, rank_edges
from vision.showing.outlines import Outlines, load_shape_rules


@dataclass(frozen=True, slots=True, eq=False)
class Run:
    """Spaces (n, 2) one after the other, in pixels, with the distance `reach` from their middles to their edges.

    It `is_sure` unless the picture leaves their number open.
    """

    places: Floats
    reach: float
    is_sure: bool
    is_straight: bool = True


@dataclass(frozen=True, slots=True)
class _Line:
    """A straight line between two places, or an arc whose middle is `sagitta` pixels to the right of it."""

    first: PixelPoint
    last: PixelPoint
    sagitta: float = 0.0

    @property
    def chord(self) -> float:
        """Distance of the two places."""
        return float(np.hypot(self.last[0] - self.first[0], self.last[1] - self.first[1]))

    @property
    def radius(self) -> float:
        """Radius of the arc."""
        return (self.chord**2 / 4 + self.sagitta**2) / (2 * abs(self.sagitta))

    @property
    def length(self) -> float:
        """Length along the line."""
        if not self.sagitta:
            return self.chord
        return float(4 * np.arctan(2 * abs(self.sagitta) / self.chord) * self.radius)

    def locate(self, along: Floats, aside: Floats | float = 0.0) -> Floats:
        """Locate places (..., 2) by their distances along the line and to its right."""
        first, way = np.array(self.first), np.subtract(self.last, self.first) / self.chord
        right, aside = np.array([-way[1], way[0]]), np.asarray(aside)[..., None]
        if not self.sagitta:
            return np.asarray(first + along[..., None] * way + aside * right)
        bulge = np.sign(self.sagitta)
        angle = ((along - self.length / 2) / self.radius)[..., None]
        middle = first + way * self.chord / 2 + right * (self.sagitta - bulge * self.radius)
        out = np.cos(angle) * bulge * right + np.sin(angle) * way
        return np.asarray(middle + (self.radius + bulge * aside) * out)


@dataclass(frozen=True, eq=False)
class _Strip:
    """Outlines (channels, across, along) in a picture about a line, of which `beyond` pixels are before its start.

    The first channel is the strength of an edge, the others its direction. `aside` (across,) is in pixels.
    """

    line: _Line
    edges: Singles
    aside: Floats
    beyond: int

    def correlate(self, begin: float, end: float, step: float) -> Floats:
        """Return the correlation (2,) of the part between two places along the line with itself, displaced by a step.

        The first is that of strength, the second that of direction.
        """
        low, high = (int(np.clip(round(self.beyond + at), 0, self.edges.shape[2])) for at in (begin, end))
        part = self.edges[:, np.abs(self.aside) <= step / 2, low:high]
        whole, rest = int(step), step % 1
        if part.shape[2] < whole + 3:
            return np.full(2, -1.0)
        part = part - part.mean(axis=2, keepdims=True)
        here, there = part[..., : -whole - 1], (1 - rest) * part[..., whole:-1] + rest * part[..., whole + 1 :]
        both, one, other = (
            np.array([products[:1].sum(), products[1:].sum()], np.float64)
            for products in (here * there, here * here, there * there)
        )
        return np.asarray(both / np.sqrt(np.maximum(one * other, 1e-6)))

    def correlate_all(self, step: float) -> Floats:
        """Return both correlations (2,) of all spaces with the next ones."""
        return self.correlate(-step / 2, self.line.length + step / 2, step)

    def correlate_ends(self, step: float) -> tuple[float, float]:
        """Return the correlation of the first and the last space with the ones beside them."""
        starts = (-step / 2, self.line.length - 1.5 * step)
        first, last = (float(self.correlate(start, start + 2 * step, step)[0]) for start in starts)
        return first, last

    @cached_property
    def rough_steps(self) -> tuple[Floats, Floats]:
        """Steps (n,) in pixels at which the outlines repeat, and their correlations (n,), the best first."""
        inner = self.edges[0, :, self.beyond : -self.beyond]
        inner = inner - inner.mean(axis=1, keepdims=True)
        size, half, rules = inner.shape[1], len(self.aside) // 2, load_shape_rules("space")
        power = np.abs(np.fft.rfft(inner, 2 * size, axis=1)) ** 2
        products = np.fft.irfft(power, axis=1)[:, :size]
        within = np.cumsum(products[half:] + products[half::-1], axis=0)
        steps = np.arange(rules["least_px"] - 1, min(rules["most_px"], size - 1) + 1, dtype=int)
        if len(steps) < 3:
            return np.zeros(0), np.zeros(0)
        widths = np.minimum((steps / 2 / self.aside[half + 1]).astype(int), half)
        overlap = (size - steps) / size
        scores = within[widths, steps] / np.maximum(within[widths, 0] * overlap, 1e-6)
        peaks = np.flatnonzero((scores[1:-1] >= scores[:-2]) & (scores[1:-1] > scores[2:])) + 1
        peaks = peaks[np.argsort(-scores[peaks])]
        return steps[peaks].astype(np.float64), scores[peaks]


def find_run(picture: Image, outlines: Outlines, first: PixelPoint, last: PixelPoint, usual_step: float | None) -> Run:
    """Find the spaces of a track from one to another in a straightened (h, w, 3) picture of a board.

    Both ends move to the middles of `outlines` of a space's size. `usual_step` is the distance of the spaces counted
    before, if any; few spaces are not counted without it.
    """
    rules = load_shape_rules("space")
    line, edges = _Line(_halve(first), _halve(last)), _measure_edges(picture)
    usual = None if usual_step is None else usual_step / 2
    step, is_sure = _find_step(_cut_strip(edges, line), usual)
    if not is_sure and line.chord > 2 * (usual or rules["least_px"]):
        arc = _find_arc(edges, line)
        arc_step, is_sure = _find_step(_cut_strip(edges, arc), usual)
        if is_sure:
            line, step = arc, arc_step
    (start, reach), (end, _) = (_move_to_space(outlines, place, 2 * step) for place in (first, last))
    line = _Line(start, end, 2 * line.sagitta)
    count = max(1, round(line.length / (2 * step)))
    is_whole = abs(line.length / (2 * step) - count) < rules["whole"]
    is_next = usual is not None and count == 1
    is_many = count >= rules["few"] or usual is not None
    is_counted = is_whole and (is_next or (is_sure and is_many))
    return Run(line.locate(np.linspace(0, line.length, count + 1)), reach, is_counted, not line.sagitta)


def _halve(place: PixelPoint) -> PixelPoint:
    return (place[0] - 0.5) / 2, (place[1] - 0.5) / 2


def _move_to_space(outlines: Outlines, at: PixelPoint, step: float) -> tuple[PixelPoint, float]:
    """Return the middle of the largest shape of a space's size around a place, and half its size; else the place."""
    boxes, rounds, beside = outlines.boxes, outlines.rounds, load_shape_rules("space")["beside"]
    shapes = np.vstack(
        [
            np.column_stack([boxes[:, :2] + boxes[:, 2:] / 2, boxes[:, 2:].max(axis=1)]),
            np.column_stack([rounds[:, :2], 2 * rounds[:, 2]]),
        ]
    )
    near = np.linalg.norm(shapes[:, :2] - at, axis=1) < shapes[:, 2] / 2
    shapes = shapes[near & (np.abs(shapes[:, 2] / step - 1) < beside)]
    if not len(shapes):
        return at, step / 2
    x, y, size = (round(float(value), 2) for value in shapes[shapes[:, 2].argmax()])
    return (x, y), size / 2


def _find_arc(edges: Singles, line: _Line) -> _Line:
    """Find the arc between both ends of a line along which the outlines repeat most."""
    best, many = line, int(load_shape_rules("space")["arcs"])
    shares = np.arange(-many, many + 1)[np.arange(2 * many + 1) != many] / (2 * many)
    for share in 1 / (2 * many) / np.array([2, 4, 8]):
        arcs = [_Line(line.first, line.last, float(each * line.chord)) for each in shares]
        best = max(arcs, key=lambda each: _cut_strip(edges, each).rough_steps[1].max(initial=-1.0))
        shares = best.sagitta / line.chord + np.array([-share, 0, share])
    return best


def _measure_edges(picture: Image) -> Singles:
    """Measure the outlines (7, h / 2, w / 2) of a (h, w, 3) picture: the rarity of each edge, up to a limit, and its
    slopes in each colour to the right and downwards, as strong together.

    Beyond the limit all are alike: a number is printed in a stronger colour than its space.
    """
    lab = cv2.cvtColor(cv2.GaussianBlur(picture, (0, 0), GRAIN_PX), cv2.COLOR_BGR2LAB)
    slopes = np.array([cv2.Scharr(part, cv2.CV_32F, *way) for way in ((1, 0), (0, 1)) for part in cv2.split(lab)])
    strength = np.asarray(np.linalg.norm(slopes, axis=0), np.float32)
    rarity = np.minimum(rank_edges(strength), load_shape_rules("space")["most_nats"])
    maps = [rarity, *(slopes * (rarity / np.maximum(strength, 1e-6)))]
    return np.array([cv2.resize(each, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA) for each in maps])


def _cut_strip(measured: Singles, line: _Line) -> _Strip:
    """Sample outlines about a line, with slopes turned along it and across it."""
    beyond = round(load_shape_rules("space")["most_px"] / 2)
    aside = np.arange(-beyond, beyond + 1, 2.0)
    along = np.arange(-beyond, round(line.length) + beyond + 1, dtype=np.float64)
    places = line.locate(*np.meshgrid(along, aside)).astype(np.float32)
    strength, *slopes = (cv2.remap(each, places[..., 0], places[..., 1], cv2.INTER_LINEAR) for each in measured)
    right, down = np.array(slopes[:3]), np.array(slopes[3:])
    way = np.gradient(line.locate(along), axis=0)
    edges = [strength[None], right * way[:, 0] + down * way[:, 1], down * way[:, 0] - right * way[:, 1]]
    return _Strip(line, np.asarray(np.concatenate(edges), np.float32), aside, beyond)


def _find_step(strip: _Strip, usual_step: float | None) -> tuple[float, bool]:
    """Find the distance of adjacent spaces along a line, and whether the picture is clear about their number."""
    rules, length = load_shape_rules("space"), strip.line.length
    steps, scores = strip.rough_steps
    steps = np.append(steps[scores > rules["repeats"] / 2], [length] if length <= rules["most_px"] else [])
    found = [_refine(strip, float(each)) for each in steps]
    best = max((score for score, _ in found), default=0.0)
    if best < rules["repeats"]:
        return usual_step or length, False
    step = min(each for score, each in found if score > rules["same"] * best)
    rivals = [each for score, each in found if score > rules["rival"] * best]
    is_alone = all(abs(each - round(each / step) * step) < rules["least_px"] / 2 for each in rivals)
    is_usual = usual_step is None or abs(np.log(step / usual_step)) < rules["usual"]
    is_outline = strip.correlate_all(step)[1] > 0
    return step, bool(is_alone and is_usual and is_outline and min(strip.correlate_ends(step)) > rules["end"])


def _refine(strip: _Strip, step: float) -> tuple[float, float]:
    """Return the highest correlation of strengths near a step, and that step, by a parabola."""
    near = step + np.arange(-1, 1.25, 0.25)
    scores = np.array([strip.correlate_all(float(each))[0] for each in near])
    best = int(np.clip(scores.argmax(), 1, len(near) - 2))
    low, middle, high = scores[best - 1 : best + 2]
    off = (low - high) / min(2 * (low - 2 * middle + high), -1e-6)
    return float(scores[best]), float(near[best] + 0.25 * np.clip(off, -1, 1))
