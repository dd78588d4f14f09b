"""A final table of Tower of Babel: the parts and discs on the wonders, and the players' holdings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

from scoring.errors import BoardError
from scoring.spots.game import Laid, Spot, find_strange_spot
from scoring.tower_of_babel.components import ROWS, Card, Components

COLOURS = ("red", "yellow", "green", "blue", "black")
WONDERS = ("giza", "colossus", "zeus", "gardens", "mausoleum", "lighthouse", "artemis", "babel")
KINDS = ("camel", "crane", "ship", "mason")
NAMES = {"camel": "camel", "crane": "crane", "ship": "ship", "mason": "stone mason"}
PAIRS = tuple(combinations(KINDS, 2))
WORTHS = (1, 3)
CARDS: tuple[Card, ...] = ("disc-bonus", "points")
LIGHT = "light"
TWO_COLOURED = "two-coloured"
"""The spot for whether the discs of 2 colours were in the game ("Place the 4 two-colored [...] in the box")."""
NO, YES = "no", "yes"
MAX_TRACK_POINTS = 300
"""Maximum number of points on the track if its length is unknown. A guess."""

Kind = str | tuple[str, str]
"""The kinds that a disc shows: one, or a pair."""
DISC_KINDS: tuple[Kind, ...] = (*KINDS, *PAIRS)


@dataclass(frozen=True, slots=True)
class Table:
    """The state of a table. `unknown` are the spots without a value, which count as empty.

    `parts` are numbers by wonder, player and worth, `held` by player and disc, `cards` by player and card. `row` is how
    far the scoring marker has moved down, or LIGHT once it is on the light space. `track` has the players with known
    points. `two_coloured` is whether discs of 2 colours were in the game.
    """

    players: tuple[str, ...]
    parts: Mapping[str, Mapping[str, Mapping[int, int]]]
    discs_left: Mapping[str, int]
    held: Mapping[str, Mapping[Kind, int]]
    cards: Mapping[str, Mapping[str, int]]
    track: Mapping[str, int]
    row: int | Literal["light"] | None = None
    two_coloured: bool | None = None
    unknown: frozenset[str] = frozenset()

    @property
    def are_discs_known(self) -> bool:
        """Return whether it is known of every wonder how many discs are left."""
        return not any(f"discs.{wonder}" in self.unknown for wonder in WONDERS)

    @property
    def number_left(self) -> int:
        """Return the number of discs on the wonders."""
        return sum(self.discs_left.values())

    @property
    def number_held(self) -> int:
        """Return the number of discs in front of the players."""
        return sum(number for counts in self.held.values() for number in counts.values())

    @property
    def pairs_held(self) -> list[tuple[str, tuple[str, str]]]:
        """Return the two-coloured discs in front of the players: the player and the pair, once for each disc."""
        every = ((player, kind, n) for player, counts in self.held.items() for kind, n in counts.items())
        return [(player, kind) for player, kind, n in every if isinstance(kind, tuple) for _ in range(n)]

    def count_held(self, kind: Kind) -> int:
        """Return the number of discs of a kind in front of the players."""
        return sum(counts[kind] for counts in self.held.values())

    def worth(self, wonder: str) -> dict[str, int]:
        """Return the total worth of each player's building parts on a wonder, for players with any."""
        sums = {
            player: sum(worth * number for worth, number in parts.items())
            for player, parts in self.parts[wonder].items()
        }
        return {player: worth for player, worth in sums.items() if worth}

    @property
    def completed(self) -> tuple[str, ...]:
        """Return the wonders without any disc left."""
        return tuple(wonder for wonder in WONDERS if self.discs_left[wonder] == 0)

    @property
    def just_completed(self) -> str | None:
        """Return a completed wonder that is still to be scored: the only one with parts, before the marker has moved
        on.

        "End of the Game": the disc that ends the game may complete a wonder, which is scored first.
        """
        waiting = [wonder for wonder in self.completed if self.worth(wonder)]
        return waiting[0] if len(waiting) == 1 and self.row == len(self.completed) - 1 else None


def name_parts_spot(wonder: str, player: str, worth: int) -> str:
    """Return the name of the spot of parts."""
    return f"parts.{wonder}.{player}.{worth}"


def name_held_spot(player: str, kind: Kind) -> str:
    """Return the name of the spot of a player's discs of a kind, or of two."""
    return f"held.{player}.{kind if isinstance(kind, str) else '-'.join(kind)}"


def list_spots(components: Components, players: Sequence[str], laid: Laid) -> tuple[Spot, ...]:
    """Return every spot of a table of these players; raise BoardError `bad_players`.

    If no discs of 2 colours were in the game, no player can have any; if a player has one, they were.
    """
    if not players or len(set(players)) < len(players) or not set(players) <= set(COLOURS):
        raise BoardError("bad_players", f"Players are some of {', '.join(COLOURS)}, each once", players=list(players))
    is_held = _is_two_coloured_held(players, laid)
    may_be_held = is_held or laid.get(TWO_COLOURED) != NO
    return (
        *_list_board_spots(components, players),
        Spot(TWO_COLOURED, "two_coloured", {}, (YES,) if is_held else (NO, YES), typed=True),
        *_list_player_spots(components, players, may_be_held),
    )


def _is_two_coloured_held(players: Sequence[str], laid: Laid) -> bool:
    return any(laid.get(name_held_spot(player, pair), 0) != 0 for player in players for pair in PAIRS)


def _list_board_spots(components: Components, players: Sequence[str]) -> Iterator[Spot]:
    for wonder in WONDERS:
        for player in players:
            for worth in WORTHS:
                choices = range(components.parts.of(worth) + 1)
                values: dict[str, int | str] = {"wonder": wonder, "player": player, "worth": worth}
                yield Spot(name_parts_spot(wonder, player, worth), "parts", values, tuple(choices))
        left = range(components.discs.on_a_wonder, -1, -1)
        yield Spot(f"discs.{wonder}", "discs_left", {"wonder": wonder}, tuple(left))
    most = MAX_TRACK_POINTS if components.track.length is None else 2 * components.track.length
    for player in players:
        yield Spot(f"track.{player}", "track", {"player": player}, tuple(range(most + 1)))
    yield Spot("row", "row", {}, (*range(ROWS + 1), LIGHT))


def _list_player_spots(components: Components, players: Sequence[str], has_pairs: bool) -> Iterator[Spot]:
    of_a_kind = tuple(range(components.discs.of_a_kind + 1))
    for player in players:
        for kind in KINDS:
            yield Spot(name_held_spot(player, kind), "held", {"player": player, "disc": kind}, of_a_kind, typed=True)
        for first, second in PAIRS:
            values: dict[str, int | str] = {"player": player, "disc": f"{first}-{second}"}
            pairs = (0, 1) if has_pairs else (0,)
            yield Spot(name_held_spot(player, (first, second)), "held", values, pairs, typed=True)
        for card in CARDS:
            number = tuple(range(components.action_cards.number[card] + 1))
            yield Spot(f"cards.{player}.{card}", "cards", {"player": player, "card": card}, number, typed=True)


def build_table(components: Components, players: Sequence[str], laid: Laid) -> Table:
    """Return the table with these values; raise BoardError `strange_spot` for impossible ones."""
    spots = list_spots(components, players, laid)
    if strange := find_strange_spot(spots, laid):
        name, value = strange
        raise BoardError("strange_spot", f"{value!r} cannot lie at {name!r}", spot=name, value=value)
    return Table(
        players=tuple(players),
        parts={
            w: {p: {n: _read_number(laid, name_parts_spot(w, p, n)) for n in WORTHS} for p in players} for w in WONDERS
        },
        discs_left={w: _read_number(laid, f"discs.{w}", components.discs.on_a_wonder) for w in WONDERS},
        held={p: {kind: _read_number(laid, name_held_spot(p, kind)) for kind in DISC_KINDS} for p in players},
        cards={p: {card: _read_number(laid, f"cards.{p}.{card}") for card in CARDS} for p in players},
        track={p: _read_number(laid, f"track.{p}") for p in players if f"track.{p}" in laid},
        row=_read_row(laid),
        two_coloured=_read_two_coloured(players, laid),
        unknown=frozenset(spot.id for spot in spots) - laid.keys(),
    )


def _read_two_coloured(players: Sequence[str], laid: Laid) -> bool | None:
    if _is_two_coloured_held(players, laid):
        return True
    return laid[TWO_COLOURED] == YES if TWO_COLOURED in laid else None


def _read_row(laid: Laid) -> int | Literal["light"] | None:
    value = laid.get("row")
    return None if value is None else "light" if value == LIGHT else int(value)


def _read_number(laid: Laid, spot: str, otherwise: int = 0) -> int:
    return int(laid.get(spot, otherwise))
