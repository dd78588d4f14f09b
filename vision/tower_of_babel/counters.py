"""The spaces of the victory point track on which the players' counters stand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import cv2
import numpy as np

from vision.arrays import EVEN_ODDS, SUREST, Flags, Floats
from vision.flat_boards.board import lift_from_board
from vision.tower_of_babel.block_search import fit_blocks
from vision.tower_of_babel.blocks import Block, project_block
from vision.tower_of_babel.colour_likelihood import SEED_MM2, SURE_BOARD, Paints
from vision.tower_of_babel.layout import Layout
from vision.tower_of_babel.scene import Scene
from vision.tower_of_babel.view import PAD_MM, STAND_SPREAD_MM, BoardView
from vision.tower_of_babel.wonders import Heap, weigh_block_sets

MAX_GAP_MM = 7.0
"""Maximum gap between paint regions that are processed together. A guess."""
ELSEWHERE_PROBABILITY = 0.01
"""Probability that a counter is another player's, or none. A guess."""
MIN_HIDDEN_SHARE = EVEN_ODDS
"""Minimum hidden share of a counter at a space where an unseen counter may stand: more of it is hidden than visible."""
MAX_HEAP_MM = 130.0
"""Maximum extent of a heap of counters. A guess."""
FIT_NATS, MISFIT_NATS = 1.0, 2.2
"""Mean nats over a counter's visible pixels: the first is usual, the second hardly a counter. A guess."""
MIN_LEFT_OVER_MM2, LEFT_OVER_PROBABILITY = 40.0, 0.35
"""Minimum area of paint that no counter explains, and the probability that it is a counter. A guess."""


def find_counters(
    view: BoardView, paints: Paints, layout: Layout, hidden: Flags
) -> tuple[dict[str, dict[int, float]], tuple[Block, ...]]:
    """Find for each colour the probability of each space of its counter, and the blocks on the track."""
    middles = layout.track.middles
    track = view.covered(middles, layout.track.radius)
    seeds = {
        colour: seed & view.covered(middles, layout.track.radius + PAD_MM) & ~hidden
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
    """Find the probability of each space for a counter that is not seen anywhere.

    The counter is either a region unlike both the board and any counter, as when glare turns black to grey, or it is
    mostly hidden, as below another. `hidden` (h, w) masks areas of the board behind objects or under glare; spaces
    outside the photo are hidden too. Returns {} if there are neither: the counter is then on none of the spaces.
    """
    strange = (paints.board > SURE_BOARD) & ~hidden
    strange = cv2.morphologyEx(strange.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)) > 0
    hidden_shares, strange_mm2 = np.transpose(
        [_look_at_space(view, layout, middle, hidden, strange) for middle in layout.track.middles]
    )
    strange_mm2[strange_mm2 < SEED_MM2] = 0.0
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
    """Return the hidden share of a counter's outline at (2,) millimetres, and the area of unexplained pixels in it."""
    x, y = (int(v) for v in np.rint(view.pixels(middle)))
    if not view.board[y, x]:
        return 1.0, 0.0
    outline, _ = project_block(Block(float(middle[0]), float(middle[1]), 0.0, layout.parts.of(1), 0), view.camera)
    there = view.filled(outline, 0.0)
    return float(hidden[there].mean()), float(strange[there].sum()) / view.px_mm**2


def _locate_counter(paint: Flags, view: BoardView, layout: Layout) -> Floats:
    """Return the place (2,) in millimetres of a counter whose paint is visible at the mask (h, w)."""
    ys, xs = np.nonzero(paint)
    place = (np.array([(xs.mean(), ys.mean())]) + 0.5) / view.px_mm - PAD_MM
    return np.asarray(lift_from_board(view.camera, place, layout.parts.of(1)[2] / 2)[0])


def _mask_leaning(track: Flags, view: BoardView) -> Flags:
    """Return the mask (h, w) of the track and of the margin beyond the board, which may show pieces that stand on
    it."""
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
    """Return the counters of a region by colour, each with the probability that it is one."""
    least = SEED_MM2 * view.px_mm**2
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
    """Return how well a block explains its visible pixels, from 0 to 1."""
    labels, block_labels = scene.painted(blocks), scene.painted([block])
    visible = (block_labels > 0) & (labels == block_labels)
    nats = float(scene.explained(blocks)[visible].mean()) if visible.any() else MISFIT_NATS
    return float(np.clip((MISFIT_NATS - nats) / (MISFIT_NATS - FIT_NATS), 0.2, 1.0))


def _compute_space_odds(places: Sequence[tuple[Floats, float]], middles: Floats) -> dict[int, float]:
    """Return the probability of each space from the places (2,) of possible counters; uniform if none is the
    counter."""
    none = float(np.prod([1 - chance for _, chance in places]))
    weights = np.full(len(middles), max(ELSEWHERE_PROBABILITY, none) / len(middles))
    for at, chance in places:
        away = ((middles - at) ** 2).sum(axis=1)
        near = np.exp(-(away - away.min()) / (2 * STAND_SPREAD_MM**2))
        weights += chance * near / near.sum()
    weights /= weights.sum()
    return {int(space): float(weights[space]) for space in np.flatnonzero(weights > SUREST)}
