"""/v1/enrolments: enrolment of the prints of a set of tiles."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from pydantic import ValidationError

from api.http.dependencies import MAY_ENROL, Server, Serving
from api.http.errors import JOB, PHOTO, STORAGE, build_validation_error, raises
from api.http.uploads import build_form_schema, open_form, read_text_field, save_uploads
from api.schemas.catalogue import EnrolmentCreate, EnrolmentCreated, EnrolmentDocument, EnrolmentList
from api.schemas.scores import MAX_BOARD_CHARACTERS
from api.server.errors import ServerError, build_field_error, restore_error
from api.server.tokens import generate_id
from api.service.enrolment import EnrolmentJob, EnrolmentOutcome, run_enrolment_job
from api.service.worker import delete_uploads
from api.store.enrolments import EnrolmentEntry
from api.store.readings import StoredReading
from scoring.errors import BoardError, CatalogueError, NotationError
from vision.errors import EnrolmentError, ReadingError

router = APIRouter(prefix="/v1/enrolments", tags=["enrolments"])

_BODY = build_form_schema(
    "EnrolmentForm",
    ["photo", "board"],
    {
        "photo": {"type": "string", "format": "binary", "description": "The tiles, laid out."},
        "board": {"type": "string", "description": "Its board, in the one-line notation."},
        "name": {"type": "string", "description": "Its name; by default that of the photo."},
    },
)
_BODY["requestBody"]["content"]["application/json"] = {"schema": EnrolmentCreate.model_json_schema()}


@router.post("", status_code=201, response_model=EnrolmentCreated, dependencies=[MAY_ENROL], openapi_extra=_BODY)
@raises("not_found", "not_read_yet", "other_game", *PHOTO, *JOB, *STORAGE)
@raises(EnrolmentError, ReadingError, NotationError, BoardError, CatalogueError)
async def create_enrolment(request: Request, server: Serving) -> EnrolmentCreated:
    """Enrol a set of tiles, from a photo of them with its board, or from a corrected reading.

    All later readings use it, so only a client with a key, or this machine, may enrol.
    """
    kind = request.headers.get("content-type", "").lower()
    if kind.startswith("multipart/form-data"):
        outcome = await _enrol_photo(request, server)
    elif kind.startswith("application/json"):
        outcome = await _enrol_reading(request, server)
    else:
        raise ServerError("wrong_content_type", "Send a photo as multipart/form-data, a reading as JSON.")
    if outcome.error is not None:
        raise restore_error(outcome.error)
    document = await server.run_heavy(_build_enrolment_document, server, EnrolmentEntry(outcome.name, "database"))
    return EnrolmentCreated(**document.model_dump(), otherwise=list(outcome.otherwise))


async def _enrol_photo(request: Request, server: Server) -> EnrolmentOutcome:
    async with open_form(request, 1) as form:
        if not (board := read_text_field(form, "board")) or len(board) > MAX_BOARD_CHARACTERS:
            raise build_field_error(
                "board", f"the board in one line is wanted, of up to {MAX_BOARD_CHARACTERS} characters"
            )
        name = read_text_field(form, "name")
        (upload,) = uploads = await save_uploads(form, 1, server)
    job = EnrolmentJob(
        name or await server.run_heavy(server.enrolments.find_free_name, upload.name.rpartition(".")[0]),
        file=upload.file,
        photo_name=upload.name,
        board=board,
    )
    try:
        return await _run_job(server, job)
    finally:
        delete_uploads(uploads)


async def _enrol_reading(request: Request, server: Server) -> EnrolmentOutcome:
    try:
        enrol_reading = EnrolmentCreate.model_validate_json(await request.body())
    except ValidationError as error:
        raise build_validation_error(error) from error
    reading = await server.run_heavy(server.readings.store.get, enrol_reading.reading)
    job = await server.run_heavy(_build_job, server, reading, enrol_reading.name)
    return await _run_job(server, job)


def _build_job(server: Server, reading: StoredReading, name: str | None) -> EnrolmentJob:
    report, photo_name = reading.get_report_json(), reading.options["files"][0]
    return EnrolmentJob(
        name or server.enrolments.find_free_name(photo_name.rpartition(".")[0]),
        photo_name=photo_name,
        report=report,
        photo_key=reading.photos[0].key,
        photos_url=server.settings.photos_url,
    )


async def _run_job(server: Server, job: EnrolmentJob) -> EnrolmentOutcome:
    outcome: Any = await server.jobs.add(generate_id(), run_enrolment_job, job)
    assert isinstance(outcome, EnrolmentOutcome)
    return outcome


@router.get("", response_model=EnrolmentList)
@raises(*STORAGE)
def list_enrolments(server: Serving) -> EnrolmentList:
    """List the enrolments of this server."""
    return EnrolmentList(
        enrolments=[_build_enrolment_document(server, entry) for entry in server.enrolments.list_entries()],
        forgotten=server.enrolments.list_forgotten(),
    )


@router.delete("/{name}", status_code=204, dependencies=[MAY_ENROL])
@raises("no_such_enrolment", "bad_name", "enrolment_not_empty", "cannot_write_enrolment", *STORAGE)
def delete_enrolment(server: Serving, name: str) -> None:
    """Delete an enrolment; `undo` brings it back."""
    server.enrolments.forget(name)


@router.post("/{name}/undo", response_model=EnrolmentList, dependencies=[MAY_ENROL])
@raises("nothing_to_take_back", "bad_name", "enrolment_not_empty", "cannot_write_enrolment", *STORAGE)
def undo_enrolment(server: Serving, name: str) -> EnrolmentList:
    """Undo the last change of an enrolment: one that was forgotten is back, a new one is gone."""
    server.enrolments.take_back(name)
    return list_enrolments(server)


def _build_enrolment_document(server: Server, entry: EnrolmentEntry) -> EnrolmentDocument:
    document = EnrolmentDocument(name=entry.name, kept=entry.place, tiles=0, source="", made="")
    try:
        enrolment = server.enrolments.load(entry)
    except EnrolmentError as error:
        return document.model_copy(update={"problem": error.code})
    facts = {"tiles": len(enrolment.keys), "source": enrolment.source, "made": enrolment.made}
    return document.model_copy(update=facts)
