"""Facts that count in the final scoring and are not on the board."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from scoring.carcassonne.board.board import Board
from scoring.carcassonne.board.box_rules import UNSAID, BoxRules
from scoring.carcassonne.board.markers import mark_wonders

GOODS = ("wine", "grain", "cloth", "chicken")
"""The kinds of goods tokens: those of Traders & Builders, and the fourth on some printings of its tiles."""
MAX_PLAYERS = 12
"""Maximum number of players, more than at any table. A guess."""
MAX_TILES = 1000
"""Maximum number of tiles: more than in all boxes together. A guess."""
MAX_TOKENS = 99
"""Maximum number of goods tokens of one kind: more than in any box. A guess."""


@dataclass(frozen=True)
class Table:
    """The players, the number of tiles, the owners of goods, and the owners of wonders.

    `players` includes those with nothing on the board; colours on the board always play. `tiles_in_play` defaults to
    the tiles on the board, a wonder counting 5. `goods` are tokens by kind (wine, grain, cloth, chicken), then by
    player. `player_count` is the stated number of players, which may exceed the number of colours here.

    `owners` are the players who hold wonders, by wonder id (None for no player), whatever pieces are on these.
    `box_rules` states for boxes whether their own rules were played. Both take effect once they are `put_on` the board.
    `base_games` is the number of base games in play, if it is stated and not only seen on the board.
    """

    players: tuple[str, ...] = ()
    tiles_in_play: int | None = None
    goods: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    player_count: int | None = None
    owners: Mapping[str, str | None] = field(default_factory=dict)
    base_games: int | None = None
    box_rules: BoxRules = UNSAID

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
        """Return a board with this table's owners of wonders and boxes' rules, and the table without these.

        Raises BoardError `wonder_not_there`.
        """
        marked = mark_wonders(board, self.owners)
        ruled = replace(marked, box_rules=board.box_rules.override(self.box_rules))
        return ruled, replace(self, owners={}, box_rules=UNSAID)

    def override(self, other: Table) -> Table:
        """Return this table overridden by everything that another one states."""
        return replace(
            self,
            players=tuple(dict.fromkeys((*self.players, *other.players))),
            tiles_in_play=self.tiles_in_play if other.tiles_in_play is None else other.tiles_in_play,
            goods={kind: {**self.goods.get(kind, {}), **other.goods.get(kind, {})} for kind in GOODS}
            if self.goods or other.goods
            else {},
            player_count=self.player_count if other.player_count is None else other.player_count,
            owners={**self.owners, **other.owners},
            base_games=self.base_games if other.base_games is None else other.base_games,
            box_rules=self.box_rules.override(other.box_rules),
        )
