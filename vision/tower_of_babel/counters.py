"""On which space of the victory point track each player's counter stands."""

from __future__ import annotations

from collections.abc import Mapping

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.printed.blocks import Block
from vision.tower_of_babel.fitting import fitted
from vision.tower_of_babel.layout import Layout
from vision.tower_of_babel.paints import Paints
from vision.tower_of_babel.scene import Scene
from vision.tower_of_babel.view import PAD_MM, BoardView
from vision.tower_of_babel.wonders import LEAST_MM2, Heap, sets_of

Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]

LEAN_MM = 14.0
NEXT_MM = 7.0
"""Paint so near to other paint is looked at together."""
STANDS_MM = 3.2
"""How far beside a space's middle a counter stands, about."""
ELSEWHERE = 0.01
"""The chance that a counter is another one's, or none."""
LARGEST_MM = 130.0
"""Paint over a wider place than this is no heap of counters."""


def counters_on(
    view: BoardView, paints: Paints, layout: Layout, hidden: Flags
) -> tuple[dict[str, dict[int, float]], tuple[Block, ...]]:
    """By colour the chance of each space that its counter may stand on, and the blocks found on the track."""
    middles = layout.track.middles
    track = view.covered(middles, layout.track.radius)
    seeds = {
        colour: seed & view.covered(middles, layout.track.radius + LEAN_MM) & ~hidden
        for colour, seed in paints.seeds.items()
    }
    seeds = {colour: seed & _leaning_from(track, view) for colour, seed in seeds.items()}
    together = np.zeros(view.board.shape, np.uint8)
    for seed in seeds.values():
        together |= seed.astype(np.uint8)
    near = 2 * round(NEXT_MM * view.px_mm / 2) + 1
    count, labels, stats, _ = cv2.connectedComponentsWithStats(cv2.dilate(together, np.ones((near, near), np.uint8)))
    standing: dict[str, list[tuple[Block, float]]] = {}
    for number in range(1, count):
        if max(stats[number, 2:4]) > LARGEST_MM * view.px_mm:
            continue
        for colour, found in _counters(view, paints, seeds, labels == number, layout, track, hidden).items():
            standing.setdefault(colour, []).extend(found)
    blocks = tuple(block for found in standing.values() for block, _ in found)
    return {colour: _spaces(found, middles) for colour, found in standing.items() if found}, blocks


def _leaning_from(track: Flags, view: BoardView) -> Flags:
    """(h, w) the track and what is seen beyond it that stands on it; the inner board holds other things."""
    h, w = view.board.shape
    pad = round(PAD_MM * view.px_mm)
    beyond = np.ones((h, w), bool)
    beyond[pad : h - pad, pad : w - pad] = False
    return track | beyond


def _counters(
    view: BoardView,
    paints: Paints,
    seeds: Mapping[str, Flags],
    there: Flags,
    layout: Layout,
    track: Flags,
    hidden: Flags,
) -> dict[str, list[tuple[Block, float]]]:
    """By colour the counters in one place, each with the chance that it is one."""
    least = LEAST_MM2 * view.px_mm**2
    colours = tuple(colour for colour, seed in seeds.items() if (seed & there).sum() >= least)
    if not colours:
        return {}
    ys, xs = np.nonzero(there)
    room = round(18 * view.px_mm)
    h, w = view.board.shape
    x0, y0 = max(0, int(xs.min()) - room), max(0, int(ys.min()) - room)
    x1, y1 = min(w, int(xs.max()) + room), min(h, int(ys.max()) + room)
    crop = np.s_[y0:y1, x0:x1]
    layers = [paints.board, *(layer for c in colours for layer in (paints.top[c], paints.side[c]))]
    against = np.stack([layer[crop] for layer in layers])
    against[:, hidden[crop]] = 0
    inside = track[crop] & (cv2.dilate(there.astype(np.uint8), np.ones((25, 25), np.uint8)) > 0)[crop]
    if not inside.any():
        return {}
    origin = (x0 / view.px_mm - PAD_MM, y0 / view.px_mm - PAD_MM)
    small = layout.parts.of(1)
    fit = fitted(Scene(against, origin, view.px_mm, view.camera, (small,), inside))
    heap = Heap(fit.blocks, sets_of(fit, colours, {small: 1}))
    found: dict[str, list[tuple[Block, float]]] = {}
    for block in fit.blocks:
        colour = colours[block.colour]
        found.setdefault(colour, []).append((block, 1 - heap.chances((colour, 1)).get(0, 0.0)))
    return found


def _spaces(found: list[tuple[Block, float]], middles: Floats) -> dict[int, float]:
    """The chance of each space, by where the counters that were found stand; each is as good as the others."""
    weights = np.full(len(middles), ELSEWHERE / len(middles))
    for block, chance in found:
        away = ((middles - (block.x, block.y)) ** 2).sum(axis=1)
        near = np.exp(-(away - away.min()) / (2 * STANDS_MM**2))
        weights += chance * near / near.sum()
    weights /= weights.sum()
    return {int(space): float(weights[space]) for space in np.flatnonzero(weights > 1e-6)}
