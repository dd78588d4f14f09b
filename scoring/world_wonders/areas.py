"""Areas formed by the squares of a map, computed with shapely: unit squares, x along the columns, y down the rows.

Two areas are adjacent if they share a stretch of a side; touching corners do not count.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely import Geometry

from scoring.world_wonders.board import MAX_CACHED_MAPS, Board, Piece
from scoring.world_wonders.terrain import Square


@dataclass(frozen=True, slots=True)
class GreenArea:
    """Connected uncovered land; `enclosed` if it touches neither mountains, nor Sidewalk, nor an unknown square."""

    squares: tuple[Square, ...]
    enclosed: bool


class Areas:
    """The areas of one map, each built on request."""

    def __init__(self, board: Board) -> None:
        self.board = board

    @cached_property
    def districts(self) -> tuple[Piece, ...]:
        """Return the City Districts: building tiles with no side at green space or at a square that may be green."""
        green = {*self._buildings_at(self._green_or_unknown)}
        return tuple(piece for piece in self.board.buildings if piece not in green)

    @cached_property
    def natural_resources(self) -> tuple[Square, ...]:
        """Return the visible natural resources that are adjacent to a piece."""
        visible = self._visible(natural=True)
        beside = _find_touching([_build_area([square]) for square in visible], _build_area(self.board.at))
        return tuple(square for square, adjacent in zip(visible, beside, strict=True) if adjacent)

    @cached_property
    def green(self) -> tuple[GreenArea, ...]:
        """Return the green areas, in the order of their first squares."""
        board = self.board
        land = [square for square in board.terrain.squares if board.terrain.is_green(square) and board.is_open(square)]
        frame = shapely.box(0, 0, board.terrain.columns, board.terrain.rows).boundary
        may_be_green = _build_area(square for square in board.unknown if board.terrain.is_green(square))
        parts = list(_split_parts(land))
        polygons = [polygon for polygon, _ in parts]
        opens = _find_touching(polygons, frame) | _find_touching(polygons, may_be_green)
        return tuple(GreenArea(squares, not is_open) for (_, squares), is_open in zip(parts, opens, strict=True))

    @cached_property
    def roads(self) -> tuple[tuple[Square, ...], ...]:
        """Return the connected groups of road and bridge squares, in the order of their first squares."""
        return tuple(
            squares for _, squares in _split_parts(square for road in self.board.roads for square in road.squares)
        )

    def groups(self, building: str) -> tuple[tuple[Piece, ...], ...]:
        """Return the adjacent groups of building tiles of a type; a tile read in 2 places belongs to both groups."""
        tiles = [piece for piece in self.board.buildings if piece.kind == building]
        parts = _split_parts(square for piece in tiles for square in piece.squares)
        return tuple(tuple(piece for piece in tiles if {*piece.squares} & {*squares}) for _, squares in parts)

    @cached_property
    def by_natural_resources(self) -> tuple[Piece, ...]:
        """Return the building tiles adjacent to a visible natural resource."""
        return self._buildings_at(_build_area(self._visible(natural=True)))

    @cached_property
    def by_water(self) -> tuple[Piece, ...]:
        """Return the building tiles adjacent to uncovered water."""
        return self._buildings_at(_build_area(self._visible(natural=False)))

    @cached_property
    def by_edge(self) -> tuple[Piece, ...]:
        """Return the building tiles at one of the 3 edges with mountains."""
        terrain = self.board.terrain
        wide, high = terrain.columns, terrain.rows
        return self._buildings_at(shapely.LineString([(0, high), (0, 0), (wide, 0), (wide, high)]))

    @cached_property
    def _green_or_unknown(self) -> Geometry:
        """Return the land that is or may be green; water and natural resources bound a district, covered or not."""
        board = self.board
        green = board.terrain.is_green
        return _build_area(square for square in board.terrain.squares if green(square) and square not in board.at)

    def _visible(self, natural: bool) -> list[Square]:
        terrain = self.board.terrain
        printed = terrain.is_natural if natural else terrain.is_water
        return [square for square in terrain.squares if printed(square) and self.board.is_open(square)]

    @cached_property
    def _tiles(self) -> list[Geometry]:
        return [_build_area(piece.squares) for piece in self.board.buildings]

    def _buildings_at(self, place: Geometry) -> tuple[Piece, ...]:
        beside = _find_touching(self._tiles, place)
        return tuple(piece for piece, adjacent in zip(self.board.buildings, beside, strict=True) if adjacent)


@lru_cache(maxsize=MAX_CACHED_MAPS)
def build_areas(board: Board) -> Areas:
    """Return the areas of a map, cached with their results."""
    return Areas(board)


def _build_area(squares: Iterable[Square]) -> Geometry:
    places = list(squares)
    rows, cols = [row for row, _ in places], [col for _, col in places]
    return shapely.coverage_union_all(shapely.box(cols, rows, [col + 1 for col in cols], [row + 1 for row in rows]))


def _split_parts(squares: Iterable[Square]) -> Iterator[tuple[Geometry, tuple[Square, ...]]]:
    """Yield the polygons formed by the squares, with their squares; those that only share a corner stay separate."""
    places = sorted({*squares})
    parts = []
    for polygon in shapely.get_parts(_build_area(places)):
        inside = shapely.contains_xy(polygon, [col + 0.5 for _, col in places], [row + 0.5 for row, _ in places])
        parts.append((polygon, tuple(place for place, is_inside in zip(places, inside, strict=True) if is_inside)))
    yield from sorted(parts, key=lambda part: part[1])


def _find_touching(areas: Sequence[Geometry], other: Geometry) -> NDArray[np.bool_]:
    """Return, for each area, whether its border runs along or through another area."""
    common = shapely.intersection(shapely.boundary(np.array(areas, dtype=object)), other)
    return np.asarray(shapely.length(common) > 0)
