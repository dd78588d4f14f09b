"""/v1/enrolments: the prints of a set of tiles, taught to this server."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from pydantic import ValidationError

from api.http.dependencies import TEACHER, Server, Serving
from api.http.error_responses import build_validation_error
from api.http.uploads import open_form, read_text_field, save_uploads
from api.schemas.catalogue import EnrolmentMade, EnrolmentsTold, EnrolmentTold, EnrolReading
from api.schemas.scores import BOARD_MOST
from api.server.errors import ServerError, build_field_error
from api.server.statuses import restore_error
from api.server.tokens import generate_id
from api.service.enrolment import Learnt, Lesson, enrol_lesson
from api.service.worker import delete_uploads
from api.store.enrolments import Known
from api.store.readings import Stored
from vision.errors import EnrolmentError

router = APIRouter(prefix="/v1/enrolments", tags=["enrolments"])

_BODY = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": ["photo", "board"],
                    "properties": {
                        "photo": {"type": "string", "format": "binary", "description": "The tiles, laid out."},
                        "board": {"type": "string", "description": "What lies there, in the one-line notation."},
                        "name": {"type": "string", "description": "What to call it; else as the photo."},
                    },
                },
                "encoding": {"photo": {"contentType": "image/jpeg, image/png, image/webp"}},
            },
            "application/json": {"schema": EnrolReading.model_json_schema()},
        },
    }
}


@router.post("", status_code=201, response_model=EnrolmentMade, dependencies=[TEACHER], openapi_extra=_BODY)
async def enrol(request: Request, server: Serving) -> EnrolmentMade:
    """Teach the server a set of tiles: a photo of them and what lies there, or a reading that was corrected.

    Whatever is read from then on, by anybody, is held against it: so only who has a key may, or this machine.
    """
    kind = request.headers.get("content-type", "").lower()
    if kind.startswith("multipart/form-data"):
        learnt = await _from_photo(request, server)
    elif kind.startswith("application/json"):
        learnt = await _from_reading(request, server)
    else:
        raise ServerError("wrong_content_type", "A photo is sent as multipart/form-data, a reading as JSON.")
    if learnt.error is not None:
        raise restore_error(learnt.error)
    document = await server.heavily(_told, server, Known(learnt.name, "database"))
    return EnrolmentMade(**document.model_dump(), otherwise=list(learnt.otherwise))


async def _from_photo(request: Request, server: Server) -> Learnt:
    async with open_form(request, 1) as form:
        if not (board := read_text_field(form, "board")) or len(board) > BOARD_MOST:
            raise build_field_error("board", f"the board in one line is wanted, of up to {BOARD_MOST} characters")
        name = read_text_field(form, "name")
        (upload,) = uploads = await save_uploads(form, 1, server.readings.new_file)
    lesson = Lesson(
        name or await server.heavily(server.enrolments.free_name, upload.name.rpartition(".")[0]),
        file=upload.file,
        called=upload.name,
        board=board,
    )
    try:
        return await _learnt(server, lesson)
    finally:
        delete_uploads(uploads)


async def _from_reading(request: Request, server: Server) -> Learnt:
    try:
        enrol_reading = EnrolReading.model_validate_json(await request.body())
    except ValidationError as error:
        raise build_validation_error(error) from error
    reading = await server.heavily(server.readings.store.get, enrol_reading.reading)
    lesson = await server.heavily(_lesson, server, reading, enrol_reading.name)
    return await _learnt(server, lesson)


def _lesson(server: Server, reading: Stored, name: str | None) -> Lesson:
    if reading.report is None:
        raise ServerError("not_read_yet")
    return Lesson(
        name or server.enrolments.free_name(reading.asked["files"][0].rpartition(".")[0]),
        called=reading.asked["files"][0],
        report=reading.report,
        photo_key=reading.photos[0].key,
        photos_url=server.settings.photos_url,
    )


async def _learnt(server: Server, lesson: Lesson) -> Learnt:
    outcome: Any = await server.jobs.add(generate_id(), enrol_lesson, lesson)
    assert isinstance(outcome, Learnt)
    return outcome


@router.get("", response_model=EnrolmentsTold)
def get_enrolments(server: Serving) -> EnrolmentsTold:
    """What this server was taught."""
    return EnrolmentsTold(enrolments=[_told(server, entry) for entry in server.enrolments.known()])


@router.delete("/{name}", status_code=204, dependencies=[TEACHER])
def forget_enrolment(server: Serving, name: str) -> None:
    """Undo what was taught under a name."""
    server.enrolments.forget(name)


def _told(server: Server, entry: Known) -> EnrolmentTold:
    document = EnrolmentTold(name=entry.name, kept=entry.kept, tiles=0, source="", made="")
    try:
        enrolment = server.enrolments.load(entry)
    except EnrolmentError as error:
        return document.model_copy(update={"problem": error.code})
    facts = {"tiles": len(enrolment.keys), "source": enrolment.source, "made": enrolment.made}
    return document.model_copy(update=facts)
