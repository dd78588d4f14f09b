"""What counts in the final scoring and does not lie on the board."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from scoring.carcassonne.board.board import Board
from scoring.carcassonne.board.box_rules import UNSAID, BoxRules
from scoring.carcassonne.board.markers import mark_wonders

GOODS = ("wine", "grain", "cloth", "chicken")
"""The kinds of goods tokens: those of Traders & Builders, and the fourth that some printings of its tiles show."""
MAX_PLAYERS = 12
"""More than any table has: as many as there are colours."""
MAX_TILES = 1000
"""More tiles than all boxes together hold."""
MAX_TOKENS = 99
"""More goods tokens of one kind than any box holds."""


@dataclass(frozen=True)
class Table:
    """Who plays, with how many tiles, who holds which goods, and who holds which wonders.

    `players` are those who have nothing on the board, too; colours on the board always play. `tiles_in_play` are those
    on the board where not given, a wonder counting five. `goods` are tokens by kind (wine, grain, cloth, chicken), then
    by player. `player_count` is how many play where somebody said so, and may be more than have colours here.
    `owners` are the players who hold wonders, by the wonders' ids (None for nobody), whatever lies on these, and
    `box_rules` the boxes of which somebody said whether their own rules were played: both count once they are `put_on`
    the board. `base_games` is the number of base games in play, if it is known and not only seen on the board.
    """

    players: tuple[str, ...] = ()
    tiles_in_play: int | None = None
    goods: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    player_count: int | None = None
    owners: Mapping[str, str | None] = field(default_factory=dict)
    base_games: int | None = None
    box_rules: BoxRules = UNSAID

    def list_players(self, board: Board) -> list[str]:
        """List the colours that surely play, in alphabetical order."""
        holders = (player for counts in self.goods.values() for player in counts)
        return sorted({*board.players, *self.players, *holders, *filter(None, self.owners.values())})

    def count_players(self, board: Board) -> int:
        """Count the players: as many as somebody said, but never fewer than surely play."""
        return max(self.player_count or 0, len(self.list_players(board)))

    def count_tiles(self, board: Board) -> int:
        """Count the tiles in play: as many as somebody said, else those that lie there."""
        return len(board.tiles) if self.tiles_in_play is None else self.tiles_in_play

    def put_on(self, board: Board) -> tuple[Board, Table]:
        """Return a board with what is said here of its wonders' owners and of boxes' rules, and the table without it.

        Raises BoardError `wonder_not_there`.
        """
        marked = mark_wonders(board, self.owners)
        ruled = replace(marked, box_rules=board.box_rules.override(self.box_rules))
        return ruled, replace(self, owners={}, box_rules=UNSAID)

    def override(self, other: Table) -> Table:
        """Return this table with all that another one says in its place."""
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
