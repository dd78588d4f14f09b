"""On which space of the victory point track each player's counter stands."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import cv2
import numpy as np

from vision.arrays import Flags, Floats
from vision.printed.blocks import Block, project_block
from vision.printed.board import lift_from_board
from vision.tower_of_babel.block_search import fit_blocks
from vision.tower_of_babel.colour_likelihood import SURE_BOARD, Paints
from vision.tower_of_babel.layout import Layout
from vision.tower_of_babel.scene import Scene
from vision.tower_of_babel.view import PAD_MM, BoardView
from vision.tower_of_babel.wonders import Heap, weigh_block_sets

MAX_LEAN_MM = 14.0
MAX_GAP_MM = 7.0
"""Paint so near to other paint is looked at together."""
MIN_PAINT_MM2 = 12.0
"""Less of any paint than this in a place is no counter."""
STAND_SPREAD_MM = 3.2
"""How far beside a space's middle a counter stands, about."""
ELSEWHERE_PROBABILITY = 0.01
"""The chance that a counter is another one's, or none."""
MIN_HIDDEN_SHARE = 0.5
"""A counter that is nowhere seen is looked for where at least so much of it would be hidden: more than is seen."""
MAX_HEAP_MM = 130.0
"""Paint over a wider place than this is no heap of counters."""
FIT_NATS, MISFIT_NATS = 1.0, 2.2
"""The mean nats of the places where a counter is seen: `FIT_NATS` are usual, and with as many as this it is hardly
one."""
MIN_LEFT_OVER_MM2, LEFT_OVER_PROBABILITY = 40.0, 0.35
"""How likely paint that no counter explains, at least `MIN_LEFT_OVER_MM2` of it, is one."""


def find_counters(
    view: BoardView, paints: Paints, layout: Layout, hidden: Flags
) -> tuple[dict[str, dict[int, float]], tuple[Block, ...]]:
    """Find by colour the chance of each space that its counter may stand on, and the blocks on the track."""
    middles = layout.track.middles
    track = view.covered(middles, layout.track.radius)
    seeds = {
        colour: seed & view.covered(middles, layout.track.radius + MAX_LEAN_MM) & ~hidden
        for colour, seed in paints.seeds.items()
    }
    seeds = {colour: seed & _mask_leaning(track, view) for colour, seed in seeds.items()}
    together = np.zeros(view.board.shape, np.uint8)
    for seed in seeds.values():
        together |= seed.astype(np.uint8)
    near = 2 * round(MAX_GAP_MM * view.px_mm / 2) + 1
    count, labels, stats, _ = cv2.connectedComponentsWithStats(cv2.dilate(together, np.ones((near, near), np.uint8)))
    standing: dict[str, list[tuple[Block, float]]] = {}
    left_over: dict[str, list[Floats]] = {}
    for number in range(1, count):
        if max(stats[number, 2:4]) > MAX_HEAP_MM * view.px_mm:
            continue
        there = labels == number
        counters = _fit_counters(view, paints, seeds, there, layout, track, hidden)
        for colour, counter_blocks in counters.items():
            standing.setdefault(colour, []).extend(counter_blocks)
        for colour, seed in seeds.items():
            if colour not in counters and (seed & there).sum() >= MIN_LEFT_OVER_MM2 * view.px_mm**2:
                left_over.setdefault(colour, []).append(_locate_counter(seed & there, view, layout))
    blocks = tuple(block for counter_blocks in standing.values() for block, _ in counter_blocks)
    space_odds = {
        colour: _compute_space_odds(
            [
                *((np.array((block.x, block.y)), chance) for block, chance in standing.get(colour, ())),
                *((at, LEFT_OVER_PROBABILITY) for at in left_over.get(colour, ())),
            ],
            middles,
        )
        for colour in seeds
        if colour in standing or colour in left_over
    }
    return space_odds, blocks


def find_hidden_spaces(view: BoardView, paints: Paints, layout: Layout, hidden: Flags) -> dict[int, float]:
    """Find the chance of each space that a counter which is nowhere seen stands on it.

    It is what looks unlike the board there and like no counter either, as where glare makes black grey; or it is where
    most of one would be hidden, as beneath another. `hidden` is (h, w) where something stands before the board or glare
    lies on it. What the photo does not show is hidden too. {} where there is neither: then it is on none of these.
    """
    strange = (paints.board > SURE_BOARD) & ~hidden
    strange = cv2.morphologyEx(strange.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)) > 0
    hidden_shares, strange_mm2 = np.transpose(
        [_look_at_space(view, layout, middle, hidden, strange) for middle in layout.track.middles]
    )
    strange_mm2[strange_mm2 < MIN_PAINT_MM2] = 0.0
    if hidden_shares.max() < MIN_HIDDEN_SHARE and not strange_mm2.any():
        return {}
    chances = np.maximum(hidden_shares, ELSEWHERE_PROBABILITY)
    chances /= chances.sum()
    if strange_mm2.any():
        chances = (1 - LEFT_OVER_PROBABILITY) * chances + LEFT_OVER_PROBABILITY * strange_mm2 / strange_mm2.sum()
    return {int(space): float(chance) for space, chance in enumerate(chances)}


def _look_at_space(
    view: BoardView, layout: Layout, middle: Floats, hidden: Flags, strange: Flags
) -> tuple[float, float]:
    """How much of a counter's outline would be hidden at (2,) millimetres, and how many square millimetres look strange
    there."""
    x, y = (int(v) for v in np.rint(view.pixels(middle)))
    if not view.board[y, x]:
        return 1.0, 0.0
    outline, _ = project_block(Block(float(middle[0]), float(middle[1]), 0.0, layout.parts.of(1), 0), view.camera)
    there = view.filled(outline, 0.0)
    return float(hidden[there].mean()), float(strange[there].sum()) / view.px_mm**2


def _locate_counter(paint: Flags, view: BoardView, layout: Layout) -> Floats:
    """(2,) millimetres where a counter would stand whose paint is seen at (h, w)."""
    ys, xs = np.nonzero(paint)
    place = (np.array([(xs.mean(), ys.mean())]) + 0.5) / view.px_mm - PAD_MM
    return np.asarray(lift_from_board(view.camera, place, layout.parts.of(1)[2] / 2)[0])


def _mask_leaning(track: Flags, view: BoardView) -> Flags:
    """(h, w) the track and what is seen beyond it that stands on it; the inner board holds other things."""
    h, w = view.board.shape
    pad = round(PAD_MM * view.px_mm)
    beyond = np.ones((h, w), bool)
    beyond[pad : h - pad, pad : w - pad] = False
    return track | beyond


def _fit_counters(
    view: BoardView,
    paints: Paints,
    seeds: Mapping[str, Flags],
    there: Flags,
    layout: Layout,
    track: Flags,
    hidden: Flags,
) -> dict[str, list[tuple[Block, float]]]:
    """By colour the counters in one place, each with the chance that it is one."""
    least = MIN_PAINT_MM2 * view.px_mm**2
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
    scene = Scene(against, origin, view.px_mm, view.camera, (small,), inside, view.measure_brightness(crop))
    fit = fit_blocks(scene)
    heap = Heap(fit.blocks, weigh_block_sets(fit, colours, {small: 1}))
    counters: dict[str, list[tuple[Block, float]]] = {}
    for block in fit.blocks:
        colour = colours[block.colour]
        chance = (1 - heap.chances((colour, 1)).get(0, 0.0)) * _compute_fit(scene, fit.blocks, block)
        counters.setdefault(colour, []).append((block, chance))
    return counters


def _compute_fit(scene: Scene, blocks: Sequence[Block], block: Block) -> float:
    """How well a block explains what is seen of it, from 0 to 1."""
    labels, block_labels = scene.painted(blocks), scene.painted([block])
    visible = (block_labels > 0) & (labels == block_labels)
    nats = float(scene.explained(blocks)[visible].mean()) if visible.any() else MISFIT_NATS
    return float(np.clip((MISFIT_NATS - nats) / (MISFIT_NATS - FIT_NATS), 0.2, 1.0))


def _compute_space_odds(places: Sequence[tuple[Floats, float]], middles: Floats) -> dict[int, float]:
    """The chance of each space, by where (2,) what may be the counter stands; as likely as it is none, by no place."""
    none = float(np.prod([1 - chance for _, chance in places]))
    weights = np.full(len(middles), max(ELSEWHERE_PROBABILITY, none) / len(middles))
    for at, chance in places:
        away = ((middles - at) ** 2).sum(axis=1)
        near = np.exp(-(away - away.min()) / (2 * STAND_SPREAD_MM**2))
        weights += chance * near / near.sum()
    weights /= weights.sum()
    return {int(space): float(weights[space]) for space in np.flatnonzero(weights > 1e-6)}
