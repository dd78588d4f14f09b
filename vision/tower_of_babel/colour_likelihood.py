"""Nats of each place of a board's view against the empty board and against a part of each colour.

The colour of a painted face under any light is its paint, brighter or darker: a ray from black. The empty board in a
shadow is likewise its own colour, darker. A place is therefore judged by its distance from those rays. The paints of a
photo are measured on regions of one hue that are certainly not the board, and all of them are named together
(`vision.colour.hue_naming`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from scoring.tower_of_babel.board import COLOURS
from vision.arrays import EVEN_ODDS, Flags, Floats, Singles
from vision.colour.glare import find_brightest_channel, find_darkest_channel
from vision.colour.hue_naming import NEUTRAL_NAME, Naming, find_hue_clusters, name_players
from vision.colour.shaded_paint import (
    MAX_PLACE_NATS,
    NOISE_GREY,
    compute_dot_product,
    compute_paint_nats,
    compute_ray_nats,
    fill_clipped_channels,
    measure_lit_paint,
)
from vision.flat_boards.similarity import MIN_ALIKE_CORRELATION, correlate_drawings, extract_drawing
from vision.runtime.parallel import map_concurrently
from vision.tower_of_babel.calibration import load_black_chroma
from vision.tower_of_babel.view import PAD_MM, PX_MM, SMOOTH_PX, BoardView

COLOURED = 0.42
"""Minimum saturation at which a hue identifies a paint. A guess."""
BALANCE = 0.8
"""Share of the enrolled picture's colour cast that is removed before hues are measured, since a board has a colour too.
A guess."""
BLACK_VALUE, GREY_CHROMA = 78.0, 18.0
"""Maximum grey level of black parts, and minimum chroma above noise. A guess."""
PRINT_NOISE = 0.35
"""Share of the print's variation within a pixel that is added to the noise. A guess."""
DEEP_SHADE, DEEP_NATS = (0.48, 0.64), 1.6
"""Range of shades over which shadows on the board become unlikely, and the nats at its dark end; none are deeper. On
dark boards, black parts would otherwise pass for shadows. A guess."""
BOARD_SHADE, TOP_SHADE, SIDE_SHADE = (DEEP_SHADE[0], 1.12), (0.55, 1.25), (0.35, 1.06)
"""Ranges of brightness relative to the own colour of the board, a part's roof and its walls. One slope of a roof faces
the light, the other faces away. A guess."""
SURE_BOARD = EVEN_ODDS * MAX_PLACE_NATS
"""Nats from which a place is certainly not the empty board: half of the most that a place can give."""
UNEXPLAINED = 1.5
"""Nats from which a place does not match an explanation, such as the empty board. A guess."""
STRAY_MM = 1.4
"""Standard deviation of the window in which drawings are compared under a lamp's reflection. A guess."""
EDGE_MM = 4.0
"""Maximum width of an unexplained region that counts as an edge. A guess."""
FULL_CHROMA_PERCENTILE, FULL_CHROMA_SHARE = 85, 0.5
"""Percentile of the chroma in a hue, and the minimum share of it in a coloured part. A guess."""
PART_MM = 8.0
"""Maximum distance of a part's wall from its pixels of full colour. A guess."""
BAND_PX = round(PAD_MM * PX_MM)
"""Rows of a view that are processed together, few enough for a processor's cache: as many as the margin has."""
SEED_MM2 = 15.0
"""Minimum area of a paint, on a counter or on the whole board. A guess."""


@dataclass(frozen=True, slots=True, eq=False)
class Paints:
    """Nats against each explanation, (h, w): `board`, and for each colour a part's `top` and `side`.

    `seeds` (h, w) are the places certainly of each colour. `renames` are other ways to name the colours, as differences
    from this one, each with its probability. `hues` and `neutral` are the named paints (3,), those with a hue in their
    order around the colour circle.
    """

    board: Singles
    top: Mapping[str, Singles]
    side: Mapping[str, Singles]
    seeds: Mapping[str, Flags]
    renames: Sequence[tuple[Mapping[str, str], float]] = ()
    hues: Sequence[Floats] = ()
    neutral: Sequence[Floats] = ()

    def find_unexplained(self) -> Flags:
        """Return the mask (h, w) of pixels that are neither empty board nor part: glare, or paint unlike any part's.

        Narrow regions, the edges of parts, are left out; the rest is grown to include its surroundings.
        """
        least = np.minimum.reduce([self.board, *self.top.values(), *self.side.values()])
        narrow, wide = (np.ones((2 * round(mm * PX_MM / 2) + 1,) * 2, np.uint8) for mm in (EDGE_MM, 2 * EDGE_MM))
        opened = cv2.morphologyEx((least > UNEXPLAINED).astype(np.uint8), cv2.MORPH_OPEN, narrow)
        return np.asarray(cv2.dilate(opened, wide) > 0)


def fit_paints(view: BoardView, looked_at: Flags) -> Paints:
    """Fit the paints of a view; `looked_at` (h, w) masks the areas that hold only parts, for measuring the paints."""
    pixels = cv2.GaussianBlur(view.seen, (0, 0), SMOOTH_PX).astype(np.float32)
    board = np.maximum(_against_board(pixels, view), _against_drawing(view))
    seeds_by_hue = _find_seeds(pixels * _balance(view), board > SURE_BOARD, looked_at)
    measured = [_measure_paint(pixels, view, each.on_parts) for each in seeds_by_hue]
    named, renames = _name_seeds(pixels, view, seeds_by_hue, measured)
    top, side = (
        {colour: _against_paint(pixels, view, paint, shades) for colour, (_, paint) in named.items()}
        for shades in (TOP_SHADE, SIDE_SHADE)
    )
    seeds = {colour: places for colour, (places, _) in named.items()}
    hues, neutral = (
        [paint for paint, each in zip(measured, seeds_by_hue, strict=True) if each.neutral == is_neutral]
        for is_neutral in (False, True)
    )
    return Paints(board, top, side, seeds, renames, hues, neutral)


def _against_paint(pixels: Singles, view: BoardView, paint: Floats, shades: tuple[float, float]) -> Singles:
    """Return the nats (h, w) against a face of a paint, computed in bands that fit in a processor's cache."""

    def compute_band(row: int) -> Singles:
        band = np.s_[row : row + BAND_PX]
        return compute_paint_nats(fill_clipped_channels(pixels[band], paint, shades, view.clipped[band]), paint, shades)

    return np.concatenate(map_concurrently(compute_band, range(0, len(pixels), BAND_PX)))


def _balance(view: BoardView) -> Singles:
    """Return gains (3,) under which the empty board is nearly grey on average."""
    mean = view.empty[view.board].mean(axis=0) if view.board.any() else np.ones(3)
    return np.asarray((mean.mean() / np.maximum(mean, 1.0)) ** BALANCE, np.float32)


def _against_board(pixels: Singles, view: BoardView) -> Singles:
    """Return the nats against the empty board, tolerating slight misregistration of its print; constant beyond the
    board."""
    empty = view.empty.astype(np.float32)
    around = np.ones((3, 3), np.uint8)
    change = (cv2.dilate(view.empty, around).astype(np.float32) - cv2.erode(view.empty, around)).max(axis=2)
    noise = NOISE_GREY + PRINT_NOISE * change
    low, high = DEEP_SHADE
    pixels = fill_clipped_channels(pixels, empty, BOARD_SHADE, view.clipped)
    shade = compute_dot_product(pixels, empty) / np.maximum(compute_dot_product(empty, empty), 1.0)
    deep = DEEP_NATS * np.clip((high - shade) / (high - low), 0, 1)
    against = np.minimum(compute_ray_nats(pixels, empty, BOARD_SHADE, noise) + deep, MAX_PLACE_NATS)
    return np.asarray(np.where(view.board, against, 0.4 * MAX_PLACE_NATS), np.float32)


def _against_drawing(view: BoardView) -> Singles:
    """Return the nats (h, w) against the empty board where a lamp's reflection lies over it but not over its drawing.

    Under the reflection a part is as pale as a shadow on the board, but the board's drawing shows through a shadow.
    Such nats make no place certain, so that no paint is measured there.
    """

    def average(layer: Singles) -> Singles:
        return np.asarray(cv2.GaussianBlur(layer, (0, 0), STRAY_MM * PX_MM), np.float32)

    alike = correlate_drawings(extract_drawing(view.seen), extract_drawing(view.empty), average)
    stray = (
        (alike < MIN_ALIKE_CORRELATION)
        & view.board
        & ~(view.clipped[..., 0] | view.clipped[..., 1] | view.clipped[..., 2])
    )
    return np.asarray(
        np.where(stray & (find_brightest_channel(view.find_veil_nearby()) > 0), SURE_BOARD, 0.0), np.float32
    )


@dataclass(frozen=True, slots=True, eq=False)
class _Seeds:
    """Masks (h, w) of the places certainly of one still unnamed paint: everywhere, and in areas that hold only parts.
    The paint is `neutral` if it has no hue."""

    everywhere: Flags
    on_parts: Flags
    neutral: bool


def _find_seeds(pixels: Singles, differs: Flags, looked_at: Flags) -> list[_Seeds]:
    """Return the paints in pixels that are certainly not the board, by hue, with black last."""
    value, least = find_brightest_channel(pixels), find_darkest_channel(pixels)
    hues = cv2.cvtColor(np.clip(pixels, 0, 255).astype(np.uint8), cv2.COLOR_BGR2HSV)[..., 0].astype(np.float32)
    coloured = differs & (value - least > COLOURED * value) & (value - least > GREY_CHROMA)
    chroma = np.where(coloured, value - least, 0).astype(np.float32)
    fit = SEED_MM2 * PX_MM**2
    seeds: list[_Seeds] = []
    dark = differs & (value < BLACK_VALUE) & ~coloured
    for cluster in find_hue_clusters(hues[coloured & looked_at], fit):
        mask = coloured & cluster.select(hues)
        pale = mask & ~_find_coloured_parts(np.where(mask, chroma, 0), mask & looked_at)
        dark |= pale & (value < BLACK_VALUE)
        seeds.append(_Seeds(mask & ~pale, mask & ~pale & looked_at, False))
    return [
        _Seeds(paint.everywhere, opened, paint.neutral)
        for paint in (*seeds, _Seeds(dark, dark & looked_at, True))
        if (opened := _open_narrow(paint.on_parts)).sum() >= fit
    ]


def _find_coloured_parts(chroma: Singles, on_parts: Flags) -> Flags:
    """Return the mask (h, w) of pixels within PART_MM of the full colour of a hue.

    Black parts have a little of the lamp's hue, but no stronger colour beside it.
    """
    full = FULL_CHROMA_SHARE * float(np.percentile(chroma[on_parts], FULL_CHROMA_PERCENTILE))
    wide = np.ones((2 * round(PART_MM * PX_MM) + 1,) * 2, np.uint8)
    return np.asarray(cv2.dilate(_open_narrow(chroma > full).astype(np.uint8), wide) > 0)


def _open_narrow(mask: Flags) -> Flags:
    return np.asarray(cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)) > 0)


def _name_seeds(
    pixels: Singles, view: BoardView, seeds: Sequence[_Seeds], paints: Sequence[Floats]
) -> tuple[dict[str, tuple[Flags, Floats]], list[tuple[dict[str, str], float]]]:
    """Return the places and the paint (3,) by colour, in the game's order, and other ways to name them."""
    hues = [i for i, paint in enumerate(seeds) if not paint.neutral]
    neutral = [i for i, paint in enumerate(seeds) if paint.neutral]
    namings = name_players([paints[i] for i in hues], [paints[i] for i in neutral], load_black_chroma())
    numbers: dict[str, list[int]] = {NEUTRAL_NAME: neutral}
    for i, name in zip(hues, namings[0].names, strict=True):
        if name is not None:
            numbers.setdefault(name, []).append(i)
    named = {
        colour: (
            np.logical_or.reduce([seeds[i].everywhere for i in numbers[colour]]),
            _measure_paint(pixels, view, np.logical_or.reduce([seeds[i].on_parts for i in numbers[colour]])),
        )
        for colour in COLOURS
        if numbers.get(colour)
    }
    return named, list(_list_renames(namings))


def _list_renames(namings: Sequence[Naming]) -> Iterator[tuple[dict[str, str], float]]:
    """Yield alternative names for the named colours, with the probability of each way."""
    chances: dict[tuple[tuple[str, str], ...], float] = {}
    for naming in namings[1:]:
        pairs = zip(namings[0].names, naming.names, strict=True)
        changed = tuple((old, new) for old, new in pairs if old is not None and new is not None and old != new)
        if changed:
            chances[changed] = chances.get(changed, 0.0) + naming.probability
    yield from ((dict(changed), chance) for changed, chance in chances.items())


def _measure_paint(pixels: Singles, view: BoardView, there: Flags) -> Floats:
    """Return the paint (3,) of places, measured without reflections if enough of them are clear."""
    clear = there & (find_brightest_channel(view.veil) == 0)
    return measure_lit_paint(pixels[clear if clear.sum() >= SEED_MM2 * PX_MM**2 else there])
