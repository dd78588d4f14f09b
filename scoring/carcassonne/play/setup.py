"""The setup of a game."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from scoring.carcassonne.board.board import Board, Placement
from scoring.carcassonne.board.box_rules import UNSAID, BoxRules
from scoring.carcassonne.board.pieces import count_pieces
from scoring.carcassonne.board.tile_counts import get_most_base_games
from scoring.carcassonne.final.rulesets import TODAY, Ruleset
from scoring.carcassonne.play.stack import BOXES_IN_PLAY, get_start_tile
from scoring.carcassonne.wonders.tiles import WONDERS
from scoring.counts import format_count
from scoring.errors import PlayError

MEEPLES_BESIDE_TRACK = 1
"""By the rules: number of meeples that a player lacks at the start of a game with wonders. One of "all 9 meeples" is on
the score track and 2 are beside it. Two come with the first wonder and one with the second, including a marker each.
"""
PIECES_OF_BOX = {"inns": ("big",), "traders": ("builder", "pig"), "abbot": ("abbot",)}
"""By the rules: kinds of special pieces in each box, one of each per player."""
MAX_PLAYERS = 6
"""By the rules: maximum number of players."""
_COLOUR = re.compile(r"[a-z]+(?:-[a-z]+)*")


@dataclass(frozen=True)
class Setup:
    """Players in turn order, boxes, the wonders laid out beside the score track (ids), and the maximum number per
    player.

    The boxes name `base` once for each base game. `further` are the tiles beside them, by id: of other boxes, whose own
    rules are not played, or more of a kind than the boxes hold.

    The Wonders of Humanity, "Preparation" and "Variant: 2 wonders per player". The start tile is the usual one unless
    `start` is given. Raises PlayError: bad_players, unknown_box, unknown_wonder, wonder_twice, too_few_wonders,
    bad_start.

    A game found under way starts from its `start_board`, with the first of the players on turn and `points` so far, in
    turn order; every wonder on it has been there for at least one round.

    Boxes whose own rules are not played (`box_rules`, or those of the found board) only add their tiles.
    """

    players: tuple[str, ...]
    boxes: tuple[str, ...] = ("base",)
    wonders: tuple[str, ...] = ()
    wonders_each: int = 1
    rules: Ruleset = TODAY
    start: Placement | None = None
    start_board: Board | None = None
    points: tuple[int, ...] = ()
    box_rules: BoxRules = UNSAID
    further: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        named = all(_COLOUR.fullmatch(player) for player in self.players)
        if not named or not 1 < len(set(self.players)) == len(self.players) <= MAX_PLAYERS:
            raise PlayError("bad_players", f"two to {MAX_PLAYERS} players are needed, each a colour, in turn order")
        for box in self.boxes:
            most = get_most_base_games() if box == "base" else 1
            if box not in BOXES_IN_PLAY or self.boxes.count(box) > most or not self.base_games:
                others = ", ".join(BOXES_IN_PLAY[1:])
                text = f"base, at most {get_most_base_games()} times, and any of {others}, each once"
                raise PlayError("unknown_box", text)
        for wonder in self.wonders:
            if wonder not in WONDERS:
                raise PlayError("unknown_wonder", f"{wonder!r} is none of {', '.join(WONDERS)}", wonder=wonder)
        if len(set(self.wonders)) < len(self.wonders):
            raise PlayError("wonder_twice", "each wonder is there once")
        if self.wonders and (self.wonders_each not in (1, 2) or len(self.wonders) < self.needed):
            laid = format_count(len(self.wonders), "wonder is", "wonders are")
            text = f"{laid} laid out, where {self.needed} are needed at one or two a player"
            raise PlayError("too_few_wonders", text)
        self._refuse_impossible_start()
        if self.start_board is not None and self.start_board.box_rules:
            object.__setattr__(self, "box_rules", self.start_board.box_rules.override(self.box_rules))
            object.__setattr__(self, "start_board", replace(self.start_board, box_rules=UNSAID))

    @property
    def base_games(self) -> int:
        """Return the number of base games in play."""
        return self.boxes.count("base")

    @property
    def needed(self) -> int:
        """Return the number of wonders that must be laid out."""
        return len(self.players) * self.wonders_each

    @property
    def first_tile(self) -> Placement:
        """Return the start tile."""
        return self.start or get_start_tile(self.boxes)

    @property
    def supply(self) -> dict[str, int]:
        """Return the pieces in a player's supply at the start, by kind."""
        special = {kind: 1 for box, kinds in PIECES_OF_BOX.items() if box in self.boxes for kind in kinds}
        meeples = count_pieces("meeple", self.base_games) - (MEEPLES_BESIDE_TRACK if self.wonders else 0)
        return {"meeple": meeples} | special

    def _refuse_impossible_start(self) -> None:
        """Raise PlayError for a board from which no game can continue; unstated points are 0."""
        if self.start_board is None:
            if self.points:
                raise PlayError("bad_start", "points at the start belong to a board as found")
            return
        object.__setattr__(self, "points", self.points or (0,) * len(self.players))
        if self.start is not None or len(self.points) != len(self.players):
            raise PlayError("bad_start", "a board as found has no start tile beside it, and points for each player")
        if not self.start_board.tiles or None in self.start_board.tiles.values():
            raise PlayError("bad_start", "a game is taken up from known tiles alone")
        if any(piece.segment is None or piece.colour not in self.players for piece in self.start_board.meeples):
            raise PlayError("bad_start", "every piece on a board as found is a player's and stands on a known feature")
