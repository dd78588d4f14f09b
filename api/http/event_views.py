"""HTTP documents of events, their tables, standings and histories."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from typing import get_args

from api.schemas.events import (
    EventDocument,
    EventStandings,
    EventTables,
    PairingDocument,
    PlayerScore,
    PlayerStanding,
    State,
    TableChanged,
    TableDocument,
)
from api.schemas.readings import ErrorBody
from api.server.errors import ServerError
from api.server.tokens import derive_token
from api.store.event_sync import split_photo_faults
from api.store.events import Event, EventOverview, EventStore, EventTable
from api.tournament.standings import Standing

STATES: tuple[State, ...] = get_args(State)


def derive_hand_in_token(event: Event) -> str:
    """Derive the token with which players submit their own tables; it changes with the owner's token."""
    return derive_token(event.token_hash, f"hand in {event.id}")


def build_event_document(events: EventStore, id: str, may_decide: bool, may_add: bool = False) -> EventDocument:
    """Build the current document of an event; raises ServerError `not_found`."""
    return _build_event(events.get_overview(id), may_decide, may_add)


def _build_event(overview: EventOverview, may_decide: bool, may_add: bool) -> EventDocument:
    event, counts = overview.event, Counter(map(_get_state, overview.tables))
    return EventDocument(
        id=event.id,
        name=event.name,
        rules=event.rules,
        created=_convert_time(event.created),
        version=event.version,
        may_decide=may_decide,
        may_add=may_decide or may_add,
        hand_in=derive_hand_in_token(event) if may_decide else None,
        counts={state: counts[state] for state in STATES},
        tie_breakers=list(event.tie_breakers),
        box_rules=event.box_rules.choices,
        standings=[_build_standing(standing) for standing in overview.standings],
    )


def build_table_change(events: EventStore, event: str, table: int, may_decide: bool = True) -> TableChanged:
    """Build the document of a changed table and its event, for the owner or for a player who submitted it.

    Raises ServerError `not_found`.
    """
    overview = events.get_overview(event)
    changed_table = next((one for one in overview.tables if one.id == table), None)
    if changed_table is None:
        raise ServerError("not_found")
    return TableChanged(table=_build_table(changed_table), event=_build_event(overview, may_decide, may_add=True))


def build_tables_document(events: EventStore, id: str) -> EventTables:
    """Build the document of an event's tables, those that need a person first; raises ServerError `not_found`."""
    overview = events.get_overview(id)
    return EventTables(
        version=overview.event.version,
        tables=sorted(map(_build_table, overview.tables), key=_compute_urgency),
        roster=[PairingDocument.model_validate(pairing, from_attributes=True) for pairing in overview.roster],
    )


def build_standings_document(events: EventStore, id: str, round: str | None) -> EventStandings:
    """Build the document of an event's standings, or of one round's; raises ServerError `not_found`."""
    return EventStandings(standings=list(map(_build_standing, events.list_standings(id, round))))


def _get_state(table: EventTable) -> State:
    if table.coming is not None:
        return "reading"
    if table.decided == "unscorable":
        return "unscorable"
    if table.error is not None and table.error["code"] == "not_read_yet":
        return "waiting"
    return table.status  # type: ignore[return-value]


def _compute_urgency(table: TableDocument) -> tuple[int, float]:
    """Compute the sort key that puts tables in need of a person first, the least certain of the doubtful ones ahead."""
    return STATES.index(table.state), -1.0 if table.confidence is None else table.confidence


def _build_table(table: EventTable) -> TableDocument:
    place, (missing, shared) = table.listed_table, split_photo_faults(table.missing)
    return TableDocument(
        id=table.id,
        state=_get_state(table),
        contest=place.event,
        round=place.round,
        table=place.table,
        photos=list(place.photos),
        reading=table.reading,
        coming=table.coming,
        error=None if table.error is None else ErrorBody(**table.error),
        missing={name: error["code"] for name, error in missing},
        same_photos=dict(shared),
        confidence=table.confidence,
        doubts=table.doubts,
        whole=table.whole,
        scores=[
            PlayerScore(colour=colour, name=name, points=points, place=at if table.whole else None)
            for colour, name, points, at in table.scores
        ],
        version=table.version,
        reason=table.reason,
        who=table.who,
        decided_at=None if table.decided_at is None else _convert_time(table.decided_at),
    )


def _build_standing(standing: Standing) -> PlayerStanding:
    return PlayerStanding(
        contest=standing.event,
        place=standing.place,
        player=standing.player,
        tables=standing.tables,
        wins=float(standing.wins),
        points=standing.points,
        share=round(float(standing.share), 4),
        without_score_track=standing.final_only,
        doubtful_tables=standing.doubtful,
    )


def _convert_time(seconds: int) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)
