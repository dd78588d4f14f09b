"""Review of a table of spots: the reading with a person's corrections, and the report they give.

As in `api.carcassonne.corrections.apply`, it is a pure function of the snapshot and the list of corrections; values
set by a person are certain.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from api.documents.corrections import MAX_CORRECTIONS, Correction
from api.documents.spot_corrections import ConfirmSpot, NothingMore, SetPiece, SetPlayers, SetSpot, SetSpots
from api.documents.spot_report import SpotReport
from api.documents.tile_corrections import Confirm, SetBoxRules, SetPlayer, SetPlayerColour, SetTrack
from api.errors import CorrectionError
from api.spots.builder import build_spot_reading_report, compute_stage_times
from api.spots.registry import find_spot_game
from api.spots.snapshot import SpotSnapshot
from scoring.errors import BoardError
from scoring.player_colours import NOBODY, describe_unknown_colour
from scoring.spots.doubts import SpotDoubts, assess_spot_doubts
from scoring.spots.game import Game, Scored, Value
from scoring.spots.table import (
    Settled,
    fill_with_nothing,
    find_renaming,
    get_player,
    is_piece,
    repaint_components,
    settle_table,
)


@dataclass(slots=True)
class SpotCorrectionState:
    """State after all corrections so far: the values of spots (None: unknown), the confirmed spots, and the players.

    `players` is None if unknown: then the players are those with pieces in the photos and those with names. `colours`
    maps colours as read to the players' true colours; `sure_colours` are the colours that a person has stated.
    """

    laid: dict[str, Value | None] = field(default_factory=dict)
    confirmed: set[str] = field(default_factory=set)
    names: dict[str, str] = field(default_factory=dict)
    players: tuple[str, ...] | None = None
    colours: dict[str, str] = field(default_factory=dict)
    sure_colours: set[str] = field(default_factory=set)

    def lay(self, spot: str, value: Value | None) -> None:
        """Set the value of a spot, which is no longer confirmed as read."""
        self.laid[spot] = value
        self.confirmed.discard(spot)

    def forget(self, spots: Collection[str]) -> None:
        """Drop what was stated about spots that are no part of the table."""
        self.laid = {id: value for id, value in self.laid.items() if id not in spots}
        self.confirmed -= {*spots}

    def repaint(self, colour: str, instead: str, renaming: Mapping[str, str]) -> None:
        """Swap the colours of two players; `renaming` maps the ids of spots from one colour to the other."""
        swapped = {colour: instead, instead: colour}
        read = {now: old for old, now in self.colours.items()}
        for now in (colour, instead):
            self.colours[read.get(now, now)] = swapped[now]
        self.laid = {renaming.get(id, id): value for id, value in self.laid.items()}
        self.confirmed = {renaming.get(id, id) for id in self.confirmed}
        self.names = {swapped.get(player, player): name for player, name in self.names.items()}
        if self.players is not None:
            self.players = tuple(swapped.get(player, player) for player in self.players)
        self.sure_colours = {swapped.get(player, player) for player in self.sure_colours} | {instead}


@dataclass(frozen=True, eq=False)
class TableReview:
    """A corrected table: the `corrections`, and all parts from which the report was made.

    `snapshot` is the reading, under the players' colours as corrected.

    `sure` are the spots that a person has set or confirmed.
    """

    snapshot: SpotSnapshot
    corrections: tuple[Correction, ...]
    report: SpotReport
    state: SpotCorrectionState
    table: Settled
    scored: Scored
    doubts: SpotDoubts
    sure: frozenset[str]


def build_table_review(snapshot: SpotSnapshot, corrections: Sequence[Correction] = ()) -> TableReview:
    """Review a reading with a person's corrections, applied in order.

    Raises CorrectionError for a correction that contradicts the table, with its index in `details`, and ScoringError.
    """
    started = time.perf_counter()
    rules = find_spot_game(snapshot.game).rules
    state = apply_table_corrections(snapshot, rules, corrections)
    table, sure = _table(snapshot, rules, state, corrections)
    snapshot = repaint_snapshot(snapshot, rules, state)
    scored = table.scored()
    others = dict(_list_alternatives(snapshot, table, sure))
    doubts = assess_spot_doubts(table, scored, others, snapshot.renames)
    report = build_spot_reading_report(table, scored, doubts, snapshot, sure)
    report.names = dict(sorted(state.names.items()))
    report.timing_ms = compute_stage_times(snapshot, (time.perf_counter() - started) * 1000)
    return TableReview(snapshot, tuple(corrections), report, state, table, scored, doubts, sure)


def _list_alternatives(
    snapshot: SpotSnapshot, table: Settled, sure: Collection[str]
) -> Iterator[tuple[str, Sequence[tuple[Value, float]]]]:
    """Yield the spots of which no person is sure, with their alternative values.

    A piece as read is settled by a person who is sure of all its spots, and no other spot may belong to it.
    """
    players = {spot.id: get_player(spot) for spot in table.spots}
    doubted = {(players.get(spot.id), spot.value) for spot in snapshot.spots if spot.id not in sure}
    settled = {(players.get(spot.id), spot.value) for spot in snapshot.spots if is_piece(spot.value)} - doubted
    for spot in snapshot.spots:
        if spot.id not in sure:
            yield spot.id, [other for other in spot.alternatives if (players.get(spot.id), other[0]) not in settled]


def apply_table_corrections(
    snapshot: SpotSnapshot, rules: Game, corrections: Sequence[Correction]
) -> SpotCorrectionState:
    """Apply corrections in order; a player's points on the score track become the spot `track.COLOUR`."""
    if len(corrections) > MAX_CORRECTIONS:
        raise CorrectionError("too_many_corrections", details={"most": MAX_CORRECTIONS})
    state = SpotCorrectionState()
    for number, correction in enumerate(corrections):
        match correction:
            case SetSpot(id=id, value=value):
                state.lay(id, value)
            case SetSpots(ids=ids, value=value):
                for id in ids:
                    state.lay(id, value)
            case ConfirmSpot(id=id):
                state.confirmed.add(id)
            case SetPlayers(colours=colours):
                _refuse_colours(colours, rules, number)
                state.players = tuple(dict.fromkeys(colours))
            case SetPiece(id=id, value=value):
                for spot in _table(snapshot, rules, state, corrections)[0].piece(id):
                    state.laid[spot] = value
            case NothingMore(player=player):
                _refuse_colours([] if player is None else [player], rules, number)
                state.laid |= fill_with_nothing(_table(snapshot, rules, state, corrections)[0], player)
            case SetPlayerColour(colour=colour, instead=instead) if instead == NOBODY:
                _refuse_colours([colour], rules, number)
                table = _table(snapshot, rules, state, corrections)[0]
                state.players = tuple(player for player in table.players if player != colour)
                state.forget({spot.id for spot in table.spots if get_player(spot) == colour})
            case SetPlayerColour(colour=colour, instead=instead):
                _refuse_colours([colour, instead], rules, number)
                table = _table(snapshot, rules, state, corrections)[0]
                if colour not in table.players:
                    continue  # no part is theirs: stated before the reading, or an unused colour
                swapped = {colour: instead, instead: colour}
                state.repaint(colour, instead, find_renaming(rules, table.components, swapped, table.laid))
            case Confirm(about="player", colour=str(colour)):
                _refuse_colours([colour], rules, number)
                state.sure_colours.add(colour)
            case SetPlayer(colour=colour, name=name):
                _refuse_colours([colour], rules, number)
                state.names.pop(colour, None)
                if name is not None:
                    state.names[colour] = name
            case SetTrack(colour=colour, points=points):
                state.lay(f"track.{colour}", points)
            case SetBoxRules(beforehand=True):
                continue
            case _:
                details = {"kind": correction.kind, "game": snapshot.game, "correction": number}
                raise CorrectionError("other_game", details=details)
    return state


def repaint_snapshot(snapshot: SpotSnapshot, rules: Game, state: SpotCorrectionState) -> SpotSnapshot:
    """Return a reading under the players' true colours, without alternatives for colours that a person has stated."""
    renaming = {}
    if state.colours:
        laid = {spot.id: spot.value for spot in snapshot.spots}
        renaming = find_renaming(rules, _load_components(snapshot, rules), state.colours, laid)
    spots = tuple(spot.model_copy(update={"id": renaming.get(spot.id, spot.id)}) for spot in snapshot.spots)
    players = {state.colours.get(player, player) for player in snapshot.players}
    renames = tuple(
        (names, probability)
        for names, probability in snapshot.renames
        if not {*names} & {*state.colours} and not {*names} & state.sure_colours
    )
    ordered = tuple(colour for colour in rules.colours if colour in players)
    places = tuple(
        place.model_copy(update={"owner": state.colours.get(place.owner, place.owner)}) for place in snapshot.places
    )
    return snapshot.model_copy(update={"spots": spots, "players": ordered, "renames": renames, "places": places})


def _load_components(snapshot: SpotSnapshot, rules: Game) -> Any:
    """Return the copy's components, with each board assigned to its player."""
    return repaint_components(rules, rules.components(snapshot.components or None), snapshot.boards)


def _refuse_colours(colours: Iterable[str], rules: Game, number: int) -> None:
    for colour in colours:
        if colour not in rules.colours:
            details = describe_unknown_colour(colour, rules.colours)
            raise CorrectionError("colour_unknown", details={**details, "correction": number})


def _table(
    snapshot: SpotSnapshot, rules: Game, state: SpotCorrectionState, corrections: Sequence[Correction]
) -> tuple[Settled, frozenset[str]]:
    """Return the table, and the spots of which a person is sure."""
    snapshot = repaint_snapshot(snapshot, rules, state)
    read: dict[str, Value] = {spot.id: spot.value for spot in snapshot.spots}
    named = {*snapshot.players, *state.names} if state.players is None else {*state.players}
    players = [colour for colour in rules.colours if colour in named]
    values = {id: value for id, value in {**read, **state.laid}.items() if value is not None}
    sure = frozenset({*state.laid, *(id for id in state.confirmed if id in values)})
    try:
        components = repaint_components(rules, _load_components(snapshot, rules), state.colours)
        table = settle_table(rules, components, players, values, sure)
        if strangers := state.confirmed - {spot.id for spot in table.spots}:
            raise BoardError("spot_unknown", f"The table has no spot {min(strangers)}", spot=min(strangers))
        return table, sure
    except BoardError as error:
        if error.code not in ("spot_unknown", "spot_value_impossible"):
            raise
        details = {**error.details, "correction": _number_of(error.details["spot"], corrections)}
        raise CorrectionError(error.code, error.text, details) from error


def _number_of(spot: str, corrections: Sequence[Correction]) -> int:
    """Return the index of the last correction about a spot."""
    return max((n for n, correction in enumerate(corrections) if spot in _spots_of(correction)), default=0)


def _spots_of(correction: Correction) -> Sequence[str]:
    """Return the spots that a correction names."""
    match correction:
        case SetSpot(id=id) | SetPiece(id=id) | ConfirmSpot(id=id):
            return (id,)
        case SetSpots(ids=ids):
            return ids
        case _:
            return ()
