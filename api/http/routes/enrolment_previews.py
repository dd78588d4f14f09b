"""/v1/readings/ID/lesson: a preview of the enrolment from a reading."""

from __future__ import annotations

from fastapi import APIRouter, Request

from api.documents.forms import parse_report_json
from api.enrolment.tiles import preview_enrolment
from api.games.registry import find_game_of
from api.http.dependencies import ReadingById, Serving, find_enrol_refusal
from api.http.documented_errors import raises
from api.schemas.catalogue import EnrolmentPreview
from api.server.errors import ServerError
from scoring.carcassonne.wonders.tiles import WONDERS
from vision.errors import EnrolmentError

router = APIRouter(prefix="/v1/readings/{reading_id}", tags=["enrolments"])


@router.get("/lesson", response_model=EnrolmentPreview)
@raises("not_read_yet", "other_game", EnrolmentError)
def get_enrolment_preview(request: Request, server: Serving, reading: ReadingById) -> EnrolmentPreview:
    """Preview what `POST /v1/enrolments` would learn from a corrected reading, and whether the caller may send it."""
    if reading.report is None:
        raise ServerError("not_read_yet")
    scored = parse_report_json(reading.report)
    report = find_game_of(scored).require_tiles(scored)
    keys = preview_enrolment(report)
    tiles = {key.tile.partition("#")[0] for key in keys.values()}
    return EnrolmentPreview(
        squares=len(keys),
        kinds=len(tiles - WONDERS.keys()),
        wonders=sorted(tiles & WONDERS.keys()),
        left_out=len(report.board.tiles) - len(keys),
        refused=find_enrol_refusal(request, server),
    )
