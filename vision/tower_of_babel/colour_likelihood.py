"""How well each place of a board's view is explained by the empty board, or by a part of each colour.

A painted face under any light is its paint, brighter or darker: a ray of colours from black. The empty board in a
shadow is likewise its own colour, darker. So what a place holds is told by how far its colour lies from those rays. The
paints of a photo are measured on what has one hue and is surely no board, and all of them are named together
(`vision.tower_of_babel.paint_clusters`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from scoring.tower_of_babel.board import COLOURS
from vision.arrays import Flags, Floats, Singles
from vision.tower_of_babel.paint_clusters import NEUTRAL_NAME, Naming, find_hue_clusters, name_players
from vision.tower_of_babel.view import PX_MM, SMOOTH_PX, BoardView

COLOURED = 0.42
"""Saturation from which a hue tells a paint."""
BALANCE = 0.8
"""Of a cast of the enrolled picture: so much of it is taken away before hues are told, for a board has a colour too."""
BLACK_VALUE, GREY_CHROMA = 78.0, 18.0
"""Grey levels: black parts are not lighter; less colour than this is noise."""
NOISE, PRINT_NOISE = 13.0, 0.35
"""Grey levels by which a colour is off, and of how much the print changes within a pixel."""
DEEP_SHADE, DEEP_NATS = (0.48, 0.64), 1.6
"""Shadows on the board are seldom so deep, and never deeper: on dark boards black parts would pass for them."""
VEIL_NOISE = 0.12
"""Of a reflection that was taken away: by so much it was really more or less."""
GLOSS = 9.0
"""Grey levels of white light that a part's faces give back besides: paint shines."""
SHINE, SHINE_NATS = 36.0, 1.3
"""Grey levels that a face gives back which is turned to the lamp, and the nats against a face being so."""
BOARD_SHADE, TOP_SHADE, SIDE_SHADE = (DEEP_SHADE[0], 1.12), (0.55, 1.25), (0.35, 1.06)
"""How bright, of its own colour, the board, a part's roof and its walls are seen: of a roof one slope turns to the
light, one away from it."""
BRIGHT_PERCENTILE = 98
"""Of the shades of what is surely of a paint: few faces are seen brighter than this percentile."""
LIT_SIDE, LIT_NATS = (0.82, 1.0), 1.2
"""Sides turn away from the light: one as bright as a top is unlikely, and by so many nats."""
MOST = 5.0
"""Nats: nothing that one place shows says more."""
SURE_BOARD = 2.5
"""Nats from which a place is surely not the empty board."""
LIKE = 1.0
"""Nats from which a place rather speaks for a colour than for the board."""
UNEXPLAINED = 1.5
"""Nats from which a place does not look like what it is likest to."""
EDGE_MM = 4.0
"""What is narrower and like nothing is the edge of something."""
FULL_CHROMA_PERCENTILE, FULL_CHROMA_SHARE = 85, 0.5
"""Of the differences of channels in what has one hue: a coloured part has at
least this share of this percentile."""
PART_MM = 8.0
"""A wall of a part is no farther than this from where the part shows its full colour."""
SEED_MM2 = 15.0
"""Less of a paint than this on the whole board is none."""


@dataclass(frozen=True, slots=True, eq=False)
class Paints:
    """Nats against each explanation, (h, w): `board`, and by colour a part's `top` and `side`.

    `seeds` (h, w) by colour are the places that are surely of the colour. `renames` are other ways to name the colours,
    as far as they differ from these, each with its probability. `hues` and `neutral` are the (3,) paints that were
    named so, those with a hue in their order round the circle.
    """

    board: Singles
    top: Mapping[str, Singles]
    side: Mapping[str, Singles]
    seeds: Mapping[str, Flags]
    renames: Sequence[tuple[Mapping[str, str], float]] = ()
    hues: Sequence[Floats] = ()
    neutral: Sequence[Floats] = ()

    def find_unexplained(self) -> Flags:
        """Return (h, w) what is neither the empty board nor a part: glare, or paint whose colour no part showed.

        Edges of parts are narrower; what is a little of it lies in the midst of more.
        """
        least = np.minimum.reduce([self.board, *self.top.values(), *self.side.values()])
        narrow, wide = (np.ones((2 * round(mm * PX_MM / 2) + 1,) * 2, np.uint8) for mm in (EDGE_MM, 2 * EDGE_MM))
        opened = cv2.morphologyEx((least > UNEXPLAINED).astype(np.uint8), cv2.MORPH_OPEN, narrow)
        return np.asarray(cv2.dilate(opened, wide) > 0)

    def like(self, colour: str) -> Flags:
        """Return (h, w) what looks rather like a part of the colour than like the board."""
        return np.asarray(self.board - np.minimum(self.top[colour], self.side[colour]) > LIKE)


def fit_paints(view: BoardView, looked_at: Flags) -> Paints:
    """Fit the paints of a view; `looked_at` (h, w) is where nothing but parts lies, for measuring the paints."""
    pixels = cv2.GaussianBlur(view.seen, (0, 0), SMOOTH_PX).astype(np.float32)
    veil = VEIL_NOISE * view.veil if view.veil.any() else None
    board = _against_board(pixels, view, veil)
    shine = np.full(3, GLOSS, np.float32) if veil is None else np.hypot(veil, np.float32(GLOSS))
    seeds_by_hue = _find_seeds(pixels * _balance(view), board > SURE_BOARD, looked_at)
    measured = [_measure_paint(pixels, view, each.on_parts) for each in seeds_by_hue]
    named, renames = _name_seeds(pixels, view, seeds_by_hue, measured)
    top, side = {}, {}
    for colour, (places, paint) in named.items():
        lit = _measure_light(pixels[places & looked_at], paint)
        top_shade, side_shade = ((low, high * lit) for low, high in (TOP_SHADE, SIDE_SHADE))
        on_top, on_side = (_fill_clipped(pixels, paint, shades, view.clipped) for shades in (top_shade, side_shade))
        top[colour] = _against_paint(on_top, paint, top_shade, shine)
        side[colour] = np.minimum(_against_paint(on_side, paint, side_shade, shine) + _too_bright(pixels, paint), MOST)
    seeds = {colour: places for colour, (places, _) in named.items()}
    hues, neutral = (
        [paint for paint, each in zip(measured, seeds_by_hue, strict=True) if each.neutral == is_neutral]
        for is_neutral in (False, True)
    )
    return Paints(board, top, side, seeds, renames, hues, neutral)


def _balance(view: BoardView) -> Singles:
    """(3,) gains under which the empty board is nearly grey, on the whole."""
    mean = view.empty[view.board].mean(axis=0) if view.board.any() else np.ones(3)
    return np.asarray((mean.mean() / np.maximum(mean, 1.0)) ** BALANCE, np.float32)


def _against_board(pixels: Singles, view: BoardView, veil: Singles | None) -> Singles:
    """Nats against the empty board: printed lines may lie a little beside their place. Beyond the board: as on it."""
    empty = view.empty.astype(np.float32)
    around = np.ones((3, 3), np.uint8)
    change = (cv2.dilate(view.empty, around).astype(np.float32) - cv2.erode(view.empty, around)).max(axis=2)
    noise = NOISE + PRINT_NOISE * change
    low, high = DEEP_SHADE
    pixels = _fill_clipped(pixels, empty, BOARD_SHADE, view.clipped)
    shade = _dot(pixels, empty) / np.maximum(_dot(empty, empty), 1.0)
    deep = DEEP_NATS * np.clip((high - shade) / (high - low), 0, 1)
    against = np.minimum(_off_ray(pixels, empty, BOARD_SHADE, noise, veil) + deep, MOST)
    return np.asarray(np.where(view.board, against, 0.4 * MOST), np.float32)


def _against_paint(pixels: Singles, paint: Floats, shades: tuple[float, float], shine: Singles) -> Singles:
    """Nats against a face of a paint, which shines a little, or much if it is turned to the lamp."""
    matt, shining = (_off_ray(pixels, paint, shades, NOISE, light) for light in (shine, shine * (SHINE / GLOSS)))
    return np.asarray(np.minimum(matt, shining + SHINE_NATS))


def _fill_clipped(pixels: Singles, colour: Singles | Floats, shades: tuple[float, float], clipped: Flags) -> Singles:
    """(h, w, 3) pixels with clipped channels as bright as a colour would make them, if that is brighter."""
    there = clipped[..., 0] | clipped[..., 1] | clipped[..., 2]
    if not there.any():
        return pixels
    values, at_end = pixels[there], clipped[there]
    paint = np.broadcast_to(np.asarray(colour, np.float32), pixels.shape)[there]
    known = np.where(at_end, np.float32(0), paint)
    length = _dot(known, known)
    shade = np.where(length > 0, _dot(values, known) / np.maximum(length, 1.0), shades[1])
    expected = np.clip(shade, *shades)[..., None] * paint
    filled = pixels.copy()
    filled[there] = np.where(at_end, np.maximum(values, expected), values)
    return filled


def _dot(one: Singles, other: Singles) -> Singles:
    """The products of the last axis' numbers, summed up."""
    return np.asarray(one @ other if other.ndim == 1 else np.einsum("...c,...c->...", one, other), np.float32)


def _off_ray(
    pixels: Singles, colour: Singles | Floats, shades: tuple[float, float], noise: Singles | float, veil: Singles | None
) -> Singles:
    """(h, w) nats by how far a place lies from a colour at its likeliest shade.

    `veil`, (h, w, 3) or (3,), is by how much white light all the channels may be off together.
    """
    paint = np.asarray(colour, np.float32)
    squares, dot, length = _dot(pixels, pixels), _dot(pixels, paint), _dot(paint, paint)
    if veil is None:
        shade = np.clip(dot / np.maximum(length, 1.0), *shades)
        away = squares - shade * (2 * dot - shade * length)
    else:  # along the veil's own direction a miss counts for less
        less = 1 / (_dot(veil, veil) + np.square(noise))
        seen_along, paint_along = _dot(pixels, veil), _dot(paint, veil)
        shade = (dot - less * seen_along * paint_along) / np.maximum(length - less * paint_along**2, 1.0)
        shade = np.clip(shade, *shades)
        away = squares - shade * (2 * dot - shade * length) - less * (seen_along - shade * paint_along) ** 2
    return np.asarray(np.clip(away / (2 * np.square(noise)), 0, MOST), np.float32)


def _too_bright(pixels: Singles, paint: Floats) -> Singles:
    """(h, w) nats against a side, by how bright it is."""
    shade = pixels @ (paint / max(float(paint @ paint), 1.0)).astype(np.float32)
    low, high = LIT_SIDE
    return np.asarray(LIT_NATS * np.clip((shade - low) / (high - low), 0, 1), np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class _Seeds:
    """(h, w) places that are surely of one paint, whatever it is called, and those of them where nothing but parts
    lies. It is `neutral` where it has no hue."""

    everywhere: Flags
    on_parts: Flags
    neutral: bool


def _find_seeds(pixels: Singles, differs: Flags, looked_at: Flags) -> list[_Seeds]:
    """The paints in what is surely not the board, by hue; black last."""
    value, least = pixels.max(axis=2), pixels.min(axis=2)
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
    """(h, w) what is no farther from the full colour of a hue than a part's walls are from its top: what is black has a
    little of the lamp's hue, but nothing beside it has more."""
    full = FULL_CHROMA_SHARE * float(np.percentile(chroma[on_parts], FULL_CHROMA_PERCENTILE))
    wide = np.ones((2 * round(PART_MM * PX_MM) + 1,) * 2, np.uint8)
    return np.asarray(cv2.dilate(_open_narrow(chroma > full).astype(np.uint8), wide) > 0)


def _open_narrow(mask: Flags) -> Flags:
    return np.asarray(cv2.morphologyEx(mask.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)) > 0)


def _name_seeds(
    pixels: Singles, view: BoardView, seeds: Sequence[_Seeds], paints: Sequence[Floats]
) -> tuple[dict[str, tuple[Flags, Floats]], list[tuple[dict[str, str], float]]]:
    """By colour, in the game's order, the places and the paint (3,); and other ways to name them."""
    hues = [i for i, paint in enumerate(seeds) if not paint.neutral]
    neutral = [i for i, paint in enumerate(seeds) if paint.neutral]
    namings = name_players([paints[i] for i in hues], [paints[i] for i in neutral])
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
    """What the named colours may be called instead, and how likely each way is."""
    chances: dict[tuple[tuple[str, str], ...], float] = {}
    for naming in namings[1:]:
        pairs = zip(namings[0].names, naming.names, strict=True)
        changed = tuple((old, new) for old, new in pairs if old is not None and new is not None and old != new)
        if changed:
            chances[changed] = chances.get(changed, 0.0) + naming.probability
    yield from ((dict(changed), chance) for changed, chance in chances.items())


def _measure_paint(pixels: Singles, view: BoardView, there: Flags) -> Floats:
    """(3,) the paint of places, by those that no reflection lies over, if they are enough."""
    clear = there & ~view.veil.any(axis=2)
    return _paint(pixels[clear if clear.sum() >= SEED_MM2 * PX_MM**2 else there])


def _measure_light(pixels: Singles, paint: Floats) -> float:
    """By how much brighter than `TOP_SHADE` a paint's faces are seen on the photo, at least 1: black ones give back
    white light of the lamp and of what stands beside them, which is much of the little that they give back."""
    shades = pixels @ (paint / max(float(paint @ paint), 1.0)).astype(np.float32)
    return max(1.0, float(np.percentile(shades, BRIGHT_PERCENTILE)) / TOP_SHADE[1]) if len(shades) else 1.0


def _paint(pixels: Singles) -> Floats:
    """(3,) the paint's colour as it is seen on tops: the middle of the brighter half."""
    bright = pixels.sum(axis=1)
    return np.asarray(np.median(pixels[bright >= np.median(bright)], axis=0), np.float64)
