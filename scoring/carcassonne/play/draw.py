"""The tile that a player lays: one drawn, one kept by Abu Simbel, or a waiting wonder."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from scoring.carcassonne.board.board import PlacedWonder
from scoring.carcassonne.play.moves import Move
from scoring.carcassonne.play.placement import Tiles, find_empty_neighbours, find_tile_places, find_wonder_places
from scoring.carcassonne.play.stack import Stack, parse_tile_name
from scoring.carcassonne.tiles.geometry import Square
from scoring.carcassonne.wonders.tiles import WonderLayout
from scoring.errors import PlayError


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
