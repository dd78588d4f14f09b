"""A game of Tower of Babel, played turn by turn as far as the table shows it: players' hands are unknown.

Only `play` changes a `Play`; it refuses illegal moves and then leaves everything as it was.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from scoring.errors import PlayError
from scoring.score_entry import ScoreEntry
from scoring.tower_of_babel.board import CARDS, COLOURS, DISC_KINDS, KINDS, WONDERS, Kind, Table
from scoring.tower_of_babel.components import Card, Components
from scoring.tower_of_babel.final import score_table, score_wonder
from scoring.tower_of_babel.problems import compute_max_parts

JOKER_WORTH = 2
"""By the rules ("Action Cards"): the joker counts as exactly 2 of the needed building cards."""
UNSEEN_CARD = "unseen"
"""An action card of unknown kind."""


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

        Codes: game_over, not_your_turn, no_such_disc, no_such_action_card, not_an_opponent, no_such_card,
        offer_too_large, trading_card_alone, nothing_offered, two_trading_cards, too_many_accepted, too_many_added,
        no_parts_left. Raises ComponentsError `component_missing` if a wonder is completed whose row of the scoring
        table is unknown.
        """
        if self.used_up:
            raise PlayError("game_over", f"the last disc with {self.used_up[0]} was taken")
        if move.player != self.on_turn:
            raise PlayError("not_your_turn", f"it is {self.on_turn}'s turn, not {move.player}'s")
        if isinstance(move, Build):
            turn = self._build(move)
        else:
            self._spend(self._used(move))
            turn = Turn(move, False, None, (), None)
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

    def _build(self, move: Build) -> Turn:
        if move.wonder not in self.discs or move.disc not in self.discs[move.wonder]:
            raise PlayError("no_such_disc", f"no such disc lies on {move.wonder}", wonder=move.wonder)
        _refuse_wrong_offers(move, self.players)
        _refuse_wrong_selection(move)
        used = self._used(move)
        if move.accepted_cards() + move.added() != Counter(dict(move.disc.needs)):
            self._refuse_card(move)
            self._spend(used)
            return Turn(move, False, None, tuple(self._offers_back(move, fulfilled=False)), None)
        parts, disc_to = self._placed(move)
        after = {**self.parts, move.wonder: parts}
        worths = {player: [on_wonder.get(player, 0) for on_wonder in after.values()] for player in self.players}
        _refuse_missing_parts(self.components, worths)
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

    def _kinds_left(self) -> set[str]:
        return {kind for wonder_discs in self.discs.values() for disc in wonder_discs for kind, _ in disc.needs}


def _refuse_wrong_offers(build: Build, players: Sequence[str]) -> None:
    """Raise PlayError for an illegal offer ("2. Make Offer")."""
    for player, offer in build.offers.items():
        if player == build.player or player not in players:
            raise PlayError("not_an_opponent", f"{player} makes {build.player} no offer", player=player)
        _refuse_strange_cards(offer.cards)
        offered = sum(offer.cards.values())
        if offered > build.disc.number:
            raise PlayError("offer_too_large", f"{player} offers {offered} cards for {build.disc.number}")
        if offer.trading and not offered:
            raise PlayError("trading_card_alone", f"{player} offers a trading card without building cards")


def _refuse_wrong_selection(build: Build) -> None:
    """Raise PlayError if the accepted offers ("3. Select Opponent(s)") and the added cards do not match the disc."""
    for player in build.accepted:
        if player not in build.offers or not build.offers[player].needed(build.disc):
            raise PlayError("nothing_offered", f"{player} offers nothing that is needed", player=player)
    if len(set(build.accepted)) < len(build.accepted):
        raise PlayError("too_many_accepted", "an offer is accepted once")
    if sum(build.offers[player].trading for player in build.accepted) > 1:
        raise PlayError("two_trading_cards", "only one opponent with a trading card may be selected")
    needs, accepted = dict(build.disc.needs), build.accepted_cards()
    if any(number > needs[kind] for kind, number in accepted.items()):
        raise PlayError("too_many_accepted", "the offers accepted hold more than the disc needs")
    _refuse_strange_cards(build.added())
    if any(number + accepted[kind] > needs.get(kind, 0) for kind, number in build.added().items()):
        raise PlayError("too_many_added", f"{build.player} adds more than the disc needs")


def _refuse_missing_parts(components: Components, worths: Mapping[str, Sequence[int]]) -> None:
    """Raise PlayError `no_parts_left` if a player does not have enough parts for the given worth on each wonder.

    The rules do not cover this case. As many parts as possible are assumed to be of value 3.
    """
    for player, wonder_worths in worths.items():
        large = min(components.parts.of(3), sum(worth // 3 for worth in wonder_worths))
        if sum(wonder_worths) - 3 * large > compute_max_parts(components, 1):
            raise PlayError("no_parts_left", f"{player} has no building parts left for that", player=player)


def _refuse_strange_cards(cards: Mapping[str, int]) -> None:
    for kind, number in cards.items():
        if kind not in KINDS or number < 0:
            raise PlayError("no_such_card", f"{number} cards with {kind} cannot be", kind=kind)
