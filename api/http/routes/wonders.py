"""/v1/wonders: the wonders' layouts in force, the meaning of a layout, and its enrolment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

import tomlkit
from fastapi import APIRouter, Depends, Request, Response

from api.carcassonne.report.board import read_report_board
from api.enrolment.wonders import FoundWonder, find_wonder_id, find_wonder_in_report, keep_wonder
from api.errors import build_error_document
from api.http.dependencies import KEY, MAY_ENROL, ReadingById, Server, Serving, find_enrol_refusal, load_tile_report
from api.http.errors import JOB, PHOTO, STORAGE, answers_with, raises
from api.http.uploads import build_photo_schema, receive_photo
from api.render.tile_svg import format_path
from api.schemas.readings import ErrorBody
from api.schemas.wonders import (
    LayoutContradiction,
    WonderEnrolmentInput,
    WonderEnrolmentResult,
    WonderInForce,
    WonderLayoutInput,
    WonderMeaning,
    WonderName,
    WonderPart,
    WonderPlanEntry,
    WonderProposal,
    WondersInForce,
)
from api.server.errors import ServerError, restore_error
from api.server.tokens import generate_id
from api.service.enrolment import WonderJob, WonderOutcome, run_wonder_job
from api.store.readings import StoredReading
from scoring.carcassonne.tiles.topology import GRID_UNITS
from scoring.carcassonne.wonders.catalogue import load_wonder_catalogue
from scoring.carcassonne.wonders.files import build_wonder, parse_entry, parse_plan, restore_wonder
from scoring.carcassonne.wonders.plans import place_part, plan_layout, write_plan
from scoring.carcassonne.wonders.shapes import find_likelier_wonder
from scoring.carcassonne.wonders.tiles import COATS_UNSEEN, WonderLayout
from scoring.carcassonne.wonders.validation import (
    Contradiction,
    Features,
    count_layout,
    count_plan,
    find_other_fields,
    list_contradictions,
)
from scoring.errors import CatalogueError
from vision.enrolment.wonders import (
    NAMED_FILES,
    list_named_files,
    load_wonders_in_force,
    read_wonder_files,
    refuse_damaged_wonders,
)
from vision.errors import EnrolmentError, ReadingError, WondertallyError
from vision.photo.decoding import Photo

router = APIRouter(tags=["wonders"])

_PHOTO = build_photo_schema("WonderPhoto", "The wonder, alone or in play.")


@raises("not_found")
def find_id(wonder: WonderName) -> str:
    """Find the id of the wonder in an address; raises ServerError `not_found`."""
    try:
        return find_wonder_id(wonder)
    except EnrolmentError as error:
        raise ServerError("not_found", details=error.details) from error


WonderId = Annotated[str, Depends(find_id)]


@router.get("/v1/wonders", response_model=WondersInForce)
def list_wonders(request: Request, server: Serving) -> WondersInForce:
    """List all wonders with the source of each layout, and whether the caller may enrol another."""
    return WondersInForce(
        wonders=[_build_wonder(server, id) for id in load_wonder_catalogue()],
        refused=find_enrol_refusal(request, server),
    )


@router.get("/v1/wonders/{wonder}", response_model=WonderMeaning)
@raises(CatalogueError, "bad_enrolment")
async def get_wonder(server: Serving, id: WonderId) -> WonderMeaning:
    """Return the layout of a wonder in force, with its meaning."""
    return await server.run_heavy(_describe_in_force, server, id)


@router.get("/v1/wonders/{wonder}/file", **answers_with("application/toml", "The wonder's file, as `PUT` takes it."))
@raises(CatalogueError, "bad_enrolment")
async def get_wonder_file(server: Serving, id: WonderId) -> Response:
    """Return the file of a wonder's layout in force."""
    meaning = await get_wonder(server, id)
    headers = {"Content-Disposition": f'attachment; filename="{id.removeprefix("WH/")}.toml"'}
    return Response(meaning.file, media_type="application/toml", headers=headers)


@router.post("/v1/wonder-layouts", response_model=WonderMeaning, dependencies=[KEY])
@raises(CatalogueError, "scoring_busy")
async def explain_wonder_layout(server: Serving, sent: WonderLayoutInput) -> WonderMeaning:
    """Explain a layout: its roads, cities and fields, and its contradictions to the rule texts. Nothing is stored."""
    return await server.run_scoring(explain_layout, sent)


@router.put("/v1/wonders/{wonder}", response_model=WonderEnrolmentResult, dependencies=[MAY_ENROL])
@raises(CatalogueError, EnrolmentError, "not_found", "not_read_yet", "other_game", *STORAGE)
async def enrol_wonder(server: Serving, id: WonderId, sent: WonderEnrolmentInput) -> WonderEnrolmentResult:
    """Enrol a layout of a wonder, which all later readings use.

    Only a client with a key, or this machine, may do so. `DELETE` takes it back.
    """
    art = None if sent.reading is None else await server.run_drawing(_find_print, server, id, sent.reading)
    return await server.run_heavy(_keep, server, id, sent, art)


@router.delete("/v1/wonders/{wonder}", response_model=WonderInForce, dependencies=[MAY_ENROL])
@raises(EnrolmentError)
def undo_wonder(server: Serving, id: WonderId) -> WonderInForce:
    """Undo the last change of a wonder's enrolment: the layout before it is in force again."""
    server.enrolled_wonders.take_back(id.removeprefix("WH/"))
    return _build_wonder(server, id)


@router.post("/v1/wonders/{wonder}/photo", response_model=WonderProposal, dependencies=[KEY], openapi_extra=_PHOTO)
@raises(*PHOTO, *JOB, ReadingError, EnrolmentError, CatalogueError)
async def read_wonder_photo(request: Request, server: Serving, id: WonderId) -> WonderProposal:
    """Read the layout of a wonder from a photo, to be reviewed and enrolled. Neither the layout nor the photo is
    stored.

    For a caller who may enrol, its five squares are kept for a while under the answer's `photo`, which `PUT` takes.
    """
    async with receive_photo(request, server) as (file, name):
        outcome: Any = await server.jobs.add(generate_id(), run_wonder_job, WonderJob(id, file, name))
    assert isinstance(outcome, WonderOutcome)
    if outcome.error is not None:
        raise restore_error(outcome.error)
    photo = None
    if outcome.art is not None and find_enrol_refusal(request, server) is None:
        photo = server.wonder_prints.add(id, outcome.squares, outcome.art)
    return await server.run_heavy(build_proposal, outcome.entry, outcome.quads_px, photo)


@router.get("/v1/readings/{reading_id}/wonders/{wonder}", response_model=WonderMeaning)
@raises("not_read_yet", "other_game", CatalogueError)
async def get_reading_wonder(server: Serving, reading: ReadingById, id: WonderId) -> WonderMeaning:
    """Return the layout of a wonder on a reading's board with its corrections, and its meaning."""
    return await server.run_heavy(_describe_reading_wonder, server, reading, id)


def _describe_in_force(server: Server, id: str) -> WonderMeaning:
    layouts = load_wonders_in_force(server.enrolled_wonders)
    refuse_damaged_wonders([id], layouts, server.enrolled_wonders)
    return describe_layout(layouts[id])


def _describe_reading_wonder(server: Server, reading: StoredReading, id: str) -> WonderMeaning:
    board = read_report_board(load_tile_report(reading))
    layout = next((placed.layout for placed in board.wonders if placed.layout.id == id), None)
    if layout is None:
        raise ServerError("not_found", details={"wonder": id})
    return describe_layout(layout)


def _find_print(server: Server, id: str, reading_id: str) -> FoundWonder | None:
    """Return a wonder with its print in the first photo of a reading with its corrections.

    Return None if the photo does not show all of it. Raises ServerError `not_found`, `not_read_yet`.
    """
    reading = server.readings.store.get(reading_id)
    report = load_tile_report(reading)
    if report.photo is None:
        return None
    photo = Photo.from_bytes(server.readings.photos.get(reading.photos[0].key), report.photo.file)
    return find_wonder_in_report(id, report, photo)


def _keep(server: Server, id: str, sent: WonderEnrolmentInput, found: FoundWonder | None) -> WonderEnrolmentResult:
    layout = read_sent_layout(sent)
    if layout.id != id:
        raise EnrolmentError("other_wonder", details={"wonder": id, "file": layout.id})
    if id in read_wonder_files(list_named_files()):
        raise EnrolmentError("wonder_named", details={"wonder": id, "setting": NAMED_FILES})
    art = None
    if sent.photo is not None:
        art = server.wonder_prints.get(sent.photo, id, layout.squares)
    elif sent.reading is not None and found is not None and found.layout.squares == layout.squares:
        art = found.art
    keep_wonder(layout, server.enrolled_wonders, [entry.name for entry in server.enrolments.list_entries()], art)
    wonder = server.enrolled_wonders.load(id.removeprefix("WH/"))
    return WonderEnrolmentResult(**dict(describe_layout(wonder.layout)), print=None if art is None else art.source)


def _build_wonder(server: Server, id: str) -> WonderInForce:
    enrolled, shipped = server.enrolled_wonders, load_wonder_catalogue()[id]
    layout, source, problem = shipped, "shipped", None
    name = id.removeprefix("WH/")
    try:
        if (named := read_wonder_files(list_named_files()).get(id)) is not None:
            layout, source = named, "named"
        elif name in enrolled.names():
            source = "taught"
            layout = enrolled.load(name).layout
    except WondertallyError as error:
        problem = error.code
    return WonderInForce(
        id=id,
        name=shipped.name,
        source=source,  # type: ignore[arg-type]
        squares=list(layout.squares),
        problem=problem,
        can_undo=enrolled.can_take_back(name),
    )


def explain_layout(sent: WonderLayoutInput) -> WonderMeaning:
    """Explain a layout that was sent; an impossible plan is returned with its `problem`.

    Raises CatalogueError for a file that holds no layout.
    """
    if sent.plan is None:
        return describe_layout(read_sent_layout(sent))
    contradictions = list[LayoutContradiction]()
    try:
        plan = parse_plan(write_entry(sent.plan))
        contradictions = _list_contradictions(plan.id, count_plan(plan))
        return describe_layout(read_sent_layout(sent))
    except CatalogueError as error:
        problem = ErrorBody(**build_error_document(error)["error"])
        return WonderMeaning(plan=sent.plan, contradictions=contradictions, problem=problem)


def read_sent_layout(sent: WonderLayoutInput) -> WonderLayout:
    """Read a layout that was sent; raises CatalogueError for an impossible one."""
    return build_wonder(parse_entry(sent.file or "") if sent.plan is None else write_entry(sent.plan))


def describe_layout(layout: WonderLayout) -> WonderMeaning:
    """Describe a layout: its plan, its parts with their shapes, and its contradictions to the rule texts."""
    unseen = [guess for guess in layout.inferred if guess == COATS_UNSEEN]
    plan = {**write_plan(plan_layout(layout)), **({"inferred": unseen} if unseen else {})}
    other_fields = find_other_fields(layout)
    return WonderMeaning(
        plan=WonderPlanEntry.model_validate(plan),
        parts=[_describe_part(layout, number) for number in range(len(layout.parts))],
        marker=(layout.marker[0] * GRID_UNITS, layout.marker[1] * GRID_UNITS),
        contradictions=_list_contradictions(layout.id, count_layout(layout)),
        likelier=find_likelier_wonder(layout),
        other_fields=None if other_fields is None else _build_contradiction(other_fields),
        file=tomlkit.dumps(plan if layout.is_bare else dict(layout.entry)),
    )


def build_proposal(
    entry: Mapping[str, Any], quads_px: Sequence[list[list[float]] | None], photo: str | None = None
) -> WonderProposal:
    """Build the document of a wonder read from a photo, which is kept under the name `photo` for a while."""
    quads = [None if quad is None else [(x, y) for x, y in quad] for quad in quads_px]
    return WonderProposal(**dict(describe_layout(restore_wonder(entry))), quads_px=quads, photo=photo)


def write_entry(plan: WonderPlanEntry) -> dict[str, Any]:
    """Return the entries of a wonder's file for a plan."""
    return plan.model_dump(mode="json", exclude_defaults=True)


def _describe_part(layout: WonderLayout, number: int) -> WonderPart:
    part = layout.parts[number]
    return WonderPart(
        kind=part.kind,  # type: ignore[arg-type]
        squares=sorted({*part.squares}),
        open_ends=part.open_ends,
        cities=len(part.cities),
        coats=layout.count_coats(number),
        path=format_path(place_part(layout, number)),
    )


def _list_contradictions(id: str, features: Features) -> list[LayoutContradiction]:
    return [_build_contradiction(contradiction) for contradiction in list_contradictions(id, features)]


def _build_contradiction(contradiction: Contradiction) -> LayoutContradiction:
    return LayoutContradiction(
        about=contradiction.about, stated=list(contradiction.stated), found=list(contradiction.found)
    )
