"""/v1/events: tournaments, their tables with what needs a person first, and what is decided of these."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Annotated, get_args

from fastapi import APIRouter, Depends, Request, Response
from fastapi.responses import StreamingResponse

from api.batch.results import COLUMNS, csv_of, csv_text, line_of, standings_csv, summed
from api.batch.standings import TIE_BREAKERS, Standing
from api.server import Language, Server, Serving, check_owner, owns
from api.server_errors import ServerError
from api.store.events import Act, Event, EventTable
from api.who import Who
from api.wire import ErrorBody
from api.wire_events import (
    ActTold,
    Decision,
    DecisionMade,
    EventDocument,
    EventHistory,
    EventTables,
    PlayerScore,
    StandingTold,
    State,
    TableTold,
)

router = APIRouter(prefix="/v1/events", tags=["events"])

STATES: tuple[State, ...] = get_args(State)


def found(event_id: str, server: Serving) -> Event:
    """The event of an id; raises ServerError `not_found`."""
    return server.events.get(event_id)


Found = Annotated[Event, Depends(found)]


def owned(request: Request, event: Found) -> Event:
    """The event of an id, for who has its token; raises ServerError `not_found`, `token_wanted`, `not_yours`."""
    check_owner(request, event)
    return event


Owned = Annotated[Event, Depends(owned)]


@router.get("/{event_id}", response_model=EventDocument)
def get_event(request: Request, server: Serving, event: Found) -> EventDocument:
    """An event: how its tables stand, and its players."""
    return _document(server, event.id, owns(request, event))


@router.delete("/{event_id}", status_code=204)
async def delete_event(server: Serving, event: Owned) -> None:
    """Delete an event with all its readings and photos at once."""
    await server.heavily(server.events.delete, event.id)
    await server.readings.sweep()


@router.get("/{event_id}/tables", response_model=EventTables)
def get_tables(server: Serving, event: Found) -> EventTables:
    """All tables of an event, those first that need a person."""
    return EventTables(version=event.version, tables=sorted(map(_table, server.events.tables(event.id)), key=_urgency))


@router.post("/{event_id}/tables/{table}/decisions", response_model=DecisionMade)
async def decide(
    request: Request, server: Serving, event: Owned, table: str, asked: Decision, language: Language, who: Who
) -> DecisionMade:
    """Decide something of a table: it counts in the results and the standings at once.

    409 where somebody else was there in the meantime.
    """
    number = _number(table)
    await server.heavily(server.deciding.decide, event.id, number, asked, who, language)
    return await server.heavily(_made, server, event.id, number)


@router.get("/{event_id}/history", response_model=EventHistory)
def get_history(server: Serving, event: Found) -> EventHistory:
    """What people did to the event's tables, the newest last."""
    return EventHistory(acts=[_act(own) for own in server.events.acts(event.id)])


@router.get(
    "/{event_id}/results.csv",
    response_class=Response,
    responses={200: {"content": {"text/csv": {}}, "description": "A line for each player of each table."}},
)
def get_results(server: Serving, event: Found) -> Response:
    """The tables as `wondertally batch` writes them."""
    return _streamed(_csv(server, event), "text/csv", "results.csv")


@router.get(
    "/{event_id}/results.jsonl",
    response_class=Response,
    responses={200: {"content": {"application/jsonl": {}}, "description": "A report a line."}},
)
def get_reports(server: Serving, event: Found) -> Response:
    """The reports as `wondertally batch` writes them."""
    return _streamed(map(line_of, server.events.results(event.id)), "application/jsonl", "results.jsonl")


@router.get(
    "/{event_id}/standings.csv",
    response_class=Response,
    responses={200: {"content": {"text/csv": {}}, "description": "A line for each player."}},
)
def get_standings(server: Serving, event: Found) -> Response:
    """The standings as `wondertally batch` writes them."""
    return _streamed(iter([standings_csv(server.events.standings(event.id))]), "text/csv", "standings.csv")


def _csv(server: Server, event: Event) -> Iterator[str]:
    yield csv_text([COLUMNS])
    for result in server.events.results(event.id):
        yield csv_of(result, summed(result))


def _streamed(lines: Iterator[str], kind: str, name: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return StreamingResponse(lines, media_type=kind, headers=headers)


def _number(table: str) -> int:
    if not (table.isascii() and table.isdecimal() and len(table) < 10):
        raise ServerError("not_found")
    return int(table)


def _document(server: Server, id: str, may_decide: bool) -> EventDocument:
    event = server.events.get(id)
    counts = Counter(map(_state, server.events.tables(id)))
    return EventDocument(
        id=event.id,
        name=event.name,
        rules=event.rules,
        created=_time(event.created),
        version=event.version,
        may_decide=may_decide,
        counts={state: counts[state] for state in STATES},
        tie_breakers=list(TIE_BREAKERS),
        standings=[_standing(own) for own in server.events.standings(id)],
    )


def _made(server: Server, event: str, table: int) -> DecisionMade:
    return DecisionMade(table=_table(server.events.table(event, table)), event=_document(server, event, True))


def _state(table: EventTable) -> State:
    if table.decided == "unscorable":
        return "unscorable"
    if table.error is not None and table.error["code"] == "not_read_yet":
        return "waiting"
    return table.status  # type: ignore[return-value]


def _urgency(table: TableTold) -> tuple[int, float]:
    """What needs a person most comes first: of doubtful tables those that are least sure."""
    return STATES.index(table.state), -1.0 if table.confidence is None else table.confidence


def _table(table: EventTable) -> TableTold:
    place = table.sitting
    return TableTold(
        id=table.id,
        state=_state(table),
        contest=place.event,
        round=place.round,
        table=place.table,
        photos=list(place.photos),
        reading=table.reading,
        error=None if table.error is None else ErrorBody(**table.error),
        missing={name: error["code"] for name, error in table.missing},
        confidence=table.confidence,
        doubts=table.doubts,
        whole=table.whole,
        scores=[PlayerScore(colour=c, name=name, points=own, place=at) for c, name, own, at in table.scores],
        version=table.version,
        reason=table.reason,
        who=table.who,
        decided_at=None if table.decided_at is None else _time(table.decided_at),
    )


def _standing(own: Standing) -> StandingTold:
    return StandingTold(
        contest=own.event,
        place=own.place,
        player=own.player,
        tables=own.tables,
        wins=float(own.wins),
        points=own.points,
        share=round(float(own.share), 4),
        without_score_track=own.final_only,
        doubtful_tables=own.doubtful,
    )


def _act(own: Act) -> ActTold:
    return ActTold(made=_time(own.made), who=own.who, what=own.what, table=own.table, reason=own.reason)


def _time(seconds: int) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)
