"""The outcome of a reading for every tile and meeple of a photo, by which errors are broken down and doubts weighed.

A photo's conditions come from its label's `view`; a missing elevation is estimated from the lattice.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np

from scoring.carcassonne.board.board import Placement
from scoring.carcassonne.tiles.catalogue import find_tile_box
from vision.arrays import Floats
from vision.evaluation.labels import TrueMeeple, TrueTile, Truth
from vision.evaluation.matching import Match, is_near_foot, is_same_place, is_same_tile
from vision.geometry.camera import compute_elevations, estimate_camera
from vision.photo.crops import compute_tile_px
from vision.reading.board import place_tile
from vision.reading.values import MeepleReading, Reading
from vision.squares.catalogue import build_reading_catalogue

Groups = Mapping[str, str]

NOTHING = "nothing"
UNKNOWN = "unknown tile"
BANDS = {
    "elevation": (35, 45, 60, 75),
    "tile px": (25, 35, 50, 70, 100, 150),
    "light": (0.6, 0.85, 1.15),
    "tint": (-0.3, 0.3),
    "evenness": (0.5, 0.75),
    "field of view": (45, 60),
}
"""Boundaries of the bands of each measured value: degrees; pixels; multiples of the light of the plain picture; stops
of red over blue; the darkest part's light over the brightest's; degrees. A guess."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """One tile or meeple that is on the table, or was read there.

    `true` is NOTHING for an invented one, `read` for a missed one; then `confidence` is None. `doubtful` means that the
    reading shows a doubt there; `groups` are the groups in which the outcome is counted.
    """

    kind: Literal["tile", "meeple"]
    true: str
    read: str
    right: bool
    confidence: float | None
    doubtful: bool
    groups: Groups


def list_outcomes(reading: Reading, truth: Truth, match: Match) -> tuple[Outcome, ...]:
    """List the outcome for every readable tile and every meeple, and for everything invented."""
    shared = _build_photo_groups(truth, (reading.width, reading.height))
    return (*_list_tile_outcomes(truth, match, shared), *_list_meeple_outcomes(reading, truth, match, shared))


def estimate_elevation(truth: Truth, size: tuple[int, int]) -> float | None:
    """Estimate the camera's elevation in degrees from a photo of `size` (width, height); 90 is straight above."""
    if "elevation" in truth.view or not truth.tiles or not all(size):
        return truth.view.get("elevation")
    nodes = np.array([(c + x, r + y) for r, c in (t.square for t in truth.tiles) for x, y in _CORNERS], np.float64)
    homography, _ = cv2.findHomography(nodes, np.concatenate([tile.corners_px for tile in truth.tiles]), 0)
    if homography is None:
        return None
    middle = nodes.mean(axis=0, keepdims=True)
    return float(compute_elevations(estimate_camera(np.asarray(homography, np.float64), size), middle)[0])


_CORNERS = ((0, 0), (1, 0), (1, 1), (0, 1))
"""Corners of the unit square (col, row)."""


def format_band(name: str, value: float) -> str:
    """Return the band of a value of one of BANDS, in words."""
    edges = BANDS[name]
    i = bisect(edges, value)
    if i == 0:
        return f"under {edges[0]}"
    return f"{edges[i - 1]} to {edges[i]}" if i < len(edges) else f"{edges[-1]} and more"


def _build_photo_groups(truth: Truth, size: tuple[int, int]) -> Groups:
    measured = {name: truth.view.get(name.replace(" ", "_")) for name in ("light", "tint", "evenness", "field of view")}
    measured["elevation"] = estimate_elevation(truth, size)
    labels = {"art": truth.art, **{name: str(truth.view.get(name, "")) for name in ("tabletop", "condition")}}
    bands = {name: format_band(name, float(value)) for name, value in measured.items() if value is not None}
    return bands | {name: value for name, value in labels.items() if value}


def _list_tile_outcomes(truth: Truth, match: Match, shared: Groups) -> Iterator[Outcome]:
    occupied = {meeple.placed.square for meeple in truth.meeples}
    for read, true in match.tiles:
        right = is_same_tile(read, true, match)
        name, read_name = _format_tile(true.placement), _format_tile(match.place(read))
        read_name = f"{read_name} turned" if read_name == name and not right else read_name
        groups = _build_tile_groups(true, occupied, shared)
        yield Outcome("tile", name, read_name, right, read.confidence, read.doubtful, groups)
    for true in match.missed:
        groups = _build_tile_groups(true, occupied, shared)
        yield Outcome("tile", _format_tile(true.placement), NOTHING, False, None, False, groups)
    for read in match.invented:
        groups = {**shared, "tile px": _format_size_band(read.corners_px)}
        read_name = _format_tile(match.place(read))
        yield Outcome("tile", NOTHING, read_name, False, read.confidence, read.doubtful, groups)


def _build_tile_groups(true: TrueTile, occupied: set[tuple[int, int]], shared: Groups) -> Groups:
    piece = "yes" if true.square in occupied else "no"
    return {
        **shared,
        "tile px": _format_size_band(true.corners_px),
        "piece on it": piece,
        "box": _get_box(true.placement),
    }


def _get_box(placement: Placement | None) -> str:
    """Return the box of a tile; unknown if it is not among those that are read."""
    if placement is not None and placement.wonder is not None:
        return "wonders"
    is_catalogued = placement is not None and placement.tile in build_reading_catalogue()
    return (find_tile_box(placement.tile) if is_catalogued and placement else None) or UNKNOWN


def _format_size_band(corners: Floats) -> str:
    return format_band("tile px", float(compute_tile_px(corners[None])[0]))


def _format_tile(placement: Placement | None) -> str:
    return UNKNOWN if placement is None else placement.layout.letter or placement.layout.id


def _list_meeple_outcomes(reading: Reading, truth: Truth, match: Match, shared: Groups) -> Iterator[Outcome]:
    tiles = {tile.square: place_tile(tile, reading.wonders) for tile in reading.tiles}
    sizes = {tile.square: _format_size_band(tile.corners_px) for tile in truth.tiles}
    for read, true in match.meeples:
        right = read.colour == true.placed.colour and is_same_place(read, true, truth, match)
        name, read_name = _format_true_piece(true, truth), _format_read_piece(read, tiles)
        read_name = f"{read_name} elsewhere" if read_name == name and not right else read_name
        groups = _build_meeple_groups(true, sizes, shared)
        yield Outcome("meeple", name, read_name, right, read.confidence, read.doubtful, groups)
    for true in match.missed_meeples:
        doubted = any(is_near_foot(possible, true, truth) for possible in reading.possible_meeples)
        groups = _build_meeple_groups(true, sizes, shared)
        yield Outcome("meeple", _format_true_piece(true, truth), NOTHING, False, None, doubted, groups)
    for read in match.extra_meeples:
        groups = {**shared, "colour": read.colour, "pose": read.pose}
        yield Outcome("meeple", NOTHING, _format_read_piece(read, tiles), False, read.confidence, read.doubtful, groups)


def _build_meeple_groups(true: TrueMeeple, sizes: Mapping[tuple[int, int], str], shared: Groups) -> Groups:
    placed = true.placed
    return {**shared, "tile px": sizes[placed.square], "colour": placed.colour, "pose": placed.pose}


def _format_true_piece(true: TrueMeeple, truth: Truth) -> str:
    return _format_piece(true.placed.colour, truth.board.tiles[true.placed.square], true.placed.segment)


def _format_read_piece(read: MeepleReading, tiles: Mapping[tuple[int, int], Placement | None]) -> str:
    return _format_piece(read.colour, tiles.get((read.row, read.col)), read.segment)


def _format_piece(colour: str, placement: Placement | None, segment: int | None) -> str:
    if placement is None or segment is None:
        return f"{colour} on nothing known"
    return f"{colour} on {placement.layout.segments[segment].kind}"
