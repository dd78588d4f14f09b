"""/v1/readings: photos in, readings out."""

from __future__ import annotations

import asyncio
import time
from datetime import UTC, datetime
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import JSONResponse
from pydantic import ValidationError
from sqlalchemy.exc import DBAPIError
from starlette.datastructures import FormData

from api.documents.corrections import CORRECTIONS, list_table_corrections
from api.documents.forms import parse_report_json
from api.documents.table_options import list_table_facts
from api.documents.tile_corrections import SetPlayer
from api.errors import CorrectionError, TableError, TrackError
from api.games.protocol import find_unfit_option
from api.games.registry import find_game, list_stages
from api.http.dependencies import KEY, ChosenLanguage, OwnedReading, ReadingById, Server, Serving, may_review
from api.http.errors import JOB, PHOTO, STORAGE, answers_with, build_validation_error, raises
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
from api.inputs.table_words import parse_track_points, refuse_colour
from api.schemas.readings import ErrorBody, PhotoSize, ReadingAccepted, ReadingCreated, ReadingDocument
from api.server.errors import ServerError, build_field_error, restore_error
from api.service.readings import ReadingOptions, Submission
from api.service.worker import delete_uploads
from api.spots.inputs import parse_spot_corrections
from api.store.photos import shrink_jpeg
from api.store.readings import FOREVER_SECONDS, StoredReading
from scoring.carcassonne.final.rulesets import TODAY, get_ruleset
from scoring.errors import CatalogueError, NotationError
from scoring.spots.components import ComponentsError
from vision.errors import ReadingError

router = APIRouter(prefix="/v1/readings", tags=["readings"])

Width = Annotated[int | None, Query(ge=64, le=10_000, description="Width in pixels, to get a smaller picture.")]

YEAR_SECONDS = 365 * 24 * 3600
"""Maximum age in seconds of cached content. A guess."""

_FORM = build_form_schema(
    "ReadingCreate",
    ["photo"],
    {
        "photo": describe_photos("One photo, or several of one table"),
        "game": GAME_FIELD,
        "rules": {"type": "string", "description": "A rule set of /v1/rules."},
        "track": describe_words("blue=90", "A player's points on the score track, as COLOUR=POINTS: Carcassonne."),
        "player": PLAYER_FIELD,
        **TABLE_FIELDS,
        "set": describe_words("held.red.camel=2", "The value of a spot of the table, as SPOT=VALUE: the other games."),
        "wonder": WONDER_FIELD,
    },
)


@router.post(
    "",
    status_code=201,
    response_model=ReadingCreated,
    responses={202: {"model": ReadingAccepted, "description": "The reading is in progress: poll the address `poll`."}},
    dependencies=[KEY],
    openapi_extra=_FORM,
)
@raises(
    "unsupported_game",
    "game_not_enrolled",
    "other_game",
    "unknown_rules",
    "bad_box_rules",
    "bad_boxes",
    *PHOTO,
    *JOB,
    *STORAGE,
)
@raises(ReadingError, TrackError, TableError, CorrectionError, CatalogueError, NotationError, ComponentsError)
async def create_reading(request: Request, server: Serving, language: ChosenLanguage) -> Any:
    """Read a photo, or several of one table.

    The answer is 201 with the report, or 202 with the address to poll if it takes longer, or with `Prefer:
    respond-async`. A photo that cannot be read gives an error and leaves nothing behind.
    """
    max_photos = server.settings.photos_most
    async with open_form(request, max_photos) as form:
        options = _parse_options(form)
        uploads = await save_uploads(form, max_photos, server)
    try:
        submission = await server.readings.begin(uploads, options)
    except BaseException:
        delete_uploads(uploads)
        raise
    rather_later = "respond-async" in request.headers.get("prefer", "").lower()
    try:
        return await _answer(server, submission, rather_later, language)
    except asyncio.CancelledError:  # the server ends before it can answer: the next one can
        if not server.jobs.is_stopping:
            raise
        return _answer_accepted(server, submission, {})


async def _answer(server: Server, submission: Submission, rather_later: bool, language: str) -> Response:
    """Answer with the reading once it is done, or with the address to poll."""
    if not rather_later:
        await asyncio.wait([submission.completion], timeout=server.settings.wait_seconds)
    if not submission.completion.done():
        return _answer_accepted(server, submission, {"Preference-Applied": "respond-async"} if rather_later else {})
    try:
        reading = await asyncio.to_thread(server.readings.store.get, submission.id)
    except DBAPIError:  # the owner gets the token even if the database went away just now
        return _answer_accepted(server, submission, {})
    if reading.status == "queued":  # the server is stopping: the next one reads it
        return _answer_accepted(server, submission, {})
    return await _answer_created(server, submission, reading, language)


def _parse_options(form: FormData) -> ReadingOptions:
    """Parse the options of a form.

    Raises InputError `unsupported_game`, TrackError, TableError, CorrectionError, CatalogueError, ServerError.
    """
    name = read_text_field(form, "game")
    rules, track = (
        get_ruleset(read_text_field(form, "rules", TODAY.name)).name,
        parse_track_points(read_repeated_field(form, "track")),
    )
    spots, table = list(parse_spot_corrections(read_repeated_field(form, "set"))), read_table_fields(form)
    named = _parse_names(form)
    corrections = CORRECTIONS.dump_python([*named, *spots, *list_table_corrections(table)], mode="json")
    if name:
        game = find_game(name)
        if option := find_unfit_option(game, {"track": track, "set": spots, **list_table_facts(table)}):
            raise build_field_error(option, game.unfit_options[option])
        if strangers := {player.colour for player in named} - {*game.colours}:
            raise CorrectionError("colour_unknown", details={"colour": min(strangers), "game": name})
    return ReadingOptions(rules, track, corrections, name, read_wonder_fields(form))


def _parse_names(form: FormData) -> list[SetPlayer]:
    """Parse the players by colour; raises CorrectionError `colour_unknown`, ServerError."""
    names = {refuse_colour(colour): name for colour, name in sorted(read_player_fields(form).items())}
    try:
        return [SetPlayer(colour=colour, name=name) for colour, name in names.items()]
    except ValidationError as error:
        raise build_validation_error(error) from error


def _answer_accepted(server: Server, submission: Submission, headers: dict[str, str]) -> Response:
    progress = server.readings.get_progress(submission.id)
    poll = f"/v1/readings/{submission.id}"
    reading = progress is not None and progress.stage is not None
    document = ReadingAccepted(
        id=submission.id, token=submission.token, status="reading" if reading else "queued", poll=poll
    )
    return JSONResponse(document.model_dump(), 202, {"Location": poll, **headers})


async def _answer_created(server: Server, submission: Submission, reading: StoredReading, language: str) -> Response:
    if reading.error is not None:
        await server.readings.delete(reading)
        raise restore_error(reading.error)
    document = await server.run_heavy(build_reading_document, server, reading, True, language)
    made = ReadingCreated(**dict(document), token=submission.token)
    return Response(
        made.model_dump_json(), 201, {"Location": f"/v1/readings/{submission.id}"}, media_type="application/json"
    )


def build_reading_document(server: Server, reading: StoredReading, may_correct: bool, language: str) -> ReadingDocument:
    """Build the document of a reading, with its questions in a language."""
    progress = server.readings.get_progress(reading.id) if reading.status == "queued" else None
    history, stage = reading.history, progress.stage if progress else None
    return ReadingDocument(
        id=reading.id,
        status="reading" if progress and progress.stage else reading.status,
        stage=stage,  # type: ignore[arg-type]
        stages=list_stages(stage, reading.options.get("game", "")),
        ahead=progress.ahead if progress else 0,
        report=None if reading.report is None else parse_report_json(reading.report),
        error=None if reading.error is None else ErrorBody(**reading.error),
        corrections=history.corrections,
        version=reading.version,
        can_undo=history.can_undo,
        can_redo=history.can_redo,
        may_correct=may_correct or reading.shared_correction,
        shared_correction=reading.shared_correction,
        questions=list(server.reviews.list_questions(reading, language)),
        created=datetime.fromtimestamp(reading.created, UTC),
        expires=None if reading.expires >= FOREVER_SECONDS else datetime.fromtimestamp(reading.expires, UTC),
        photos=[PhotoSize(number=p.number, width=p.width, height=p.height) for p in reading.photos],
    )


@router.get("/{reading_id}", response_model=ReadingDocument)
async def get_reading(
    request: Request, server: Serving, reading: ReadingById, language: ChosenLanguage
) -> ReadingDocument:
    """Return a reading: its progress, or its report with the questions."""
    if reading.report is None:  # polled frequently, so it must not wait for drawing
        return build_reading_document(server, reading, may_review(request, reading), language)
    return await server.run_heavy(build_reading_document, server, reading, may_review(request, reading), language)


@router.delete("/{reading_id}", status_code=204)
async def delete_reading(server: Serving, reading: OwnedReading) -> None:
    """Delete a reading and its photos at once."""
    await server.readings.delete(reading)


@router.get("/{reading_id}/photo", **answers_with("image/jpeg", "The photo without any of its metadata."))
@raises("not_read_yet")
async def get_photo(
    server: Serving, reading: ReadingById, number: Annotated[int, Query(ge=0, le=100)] = 0, width: Width = None
) -> Response:
    """Return a photo of a reading, by its number in the report; `width` shrinks it.

    It never changes, so a browser may cache it as long as the reading is kept.
    """
    data = await server.run_heavy(read_photo_jpeg, server, reading, number)
    return await answer_photo(server, data, width, reading.expires)


async def answer_photo(server: Server, data: bytes, width: int | None, expires: int) -> Response:
    """Answer with a JPEG, shrunk to a width if given; a browser may cache it privately until it expires."""
    if width is not None:
        data = await server.run_drawing(shrink_jpeg, data, width)
    seconds = min(YEAR_SECONDS, max(0, int(expires - time.time())))
    return Response(data, media_type="image/jpeg", headers={"Cache-Control": f"private, max-age={seconds}, immutable"})


def read_photo_jpeg(server: Server, reading: StoredReading, number: int) -> bytes:
    """Read the JPEG of a photo; raises ServerError `not_found`, `not_read_yet`."""
    reading.get_report_json()  # a photo belongs to a report
    for photo in reading.photos:
        if photo.number == number:
            return server.readings.photos.get(photo.key)
    raise ServerError("not_found", details={"photos": len(reading.photos)})
