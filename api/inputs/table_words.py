"""Typed facts about a table: players, tiles, goods, owners of wonders, rules of boxes."""

from __future__ import annotations

import re
from collections.abc import Iterable

from api.errors import CorrectionError, TableError, TrackError
from api.i18n import fold_name, list_names
from scoring.carcassonne.board.board import Board
from scoring.carcassonne.board.box_rules import parse_box_rules
from scoring.carcassonne.board.boxes import parse_boxes
from scoring.carcassonne.final.table import HOLDINGS, MAX_PLAYERS, MAX_TILES, MAX_TOKENS, Table, find_wonder_id
from scoring.carcassonne.wonders.tiles import WONDERS
from scoring.player_colours import COLOURS, describe_unknown_colour, find_colour

NOBODY = "nobody"
_TOKENS = re.compile(r"\s*([^.=]*[^\s.=])\s*\.\s*([a-z]+)\s*=\s*([0-9]{1,4})\s*")
_GIVEN = re.compile(r"\s*([^=]*[^=\s])\s*=\s*([+-]?\d{1,4})\s*", re.ASCII)


def parse_table_words(
    players: str | int | None = None,
    tiles: str | int | None = None,
    goods: Iterable[str] = (),
    owners: Iterable[str] = (),
    box_rules: Iterable[str] = (),
    boxes: Iterable[str] = (),
) -> Table:
    """Parse a table from two numbers and words such as `blue.wine=3`, `alhambra=blue`, `inns=off` and `base=2`.

    Raises TableError, and RulesetError `bad_box_rules`, `bad_boxes`.
    """
    return Table(
        tiles_in_play=_parse_number(tiles, MAX_TILES, "bad_tile_count"),
        goods=_parse_goods(goods),
        player_count=_parse_number(players, MAX_PLAYERS, "bad_player_count"),
        owners=_parse_owners(owners),
        box_rules=parse_box_rules(",".join(box_rules)),
        boxes=parse_boxes(",".join(boxes)),
    )


def parse_track_points(given: Iterable[str]) -> dict[str, int]:
    """Parse points by colour from words such as `blue=90`; raises TrackError.

    Whether these colours play is checked only by `add_track_points`.
    """
    typed: dict[str, int] = {}
    for word in given:
        match = _GIVEN.fullmatch(word)
        if match is None:
            raise TrackError("bad_track", details={"given": word})
        colour, points = find_colour(match[1]), int(match[2])
        if points < 0:
            raise TrackError("negative_track", details={"given": word})
        if colour in typed:
            raise TrackError("track_twice", details={"colour": colour})
        typed[colour] = points
    return typed


def check_table(board: Board, table: Table) -> None:
    """Raise TableError for a table that contradicts a board.

    Players have the usual colours of pieces, and any further ones on the board.
    """
    for colour in (colour for counts in table.goods.values() for colour in counts):
        check_colour(colour, board.players)
    for owner in table.owners.values():
        if owner is not None:
            check_owner(owner, "null", board.players)
    there = {wonder.layout.id for wonder in board.wonders}
    if missing := sorted(table.owners.keys() - there):
        raise TableError("wonder_not_there", details={"wonder": missing[0], "there": sorted(there)})
    if table.tiles_in_play is not None and table.tiles_in_play < len(board.tiles):
        raise TableError("too_few_tiles", details={"count": table.tiles_in_play, "on_the_table": len(board.tiles)})


def check_colour(colour: str, further: Iterable[str] = ()) -> str:
    """Return the player's colour, or the further one, that a word names.

    Raises TableError `colour_unknown` for any other word.
    """
    known = list(dict.fromkeys((*COLOURS, *further)))
    if (found := find_colour(colour, known)) not in known:
        raise TableError("colour_unknown", details=describe_unknown_colour(colour, known))
    return found


def refuse_colour(colour: str) -> str:
    """Return the colour that a word names; raises CorrectionError if no player's pieces can have it."""
    if (found := find_colour(colour)) not in COLOURS:
        raise CorrectionError("colour_unknown", details=describe_unknown_colour(colour))
    return found


def check_owner(colour: str, nobody: str, further: Iterable[str] = ()) -> str:
    """Return the colour of a wonder's owner as `check_colour` does; its error names the word for `nobody`."""
    try:
        return check_colour(colour, further)
    except TableError as error:
        text = f"{error.text} For a wonder that nobody holds it is {nobody}."
        raise TableError(error.code, text, {**error.details, "nobody": nobody}) from error


def _parse_number(number: str | int | None, most: int, code: str) -> int | None:
    if number is None or number == "":
        return None
    text = str(number).strip()
    if not re.fullmatch(r"\d{1,4}", text, re.ASCII) or not 1 <= int(text) <= most:
        raise TableError(code, details={"given": text, "most": most})
    return int(text)


def _parse_goods(words: Iterable[str]) -> dict[str, dict[str, int]]:
    goods: dict[str, dict[str, int]] = {}
    for word in words:
        match = _TOKENS.fullmatch(word.lower())
        if match is None or match[2] not in HOLDINGS or int(match[3]) > MAX_TOKENS:
            raise TableError("bad_goods", details={"given": word, "goods": list(HOLDINGS), "most": MAX_TOKENS})
        colour, counts = check_colour(match[1]), goods.setdefault(match[2], {})
        if colour in counts:
            raise TableError("goods_twice", details={"given": word})
        counts[colour] = int(match[3])
    return goods


def _find_wonder_by_name(name: str) -> str | None:
    """Find the id of a wonder by its name in any language."""
    return {fold_name(title): id for id in WONDERS for title in list_names("wonder", id)}.get(fold_name(name))


def _parse_owners(words: Iterable[str]) -> dict[str, str | None]:
    owners: dict[str, str | None] = {}
    for word in words:
        name, equals, colour = word.partition("=")
        colour, id = find_colour(colour), find_wonder_id(name) or _find_wonder_by_name(name)
        if not equals or id is None:
            raise TableError("bad_owner", details={"given": word})
        if id in owners:
            raise TableError("owner_twice", details={"given": word})
        owners[id] = None if colour == NOBODY else check_owner(colour, NOBODY)
    return owners
