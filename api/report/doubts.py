"""Doubts of a reading that matter, in the report's words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Literal

from api.report.schema import ALSO, Doubt, Point
from api.report.wonder_edges import EDGES, format_edges
from scoring.carcassonne.board.board import Board, PlacedMeeple
from scoring.carcassonne.board.places import name_segment
from scoring.carcassonne.doubt.alternatives import (
    MEEPLE,
    Alternative,
    AnotherMeeple,
    OtherCount,
    OtherPlace,
    OtherPlayer,
    OtherSpecial,
    OtherTile,
    OtherWonder,
    UnseenMarker,
)
from scoring.carcassonne.doubt.relevance import ScoreChange, ScoreDoubts
from scoring.carcassonne.tiles.geometry import Square
from scoring.percent import round_share
from vision.reading.board import place_meeple
from vision.reading.values import Reading
from vision.squares.coat_posterior import is_coat_twin

Values = dict[str, int | str]
SIDE_NAMES = {"N": "north", "E": "east", "S": "south", "W": "west"}


def build_doubts(doubts: ScoreDoubts, board: Board, reading: Reading | None = None) -> Iterator[Doubt]:
    """Yield the doubts that can change a player's points: unknown tiles, then the likeliest changes.

    With the `reading`, each doubt includes the feet of the pieces concerned.
    """
    yield from build_unknown_tile_doubts(doubts.unknown)
    for change in doubts.to_review:
        doubt = _doubt(change, board)
        both = [change.alternative, *([change.also] if change.also else [])]
        feet = dict.fromkeys(foot for other in both for foot in (_list_feet(other, board, reading) if reading else ()))
        doubt.feet_px = [(round(x, 1), round(y, 1)) for x, y in feet]
        yield doubt


def _list_feet(other: Alternative, board: Board, reading: Reading) -> Iterator[Point]:
    """Yield the feet of the pieces that an alternative concerns, as far as the photo shows them."""
    indices: Iterable[int] = ()
    further: Iterable[PlacedMeeple] = ()
    if isinstance(other, OtherPlace):
        indices = (other.meeple,)
    elif isinstance(other, OtherSpecial):
        indices = other.pieces
    elif isinstance(other, OtherCount):
        indices, further = sorted(other.gone), other.further
    elif isinstance(other, AnotherMeeple):
        further = (other.meeple,)
    elif isinstance(other, OtherPlayer):
        indices = (index for index, meeple in enumerate(board.meeples) if meeple.colour == other.colour)
    yield from (reading.meeples[index].foot_px for index in indices)
    places = [(place_meeple(possible), possible.foot_px) for possible in reading.possible_meeples]
    yield from (foot for meeple in further for placed, foot in places if placed == meeple)


def build_unknown_tile_doubts(squares: Iterable[Square]) -> Iterator[Doubt]:
    """Yield a doubt for each unknown square that may matter."""
    for square in squares:
        yield Doubt(square=square, about="tile", instead="unknown", probability=None, final_scoring=None)


def _tile_name(other: OtherTile, board: Board) -> tuple[str, Values]:
    read = board.tiles.get(other.square)
    if other.placement is None:
        return "no tile", {}
    layout = other.placement.layout
    name = layout.letter or layout.id
    values: Values = {"tile": name, "turns": other.placement.turns}
    if read is not None and is_coat_twin(read, other.placement):
        coats = sum(segment.shields for segment in layout.segments)
        return _name_coats(coats), {**values, "coats": coats}
    return f"{name} turned {other.placement.turns}", values


def _coat_name(other: OtherWonder, board: Board) -> tuple[Square, str, Values]:
    """Name a city of a wonder with other coats of arms: its first square, and the number of its squares."""
    squares, coats = next(iter(other.list_coat_cities(board)), (other.squares, 0))
    wonder = other.placed.layout.id if other.placed else ""
    return squares[0], _name_coats(coats), {"wonder": wonder, "coats": coats, "squares": len(squares)}


def _name_coats(number: int) -> str:
    return f"{number} coats of arms" if number > 1 else "a coat of arms" if number else "no coat of arms"


def _wonder_name(other: OtherWonder, board: Board) -> tuple[str, Values]:
    """Name a wonder by its differences from the one read: other edges of a copy, or another starting square."""
    placed = other.placed
    if placed is None:
        return "no wonder", {"wonder": ""}
    name, values = placed.layout.name, Values({"wonder": placed.layout.id, "turns": placed.turns})
    if {*placed.squares} != {*other.squares}:
        row, col = min(placed.squares)
        where = {"first_row": row, "first_col": col}
        return f"{name}, starting at {board.name_square((row, col))}", {**values, **where}
    read = next((here for here in board.wonders if placed.is_copy_of(here)), None)
    edges = {end: kind for end, kind in placed.edges.items() if read is not None and read.edges.get(end) != kind}
    if not edges:
        return f"{name} turned {placed.turns}", values
    differences = [f"{kind} at the {SIDE_NAMES[side]} of {board.name_square(at)}" for (at, side), kind in edges.items()]
    return "; ".join([name, *differences]), {**values, EDGES: format_edges(edges)}


def _place_name(meeple: PlacedMeeple | None, board: Board) -> str:
    """Name the place where a meeple may stand, as labels do: `city:W`."""
    placement = board.tiles.get(meeple.square) if meeple else None
    if meeple is None or meeple.segment is None or placement is None:
        return "no meeple"
    return name_segment(placement.layout, placement.turns, meeple.segment)


def _meeple_values(meeple: PlacedMeeple | None, board: Board) -> Values:
    if meeple is None:
        return {}
    place = _place_name(meeple, board)
    return {"colour": meeple.colour, "piece": meeple.kind, "place": "" if place == "no meeple" else place}


def _named(meeple: PlacedMeeple | None, board: Board) -> str:
    """Name a meeple by its colour, and by its kind unless plain: `blue on city:W`, `blue builder on city:W`."""
    if meeple is None:
        return "no meeple"
    kind = "" if meeple.kind == "meeple" else f" {meeple.kind}"
    return f"{meeple.colour}{kind} on {_place_name(meeple, board)}"


def _doubt(change: ScoreChange, board: Board) -> Doubt:
    other = change.alternative
    probability, totals = round_share(change.probability), dict(change.totals)
    about: Literal["tile", "meeple", "player", "pile"] = "meeple"
    values: Values
    if isinstance(other, OtherTile):
        about, square, (instead, values) = "tile", other.square, _tile_name(other, board)
    elif isinstance(other, OtherWonder) and other.coats:
        about, (square, instead, values) = "tile", _coat_name(other, board)
    elif isinstance(other, OtherWonder):
        about, square, (instead, values) = "tile", other.squares[0], _wonder_name(other, board)
    elif isinstance(other, OtherPlayer):
        about, instead, values = "player", other.instead, {"player": other.colour, "colour": other.instead}
        square = next(meeple.square for meeple in board.meeples if meeple.colour == other.colour)
    elif isinstance(other, OtherCount):
        read = board.meeples[min(other.gone)] if other.gone else other.further[0]
        about, square, instead = "pile", read.square, f"{other.count} {read.colour}"
        values = {"count": other.count, "colour": read.colour}
    elif isinstance(other, OtherSpecial):
        read_so = next((i for i in other.pieces if board.meeples[i].kind == other.kind), other.pieces[0])
        index, kind = (read_so, MEEPLE) if other.special is None else (other.special, other.kind)
        meeple = replace(board.meeples[index], kind=kind)
        square, instead, values = meeple.square, _named(meeple, board), _meeple_values(meeple, board)
    elif isinstance(other, AnotherMeeple | UnseenMarker):
        square, instead = other.meeple.square, _named(other.meeple, board)
        values = _meeple_values(other.meeple, board)
    else:
        read = board.meeples[other.meeple]
        read_piece = (read.colour, read.kind)
        repainted = other.instead is not None and (other.instead.colour, other.instead.kind) != read_piece
        square = read.square
        instead = _named(other.instead, board) if repainted else _place_name(other.instead, board)
        values = _meeple_values(other.instead, board)
    if change.also is not None:
        also = _doubt(ScoreChange(change.also, change.totals), board)
        row, col = also.square
        instead = f"{instead}, together with {also.instead} in {board.name_square(also.square)}"
        second: Values = {"row": row, "col": col, "about": also.about, "instead": also.instead, **also.values}
        values = {**values, **{f"{ALSO}{name}": value for name, value in second.items()}}
    return Doubt(
        square=square, about=about, instead=instead, probability=probability, final_scoring=totals, values=values
    )
