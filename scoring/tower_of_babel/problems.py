"""Impossible states of a table, each as a Trouble with its code, and its unknown spots that may change points.

Every disc is on a wonder or in front of a player, so once all are accounted for, no further player can have any.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from scoring.counts import format_count
from scoring.score_entry import Values
from scoring.spots.game import Trouble
from scoring.tower_of_babel.board import (
    CARDS,
    DISC_KINDS,
    KINDS,
    LIGHT,
    PAIRS,
    TWO_COLOURED,
    WONDERS,
    WORTHS,
    Kind,
    Table,
    name_held_spot,
    name_parts_spot,
)
from scoring.tower_of_babel.components import ROWS, Card, Components


def find_problems(components: Components, table: Table) -> tuple[Trouble, ...]:
    """Return everything that violates the rules, as far as known."""
    return (
        *_find_excess_parts(components, table),
        *_find_wrong_completions(table),
        *_find_parts_without_discs(components, table),
        *_find_excess_discs(components, table),
        *_find_excess_cards(components, table),
        *_find_no_kind_used_up(components, table),
    )


def _find_excess_parts(components: Components, table: Table) -> Iterator[Trouble]:
    """Yield players with too many parts on wonders; one part of value 1 is the counter on the track."""
    for player, worth in product(table.players, WORTHS):
        number = sum(table.parts[w][player][worth] for w in WONDERS)
        most = components.parts.of(worth) - (worth == 1)
        if number > most:
            text = f"{player} has {number} building parts of value {worth} on wonders, {most} are the most"
            spots = tuple(name_parts_spot(w, player, worth) for w in WONDERS if table.parts[w][player][worth])
            values: Values = {"player": player, "worth": worth, "number": number, "most": most}
            yield Trouble("too_many_parts", text, spots, values)


def _find_wrong_completions(table: Table) -> Iterator[Trouble]:
    completed = table.completed
    if len(completed) > ROWS:
        text = f"{len(completed)} wonders are completed, but the game ends before the eighth"
        spots = tuple(f"discs.{wonder}" for wonder in completed)
        yield Trouble("too_many_completed", text, spots, {"number": len(completed), "most": ROWS})
    for wonder in completed:
        worth = sum(table.worth(wonder).values())
        if worth and wonder != table.just_completed:
            text = f"the last disc of {wonder} is taken, but building parts worth {worth} lie there"
            spots = (*_list_parts_spots(table, wonder), f"discs.{wonder}")
            yield Trouble("parts_on_completed", text, spots, {"wonder": wonder, "worth": worth})
    if table.are_discs_known and table.row not in (None, LIGHT, len(completed)) and table.just_completed is None:
        row = int(table.row or 0)
        completions = format_count(len(completed), "wonder is", "wonders are")
        text = f"the scoring marker has moved down {format_count(row, 'row')}, but {completions} completed"
        spots = ("row", *(f"discs.{wonder}" for wonder in completed))
        yield Trouble("marker_elsewhere", text, spots, {"row": row, "number": len(completed)})


def _find_parts_without_discs(components: Components, table: Table) -> Iterator[Trouble]:
    """Yield wonders with too few or too many parts for their discs ("4. Build": a disc is taken for the parts it
    needs).
    """
    for wonder in WONDERS:
        parts = [name_parts_spot(wonder, player, worth) for player in table.players for worth in WORTHS]
        left = table.discs_left[wonder]
        if not left or table.unknown.intersection((*parts, f"discs.{wonder}")):
            continue
        taken_discs, worth = components.discs.on_a_wonder - left, sum(table.worth(wonder).values())
        least, most = taken_discs * components.discs.least, taken_discs * components.discs.most
        if worth < least or (worth > most and not (table.pairs_held and taken_discs)):
            need = format_count(taken_discs, "disc needs", "discs need")
            text = f"building parts worth {worth} lie on {wonder}, but {need} {least} to {most}"
            values: Values = {"wonder": wonder, "worth": worth, "taken": taken_discs, "least": least, "most": most}
            yield Trouble("parts_without_discs", text, (*_list_parts_spots(table, wonder), f"discs.{wonder}"), values)


def _find_excess_discs(components: Components, table: Table) -> Iterator[Trouble]:
    pairs, most = table.pairs_held, components.discs.two_coloured
    if len(pairs) > most:
        text = f"the players hold {len(pairs)} discs of two colours, but there are {most}"
        spots = tuple(dict.fromkeys(name_held_spot(player, kind) for player, kind in pairs))
        yield Trouble("too_many_two_coloured", text, spots, {"number": len(pairs), "most": most})
    for kind in KINDS:
        number, most = table.count_held(kind), components.discs.of_a_kind - bool(table.two_coloured)
        if number > most:
            text = f"the players hold {number} discs with {kind}, but there are {most}"
            spots = tuple(name_held_spot(player, kind) for player in table.players if table.held[player][kind])
            yield Trouble("too_many_discs", text, spots, {"disc": kind, "number": number, "most": most})
    yield from _find_wrong_sum_of_discs(components, table)


def _find_wrong_sum_of_discs(components: Components, table: Table) -> Iterator[Trouble]:
    held_discs, left, all_discs = table.number_held, table.number_left, count_discs_in_play(components)
    held_known = table.unknown.isdisjoint(_list_held_spots(table))
    if table.are_discs_known and (held_discs + left > all_discs or (held_known and held_discs + left < all_discs)):
        text = f"{format_count(left, 'disc lies', 'discs lie')} on wonders and {held_discs} before players, "
        text += f"but {all_discs} are in the game"
        spots = (
            *(f"discs.{wonder}" for wonder in WONDERS),
            *(name_held_spot(p, kind) for p in table.players for kind, n in table.held[p].items() if n),
        )
        yield Trouble("discs_do_not_add_up", text, spots, {"left": left, "held": held_discs, "all": all_discs})


def _find_no_kind_used_up(components: Components, table: Table) -> Iterator[Trouble]:
    """Yield a problem if the game is certainly not over ("End of the Game": it ends with the last disc of one kind)."""
    if not table.are_discs_known:
        return
    taken_discs = count_discs_in_play(components) - table.number_left
    if taken_discs >= components.discs.of_a_kind:
        is_known = table.unknown.isdisjoint(_list_held_spots(table)) and table.number_held == taken_discs
        if not is_known or any(_may_be_used_up(components, table, kind) for kind in KINDS):
            return
    text = f"discs of every kind still lie on the wonders ({table.number_left} in all), so the game is not over"
    spots = tuple(f"discs.{wonder}" for wonder in WONDERS if table.discs_left[wonder])
    yield Trouble("no_kind_used_up", text, spots, {"left": table.number_left})


def _may_be_used_up(components: Components, table: Table, kind: str) -> bool:
    """Return whether all discs of a kind may have been taken, "Two-colored" ones included.

    The pairs of kinds in the box are unknown, but no pair occurs twice.
    """
    pairs = [pair for _, pair in table.pairs_held]
    if not pairs:
        return table.count_held(kind) >= components.discs.of_a_kind
    without = [pair for pair in PAIRS if kind not in pair]
    hidden = len(without) - sum(pair in without for pair in pairs)
    is_last = table.count_held(kind) >= components.discs.of_a_kind - 1
    return is_last and components.discs.two_coloured - len(pairs) <= hidden


def _find_excess_cards(components: Components, table: Table) -> Iterator[Trouble]:
    for card in CARDS:
        number = sum(counts[card] for counts in table.cards.values())
        most = components.action_cards.number[card]
        if table.are_discs_known:
            most = min(most, len(table.completed))
        if number > most:
            text = f"the players have {number} action cards {card}, {most} are the most"
            spots = tuple(f"cards.{player}.{card}" for player in table.players if table.cards[player][card])
            yield Trouble("too_many_cards", text, spots, {"card": card, "number": number, "most": most})


def _list_parts_spots(table: Table, wonder: str) -> tuple[str, ...]:
    parts = product(table.players, WORTHS)
    return tuple(name_parts_spot(wonder, *part) for part in parts if table.parts[wonder][part[0]][part[1]])


def _list_held_spots(table: Table) -> list[str]:
    return [name_held_spot(player, kind) for player in table.players for kind in table.held[player]]


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
    if table.count_held(kind) >= components.discs.of_a_kind - bool(table.two_coloured and isinstance(kind, str)):
        return True
    if isinstance(kind, tuple) and len(table.pairs_held) >= components.discs.two_coloured:
        return True
    return table.are_discs_known and table.number_held + table.number_left >= count_discs_in_play(components)


def _are_cards_accounted_for(components: Components, table: Table, card: Card) -> bool:
    """Return whether all cards of a kind, or all cards given (one per completed wonder), are accounted for."""
    everyone = sum(counts[card] for counts in table.cards.values())
    if everyone >= components.action_cards.number[card]:
        return True
    held_cards = sum(number for counts in table.cards.values() for number in counts.values())
    return table.are_discs_known and held_cards >= len(table.completed)
