"""Checks of the shape of pieces and the ground beneath them ("Placing Pieces on the Map").

A piece beside an unknown square may continue there, so its shape is not judged.
"""

from __future__ import annotations

from collections.abc import Iterator

from scoring.connected_squares import group_connected_squares
from scoring.spots.game import Trouble
from scoring.world_wonders.board import Board, Piece
from scoring.world_wonders.components import ANY_SQUARE, LAND_SQUARE, WATER_SQUARE, Components, Monument
from scoring.world_wonders.kinds import BUILDINGS, TOWER
from scoring.world_wonders.shapes import can_cover_squares, list_quarter_turns, shift_to_origin


def find_form_problems(components: Components, board: Board) -> Iterator[Trouble]:
    """Yield the violations by shapes and ground of the pieces on a map.

    Codes: broken_piece, wrong_shape, on_water, bridge_end_on_water, bridge_over_land, monument_terrain.
    """
    for piece in board.pieces:
        card = components.monuments.get(piece.kind)
        if any(square in board.unknown for square in board.borders[piece.name]):
            whole = False
        elif _is_broken(piece, card):
            whole = False
            yield _build_trouble("broken_piece", board, piece, "lies in parts that do not touch")
        elif not (whole := _has_a_shape(components, piece, card)):
            yield _build_trouble("wrong_shape", board, piece, "has a shape that no such piece has")
        yield from _find_ground_problems(board, piece, card, whole)


def _find_ground_problems(board: Board, piece: Piece, card: Monument | None, whole: bool) -> Iterator[Trouble]:
    water = [board.terrain.is_water(square) for square in piece.squares]
    if piece.kind == "bridge":
        if whole and (water[0] or water[-1]):
            yield _build_trouble("bridge_end_on_water", board, piece, "does not start and end on land")
        elif whole and not any(water):
            yield _build_trouble("bridge_over_land", board, piece, "lies over no water, where a road is laid")
    elif not piece.name.is_monument:
        if any(water):
            yield _build_trouble("on_water", board, piece, "lies on water")
    elif card is not None and whole and not _suits_terrain(board, piece, card):
        yield _build_trouble("monument_terrain", board, piece, "stands where its card does not allow it")


def _is_broken(piece: Piece, card: Monument | None) -> bool:
    """Return whether a piece is in too many parts; only a monument's card states how many it may have."""
    if not piece.name.is_monument:
        return len(group_connected_squares(piece.squares)) > 1
    pieces = None if card is None else len(card.footprint) if card.footprint is not None else card.pieces
    if pieces is None or card is None:
        return False
    return len(group_connected_squares(piece.squares)) > (pieces if card.apart is not False else 1)


def _has_a_shape(components: Components, piece: Piece, card: Monument | None) -> bool:
    size = len(piece.squares)
    if piece.kind == "bridge":
        return size == components.roads.long and _is_straight(piece)
    if piece.kind == "road":
        return size in (components.roads.long, *components.roads.short_set) and _is_straight(piece)
    if piece.kind == TOWER:
        return components.towers.squares in (None, size)
    if piece.kind in BUILDINGS:
        stacks = components.buildings.shapes
        return stacks is None or any(
            shift_to_origin(piece.squares) in map(frozenset, list_quarter_turns(stack.squares)) for stack in stacks
        )
    parts = None if card is None else card.parts
    anywhere = [dict.fromkeys(part, ANY_SQUARE) for part in parts or ()]
    return parts is None or can_cover_squares(anywhere, dict.fromkeys(piece.squares, LAND_SQUARE))


def _suits_terrain(board: Board, piece: Piece, card: Monument) -> bool:
    """Return whether the ground matches a monument's card; natural resources count as land."""
    water = board.terrain.is_water
    ground = {square: WATER_SQUARE if water(square) else LAND_SQUARE for square in piece.squares}
    enough = [*ground.values()].count(WATER_SQUARE) >= (card.water or 0)
    return enough and (card.parts is None or can_cover_squares(card.parts, ground))


def _is_straight(piece: Piece) -> bool:
    return len({row for row, _ in piece.squares}) == 1 or len({col for _, col in piece.squares}) == 1


def _build_trouble(code: str, board: Board, piece: Piece, text: str) -> Trouble:
    values = {"colour": board.player} | piece.name.words
    return Trouble(code, f"{board.player}: {piece.name.said} {text}", board.spots(piece.squares), values)
