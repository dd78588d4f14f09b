"""Unknown spots that may change points.

Every disc is on a wonder or in front of a player, so once all are accounted for, no further player can have any.
"""

from __future__ import annotations

from scoring.tower_of_babel.board import (
    CARDS,
    DISC_KINDS,
    KINDS,
    PAIRS,
    TWO_COLOURED,
    WONDERS,
    WORTHS,
    Kind,
    Table,
    name_held_spot,
    name_parts_spot,
)
from scoring.tower_of_babel.components import Card, Components


def count_discs_in_play(components: Components) -> int:
    """Return the number of discs in play, which is the number of spaces: two-coloured discs replace others."""
    return components.discs.on_a_wonder * len(WONDERS)


def find_relevant_unknowns(components: Components, table: Table) -> tuple[str, ...]:
    """Return the unknown spots that may change players' totals, in the order of the table's spots.

    A player's points on the track matter only if those of another player are known; otherwise the track is not in use.
    """
    return (
        *(spot for wonder in WONDERS for spot in _find_wonder_unknowns(table, wonder)),
        *_find_two_coloured_unknown(components, table),
        *(["row"] if "row" in table.unknown and any(table.worth(wonder) for wonder in table.completed) else []),
        *(spot for player in table.players for spot in _find_player_unknowns(components, table, player)),
        *(f"track.{player}" for player in table.players if table.track and player not in table.track),
    )


def _find_wonder_unknowns(table: Table, wonder: str) -> list[str]:
    """Return the unknown spots of a wonder that matter: parts of a completed wonder are taken back, and completion only
    matters for a wonder with parts.
    """
    parts = [name_parts_spot(wonder, player, worth) for player in table.players for worth in WORTHS]
    unknown = [spot for spot in parts if spot in table.unknown]
    discs = f"discs.{wonder}"
    if discs in table.unknown:
        return [*unknown, discs] if unknown or table.worth(wonder) else []
    scored = table.discs_left[wonder] == 0 and (table.row is None or table.row != len(table.completed) - 1)
    return [] if scored else unknown


def _find_two_coloured_unknown(components: Components, table: Table) -> list[str]:
    """Return the spot for discs of 2 colours if it is open; it is asked once, before the spots of each player
    and pair.
    """
    may_be_held = any(
        name_held_spot(player, pair) in table.unknown and not _are_discs_accounted_for(components, table, pair)
        for player in table.players
        for pair in PAIRS
    )
    return [TWO_COLOURED] if table.two_coloured is None and may_be_held else []


def _find_player_unknowns(components: Components, table: Table, player: str) -> list[str]:
    kinds = DISC_KINDS if table.two_coloured else KINDS
    discs = [name_held_spot(player, kind) for kind in kinds if not _are_discs_accounted_for(components, table, kind)]
    cards = [f"cards.{player}.{card}" for card in CARDS if not _are_cards_accounted_for(components, table, card)]
    return [spot for spot in (*discs, *cards) if spot in table.unknown]


def _are_discs_accounted_for(components: Components, table: Table, kind: Kind) -> bool:
    """Return whether all discs of a kind are accounted for."""
    of_kind = sum(counts[kind] for counts in table.held.values())
    if of_kind >= components.discs.of_a_kind - bool(table.two_coloured and isinstance(kind, str)):
        return True
    pairs = sum(
        number for counts in table.held.values() for disc_kind, number in counts.items() if isinstance(disc_kind, tuple)
    )
    if isinstance(kind, tuple) and pairs >= components.discs.two_coloured:
        return True
    left_known = not any(f"discs.{wonder}" in table.unknown for wonder in WONDERS)
    held_discs = sum(number for counts in table.held.values() for number in counts.values())
    return left_known and held_discs + sum(table.discs_left.values()) >= count_discs_in_play(components)


def _are_cards_accounted_for(components: Components, table: Table, card: Card) -> bool:
    """Return whether all cards of a kind, or all cards given (one per completed wonder), are accounted for."""
    everyone = sum(counts[card] for counts in table.cards.values())
    if everyone >= components.action_cards.number[card]:
        return True
    given_known = not any(f"discs.{wonder}" in table.unknown for wonder in WONDERS)
    held_cards = sum(number for counts in table.cards.values() for number in counts.values())
    return given_known and held_cards >= len(table.completed)
