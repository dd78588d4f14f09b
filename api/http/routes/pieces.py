"""/v1/readings/ID/pieces: enrolment of pieces of a game with a printed board that are named in a reading."""

from __future__ import annotations

from fastapi import APIRouter, Request

from api.documents.forms import AnyReport, parse_report_json
from api.games.registry import find_game_of
from api.http.dependencies import TEACHER, ReadingById, Server, Serving, find_enrol_refusal
from api.http.documented_errors import raises
from api.http.routes.readings import read_photo_jpeg
from api.schemas.boards import PiecesKept, PiecesPreview
from api.server.errors import ServerError
from api.store.readings import StoredReading
from scoring.spots.components import ComponentsError
from vision.enrolment.games import GameEnrolments
from vision.errors import EnrolmentError, PhotoError
from vision.photo.decoding import Photo

router = APIRouter(prefix="/v1/readings/{reading_id}", tags=["boards"])


@router.get("/pieces", response_model=PiecesPreview)
@raises("not_read_yet", EnrolmentError, ComponentsError)
async def get_new_pieces(request: Request, server: Serving, reading: ReadingById) -> PiecesPreview:
    """List the pieces that a reading with its corrections names and that are not enrolled on this server."""
    report = _load_report(reading)
    pieces = await server.run_heavy(find_game_of(report).list_new_pieces, report, _get_store(server))
    return PiecesPreview(pieces=pieces, refused=find_enrol_refusal(request, server))


@router.post("/pieces", response_model=PiecesKept, dependencies=[TEACHER])
@raises("not_read_yet", EnrolmentError, ComponentsError, PhotoError)
async def keep_pieces(server: Serving, reading: ReadingById) -> PiecesKept:
    """Enrol those pieces: later readings recognise them."""
    report = _load_report(reading)

    def load_photo(number: int) -> Photo:
        return Photo.from_bytes(read_photo_jpeg(server, reading, number), f"photo-{number}.jpg")

    keep = find_game_of(report).keep_new_pieces
    return PiecesKept(pieces=await server.run_drawing(keep, report, _get_store(server), load_photo))


def _load_report(reading: StoredReading) -> AnyReport:
    """Load the report of a reading with its corrections; raises ServerError `not_read_yet`."""
    if reading.report is None:
        raise ServerError("not_read_yet")
    return parse_report_json(reading.report)


def _get_store(server: Server) -> GameEnrolments:
    return server.board_showing.enrolments
