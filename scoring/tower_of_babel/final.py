"""The final scoring: wonders, discs of a kind, action cards ("End of the Game")."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product

from scoring.counts import format_count
from scoring.score_entry import ScoreEntry, Values
from scoring.spots.game import Area
from scoring.tower_of_babel.board import (
    KINDS,
    LIGHT,
    NAMES,
    WONDERS,
    WORTHS,
    Kind,
    Table,
    name_held_spot,
    name_parts_spot,
)
from scoring.tower_of_babel.components import Components, Row

SECTIONS = {
    "wonder.most": "babel-end",
    "wonder.tied": "babel-end",
    "wonder.second": "babel-end",
    "wonder.part": "babel-end",
    "discs.kind": "babel-end",
    "cards.disc-bonus": "babel-cards",
    "cards.points": "babel-cards",
}
"""Section of the rule text for each rule of an entry, as named by `explain-section-*` of `api/i18n`."""


@dataclass(frozen=True, slots=True)
class Share:
    """One player's points for a wonder: the rule, and the worth of the player's parts."""

    rule: str
    points: int
    worth: int


def compute_shares(row: Row, others: int, worths: Mapping[str, int]) -> dict[str, Share]:
    """Return the score of each player with parts on a wonder, by a row of the scoring table; worth 1 counts as one
    part.

    Players tied for most each score the points for second most. Players tied for second most each score as all others
    do.
    """
    ranked = sorted({worth for worth in worths.values() if worth > 0}, reverse=True)
    tied = Counter(worths.values())
    shares = {}
    for player, worth in worths.items():
        if worth <= 0:
            continue
        if worth == ranked[0]:
            share = ("wonder.most", row.most) if tied[worth] == 1 else ("wonder.tied", row.second)
        elif worth == ranked[1] and tied[worth] == 1 and tied[ranked[0]] == 1:
            share = ("wonder.second", row.second)
        else:
            share = ("wonder.part", others)
        shares[player] = Share(*share, worth)
    return shares


def score_wonder(
    wonder: str, row: Row, number: int | str, worths: Mapping[str, int], components: Components
) -> Iterator[ScoreEntry]:
    """Yield the points of a wonder; `number` is the row's number (1 is the first), or LIGHT."""
    for player, share in compute_shares(row, components.scoring_table.others, worths).items():
        by = "light space" if number == LIGHT else f"row {number}"
        text = f"{components.wonders[wonder]}: worth {share.worth}, {by}"
        values: Values = {"wonder": wonder, "worth": share.worth, "row": number}
        yield ScoreEntry(player, share.points, f"wonder.{wonder}", share.rule, text, values)


def score_wonders(components: Components, table: Table) -> Iterator[ScoreEntry]:
    """Yield a wonder completed by the last disc, scored by the marker's row, then incomplete ones by the light
    space.
    """
    just = table.just_completed
    if just is not None:
        number = len(table.completed)
        yield from score_wonder(just, components.row(number), number, table.worth(just), components)
    for wonder in WONDERS:
        worths = table.worth(wonder)
        if worths and table.discs_left[wonder]:
            yield from score_wonder(wonder, components.light_row(), LIGHT, worths, components)


def assign_disc_kinds(components: Components, disc_counts: Mapping[Kind, int]) -> dict[str, tuple[Kind, ...]]:
    """Return a player's discs by the kind each counts for, with two-coloured ones assigned for the highest total.

    Raises ComponentsError `component_missing` if the points of a reachable number are unknown.
    """
    single = Counter({kind: disc_counts.get(kind, 0) for kind in KINDS})
    pairs = [kind for kind, number in disc_counts.items() if isinstance(kind, tuple) for _ in range(number)]
    ways = [tuple(chosen) for chosen in product(*pairs)]
    best = max(ways, key=lambda chosen: sum(map(components.bonus, (single + Counter(chosen)).values())))
    return {
        kind: (*(single[kind] * (kind,)), *(pair for pair, choice in zip(pairs, best, strict=True) if choice == kind))
        for kind in KINDS
    }


def score_discs(components: Components, table: Table) -> Iterator[ScoreEntry]:
    """Yield the bonus for several discs of one kind."""
    for player in table.players:
        for kind, discs in assign_disc_kinds(components, table.held[player]).items():
            points = components.bonus(len(discs))
            if points:
                two = sum(isinstance(disc, tuple) for disc in discs)
                text = f"{len(discs)} x {NAMES[kind]}" + f" ({two} of two colours)" * bool(two)
                values: Values = {"disc": kind, "discs": len(discs), "two_coloured": two}
                yield ScoreEntry(player, points, f"held.{player}.{kind}", "discs.kind", text, values)


def score_cards(components: Components, table: Table) -> Iterator[ScoreEntry]:
    """Yield the points of action cards: "Building Disc Bonus", 1 point for each of the player's discs; "5 Victory
    Points".
    """
    each = components.action_cards.worth
    for player in table.players:
        bonuses, points = table.cards[player]["disc-bonus"], table.cards[player]["points"]
        discs = sum(table.held[player].values())
        if bonuses and discs:
            text = f"{format_count(bonuses, 'card')}, discs: {discs} x {each['disc-bonus']}"
            values: Values = {"cards": bonuses, "discs": discs, "each": each["disc-bonus"]}
            worth = bonuses * discs * each["disc-bonus"]
            yield ScoreEntry(player, worth, f"cards.{player}.disc-bonus", "cards.disc-bonus", text, values)
        if points:
            text, values = f"{points} x {each['points']}", {"cards": points, "each": each["points"]}
            yield ScoreEntry(player, points * each["points"], f"cards.{player}.points", "cards.points", text, values)


def score_table(components: Components, table: Table) -> tuple[ScoreEntry, ...]:
    """Return all points of the final scoring; raise ComponentsError `component_missing`."""
    return (*score_wonders(components, table), *score_discs(components, table), *score_cards(components, table))


def list_scoring_areas(components: Components, table: Table) -> Iterator[Area]:
    """Yield every wonder, then each player's scoring holdings: discs of a kind, cards."""
    for wonder in WONDERS:
        worths = table.worth(wonder)
        spots = [name_parts_spot(wonder, player, worth) for player in table.players for worth in WORTHS]
        complete = table.discs_left[wonder] == 0
        yield Area(
            f"wonder.{wonder}", "wonder", (*spots, f"discs.{wonder}"), sum(worths.values()), complete, dict(worths)
        )
    for player in table.players:
        for kind, discs in assign_disc_kinds(components, table.held[player]).items():
            name = name_held_spot(player, kind)
            spots = [name, *dict.fromkeys(name_held_spot(player, disc) for disc in discs if disc != kind)]
            if discs:
                yield Area(name, "discs", tuple(spots), len(discs), True, {player: len(discs)})
        for card, number in table.cards[player].items():
            name = f"cards.{player}.{card}"
            if number:
                yield Area(name, "card", (name,), number, True, {player: number})
