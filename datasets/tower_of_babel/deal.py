"""Randomly played games of Tower of Babel, complete or stopped at some turn, as they lie on the table."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from datasets.tower_of_babel.plan import ROWS
from scoring.spots.game import Value
from scoring.tower_of_babel.board import (
    COLOURS,
    KINDS,
    LIGHT,
    NO,
    PAIRS,
    TWO_COLOURED,
    WONDERS,
    YES,
    Kind,
    name_held_spot,
)

Disc = tuple[Kind, int]
"""The kind shown by a disc, and the total number of building cards it needs."""

NEEDS = (3, 4, 4, 5, 5, 6)
"""Building cards needed by the six discs of a kind."""
PAIRED_NEEDS = (2, 3)
"""Building cards needed of each kind by a two-coloured disc."""
PAIRED_SHARE = 0.3
"""Share of games with the four two-coloured discs, each kind on two of them, in place of a disc of 5 of each kind."""
LARGE, SMALL = 5, 14
"""Number of a player's parts of value 3 and of value 1; one more of the latter is the counter."""
TRIES = 20
"""Maximum number of samples of a build's participants; the active player passes if someone lacks parts in all of
them."""


@dataclass
class Deal:
    """A table in play; `discs` are those left on the wonders."""

    players: tuple[str, ...]
    discs: dict[str, list[Disc]]
    parts: dict[str, dict[str, list[int]]] = field(default_factory=dict)
    owned_discs: dict[str, dict[Kind, int]] = field(default_factory=dict)
    track: dict[str, int] = field(default_factory=dict)
    row: int = 0

    def laid(self) -> dict[str, Value]:
        """Return the values on the table by spot name (`scoring.tower_of_babel.board`); no scoring action card is
        held."""
        values: dict[str, Value] = {"row": self.row if self.row < len(ROWS) else LIGHT}
        for wonder in WONDERS:
            values[f"discs.{wonder}"] = len(self.discs[wonder])
            for player in self.players:
                for worth in (1, 3):
                    values[f"parts.{wonder}.{player}.{worth}"] = self.parts[wonder][player].count(worth)
        pairs = any(not isinstance(kind, str) for discs in self.owned_discs.values() for kind in discs)
        values[TWO_COLOURED] = YES if pairs else NO
        for player in self.players:
            values[f"track.{player}"] = self.track[player]
            for kind in self.owned_discs[player]:
                values[name_held_spot(player, kind)] = self.owned_discs[player][kind]
            values |= {f"cards.{player}.disc-bonus": 0, f"cards.{player}.points": 0}
        return values


def deal_game(rng: np.random.Generator, track_length: int) -> Deal:
    """Deal a game of 3 to 5 players, played to the end with probability 1/2, otherwise stopped at some disc."""
    count = int(rng.integers(3, 6))
    players = tuple(COLOURS[i] for i in sorted(rng.permutation(len(COLOURS))[:count]))
    discs = deal_discs(rng)
    order = rng.permutation(len(discs))
    spaces = {w: [discs[i] for i in order[3 * n : 3 * n + 3]] for n, w in enumerate(WONDERS)}
    of_kind = {kind: sum(kind in _shown(faces) for faces, _ in discs) for kind in KINDS}
    deal = Deal(players, spaces)
    deal.parts = {w: {p: [] for p in players} for w in WONDERS}
    deal.owned_discs = {
        p: dict.fromkeys((*KINDS, *(k for k in PAIRS if any(k == face for face, _ in discs))), 0) for p in players
    }
    deal.track = {p: int(rng.integers(0, 12)) for p in players}
    turns = 24 if rng.random() < 0.5 else int(rng.integers(6, 20))
    for turn in range(turns):
        _build(deal, players[turn % count], rng)
        if any(_taken(deal, kind) == number for kind, number in of_kind.items()):
            break
    deal.track = {p: min(points, track_length) for p, points in deal.track.items()}
    return deal


def deal_discs(rng: np.random.Generator) -> list[Disc]:
    """Return the 24 discs of a game, some of them possibly replaced by two-coloured ones."""
    discs: list[Disc] = [(kind, need) for kind in KINDS for need in NEEDS]
    if rng.random() < PAIRED_SHARE:
        ring = [str(kind) for kind in rng.permutation(KINDS)]
        for kind, other in zip(ring, [*ring[1:], ring[0]], strict=True):
            first, second = sorted((kind, other), key=KINDS.index)
            discs[discs.index((kind, sum(PAIRED_NEEDS)))] = ((first, second), sum(PAIRED_NEEDS))
    return discs


def _shown(kind: Kind) -> tuple[str, ...]:
    return (kind,) if isinstance(kind, str) else kind


def _taken(deal: Deal, kind: str) -> int:
    """Count the players' discs that show a kind; two-coloured ones count for both ("End of the Game")."""
    return sum(number for row in deal.owned_discs.values() for faces, number in row.items() if kind in _shown(faces))


def _build(deal: Deal, active: str, rng: np.random.Generator) -> None:
    """Let the active player take a disc, with up to three others who have the necessary parts."""
    open_wonders = [wonder for wonder in WONDERS if deal.discs[wonder]]
    wonder = str(rng.choice(open_wonders))
    disc = int(rng.integers(len(deal.discs[wonder])))
    kind, need = deal.discs[wonder][disc]
    others = [player for player in deal.players if player != active]
    for _ in range(TRIES):
        helpers = [str(player) for player in rng.permutation(others)[: int(rng.integers(0, min(need, 4)))]]
        shares = dict.fromkeys([active, *helpers], 1)
        for _ in range(need - len(shares)):
            shares[(active, *helpers)[int(rng.integers(len(shares)))]] += 1
        ways = {player: _ways(deal, player, share) for player, share in shares.items()}
        if all(ways.values()):
            break
    else:
        return
    del deal.discs[wonder][disc]
    for player, share in shares.items():
        large = int(rng.choice(ways[player]))
        deal.parts[wonder][player] += [3] * large + [1] * (share - 3 * large)
    deal.owned_discs[active if rng.random() < 0.7 or not helpers else helpers[0]][kind] += 1
    for player in others:
        if player not in helpers and rng.random() < 0.4:
            deal.track[player] += int(rng.integers(1, 4))
    if not deal.discs[wonder]:
        _complete(deal, wonder)


def _ways(deal: Deal, player: str, share: int) -> list[int]:
    """Return the possible numbers of value 3 parts in a player's placement worth `share`."""
    large, small = (
        most - sum(heaps[player].count(worth) for heaps in deal.parts.values())
        for worth, most in ((3, LARGE), (1, SMALL))
    )
    return [number for number in range(min(large, share // 3) + 1) if share - 3 * number <= small]


def _complete(deal: Deal, wonder: str) -> None:
    """Score the most and second most parts by the current row; the parts go back."""
    worth = {player: sum(parts) for player, parts in deal.parts[wonder].items() if parts}
    ranked = sorted(worth.values(), reverse=True)
    most, second = ROWS[min(deal.row, len(ROWS) - 1)]
    for player, total in worth.items():
        tied = ranked.count(total) > 1
        first = total == ranked[0]
        seconds = len(ranked) > 1 and total == ranked[1]
        deal.track[player] += (second if tied else most) if first else second if seconds and not tied else 3
    deal.parts[wonder] = {player: [] for player in deal.players}
    deal.row += 1
