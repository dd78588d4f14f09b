"""Placement of a dealt table's objects as by hand: houses in their areas, discs, counters, marker and columns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from shapely import Polygon, box

from datasets.scene.pieces import COLOURS
from datasets.tower_of_babel.deal import Deal
from datasets.tower_of_babel.plan import (
    COLUMN_MM,
    DISC_RADIUS_MM,
    LARGE_MM,
    MARKER_MM,
    SIZE_MM,
    SMALL_MM,
    TRACK_WIDTH_MM,
    Box,
    Place,
    find_marker_place,
    list_track_middles,
    list_turn_places,
    plan_wonders,
)
from datasets.tower_of_babel.solids import ON_GABLE, ON_WALL, UPRIGHT, Solid, build_cylinder, build_house
from scoring.tower_of_babel.board import Kind
from vision.arrays import Floats

Shades = dict[str, tuple[int, int, int]]

TRIES = 400
GAP_MM = 0.25
"""Minimum gap between outlines: touching pieces of wood are less than 1 mm apart but never overlap."""
POSES, POSE_SHARES = (UPRIGHT, ON_WALL, ON_GABLE), (0.82, 0.12, 0.06)
"""Poses of houses set by hand, and their probabilities."""
LEANING_SHARE, LEAN_RADIANS = 0.2, (0.1, 0.45)
"""Share of houses beside another that lean on it, and the range of their lean."""
BEIGES = ((150, 190, 220), (168, 202, 226), (140, 178, 206))
"""Shades of the scoring marker, in BGR."""


@dataclass(frozen=True, slots=True, eq=False)
class LaidDisc:
    """A disc face up: its centre, its rotation in radians, its kind and its number."""

    at: Place
    yaw: float
    kind: Kind
    need: int


@dataclass(frozen=True, slots=True, eq=False)
class Staged:
    """Everything on a board, in its millimetres."""

    solids: tuple[Solid, ...]
    discs: tuple[LaidDisc, ...]


def stage_table(deal: Deal, rng: np.random.Generator) -> Staged:
    """Lay the table, with every part clear of the others and 3 in 5 parts touching one on average."""
    shades = {colour: COLOURS[colour][int(rng.integers(len(COLOURS[colour])))] for colour in deal.players}
    solids = [*_columns(deal, shades, rng), *_counters(deal, shades, rng), _marker(deal, rng)]
    for plan in plan_wonders():
        solids += _parts(deal, plan.name, plan.area, shades, rng)
    discs = [
        LaidDisc(_near(at, 1.5, rng), float(rng.uniform(0, 2 * np.pi)), kind, need)
        for plan in plan_wonders()
        for at, (kind, need) in zip(rng.permutation(plan.discs), deal.discs[plan.name], strict=False)
    ]
    return Staged(tuple(solids), tuple(discs))


def _near(at: Floats | Place, spread: float, rng: np.random.Generator) -> Place:
    x, y = np.asarray(at) + np.clip(rng.normal(0, spread, 2), -2 * spread, 2 * spread)
    return float(x), float(y)


def _parts(deal: Deal, wonder: str, area: Box, shades: Shades, rng: np.random.Generator) -> list[Solid]:
    """Place the building parts of one wonder in one heap or several, the players' mixed or separate."""
    x, y, w, h = area
    inside = box(x, y, x + w, y + h)
    owned = [(player, worth) for player, worths in deal.parts[wonder].items() for worth in worths]
    touching = float(rng.choice([0.3, 0.6, 0.9]))
    squared = rng.random() < 0.4
    apart = rng.random() < 0.5
    if not apart:
        owned = [owned[i] for i in rng.permutation(len(owned))]
    placed: list[tuple[str, Solid]] = []
    for player, worth in owned:
        size = LARGE_MM if worth == 3 else SMALL_MM
        friends = [solid for owner, solid in placed if owner == player or not apart] or [solid for _, solid in placed]
        for _ in range(TRIES):
            beside = friends and rng.random() < touching
            part = _beside(friends[int(rng.integers(len(friends)))], size, shades[player], rng) if beside else None
            if part is None:
                yaw = np.pi / 2 * rng.integers(4) + rng.normal(0, 0.06) if squared else rng.uniform(0, 2 * np.pi)
                at = rng.uniform((x, y), (x + w, y + h))
                part = build_house(at, float(yaw), size, shades[player], _sample_pose(rng))
            shape = Polygon(part.outline)
            if inside.contains(shape) and all(shape.distance(Polygon(other.outline)) > GAP_MM for _, other in placed):
                placed.append((player, part))
                break
        else:
            raise RuntimeError(f"{wonder} is full")
    return [solid for _, solid in placed]


def _beside(
    other: Solid, size: tuple[float, float, float], bgr: tuple[int, int, int], rng: np.random.Generator
) -> Solid:
    """Return a house alongside another, exactly or nearly so, or leaning on it."""
    corner = int(rng.integers(len(other.outline)))
    one, two = other.outline[corner], other.outline[(corner + 1) % len(other.outline)]
    along = (two - one) / np.linalg.norm(two - one)
    out = np.array([along[1], -along[0]])
    yaw = np.arctan2(along[1], along[0]) + (0.0 if rng.random() < 0.6 else rng.normal(0, 0.15))
    lean = float(rng.uniform(*LEAN_RADIANS)) if rng.random() < LEANING_SHARE else 0.0
    part = build_house(np.zeros(2), float(yaw), size, bgr, UPRIGHT if lean else _sample_pose(rng), lean)
    reach = float((part.outline @ -out).max())
    at = (one + two) / 2 + along * rng.uniform(-0.6, 0.6) * size[0] + out * (reach + rng.uniform(0.3, 1.0))
    return part.moved(at)


def _sample_pose(rng: np.random.Generator) -> str:
    return str(rng.choice(POSES, p=POSE_SHARES))


def _counters(deal: Deal, shades: Shades, rng: np.random.Generator) -> Iterator[Solid]:
    """Yield each player's counter on the victory point track; counters on the same space share it."""
    places = list_track_middles()
    occupied: list[Polygon] = []
    for player in rng.permutation(deal.players):
        space = places[deal.track[str(player)]]
        spread = 2.0
        for _ in range(TRIES):
            at = np.array(_near(space, spread, rng))
            counter = build_house(
                at, float(rng.uniform(0, 2 * np.pi)), SMALL_MM, shades[str(player)], _sample_pose(rng)
            )
            shape = Polygon(counter.outline)
            free = all(shape.distance(other) > GAP_MM for other in occupied)
            on_it = float(np.abs(at - space).max()) < TRACK_WIDTH_MM / 2 - 2.0
            if free and on_it and shape.within(box(0, 0, *SIZE_MM)):
                break
            spread = min(spread + 0.1, 6.0)
        occupied.append(shape)
        yield counter


def _marker(deal: Deal, rng: np.random.Generator) -> Solid:
    """Return the scoring marker, a beige house."""
    at = np.array(_near(find_marker_place(deal.row), 1.2, rng))
    size = (MARKER_MM[0], MARKER_MM[0], MARKER_MM[1])
    bgr = BEIGES[int(rng.integers(len(BEIGES)))]
    return build_house(at, float(rng.uniform(0, 2 * np.pi)), size, bgr, _sample_pose(rng))


def _columns(deal: Deal, shades: Shades, rng: np.random.Generator) -> Iterator[Solid]:
    """Yield the players' columns on the turn order track."""
    for at, player in zip(list_turn_places(), rng.permutation(deal.players), strict=False):
        yield build_cylinder(np.array(_near(at, 1.0, rng)), COLUMN_MM[0] / 2, COLUMN_MM[1], shades[str(player)])


def compute_disc_radius() -> float:
    """Return the radius of the discs' cardboard in millimetres."""
    return DISC_RADIUS_MM - 1.0
