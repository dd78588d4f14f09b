"""Alignment of a quad's sides in a photo with the edges of a board or a bank card.

A board is surrounded by its table, and its own print has lines, some of them less than 1 mm from the edge and stronger
than it. The edge is therefore the outermost line that is not part of the table: along the whole side the photo changes
as the table beside it hardly ever does, and beyond the corners it does not. The rarity of a change is measured in nats,
from the share of changes on the table just outside that are at least as sharp (`list_lines`).

A board has one border all around, from its edge to the adjacent printed line. If some sides show its width, a faint
edge is recognised by its position on the others (`choose_edges`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache

import cv2
import numpy as np

from scoring.calibration import load_weights
from vision.arrays import Flags, Floats, Image, Ints, Singles
from vision.showing.outlines import load_shape_rules

REACH_SHARE, MIN_REACH_PX = 0.02, 10.0
"""Search range around a side as a share of the quad's longest side, with a minimum in pixels: three times a finger's
error. A guess."""
CLOSER = 3
"""Factor by which the search range shrinks in the second pass. A guess."""
SIDE_POINTS = 60
"""Number of points along a side. Bounds time."""
CARD_MM, CARD_RADIUS_MM = (85.6, 53.98), 3.18
"""Sides of a bank card in millimetres, and the radius of its corners. Geometry of the piece (ISO/IEC 7810, ID-1)."""
SIDE_SHARES = (CARD_RADIUS_MM / CARD_MM[1], 1 - CARD_RADIUS_MM / CARD_MM[1])
"""Range of shares of a side that they cover, since a card's corners are round."""
BEYOND_POINTS = 12
"""Number of points beyond each end. Bounds time."""
BEYOND_PX = (4.0, 60.0)
"""Range of their distances from the end. A guess."""
STEP_PX = 0.5
"""Sampling step of profiles across a side. Bounds time."""
ALONG_PX = 9
"""Number of pixels along a side that a profile averages. A guess."""
CREST_PX = 2.0
"""Distance on either side over which a line must be sharper than its surroundings, which a shadow's gradient is not. A
guess."""
TABLE_PX, MIN_TABLE_POINTS = 24.0, 200
"""Maximum distance of the table outside a line that it is compared with, and the minimum number of points there. A
guess."""
MAX_LINES = 8
"""Maximum number of lines near a side. Bounds time."""
CREST_WIDTH_PX = 3.5
"""Maximum half width of a crest: beyond it is the table outside, or the area inside. A guess."""
MISFITS_PX = (1.5, 1.0, 1.0)
"""Maximum distance of points from a rough line, for each round of fitting. A guess."""
WHERE = np.linspace(0, 1, SIDE_POINTS)
"""Positions of the points (60,) from a side's first to its last."""


@dataclass(frozen=True, slots=True, eq=False)
class _Profiles:
    """Sharpness of the photo's changes (points, places) across a side, where it exceeds the surroundings, else 0.

    `shares` (points,) are positions along the side, including those beyond its ends, `seen` (points, places) masks the
    photo, and `colours` (points, places, 3) are its colours. The first place is `first_px` outside the side.
    """

    crests: Singles
    seen: Flags
    colours: Singles
    shares: Floats
    first_px: float

    @property
    def inner(self) -> slice:
        """The points of the side itself."""
        return slice(BEYOND_POINTS, -BEYOND_POINTS)


def refine_corners(photo: Image, corners: Floats, weights: EdgeWeights | None) -> Floats:
    """Move the (4, 2) corners of a quad so that its sides coincide with lines in a photo (h, w, 3) close to them.

    With weights, these are the board's edges; if the weights are None, the sharpest line near each side. A side without
    a line stays where it is. A second pass searches a smaller range.
    """
    longest = float(np.linalg.norm(corners - np.roll(corners, -1, axis=0), axis=1).max())
    reach = max(REACH_SHARE * longest, MIN_REACH_PX)
    return _move_sides(photo, _move_sides(photo, corners, reach, weights), reach / CLOSER, weights)


def _move_sides(photo: Image, corners: Floats, reach: float, weights: EdgeWeights | None) -> Floats:
    sides = [list(list_lines(photo, corners[i], corners[(i + 1) % 4], reach)) for i in range(4)]
    chosen = [choose_line(side, None) for side in sides] if weights is None else choose_edges(sides, weights)
    lines = [_move_side(corners[i], corners[(i + 1) % 4], line) for i, line in enumerate(chosen)]
    moved = np.array([_cross(lines[i - 1], lines[i]) for i in range(4)])
    near = np.linalg.norm(moved - corners, axis=1).max() < 4 * reach
    return moved if np.isfinite(moved).all() and near else corners


def _move_side(first: Floats, last: Floats, line: SideLine | None) -> tuple[Floats, Floats]:
    """Return two points of the line along a side, or of the side itself if there is none."""
    if line is None:
        return first, last
    out = _point_out(first, last)
    return first + line.offsets[0] * out, last + line.offsets[1] * out


def list_lines(photo: Image, first: Floats, last: Floats, reach: float) -> Iterator[SideLine]:
    """List the lines within `reach` pixels of a side from one corner to the next, clockwise, the sharpest first.

    No two of them cross.
    """
    profiles = _take_profiles(photo, first, last, reach)
    lines = list[tuple[float, float]]()
    for rough in _find_rough_lines(profiles.crests[profiles.inner], round(2 * reach / STEP_PX)):
        ends = _fit_ends(profiles.crests[profiles.inner], rough)
        if all((ends[0] - a) * (ends[1] - b) > 0 for a, b in lines):
            lines.append(ends)
    sharpness = _widen(profiles.crests)
    on_table = [ends for ends in lines if _runs_on(profiles, sharpness, ends)]
    for ends in lines:
        surprise = _measure_surprise(profiles, sharpness, ends, on_table)
        if surprise is not None:
            steepness = (ends[1] - ends[0]) / (SIDE_SHARES[1] - SIDE_SHARES[0])
            corner = ends[0] - steepness * SIDE_SHARES[0]
            offsets = profiles.first_px + STEP_PX * corner, profiles.first_px + STEP_PX * (corner + steepness)
            yield SideLine(offsets, surprise, _see_within(profiles, ends))


def _point_out(first: Floats, last: Floats) -> Floats:
    along = (last - first) / max(float(np.linalg.norm(last - first)), 1e-9)
    return np.array([along[1], -along[0]])


def _take_profiles(photo: Image, first: Floats, last: Floats, reach: float) -> _Profiles:
    """Sample the profiles from the start of the search range to the table beside the outermost possible line."""
    way = last - first
    length = max(float(np.linalg.norm(way)), 1.0)
    beyond = (reach + np.linspace(*BEYOND_PX, BEYOND_POINTS)) / length
    shares = np.concatenate([-beyond[::-1], np.linspace(*SIDE_SHARES, SIDE_POINTS), 1 + beyond])
    offsets = np.arange(-reach, reach + CREST_WIDTH_PX + TABLE_PX, STEP_PX)
    aside = (np.arange(ALONG_PX) - ALONG_PX // 2) / length
    points = first + (shares[:, None] + aside)[..., None] * way
    places = points[:, :, None] + offsets[:, None] * _point_out(first, last)
    inside = (places >= 0.5) & (places <= np.array(photo.shape[1::-1]) - 0.5)
    visible = np.asarray(inside.all(axis=(1, 3)), np.bool_)
    maps = (places.reshape(-1, len(offsets), 2) - 0.5).astype(np.float32)
    remapped = cv2.remap(photo, maps[..., 0], maps[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    means = remapped.reshape(len(shares), ALONG_PX, len(offsets), 3).mean(axis=1, dtype=np.float32)
    changes = np.gradient(cv2.GaussianBlur(means, (5, 1), 1.0), axis=1)
    return _Profiles(_find_crests(np.linalg.norm(changes, axis=2)), visible, means, shares, float(offsets[0]))


def _find_crests(strength: Singles) -> Singles:
    """Return the excess (points, places) of each place over the mean of those on either side."""
    aside = round(CREST_PX / STEP_PX)
    padded = np.pad(strength, ((0, 0), (aside, aside)), mode="edge")
    return np.asarray(np.maximum(strength - (padded[:, : -2 * aside] + padded[:, 2 * aside :]) / 2, 0), np.float32)


def _find_rough_lines(crests: Singles, places: int) -> Iterator[tuple[int, int]]:
    """Yield both ends of the lines with the rarest crests, the rarest first, removing each line's crests."""
    ranks = np.argsort(np.argsort(crests, axis=None)).reshape(crests.shape)
    left = np.asarray(np.where(crests > 0, -np.log(1 - (ranks + 0.5) / crests.size), 0), np.float32)
    ends = np.arange(min(places + 1, crests.shape[1]))
    one, other = (end.ravel() for end in np.meshgrid(ends, ends, indexing="ij"))
    one, other = (end[np.abs(one - other) <= places / 2] for end in (one, other))
    at = np.rint(one[:, None] * (1 - WHERE) + other[:, None] * WHERE).astype(np.int32)
    rows = np.arange(SIDE_POINTS)
    for _ in range(MAX_LINES):
        sums = _widen(left)[rows, at].sum(axis=1)
        best = int(sums.argmax())
        if sums[best] <= 0:
            return
        yield int(one[best]), int(other[best])
        _clear_crests(left, crests, at[best])


def _widen(values: Singles) -> Singles:
    """Return the maximum (points, places) of each place and its neighbours, since lines are not quite straight."""
    return np.asarray(cv2.dilate(values, np.ones((1, 3), np.uint8)), np.float32)


def _clear_crests(left: Singles, crests: Singles, line: Ints) -> None:
    """Remove a line's crests at each of its points."""
    rows, surely = np.arange(len(line)), round(MISFITS_PX[1] / STEP_PX)
    for way in (-1, 1):
        belongs = np.ones(len(line), bool)
        for step in range(round(CREST_WIDTH_PX / STEP_PX) + 1):
            place = np.clip(line + way * step, 0, left.shape[1] - 1)
            if step > surely:
                belongs &= crests[rows, place] > 0
            left[rows[belongs], place[belongs]] = 0


def _fit_ends(crests: Singles, rough: tuple[int, int]) -> tuple[float, float]:
    """Return both ends of the line fitted to the crest maxima near a rough one, with subpixel accuracy by parabolas."""
    low, middle, high = crests[:, :-2], crests[:, 1:-1], crests[:, 2:]
    rows, places = np.nonzero((middle >= low) & (middle > high))
    heights = middle[rows, places]
    fraction = 0.5 * (high - low)[rows, places] / np.maximum((2 * middle - low - high)[rows, places], 1e-6)
    at, where = places + 1 + fraction, WHERE[rows]
    weights = np.sqrt(heights / max(float(np.median(heights)), 1e-6)) if len(heights) else heights
    line = np.array([rough[1] - rough[0], rough[0]], np.float64)
    for misfit in MISFITS_PX:
        near = np.abs(at - np.polyval(line, where)) < misfit / STEP_PX
        if len(np.unique(rows[near])) > 2:
            line = np.asarray(np.polyfit(where[near], at[near], 1, w=np.minimum(weights[near], 2)), np.float64)
    return float(line[1]), float(line[0] + line[1])


def _locate(profiles: _Profiles, ends: tuple[float, float]) -> tuple[Ints, Flags]:
    """Return the place of a line at each point (points,), and whether the photo shows it there."""
    where = (profiles.shares - SIDE_SHARES[0]) / (SIDE_SHARES[1] - SIDE_SHARES[0])
    line = np.rint(ends[0] + (ends[1] - ends[0]) * where).astype(np.int64)
    place = np.clip(line, 0, profiles.crests.shape[1] - 1)
    return place, np.asarray((place == line) & profiles.seen[np.arange(len(line)), place])


def _list_parts(values: Floats, is_seen: Flags) -> list[Floats]:
    """Return the visible values beyond either end, (n,) each, leaving out ends without any."""
    parts = [slice(BEYOND_POINTS), slice(-BEYOND_POINTS, None)]
    return [values[part][is_seen[part]] for part in parts if is_seen[part].any()]


def _see_within(profiles: _Profiles, ends: tuple[float, float]) -> Floats:
    """Return the median colour (3,) inside a line."""
    place = _locate(profiles, ends)[0][profiles.inner]
    steps = np.arange(1, round(CREST_WIDTH_PX / STEP_PX)) + 1
    within = np.clip(place[:, None] - steps, 0, profiles.colours.shape[1] - 1)
    colours = profiles.colours[profiles.inner][np.arange(len(place))[:, None], within]
    return np.asarray(np.median(colours, axis=(0, 1)), np.float64)


def _runs_on(profiles: _Profiles, sharpness: Singles, ends: tuple[float, float]) -> bool:
    """Return whether a line is about as sharp beyond both corners, which makes it part of the table."""
    place, is_seen = _locate(profiles, ends)
    along = sharpness[np.arange(len(place)), place].astype(np.float64)
    inner = along[profiles.inner][is_seen[profiles.inner]]
    beyond = [float(np.median(part)) for part in _list_parts(along, is_seen)]
    return bool(beyond and len(inner) and min(beyond) > load_shape_rules("side")["run_on"] * np.median(inner))


def _measure_surprise(
    profiles: _Profiles, sharpness: Singles, ends: tuple[float, float], on_table: Sequence[tuple[float, float]]
) -> float | None:
    """Return by how many nats a line's crests are rarer than those of the table outside it.

    The line's continuation beyond both ends is subtracted. Returns None if too little of the table is visible. Lines on
    the table are excluded from the comparison; they are recognised by their continuation.
    """
    place, is_seen = _locate(profiles, ends)
    rows, places = np.arange(len(place)), np.arange(sharpness.shape[1])
    outside = (places - place[:, None]) * STEP_PX
    is_table = (outside > CREST_WIDTH_PX) & (outside <= TABLE_PX) & profiles.seen
    for other in on_table:
        is_table &= np.abs(places - _locate(profiles, other)[0][:, None]) * STEP_PX > CREST_WIDTH_PX
    table = np.sort(sharpness[profiles.inner][is_table[profiles.inner]])
    if len(table) < MIN_TABLE_POINTS:
        return None
    sharper = 1 - np.searchsorted(table, sharpness[rows, place]) / len(table)
    nats = -np.log(np.maximum(sharper, 0.5 / len(table)))
    inner = nats[profiles.inner][is_seen[profiles.inner]]
    if not len(inner):
        return None
    return float(inner.mean()) - max(
        0.0, min((float(part.mean()) for part in _list_parts(nats, is_seen)), default=1.0) - 1
    )


def _cross(one: tuple[Floats, Floats], other: tuple[Floats, Floats]) -> Floats:
    """Return the intersection of two lines, not finite if they are parallel."""
    (a, b), (c, d) = one, other
    ab, cd = b - a, d - c
    turn = ab[0] * cd[1] - ab[1] * cd[0]
    if abs(turn) < 1e-9:
        return np.full(2, np.inf)
    share = ((c[0] - a[0]) * cd[1] - (c[1] - a[1]) * cd[0]) / turn
    return np.asarray(a + share * ab)


SAME_WIDTH_PX = 1.5
"""Maximum difference of widths of the same border, which is seen in perspective. A guess."""


@dataclass(frozen=True, slots=True)
class EdgeWeights:
    """Thresholds for a board's edge, in nats, fitted by `python -m models.calibration.boards`.

    A line that is rarer than the table's by `surprise` nats is an edge by itself. A line above `table` is one together
    with the edges of other sides that have the same distance from the print.
    """

    surprise: float
    table: float


@cache
def load_edge_weights() -> EdgeWeights:
    """Load the weights; raises ScoringError as `load_weights` does."""
    row = load_weights("boards", "edges")["board"]
    return EdgeWeights(float(row["surprise"]), float(row["table"]))


@dataclass(frozen=True, slots=True, eq=False)
class SideLine:
    """A line near a side: `offsets` pixels outside its two corners, and `surprise`, its rarity on the table in nats.

    `within` (3,) is the colour inside it.
    """

    offsets: tuple[float, float]
    surprise: float
    within: Floats

    @property
    def middle(self) -> float:
        """Mean distance outside the side."""
        return sum(self.offsets) / 2


@dataclass(frozen=True, slots=True, eq=False)
class _Border:
    """A candidate for a board's border on one side: from its edge to the adjacent printed line."""

    edge: SideLine
    print: SideLine

    @property
    def width(self) -> float:
        return self.edge.middle - self.print.middle

    @property
    def parallel_edge(self) -> SideLine:
        """The edge in the direction of the printed line: a faint one is seen on parts of its side only."""
        first, last = (offset + self.width for offset in self.print.offsets)
        return replace(self.edge, offsets=(first, last))


def choose_line(lines: Sequence[SideLine], least_surprise: float | None) -> SideLine | None:
    """Choose the outermost of a side's lines with `least_surprise`, else the one with the most if it has half of that.

    If `least_surprise` is None, choose the sharpest line, which is the first. Returns None if there is none.
    """
    if least_surprise is None:
        return lines[0] if lines else None
    good = [line for line in lines if line.surprise >= least_surprise]
    if good:
        return max(good, key=lambda line: line.middle)
    best = max(lines, key=lambda line: line.surprise, default=None)
    return None if best is None or best.surprise < least_surprise / 2 else best


def choose_edges(sides: Sequence[Sequence[SideLine]], weights: EdgeWeights) -> list[SideLine | None]:
    """Choose the edge of each of a board's sides from its lines; None for a side without one."""
    lines = [choose_line(side, weights.surprise) for side in sides]
    borders = [list(_list_borders(*pair, weights)) for pair in zip(sides, lines, strict=True)]
    found_borders = _find_border(borders, weights)
    surplus = sum(border.edge.surprise - weights.table for border in found_borders if border)
    if surplus < weights.surprise - weights.table:
        return lines
    return [
        _take_edge(*each, found_borders[:i] + found_borders[i + 1 :])
        for i, each in enumerate(zip(lines, found_borders, strict=True))
    ]


def _list_borders(side: Sequence[SideLine], line: SideLine | None, weights: EdgeWeights) -> Iterator[_Border]:
    """Yield the borders that a side's line may belong to: as its edge, or as the printed line next to a fainter
    edge."""
    if line is None:
        return
    printed = [other for other in side if other.middle < line.middle and other.surprise > weights.table]
    if printed:
        yield _Border(line, max(printed, key=lambda other: other.middle))
    for other in side:
        if other.middle > line.middle and other.surprise > weights.table:
            yield _Border(other, line)


def _find_border(borders: Sequence[Sequence[_Border]], weights: EdgeWeights) -> list[_Border | None]:
    """Return the border of the best supported width, on each side that shows it."""
    best: list[_Border | None] = [None] * len(borders)
    most = 0.0
    for width in (border.width for side in borders for border in side):
        alike = [[each for each in side if abs(each.width - width) <= SAME_WIDTH_PX] for side in borders]
        chosen: list[_Border | None] = [side[0] if side else None for side in alike]
        surplus = sum(border.edge.surprise - weights.table for border in chosen if border)
        if surplus > most:
            best, most = chosen, surplus
    return best


def _take_edge(line: SideLine | None, border: _Border | None, others: Sequence[_Border | None]) -> SideLine | None:
    """Return a side's edge: its line, or a fainter one if the line is the printed one next to the edge.

    The colour inside it, compared with that on other sides, decides.
    """
    if line is None or border is None or border.edge is line:
        return line
    known = [each for each in others if each is not None]
    if not known:
        return border.parallel_edge
    to_edge, to_print = (
        float(np.mean([np.linalg.norm(line.within - one.within) for one in lines]))
        for lines in ([each.edge for each in known], [each.print for each in known])
    )
    return line if to_edge <= to_print else border.parallel_edge
