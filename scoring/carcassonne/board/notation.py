"""A board in one line of text.

    -4W0D2-J2/-C0-2L1N0 blue_0,5=fWL red^0,7=cS

Rows from north to south are separated by `/`. A tile is its letter and its clockwise quarter turns. A tile without a
letter has its id in parentheses, `(IC/RrRr)1`, as has a tile with its garden, `(BA/CG)1`, and each square of a wonder
tile, with its index, `(WH/alhambra#2)1`. `??` is an unknown tile, `-` an empty square, `-4` 4 of them; `.` and `.4` are
unseen squares. A tile of an expansion that is not scored here keeps its id, `(DG/CRFR)1`, and counts as unknown. A
board that does not begin at row 0 and column 0 starts with its first row and column: `@-2,3 `. The meeples follow:
colour, pose (`^` standing, `_` lying, `~` upside down, `*` a disc), row and column, and place: `M` the monastery, `G`
the garden, `W` the wonder, `cW` the city at the west edge, `rE` a road, `fSR` the field at the western half of the
south edge (edges as placed), `f` one that meets no edge (`f2` the second), `?` no known feature. A piece other than a
plain meeple has its kind, as in `red.big^1,1=M`. The last words list, as far as stated, the copies of boxes on the
table, `boxes:base=2`, and those whose own rules were or were not played, `rules:inns=off,traders=on`. An empty board is
`-`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby
from typing import TypeVar

from scoring.carcassonne.board.board import Board, PlacedMeeple, Placement, refuse_oversized_board
from scoring.carcassonne.board.box_rules import UNSAID, format_box_rules, parse_box_rules
from scoring.carcassonne.board.boxes import format_boxes, parse_boxes
from scoring.carcassonne.board.pieces import find_piece_colour
from scoring.carcassonne.board.places import find_segment, name_segment
from scoring.carcassonne.board.square_names import find_origin
from scoring.carcassonne.tiles.catalogue import load_base_catalogue
from scoring.carcassonne.tiles.expansions import ForeignTile, find_tile_expansion
from scoring.carcassonne.tiles.geometry import HALF_EDGES, SIDES, Square
from scoring.carcassonne.tiles.kinds import KINDS, get_feature_kind
from scoring.carcassonne.tiles.other_boxes import get_layout, load_whole_catalogue
from scoring.carcassonne.wonders.catalogue import load_wonder_catalogue
from scoring.carcassonne.wonders.tiles import WonderLayout
from scoring.errors import BoardError, NotationError, RulesetError, ScoringError
from scoring.player_colours import explain_unknown_colour

POSES = {"^": "standing", "_": "lying", "~": "upside_down", "*": "disc"}
MARKS = {pose: mark for mark, pose in POSES.items()}
_KINDS = {row.sign: kind for kind, row in KINDS.items()}
_RULES, _BOXES = "rules:", "boxes:"

_ORIGIN = re.compile(r"@(-?\d{1,4}),(-?\d{1,4})(?: |$)", re.ASCII)
_EMPTY = re.compile(r"([-.])(\d{0,3})", re.ASCII)
_TILE = re.compile(r"([A-Z]|\([^() ]*\))(.?)")
_SQUARE = r"(?P<row>-?\d{1,4}),(?P<col>-?\d{1,4})"
_MEEPLE = re.compile(
    rf"(?P<colour>[a-z-]+)(?:\.(?P<kind>[a-z-]+))?(?P<pose>[{re.escape(''.join(POSES))}]){_SQUARE}=(?P<where>\S+)",
    re.ASCII,
)
_SIDED = "".join(row.sign for row in KINDS.values() if row.edges == "sides")
_HALVED = "".join(row.sign for row in KINDS.values() if row.edges == "halves")
_WHERE = re.compile(
    rf"\?|[{_SIDED}](?:{'|'.join(SIDES)})|[{_HALVED}](?:{'|'.join(HALF_EDGES)})|[{''.join(_KINDS)}]\d{{0,2}}", re.ASCII
)

_Fact = TypeVar("_Fact")
_Wonders = Mapping[str, WonderLayout]
_SquareContent = Placement | ForeignTile | None
"""Content of a square: a known tile, one that is not scored here, or an unknown one."""


def format_notation(board: Board) -> str:
    """Return the notation of a board."""
    origin = find_origin(board.tiles.keys() | board.unseen)
    start = "" if origin == (0, 0) else f"@{origin[0]},{origin[1]} "
    facts = [_BOXES + format_boxes(board.boxes)] if board.boxes else []
    facts += [_RULES + format_box_rules(board.box_rules)] if board.box_rules else []
    meeples = (_write_meeple(board, meeple) for meeple in board.meeples)
    return start + " ".join([_write_rows(board, origin), *meeples, *facts])


def parse_notation(text: str, wonders: _Wonders | None = None) -> Board:
    """Return the board of a notation; raise NotationError, which names the character, or BoardError.

    Reading stops at more than `MAX_BOARD_SQUARES` tiles. `wonders` are layouts by id for wonders that differ from the
    catalogue's.
    """
    row, col, position = _read_origin(text)
    rows = text[position:].split(" ")[0]
    if not rows:
        raise NotationError("no_tiles", "the rows of tiles are missing", position)
    squares = list(_limit_squares(_read_rows(text, (position, position + len(rows)), (row, col), wonders)))
    contents = {square: tile for square, tile, is_visible in squares if is_visible}
    unseen = frozenset(square for square, _, is_visible in squares if not is_visible)
    foreign = {square: tile for square, tile in contents.items() if isinstance(tile, ForeignTile)}
    tiles = {square: tile if isinstance(tile, Placement) else None for square, tile in contents.items()}
    end, box_rules = _read_fact(text, _RULES, position + len(rows), parse_box_rules)
    end, boxes = _read_fact(text[:end], _BOXES, position + len(rows), parse_boxes)
    meeples, position = list[PlacedMeeple](), position + len(rows) + 1
    for word in text[position:end].split(" ") if position <= end else ():
        meeples.append(_read_meeple(word, position, tiles))
        position += len(word) + 1
    return Board(tiles, tuple(meeples), unseen, foreign, box_rules=box_rules or UNSAID, boxes=boxes or {})


def _write_rows(board: Board, origin: Square) -> str:
    by_row: dict[int, list[int]] = {}
    for row, col in sorted(board.tiles.keys() | board.unseen):
        by_row.setdefault(row, []).append(col)
    if not by_row:
        return "-"
    return "/".join(_write_row(board, row, origin[1], by_row.get(row, [])) for row in range(origin[0], max(by_row) + 1))


def _write_row(board: Board, row: int, first: int, cols: list[int]) -> str:
    text, expected = "", first
    for unseen, run in groupby(cols, key=lambda col: (row, col) in board.unseen):
        for start, length in _find_runs(run) if unseen else ((col, 1) for col in run):
            text += _write_empty(start - expected, "-")
            text += _write_empty(length, ".") if unseen else _write_tile(board, (row, start))
            expected = start + length
    return text


def _find_runs(cols: Iterator[int]) -> Iterator[tuple[int, int]]:
    """Yield the first column and the length of each gapless run of columns."""
    for _, group in groupby(enumerate(cols), key=lambda pair: pair[1] - pair[0]):
        run = [col for _, col in group]
        yield run[0], len(run)


def _write_empty(length: int, sign: str) -> str:
    return f"{sign}{length}" if length > 1 else sign * length


def _write_tile(board: Board, square: Square) -> str:
    placement, foreign = board.tiles[square], board.foreign.get(square)
    if placement is None:
        return f"({foreign.tile}){foreign.turns}" if foreign else "??"
    return format_tile(placement)


def format_tile(placement: Placement) -> str:
    """Return a tile with its turns as written in a row: `D1`, `(IC/RrRr)1`."""
    letter = "" if placement.garden else placement.layout.letter
    return f"{letter or f'({format_tile_token(placement)})'}{placement.turns}"


def format_tile_token(placement: Placement) -> str:
    """Return the name of a placed tile without its turns: its id, and for a square of a wonder also its index."""
    return placement.layout.id if placement.cell is None else f"{placement.tile}#{placement.cell}"


def parse_tile_token(token: str, turns: int, wonders: _Wonders | None = None) -> Placement:
    """Return the placed tile of a token, as the inverse of `format_tile_token`; raise CatalogueError or BoardError."""
    tile, _, cell = token.partition("#")
    if cell.isascii() and cell.isdecimal():
        return Placement(tile, turns, cell=int(cell), wonder=(wonders or load_wonder_catalogue()).get(tile))
    layout = get_layout(token)
    return Placement(layout.id, turns, garden=token in layout.aliases)


def parse_tile(text: str) -> Placement:
    """Return the placed tile of a text, as the inverse of `format_tile`; raise NotationError."""
    placement, end = _read_tile(text, 0, len(text), None)
    if not isinstance(placement, Placement) or end < len(text):
        raise NotationError("bad_row", f"{text!r} is not one known tile", 0)
    return placement


def _write_meeple(board: Board, meeple: PlacedMeeple) -> str:
    kind = "" if meeple.kind == "meeple" else f".{meeple.kind}"
    (row, col), placement = meeple.square, board.tiles.get(meeple.square)
    where = "?" if placement is None or meeple.segment is None else format_place(placement, meeple.segment)
    return f"{meeple.colour}{kind}{MARKS[meeple.pose]}{row},{col}={where}"


def format_place(placement: Placement, segment: int) -> str:
    """Return a meeple's place on a tile: `M`, `cW`, `fSR`."""
    kind, _, where = name_segment(placement.layout, placement.turns, segment).partition(":")
    return get_feature_kind(kind).sign + where


def parse_place(where: str, placement: Placement) -> int:
    """Return the index of the segment that a place names, as the inverse of `format_place`; raise NotationError."""
    segment = _read_where(where, placement, 0)
    if segment is None:
        raise NotationError("bad_place", "a place on the tile is needed", 0)
    return segment


def _read_origin(text: str) -> tuple[int, int, int]:
    if not text.startswith("@"):
        return 0, 0, 0
    match = _ORIGIN.match(text)
    if not match:
        raise NotationError("bad_origin", "the first square must be given as '@row,col '", 0)
    return int(match[1]), int(match[2]), match.end()


def _read_rows(
    text: str, span: tuple[int, int], origin: Square, wonders: _Wonders | None
) -> Iterator[tuple[Square, _SquareContent, bool]]:
    """Yield each square with its tile (None if unseen), and whether it is seen."""
    (position, end), (row, col) = span, origin
    while position < end:
        if text[position] == "/":
            row, col, position = row + 1, origin[1], position + 1
        elif empty := _EMPTY.match(text, position, end):
            length = int(empty[2] or 1)
            if empty[1] == ".":
                yield from (((row, col + step), None, False) for step in range(length))
            col, position = col + length, empty.end()
        else:
            placement, position = _read_tile(text, position, end, wonders)
            yield (row, col), placement, True
            col += 1


def _limit_squares(
    squares: Iterable[tuple[Square, _SquareContent, bool]],
) -> Iterator[tuple[Square, _SquareContent, bool]]:
    """Yield the squares; raise BoardError when there are more than a board may have."""
    tiles = unseen = 0
    for square in squares:
        tiles, unseen = tiles + square[2], unseen + (not square[2])
        refuse_oversized_board(tiles, unseen)
        yield square


def _read_tile(text: str, position: int, end: int, wonders: _Wonders | None) -> tuple[_SquareContent, int]:
    """Return a tile, and the position after it."""
    if text.startswith("??", position, end):
        return None, position + 2
    match = _TILE.match(text, position, end)
    if not match:
        raise NotationError("bad_row", f"{text[position]!r} is no tile, '-', '.' or '/'", position)
    name, turns = match.groups()
    if name in load_base_catalogue() or name.startswith("("):
        if turns not in tuple("0123"):
            raise NotationError("bad_turn", f"tile {name} must be followed by its turns, 0 to 3", match.end(1))
        return _read_named_tile(name, int(turns), position, wonders), match.end()
    raise NotationError("unknown_letter", f"no tile has the letter {name!r}", position)


def _read_named_tile(name: str, turns: int, position: int, wonders: _Wonders | None) -> Placement | ForeignTile:
    if not name.startswith("("):
        return Placement(name, turns)
    if find_tile_expansion(name[1:-1]) and name[1:-1] not in load_whole_catalogue():
        return ForeignTile(name[1:-1], turns)
    try:
        return parse_tile_token(name[1:-1], turns, wonders)
    except ScoringError as error:
        raise NotationError(error.code, error.text, position) from error


def _read_fact(text: str, name: str, position: int, parse: Callable[[str], _Fact]) -> tuple[int, _Fact | None]:
    """Return the position before the last word, and its value if it is the fact with this name."""
    start = text.rfind(" ") + 1
    if start <= position or not text.startswith(name, start):
        return len(text), None
    try:
        return start - 1, parse(text[start + len(name) :])
    except RulesetError as error:
        raise NotationError(error.code, error.text, start, **error.details) from error


def _read_meeple(word: str, position: int, tiles: dict[Square, Placement | None]) -> PlacedMeeple:
    match = _MEEPLE.fullmatch(word)
    if not match:
        raise NotationError("bad_meeple", f"{word!r} is no meeple, as in 'blue^3,4=cW'", position)
    square = int(match["row"]), int(match["col"])
    segment = _read_where(match["where"], tiles.get(square), position + match.start("where"))
    kind = match["kind"] or "meeple"
    if (colour := find_piece_colour(match["colour"], kind)) is None:
        text, details = explain_unknown_colour(match["colour"])
        raise NotationError("colour_unknown", text, position, **details)
    try:
        return PlacedMeeple(colour, square, segment, POSES[match["pose"]], kind)
    except BoardError as error:
        raise NotationError(error.code, error.text, position) from error


def _read_where(where: str, placement: Placement | None, position: int) -> int | None:
    if not _WHERE.fullmatch(where):
        raise NotationError(
            "bad_place", f"{where!r} is no place, as in 'M', 'G', 'W', 'cW', 'rE', 'fSR' or '?'", position
        )
    if where == "?":
        return None
    name = _KINDS[where[0]] + (f":{where[1:]}" if where[1:] else "")
    segment = find_segment(placement.layout, placement.turns, name) if placement else None
    if segment is None:
        raise NotationError("no_such_place", f"there is no {name.replace(':', ' at ')} on that square", position)
    return segment
