"""/v1/readings/ID/lesson and /pieces: enrolment of tiles and pieces that a corrected reading names."""

from __future__ import annotations

from fastapi import APIRouter, Request

from api.enrolment.tiles import preview_enrolment
from api.games.registry import find_game_of
from api.http.dependencies import MAY_ENROL, ReadingById, Serving, find_enrol_refusal, load_report, load_tile_report
from api.http.errors import raises
from api.http.routes.readings import read_photo_jpeg
from api.schemas.boards import PiecesKept, PiecesPreview
from api.schemas.catalogue import EnrolmentPreview
from scoring.carcassonne.wonders.tiles import WONDERS
from scoring.spots.components import ComponentsError
from vision.errors import EnrolmentError, PhotoError
from vision.photo.decoding import Photo

router = APIRouter(prefix="/v1/readings/{reading_id}")


@router.get("/lesson", response_model=EnrolmentPreview, tags=["enrolments"])
@raises("not_read_yet", "other_game", EnrolmentError)
def get_enrolment_preview(request: Request, server: Serving, reading: ReadingById) -> EnrolmentPreview:
    """Preview what `POST /v1/enrolments` would learn from a corrected reading, and whether the caller may send it."""
    report = load_tile_report(reading)
    keys = preview_enrolment(report)
    tiles = {key.tile.partition("#")[0] for key in keys.values()}
    return EnrolmentPreview(
        squares=len(keys),
        kinds=len(tiles - WONDERS.keys()),
        wonders=sorted(tiles & WONDERS.keys()),
        left_out=len(report.board.tiles) - len(keys),
        refused=find_enrol_refusal(request, server),
    )


@router.get("/pieces", response_model=PiecesPreview, tags=["boards"])
@raises("not_read_yet", EnrolmentError, ComponentsError)
async def get_new_pieces(request: Request, server: Serving, reading: ReadingById) -> PiecesPreview:
    """List the pieces that a reading with its corrections names and that are not enrolled on this server."""
    report = load_report(reading)
    pieces = await server.run_heavy(find_game_of(report).list_new_pieces, report, server.board_showing.enrolments)
    return PiecesPreview(pieces=pieces, refused=find_enrol_refusal(request, server))


@router.post("/pieces", response_model=PiecesKept, tags=["boards"], dependencies=[MAY_ENROL])
@raises("not_read_yet", EnrolmentError, ComponentsError, PhotoError)
async def keep_pieces(server: Serving, reading: ReadingById) -> PiecesKept:
    """Enrol those pieces: later readings recognise them."""
    report = load_report(reading)

    def load_photo(number: int) -> Photo:
        return Photo.from_bytes(read_photo_jpeg(server, reading, number), f"photo-{number}.jpg")

    keep = find_game_of(report).keep_new_pieces
    return PiecesKept(pieces=await server.run_drawing(keep, report, server.board_showing.enrolments, load_photo))
