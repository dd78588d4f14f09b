"""The moves of a game of Tower of Babel: discs, offers, and what a player does in a turn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from scoring.tower_of_babel.board import KINDS, Kind
from scoring.tower_of_babel.components import Card


@dataclass(frozen=True, slots=True)
class Disc:
    """A building disc: how many building cards of which kind it needs; two kinds on a two-coloured one."""

    needs: tuple[tuple[str, int], ...]

    @property
    def kind(self) -> Kind:
        """What it shows."""
        kinds = tuple(kind for kind in KINDS if any(kind == needed_kind for needed_kind, _ in self.needs))
        return kinds[0] if len(kinds) == 1 else (kinds[0], kinds[1])

    @property
    def number(self) -> int:
        """How many building cards it needs."""
        return sum(number for _, number in self.needs)


@dataclass(frozen=True, slots=True)
class Offer:
    """Building cards by kind that an opponent puts face down, with or without the trading card."""

    cards: Mapping[str, int]
    trading: bool = False

    def needed(self, disc: Disc) -> Counter[str]:
        """Return the cards of kinds that the disc needs; all others go back to the hand."""
        return Counter({kind: self.cards.get(kind, 0) for kind, _ in disc.needs if self.cards.get(kind, 0)})


@dataclass(frozen=True, slots=True)
class Pass:
    """The active player takes a card. `again`: by "Double Turn" the same player goes on."""

    player: str
    again: bool = False


@dataclass(frozen=True, slots=True)
class Build:
    """A build: the disc taken, what opponents offer, whose offers are accepted, and what the active player adds.

    `joker` is the kind that a joker stands for twice. `triple` are those who play "Triple Bonus" on their offers.
    `action_card` is the card drawn for a completed wonder, None where nobody saw it. `again` as of a Pass.
    """

    player: str
    wonder: str
    disc: Disc
    offers: Mapping[str, Offer] = field(default_factory=dict)
    accepted: tuple[str, ...] = ()
    adds: Mapping[str, int] = field(default_factory=dict)
    joker: str | None = None
    triple: tuple[str, ...] = ()
    action_card: Card | None = None
    again: bool = False

    def added(self) -> Counter[str]:
        """Return what the active player's cards count for."""
        return Counter(self.adds) + (Counter({self.joker: JOKER_WORTH}) if self.joker else Counter())

    def accepted_cards(self) -> Counter[str]:
        """Return the needed cards of the accepted offers, by kind."""
        return sum((self.offers[player].needed(self.disc) for player in self.accepted), Counter[str]())


Move = Pass | Build

JOKER_WORTH = 2
""" "Action Cards": the joker counts as exactly two of the needed building cards."""
