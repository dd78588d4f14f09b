"""The roster of an event: who plays at which table of which round, from a CSV."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from io import StringIO

from api.documents.tile_corrections import MAX_PLAYER_NAME_CHARACTERS
from api.tournament.errors import BatchError
from scoring.player_colours import COLOURS, find_colour, fold_word

MAX_PAIRINGS = 5000
"""Maximum number of tables in a roster. A guess."""
MAX_PLACE_CHARACTERS = 40
"""Maximum length of the name of a contest, a round or a table. A guess."""
_PLACE = {"event": "contest", "round": "round", "table": "table"}
_OTHER_WORDS = {
    "contest": ("turnier", "turneu"),
    "round": ("runde", "runda"),
    "table": ("tisch", "masa"),
}
"""Headings in German and Romanian, without accents."""
_HEADINGS = _PLACE | {word: column for column, words in _OTHER_WORDS.items() for word in words}
_SEPARATOR = re.compile(r"\Asep=.\s*\n", re.IGNORECASE)
"""The first line by which a spreadsheet states what separates the cells."""
_PLAYER = re.compile(r"(players?|spieler([:*_]?in(nen)?)?|jucato(r(ul|i|ii)?|are(a|le)?))(\s*\d+)?")


@dataclass(frozen=True, slots=True)
class Pairing:
    """The players of one table of one round: `names` by colour, and `players` whose colours are open."""

    contest: str
    round: str
    table: str
    names: Mapping[str, str] = field(default_factory=dict)
    players: tuple[str, ...] = ()

    @property
    def place(self) -> tuple[str, str, str]:
        """Its place in the event."""
        return self.contest, self.round, self.table


def parse_roster(text: str) -> list[Pairing]:
    """Parse a roster: a CSV with a header, separated by commas, semicolons or tabs; without any text it is empty.

    Its columns are `table`, and any of `event`, `round`, a colour (who plays it), and `player 1`, `player 2` and so on,
    whose colours are open, in English, German or Romanian; a cell of `players` holds several names between semicolons.
    Raises BatchError `bad_roster`, `bad_roster_line`, `roster_repeats`, `roster_too_long`.
    """
    text = _SEPARATOR.sub("", text.removeprefix("\N{BYTE ORDER MARK}"))
    if not text.strip():
        return []
    header = text.partition("\n")[0]
    delimiter = max(",;\t", key=header.count)
    rows = csv.reader(StringIO(text), delimiter=delimiter, strict=True)
    try:
        columns = [_name_column(title) for title in next(rows, [])]
        _check_columns(columns)
        pairings = [_parse_row(columns, cells, rows.line_num) for cells in rows if any(map(str.strip, cells))]
    except csv.Error as error:
        raise BatchError("bad_roster_line", details={"line": rows.line_num, "column": 1}) from error
    _refuse_repeated(pairings)
    return pairings


def _name_column(title: str) -> str:
    name = fold_word(title)
    return "player" if _PLAYER.fullmatch(name) else _HEADINGS.get(name) or find_colour(title)


def _check_columns(columns: Sequence[str]) -> None:
    known = (*_PLACE.values(), *COLOURS, "player")
    unknown = sorted({column for column in columns if column not in known})
    single = [column for column in columns if column != "player"]
    if unknown:
        raise BatchError("bad_roster", details={"key": ", ".join(unknown)})
    if "table" not in columns or len({*single}) < len(single):
        raise BatchError("bad_roster", details={"key": ", ".join(columns)})


def _parse_row(columns: Sequence[str], cells: Sequence[str], line: int) -> Pairing:
    if len(cells) > len(columns):
        raise _build_line_error(line, len(columns), "", cells[len(columns)])
    place = dict.fromkeys(_PLACE.values(), "")
    names: dict[str, str] = {}
    players: list[str] = []
    for number, (column, cell) in enumerate(zip(columns, cells, strict=False)):
        word = " ".join(cell.split())
        if not _may_stand(column, word):
            raise _build_line_error(line, number, column, word)
        if column in place:
            place[column] = word
        elif column == "player":
            players += _split_players(word)
        elif word:
            names[column] = word
    if not place["table"]:
        raise _build_line_error(line, columns.index("table"), "table", "")
    return Pairing(**place, names=names, players=tuple(players))


def _split_players(cell: str) -> Iterator[str]:
    return filter(None, (name.strip() for name in cell.split(";")))


def _may_stand(column: str, word: str) -> bool:
    """Return whether a word can be printed and is no longer than a place or a name may be."""
    longest = MAX_PLACE_CHARACTERS if column in _PLACE.values() else MAX_PLAYER_NAME_CHARACTERS
    parts = _split_players(word) if column == "player" else (word,)
    return all(part.isprintable() and len(part) <= longest for part in parts)


def _build_line_error(line: int, number: int, column: str, word: str) -> BatchError:
    details = {"line": line, "column": number + 1, "key": column, "given": word}
    return BatchError("bad_roster_line", details=details)


def _refuse_repeated(pairings: Sequence[Pairing]) -> None:
    """Raise BatchError for too many tables, a table that stands twice, and a player at two tables of one round."""
    if len(pairings) > MAX_PAIRINGS:
        raise BatchError("roster_too_long", details={"tables": len(pairings), "most": MAX_PAIRINGS})
    places: set[object] = set()
    for pairing in pairings:
        round_of = (pairing.contest, pairing.round)
        players = [(*round_of, name) for name in (*pairing.names.values(), *pairing.players)]
        for one in (("table", *pairing.place), *players):
            if one in places:
                raise BatchError("roster_repeats", details={"round": pairing.round, "key": one[-1]})
            places.add(one)
