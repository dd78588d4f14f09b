"""Facts that count in the final scoring and are not on the board.

In a label, `players` is the number of players, `tiles_in_play` the number of tiles, a wonder counting 5. `goods` are
tokens by colour, then by kind (`{"blue": {"wine": 3}}`), and `owners` the colours of the wonders' owners by the
wonder's name (`{"alhambra": "blue"}`, null for none). `box_rules` states for boxes whether their own rules were played
(`{"inns": false}`), `boxes` how many copies of them are on the table (`{"base": 2}`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from scoring.carcassonne.board.board import Board, mark_wonders
from scoring.carcassonne.board.box_rules import UNSAID, BoxRules
from scoring.carcassonne.board.boxes import read_boxes
from scoring.carcassonne.board.label import read_label_box_rules, read_label_boxes
from scoring.carcassonne.wonders.tiles import WONDERS
from scoring.errors import LabelError
from scoring.player_colours import COLOURS, explain_unknown_colour, find_colour

GOODS = ("wine", "grain", "cloth", "chicken")
"""The kinds of goods tokens: those of Traders & Builders, and the fourth on some printings of its tiles."""
HOLDINGS = (*GOODS, "gold", "king", "baron", "other")
"""All kinds that players may hold: besides goods the gold bars of The Gold Mines, the king and the robber baron, and
points of rules that are not scored here.
"""
MAX_PLAYERS = 12
"""Maximum number of players, more than at any table. A guess."""
MAX_TILES = 1000
"""Maximum number of tiles: more than in all boxes together. A guess."""
MAX_TOKENS = 99
"""Maximum number of tokens of one kind, or of further points: more than in any box. A guess."""


@dataclass(frozen=True)
class Table:
    """The players, the number of tiles, the owners of goods, and the owners of wonders.

    `players` includes those with nothing on the board; colours on the board always play. `tiles_in_play` defaults to
    the tiles on the board, a wonder counting 5. `goods` are what players hold, by kind (`HOLDINGS`), then by player.
    `player_count` is the stated number of players, which may exceed the number of colours here.

    `owners` are the players who hold wonders, by wonder id (None for no player), whatever pieces are on these.
    `box_rules` states for boxes whether their own rules were played, `boxes` how many copies of them are on the table.
    All three take effect once they are `put_on` the board.
    """

    players: tuple[str, ...] = ()
    tiles_in_play: int | None = None
    goods: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    player_count: int | None = None
    owners: Mapping[str, str | None] = field(default_factory=dict)
    box_rules: BoxRules = UNSAID
    boxes: Mapping[str, int] = field(default_factory=dict)

    def list_players(self, board: Board) -> list[str]:
        """Return the colours that certainly play, in alphabetical order."""
        holders = (player for counts in self.goods.values() for player in counts)
        return sorted({*board.players, *self.players, *holders, *filter(None, self.owners.values())})

    def count_players(self, board: Board) -> int:
        """Return the number of players: the stated one, but at least those that certainly play."""
        return max(self.player_count or 0, len(self.list_players(board)))

    def count_tiles(self, board: Board) -> int:
        """Return the number of tiles in play: the stated one, or that on the board."""
        return len(board.tiles) if self.tiles_in_play is None else self.tiles_in_play

    def put_on(self, board: Board) -> tuple[Board, Table]:
        """Return a board with this table's owners of wonders, boxes' rules and copies, and the table without these.

        Raises BoardError `wonder_not_there`.
        """
        marked = mark_wonders(board, self.owners)
        box_rules, boxes = board.box_rules.override(self.box_rules), read_boxes({**board.boxes, **self.boxes})
        return replace(marked, box_rules=box_rules, boxes=boxes), replace(self, owners={}, box_rules=UNSAID, boxes={})

    def override(self, other: Table) -> Table:
        """Return this table overridden by everything that another one states."""
        return replace(
            self,
            players=tuple(dict.fromkeys((*self.players, *other.players))),
            tiles_in_play=self.tiles_in_play if other.tiles_in_play is None else other.tiles_in_play,
            goods={kind: {**self.goods.get(kind, {}), **other.goods.get(kind, {})} for kind in HOLDINGS}
            if self.goods or other.goods
            else {},
            player_count=self.player_count if other.player_count is None else other.player_count,
            owners={**self.owners, **other.owners},
            box_rules=self.box_rules.override(other.box_rules),
            boxes={**self.boxes, **other.boxes},
        )


def holds_goods(table: Table) -> bool:
    """Return whether some player's goods are stated."""
    return any(table.goods.get(kind) for kind in GOODS)


def read_label_table(label: Mapping[str, Any]) -> Table:
    """Return the table described in a label; raise LabelError `bad_table`, `bad_box_rules`, `bad_boxes` if it is
    invalid.

    Players have the colours of pieces, and any others that the label's own pieces have.
    """
    colours = dict.fromkeys((*COLOURS, *_list_piece_colours(label)))
    return Table(
        tiles_in_play=_read_number(label, "tiles_in_play", MAX_TILES),
        goods=_read_goods(label, colours),
        player_count=_read_number(label, "players", MAX_PLAYERS),
        owners=dict(_read_owners(label, colours)),
        box_rules=read_label_box_rules(label),
        boxes=read_label_boxes(label),
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
        "boxes": dict(table.boxes) or None,
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
            if kind not in HOLDINGS or not _is_count(count, 0, MAX_TOKENS):
                text = f"{colour} may hold 0 to {MAX_TOKENS} of {', '.join(HOLDINGS)}, not {count!r} of {kind!r}"
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
