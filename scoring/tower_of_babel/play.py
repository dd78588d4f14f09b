"""A game of Tower of Babel, played turn by turn as far as the table shows it: players' hands are unknown.

Only `play` changes a `Play`; it refuses illegal moves and then leaves everything as it was.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from scoring.errors import PlayError
from scoring.score_entry import ScoreEntry
from scoring.tower_of_babel.board import CARDS, COLOURS, DISC_KINDS, KINDS, WONDERS, Kind, Table
from scoring.tower_of_babel.components import Card, Components
from scoring.tower_of_babel.final import score_table, score_wonder
from scoring.tower_of_babel.play_checks import refuse_missing_parts, refuse_wrong_offers, refuse_wrong_selection
from scoring.tower_of_babel.play_moves import Build, Disc, Move, Offer, Pass

__all__ = ["Build", "Disc", "Move", "Offer", "Pass", "Play", "Turn"]

UNSEEN_CARD = "unseen"
"""An action card of unknown kind."""


@dataclass(frozen=True, slots=True)
class Turn:
    """A move, whether it fulfilled its disc and for which player, its points, and the wonder it completed."""

    move: Move
    fulfilled: bool
    disc_to: str | None
    entries: tuple[ScoreEntry, ...]
    completed: str | None


class Play:
    """A game under way. `discs` are those on the wonders (initially `start`), `held` those that players took.

    `parts` is the worth of each player's building parts on a wonder, `cards` the players' action cards.
    """

    def __init__(self, components: Components, players: Sequence[str], discs: Mapping[str, Sequence[Disc]]) -> None:
        each = components.discs.on_a_wonder
        if set(discs) != set(WONDERS) or any(len(wonder_discs) != each for wonder_discs in discs.values()):
            raise PlayError("bad_start", f"each of the eight wonders has {each} discs")
        if len(players) < 2 or len(set(players)) < len(players) or not set(players) <= set(COLOURS):
            raise PlayError("bad_start", "two to five players of different colours are needed")
        self.components, self.players = components, tuple(players)
        self.start = {wonder: tuple(wonder_discs) for wonder, wonder_discs in discs.items()}
        self.discs = dict(self.start)
        self.parts: dict[str, Counter[str]] = {wonder: Counter() for wonder in WONDERS}
        self.held: dict[str, Counter[Kind]] = {player: Counter() for player in players}
        self.cards: dict[str, Counter[str]] = {player: Counter() for player in players}
        self.points: Counter[str] = Counter(dict.fromkeys(players, 0))
        self.row = 0
        self.turns: list[Turn] = []
        self._kinds = self._kinds_left()
        self._at = 0

    @property
    def on_turn(self) -> str:
        """Return the player on turn."""
        return self.players[self._at]

    @property
    def used_up(self) -> tuple[str, ...]:
        """Return the kinds without any disc left; the first ends the game. Two-coloured discs count for both kinds."""
        return tuple(kind for kind in KINDS if kind in self._kinds - self._kinds_left())

    def play(self, move: Move) -> Turn:
        """Make a move; raise PlayError, whose code names the violated rule, and change nothing if it is illegal.

        Codes: game_over, not_your_turn, no_such_disc, no_such_action_card, and those of `play_checks`. Raises
        ComponentsError `component_missing` if a wonder is completed whose row of the scoring table is unknown.
        """
        if self.used_up:
            raise PlayError("game_over", f"the last disc with {self.used_up[0]} was taken")
        if move.player != self.on_turn:
            raise PlayError("not_your_turn", f"it is {self.on_turn}'s turn, not {move.player}'s")
        turn = self._build(move) if isinstance(move, Build) else self._pass(move)
        for entry in turn.entries:
            self.points[entry.player] += entry.points
        self.turns.append(turn)
        self._at = self._at if move.again else (self._at + 1) % len(self.players)
        return turn

    def table(self) -> Table:
        """Return the current table, fully known; the points so far are those on the track."""
        return Table(
            self.players,
            parts={w: {p: {1: self.parts[w][p]} for p in self.players} for w in WONDERS},
            discs_left={wonder: len(wonder_discs) for wonder, wonder_discs in self.discs.items()},
            held={p: {kind: self.held[p][kind] for kind in DISC_KINDS} for p in self.players},
            cards={p: {card: self.cards[p][card] for card in CARDS} for p in self.players},
            track=dict(self.points),
            row=self.row,
        )

    def final(self) -> tuple[ScoreEntry, ...]:
        """Return the final scoring of the current table, without the points so far."""
        return score_table(self.components, self.table())

    def _pass(self, move: Pass) -> Turn:
        self._spend(self._used(move))
        return Turn(move, False, None, (), None)

    def _build(self, move: Build) -> Turn:
        if move.wonder not in self.discs or move.disc not in self.discs[move.wonder]:
            raise PlayError("no_such_disc", f"no such disc lies on {move.wonder}", wonder=move.wonder)
        refuse_wrong_offers(move, self.players)
        refuse_wrong_selection(move)
        used = self._used(move)
        if move.accepted_cards() + move.added() != Counter(dict(move.disc.needs)):
            self._refuse_card(move)
            self._spend(used)
            return Turn(move, False, None, tuple(self._offers_back(move, fulfilled=False)), None)
        parts, disc_to = self._placed(move)
        refuse_missing_parts(self.components, self._worths(move.wonder, parts))
        completes = len(self.discs[move.wonder]) == 1
        entries = tuple(self._offers_back(move, fulfilled=True))
        if completes:
            row = self.components.row(self.row + 1)
            entries += tuple(score_wonder(move.wonder, row, self.row + 1, parts, self.components))
        else:
            self._refuse_card(move)
        self._spend(used)
        self._take(move, parts, disc_to, completes)
        return Turn(move, True, disc_to, entries, move.wonder if completes else None)

    def _placed(self, move: Build) -> tuple[Counter[str], str]:
        """Return the parts on the wonder after a build, and the player who takes the disc.

        "4. Build": an opponent with a trading card takes it, and their new parts are replaced by the active player's.
        """
        parts, disc_to = Counter(self.parts[move.wonder]), move.player
        parts[move.player] += move.added().total()
        for player in move.accepted:
            offer = move.offers[player]
            parts[move.player if offer.trading else player] += offer.needed(move.disc).total()
            disc_to = player if offer.trading else disc_to
        return +parts, disc_to

    def _offers_back(self, move: Build, fulfilled: bool) -> Iterator[ScoreEntry]:
        """Yield 1 or 3 points for each needed card not taken ("5. End of the Build Turn"); for all cards if the build
        fails.
        """
        triple = self.components.action_cards.worth["triple-bonus"]
        for player, offer in move.offers.items():
            cards, selected = offer.needed(move.disc).total(), player in move.accepted
            if cards and not (selected and fulfilled):
                each = triple if player in move.triple else 1
                rule = "offer.not-taken" if fulfilled else "offer.not-fulfilled"
                yield ScoreEntry(player, cards * each, "", rule, f"{cards} x {each}", {"cards": cards, "each": each})

    def _take(self, move: Build, parts: Counter[str], disc_to: str, completes: bool) -> None:
        left = list(self.discs[move.wonder])
        left.remove(move.disc)
        self.discs[move.wonder] = tuple(left)
        self.held[disc_to][move.disc.kind] += 1
        self.parts[move.wonder] = Counter() if completes else parts
        if completes:
            self.row += 1
            self.cards[move.player][move.action_card or UNSEEN_CARD] += 1

    def _used(self, move: Move) -> list[tuple[str, Card]]:
        """Return the action cards that a move uses; raise PlayError `no_such_action_card` or `nothing_offered`."""
        used: list[tuple[str, Card]] = [(move.player, "double-turn")] if move.again else []
        if isinstance(move, Build):
            used += [(move.player, "joker")] if move.joker else []
            used += [(player, "triple-bonus") for player in move.triple]
            for player in move.triple:
                if player not in move.offers or player in move.accepted:
                    raise PlayError("nothing_offered", f"{player} has no offer that is not selected", player=player)
        wanted: dict[str, Counter[str]] = {}
        for player, card in used:
            wanted.setdefault(player, Counter())[card] += 1
        for player, cards in wanted.items():
            if (cards - self.cards[player]).total() > self.cards[player][UNSEEN_CARD]:
                raise PlayError("no_such_action_card", f"{player} has no such action card", player=player)
        return used

    def _spend(self, used: Sequence[tuple[str, Card]]) -> None:
        for player, card in used:
            self.cards[player][card if self.cards[player][card] else UNSEEN_CARD] -= 1

    def _refuse_card(self, move: Build) -> None:
        """Raise PlayError if a player draws an action card without completing a wonder ("Action Cards")."""
        if move.action_card is not None:
            raise PlayError("no_such_action_card", f"{move.player} completes no wonder and draws no action card")

    def _worths(self, wonder: str, parts: Mapping[str, int]) -> dict[str, list[int]]:
        """Return the worth of each player's parts on each wonder after the build."""
        after = {**self.parts, wonder: parts}
        return {player: [worths.get(player, 0) for worths in after.values()] for player in self.players}

    def _kinds_left(self) -> set[str]:
        return {kind for wonder_discs in self.discs.values() for disc in wonder_discs for kind, _ in disc.needs}
