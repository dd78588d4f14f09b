"""A board in one line of text.

    -4W0D2-J2/-C0-2L1N0 blue_0,5=fWL red^0,7=cS

Rows from north to south are parted by `/`. A tile is its letter and its clockwise quarter turns, `??` a tile that is
there but unknown, `-` an empty square, `-4` four of them. A board that does not begin at row 0 and column 0 says so
first: `@-2,3 `. Then come the meeples: colour, pose (`^` standing, `_` lying, `~` upside down, `*` a disc), row and
column, and where: `M` the monastery, `cW` the city at the west edge, `rE` a road, `fSR` the field at the western half
of the south edge (edges as placed), `?` no known feature. A piece that is no plain meeple says its kind, as in
`red.big^1,1=M`. An empty board is `-`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from scoring.carcassonne.board import Board, PlacedMeeple, Placement
from scoring.carcassonne.catalogue import base_catalogue
from scoring.carcassonne.geometry import HALF_EDGES, SIDES, Square
from scoring.carcassonne.places import place_name, segment_named
from scoring.errors import BoardError, NotationError

POSES = {"^": "standing", "_": "lying", "~": "upside_down", "*": "disc"}
_MARKS = {pose: mark for mark, pose in POSES.items()}
_KINDS = {"c": "city", "r": "road", "f": "field"}

_ORIGIN = re.compile(r"@(-?\d{1,4}),(-?\d{1,4})(?: |$)")
_EMPTY = re.compile(r"-(\d{0,3})")
_TILE = re.compile(r"([A-Z])(.?)")
_SQUARE = r"(?P<row>-?\d{1,4}),(?P<col>-?\d{1,4})"
_MEEPLE = re.compile(
    rf"(?P<colour>[a-z-]+)(?:\.(?P<kind>[a-z-]+))?(?P<pose>[{re.escape(''.join(POSES))}]){_SQUARE}=(?P<where>\S+)"
)
_WHERE = re.compile(rf"M|\?|[cr](?:{'|'.join(SIDES)})|f(?:{'|'.join(HALF_EDGES)})")


def write(board: Board) -> str:
    """The notation of a board."""
    origin = _origin(board)
    start = "" if origin == (0, 0) else f"@{origin[0]},{origin[1]} "
    return start + " ".join([_write_rows(board, origin), *(_write_meeple(board, meeple) for meeple in board.meeples)])


def read(text: str) -> Board:
    """The board of a notation; raises NotationError, which says at which character."""
    row, col, position = _read_origin(text)
    rows = text[position:].split(" ")[0]
    if not rows:
        raise NotationError("no_tiles", "the rows of tiles are missing", position)
    tiles = dict(_read_rows(text, position, position + len(rows), (row, col)))
    return Board(tiles, tuple(_read_meeples(text, position + len(rows), tiles)))


def _origin(board: Board) -> Square:
    if not board.tiles:
        return 0, 0
    return min(row for row, _ in board.tiles), min(col for _, col in board.tiles)


def _write_rows(board: Board, origin: Square) -> str:
    if not board.tiles:
        return "-"
    last = max(row for row, _ in board.tiles)
    return "/".join(_write_row(board, row, origin[1]) for row in range(origin[0], last + 1))


def _write_row(board: Board, row: int, first: int) -> str:
    text, expected = "", first
    for col in sorted(col for tile_row, col in board.tiles if tile_row == row):
        text += _write_empty(col - expected) + _write_tile(board.tiles[row, col])
        expected = col + 1
    return text


def _write_empty(length: int) -> str:
    return f"-{length}" if length > 1 else "-" * length


def _write_tile(placement: Placement | None) -> str:
    return "??" if placement is None else f"{placement.layout.letter}{placement.turns}"


def _write_meeple(board: Board, meeple: PlacedMeeple) -> str:
    kind = "" if meeple.kind == "meeple" else f".{meeple.kind}"
    row, col = meeple.square
    return f"{meeple.colour}{kind}{_MARKS[meeple.pose]}{row},{col}={_write_where(board, meeple)}"


def _write_where(board: Board, meeple: PlacedMeeple) -> str:
    placement = board.tiles.get(meeple.square)
    if placement is None or meeple.segment is None:
        return "?"
    kind, _, edge = place_name(placement.layout, placement.turns, meeple.segment).partition(":")
    return kind[0] + edge if edge else "M"


def _read_origin(text: str) -> tuple[int, int, int]:
    if not text.startswith("@"):
        return 0, 0, 0
    match = _ORIGIN.match(text)
    if not match:
        raise NotationError("bad_origin", "the first square must be given as '@row,col '", 0)
    return int(match[1]), int(match[2]), match.end()


def _read_rows(text: str, position: int, end: int, origin: Square) -> Iterator[tuple[Square, Placement | None]]:
    row, col = origin
    while position < end:
        if text[position] == "/":
            row, col, position = row + 1, origin[1], position + 1
        elif empty := _EMPTY.match(text, position, end):
            col, position = col + int(empty[1] or 1), empty.end()
        else:
            yield (row, col), _read_tile(text, position, end)
            col, position = col + 1, position + 2


def _read_tile(text: str, position: int, end: int) -> Placement | None:
    if text.startswith("??", position, end):
        return None
    match = _TILE.match(text, position, end)
    if not match:
        raise NotationError("bad_row", f"{text[position]!r} is no tile, '-' or '/'", position)
    letter, turns = match.groups()
    if letter not in base_catalogue():
        raise NotationError("unknown_letter", f"no tile has the letter {letter!r}", position)
    if turns not in tuple("0123"):
        raise NotationError("bad_turn", f"tile {letter} must be followed by its turns, 0 to 3", position + 1)
    return Placement(letter, int(turns))


def _read_meeples(text: str, position: int, tiles: dict[Square, Placement | None]) -> Iterator[PlacedMeeple]:
    while position < len(text):
        word = text[position + 1 :].split(" ")[0]
        yield _read_meeple(word, position + 1, tiles)
        position += 1 + len(word)


def _read_meeple(word: str, position: int, tiles: dict[Square, Placement | None]) -> PlacedMeeple:
    match = _MEEPLE.fullmatch(word)
    if not match:
        raise NotationError("bad_meeple", f"{word!r} is no meeple, as in 'blue^3,4=cW'", position)
    square = int(match["row"]), int(match["col"])
    segment = _read_where(match["where"], tiles.get(square), position + match.start("where"))
    try:
        return PlacedMeeple(match["colour"], square, segment, POSES[match["pose"]], match["kind"] or "meeple")
    except BoardError as error:
        raise NotationError(error.code, error.text, position) from error


def _read_where(where: str, placement: Placement | None, position: int) -> int | None:
    if not _WHERE.fullmatch(where):
        raise NotationError("bad_place", f"{where!r} is no place, as in 'M', 'cW', 'rE', 'fSR' or '?'", position)
    if where == "?":
        return None
    name = "monastery" if where == "M" else f"{_KINDS[where[0]]}:{where[1:]}"
    segment = segment_named(placement.layout, placement.turns, name) if placement else None
    if segment is None:
        raise NotationError("no_such_place", f"there is no {name.replace(':', ' at ')} on that square", position)
    return segment
