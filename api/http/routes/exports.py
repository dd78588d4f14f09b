"""/v1/readings/ID/...: the report in other forms, and its explanation."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

import cv2
from fastapi import APIRouter, Path, Query, Response

from api.documents.forms import AnyExplanation, AnyReport
from api.documents.table_options import Question
from api.errors import QuestionError
from api.games.registry import find_game_of
from api.games.sheets import annotate_photo, render_report_csv, render_report_pdf
from api.http.dependencies import ChosenLanguage, ReadingById, Server, Serving, load_report
from api.http.errors import answers_with, raises
from api.http.routes.readings import read_photo_jpeg
from api.i18n import load_words
from api.inputs.subjects import parse_square
from api.render.csv_export import Occasion, build_attachment_header, build_file_name
from api.server.errors import ServerError
from api.store.readings import StoredReading
from vision.errors import EnrolmentError
from vision.photo.decoding import Photo

router = APIRouter(prefix="/v1/readings/{reading_id}", tags=["exports"])

Number = Annotated[int, Query(ge=0, le=100, description="The photo's number in the report.")]
_JPEG_OPTIONS = (cv2.IMWRITE_JPEG_QUALITY, 88)
"""Quality of a shared picture, in percent. A guess."""
Several = Annotated[list[str], Query(max_length=50)]


@router.get("/report.json", response_model=AnyReport)
@raises("not_read_yet")
async def get_report(
    server: Serving, reading: ReadingById, language: ChosenLanguage, number: Number = 0, drawn: bool = False
) -> Response:
    """Return the report alone, as `wondertally score --json` writes it, or in the pixels of another of its photos.

    With `drawn` its places are those of the board as drawn, without a photo.
    """
    report = await server.run_heavy(_draw_report if drawn else _project_report, server, reading, number)
    text = report.to_json() if drawn or number else reading.get_report_json()
    headers = _build_attachment_headers(report, _find_occasion(server, reading), language, "json")
    return Response(text, media_type="application/json", headers=headers)


@router.get("/report.csv", **answers_with("text/csv", "A row for each entry of a player."))
@raises("not_read_yet")
def get_report_csv(server: Serving, reading: ReadingById, language: ChosenLanguage) -> Response:
    """Return the entries of all players as CSV, one row each, for spreadsheets."""
    report = load_report(reading)
    headers = _build_attachment_headers(report, _find_occasion(server, reading), language, "csv")
    return Response(render_report_csv(report, language), media_type="text/csv", headers=headers)


@router.get("/report.pdf", **answers_with("application/pdf", "One page for the tournament desk."))
@raises("not_read_yet")
async def get_report_pdf(server: Serving, reading: ReadingById, language: ChosenLanguage) -> Response:
    """Return the report on one page, with the photo."""
    pdf, headers = await server.run_drawing(_render_pdf, server, reading, language)
    return Response(pdf, media_type="application/pdf", headers=headers)


@router.get("/overlay.png", **answers_with("image/png", "The photo with its score drawn over it."))
@raises("not_read_yet")
async def get_overlay(server: Serving, reading: ReadingById, language: ChosenLanguage, number: Number = 0) -> Response:
    """Return a photo with the score drawn over it, each pixel as drawn."""
    return await server.run_drawing(_answer_overlay, server, reading, number, language, "png")


@router.get("/overlay.jpg", **answers_with("image/jpeg", "The photo with its score drawn over it, to share."))
@raises("not_read_yet")
async def get_overlay_jpeg(
    server: Serving, reading: ReadingById, language: ChosenLanguage, number: Number = 0
) -> Response:
    """Return the same picture as a JPEG, of about a tenth of the bytes."""
    return await server.run_drawing(_answer_overlay, server, reading, number, language, "jpg")


@router.get("/boards/{picture}.jpg", **answers_with("image/jpeg", "An empty board as it was enrolled."))
@raises("not_read_yet", "not_found", EnrolmentError)
async def get_empty_board(
    server: Serving, reading: ReadingById, picture: Annotated[str, Path(min_length=1, max_length=40)]
) -> Response:
    """Return the picture of one of the printed boards in `board.printed`, on which its spots are drawn."""
    data = await server.run_heavy(_encode_empty_board, server, reading, picture)
    return Response(data, media_type="image/jpeg", headers={"Cache-Control": "private, no-cache"})


@router.get("/explanation", response_model=AnyExplanation)
@raises("not_read_yet", QuestionError)
async def get_explanation(
    server: Serving,
    reading: ReadingById,
    language: ChosenLanguage,
    feature: Several = [],  # noqa: B006 - read by FastAPI alone
    square: Several = [],  # noqa: B006
    player: Several = [],  # noqa: B006
    lines: bool = False,
) -> AnyExplanation:
    """Explain features (R3), squares (`3,6` is row 3, column 6), players and lines with their rules; by default all.

    In games of spots only features and players can be explained. `sentences` are in the language of the request.
    """
    report = load_report(reading)
    question = Question(tuple(feature), tuple((None, parse_square(at)) for at in square), tuple(player), lines)
    return await server.run_heavy(find_game_of(report).explain, report, question, language)


@router.get("/explanation.png", **answers_with("image/png", "The explanation on the photo, to print."))
@raises("not_read_yet", "nothing_to_enrol", QuestionError)
async def get_explanation_picture(
    server: Serving,
    reading: ReadingById,
    language: ChosenLanguage,
    feature: Several = [],  # noqa: B006 - read by FastAPI alone
    player: Several = [],  # noqa: B006
) -> Response:
    """Draw the explanation of features (R3) and players over the photo, with words below."""
    question = Question(tuple(feature), (), tuple(player))
    png = await server.run_drawing(_draw_explanation, server, reading, question, language)
    return Response(png, media_type="image/png")


def _build_attachment_headers(report: AnyReport, occasion: Occasion, language: str, ending: str) -> dict[str, str]:
    name = build_file_name(report, occasion, load_words(language), ending)
    return {"Content-Disposition": build_attachment_header(name)}


def _find_occasion(server: Server, reading: StoredReading) -> Occasion:
    """Return the day of a reading, and the event, round and table that it belongs to."""
    day = datetime.fromtimestamp(reading.created, UTC).date()
    if (place := server.events.find_place(reading.id)) is None:
        return Occasion(day)
    return Occasion(day, place.event, place.contest, place.round, place.table)


def _draw_explanation(server: Server, reading: StoredReading, question: Question, language: str) -> bytes:
    report = load_report(reading)
    photo = Photo.from_bytes(read_photo_jpeg(server, reading, 0))
    _, data = cv2.imencode(".png", find_game_of(report).draw_explanation(photo, report, question, language))
    return bytes(data.tobytes())


def _render_pdf(server: Server, reading: StoredReading, language: str) -> tuple[bytes, dict[str, str]]:
    """Render the page of a reading, with the headers that name its file."""
    photo = Photo.from_bytes(read_photo_jpeg(server, reading, 0))
    report, occasion = load_report(reading), _find_occasion(server, reading)
    headers = _build_attachment_headers(report, occasion, language, "pdf")
    return render_report_pdf(report, photo.pixels, language, occasion), headers


def _answer_overlay(server: Server, reading: StoredReading, number: int, language: str, ending: str) -> Response:
    """Answer with the picture as a file, named by its day, place and players."""
    photo, report = Photo.from_bytes(read_photo_jpeg(server, reading, number)), _project_report(server, reading, number)
    _, data = cv2.imencode(f".{ending}", annotate_photo(photo.pixels, report, number), _JPEG_OPTIONS)
    headers = _build_attachment_headers(report, _find_occasion(server, reading), language, ending)
    return Response(data.tobytes(), media_type=f"image/{'png' if ending == 'png' else 'jpeg'}", headers=headers)


def _encode_empty_board(server: Server, reading: StoredReading, picture: str) -> bytes:
    """Encode the enrolled picture of a board that a reading shows; raises ServerError `not_found`, EnrolmentError."""
    report = load_report(reading)
    printed = getattr(report.board, "printed", ())
    if picture not in {board.picture for board in printed}:
        raise ServerError("not_found")
    pixels = server.board_showing.enrolments.load_picture(report.game, picture)
    if pixels is None:
        raise ServerError("not_found")
    return cv2.imencode(".jpg", pixels, _JPEG_OPTIONS)[1].tobytes()


def _draw_report(server: Server, reading: StoredReading, number: int) -> AnyReport:
    """Project the report of one of its photos to the drawn board; raises as `_project_report` does."""
    report = _project_report(server, reading, number)
    return find_game_of(report).draw_report(report)


def _project_report(server: Server, reading: StoredReading, number: int) -> AnyReport:
    """Project the report to the pixels of one of its photos; raises ServerError `not_found`, `not_read_yet`."""
    report = load_report(reading)
    if number == 0:
        return report
    if number >= len(reading.photos):
        raise ServerError("not_found", details={"photos": len(reading.photos)})
    return find_game_of(report).project_report(report, server.reviews.get(reading), number)
