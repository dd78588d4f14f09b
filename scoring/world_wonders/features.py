"""Features of the maps: districts, incomplete districts, natural resources, monuments, roads, green areas.

Their ids begin with the player, because maps lie side by side.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from scoring.spots.game import Area
from scoring.world_wonders.areas import Areas
from scoring.world_wonders.board import MAX_CACHED_MAPS
from scoring.world_wonders.final import name_natural_resource
from scoring.world_wonders.terrain import Square


@lru_cache(maxsize=MAX_CACHED_MAPS)
def list_scoring_areas(areas: Areas) -> tuple[Area, ...]:
    """Return the areas of one map; complete ones score, by themselves or through an objective."""
    return tuple(_list_areas(areas))


def _list_areas(areas: Areas) -> Iterator[Area]:
    board = areas.board
    player, districts = board.player, {piece.name for piece in areas.districts}
    for piece in board.buildings:
        yield _build_area(areas, piece.name.id, "district", piece.squares, 1, piece.name in districts)
    adjacent = {*areas.natural_resources}
    for square in board.terrain.squares:
        if board.terrain.is_natural(square) and board.is_open(square):
            name = name_natural_resource(player, square).removeprefix(f"{player}.")
            yield _build_area(areas, name, "natural_resource", [square], 1, square in adjacent)
    for piece in board.monuments:
        yield _build_area(areas, piece.name.id, "monument", piece.squares, 1, True)
    for number, squares in enumerate(areas.roads, 1):
        yield _build_area(areas, f"roads-{number}", "road", squares, len(squares), True)
    for number, green in enumerate((area for area in areas.green if area.enclosed), 1):
        yield _build_area(areas, f"green-{number}", "green", green.squares, len(green.squares), True)


def _build_area(areas: Areas, name: str, kind: str, squares: Sequence[Square], size: int, complete: bool) -> Area:
    player = areas.board.player
    spots = areas.board.spots(squares)
    return Area(f"{player}.{name}", kind, spots, size, complete, {player: size}, tuple(squares))
