"""/v1/events/ID/tables: photos submitted to an event's tables."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response
from pydantic import ValidationError
from starlette.datastructures import FormData

from api.errors import CorrectionError, TableError, TrackError
from api.games.registry import find_game
from api.http.dependencies import KEY, Serving, Who, is_owner
from api.http.errors import JOB, PHOTO, build_validation_error, raises
from api.http.event_views import build_table_change
from api.http.routes.events import EventToAddTo, Number, OwnedEvent
from api.http.uploads import (
    GAME_FIELD,
    PLAYER_FIELD,
    TABLE_FIELDS,
    WONDER_FIELD,
    build_form_schema,
    describe_photos,
    describe_words,
    open_form,
    read_player_fields,
    read_repeated_field,
    read_table_fields,
    read_text_field,
    read_wonder_fields,
    save_uploads,
)
from api.inputs.table_words import parse_track_points
from api.schemas.events import TableChanged, TableCreate
from api.tournament.listed_tables import ListedTable
from scoring.errors import CatalogueError

router = APIRouter(prefix="/v1/events/{event_id}/tables", tags=["events"])

_PHOTO = describe_photos("One photo, or several of the table")
_LINE = {"type": "string", "maxLength": 40}
_SEATED = {
    "game": GAME_FIELD,
    "contest": {**_LINE, "description": "The contest of the event; by default its only one."},
    "round": _LINE,
    "table": {**_LINE, "minLength": 1, "description": "Its number or name."},
    "player": PLAYER_FIELD,
    "track": describe_words("blue=90", "A player's points on the score track, as COLOUR=POINTS."),
    **{name: field for name, field in TABLE_FIELDS.items() if name != "owner"},
    "wonder": WONDER_FIELD,
}
_ADDED: dict[str, Any] = {
    "status_code": 201,
    "response_model": TableChanged,
    "responses": {
        200: {"model": TableChanged, "description": "The table already has these photos: nothing is read again."}
    },
    "dependencies": [KEY],
}


@router.post(
    "",
    **_ADDED,
    openapi_extra=build_form_schema("TableCreate", ["photo", "table"], {"photo": _PHOTO, **_SEATED}),
)
@raises("table_exists", "unsupported_game", "bad_box_rules", "bad_boxes", *PHOTO, *JOB)
@raises(CatalogueError, CorrectionError, TrackError, TableError)
async def add_event_table(
    request: Request, answer: Response, server: Serving, event: EventToAddTo, who: Who
) -> TableChanged:
    """Add a table with its photos: it is listed with the others at once, and is read in its turn.

    Players may do so with the event's `hand_in` token. The answer is 409 if the round has the table with other photos,
    or with these photos and other stated facts, which the error's details list under `differs`.
    """
    max_photos = server.settings.photos_most
    async with open_form(request, max_photos) as form:
        seats, wonders = _parse_seats(form), read_wonder_fields(form)
        uploads = await save_uploads(form, max_photos, server)
    place = seats.contest, seats.round, seats.table
    listed_table = ListedTable(
        tuple(upload.name for upload in uploads), *place, seats.names, seats.track, played=seats.played
    )
    table, is_new = await server.submissions.add_table(event, listed_table, uploads, who, seats.game, wonders)
    answer.status_code = 201 if is_new else 200
    return await server.run_heavy(build_table_change, server.events, event.id, table, is_owner(request, event))


@router.post(
    "/{table}/photos",
    **_ADDED,
    openapi_extra=build_form_schema(
        "TablePhotos", ["photo"], {"photo": _PHOTO, "game": GAME_FIELD, "wonder": WONDER_FIELD}
    ),
)
@raises("already_checked", "not_read_yet", "table_exists", "unsupported_game", CatalogueError, *PHOTO, *JOB)
async def add_table_photos(
    request: Request, answer: Response, server: Serving, event: OwnedEvent, table: Number, who: Who
) -> TableChanged:
    """Add photos to a table: they are read together with the earlier ones, as photos of one moment.

    They are of the game read before, or else of the named one, and use the wonders' layouts sent with either, of which
    later ones take precedence. The earlier reading counts until the new one is done, and stays if that fails. Names,
    points and other stated facts carry over. The answer is 409 if a person has corrected the reading or decided the
    table, or if photos are still being read.
    """
    max_photos = server.settings.photos_most
    there = await server.run_heavy(server.events.get_table, event.id, table)
    async with open_form(request, max_photos) as form:
        game = read_text_field(form, "game")
        game, wonders = find_game(game).name if game else "", read_wonder_fields(form)
        uploads = await save_uploads(form, max_photos, server)
    is_new = await server.submissions.add_photos(event, there, uploads, who, game, wonders)
    answer.status_code = 201 if is_new else 200
    return await server.run_heavy(build_table_change, server.events, event.id, table)


@router.delete("/{table}", status_code=204)
async def delete_event_table(server: Serving, event: OwnedEvent, table: Number) -> None:
    """Delete a table with its reading and photos at once."""
    await server.run_heavy(server.readings.spare.delete, server.events.delete_table, event.id, table)
    await server.readings.sweep()


def _parse_seats(form: FormData) -> TableCreate:
    """Parse the players and the place; raises ServerError `bad_field`, CorrectionError, TrackError, TableError."""
    place = {name: read_text_field(form, name) for name in ("game", "contest", "round", "table")}
    try:
        return TableCreate.model_validate(
            {
                **place,
                "names": read_player_fields(form),
                "track": parse_track_points(read_repeated_field(form, "track")),
                "played": read_table_fields(form),
            }
        )
    except ValidationError as error:
        raise build_validation_error(error) from error
