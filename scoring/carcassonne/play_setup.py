"""How a game is set up."""

from __future__ import annotations

import re
from dataclasses import dataclass

from scoring.carcassonne.board import Placement
from scoring.carcassonne.play_stack import BOXES_IN_PLAY, start_of
from scoring.carcassonne.rulesets import TODAY, Ruleset
from scoring.carcassonne.wonders import WONDERS
from scoring.errors import PlayError

MEEPLES, MEEPLES_WITH_WONDERS = 7, 6
"""In a player's supply at the start; two more come with the first wonder and one with the second, a marker each."""
PIECES_OF_BOX = {"inns": ("big",), "traders": ("builder", "pig"), "abbot": ("abbot",)}
"""One of each for every player."""
MOST_PLAYERS = 6
_COLOUR = re.compile(r"[a-z]+(?:-[a-z]+)*")


@dataclass(frozen=True)
class Setup:
    """Players in turn order, boxes, the wonders laid out beside the score track (ids), how many each player may take.

    The Wonders of Humanity, "Preparation" and "Variant: 2 wonders per player". The tile that lies at the start is the
    usual one unless `start` is given. Raises PlayError: bad_players, unknown_box, unknown_wonder, wonder_twice,
    too_few_wonders.
    """

    players: tuple[str, ...]
    boxes: tuple[str, ...] = ("base",)
    wonders: tuple[str, ...] = ()
    wonders_each: int = 1
    rules: Ruleset = TODAY
    start: Placement | None = None

    def __post_init__(self) -> None:
        named = all(_COLOUR.fullmatch(player) for player in self.players)
        if not named or not 1 < len(set(self.players)) == len(self.players) <= MOST_PLAYERS:
            raise PlayError("bad_players", f"two to {MOST_PLAYERS} players are needed, each a colour, in turn order")
        for box in self.boxes:
            if box not in BOXES_IN_PLAY or self.boxes.count(box) > 1 or "base" not in self.boxes:
                raise PlayError("unknown_box", f"the base box and others of {', '.join(BOXES_IN_PLAY)}, each once")
        for wonder in self.wonders:
            if wonder not in WONDERS:
                raise PlayError("unknown_wonder", f"{wonder!r} is none of {', '.join(WONDERS)}", wonder=wonder)
        if len(set(self.wonders)) < len(self.wonders):
            raise PlayError("wonder_twice", "each wonder is there once")
        if self.wonders and (self.wonders_each not in (1, 2) or len(self.wonders) < self.needed):
            text = f"{len(self.wonders)} wonders are laid out, where {self.needed} are needed at one or two a player"
            raise PlayError("too_few_wonders", text)

    @property
    def needed(self) -> int:
        """Wonders that have to be laid out."""
        return len(self.players) * self.wonders_each

    @property
    def first_tile(self) -> Placement:
        """The tile that lies at the start."""
        return self.start or start_of(self.boxes)

    @property
    def supply(self) -> dict[str, int]:
        """The pieces in a player's supply at the start, by kind."""
        special = {kind: 1 for box, kinds in PIECES_OF_BOX.items() if box in self.boxes for kind in kinds}
        return {"meeple": MEEPLES_WITH_WONDERS if self.wonders else MEEPLES} | special
