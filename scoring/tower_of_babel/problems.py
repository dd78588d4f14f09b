"""Impossible states of a table, each as a Trouble with its code."""

from __future__ import annotations

from collections.abc import Iterator

from scoring.counts import format_count
from scoring.spots.game import Trouble
from scoring.tower_of_babel.board import (
    CARDS,
    KINDS,
    LIGHT,
    PAIRS,
    WONDERS,
    WORTHS,
    Table,
    name_held_spot,
    name_parts_spot,
)
from scoring.tower_of_babel.components import ROWS, Components
from scoring.tower_of_babel.unknown import count_discs_in_play


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


def compute_max_parts(components: Components, worth: int) -> int:
    """Return the maximum number of parts of a worth on wonders; one part of value 1 is the counter on the track."""
    return components.parts.of(worth) - (worth == 1)


def _find_excess_parts(components: Components, table: Table) -> Iterator[Trouble]:
    for player in table.players:
        for worth in WORTHS:
            number, most = (sum(table.parts[w][player][worth] for w in WONDERS), compute_max_parts(components, worth))
            if number > most:
                text = f"{player} has {number} building parts of value {worth} on wonders, {most} are the most"
                spots = tuple(name_parts_spot(w, player, worth) for w in WONDERS if table.parts[w][player][worth])
                values: dict[str, int | str] = {"player": player, "worth": worth, "number": number, "most": most}
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
    are_discs_known = not any(f"discs.{wonder}" in table.unknown for wonder in WONDERS)
    if are_discs_known and table.row not in (None, LIGHT, len(completed)) and table.just_completed is None:
        moved, completions = (
            format_count(int(table.row or 0), "row"),
            format_count(len(completed), "wonder is", "wonders are"),
        )
        text = f"the scoring marker has moved down {moved}, but {completions} completed"
        values: dict[str, int | str] = {"row": int(table.row or 0), "number": len(completed)}
        yield Trouble("marker_elsewhere", text, ("row", *(f"discs.{wonder}" for wonder in completed)), values)


def _find_parts_without_discs(components: Components, table: Table) -> Iterator[Trouble]:
    """Yield wonders with too few or too many parts for their discs ("4. Build": a disc is taken for the parts it
    needs).
    """
    pairs = any(isinstance(kind, tuple) and n for counts in table.held.values() for kind, n in counts.items())
    for wonder in WONDERS:
        parts = [name_parts_spot(wonder, player, worth) for player in table.players for worth in WORTHS]
        left = table.discs_left[wonder]
        if not left or table.unknown.intersection((*parts, f"discs.{wonder}")):
            continue
        taken_discs, worth = components.discs.on_a_wonder - left, sum(table.worth(wonder).values())
        least, most = taken_discs * components.discs.least, taken_discs * components.discs.most
        if worth < least or (worth > most and not (pairs and taken_discs)):
            need = format_count(taken_discs, "disc needs", "discs need")
            text = f"building parts worth {worth} lie on {wonder}, but {need} {least} to {most}"
            values: dict[str, int | str] = {
                "wonder": wonder,
                "worth": worth,
                "taken": taken_discs,
                "least": least,
                "most": most,
            }
            yield Trouble("parts_without_discs", text, (*_list_parts_spots(table, wonder), f"discs.{wonder}"), values)


def _find_excess_discs(components: Components, table: Table) -> Iterator[Trouble]:
    pairs = {
        (p, kind): n for p, counts in table.held.items() for kind, n in counts.items() if isinstance(kind, tuple) and n
    }
    two_coloured = sum(pairs.values())
    if two_coloured > components.discs.two_coloured:
        most = components.discs.two_coloured
        text = f"the players hold {two_coloured} discs of two colours, but there are {most}"
        spots = tuple(name_held_spot(player, kind) for player, kind in pairs)
        yield Trouble("too_many_two_coloured", text, spots, {"number": two_coloured, "most": most})
    for kind in KINDS:
        number = sum(counts[kind] for counts in table.held.values())
        most = components.discs.of_a_kind - bool(table.two_coloured)
        if number > most:
            text = f"the players hold {number} discs with {kind}, but there are {most}"
            spots = tuple(name_held_spot(player, kind) for player in table.players if table.held[player][kind])
            yield Trouble("too_many_discs", text, spots, {"disc": kind, "number": number, "most": most})
    yield from _find_wrong_sum_of_discs(components, table)


def _find_wrong_sum_of_discs(components: Components, table: Table) -> Iterator[Trouble]:
    held_discs = sum(number for counts in table.held.values() for number in counts.values())
    left, all_discs = sum(table.discs_left.values()), count_discs_in_play(components)
    left_known = not any(f"discs.{wonder}" in table.unknown for wonder in WONDERS)
    held_known = not any(name_held_spot(p, kind) in table.unknown for p in table.players for kind in table.held[p])
    if left_known and (held_discs + left > all_discs or (held_known and held_discs + left < all_discs)):
        lying = format_count(left, "disc lies", "discs lie")
        text = f"{lying} on wonders and {held_discs} before players, but {all_discs} are in the game"
        spots = (
            *(f"discs.{wonder}" for wonder in WONDERS),
            *(name_held_spot(p, kind) for p in table.players for kind, n in table.held[p].items() if n),
        )
        yield Trouble("discs_do_not_add_up", text, spots, {"left": left, "held": held_discs, "all": all_discs})


def _find_no_kind_used_up(components: Components, table: Table) -> Iterator[Trouble]:
    """Yield a problem if the game is certainly not over ("End of the Game": it ends with the last disc of one kind)."""
    left, held_discs = sum(table.discs_left.values()), sum(sum(counts.values()) for counts in table.held.values())
    taken_discs = count_discs_in_play(components) - left
    held_spots = [name_held_spot(player, kind) for player in table.players for kind in table.held[player]]
    if any(f"discs.{wonder}" in table.unknown for wonder in WONDERS):
        return
    if taken_discs >= components.discs.of_a_kind:
        is_known = not table.unknown.intersection(held_spots) and held_discs == taken_discs
        if not is_known or any(_may_be_used_up(components, table, kind) for kind in KINDS):
            return
    text = f"discs of every kind still lie on the wonders ({left} in all), so the game is not over"
    spots = tuple(f"discs.{wonder}" for wonder in WONDERS if table.discs_left[wonder])
    yield Trouble("no_kind_used_up", text, spots, {"left": left})


def _may_be_used_up(components: Components, table: Table, kind: str) -> bool:
    """Return whether all discs of a kind may have been taken, "Two-colored" ones included.

    The pairs of kinds in the box are unknown, but no pair occurs twice.
    """
    single = sum(counts[kind] for counts in table.held.values())
    pairs = [disc for counts in table.held.values() for disc, n in counts.items() if isinstance(disc, tuple) and n]
    if not pairs:
        return single >= components.discs.of_a_kind
    without = [pair for pair in PAIRS if kind not in pair]
    hidden = len(without) - sum(pair in without for pair in pairs)
    return single >= components.discs.of_a_kind - 1 and components.discs.two_coloured - len(pairs) <= hidden


def _find_excess_cards(components: Components, table: Table) -> Iterator[Trouble]:
    for card in CARDS:
        number = sum(counts[card] for counts in table.cards.values())
        most = components.action_cards.number[card]
        if not any(f"discs.{wonder}" in table.unknown for wonder in WONDERS):
            most = min(most, len(table.completed))
        if number > most:
            text = f"the players have {number} action cards {card}, {most} are the most"
            spots = tuple(f"cards.{player}.{card}" for player in table.players if table.cards[player][card])
            yield Trouble("too_many_cards", text, spots, {"card": card, "number": number, "most": most})


def _list_parts_spots(table: Table, wonder: str) -> tuple[str, ...]:
    return tuple(
        name_parts_spot(wonder, player, worth)
        for player in table.players
        for worth in WORTHS
        if table.parts[wonder][player][worth]
    )
