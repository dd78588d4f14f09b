"""What counts in the final scoring and does not lie on the board."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Table:
    """Who plays, with how many tiles, and who holds which goods.

    `players` are those who have nothing on the board, too; colours on the board always play. `tiles_in_play` are those
    on the board where not given, a wonder counting five. `goods` are tokens by kind (wine, grain, cloth, chicken), then
    by player.
    """

    players: tuple[str, ...] = ()
    tiles_in_play: int | None = None
    goods: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
