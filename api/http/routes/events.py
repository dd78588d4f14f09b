"""/v1/events: tournaments, their tables, those that need a person first, and the decisions about them."""

from __future__ import annotations

from collections.abc import Iterator
from hmac import compare_digest
from typing import Annotated

from fastapi import APIRouter, Depends, Query, Request, Response
from fastapi.responses import StreamingResponse

from api.errors import CorrectionError
from api.http.dependencies import KEY, ChosenLanguage, Server, Serving, Who, check_owner, is_owner, read_bearer_token
from api.http.errors import STORAGE, answers_with, raises
from api.http.event_views import (
    build_event_document,
    build_standings_document,
    build_table_change,
    build_tables_document,
    derive_hand_in_token,
)
from api.render.qr_code import draw_qr_code
from api.schemas.events import (
    Decision,
    EventChange,
    EventCreate,
    EventCreated,
    EventDocument,
    EventHistory,
    EventHistoryItem,
    EventStandings,
    EventTables,
    RosterChange,
    TableChanged,
)
from api.server.errors import ServerError
from api.server.tokens import generate_id, generate_token, hash_secret
from api.store.events import Event
from api.tournament.results import (
    COLUMNS,
    format_csv,
    format_result_csv,
    format_result_jsonl,
    format_standings_csv,
    summarise_result,
)
from api.tournament.roster import MAX_PLACE_CHARACTERS, parse_roster
from scoring.carcassonne.board.box_rules import BoxRules
from scoring.carcassonne.final.rulesets import get_ruleset

router = APIRouter(prefix="/v1/events", tags=["events"])


@raises("not_found", *STORAGE)
def find_event(event_id: str, server: Serving) -> Event:
    """Find the event of an id; raises ServerError `not_found`."""
    return server.events.get(event_id)


EventById = Annotated[Event, Depends(find_event)]


@raises("token_wanted", "not_yours")
def find_owned_event(request: Request, event: EventById) -> Event:
    """Find the event of an id for its owner; raises ServerError `not_found`, `token_wanted`, `not_yours`."""
    check_owner(request, event)
    return event


OwnedEvent = Annotated[Event, Depends(find_owned_event)]


def may_add_tables(request: Request, event: Event) -> bool:
    """Return whether the caller has the event's token, or the token with which players submit their tables."""
    token = read_bearer_token(request)
    return is_owner(request, event) or (token is not None and compare_digest(token, derive_hand_in_token(event)))


@raises("token_wanted", "not_yours")
def find_event_to_add_to(request: Request, event: EventById) -> Event:
    """Find the event of an id for a caller who may add tables; raises `not_found`, `token_wanted`, `not_yours`."""
    if not may_add_tables(request, event):
        check_owner(request, event)
    return event


EventToAddTo = Annotated[Event, Depends(find_event_to_add_to)]


@raises("not_found")
def parse_table_number(table: str) -> int:
    """Parse the number of a table in an address; raises ServerError `not_found` for anything else."""
    if not (table.isascii() and table.isdecimal() and len(table) < 10):
        raise ServerError("not_found")
    return int(table)


Number = Annotated[int, Depends(parse_table_number)]
Round = Annotated[str | None, Query(max_length=MAX_PLACE_CHARACTERS, description="One round alone.")]
Site = Annotated[
    str,
    Query(pattern=r"^https?://[A-Za-z0-9.:\[\]-]{1,255}$", description="The server's address as players reach it."),
]


@router.post("", status_code=201, response_model=EventCreated, dependencies=[KEY])
@raises("unknown_rules", *STORAGE)
async def create_event(server: Serving, new_event: EventCreate) -> EventCreated:
    """Create an event without tables; its token is given only in this answer.

    Its contents are kept until the event is deleted.
    """
    event, token = generate_id(), generate_token()
    await server.run_heavy(
        server.events.add,
        event,
        hash_secret(token),
        new_event.name,
        get_ruleset(new_event.rules).name,
        tie_breakers=new_event.tie_breakers,
        box_rules=BoxRules.of(new_event.box_rules),
    )
    document = await server.run_heavy(build_event_document, server.events, event, True)
    return EventCreated(**dict(document), token=token)


@router.get("/{event_id}", response_model=EventDocument)
def get_event(request: Request, server: Serving, event: EventById) -> EventDocument:
    """Return an event: the states of its tables, and its standings."""
    return build_event_document(server.events, event.id, is_owner(request, event), may_add_tables(request, event))


@router.patch("/{event_id}", response_model=EventDocument)
async def change_event(server: Serving, event: OwnedEvent, change: EventChange, who: Who) -> EventDocument:
    """Change the ranking criteria of an event, or the boxes' own rules that it is played with.

    The standings are updated at once, and so are tables on which those rules were an open question.
    """
    if change.tie_breakers is not None:
        await server.run_heavy(server.events.rank, event.id, change.tie_breakers)
    if change.box_rules is not None:
        await server.run_heavy(server.decisions.set_box_rules, event.id, BoxRules.of(change.box_rules), who)
    return await server.run_heavy(build_event_document, server.events, event.id, True)


@router.get("/{event_id}/hand-in.svg", **answers_with("image/svg+xml", "A QR code."))
def get_hand_in_code(event: OwnedEvent, site: Site) -> Response:
    """Return a QR code of the link with which players submit their own tables."""
    link = f"{site}/event/{event.id}#hand-in={derive_hand_in_token(event)}"
    return Response(draw_qr_code(link), media_type="image/svg+xml")


@router.delete("/{event_id}", status_code=204)
async def delete_event(server: Serving, event: OwnedEvent) -> None:
    """Delete an event with all its readings and photos at once."""
    await server.run_heavy(server.readings.spare.delete, server.events.delete, event.id)
    await server.readings.sweep()


@router.get("/{event_id}/tables", response_model=EventTables)
def list_event_tables(server: Serving, event: EventById) -> EventTables:
    """List all tables of an event, those that need a person first."""
    return build_tables_document(server.events, event.id)


@router.post("/{event_id}/tables/{table}/decisions", response_model=TableChanged)
@raises("conflict", "not_read_yet", "nothing_to_undo", "other_game", "track_open", CorrectionError)
async def decide_table(
    server: Serving, event: OwnedEvent, table: Number, decision: Decision, language: ChosenLanguage, who: Who
) -> TableChanged:
    """Decide a table, which counts in the results and the standings at once.

    The answer is 409 if somebody else changed it in the meantime.
    """
    await server.run_heavy(server.decisions.decide, event.id, table, decision.to_decision(), who, language)
    return await server.run_heavy(build_table_change, server.events, event.id, table)


@router.get("/{event_id}/history", response_model=EventHistory)
def get_event_history(server: Serving, event: EventById) -> EventHistory:
    """List the acts of people on the event's tables, newest last."""
    acts = server.events.list_acts(event.id)
    return EventHistory(acts=[EventHistoryItem.model_validate(act, from_attributes=True) for act in acts])


@router.get("/{event_id}/results.csv", **answers_with("text/csv", "A line for each player of each table."))
def get_event_results(server: Serving, event: EventById) -> Response:
    """Return the tables as `wondertally batch` writes them."""
    return _stream(_write_csv(server, event), "text/csv", "results.csv")


@router.get("/{event_id}/results.jsonl", **answers_with("application/jsonl", "A report a line."))
def get_event_reports(server: Serving, event: EventById) -> Response:
    """Return the reports as `wondertally batch` writes them."""
    return _stream(
        map(format_result_jsonl, server.events.iterate_results(event.id)), "application/jsonl", "results.jsonl"
    )


@router.get("/{event_id}/standings.csv", **answers_with("text/csv", "A line for each player."))
def get_event_standings(server: Serving, event: EventById, round: Round = None) -> Response:
    """Return the standings as `wondertally batch` writes them, of the whole event or of one round."""
    standings = server.events.list_standings(event.id, round)
    return _stream(iter([format_standings_csv(standings)]), "text/csv", "standings.csv")


@router.get("/{event_id}/standings", response_model=EventStandings)
def list_event_standings(server: Serving, event: EventById, round: Round = None) -> EventStandings:
    """Return the standings, of the whole event or of one round."""
    return build_standings_document(server.events, event.id, round)


@router.put("/{event_id}/roster", response_model=EventTables)
@raises("bad_roster", "bad_roster_line", "roster_repeats", "roster_too_long", *STORAGE)
async def put_event_roster(server: Serving, event: OwnedEvent, roster: RosterChange) -> EventTables:
    """Replace the roster of an event: who plays at which table of which round.

    Photos of such a table get its players' names, unless they come with names of their own.
    """
    pairings = parse_roster(roster.csv)
    await server.run_heavy(server.rosters.put, event.id, pairings)
    return await server.run_heavy(build_tables_document, server.events, event.id)


def _write_csv(server: Server, event: Event) -> Iterator[str]:
    yield format_csv([COLUMNS])
    for result in server.events.iterate_results(event.id):
        yield format_result_csv(result, summarise_result(result))


def _stream(lines: Iterator[str], kind: str, name: str) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return StreamingResponse(lines, media_type=kind, headers=headers)
