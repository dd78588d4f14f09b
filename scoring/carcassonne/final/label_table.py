"""Facts in a label about the table beside the board.

`players` is the number of players, `tiles_in_play` the number of tiles, a wonder counting 5. `goods` are tokens by
colour, then by kind (`{"blue": {"wine": 3}}`), and `owners` the colours of the wonders' owners by the wonder's name
(`{"alhambra": "blue"}`, null for none). `box_rules` states for boxes whether their own rules were played (`{"inns":
false}`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from scoring.carcassonne.board.label import read_label_box_rules
from scoring.carcassonne.final.table import GOODS, MAX_PLAYERS, MAX_TILES, MAX_TOKENS, Table
from scoring.carcassonne.wonders.tiles import WONDERS
from scoring.errors import LabelError
from scoring.player_colours import COLOURS, explain_unknown_colour, find_colour


def read_label_table(label: Mapping[str, Any]) -> Table:
    """Return the table described in a label; raise LabelError `bad_table`, `bad_box_rules` if it is invalid.

    Players have the colours of pieces, and any others that the label's own pieces have.
    """
    colours = dict.fromkeys((*COLOURS, *_list_piece_colours(label)))
    return Table(
        tiles_in_play=_read_number(label, "tiles_in_play", MAX_TILES),
        goods=_read_goods(label, colours),
        player_count=_read_number(label, "players", MAX_PLAYERS),
        owners=dict(_read_owners(label, colours)),
        box_rules=read_label_box_rules(label),
    )


def write_label_table(table: Table) -> dict[str, Any]:
    """Return a label's entries for a table: the inverse of `read_label_table`."""
    by_colour: dict[str, dict[str, int]] = {}
    for kind, counts in table.goods.items():
        for colour, count in counts.items():
            by_colour.setdefault(colour, {})[kind] = count
    fields = {
        "players": table.player_count,
        "tiles_in_play": table.tiles_in_play,
        "goods": by_colour or None,
        "box_rules": table.box_rules.choices or None,
        "owners": {id.removeprefix("WH/"): colour for id, colour in table.owners.items()} or None,
    }
    return {name: value for name, value in fields.items() if value is not None}


def find_wonder_id(name: str) -> str | None:
    """Return the id of a wonder by its name as people type it: `alhambra`, `Notre-Dame`; None if there is none."""
    id = f"WH/{name.strip().removeprefix('WH/').lower().replace(' ', '-')}"
    return id if id in WONDERS else None


def _read_number(label: Mapping[str, Any], name: str, most: int) -> int | None:
    number = label.get(name)
    if number is not None and not _is_count(number, 1, most):
        raise LabelError("bad_table", f"{name!r} must be a whole number from 1 to {most}, not {number!r}", field=name)
    return number


def _read_goods(label: Mapping[str, Any], colours: Collection[str]) -> dict[str, dict[str, int]]:
    goods: dict[str, dict[str, int]] = {}
    for word, tokens in _read_mapping(label, "goods").items():
        colour = _read_colour("goods", word, colours)
        if not isinstance(tokens, Mapping):
            raise LabelError("bad_table", f"'goods' hold tokens by a player's colour, not {tokens!r}", field="goods")
        for kind, count in tokens.items():
            if kind not in GOODS or not _is_count(count, 0, MAX_TOKENS):
                text = f"{colour} may hold 0 to {MAX_TOKENS} of {', '.join(GOODS)}, not {count!r} of {kind!r}"
                raise LabelError("bad_table", text, field="goods")
            if colour in goods.setdefault(kind, {}):
                raise LabelError("bad_table", f"'goods' name {colour} twice", field="goods")
            goods[kind][colour] = count
    return goods


def _read_owners(label: Mapping[str, Any], colours: Collection[str]) -> Iterator[tuple[str, str | None]]:
    for name, colour in _read_mapping(label, "owners").items():
        id = find_wonder_id(name)
        if id is None:
            text = f"'owners' hold a player's colour by a wonder's name, not {name!r}: {colour!r}"
            raise LabelError("bad_table", text, field="owners")
        yield id, None if colour is None else _read_colour("owners", colour, colours)


def _read_mapping(label: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    value = label.get(name)
    if value is not None and not isinstance(value, Mapping):
        raise LabelError("bad_table", f"{name!r} must be an object, not {value!r}", field=name)
    return value or {}


def _is_count(number: object, least: int, most: int) -> bool:
    return isinstance(number, int) and not isinstance(number, bool) and least <= number <= most


def _list_piece_colours(label: Mapping[str, Any]) -> Iterator[str]:
    meeples = label.get("meeples", ())
    for meeple in meeples if isinstance(meeples, list) else ():
        if isinstance(meeple, Mapping) and isinstance(colour := meeple.get("colour"), str):
            yield colour


def _read_colour(name: str, word: object, known: Collection[str]) -> str:
    """Return a player's colour; raise LabelError for an unknown one, with the likely intended one if possible."""
    if not isinstance(word, str):
        raise LabelError("bad_table", f"{name!r} names {word!r}, which is no colour", field=name)
    if (colour := find_colour(word, known)) in known:
        return colour
    text, details = explain_unknown_colour(word, known)
    raise LabelError("colour_unknown", f"in {name!r} {text}", field=name, **details)
