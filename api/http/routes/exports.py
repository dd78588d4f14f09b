"""/v1/readings/ID/...: the report in other forms, and what it is made of."""

from __future__ import annotations

from typing import Annotated

import cv2
from fastapi import APIRouter, Query, Response

from api.errors import QuestionError
from api.explain.question import Question, parse_square
from api.games.forms import AnyExplanation
from api.games.pictures import annotate_photo
from api.games.registry import find_game_of
from api.games.reports import AnyReport, parse_report_json
from api.games.sheets import render_report_pdf
from api.http.dependencies import Language, ReadingById, Server, Serving
from api.http.documented_errors import raises
from api.http.routes.readings import read_photo_jpeg
from api.render.csv_export import format_report_csv
from api.server.errors import ServerError
from api.store.readings import StoredReading
from vision.photo.decoding import Photo

router = APIRouter(prefix="/v1/readings/{reading_id}", tags=["exports"])

Number = Annotated[int, Query(ge=0, le=100, description="The photo's number in the report.")]
Several = Annotated[list[str], Query(max_length=50)]


@router.get("/report.json", response_model=AnyReport)
@raises("not_read_yet")
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
@raises("not_read_yet")
def get_report_csv(reading: ReadingById, language: Language) -> Response:
    """The entries and totals as a table for spreadsheets."""
    text = format_report_csv(parse_report_json(_get_report_json(reading)), language)
    return Response(text, media_type="text/csv", headers=_build_attachment_headers("wondertally.csv"))


@router.get(
    "/report.pdf",
    response_class=Response,
    responses={200: {"content": {"application/pdf": {}}, "description": "One page for the tournament desk."}},
)
@raises("not_read_yet")
async def get_report_pdf(server: Serving, reading: ReadingById, language: Language) -> Response:
    """The report on one page, with the photo."""
    pdf = await server.run_drawing(_render_pdf, server, reading, language)
    return Response(pdf, media_type="application/pdf", headers=_build_attachment_headers("wondertally.pdf"))


@router.get(
    "/overlay.png",
    response_class=Response,
    responses={200: {"content": {"image/png": {}}, "description": "The photo with its score drawn over it."}},
)
@raises("not_read_yet")
async def get_overlay(server: Serving, reading: ReadingById, number: Number = 0) -> Response:
    """A photo with the score drawn over it."""
    return Response(await server.run_drawing(_render_overlay, server, reading, number), media_type="image/png")


@router.get("/explanation", response_model=AnyExplanation)
@raises("not_read_yet", QuestionError)
async def get_explanation(
    server: Serving,
    reading: ReadingById,
    language: Language,
    feature: Several = [],  # noqa: B006 - read by FastAPI alone
    square: Several = [],  # noqa: B006
    player: Several = [],  # noqa: B006
    lines: bool = False,
) -> AnyExplanation:
    """What counts for features (R3), squares (3,6), players and lines, and by which rules; unasked, all of it.

    In games of spots there are features and players. `sentences` are in the language of the request.
    """
    report = parse_report_json(_get_report_json(reading))
    question = Question(tuple(feature), tuple((None, parse_square(at)) for at in square), tuple(player), lines)
    return await server.run_heavy(_explain, report, question, language)


@router.get(
    "/explanation.png",
    response_class=Response,
    responses={200: {"content": {"image/png": {}}, "description": "What was asked for on the photo, to print."}},
)
async def get_explanation_picture(
    server: Serving,
    reading: ReadingById,
    language: Language,
    feature: Several = [],  # noqa: B006 - read by FastAPI alone
    player: Several = [],  # noqa: B006
) -> Response:
    """The explanation of features (R3) and players as a picture: on the photo, with what counts in words below."""
    question = Question(tuple(feature), (), tuple(player))
    png = await server.run_drawing(_draw_explanation, server, reading, question, language)
    return Response(png, media_type="image/png")


def _build_attachment_headers(name: str) -> dict[str, str]:
    return {"Content-Disposition": f'attachment; filename="{name}"'}


def _get_report_json(reading: StoredReading) -> str:
    if reading.report is None:
        raise ServerError("not_read_yet")
    return reading.report


def _explain(report: AnyReport, question: Question, language: str) -> AnyExplanation:
    return find_game_of(report).explain(report, question, language)


def _draw_explanation(server: Server, reading: StoredReading, question: Question, language: str) -> bytes:
    report = parse_report_json(_get_report_json(reading))
    photo = Photo.from_bytes(read_photo_jpeg(server, reading, 0))
    _, data = cv2.imencode(".png", find_game_of(report).draw_explanation(photo, report, question, language))
    return bytes(data.tobytes())


def _render_pdf(server: Server, reading: StoredReading, language: str) -> bytes:
    photo = Photo.from_bytes(read_photo_jpeg(server, reading, 0))
    return render_report_pdf(parse_report_json(_get_report_json(reading)), photo.pixels, language)


def _render_overlay(server: Server, reading: StoredReading, number: int) -> bytes:
    photo = Photo.from_bytes(read_photo_jpeg(server, reading, number))
    _, data = cv2.imencode(".png", annotate_photo(photo.pixels, _project_report(server, reading, number), number))
    return bytes(data.tobytes())


def _project_report(server: Server, reading: StoredReading, number: int) -> AnyReport:
    """Project the report to the pixels of one of its photos; raises ServerError `not_found`, `not_read_yet`."""
    report = parse_report_json(_get_report_json(reading))
    if number == 0:
        return report
    if number >= len(reading.photos):
        raise ServerError("not_found", details={"photos": len(reading.photos)})
    return find_game_of(report).project_report(report, server.reviews.get(reading), number)
