"""The moves of a game of Tower of Babel: discs, offers, and a player's actions in a turn."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field

from scoring.tower_of_babel.board import KINDS, Kind
from scoring.tower_of_babel.components import Card


@dataclass(frozen=True, slots=True)
class Disc:
    """A building disc: the number of building cards of each kind it needs; a two-coloured disc has 2 kinds."""

    needs: tuple[tuple[str, int], ...]

    @property
    def kind(self) -> Kind:
        """Return the kind or pair of kinds it shows."""
        kinds = tuple(kind for kind in KINDS if any(kind == needed_kind for needed_kind, _ in self.needs))
        return kinds[0] if len(kinds) == 1 else (kinds[0], kinds[1])

    @property
    def number(self) -> int:
        """Return the number of building cards it needs."""
        return sum(number for _, number in self.needs)


@dataclass(frozen=True, slots=True)
class Offer:
    """Building cards by kind that an opponent offers face down, with or without the trading card."""

    cards: Mapping[str, int]
    trading: bool = False

    def needed(self, disc: Disc) -> Counter[str]:
        """Return the cards of kinds that the disc needs; all others go back to the hand."""
        return Counter({kind: self.cards.get(kind, 0) for kind, _ in disc.needs if self.cards.get(kind, 0)})


@dataclass(frozen=True, slots=True)
class Pass:
    """A pass: the active player takes a card. With `again` ("Double Turn"), the same player continues."""

    player: str
    again: bool = False


@dataclass(frozen=True, slots=True)
class Build:
    """A build: the disc taken, the opponents' offers, those accepted, and the active player's own cards.

    `joker` is the kind that a joker counts twice for. `triple` are the players of "Triple Bonus" on their offers.
    `action_card` is the card drawn for a completed wonder, None if it is unknown. `again` is as in Pass.
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
        """Return the cards that the active player's cards count as."""
        return Counter(self.adds) + (Counter({self.joker: JOKER_WORTH}) if self.joker else Counter())

    def accepted_cards(self) -> Counter[str]:
        """Return the needed cards of the accepted offers, by kind."""
        return sum((self.offers[player].needed(self.disc) for player in self.accepted), Counter[str]())


Move = Pass | Build

JOKER_WORTH = 2
"""By the rules ("Action Cards"): the joker counts as exactly 2 of the needed building cards."""
