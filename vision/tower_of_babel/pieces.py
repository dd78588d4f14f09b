"""The pieces of a table other than building parts: counters on the track, columns, discs, and the scoring marker.

Columns show who plays, and hide the area behind them. The number of discs left on a wonder follows from the resemblance
of each of its spaces to the empty board.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import EVEN_ODDS, SUREST, Flags, Floats, compute_sigmoid
from vision.flat_boards.board import lift_from_board, project_to_board
from vision.flat_boards.layout import Region
from vision.flat_boards.similarity import correlate_drawings, extract_drawing
from vision.showing.equal_boxes import CORE_SHARE
from vision.tower_of_babel.block_search import fit_blocks
from vision.tower_of_babel.blocks import Block, project_block
from vision.tower_of_babel.calibration import DiscWeights, load_disc_weights
from vision.tower_of_babel.colour_likelihood import SEED_MM2, SURE_BOARD, UNEXPLAINED, Paints
from vision.tower_of_babel.layout import Layout, ScoringTableLayout, TurnOrderLayout
from vision.tower_of_babel.scene import Scene
from vision.tower_of_babel.view import MIN_VISIBLE_SHARE, PAD_MM, STAND_SPREAD_MM, BoardView
from vision.tower_of_babel.wonders import Heap, weigh_block_sets

MAX_GAP_MM = 7.0
"""Maximum gap between paint regions that are processed together. A guess."""
ELSEWHERE_PROBABILITY = 0.01
"""Probability that a counter is another player's, or none, or that the marker is another object. A guess."""
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
    part, there = view.cut(outline)
    return float(hidden[part][there].mean()), float(strange[part][there].sum()) / view.px_mm**2


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


MIN_COLOUR_SHARE = EVEN_ODDS
"""Minimum share of a column's outline in its colour."""


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """The colours of the columns on the board, and the mask (h, w) of the area they hide."""

    colours: frozenset[str]
    hidden: Flags


def find_columns(view: BoardView, paints: Paints, track: TurnOrderLayout | None) -> Columns:
    """Find the columns of a view."""
    hidden = np.zeros(view.board.shape, np.uint8)
    colours = set()
    for space in _sort_by_distance(track.spaces if track else (), view.camera):
        assert track is not None
        there = np.zeros(view.board.shape, np.uint8)
        cv2.fillConvexPoly(there, _project_column(view, space, track.column), 1)
        visible = (there > 0) & (hidden == 0)
        if visible.sum() < MIN_VISIBLE_SHARE * there.sum():
            continue
        shares = {colour: float(seed[visible].mean()) for colour, seed in paints.seeds.items()}
        colour = max(shares, key=lambda name: shares[name], default=None)
        if colour is not None and shares[colour] >= MIN_COLOUR_SHARE:
            colours.add(colour)
            hidden |= there
    return Columns(frozenset(colours), hidden > 0)


def _sort_by_distance(spaces: Sequence[Region], camera: Floats) -> list[Region]:
    """Sort spaces from near to far, because nearer columns hide those behind them."""
    return sorted(spaces, key=lambda space: float(np.linalg.norm(space.outline.mean(axis=0) - camera[:2])))


def _project_column(view: BoardView, space: Region, column: tuple[float, float]) -> NDArray[np.int32]:
    """Return the outline (n, 2) in pixels of a column on its space."""
    wide, high = column
    rim = space.outline
    middle = rim.mean(axis=0)
    foot = middle + (rim - middle) * (wide / 2 / np.linalg.norm(rim - middle, axis=1).mean())
    top = project_to_board(view.camera, foot, high)
    hull = cv2.convexHull(view.pixels(np.vstack([foot, top])).astype(np.float32))[:, 0]
    return np.asarray(np.rint(hull), np.int32)


class DiscFeatures(NamedTuple):
    """The likeness of a space's drawing to the empty board's, the share of its places that differ in colour, and its
    visible share."""

    alike: float
    differing: float
    visible: float

    def compute_logit(self, weights: DiscWeights) -> float:
        """Compute the log odds of a disc, as if the whole space were visible."""
        return weights.intercept + weights.alike * self.alike + weights.differing * self.differing


def compute_disc_features(view: BoardView, paints: Paints, space: Region, hidden: Flags) -> DiscFeatures:
    """Compare a space with the empty board; all features of a hidden space are 0."""
    rim = space.outline
    part, there = view.cut(rim.mean(axis=0) + CORE_SHARE * (rim - rim.mean(axis=0)), margin_px=9)
    visible = there & ~hidden[part] & view.board[part]
    if visible.sum() < 30:
        return DiscFeatures(0.0, 0.0, 0.0)
    one, other = (extract_drawing(np.ascontiguousarray(p[part]))[visible] for p in (view.seen, view.empty))
    alike = float(correlate_drawings(one, other, lambda layer: float(layer.mean())))
    differing = float((paints.board[part][visible] > UNEXPLAINED).mean())
    return DiscFeatures(alike, differing, float(visible.sum() / there.sum()))


def estimate_disc_probability(view: BoardView, paints: Paints, space: Region, hidden: Flags) -> float:
    """Estimate the probability of a disc on a space."""
    features = compute_disc_features(view, paints, space, hidden)
    if features.visible < MIN_VISIBLE_SHARE:
        return 0.5
    return float(compute_sigmoid(min(1.0, 1.5 * features.visible) * features.compute_logit(load_disc_weights())))


def compute_count_distribution(chances: Sequence[float]) -> dict[int, float]:
    """Compute the probability of each number of discs from the probability of each disc."""
    numbers = np.ones(1)
    for chance in chances:
        numbers = np.convolve(numbers, (1 - chance, chance))
    return {count: float(chance) for count, chance in enumerate(numbers)}


MIN_PIECE_SHARE = 0.35
"""Minimum area of a candidate relative to the marker's top; anything smaller is another object. A guess."""
LIGHT = "light"


def locate_marker(view: BoardView, paints: Paints, table: ScoringTableLayout, hidden: Flags) -> dict[int | str, float]:
    """Return the probability of each row, 0 first, and of the light space; empty if no marker is seen."""
    rows = (*table.rows, table.light)
    outlines = np.concatenate([row.outline for row in rows])
    low, high = outlines.min(axis=0), outlines.max(axis=0)
    around = np.array([low, (high[0], low[1]), high, (low[0], high[1])])
    differs = (paints.board > UNEXPLAINED) & view.filled(around, 3.0) & view.board & ~hidden
    opened = cv2.morphologyEx(differs.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    count, _, stats, middles = cv2.connectedComponentsWithStats(opened)
    wide, tall = table.marker
    top = np.pi * (wide / 2 * view.px_mm) ** 2
    weights = np.full(len(rows), ELSEWHERE_PROBABILITY / len(rows))
    weight_sum = 0.0
    for number in range(1, count):
        size = stats[number, cv2.CC_STAT_AREA] / top
        if size < MIN_PIECE_SHARE:
            continue
        place = (middles[number] + 0.5) / view.px_mm - PAD_MM
        foot = lift_from_board(view.camera, place[None], tall / 2)[0]
        away = np.array([_measure_distance(foot, row.outline) for row in rows])
        near = np.exp(-(away**2) / (2 * STAND_SPREAD_MM**2))
        weight = min(1.0, size) ** 2
        weight_sum += weight
        weights += weight * near / max(near.sum(), 1e-9)
    if not weight_sum:
        return {}
    weights /= weights.sum()
    names: tuple[int | str, ...] = (*range(len(table.rows)), LIGHT)
    return {name: float(weight) for name, weight in zip(names, weights, strict=True)}


def _measure_distance(place: NDArray[np.float64], outline: NDArray[np.float64]) -> float:
    """Return the distance from a row's centre line in millimetres."""
    low, high = outline.min(axis=0), outline.max(axis=0)
    beyond = max(low[0] - place[0], 0.0, place[0] - high[0])
    return float(np.hypot(place[1] - (low[1] + high[1]) / 2, beyond))
