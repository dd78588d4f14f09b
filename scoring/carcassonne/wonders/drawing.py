"""The drawing in a wonder's file, and the 5 squares it is cut into."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from shapely import LineString, MultiPolygon, Point, Polygon, box, get_parts
from shapely.affinity import translate
from shapely.geometry.base import BaseGeometry

from scoring.carcassonne.tiles.geometry import Square
from scoring.carcassonne.tiles.layout import MIN_TOUCH_TILES, Kind, Segment, TileLayout
from scoring.carcassonne.tiles.topology import (
    Area,
    Line,
    find_free_faces,
    find_half_edges,
    find_sides,
    find_touching_areas,
    trim_road,
)
from scoring.carcassonne.wonders.tiles import find_inner_sides, unite_squares


@dataclass(frozen=True)
class WonderDrawing:
    """Shapes and lines, in squares of the wonder's own frame."""

    id: str
    squares: tuple[Square, ...]
    cities: list[Area]
    roads: list[Line]
    monasteries: list[Area]
    wonder: Area
    marker: Point
    coats: list[Point]

    @property
    def outline(self) -> Polygon:
        """Return the 5 squares together."""
        outline = unite_squares(self.squares)
        assert isinstance(outline, Polygon)
        return outline

    @property
    def built(self) -> list[Area]:
        """Return everything that is neither field nor road."""
        return [*self.cities, *self.monasteries, self.wonder]


def build_cell_layouts(drawing: WonderDrawing) -> tuple[TileLayout, ...]:
    """Return the layout of each square, its segments in the order cities, roads, monastery, fields, wonder."""
    faces = find_free_faces(drawing.outline, drawing.built, drawing.roads)
    roads = [trim_road(road, drawing.built) for road in drawing.roads]
    shapes: list[tuple[Kind, BaseGeometry]] = [
        *(("city", city) for city in drawing.cities),
        *(("road", road) for road in roads),
        *(("monastery", monastery) for monastery in drawing.monasteries),
        *(("field", face) for face in sorted(faces, key=lambda face: face.bounds)),
        ("wonder", drawing.wonder),
    ]
    boxes = [build_square_box(square) for square in drawing.squares]
    cuts = [[_keep_areas(shape.intersection(square), kind) for square in boxes] for kind, shape in shapes]
    # Drop shapes that are negligible on every square, such as a sliver of field between two roads.
    there = [(kind, cut) for (kind, _), cut in zip(shapes, cuts, strict=True) if not all(p.is_empty for p in cut)]
    cells = tuple(
        _build_cell(drawing, [(kind, cut[cell]) for kind, cut in there], square)
        for cell, square in enumerate(drawing.squares)
    )
    return add_coats(cells, drawing.squares, drawing.coats)


def add_coats(
    cells: tuple[TileLayout, ...], squares: tuple[Square, ...], coats: Sequence[Point]
) -> tuple[TileLayout, ...]:
    """Return the layouts of squares without coats of arms, with coats added at spots of the wonder's frame.

    A square without any keeps its very layout.
    """
    return tuple(_add_coats(cell, square, coats) for cell, square in zip(cells, squares, strict=True))


def remove_coats(cell: TileLayout) -> TileLayout:
    """Return the layout of a square without its coats of arms; the same layout if it has none."""
    if not cell.coat_spots:
        return cell
    return replace(cell, segments=tuple(replace(part, shields=0) for part in cell.segments), coat_spots=())


def _add_coats(cell: TileLayout, square: Square, coats: Sequence[Point]) -> TileLayout:
    row, col = square
    cities = [segment.geometry for segment in cell.segments if segment.kind == "city"]
    spots = [translate(coat, -col, -row) for coat in coats]
    within = [spot for spot in spots if any(city.contains(spot) for city in cities)]
    if not within:
        return cell
    segments = tuple(
        replace(segment, shields=sum(segment.geometry.contains(spot) for spot in within))
        if segment.kind == "city"
        else segment
        for segment in cell.segments
    )
    return replace(cell, segments=segments, coat_spots=tuple((spot.x, spot.y) for spot in within))


def _build_cell(drawing: WonderDrawing, cut: list[tuple[Kind, BaseGeometry]], square: Square) -> TileLayout:
    """Return the layout of one square from its part of each shape, coats of arms excluded."""
    row, col = square
    inside = find_inner_sides(drawing.squares, square)
    parts = [index for index, (_, piece) in enumerate(cut) if not piece.is_empty]
    pieces = {index: translate(cut[index][1], -col, -row) for index in parts}
    cities = [index for index in parts if cut[index][0] == "city"]
    segments = []
    for index in parts:
        kind, piece = cut[index][0], pieces[index]
        touched = find_touching_areas(piece, [pieces[city] for city in cities]) if kind == "field" else ()
        segments.append(Segment(kind, piece, _find_outer_edges(kind, piece, inside), 0, touched))
    return TileLayout(drawing.id, "", 1, (), tuple(segments), inside=inside, parts=tuple(parts))


def _find_outer_edges(kind: Kind, piece: BaseGeometry, inside: tuple[str, ...]) -> tuple[str, ...]:
    edges = find_half_edges(piece) if kind == "field" else find_sides(piece) if kind in ("city", "road") else ()
    return tuple(edge for edge in edges if edge[0] not in inside)


def _keep_areas(cut: BaseGeometry, kind: Kind) -> BaseGeometry:
    """Return the non-negligible parts of a clipped shape: areas, or lines for a road."""
    if kind == "road":
        return cut if cut.length > MIN_TOUCH_TILES else LineString()
    areas = [part for part in get_parts(cut) if part.area > MIN_TOUCH_TILES**2]
    return areas[0] if len(areas) == 1 else MultiPolygon(areas)


def build_square_box(square: Square) -> Polygon:
    """Return the area of a square of the wonder's frame."""
    row, col = square
    return box(col, row, col + 1, row + 1)
