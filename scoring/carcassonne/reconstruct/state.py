"""A game as far as its board shows it, for reconstructing unseen moves.

A board shows tiles and pieces, but not which tiles were drawn, put away or kept face down, or what was taken from
beside the score track. None of that is checked here, so a `Conjecture` allows everything the rules allow, and a little
more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from copy import copy
from dataclasses import replace
from itertools import product

from scoring.carcassonne.board.board import Board, PlacedWonder
from scoring.carcassonne.play.game import MEEPLES_WITH_FIRST, MEEPLES_WITH_SECOND, Game
from scoring.carcassonne.play.moves import Move
from scoring.carcassonne.play.placement import find_wonder_places
from scoring.carcassonne.play.scoring import NOTRE_DAME, STONEHENGE, TIKAL
from scoring.carcassonne.play.setup import Setup
from scoring.carcassonne.play.stack import Stack, Supply
from scoring.errors import PlayError

State = tuple[object, ...]
SCORING_WONDERS = (NOTRE_DAME, STONEHENGE, TIKAL)


class Conjecture(Game):
    """A possible game: points are gains since its start, and hands are the most that a player can hold."""

    def __init__(self, setup: Setup) -> None:
        super().__init__(setup)
        self.track = replace(self.track, points=dict.fromkeys(setup.players, 0), wonders_each=0)

    @property
    def state(self) -> State:
        """Return everything that later moves depend on: conjectures in one state continue alike."""
        waits = ((w, owner, self._waits(turn)) for w, (owner, turn) in self._laid_in.items() if w in SCORING_WONDERS)
        return (
            self.setup.players,
            self.on_turn,
            self.is_second_half,
            frozenset(self._tracker.tiles),
            frozenset(self._standing),
            frozenset(waits),
        )

    def list_owners(self) -> set[str]:
        """Return the players who have a wonder on the board."""
        return {owner for owner, _ in self._laid_in.values()}

    def copy(self) -> Conjecture:
        """Return an independent copy of the game without its turns and points."""
        other = copy(self)
        other.track = replace(self.track, points=dict.fromkeys(self.setup.players, 0))
        other.hands = {player: hand.copy() for player, hand in self.hands.items()}
        other.goods = {}
        other.turns = []
        other._laid_in = dict(self._laid_in)
        other._standing = dict(self._standing)
        other._tracker = self._tracker.copy()
        return other

    def taken_up(self, player: str, fresh: dict[str, bool], second_half: bool) -> Conjecture:
        """Return a copy of the game with that player on turn, in the first or second half of a double turn.

        `fresh` states for each wonder whether it was laid in its owner's last turn.
        """
        other, players = self.copy(), self.setup.players
        other._turns_over = players.index(player)
        other.is_second_half = second_half
        for wonder, is_fresh in fresh.items():
            owner, _ = self._laid_in[wonder]
            ago = (players.index(player) - players.index(owner)) % len(players)
            ago = ago if ago or second_half else len(players)
            other._laid_in[wonder] = owner, other._turns_over - (ago if is_fresh else len(players))
        return other

    def pass_to(self, player: str) -> Conjecture:
        """Return a copy of the game in which the players before that one have passed."""
        other, players = self.copy(), self.setup.players
        other._turns_over += (players.index(player) - players.index(self.on_turn)) % len(players)
        other.is_second_half = False
        return other

    def _waits(self, turn: int) -> int:
        """Return the number of turns until a wonder laid in a given turn takes effect."""
        wait = 0 if self.setup.rules.wonders_at_once else len(self.setup.players)
        return max(0, turn + wait - self._turns_over)

    def _stack_at_start(self) -> Stack:
        return Stack(())

    def _hand_at_start(self) -> Counter[str]:
        setup = self.setup
        extra = MEEPLES_WITH_FIRST + MEEPLES_WITH_SECOND * (setup.wonders_each - 1) if setup.wonders else 0
        return Counter(setup.supply) + Counter(meeple=extra)

    def _own(self, player: str, wonder: str) -> None:
        self._laid_in[wonder] = player, -len(self.setup.players)

    def _refuse_wrong_tile(self, move: Move) -> None:
        if move.player != self.on_turn:
            raise PlayError("not_your_turn", f"it is {self.on_turn}'s turn, not {move.player}'s")
        if isinstance(move.tile, PlacedWonder):
            if self.is_second_half:
                raise PlayError("wonder_not_yet", "a wonder is laid at the beginning of a turn, not in its second half")
            if move.extra and any(find_wonder_places(move.tile.layout, self._tracker.tiles, self._tracker.frontier)):
                raise PlayError("wonder_fits", f"{move.tile.layout.name} fits: no tile is drawn for it")

    def _drawn(self, move: Move) -> Supply:
        return self.supply


def enumerate_conjectures(setup: Setup, board: Board, on_turn: str | None = None) -> Iterator[Conjecture]:
    """Yield every possible state of the game at a board; raise PlayError (bad_start) if there is none.

    `on_turn` is the player on turn, if known.
    """
    conjecture = Conjecture(replace(setup, start=None, start_board=Board(board.tiles, board.meeples), points=()))
    wonders = [wonder for wonder in SCORING_WONDERS if wonder in conjecture._laid_in]
    ages = (False,) if setup.rules.wonders_at_once else (False, True)
    for player in (on_turn,) if on_turn else setup.players:
        for half in (False, True) if "traders" in setup.boxes else (False,):
            for fresh in product(ages, repeat=len(wonders)):
                yield conjecture.taken_up(player, dict(zip(wonders, fresh, strict=True)), half)
