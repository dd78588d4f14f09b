"""/v1/readings/ID/...: the report in other forms, and what it is made of."""

from __future__ import annotations

from typing import Annotated

import cv2
from fastapi import APIRouter, Query, Response

from api.corrections.spot_review import TableReview
from api.explain.question import Question, parse_square
from api.explain.schema import Explanation, build_explanation
from api.explain.source import Source
from api.explain.spot_explanation import SpotExplanation, explain_spots
from api.http.dependencies import Language, ReadingById, Server, Serving
from api.http.routes.readings import read_photo_jpeg
from api.render.csv_export import format_report_csv
from api.render.overlay import annotate_photo
from api.render.pdf import render_report_pdf
from api.report.any_report import AnyReport, parse_report_json
from api.report.schema import Report
from api.report.several_photos import project_report
from api.report.spot_schema import SpotReport
from api.server.errors import ServerError
from api.store.readings import StoredReading
from scoring.carcassonne.board.notation import parse_notation
from scoring.carcassonne.final.rulesets import TODAY, get_ruleset
from vision.photo.decoding import Photo

router = APIRouter(prefix="/v1/readings/{reading_id}", tags=["exports"])

Number = Annotated[int, Query(ge=0, le=100, description="The photo's number in the report.")]
Several = Annotated[list[str], Query(max_length=50)]


@router.get("/report.json", response_model=AnyReport)
async def get_report(server: Serving, reading: ReadingById, number: Number = 0) -> Response:
    """The report alone, as `wondertally score --json` writes it, or in the pixels of another of its photos."""
    if number == 0:
        return Response(_get_report_json(reading), media_type="application/json")
    report = await server.run_heavy(_project_report, server, reading, number)
    return Response(report.to_json(), media_type="application/json")


@router.get(
    "/report.csv",
    response_class=Response,
    responses={200: {"content": {"text/csv": {}}, "description": "Entries and totals, for spreadsheets."}},
)
def get_csv(reading: ReadingById, language: Language) -> Response:
    """The entries and totals as a table for spreadsheets."""
    text = format_report_csv(parse_report_json(_get_report_json(reading)), language)
    return Response(text, media_type="text/csv", headers=_build_attachment_headers("wondertally.csv"))


@router.get(
    "/report.pdf",
    response_class=Response,
    responses={200: {"content": {"application/pdf": {}}, "description": "One page for the tournament desk."}},
)
async def get_pdf(server: Serving, reading: ReadingById, language: Language) -> Response:
    """The report on one page, with the photo."""
    pdf = await server.run_drawing(_render_pdf, server, reading, language)
    return Response(pdf, media_type="application/pdf", headers=_build_attachment_headers("wondertally.pdf"))


@router.get(
    "/overlay.png",
    response_class=Response,
    responses={200: {"content": {"image/png": {}}, "description": "The photo with its score drawn over it."}},
)
async def get_overlay(server: Serving, reading: ReadingById, number: Number = 0) -> Response:
    """A photo with the score drawn over it."""
    return Response(await server.run_drawing(_render_overlay, server, reading, number), media_type="image/png")


@router.get("/explanation", response_model=Explanation | SpotExplanation)
async def get_explanation(
    server: Serving,
    reading: ReadingById,
    feature: Several = [],  # noqa: B006 - read by FastAPI alone
    square: Several = [],  # noqa: B006
    player: Several = [],  # noqa: B006
    lines: bool = False,
) -> Explanation | SpotExplanation:
    """What counts for features (R3), squares (3,6), players and lines, and by which rules; unasked, all of it.

    In games of spots there are features and players.
    """
    report = parse_report_json(_get_report_json(reading))
    question = Question(tuple(feature), tuple((None, parse_square(at)) for at in square), tuple(player), lines)
    return await server.run_heavy(_explain, report, question)


def _build_attachment_headers(name: str) -> dict[str, str]:
    return {"Content-Disposition": f'attachment; filename="{name}"'}


def _get_report_json(reading: StoredReading) -> str:
    if reading.report is None:
        raise ServerError("not_read_yet")
    return reading.report


def _explain(report: Report | SpotReport, question: Question) -> Explanation | SpotExplanation:
    if isinstance(report, SpotReport):
        return explain_spots(report, question)
    rules = get_ruleset(report.rules.edition) if report.rules.edition else TODAY
    return build_explanation(Source(parse_notation(report.board.notation), report, rules), question)[0]


def _render_pdf(server: Server, reading: StoredReading, language: str) -> bytes:
    photo = Photo.from_bytes(read_photo_jpeg(server, reading, 0))
    return render_report_pdf(parse_report_json(_get_report_json(reading)), photo.pixels, language)


def _render_overlay(server: Server, reading: StoredReading, number: int) -> bytes:
    photo = Photo.from_bytes(read_photo_jpeg(server, reading, number))
    _, data = cv2.imencode(".png", annotate_photo(photo.pixels, _project_report(server, reading, number), number))
    return bytes(data.tobytes())


def _project_report(server: Server, reading: StoredReading, number: int) -> Report | SpotReport:
    """Project the report to the pixels of one of its photos; raises ServerError `not_found`, `not_read_yet`.

    Spots have the numbers of the photos that they are outlined in: there only the photo that is named differs.
    """
    report = parse_report_json(_get_report_json(reading))
    if number == 0:
        return report
    if number >= len(reading.photos):
        raise ServerError("not_found", details={"photos": len(reading.photos)})
    review = server.reviews.get(reading)
    if isinstance(report, SpotReport) or isinstance(review, TableReview):
        return report.model_copy(update={"photo": report.photos[number]})
    return project_report(report, review.shown[number])
