"""Legal places of tiles."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from scoring.carcassonne.board.board import PlacedWonder, Placement
from scoring.carcassonne.play.moves import PlacedTile
from scoring.carcassonne.tiles.geometry import SIDES, Square, get_neighbour, get_opposite_side
from scoring.carcassonne.tiles.layout import TileLayout, list_distinct_turns, may_adjoin
from scoring.carcassonne.wonders.tiles import WonderLayout

Tiles = Mapping[Square, Placement]


@lru_cache(maxsize=8192)
def get_layout_edges(layout: TileLayout, turns: int) -> Mapping[str, str]:
    """Return the kind of land at each side of a turned layout."""
    return {side: layout.edge(side, turns) for side in SIDES}


def find_tile_violation(placements: Mapping[Square, Placement], tiles: Tiles) -> str:
    """Return the code of the first rule that a laid tile breaks, or an empty string.

    Base game, "Placing a tile": on empty squares (square_taken), adjacent to a tile on the table (touches_nothing), and
    every edge continues in its neighbour (edge_mismatch). "1. Placing a wonder tile" states the same rules for wonders,
    and its footnote excludes none of them against another wonder. The River: see `_find_river_violation`.
    """
    if any(square in tiles for square in placements):
        return "square_taken"
    touches = False
    for square, placement in placements.items():
        edges = get_layout_edges(placement.layout, placement.turns)
        for side in SIDES:
            facing = tiles.get(get_neighbour(square, side))
            if facing is not None:
                touches = True
                if not may_adjoin(edges[side], get_layout_edges(facing.layout, facing.turns)[get_opposite_side(side)]):
                    return "edge_mismatch"
    if not touches:
        return "touches_nothing"
    return next(
        (code for square in placements if (code := _find_river_violation(square, placements[square], tiles))), ""
    )


def find_tile_places(tile: Placement, tiles: Tiles, near: Iterable[Square]) -> Iterator[PlacedTile]:
    """Yield every legal placement of a tile, in any orientation, on the given squares."""
    turned = [Placement(tile.tile, turns, tile.garden) for turns in list_distinct_turns(tile.layout)]
    for square in near:
        for placement in turned:
            if not find_tile_violation({square: placement}, tiles):
                yield PlacedTile(placement, square)


def find_wonder_places(wonder: WonderLayout, tiles: Tiles, near: Iterable[Square]) -> Iterator[PlacedWonder]:
    """Yield every legal placement of a wonder tile that covers one of the given squares, each once."""
    anchors: set[tuple[Square, int]] = set()
    for square in near:
        for turns in range(4):
            for cell in range(len(wonder.squares)):
                anchor = wonder.anchor(square, cell, turns)
                if (anchor, turns) not in anchors:
                    anchors.add((anchor, turns))
                    place = PlacedWonder(wonder, anchor, turns)
                    if not any(at in tiles for at in place.squares) and not find_tile_violation(
                        place.placements, tiles
                    ):
                        yield place


def find_empty_neighbours(squares: Iterable[Square], tiles: Tiles) -> set[Square]:
    """Return the empty squares adjacent to the given squares."""
    around = {get_neighbour(square, side) for square in squares for side in SIDES}
    return {square for square in around if square not in tiles}


def _find_river_violation(square: Square, placement: Placement, tiles: Tiles) -> str:
    """Return the code of a river rule that a tile breaks, or an empty string.

    The River, "Placing a river tile": a river tile continues the river, which may not turn straight back. It turns back
    if the open end of the new tile points in the direction from which the tile before it came.
    """
    rivers = [side for side, kind in get_layout_edges(placement.layout, placement.turns).items() if kind == "river"]
    joined = [side for side in rivers if get_neighbour(square, side) in tiles]
    if rivers and not joined:
        return "river_not_continued"
    for side in joined:
        before = get_neighbour(square, side)
        facing = tiles[before]
        came_from = {
            back
            for back, kind in get_layout_edges(facing.layout, facing.turns).items()
            if kind == "river" and back != get_opposite_side(side) and get_neighbour(before, back) in tiles
        }
        if came_from.intersection(rivers).difference(joined):
            return "river_turns_back"
    return ""
