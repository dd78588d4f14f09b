"""A game's record as text.

    players blue yellow
    boxes base inns
    wonders 1 stonehenge alhambra abu-simbel
    rules C3
    start D1
    1 blue K3@0,1 cW = 4 0
    2 yellow -E V1@1,1 big:rW = 4 0
    3 blue (WH/alhambra)1@-2,3 cW@-2,3 fSL@-1,3 = 4 0
    4 yellow B0@0,2 M keeps:A takes:yellow:stonehenge = 4 10
    total 60 51

The head lists the players in turn order, the boxes (`base base` for 2 base games) with any tiles beyond them (`boxes
base (AM/A) (GQ/RFI) L`), the maximum number of wonders per
player and the wonders laid out (`-`: none), the rule set (with the boxes whose own rules are stated to be played or
not: `rules C3 inns=off,traders=on`), and the start tile. The record of a game found under way has the found board
instead of this tile, and the points so far: `start board K3V1/A0. red^0,0=cW = 12 7`. Its first player is the one on
turn then.

A move has its number, its player, the tiles put away first (`-E`), the tile with its turns and its square, the pieces
set on it, other actions, and the scores after it. Tiles and the places of pieces are written as in a board's notation
(see `scoring.carcassonne.board.notation`); squares are row and column relative to the start tile, and a wonder's square
is that of its own square (0, 0). A piece on a wonder tile has its square, and a piece other than a plain meeple its
kind. `+K3@0,1` is a tile drawn and laid to make room for a wonder. `marks:big^@-1,2` gives the marker of the wonder
laid and its place, unless it is a meeple upside down in the middle: the kind of piece, its pose (`^`, `_`, `~` or `*`
as in a board's notation), and its square if that differs from the layout's. `recalls:abbot` takes the abbot back from
the board. The halves of a builder's double turn are 2 moves of one player. `open` is the last word of a move between
photos that leave points open: it is the likeliest one. `total` ends a finished game: the points including the final
scoring.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from scoring.carcassonne.board.board import PlacedWonder
from scoring.carcassonne.board.box_rules import format_box_rules, parse_box_rules
from scoring.carcassonne.board.notation import (
    MARKS,
    POSES,
    format_notation,
    format_place,
    format_tile,
    parse_notation,
    parse_place,
    parse_tile,
)
from scoring.carcassonne.final.rulesets import get_ruleset
from scoring.carcassonne.play.moves import USUAL_MARKER, Laid, Marker, Move, PlacedTile, Stand, Taking
from scoring.carcassonne.play.setup import Setup
from scoring.carcassonne.play.stack import parse_tile_name
from scoring.carcassonne.record.record import HEAD_KEYS, HEAD_LINES, Record, RecordedMove, format_numbers
from scoring.carcassonne.tiles.geometry import Square
from scoring.carcassonne.wonders.catalogue import load_wonder_catalogue
from scoring.carcassonne.wonders.tiles import WonderLayout
from scoring.errors import RecordError, ScoringError
from scoring.player_colours import COLOURS, explain_unknown_colour

_NONE, _BOARD = "-", "board"
_LINE = re.compile(r"(?P<number>\d{1,6}) (?P<player>\S+) (?P<words>.+) = (?P<scores>-?\d+(?: -?\d+)*)", re.ASCII)
_AT = r"@(?P<row>-?\d{1,4}),(?P<col>-?\d{1,4})"
_TILE = re.compile(rf"(?P<name>[A-Z]|\([^() ]+\))(?P<turns>[0-3]){_AT}", re.ASCII)
_STAND = re.compile(rf"(?:(?P<kind>[a-z-]+):)?(?P<where>[A-Za-z0-9]+)(?:{_AT})?", re.ASCII)
_MARKER = re.compile(rf"(?P<kind>[a-z-]+)(?P<pose>[{re.escape(''.join(POSES))}])(?:{_AT})?", re.ASCII)
_NUMBER = re.compile(r"-?\d{1,6}", re.ASCII)
_NAME = re.compile(r"[A-Z]|\([^() ]+\)")
_PREFIX, _RECALLS, _OPEN = "WH/", "recalls:abbot", "open"
_LINE_OF_CODE = {"bad_players": 1, "unknown_box": 2, "unknown_wonder": 3, "wonder_twice": 3, "too_few_wonders": 3}
"""Line of the head with the error if a game cannot be set up, by the error's code."""

_Wonders = Mapping[str, WonderLayout]


def format_record(record: Record) -> str:
    """Return the text of a record."""
    lines = [*_format_head(record.setup)]
    for number, recorded in enumerate(record.moves, 1):
        words = " ".join([*_format_words(recorded.move), *[_OPEN] * recorded.open])
        lines.append(f"{number} {recorded.move.player} {words} = {format_numbers(recorded.scores)}")
    if record.totals is not None:
        lines.append(f"total {format_numbers(record.totals)}")
    return "\n".join(lines) + "\n"


def parse_record(text: str, wonders: _Wonders | None = None) -> Record:
    """Return the record from a text; raise RecordError, which names the line.

    `wonders` are layouts by id for wonders that differ from the catalogue's.
    """
    lines = text.splitlines()
    setup = _read_head(lines, wonders)
    totals, end = None, len(lines)
    if end > HEAD_LINES and lines[-1].startswith("total "):
        end -= 1
        totals = _read_numbers(lines[end].removeprefix("total "), len(setup.players), end + 1)
    moves = (_read_move(lines[at], at + 1, setup, wonders or load_wonder_catalogue()) for at in range(HEAD_LINES, end))
    return Record(setup, tuple(moves), totals)


def _format_head(setup: Setup) -> Iterator[str]:
    yield f"players {' '.join(setup.players)}"
    yield f"boxes {' '.join([*setup.boxes, *map(_format_name, setup.further)])}"
    names = [wonder.removeprefix(_PREFIX) for wonder in setup.wonders]
    yield f"wonders {' '.join([str(setup.wonders_each), *names]) if names else _NONE}"
    yield " ".join(["rules", setup.rules.name, *filter(None, [format_box_rules(setup.box_rules)])])
    yield f"start {_format_start(setup)}"


def _format_start(setup: Setup) -> str:
    if setup.start_board is not None:
        return f"{_BOARD} {format_notation(setup.start_board)} = {format_numbers(setup.points)}"
    return format_tile(setup.start) if setup.start else _NONE


def _read_head(lines: list[str], layouts: _Wonders | None) -> Setup:
    values: list[list[str]] = []
    for number, key in enumerate(HEAD_KEYS, 1):
        words = lines[number - 1].split() if number <= len(lines) else []
        if len(words) < 2 or words[0] != key:
            raise RecordError("bad_head", f"a line '{key} ...' is missing", number)
        values.append(words[1:])
    players, boxes, wonders, rules, start = values
    if (stranger := next((word for word in players if word not in COLOURS), None)) is not None:
        text, details = explain_unknown_colour(stranger)
        raise RecordError("colour_unknown", text, 1, **details)
    each, *names = wonders if wonders != [_NONE] else ["1"]
    if not (each.isascii() and each.isdecimal() and len(each) == 1):
        raise RecordError("bad_head", "the line of wonders begins with how many each player may take", 3)
    line = 2
    try:
        further = tuple(_read_name(word) for word in boxes if _NAME.fullmatch(word))
        names_of_boxes = tuple(word for word in boxes if not _NAME.fullmatch(word))
        line = 4
        edition, _, choices = " ".join(rules).partition(" ")
        chosen, box_rules = get_ruleset(edition), parse_box_rules(choices)
        line = 5
        wonder_ids = tuple(_PREFIX + name for name in names)
        setup = Setup(
            tuple(players), names_of_boxes, wonder_ids, int(each), chosen, box_rules=box_rules, further=further
        )
        return _add_start(setup, " ".join(start), layouts)
    except RecordError:
        raise
    except ScoringError as error:
        line = _LINE_OF_CODE.get(error.code, line)
        raise RecordError(error.code, error.text, line, **error.details) from error


def _add_start(setup: Setup, start: str, layouts: _Wonders | None) -> Setup:
    """Return the setup with the start tile, or the found board."""
    if start == _NONE:
        return setup
    if not start.startswith(f"{_BOARD} "):
        return replace(setup, start=parse_tile(start))
    board, _, points = start.removeprefix(f"{_BOARD} ").rpartition(" = ")
    so_far = _read_numbers(points, len(setup.players), HEAD_LINES)
    return replace(setup, start_board=parse_notation(board, layouts), points=so_far)


def _format_words(move: Move) -> Iterator[str]:
    yield from (f"-{_format_name(tile)}" for tile in move.removed)
    if move.extra:
        yield f"+{_format_tile_at(move.extra)}"
    yield _format_tile_at(move.tile)
    yield from (_format_stand(stand, move.tile) for stand in move.stands)
    if move.marker != USUAL_MARKER:
        yield f"marks:{_format_marker(move.marker)}"
    if move.recalls_abbot:
        yield _RECALLS
    if move.keeps:
        yield f"keeps:{_format_name(move.keeps)}"
    yield from (f"takes:{taking.player}:{taking.wonder.removeprefix(_PREFIX)}" for taking in move.takes)


def _format_name(tile: str) -> str:
    return format_tile(parse_tile_name(tile))[:-1]


def _format_tile_at(tile: Laid) -> str:
    if isinstance(tile, PlacedWonder):
        return f"({tile.layout.id}){tile.turns % 4}{_format_square(tile.anchor)}"
    return format_tile(tile.placement) + _format_square(tile.square)


def _format_stand(stand: Stand, tile: Laid) -> str:
    kind = "" if stand.kind == "meeple" else f"{stand.kind}:"
    at = _format_square(stand.square) if isinstance(tile, PlacedWonder) else ""
    return kind + format_place(tile.placements[stand.square], stand.segment) + at


def _format_marker(marker: Marker) -> str:
    at = "" if marker.square is None else _format_square(marker.square)
    return f"{marker.kind}{MARKS[marker.pose]}{at}"


def _format_square(square: Square) -> str:
    return f"@{square[0]},{square[1]}"


def _read_move(text: str, line: int, setup: Setup, wonders: _Wonders) -> RecordedMove:
    match = _LINE.fullmatch(text)
    if not match:
        raise RecordError("bad_move", "a move reads 'NUMBER PLAYER TILE ... = SCORES'", line)
    if int(match["number"]) != line - HEAD_LINES:
        raise RecordError("bad_number", f"move {line - HEAD_LINES} is called {match['number']}", line)
    words = match["words"].split(" ")
    is_open = words[-1] == _OPEN
    try:
        move = _read_words(match["player"], words[:-1] if is_open else words, wonders)
    except ScoringError as error:
        raise RecordError(error.code, error.text, line) from error
    return RecordedMove(move, _read_numbers(match["scores"], len(setup.players), line), is_open)


def _read_words(player: str, words: list[str], wonders: _Wonders) -> Move:
    removed: list[str] = []
    extra, tile, keeps, recalls, marker = None, None, None, False, USUAL_MARKER
    stands: list[Stand] = []
    takes: list[Taking] = []
    for word in words:
        key, _, value = word.partition(":")
        if key == "keeps":
            keeps = _read_name(value)
        elif key == "takes":
            taker, _, wonder = value.partition(":")
            takes.append(Taking(taker, _PREFIX + wonder))
        elif key == "marks":
            marker = _read_marker(value)
        elif word == _RECALLS:
            recalls = True
        elif word.startswith("-"):
            removed.append(_read_name(word[1:]))
        elif word.startswith("+"):
            extra = _read_plain(word[1:])
        elif tile is None:
            tile = _read_wonder(word, wonders) or _read_plain(word)
        else:
            stands.append(_read_stand(word, tile))
    if tile is None:
        raise ScoringError("no_tile", "no tile is laid")
    return Move(player, tile, tuple(stands), tuple(takes), tuple(removed), extra, keeps, recalls, marker)


def _read_name(name: str) -> str:
    if not _NAME.fullmatch(name):
        raise ScoringError("bad_tile", f"{name!r} is no tile, as in 'K' or '(IC/RrRr)'")
    return parse_tile(f"{name}0").layout.id


def _match_tile(word: str) -> re.Match[str]:
    match = _TILE.fullmatch(word)
    if not match:
        raise ScoringError("bad_tile", f"{word!r} is no laid tile, as in 'K3@0,1'")
    return match


def _read_plain(word: str) -> PlacedTile:
    match = _match_tile(word)
    placement = parse_tile(match["name"] + match["turns"])
    return PlacedTile(placement, (int(match["row"]), int(match["col"])))


def _read_wonder(word: str, wonders: _Wonders) -> PlacedWonder | None:
    match = _match_tile(word)
    layout = wonders.get(match["name"].strip("()"))
    return PlacedWonder(layout, (int(match["row"]), int(match["col"])), int(match["turns"])) if layout else None


def _read_marker(word: str) -> Marker:
    match = _MARKER.fullmatch(word)
    if not match:
        raise ScoringError("bad_meeple", f"{word!r} is no marker of a wonder, as in 'big^', 'meeple~@2,3'")
    square = (int(match["row"]), int(match["col"])) if match["row"] else None
    return Marker(match["kind"], POSES[match["pose"]], square)


def _read_stand(word: str, tile: Laid) -> Stand:
    match = _STAND.fullmatch(word)
    if not match or (match["row"] is None) == isinstance(tile, PlacedWonder):
        raise ScoringError("bad_meeple", f"{word!r} is no piece set on that tile, as in 'cW', 'big:rE', 'fSL@2,3'")
    placements = tile.placements
    square = (int(match["row"]), int(match["col"])) if match["row"] else next(iter(placements))
    placement = placements.get(square)
    if placement is None:
        raise ScoringError("not_on_the_tile", f"the tile does not lie on {square}")
    return Stand(square, parse_place(match["where"], placement), match["kind"] or "meeple")


def _read_numbers(text: str, players: int, line: int) -> tuple[int, ...]:
    """Return one number per player, in turn order; raise RecordError `bad_scores` for any other text."""
    words = text.split()
    if len(words) != players or not all(_NUMBER.fullmatch(word) for word in words):
        raise RecordError("bad_scores", f"{players} numbers are needed, one for each player", line)
    return tuple(int(word) for word in words)
