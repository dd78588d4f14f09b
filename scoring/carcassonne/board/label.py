"""Labels of photos: rows of tile tokens and a list of meeples, read into a board and written from one.

A token is a letter or `id@`, then clockwise quarter turns (`D1`, `BA/RCr@1`); `..` is empty, `??` unreadable. A square
of a wonder tile is `WH/alhambra#2@1`. A tile that is not in the catalogue becomes an unknown tile, which keeps its id
if it belongs to another expansion. `unseen` lists the squares outside the picture, `wonders` the layouts of the wonders
that differ from the catalogue's, each as in a wonder's file. `box_rules` states for boxes whether their own rules were
played (`{"inns": false}`). The label's facts about the table beside the board are read by
`scoring.carcassonne.final.table`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from scoring.carcassonne.board.board import Board, PlacedMeeple, Placement, refuse_oversized_board
from scoring.carcassonne.board.box_rules import BoxRules, read_box_choices
from scoring.carcassonne.board.boxes import read_boxes
from scoring.carcassonne.board.notation import format_tile_token, parse_tile_token
from scoring.carcassonne.board.pieces import find_piece_colour
from scoring.carcassonne.board.places import find_segment, name_segment
from scoring.carcassonne.board.square_names import ORIGIN, name_square
from scoring.carcassonne.tiles.catalogue import Catalogue, load_base_catalogue
from scoring.carcassonne.tiles.expansions import ForeignTile, find_tile_expansion
from scoring.carcassonne.tiles.geometry import Square
from scoring.carcassonne.tiles.kinds import join_kinds
from scoring.carcassonne.wonders.catalogue import is_shipped
from scoring.carcassonne.wonders.files import restore_wonder
from scoring.carcassonne.wonders.tiles import WONDERS, WonderLayout
from scoring.connected_squares import MAX_COORDINATE
from scoring.documents import DocumentError, parse_json
from scoring.errors import CatalogueError, LabelError, RulesetError
from scoring.player_colours import explain_unknown_colour

_TOKEN = re.compile(r"(?:(?P<letter>[A-Z])|(?P<id>\S+)@)[0-3]")
_ON = re.compile(
    rf"(?:{join_kinds('sides')}):[NESW]|(?:{join_kinds('halves')}):[NESW][LR]"
    rf"|(?:{join_kinds()})(?::\d+)?|unknown",
    re.ASCII,
)
_WONDER_SQUARES = {f"{wonder}#{square}" for wonder in WONDERS for square in range(5)}


def read_label(
    label: Mapping[str, Any], catalogue: Catalogue | None = None, wonders: Mapping[str, WonderLayout] | None = None
) -> Board:
    """Return the board of a label, with its meeples in the board's order; raise LabelError or BoardError.

    `catalogue` holds the known tiles, by default those of the base game. `wonders` are layouts by id for wonders that
    differ from the catalogue's and are not in the label.
    """
    tile_catalogue = catalogue or load_base_catalogue()
    wonders = {**(wonders or {}), **_read_wonders(label)}
    tokens = [(square, token) for square, token in _read_tokens(label) if token != ".."]
    refuse_oversized_board(len(tokens))
    tiles = {square: _read_placement(token, square, tile_catalogue, wonders) for square, token in tokens}
    unseen = frozenset(_read_unseen(label))
    foreign = {square: tile for square, token in tokens if (tile := _read_foreign_tile(token)) is not None}
    meeples = tuple(read_meeple(meeple, tiles) for meeple in list_meeples(label))
    box_rules, boxes = read_label_box_rules(label), read_label_boxes(label)
    return Board(tiles, meeples, unseen, foreign, box_rules=box_rules, boxes=boxes)


def parse_label(text: str) -> dict[str, Any]:
    """Return the content of a label's text, without checking it; raise LabelError `bad_label` if it is not an
    object.
    """
    try:
        label = parse_json(text)
    except DocumentError as error:
        raise LabelError("bad_label", f"the label is no JSON: {error}") from error
    if not isinstance(label, dict):
        raise LabelError("bad_label", "a label is an object")
    return label


def list_meeples(label: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the meeples of a label as written; raise LabelError `bad_label`."""
    return _read_list(label, "meeples", dict, "meeples, each an object")


def read_square(value: Any) -> Square:
    """Return a square written as [row, col]; raise ValueError for an invalid one, or one too far away for any board."""
    row, col = value
    if not all(isinstance(number, int) and not isinstance(number, bool) for number in (row, col)):
        raise ValueError(f"{value!r} is no square")
    if not -MAX_COORDINATE <= min(row, col) <= max(row, col) <= MAX_COORDINATE:
        raise ValueError(f"{value!r} lies further away than any square of a board")
    return row, col


def read_meeple(meeple: Mapping[str, Any], tiles: Mapping[Square, Placement | None]) -> PlacedMeeple:
    """Return one meeple of a label; on an unknown tile it has no segment. Raises LabelError."""
    try:
        row, col = read_square(meeple["cell"])
        word, on = str(meeple["colour"]), str(meeple["on"])
    except (KeyError, TypeError, ValueError) as error:
        raise LabelError("bad_meeple", f"a meeple needs cell, colour and on: {meeple!r}") from error
    segment = _read_segment(tiles.get((row, col)), on, (row, col))
    kind, pose = str(meeple.get("kind", "meeple")), str(meeple.get("pose", "standing"))
    if (colour := find_piece_colour(word, kind)) is None:
        text, details = explain_unknown_colour(word)
        raise LabelError("colour_unknown", text, **details)
    return PlacedMeeple(colour, (row, col), segment, pose, kind)


def write_label(board: Board) -> dict[str, Any]:
    """Return a board's label: `size`, `rows`, `meeples`, and `unseen`, `wonders`, `box_rules`, `boxes` if it has any.

    A meeple on no known feature stands on `unknown`. A label's squares begin at (0, 0); a board with smaller rows or
    columns raises LabelError.
    """
    if any(row < 0 or col < 0 for row, col in board.tiles):
        raise LabelError("negative_square", "a label's squares begin at row 0 and column 0")
    rows = max((row for row, _ in board.tiles), default=-1) + 1
    cols = max((col for _, col in board.tiles), default=-1) + 1
    tokens = [[_write_token(board, (row, col)) for col in range(cols)] for row in range(rows)]
    return {
        "size": [rows, cols],
        "rows": [" ".join(row) for row in tokens],
        "meeples": [_write_meeple(board, meeple) for meeple in board.meeples],
        **({"unseen": sorted(map(list, board.unseen))} if board.unseen else {}),
        **({"wonders": wonders} if (wonders := list_own_wonders(board)) else {}),
        **({"box_rules": choices} if (choices := board.box_rules.choices) else {}),
        **({"boxes": dict(board.boxes)} if board.boxes else {}),
    }


def list_own_wonders(board: Board) -> list[Mapping[str, Any]]:
    """Return the files' entries of the wonders on a board that differ from the catalogue's."""
    return [wonder.layout.entry for wonder in board.wonders if not is_shipped(wonder.layout)]


def _read_unseen(label: Mapping[str, Any]) -> Iterator[Square]:
    for square in _read_list(label, "unseen", list, "squares, each [row, col]"):
        try:
            yield read_square(square)
        except ValueError as error:
            raise LabelError("bad_label", f"'unseen' must list squares, each [row, col]: {error}") from error


def _read_list(label: Mapping[str, Any], name: str, kind: type, what: str, code: str = "bad_label") -> list[Any]:
    """Return a label's list with a name, empty if it has none; raise LabelError if it is invalid."""
    entries = label.get(name, [])
    if not isinstance(entries, list) or not all(isinstance(entry, kind) for entry in entries):
        raise LabelError(code, f"{name!r} must list {what}")
    return entries


def _read_wonders(label: Mapping[str, Any]) -> dict[str, WonderLayout]:
    entries = _read_list(label, "wonders", dict, "wonders' layouts, each as in a wonder's file", "bad_value")
    try:
        return {wonder.id: wonder for wonder in map(restore_wonder, entries)}
    except CatalogueError as error:
        raise LabelError(error.code, str(error)) from error


def read_label_box_rules(label: Mapping[str, Any]) -> BoxRules:
    """Return the boxes' rules that a label states; raise LabelError `bad_box_rules`."""
    try:
        return read_box_choices(label.get("box_rules", {}))
    except RulesetError as error:
        raise LabelError(error.code, error.text, field="box_rules", **error.details) from error


def read_label_boxes(label: Mapping[str, Any]) -> dict[str, int]:
    """Return the copies of boxes that a label states; raise LabelError `bad_boxes`."""
    try:
        return read_boxes(label.get("boxes", {}))
    except RulesetError as error:
        raise LabelError(error.code, error.text, field="boxes", **error.details) from error


def _read_tokens(label: Mapping[str, Any]) -> Iterator[tuple[Square, str]]:
    rows = label.get("rows")
    if not isinstance(rows, list) or not all(isinstance(row, str) for row in rows):
        raise LabelError("no_rows", "a label needs its rows of tile tokens")
    for row, line in enumerate(rows):
        for col, token in enumerate(line.split()):
            yield (row, col), token


def _read_placement(
    token: str, square: Square, catalogue: Catalogue, wonders: Mapping[str, WonderLayout] | None
) -> Placement | None:
    if token == "??":
        return None
    match = _TOKEN.fullmatch(token)
    if not match:
        raise LabelError("bad_token", f"{token!r} at {name_square(square, ORIGIN)} is no tile token", square=square)
    tile, turns = match["letter"] or match["id"], int(token[-1])
    if tile in catalogue:
        return Placement(tile, turns, garden=catalogue.gardens and tile in catalogue[tile].aliases)
    return parse_tile_token(tile, turns, wonders) if tile in _WONDER_SQUARES else None


def _read_foreign_tile(token: str) -> ForeignTile | None:
    match = _TOKEN.fullmatch(token)
    tile = match["id"] if match else None
    return ForeignTile(tile, int(token[-1])) if tile and find_tile_expansion(tile) else None


def _read_segment(placement: Placement | None, on: str, square: Square) -> int | None:
    if not _ON.fullmatch(on):
        raise LabelError("bad_place", f"{on!r} is no place, as in 'monastery', 'city:W' or 'field:SR'", square=square)
    if placement is None or on == "unknown":
        return None
    segment = find_segment(placement.layout, placement.turns, on)
    if segment is None:
        raise LabelError("no_such_place", f"the tile at {name_square(square, ORIGIN)} has no {on}", square=square)
    return segment


def _write_token(board: Board, square: Square) -> str:
    if square not in board.tiles:
        return ".."
    placement, foreign = board.tiles[square], board.foreign.get(square)
    if placement is None:
        return f"{foreign.tile}@{foreign.turns}" if foreign else "??"
    letter = "" if placement.garden else placement.layout.letter
    return f"{letter or format_tile_token(placement) + '@'}{placement.turns}"


def _write_meeple(board: Board, meeple: PlacedMeeple) -> dict[str, Any]:
    placement = board.tiles.get(meeple.square)
    if placement is None or meeple.segment is None:
        on = "unknown"
    else:
        on = name_segment(placement.layout, placement.turns, meeple.segment)
    return {
        "cell": list(meeple.square),
        "colour": meeple.colour,
        "kind": meeple.kind,
        "pose": meeple.pose,
        "on": on,
    }
