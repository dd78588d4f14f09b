"""The layouts that a picture can distinguish, and the boxes that they come from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import numpy as np

from scoring.carcassonne.tiles.catalogue import Catalogue, TileLayout, list_layout_turns, load_full_catalogue
from scoring.carcassonne.tiles.other_boxes import find_drawing, list_other_drawings
from vision.arrays import Flags

SAME_TO_SEE = {"RI.2/CIRI": "RI.1/CIRI", "RI.2/RrII": "RI.1/RrII", "RI.2/II": "RI.1/II"}
"""Tiles of River II with the same drawing and use as one of River I: they are read under the other's name."""
SAME_WHEN_TURNED = ("C31IC/T",)
"""The inn at the bridge equals the one of River II after a quarter turn, and is read as that."""


@cache
def build_reading_catalogue() -> Catalogue:
    """Build the catalogue of what the rules distinguish: the drawn boxes, then the further topologies of other boxes.

    Gardens count as their plain twins, and a tile of another box as its drawing.
    """
    return Catalogue((*build_drawn_catalogue(), *list_other_drawings()))


@cache
def build_drawn_catalogue() -> Catalogue:
    """Build the catalogue of the base game and the drawn expansions, as pictures distinguish them."""
    layouts = load_full_catalogue().layouts
    twins = {SAME_TO_SEE[layout.id]: layout for layout in layouts if layout.id in SAME_TO_SEE}
    distinct = (layout for layout in layouts if layout.id not in (*SAME_TO_SEE, *SAME_WHEN_TURNED))
    return Catalogue(tuple(_add_twin(layout, twins.get(layout.id)) for layout in distinct))


@cache
def list_new_topologies() -> frozenset[str]:
    """Return the ids of the reading catalogue's layouts that no drawn box holds."""
    return frozenset(layout.id for layout in list_other_drawings())


@cache
def mark_new_topologies(catalogue: Catalogue) -> Flags:
    """Mark (K,) the turned layouts of a catalogue that no drawn box holds."""
    return np.array([tile in list_new_topologies() for tile, _ in list_layout_turns(catalogue)])


def find_read_name(tile: str, turns: int) -> tuple[str, int] | None:
    """Return the layout and the quarter turns by which a tile of any box is read; None for a tile of no catalogue."""
    if tile in load_full_catalogue():
        return tile, turns
    drawing = find_drawing(tile)
    return None if drawing is None else (drawing[0], turns + drawing[1])


def select_net_catalogue(classes: Sequence[str]) -> Catalogue:
    """Return the catalogue of a net's own classes, in their order, as in its metadata (`BA/RCr@0` and so on)."""
    net_tiles = dict.fromkeys(name.split("@")[0] for name in classes)
    return Catalogue(tuple(build_reading_catalogue()[tile] for tile in net_tiles if tile in build_reading_catalogue()))


def resolve_river_twins(tiles: Sequence[str | None]) -> list[str | None]:
    """Return the names of a board's tiles, with their own names for those of River II that look like a tile of River I.

    With both rivers on the table the first ones are of River I, as many as it has.
    """
    first = any(tile and tile.startswith("RI.1/") and tile not in SAME_TO_SEE.values() for tile in tiles)
    second = any(tile and tile.startswith("RI.2/") for tile in tiles)
    river_twins = {one: other for other, one in SAME_TO_SEE.items()}
    remaining = {one: load_full_catalogue()[one].count if first else 0 for one in river_twins}
    named = []
    for tile in tiles:
        twin = tile in river_twins and second and remaining[tile] == 0
        named.append(river_twins[tile] if tile and twin else tile)
        if tile in remaining:
            remaining[tile] = max(0, remaining[tile] - 1)
    return named


def _add_twin(layout: TileLayout, twin: TileLayout | None) -> TileLayout:
    """Return a layout that includes its twin, in name and in number."""
    if twin is None:
        return layout
    return replace(layout, count=layout.count + twin.count, aliases=(*layout.aliases, twin.id, *twin.aliases))
