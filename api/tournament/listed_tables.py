"""The photos of a batch grouped into tables, with the facts about them: from a folder, a CSV, or file names."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from io import StringIO
from typing import TypeVar

from api.documents.corrections import CORRECTIONS, Correction, list_box_corrections, list_table_corrections
from api.documents.tile_corrections import MAX_PLAYER_NAME_CHARACTERS, SetPlayer, SetTrack, SetWonderOwner
from api.errors import TableError
from api.inputs.table_words import NOBODY, parse_table_words
from api.inputs.text import find_meant
from api.tournament.errors import BatchError
from scoring.carcassonne.board.box_rules import RULED_BOXES, UNSAID, BoxRules
from scoring.carcassonne.board.boxes import read_boxes
from scoring.carcassonne.final.table import Table
from scoring.errors import RulesetError
from scoring.player_colours import COLOURS, find_colour

FIELDS = ("event", "round", "table")
_TRACK = "_track"
_WONDERS, _PLAYERS, _TILES, _GOODS, _BOX_RULES = "wonders", "players", "tiles_in_play", "goods", "box_rules"
_BOXES = "boxes"
_Value = TypeVar("_Value", str, int)
_PART = re.compile(r"\{(\w*)\}")
_RUN = r"[0-9]+|[^\W\d_]+"
"""All the digits or all the letters at a place."""


@dataclass(frozen=True, slots=True)
class ListedTable:
    """One table of one round, or one photo without any facts; `photos` are names below the folder.

    `names` are the players by colour, `track` their points on the score track, `wonders` the owners' colours or
    `nobody`, and `played` the numbers of players and tiles, the goods, the copies of boxes, and the boxes' own rules
    played. `usual_rules` are the box rules for all tables, which apply unless this one has its own.
    """

    photos: tuple[str, ...]
    event: str = ""
    round: str = ""
    table: str = ""
    names: Mapping[str, str] = field(default_factory=dict)
    track: Mapping[str, int] = field(default_factory=dict)
    wonders: Mapping[str, str] = field(default_factory=dict)
    played: Table = field(default_factory=Table)
    usual_rules: BoxRules = UNSAID

    @property
    def said(self) -> str:
        """Facts about the table beside its photos, as corrections of a reading (JSON)."""
        corrections: list[Correction] = [
            *list_box_corrections(self.usual_rules, beforehand=True),
            *(SetPlayer(colour=colour, name=name) for colour, name in sorted(self.names.items())),
            *(SetTrack(colour=colour, points=points) for colour, points in sorted(self.track.items())),
            *(
                SetWonderOwner(wonder=wonder, colour=None if colour == NOBODY else colour, beforehand=True)
                for wonder, colour in sorted(self.wonders.items())
            ),
            *list_table_corrections(self.played),
        ]
        return CORRECTIONS.dump_json(corrections).decode()


@dataclass(frozen=True, slots=True)
class _Row:
    photo: str
    place: tuple[str, str, str] = ("", "", "")
    names: Mapping[str, str] = field(default_factory=dict)
    track: Mapping[str, int] = field(default_factory=dict)
    wonders: Mapping[str, str] = field(default_factory=dict)
    facts: Mapping[str, int] = field(default_factory=dict)


def group_photos_by_table(
    photos: Sequence[str], listing: str | None = None, pattern: str | None = None, usual: Table | None = None
) -> list[ListedTable]:
    """Group a batch's photos into tables, in the order of their first photos.

    `listing` is the text of a CSV with a header: `photo`, and any of `event`, `round`, `table`, a colour (its player),
    a colour with `_track` (that player's points on the score track), `wonders` (`alhambra=blue tikal=red`), `players`
    (their number), `tiles_in_play`, `goods` (`blue.wine=3 red.cloth=1`), `boxes` (`base=2`) and `box_rules`
    (`inns=off`), which override the `usual` ones at that table. Photos with the same event, round and table belong to
    one table; a photo without a table is on its own, and photos missing in the CSV are read as well; a name that is not
    UTF-8 is written as in the results. `pattern` extracts event, round and table from file names, as in
    `{event}/round-{round}-table-{table}{}`; a part before a bare `{}` is all digits there, or all letters.
    Raises BatchError: bad_listing, bad_pattern.
    """
    by_name = _build_matcher(pattern)
    rows = _match_names(_parse_rows(listing), photos) if listing is not None else []
    named = {row.photo for row in rows}
    rows += [_Row(photo, by_name(photo)) for photo in photos if photo not in named]
    return [_add_usual(listed_table, usual or Table()) for listed_table in _group_rows(rows)]


def _add_usual(table: ListedTable, usual: Table) -> ListedTable:
    """Return a table with the usual box rules, and with the usual copies of the boxes that it does not state."""
    boxes = read_boxes({**usual.boxes, **table.played.boxes})
    return replace(table, played=replace(table.played, boxes=boxes), usual_rules=usual.box_rules)


def _match_names(rows: Iterable[_Row], photos: Sequence[str]) -> list[_Row]:
    """Match rows to the photos' names, in which a backslash need not separate folders as it does in a CSV."""
    names = {name.replace("\\", "/"): name for name in photos if "\\" in name}
    for name in photos if names else ():
        names.pop(name, None)
    return [replace(row, photo=names.get(row.photo, row.photo)) for row in rows]


def _group_rows(rows: Iterable[_Row]) -> Iterator[ListedTable]:
    groups: dict[object, list[_Row]] = {}
    for row in rows:
        key: object = row.place if row.place[2] else row.photo
        groups.setdefault(key, []).append(row)
    _refuse_photos_at_two_tables(groups.values())
    for group in groups.values():
        photos = tuple(dict.fromkeys(row.photo for row in group))
        names_and_track = (_merge(group, [row.names for row in group]), _merge(group, [row.track for row in group]))
        owners, facts = _merge(group, [row.wonders for row in group]), _merge(group, [row.facts for row in group])
        yield ListedTable(photos, *group[0].place, *names_and_track, owners, _build_table(facts))


def _refuse_photos_at_two_tables(groups: Iterable[Sequence[_Row]]) -> None:
    """Raise BatchError for a photo that belongs to two tables: both would get its points."""
    places: dict[str, str] = {}
    for group in groups:
        place = " ".join(filter(None, group[0].place)) or "no table"
        for photo in dict.fromkeys(row.photo for row in group):
            if photo in places:
                what = f"{photo} stands at two tables, {places[photo]} and {place}"
                raise _build_listing_error(what, photo=photo, tables=[places[photo], place])
            places[photo] = place


def _build_table(facts: Mapping[str, int]) -> Table:
    """Build a table from its numbers, by column names and words such as `blue.wine`, `inns` and `boxes:base`."""
    goods: dict[str, dict[str, int]] = {}
    choices = {name: bool(facts[name]) for name in RULED_BOXES if name in facts}
    boxes = {name.removeprefix(f"{_BOXES}:"): count for name, count in facts.items() if name.startswith(_BOXES)}
    for name in (name for name in facts if "." in name and not name.startswith(_BOXES)):
        colour, _, kind = name.partition(".")
        goods.setdefault(kind, {})[colour] = facts[name]
    rules, players = BoxRules.of(choices), facts.get(_PLAYERS)
    return Table((), facts.get(_TILES), goods, players, box_rules=rules, boxes=read_boxes(boxes))


def _merge(rows: Sequence[_Row], mappings: Iterable[Mapping[str, _Value]]) -> dict[str, _Value]:
    """Merge the facts in several rows of one table; raises BatchError if they disagree."""
    merged: dict[str, _Value] = {}
    for mapping in mappings:
        for colour, value in mapping.items():
            if merged.setdefault(colour, value) != value:
                place = " ".join(rows[0].place).strip() or rows[0].photo
                raise _build_listing_error(f"its rows disagree about {colour} at {place}", table=place)
    return merged


def _parse_rows(text: str) -> Iterator[_Row]:
    reader = csv.DictReader(StringIO(text.removeprefix("\N{BYTE ORDER MARK}")), strict=True)
    columns = [_name_column(name) for name in reader.fieldnames or ()]
    _check_columns(columns)
    reader.fieldnames = columns
    try:
        for row in reader:
            lines_more = sum(cell.count("\n") for cell in row.values() if isinstance(cell, str))
            yield _parse_row(row, reader.line_num - lines_more)
    except csv.Error as error:
        raise _build_listing_error(f"line {reader.line_num}: {error}", line=reader.line_num) from error


def _name_column(title: str) -> str:
    """Return the name of a column by its title, in any case; colours are accepted in any known language."""
    name = title.strip().lower()
    colour = find_colour(name.removesuffix(_TRACK))
    return colour + name[len(name.removesuffix(_TRACK)) :] if colour in COLOURS else name


def _check_columns(columns: Sequence[str]) -> None:
    facts = {_WONDERS, _PLAYERS, _TILES, _GOODS, _BOX_RULES, _BOXES}
    allowed = {"photo", *FIELDS, *facts, *COLOURS, *(colour + _TRACK for colour in COLOURS)}
    unknown = sorted(set(columns) - allowed)
    if "photo" not in columns or unknown or len(set(columns)) < len(columns):
        what = f"unknown columns {', '.join(unknown)}" if unknown else "a column photo is wanted, and each once"
        meant = next(filter(None, (find_meant(name, allowed) for name in unknown)), {})
        raise _build_listing_error(what, columns=columns, **meant, known=sorted(allowed))


def _parse_row(cells: Mapping[str, str | None], line: int) -> _Row:
    if None in cells or not (photo := (cells["photo"] or "").strip()):
        raise _build_listing_error(f"line {line}: it has more cells than the header, or no photo", line=line)
    texts = {column: (value or "").strip() for column, value in cells.items()}
    _check_texts(texts, line)
    place = tuple(texts.get(name, "") for name in FIELDS)
    names = {colour: " ".join(texts[colour].split()) for colour in COLOURS if texts.get(colour)}
    track = {colour: _parse_points(texts[colour + _TRACK], line) for colour in COLOURS if texts.get(colour + _TRACK)}
    wonders = _parse_owners(texts.get(_WONDERS, ""), line)
    name = photo.replace("\\", "/").removeprefix("./")
    return _Row(name, (place[0], place[1], place[2]), names, track, wonders, _parse_facts(texts, line))


def _check_texts(texts: Mapping[str, str], line: int) -> None:
    """Raise BatchError for a name that no reading accepts, and for a place that cannot be printed."""
    for column in (*FIELDS, *COLOURS):
        text = texts.get(column, "")
        if not text.isprintable():
            raise _build_listing_error(f"line {line}: in {column} is a character that cannot be shown", line=line)
        if column in COLOURS and len(text) > MAX_PLAYER_NAME_CHARACTERS:
            raise _build_listing_error(
                f"line {line}: the name of {column} has more than {MAX_PLAYER_NAME_CHARACTERS} characters", line=line
            )


def _parse_owners(text: str, line: int) -> dict[str, str]:
    owners: dict[str, str] = {}
    for word in filter(None, re.split(r"\s+(?=[^\s=]+=)", text)):  # before each word with an assignment
        wonder, equals, word_of_colour = word.partition("=")
        colour = find_colour(word_of_colour)
        if not equals or colour not in (*COLOURS, NOBODY) or wonder in owners:
            raise _build_listing_error(f"line {line}: {word!r} is no wonder=colour, or named twice", line=line)
        owners[wonder] = colour
    return owners


def _parse_facts(texts: Mapping[str, str], line: int) -> dict[str, int]:
    try:
        goods = re.split(r"(?<=\d)\s+", texts.get(_GOODS, ""))  # after each number
        rules = re.split(r"[\s,]+", texts.get(_BOX_RULES, ""))
        boxes = re.split(r"[\s,]+", texts.get(_BOXES, ""))
        words = filter(None, goods), (), filter(None, rules), filter(None, boxes)
        table = parse_table_words(texts.get(_PLAYERS), texts.get(_TILES), *words)
    except (TableError, RulesetError) as error:
        given = error.details.get("given", error.details.get("colour"))
        raise _build_listing_error(f"line {line}: {given!r}: {error.text}".rstrip("."), line=line) from error
    numbers = {_PLAYERS: table.player_count, _TILES: table.tiles_in_play}
    tokens = {f"{colour}.{kind}": n for kind, counts in table.goods.items() for colour, n in counts.items()}
    choices = {box: int(played) for box, played in table.box_rules.choices.items()}
    copies = {f"{_BOXES}:{box}": number for box, number in table.boxes.items()}
    return {**{name: number for name, number in numbers.items() if number is not None}, **tokens, **choices, **copies}


def _parse_points(text: str, line: int) -> int:
    if not re.fullmatch(r"\d{1,4}", text, re.ASCII):
        raise _build_listing_error(f"line {line}: {text!r} are no points", line=line)
    return int(text)


def _build_listing_error(what: str, **details: object) -> BatchError:
    return BatchError("bad_listing", f"The CSV of photos cannot be used: {what}.", details)


def _build_matcher(pattern: str | None) -> Callable[[str], tuple[str, str, str]]:
    """Build the function that extracts event, round and table from a photo's name, if it fits the pattern."""
    if pattern is None:
        return lambda photo: ("", "", "")
    fields = [name for name in _PART.findall(pattern) if name]
    if "table" not in fields or len(set(fields)) < len(fields) or not set(fields) <= set(FIELDS):
        raise BatchError("bad_pattern", details={"pattern": pattern})
    pieces = re.split(r"\{\w*\}", pattern)
    groups = [f"(?P<{name}>[^/]+?)" if name else ".*" for name in _PART.findall(pattern)]
    expression = "".join(re.escape(piece) + group for piece, group in zip(pieces, [*groups, ""], strict=True))
    expression = expression.replace("[^/]+?).*", f"{_RUN}).*")

    def match_name(photo: str) -> tuple[str, str, str]:
        match = re.fullmatch(expression, photo.rpartition(".")[0])
        found = match.groupdict() if match else {}
        return found.get("event", ""), found.get("round", ""), found.get("table", "")

    return match_name
