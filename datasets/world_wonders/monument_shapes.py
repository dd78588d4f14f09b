"""The wooden monuments of the project's copy: one shape each, sawn, turned or cut, on the squares of `own_copy`.

No printed copy was available to measure, so sizes and shapes are our own, in the way such pieces are made. A piece is
built about the centre of its rectangle; x runs along its first row.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise

import numpy as np

from datasets.world_wonders.own_copy import MONUMENTS, SQUARE_MM
from datasets.world_wonders.style import MEDLEY_MOTIF, Colour, Style, convert_hsv, mix_colours
from datasets.world_wonders.woodwork import (
    Line,
    Part,
    build_box,
    build_frustum,
    build_heap,
    build_ring,
    build_slab,
    measure_frame,
    saw_part,
)
from vision.arrays import Floats

CLEARANCE_MM = 1.5
"""Difference between a piece's size and that of its squares."""
Paints = tuple[Colour, Colour, Colour]
"""A monument's paint, a paler shade and a darker one."""


def build_monument(name: str, style: Style) -> list[Part]:
    """Build one piece of a monument on the squares of `own_copy.MONUMENTS`, the first square's corner at (0, 0), in
    mm."""
    rng = style.rng(500 + sorted(MONUMENTS).index(name))
    if style.motif == MEDLEY_MOTIF:
        return build_heap(MONUMENTS[name], rng)
    paint = convert_hsv(rng.uniform(0, 180), rng.uniform(20, 190), rng.uniform(80, 230))
    pale = mix_colours(paint, (255, 255, 255), float(rng.uniform(0.1, 0.4)))
    dark = mix_colours(paint, (25, 25, 45), float(rng.uniform(0.25, 0.55)))
    wide, high = measure_frame(MONUMENTS[name])
    parts = _BUILDERS[name]((paint, pale, dark), wide - CLEARANCE_MM, high - CLEARANCE_MM)
    return [part.moved((wide / 2, high / 2)) for part in parts]


def _build_lighthouse(paints: Paints, w: float, h: float) -> list[Part]:
    paint, pale, dark = paints
    square, less = build_ring(13, 4), build_ring(11, 4)
    octagon, narrow = build_ring(9, 8), build_ring(7.5, 8)
    drum, tip = build_ring(6, 16), build_ring(0.6, 16)
    levels = [
        (square, less, 10.0, paint),
        (octagon, narrow, 9.0, pale),
        (drum, drum, 7.0, paint),
        (drum, tip, 4.0, dark),
    ]
    return _stack(levels)


def _build_obelisks(paints: Paints, w: float, h: float) -> list[Part]:
    paint, _, dark = paints
    profile = [(-6, 0), (6, 0), (6, 3), (3.4, 3), (2.4, 23), (0, 28), (-2.4, 23), (-3.4, 3), (-6, 3)]
    signs = [[(-1.2, z), (1.2, z + 1.2)] for z in (6, 10, 14, 18)]
    return [saw_part(profile, 8, paint, signs, ink=dark)]


def _build_moai(paints: Paints, w: float, h: float) -> list[Part]:
    paint, _, dark = paints
    profile = [
        (-5.5, 0),
        (5, 0),
        (4.5, 7),
        (6.8, 10),
        (4.6, 12.5),
        (5.6, 17),
        (4.4, 22),
        (-3.2, 23),
        (-5.4, 18),
        (-4, 8),
    ]
    return [saw_part(profile, 10, paint, ([(1.5, 16), (4.4, 16)], [(2, 9), (5, 9.4)]), ink=dark)]


def _build_thien_mu(paints: Paints, w: float, h: float) -> list[Part]:
    paint, _, dark = paints
    right = [(6.8, 0.0), (6.8, 2.0)]
    for level in range(5):
        half, z = 5.6 - 0.7 * level, 2 + 5.2 * level
        right += [(half - 0.8, z), (half - 0.8, z + 3.6), (half + 1.2, z + 4.2), (half - 0.6, z + 5.2)]
    outline = [*right, (0.5, 32), *((-x, z) for x, z in reversed(right))]
    return [saw_part(outline, 11, paint, [[(-1.2, 3 + 5.2 * n), (1.2, 3 + 5.2 * n)] for n in range(5)], ink=dark)]


def _build_trojan_horse(paints: Paints, w: float, h: float) -> list[Part]:
    paint, pale, dark = paints
    profile: list[tuple[float, float]]
    profile = [(-15, 0), (-11, 0), (-10, 8), (3, 8), (4, 0), (8, 0), (8, 9), (9, 14), (15, 15), (16, 18), (11, 23)]
    profile += [(8.5, 26), (7, 22.5), (2, 15.5), (-12, 16), (-15, 12)]
    planks = [[(-11, 10 + 2 * n), (6, 10 + 2 * n)] for n in range(3)]
    return [saw_part(profile, 10, paint, planks, ink=dark), build_slab(build_box(w, 3), (0, 2), pale)]


def _build_ishtar_gate(paints: Paints, w: float, h: float) -> list[Part]:
    paint, _, dark = paints
    left = [
        (-16.5, 0),
        (-16.5, 20),
        (-14, 20),
        (-14, 18),
        (-11.5, 18),
        (-11.5, 20),
        (-9, 20),
        (-9, 15),
        (-4, 15),
        (-4, 17),
    ]
    arch = [(4.5, 0), (4.5, 7), (2.5, 10.5), (0, 11.5), (-2.5, 10.5), (-4.5, 7), (-4.5, 0)]
    outline = [
        *((-x, z) for x, z in left),
        (1.5, 17),
        (1.5, 15),
        (-1.5, 15),
        (-1.5, 17),
        *reversed(left),
        *reversed(arch),
    ]
    beasts = [[(side * 13, z), (side * 8, z)] for side in (1, -1) for z in (5, 9, 13)]
    return [saw_part(outline, 13, paint, beasts, ink=dark)]


def _build_petra(paints: Paints, w: float, h: float) -> list[Part]:
    paint, _, dark = paints
    profile = [
        (-16, 0),
        (16, 0),
        (16, 12),
        (11, 12),
        (11, 18),
        (5, 20.5),
        (3.2, 18.5),
        (0, 24),
        (-3.2, 18.5),
        (-5, 20.5),
    ]
    columns = [[(x, 1), (x, 10)] for x in (-13, -8, -3, 3, 8, 13)]
    return [
        saw_part([*profile, (-11, 18), (-11, 12), (-16, 12)], 12, paint, [*columns, [(-16, 11), (16, 11)]], ink=dark)
    ]


def _build_shitenno_ji(paints: Paints, w: float, h: float) -> list[Part]:
    paint, _, dark = paints
    profile = [(-16, 0), (16, 0), (16, 2), (13.5, 2), (13.5, 8), (16.5, 9), (9, 14), (1, 9.5), (-1, 9.5), (-3.5, 8)]
    profile += [(-3.5, 13), (-1.5, 14), (-4.5, 15.5), (-4.5, 19), (-3, 20), (-8, 27)]
    profile += [(-13, 20), (-11.5, 19), (-11.5, 15.5), (-14.5, 14), (-12.5, 13), (-12.5, 2), (-16, 2)]
    return [saw_part(profile, 12, paint, ([(-11, 8), (-5, 8)], [(3, 4), (11, 4)], [(-10, 17), (-6, 17)]), ink=dark)]


def _build_great_wall(paints: Paints, w: float, h: float) -> list[Part]:
    paint, _, dark = paints
    half, top = w / 2, [*_crenellate(-18, 18, 9, 3)]
    tower_left = [(-half, 0), (-half, 17), (-half + 4, 17), (-half + 4, 14.5), (-half + 7, 14.5), (-half + 7, 17)]
    outline = [*tower_left, (-half + 9, 17), (-half + 9, 9), *top]
    outline += [(half - 9, 9), (half - 9, 17), (half - 7, 17), (half - 7, 14.5), (half - 4, 14.5), (half - 4, 17)]
    courses = [[(-half + 1, z), (half - 1, z)] for z in (3, 6)]
    return [saw_part([*outline, (half, 17), (half, 0)], 10, paint, courses, ink=dark)]


def _build_roman_bridge(paints: Paints, w: float, h: float) -> list[Part]:
    paint, _, dark = paints
    half = w / 2
    top = [(half, 5), (half / 2, 10), (0, 12), (-half / 2, 10), (-half, 5)]
    outline = [(-half, 0), *_arch(-11, 13, 7), *_arch(11, 13, 7), (half, 0), *top]
    return [saw_part(outline, 14, paint, ([(-half / 2, 9), (0, 10.6), (half / 2, 9)],), ink=dark)]


def _build_aqueduct(paints: Paints, w: float, h: float) -> list[Part]:
    paint, _, dark = paints
    half, step = w / 2, w / 4
    arches = [corner for n in range(4) for corner in _arch(-half + step * (n + 0.5), step - 4, 11)]
    windows = [[(-half + 2 + n * step / 2, 15), (-half + 4.5 + n * step / 2, 15)] for n in range(8)]
    return [saw_part([(-half, 0), *arches, (half, 0), (half, 19), (-half, 19)], 9, paint, windows, ink=dark)]


def _build_hippodrome(paints: Paints, w: float, h: float) -> list[Part]:
    paint, pale, dark = paints
    ends = np.linspace(-np.pi / 2, np.pi / 2, 9)
    half = w / 2 - h / 2
    right = np.stack([half + np.cos(ends) * h / 2, np.sin(ends) * h / 2], 1)
    outline = np.vstack([right, -right])
    less = outline * (0.93, 0.55)
    spine = [
        build_slab(build_box(w / 2, 1.6), (8, 9.5), dark, 0.0),
        build_slab(build_box(2, 2, w / 6), (9, 12), pale, 0.0),
    ]
    return [build_frustum(outline, outline * 0.96, (0, 8), paint), build_slab(less, (8, 8.2), pale, 0.0), *spine]


def _build_theater(paints: Paints, w: float, h: float) -> list[Part]:
    paint, pale, dark = paints
    inner = SQUARE_MM / 2 - CLEARANCE_MM / 2
    outline = np.array([(-w / 2, -h / 2), (w / 2, -h / 2), (w / 2, 0), (0, 0), (0, h / 2), (-w / 2, h / 2)]) - (
        0.4,
        0.4,
    )
    seats = [_lay_steps(outline, inner * share) for share in (0.35, 0.7)]
    levels = [(outline, (0.0, 7.0), paint), (seats[0], (7.0, 10.0), pale), (seats[1], (10.0, 13.0), dark)]
    return [build_slab(each, z, colour, 0.6) for each, z, colour in levels]


def _lay_steps(outline: Floats, by: float) -> Floats:
    """Return a narrower L along the same outer sides, with the inner sides moved by `by`."""
    narrowed = outline.copy()
    narrowed[2, 1] -= by
    narrowed[3] -= by
    narrowed[4, 0] -= by
    return narrowed


def _build_machu_picchu(paints: Paints, w: float, h: float) -> list[Part]:
    paint, pale, dark = paints
    s = SQUARE_MM
    outline = np.array([(0, 0), (3 * s, 0), (3 * s, s), (s, s), (s, 2 * s), (0, 2 * s)]) - (1.5 * s, s)
    outline = outline + np.array([(1, 1), (-1, 1), (-1, -1), (-1, -1), (-1, -1), (1, -1)]) * CLEARANCE_MM / 2
    peak = [(-13, 10), (13, 10), (6, 17), (3, 16), (-3, 27), (-9, 15)]
    return [
        build_slab(outline, (0, 6), paint),
        build_slab(build_box(2.7 * s, 0.75 * s, 0, -s / 2), (6, 10), pale),
        saw_part(peak, 8, dark, y=-s / 2),
        build_slab(build_box(0.6 * s, 0.6 * s, -s, s / 2), (6, 9), pale),
    ]


def _build_giza(paints: Paints, w: float, h: float) -> list[Part]:
    paint, pale, dark = paints
    parts = [build_slab(build_box(w, h), (0, 2), dark)]
    for size, x, y, colour in ((21, -6, -6, paint), (17, 7.5, 6, pale), (10, -9, 10.5, paint)):
        parts.append(
            build_frustum(build_box(size, size, x, y), build_box(0.5, 0.5, x, y), (2, 2 + 0.85 * size), colour)
        )
    return parts


def _build_ziggurat(paints: Paints, w: float, h: float) -> list[Part]:
    paint, pale, dark = paints
    steps = [build_box(w * s, h * s) for s in (1, 0.74, 0.48)]
    ramp = build_frustum(build_box(6, h * 0.5, 0, h * 0.25), build_box(6, 2, 0, h * 0.14), (0.0, 14.0), dark)
    return [
        *_stack([(step, step * 0.95, 6.0, colour) for step, colour in zip(steps, (paint, pale, paint), strict=True)]),
        ramp,
    ]


def _build_chichen_itza(paints: Paints, w: float, h: float) -> list[Part]:
    paint, pale, dark = paints
    half = w / 2
    stairs = [corner for n in range(5) for corner in ((half - 2.6 * n, 3.4 * n), (half - 2.6 * n, 3.4 * (n + 1)))]
    outline = [*stairs, *((-x, z) for x, z in reversed(stairs))]
    temple = build_slab(build_box(9, 11), (17, 23), pale)
    return [saw_part(outline, h * 0.9, paint, [[(-2.5, 1), (-2.5, 16)], [(2.5, 1), (2.5, 16)]], ink=dark), temple]


def _build_parthenon(paints: Paints, w: float, h: float) -> list[Part]:
    paint, pale, dark = paints
    gable = np.array([(-h / 2, 14.0), (h / 2, 14.0), (0, 22.0)])
    ends = [np.column_stack([np.full(3, x), gable]) for x in (w / 2 - 1, 1 - w / 2)]
    roof = Part(ends[0], ends[1], dark)
    columns = [
        build_frustum(build_ring(4.2, 12) + at, build_ring(3.6, 12) + at, (3, 12), pale)
        for x in np.linspace(-w / 2 + 4, w / 2 - 4, 5)
        for at in ((float(x), h / 2 - 4), (float(x), 4 - h / 2))
    ]
    inside = build_slab(build_box(w - 12, h - 14), (3, 12), dark)
    return [
        build_slab(build_box(w, h), (0, 3), paint),
        inside,
        *columns,
        build_slab(build_box(w - 2, h - 2), (12, 14), paint),
        roof,
    ]


def _build_angkor_wat(paints: Paints, w: float, h: float) -> list[Part]:
    paint, pale, dark = paints
    towers = []
    for x, high in ((-20, 15), (-10, 19), (0, 26), (10, 19), (20, 15)):
        towers += [
            (x - 4, 8),
            (x - 4, high - 6),
            (x - 2.2, high - 2),
            (x, high),
            (x + 2.2, high - 2),
            (x + 4, high - 6),
            (x + 4, 8),
        ]
    front = saw_part([(-25, 3), *towers, (25, 3)], 12, paint, [[(-24, 6), (24, 6)]], ink=dark)
    return [
        build_slab(build_box(w, h), (0, 3), pale),
        front,
        build_slab(build_box(w * 0.9, 4, 0, h / 2 - 4), (3, 7), dark),
    ]


def _build_colosseum(paints: Paints, w: float, h: float) -> list[Part]:
    paint, pale, dark = paints
    rings = [build_ring(w * s, 24, h * s) for s in (1, 0.94, 0.9, 0.62, 0.55)]
    levels = [(rings[0], rings[1], 7.0, paint), (rings[1], rings[2], 7.0, pale)]
    return [*_stack(levels), build_frustum(rings[3], rings[4], (14, 14.3), dark)]


def _build_carthage(paints: Paints, w: float, h: float) -> list[Part]:
    paint, pale, dark = paints
    rings = [build_ring(width, 24) for width in (w, w * 0.72, w * 0.42)]
    levels = [(rings[0], (0.0, 7.0), paint), (rings[1], (7.0, 7.2), dark), (rings[2], (7.2, 13.0), pale)]
    return [build_frustum(ring, ring, z, colour) for ring, z, colour in levels]


def _stack(levels: list[tuple[Floats, Floats, float, Colour]]) -> list[Part]:
    ends = np.cumsum([0.0, *(high for _, _, high, _ in levels)]).tolist()
    return [
        build_frustum(low, high, (z, top), colour)
        for (low, high, _, colour), (z, top) in zip(levels, pairwise(ends), strict=True)
    ]


def _arch(x: float, wide: float, high: float) -> Line:
    """Return the corners of an opening in a profile's foot, from left to right."""
    angles = np.linspace(np.pi, 0, 6)
    rise = min(high, wide / 2)
    round_part = [(x + float(np.cos(a)) * wide / 2, high - rise + float(np.sin(a)) * rise) for a in angles]
    return [(x - wide / 2, 0.0), *round_part, (x + wide / 2, 0.0)]


def _crenellate(left: float, right: float, low: float, deep: float) -> Line:
    """Return battlements from left to right with notches of depth `deep`."""
    edges = np.linspace(left, right, 10).tolist()
    return [
        corner
        for n, (a, b) in enumerate(pairwise(edges))
        for z in (low + deep * (n % 2),)
        for corner in ((a, z), (b, z))
    ]


_BUILDERS: Mapping[str, Callable[[Paints, float, float], list[Part]]] = {
    "lighthouse": _build_lighthouse,
    "obelisks": _build_obelisks,
    "moai": _build_moai,
    "thien-mu": _build_thien_mu,
    "trojan-horse": _build_trojan_horse,
    "ishtar-gate": _build_ishtar_gate,
    "petra": _build_petra,
    "shitenno-ji": _build_shitenno_ji,
    "great-wall": _build_great_wall,
    "roman-bridge": _build_roman_bridge,
    "aqueduct": _build_aqueduct,
    "hippodrome": _build_hippodrome,
    "theater": _build_theater,
    "machu-picchu": _build_machu_picchu,
    "giza": _build_giza,
    "ziggurat": _build_ziggurat,
    "chichen-itza": _build_chichen_itza,
    "parthenon": _build_parthenon,
    "angkor-wat": _build_angkor_wat,
    "colosseum": _build_colosseum,
    "carthage": _build_carthage,
}
