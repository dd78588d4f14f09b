"""Printed values of a copy of World Wonders: maps, tracks, tiles, monuments' cards and objectives (`docs/games.md`).

A value of `None` is unknown. A score that needs it raises an error (`scoring.spots.components.require_value`); a
check of legality that needs it is skipped.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, partial
from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from scoring.spots.components import (
    MAX_TILE_SHAPES,
    MAX_TILE_SIDE,
    ComponentsError,
    list_missing_values,
    read_components,
    require_value,
)
from scoring.world_wonders.kinds import BUILDINGS, COLOURS, ROADS, TOWER, TRACKS, UNNAMED
from scoring.world_wonders.shapes import Shape, parse_shape
from scoring.world_wonders.terrain import NATURAL, Terrain

DEFAULT_FILE = Path(__file__).parent / "data" / "components.toml"
"""Values known for every copy."""
MAX_NUMBER = 1000
"""Maximum of any printed number or count; a track has as many spaces as its last number. Bounds memory."""
MAX_CACHED_FILES = 16
"""Maximum number of cached components files. Bounds memory."""
MAX_LISTED = 100
"""Maximum number of rings on a track, or of roads in a set. A guess, above the capacity of any track."""
MAX_MONUMENTS, MAX_PIECES, MAX_NAME_CHARACTERS = 100, 10, 60
"""Maximum number of cards, of pieces and neighbours of each, and of letters of a name. A guess; the game has about 20
cards.
"""
LAND_SQUARE, WATER_SQUARE, ANY_SQUARE = "#", "~", "?"
"""Letters of a monument's footprint: on land, on water, on either."""

Side = Literal["A", "B"]
Building = Literal["library", "farm", "habitation", "market", "temple"]
Neighbour = Literal[
    "road", "tower", "building", "library", "farm", "habitation", "market", "temple", "monument",
    "natural-resource", "water", "sidewalk", "edge",
]  # fmt: skip
"""Neighbours that a monument's card may require."""


def _check_grid(text: str) -> str:
    lines = tuple(line.strip() for line in text.strip().splitlines())
    return "\n".join(Terrain(lines).lines)


def _check_tile(text: str) -> str:
    side = 1 + max(max(square) for square in parse_shape(text, "#"))
    if side > MAX_TILE_SIDE:
        raise ValueError(f"no tile is {side} squares long: {MAX_TILE_SIDE} at most")
    return text


def _check_part(text: str) -> str:
    parse_shape(text, LAND_SQUARE + WATER_SQUARE + ANY_SQUARE)
    return text


Grid = Annotated[str, AfterValidator(_check_grid)]
Number = Annotated[int, Field(ge=0, le=MAX_NUMBER)]
Count = Annotated[int, Field(ge=1, le=MAX_NUMBER)]
Spaces = Annotated[tuple[Number, ...], Field(max_length=MAX_LISTED)]


class _Printed(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Rivers(_Printed):
    """Side B: the map of each player, by colour."""

    yellow: Grid | None = None
    green: Grid | None = None
    white: Grid | None = None
    red: Grid | None = None
    blue: Grid | None = None


class Maps(_Printed):
    """The map boards: the side in use, and the terrain of each side (`scoring.world_wonders.terrain`)."""

    natural_resources: Number
    side: Side | None = None
    A: Grid | None = None
    B: Rivers = Rivers()

    @model_validator(mode="after")
    def _are_whole(self) -> Self:
        colour_grids = (getattr(self.B, colour) for colour in COLOURS)
        grids = [grid for grid in (self.A, *colour_grids) if grid is not None]
        for grid in grids:
            if grid.count(NATURAL) != self.natural_resources:
                raise ValueError(
                    f"a map has {self.natural_resources} natural resources, and one is written with "
                    f"{grid.count(NATURAL)} of *"
                )
        if len({tuple(map(len, grid.split("\n"))) for grid in grids}) > 1:
            raise ValueError("all maps have the same number of rows and columns")
        return self


class PopulationTrack(_Printed):
    """The population track. `last` is the number of its final (purple) space, counted from 0.

    `rings` are the spaces with rings; a space with 2 rings occurs twice.
    """

    last: Count | None = None
    rings: Spaces | None = Field(default=None, strict=False)


class ResourceTrack(_Printed):
    """A resource track. `last` is the number of its final space, counted from 0; `population` are the spaces with a
    symbol.
    """

    last: Count | None = None
    population: Spaces | None = Field(default=None, strict=False)


class ResourceBoard(_Printed):
    """The tracks of one side of a resource board."""

    population: PopulationTrack = PopulationTrack()
    food: ResourceTrack = ResourceTrack()
    ceramics: ResourceTrack = ResourceTrack()
    gears: ResourceTrack = ResourceTrack()


class ResourceBoards(_Printed):
    """The resource boards: the side in use, and the tracks of each side."""

    side: Side | None = None
    A: ResourceBoard = ResourceBoard()
    B: ResourceBoard = ResourceBoard()


class BuildingShape(_Printed):
    """One of the stacks of building tiles: its shape (`##/#.`), and its number of tiles of each type."""

    shape: Annotated[str, AfterValidator(_check_tile)]
    tiles: dict[Building, Number] | None = None

    @property
    def squares(self) -> Shape:
        """Return the shape as printed."""
        return parse_shape(self.shape, "#")


class Buildings(_Printed):
    """The stacks of building tiles, if known."""

    shapes: Annotated[tuple[BuildingShape, ...], Field(max_length=MAX_TILE_SHAPES)] | None = Field(
        default=None, strict=False
    )


class Towers(_Printed):
    """The towers; `squares` is the number of map squares that a tower covers."""

    squares: Count | None = None


class Monument(_Printed):
    """A monument's card: its rings, its population, and the placement of its pieces.

    `footprint` has the shape of each piece, one letter per square: `#` on land, `~` on water, `?` on either. If
    `apart`, its pieces may be separated. `water` is the minimum number of water squares it covers. `adjacent` lists its
    required neighbours; one listed twice is required twice. `expansion` is its box if that is not the base game.
    """

    name: Annotated[str, Field(max_length=MAX_NAME_CHARACTERS)]
    expansion: Literal["mundo"] | None = None
    rings: Number | None = None
    population: Number | None = None
    pieces: Count | None = None
    footprint: (
        Annotated[tuple[Annotated[str, AfterValidator(_check_part)], ...], Field(max_length=MAX_PIECES)] | None
    ) = Field(default=None, strict=False)
    apart: bool | None = None
    water: Number | None = None
    adjacent: Annotated[tuple[Neighbour, ...], Field(max_length=MAX_PIECES)] = Field(default=(), strict=False)

    @model_validator(mode="after")
    def _is_whole(self) -> Self:
        if self.footprint is not None and self.pieces not in (None, len(self.footprint)):
            raise ValueError(f"it has {self.pieces} pieces, and its footprint {len(self.footprint)}")
        return self

    @property
    def parts(self) -> tuple[Shape, ...] | None:
        """Return the shapes of its pieces, if known."""
        letters = LAND_SQUARE + WATER_SQUARE + ANY_SQUARE
        return None if self.footprint is None else tuple(parse_shape(part, letters) for part in self.footprint)


class Roads(_Printed):
    """Lengths of a long road (a bridge is its back), and of each road of a short set, in squares."""

    long: Count
    short_set: Annotated[tuple[Count, ...], Field(max_length=MAX_LISTED)] = Field(strict=False)


class Box(_Printed):
    """Numbers of pieces in the box; `mundo` states whether the copy includes the Mundo box."""

    long_roads: Count
    short_road_sets: Count
    towers: Count
    building_tiles: Count
    mundo: bool = False


class Loans(_Printed):
    """Loans; `unpaid` is the number of points lost for an unpaid loan."""

    unpaid: Number


class Objectives(_Printed):
    """Rings on a public objective card: for first and second place, and those shared by all players with every
    district.
    """

    first: Number
    second: Number
    shared: Number


class Components(_Printed):
    """The whole file; `pictures` and `layout` are for reading photos. It equals only itself, since results are cached
    by it.
    """

    map: Maps
    resources: ResourceBoards = ResourceBoards()
    buildings: Buildings = Buildings()
    towers: Towers = Towers()
    monuments: Annotated[
        dict[Annotated[str, Field(pattern=r"^[a-z]+(-[a-z]+)*$", max_length=MAX_NAME_CHARACTERS)], Monument],
        Field(max_length=MAX_MONUMENTS),
    ]
    roads: Roads
    box: Box
    loans: Loans
    objectives: Objectives
    pictures: dict[str, Any] = Field(default_factory=dict)
    layout: dict[str, Any] = Field(default_factory=dict)

    def __eq__(self, other: object) -> bool:
        return self is other

    def __hash__(self) -> int:
        return id(self)

    @model_validator(mode="after")
    def _names_are_free(self) -> Self:
        if clashes := sorted({*ROADS, *BUILDINGS, TOWER, UNNAMED} & self.monuments.keys()):
            raise ValueError(f"no monument may be called {clashes[0]}")
        return self

    def terrain(self, colour: str) -> Terrain:
        """Return a player's map; raise ComponentsError `component_missing`."""
        sides = 'as the picture of the map boards: "A" with a lake, "B" with a river'
        side = require_value(self.map.side, "map.side", sides)
        printed = "as the squares of the map board: . for land, ~ for water, * for a natural resource"
        grid: str | None = self.map.A if side == "A" else getattr(self.map.B, colour)
        key = "map.A" if side == "A" else f"map.B.{colour}"
        return Terrain(tuple(require_value(grid, key, printed).split("\n")))

    @property
    def board(self) -> ResourceBoard:
        """Return the side of the resource boards in use; raise ComponentsError `component_missing`."""
        printed = "on the resource boards: the side, A or B, that all players use"
        side = require_value(self.resources.side, "resources.side", printed)
        return self.resources.A if side == "A" else self.resources.B

    def last(self, track: str) -> int:
        """Return the number of the final space of a track; raise ComponentsError `component_missing`."""
        last: int | None = getattr(self.board, track).last
        key = f"resources.{self.resources.side}.{track}.last"
        return require_value(last, key, f"on the resource board: the {track} track")

    def population_rings(self) -> tuple[int, ...]:
        """Return the spaces of the population track with rings; raise ComponentsError `component_missing`."""
        printed = "on the resource board: rings (victory points) along the population track"
        rings = self.board.population.rings
        return require_value(rings, f"resources.{self.resources.side}.population.rings", printed)

    def rings(self, monument: str) -> int:
        """Return the rings on a monument's card; raise ComponentsError `component_missing`."""
        card = self.monuments[monument]
        printed = f"on the card of {card.name}: its rings (victory points)"
        return require_value(card.rings, f"monuments.{monument}.rings", printed)

    def missing(self) -> tuple[ComponentsError, ...]:
        """Return the missing values that every table's score needs, as errors; values of a side only once it is known.

        The rings of a monument are asked for by the score of a table on which it lies.
        """
        lookups: list[Callable[[], object]] = [partial(self.terrain, colour) for colour in COLOURS]
        lookups += [*(partial(self.last, track) for track in TRACKS), self.population_rings]
        return list_missing_values(lookups)


@lru_cache(maxsize=MAX_CACHED_FILES)
def repaint_maps(components: Components, names: tuple[tuple[str, str], ...]) -> Components:
    """Return the components of a table after players change colours, by pairs of the old and the new.

    On side B, the map in front of each player stays the same.
    """
    swapped = dict(names)
    owners = [new for new in swapped.values() if new not in swapped]
    left = [old for old in swapped if old not in swapped.values()]
    swapped |= zip(owners, left, strict=True)
    rivers = {swapped.get(colour, colour): getattr(components.map.B, colour) for colour in COLOURS}
    maps = components.map.model_copy(update={"B": Rivers(**rivers)})
    return components.model_copy(update={"map": maps})


@lru_cache(maxsize=MAX_CACHED_FILES)
def load_components(text: str | None) -> Components:
    """Return the components from a person's TOML, or those of every copy; raise ComponentsError `components_invalid`.

    Monuments of another box are included if the copy has that box, or states their rings.
    """
    components = read_components(Components, DEFAULT_FILE, text)
    monuments = {
        id: card
        for id, card in components.monuments.items()
        if card.expansion is None or components.box.mundo or card.rings is not None
    }
    return components.model_copy(update={"monuments": monuments})
