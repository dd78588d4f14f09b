"""The boxes of a game, the tiles left to draw, and the tile that a player lays."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from scoring.carcassonne.board.board import PlacedWonder, Placement
from scoring.carcassonne.board.notation import parse_tile
from scoring.carcassonne.play.moves import Move
from scoring.carcassonne.play.placement import Tiles, find_empty_neighbours, find_tile_places, find_wonder_places
from scoring.carcassonne.tiles.catalogue import LATER_PRINTINGS, START_TILES, load_catalogue
from scoring.carcassonne.tiles.geometry import Square
from scoring.carcassonne.tiles.layout import TileLayout
from scoring.carcassonne.wonders.tiles import WonderLayout
from scoring.errors import PlayError

BOXES_IN_PLAY = ("base", "river1", "river2", "inns", "traders", "abbot")
"""Boxes that can be played. The Abbot has no tiles of its own: with it, the gardens of other boxes count.

A box holds the tiles of all its printings: a game of one printing leaves the few tiles of the other undrawn.
"""
_START, _SPRING = START_TILES
_RIVERS = ("river1", "river2")


@dataclass(frozen=True)
class Stack:
    """The tiles left, by id, in phases: each phase is drawn completely before the next, in random order.

    `gardens`: a tile with a garden counts separately from its plain twin.
    """

    phases: tuple[Mapping[str, int], ...]
    gardens: bool = False

    def __len__(self) -> int:
        return sum(sum(phase.values()) for phase in self.phases)

    def __iter__(self) -> Iterator[str]:
        """Yield the ids that may be drawn next."""
        return (tile for tile, number in (self.phases[0] if self.phases else {}).items() if number)

    def drawn(self, name: str) -> Stack:
        """Return the stack after a tile is drawn; raise PlayError (not_in_stack) if there is none."""
        tile = self.named(name)
        first: Mapping[str, int] = self.phases[0] if self.phases else {}
        if not first.get(tile):
            raise PlayError("not_in_stack", f"no tile {tile} is left to draw now", tile=tile)
        left = {**first, tile: first[tile] - 1}
        return replace(self, phases=((left,) if any(left.values()) else ()) + self.phases[1:])

    def named(self, name: str) -> str:
        """Return the id under which a tile is counted in this stack."""
        placement = parse_tile_name(name)
        return placement.layout.id if self.gardens else placement.tile

    def tiles(self) -> Iterator[str]:
        """Yield the ids of all tiles left, in any phase."""
        return iter(dict.fromkeys(tile for phase in self.phases for tile, number in phase.items() if number))


def parse_tile_name(name: str) -> Placement:
    """Return a tile by id or letter, unturned, with its garden if the id has one."""
    return parse_tile(f"{name if len(name) == 1 else f'({name})'}0")


def get_start_tile(names: tuple[str, ...]) -> Placement:
    """Return the tile on the table when a game begins: the start tile of the base game, or a river's spring."""
    return Placement(_SPRING if any(name in _RIVERS for name in names) else _START)


def build_stack(names: tuple[str, ...], start: Placement, further: Iterable[str] = ()) -> Stack:
    """Return the stack of some boxes and `further` tiles without the start tile; the river is drawn first, its ends
    last.

    Raises PlayError (not_in_stack) for a start tile that is in none of the boxes.
    """
    gardens = "abbot" in names
    plain = [name for name in names if name not in (*_RIVERS, "abbot")]
    river = [
        layout
        for layout in load_catalogue(*(name for name in names if name in _RIVERS))
        if layout.id != _SPRING and not layout.id.startswith(LATER_PRINTINGS)
    ]
    phases = (
        _count_tiles((layout for layout in river if len(_list_mouths(layout)) > 1), gardens),
        _count_tiles((layout for layout in river if len(_list_mouths(layout)) == 1), gardens),
        _count_tiles((layout for name in plain for layout in load_catalogue(name)), gardens) + Counter(further),
    )
    if start.tile == _SPRING:
        return Stack(tuple(phase for phase in phases if phase), gardens)
    land = Stack((phases[2],), gardens).drawn(start.layout.id)
    return replace(land, phases=(*(phase for phase in phases[:2] if phase), *land.phases))


def build_remaining_stack(names: tuple[str, ...], lying: Iterable[Placement], further: Iterable[str] = ()) -> Stack:
    """Return the stack of some boxes and `further` tiles without the tiles already on the table, wonders excluded.

    Raises PlayError (not_in_stack) if more tiles of a kind are on the table than there are.
    """
    stack, beyond = _take_lying(names, lying, further)
    if beyond:
        text = f"more tiles {beyond[0]} lie than the boxes hold: two base games are 'base base'"
        raise PlayError("not_in_stack", text, tile=beyond[0])
    return stack


def list_further_tiles(names: tuple[str, ...], lying: Iterable[Placement]) -> tuple[str, ...]:
    """List the tiles on the table that the boxes do not hold, wonders excluded: of other boxes, or too many of one."""
    return tuple(_take_lying(names, lying)[1])


def _take_lying(
    names: tuple[str, ...], lying: Iterable[Placement], further: Iterable[str] = ()
) -> tuple[Stack, list[str]]:
    """Return the stack without the tiles already on the table, and those of them that it lacks."""
    gardens = "abbot" in names
    whole = build_stack(names, get_start_tile(names), further)
    phases, beyond = [Counter(phase) for phase in whole.phases], list[str]()
    plain = [placement for placement in lying if placement.wonder is None and placement.tile != _SPRING]
    if get_start_tile(names).tile != _SPRING:
        phases[-1][_START] += 1
    for placement in plain:
        name = placement.layout.id if gardens else placement.tile
        phase = next((phase for phase in phases if phase[name]), None)
        if phase is None:
            beyond.append(name)
        else:
            phase[name] -= 1
    return Stack(tuple(phase for phase in phases if any(phase.values())), gardens), beyond


def _count_tiles(layouts: Iterable[TileLayout], gardens: bool) -> Counter[str]:
    """Return the number of tiles of each id; if gardens count, one of each with a garden is its twin."""
    counts: Counter[str] = Counter()
    for layout in layouts:
        twin = layout.garden if gardens else None
        counts[layout.id] += layout.count - (twin is not None)
        if twin:
            counts[twin.id] += 1
    return +counts


def _list_mouths(layout: TileLayout) -> list[str]:
    return [side for side in "NESW" if layout.edge(side) == "river"]


@dataclass(frozen=True)
class Supply:
    """The stack, and the tile lying face down in front of the owner of Abu Simbel."""

    stack: Stack
    kept_tile: str | None = None

    @property
    def is_empty(self) -> bool:
        """Return whether no tile is left at all."""
        return not len(self.stack) and self.kept_tile is None

    def left(self) -> Iterator[str]:
        """Yield the ids of all tiles left."""
        yield from self.stack.tiles()
        if self.kept_tile:
            yield self.kept_tile


def draw_tiles(supply: Supply, move: Move, chooses: bool) -> Supply:
    """Return the supply after a move's draw; raise PlayError if its tiles cannot have been drawn.

    `chooses`: the player has Abu Simbel in effect. The legality of removed tiles is not checked here.
    """
    stack = supply.stack
    for tile in move.removed:
        stack = stack.drawn(tile)
    if isinstance(move.tile, PlacedWonder):
        if move.keeps is not None:
            raise PlayError("nothing_to_keep", "who lays a wonder draws no tiles to choose from")
        if move.extra is not None:
            stack = stack.drawn(move.extra.placement.layout.id)
        return Supply(stack, supply.kept_tile)
    if move.extra is not None:
        raise PlayError("no_extra_tile", "an extra tile is drawn only for a wonder that fits nowhere")
    tile, keeps = stack.named(move.tile.placement.layout.id), stack.named(move.keeps) if move.keeps else None
    return (_draw_by_choice if chooses else _draw_plainly)(Supply(stack, supply.kept_tile), tile, keeps)


def _draw_plainly(supply: Supply, tile: str, keeps: str | None) -> Supply:
    """Return the supply after a usual draw. "Abu Simbel": an unchosen last tile goes to the player whose turn comes."""
    if keeps is not None:
        raise PlayError("nothing_to_keep", "only Abu Simbel lets its owner keep a tile")
    if not len(supply.stack) and supply.kept_tile == tile:
        return Supply(supply.stack)
    return Supply(supply.stack.drawn(tile), supply.kept_tile)


def _draw_by_choice(supply: Supply, tile: str, keeps: str | None) -> Supply:
    """Return the supply after a draw with Abu Simbel ("Scoring during the game: Abu Simbel").

    One of 2 tiles is laid and the other kept: both are drawn the first time, later one is the kept tile. If none is
    left to draw, the kept one is laid.
    """
    stack, kept_tile = supply.stack, supply.kept_tile
    if keeps is None:
        if len(stack) + (kept_tile is not None) > 1:
            raise PlayError("must_keep_a_tile", "with Abu Simbel a tile is kept while there are two to choose from")
        return Supply(stack) if kept_tile == tile else Supply(stack.drawn(tile))
    if kept_tile is None:
        return Supply(stack.drawn(tile).drawn(keeps), keeps)
    if kept_tile not in (tile, keeps):
        raise PlayError(
            "kept_tile_lost", f"the tile kept before ({kept_tile}) is neither laid nor kept", tile=kept_tile
        )
    return Supply(stack.drawn(keeps if kept_tile == tile else tile), keeps)


def refuse_wrong_removals(move: Move, tiles: Tiles, frontier: set[Square]) -> None:
    """Raise PlayError (tile_fits) if a tile was taken out of the game that could have been used.

    Base game, "Placing a tile": a tile that fits nowhere is put away and another drawn. "1. Placing a wonder tile": a
    tile drawn for a wonder is put away if it cannot make room for it, even if it fits itself.
    """
    for name in move.removed:
        if isinstance(move.tile, PlacedWonder):
            usable = can_make_room(name, move.tile.layout, tiles, frontier)
        else:
            usable = any(find_tile_places(parse_tile_name(name), tiles, frontier))
        if usable:
            raise PlayError("tile_fits", f"tile {name} was put away, which could have been laid", tile=name)


def can_make_room(name: str, wonder: WonderLayout, tiles: Tiles, frontier: set[Square]) -> bool:
    """Return whether a tile can be laid so that a wonder fits beside it."""
    for place in find_tile_places(parse_tile_name(name), tiles, frontier):
        with_it = {**tiles, **place.placements}
        if any(find_wonder_places(wonder, with_it, sorted(find_empty_neighbours([place.square], with_it)))):
            return True
    return False
