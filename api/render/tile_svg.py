"""A tile drawn as SVG: own art from the catalogue's geometry, plain enough to be recognised at 64 pixels.

It consists only of shapes with their own colours, without style sheet, script or font, so it may be served under any
policy and looks the same on light and dark pages.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from shapely import Point, Polygon, get_coordinates, get_parts
from shapely.geometry.base import BaseGeometry

from api.errors import CorrectionError
from api.render.drawing import COLOURS
from scoring.carcassonne.board.board import Placement
from scoring.carcassonne.board.places import find_segment
from scoring.carcassonne.tiles.geometry import turn_geometry
from scoring.carcassonne.tiles.kinds import KINDS, FeatureKind
from scoring.carcassonne.tiles.layout import Segment, TileLayout
from scoring.carcassonne.tiles.other_boxes import load_whole_catalogue
from scoring.carcassonne.wonders.tiles import WONDERS
from scoring.errors import ScoringError
from scoring.player_colours import describe_unknown_colour, find_colour

TOLERANCE = 0.004
"""Maximum deviation of a drawn outline, in tiles. A guess."""

WATER, WALL, PLASTER, ROOF = "#4a90c4", "#5f3d1c", "#efe3c8", "#b5452f"
COAT, GOLD = "#2f5aa8", "#f0c33c"
_LAND = KINDS["field"]
_GOODS = {"wine": "#7d1f45", "grain": "#e8b93a", "cloth": "#3c8f8a", "chicken": "#f5f0e6"}
_HEAD = '<circle cy="-6" r="4"/>'
_PLAIN, _BIG = 1.7, 2.6
"""Scales of a plain piece and of the big meeple. A guess."""
_TWO = '<path fill="none" stroke="{edge}" stroke-width="1.5" d="M-1.9-.2a1.9 1.9 0 1 1 3.5 1L-1.9 4.6H2.1"/>'
_BODY = '<path d="M-3.5-2.5-9 0V3H-5L-8 10H-2L0 6 2 10H8L5 3H9V0L3.5-2.5Z"/>'


@lru_cache(maxsize=2048)
def render_tile_svg(
    tile: str,
    turns: int = 0,
    square: int | None = None,
    place: str | None = None,
    colour: str | None = None,
    piece: str = "meeple",
) -> str:
    """Draw a catalogue tile, or one `square` (0 to 4) of a wonder, with a `piece` on a `place` of the rotated tile.

    The big meeple is larger than any other piece and bears a 2, its strength. Raises CorrectionError
    `tile_unknown_name`, `place_unknown` and `colour_unknown`.
    """
    placement = _placement(tile, turns, square)
    body = "".join(_tile(placement.layout))
    turn = f' transform="rotate({90 * placement.turns} 50 50)"' if placement.turns else ""
    meeple = _meeple(placement, place, colour, piece == "big") if place and colour else ""
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" stroke-linejoin="round">'
        f'<g{turn}><path fill="{_LAND.fill}" d="M0 0H100V100H0Z"/>{body}</g>{meeple}'
        f'<path fill="none" stroke="{_LAND.outline}" stroke-width="2" d="M1 1H99V99H1Z"/></svg>'
    )


def _placement(tile: str, turns: int, square: int | None) -> Placement:
    if tile not in WONDERS and tile not in load_whole_catalogue():
        raise CorrectionError("tile_unknown_name", details={"tile": tile})
    try:
        return Placement(tile, turns, cell=square)
    except ScoringError as error:
        raise CorrectionError("place_unknown", details={"tile": tile, "square": square}) from error


def _tile(layout: TileLayout) -> Iterator[str]:
    parts = sorted(((KINDS[segment.kind], segment) for segment in layout.segments), key=lambda part: part[0].layer)
    yield from (_area(kind, segment) for kind, segment in parts if kind.symbol == "area")
    yield from (_stroke(river, WATER, 12) for river in layout.rivers)
    lines = [(kind, segment.geometry) for kind, segment in parts if kind.symbol == "line"]
    yield from (_stroke(line, kind.outline, 10) for kind, line in lines)
    yield from (_stroke(line, kind.fill, 6.5) for kind, line in lines)
    yield from (_house(kind, segment) for kind, segment in parts if kind.symbol == "house")
    yield from _symbols(layout)


def _area(kind: FeatureKind, segment: Segment) -> str:
    return f'<path fill="{kind.fill}" stroke="{kind.outline}" stroke-width="3" d="{format_path(segment.geometry)}"/>'


def _stroke(line: BaseGeometry, colour: str, width: float) -> str:
    return f'<path fill="none" stroke="{colour}" stroke-width="{width:g}" d="{format_path(line)}"/>'


def _house(kind: FeatureKind, segment: Segment) -> str:
    """Draw a house with a cross, its roof in the colour of its kind."""
    x, y = _units(segment.geometry.centroid)
    walls = f'<path fill="{PLASTER}" stroke="{WALL}" stroke-width="2" d="M{x - 12:g} {y:g}h24v15h-24z"/>'
    roof = f'<path fill="{kind.fill}" stroke="{WALL}" stroke-width="2" d="M{x - 15:g} {y + 1:g}l15-14 15 14z"/>'
    cross = f'<path stroke="{WALL}" stroke-width="2.5" d="M{x:g} {y - 13:g}v-9m-4 4h8"/>'
    return walls + roof + cross


def _symbols(layout: TileLayout) -> Iterator[str]:
    yield from (_coat(*_scaled(spot)) for spot in layout.coat_spots if spot)
    yield from (_dot(spot, WATER, 9) + _dot(spot, ROOF, 5) for spot in layout.inn_spots)
    yield from (_cathedral(*_scaled(spot)) for spot in layout.cathedral_spots)
    yield from (_dot(spot, "#f2a7b5", 6) for spot in layout.pig_spots)
    yield from (_dot(spot, _GOODS[goods], 6) for goods, spot in layout.goods_spots)
    if not layout.coat_spots:
        yield from (_coat(*_units(s.geometry.point_on_surface())) for s in layout.segments if s.shields)


def _coat(x: float, y: float) -> str:
    shield = f"M{x - 8:g} {y - 9:g}h16v9c0 6-5 8-8 10-3-2-8-4-8-10z"
    band = f'<path stroke="{GOLD}" stroke-width="3" d="M{x - 8:g} {y - 2:g}h16"/>'
    return f'<path fill="{COAT}" stroke="#fff" stroke-width="2" d="{shield}"/>{band}'


def _cathedral(x: float, y: float) -> str:
    body = f"M{x - 13:g} {y + 14:g}v-18l6-12 6 12h2l6-12 6 12v18z"
    return f'<path fill="{PLASTER}" stroke="{WALL}" stroke-width="2.5" d="{body}"/>'


def _dot(spot: tuple[float, float], colour: str, radius: float) -> str:
    x, y = _scaled(spot)
    return f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{colour}" stroke="{WALL}"/>'


def _meeple(placement: Placement, place: str, word: str, is_big: bool) -> str:
    segment = find_segment(placement.layout, placement.turns, place)
    if segment is None:
        raise CorrectionError("place_unknown", details={"tile": placement.tile, "place": place})
    if (colour := find_colour(word)) not in COLOURS:
        raise CorrectionError("colour_unknown", details=describe_unknown_colour(word, COLOURS))
    x, y = _units(turn_geometry(placement.layout.segments[segment].geometry, placement.turns).point_on_surface())
    size = _BIG if is_big else _PLAIN
    least = 10 * size
    at = f"translate({min(max(x, least), 100 - least):g} {min(max(y, least), 100 - least):g}) scale({size:g})"
    fill = "#{:02x}{:02x}{:02x}".format(*COLOURS[colour])
    edge = "#fff" if colour in ("black", "blue", "purple", "brown", "green", "red") else "#222"
    mark = _TWO.format(edge=edge) if is_big else ""
    return f'<g transform="{at}" fill="{fill}" stroke="{edge}" stroke-width="1.2">{_HEAD}{_BODY}{mark}</g>'


def format_path(geometry: BaseGeometry) -> str:
    """Return the SVG path of an area with its holes, or of lines, in hundredths of a tile."""
    parts = get_parts(geometry.simplify(TOLERANCE, preserve_topology=True))
    return "".join(_ring(ring) for part in parts for ring in _rings(part))


def _rings(part: BaseGeometry) -> Iterable[BaseGeometry]:
    return (part.exterior, *part.interiors) if isinstance(part, Polygon) else (part,)


def _ring(line: BaseGeometry) -> str:
    points = [f"{x:g} {y:g}" for x, y in (get_coordinates(line) * 100).round(1).tolist()]
    closed = "Z" if line.geom_type == "LinearRing" else ""
    return "M" + "L".join(points[:-1] if closed else points) + closed


def _units(point: Point) -> tuple[float, float]:
    return _scaled((point.x, point.y))


def _scaled(spot: tuple[float, float]) -> tuple[float, float]:
    return round(spot[0] * 100, 1), round(spot[1] * 100, 1)
