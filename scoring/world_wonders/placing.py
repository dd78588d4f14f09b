"""Checks of the neighbours of pieces ("Placing Pieces on the Map"), as far as a finished map allows.

The order of placement is unknown: a piece is rejected only if no order can have allowed it. A square of unknown content
may hold any piece that is needed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence, Set

from scoring.spots.game import Trouble
from scoring.world_wonders.board import Board, Piece
from scoring.world_wonders.components import Components
from scoring.world_wonders.kinds import BUILDINGS, ROADS, TOWER, UNNAMED, Numbered


def find_placement_problems(components: Components, board: Board) -> Iterator[Trouble]:
    """Yield the pieces of a map that cannot have been placed legally.

    Codes: no_first_road, lonely_road, lonely_building, lonely_tower, monument_not_beside, placed_in_no_order.
    """
    lonely = [piece for piece in board.pieces if not _may_lie(components, board, piece, board.borders.keys())]
    has_first_road = _has_first_road(board)
    for piece in lonely:
        if piece.name.is_monument:
            yield from _report_missing_neighbours(components, board, piece)
        elif has_first_road or piece.kind not in ROADS:
            yield _build_lonely_trouble(board, piece)
    if not has_first_road:
        text = f"{board.player}: no road lies at the Sidewalk, where the first must"
        yield Trouble("no_first_road", text, _list_spots(board, board.roads), {"colour": board.player})
    elif left := _find_unplaceable(components, board, lonely):
        text = f"{board.player}: {len(left)} pieces lie so that each needs another of them to be there before it"
        yield Trouble(
            "placed_in_no_order", text, _list_spots(board, left), {"colour": board.player, "pieces": len(left)}
        )


def find_missing_neighbours(
    components: Components, board: Board, piece: Piece, placed: Set[Numbered]
) -> tuple[str, ...]:
    """Return the neighbours that a monument's card requires but are missing; one required twice must be there twice."""
    card = components.monuments.get(piece.kind)
    if card is None or piece.kind == UNNAMED:
        return ()
    there = _count_neighbours(board, piece, placed)
    return tuple(what for what, number in Counter(card.adjacent).items() if there[what] < number)


def _count_neighbours(board: Board, piece: Piece, placed: Set[Numbered]) -> Counter[str]:
    """Return the number of adjacent pieces and printed squares of each sort; land and water count even if covered."""
    counts: Counter[str] = Counter()
    for other in _list_adjacent(board, piece, placed):
        counts["road" if other.kind in ROADS else "monument" if other.name.is_monument else other.kind] += 1
        counts["building"] += other.kind in BUILDINGS
    terrain = board.terrain
    for near in board.borders[piece.name]:
        beyond = terrain.beyond(near)
        if beyond is not None:
            counts[beyond] += 1
        elif not terrain.is_green(near):
            counts["water" if terrain.is_water(near) else "natural-resource"] += 1
    return counts


def _may_lie(components: Components, board: Board, piece: Piece, placed: Set[Numbered]) -> bool:
    near = board.borders[piece.name]
    if any(square in board.unknown for square in near):
        return True
    if piece.name.is_monument:
        return not find_missing_neighbours(components, board, piece, placed)
    beside = _list_adjacent(board, piece, placed)
    if piece.kind in ROADS:
        return _is_at_sidewalk(board, piece) or any(other.kind in (*ROADS, TOWER) for other in beside)
    if piece.kind == TOWER:
        return bool(beside)
    return any(other.kind in (*ROADS, piece.kind) for other in beside)


def _find_unplaceable(components: Components, board: Board, wrong_pieces: Sequence[Piece]) -> list[Piece]:
    """Return the pieces left after placing all possible ones in turn; pieces known to be wrong do not block others."""
    placed = {piece.name for piece in wrong_pieces}
    left = [piece for piece in board.pieces if piece.name not in placed]
    while more := {piece.name for piece in left if _may_lie(components, board, piece, placed)}:
        placed |= more
        left = [piece for piece in left if piece.name not in more]
    return left


def _has_first_road(board: Board) -> bool:
    bottom = board.terrain.rows - 1
    somewhere = any(row == bottom for row, _ in board.unknown)
    return somewhere or not board.roads or any(_is_at_sidewalk(board, road) for road in board.roads)


def _is_at_sidewalk(board: Board, piece: Piece) -> bool:
    return any(board.terrain.beyond(near) == "sidewalk" for near in board.borders[piece.name])


def _list_adjacent(board: Board, piece: Piece, placed: Set[Numbered]) -> list[Piece]:
    return [other for other in board.beside[piece.name] if other.name in placed]


def _report_missing_neighbours(components: Components, board: Board, piece: Piece) -> Iterator[Trouble]:
    for what in find_missing_neighbours(components, board, piece, board.borders.keys()):
        values = {"colour": board.player, "beside": what} | piece.name.words
        text = f"{board.player}: {piece.name.said} is not beside what its card asks for: {what}"
        yield Trouble("monument_not_beside", text, board.spots(piece.squares), values)


def _build_lonely_trouble(board: Board, piece: Piece) -> Trouble:
    named = f"{board.player}: {piece.name.said}"
    code, text = f"lonely_{piece.kind}", f"{named} stands beside nothing"
    if piece.kind in ROADS:
        code, text = "lonely_road", f"{named} lies beside no other road, no tower and not at the Sidewalk"
    elif piece.kind in BUILDINGS:
        code, text = "lonely_building", f"{named} lies beside no road and no other tile of its type"
    return Trouble(code, text, board.spots(piece.squares), {"colour": board.player} | piece.name.words)


def _list_spots(board: Board, pieces: Sequence[Piece]) -> tuple[str, ...]:
    return tuple(spot for piece in pieces for spot in board.spots(piece.squares))
