"""/v1/tile-shapes/GAME: drafts of a game's tile shapes, which can be resumed and kept."""

from __future__ import annotations

from fastapi import APIRouter, Depends, Request, Response

from api.enrolment.tile_shapes import ShapeDrawing
from api.http.dependencies import TEACHER, Server, Serving, find_enrol_refusal
from api.http.documented_errors import PHOTO, raises
from api.http.routes.boards import GameName, refuse_unknown_game
from api.http.uploads import build_form_schema, open_form, save_uploads
from api.schemas.tile_shapes import TileShapes, TileShapesChange
from api.server.errors import ServerError
from api.service.worker import delete_uploads
from api.spots.registry import find_spot_game
from scoring.spots.components import ComponentsError
from vision.errors import EnrolmentError
from vision.showing.shape_drafts import MAX_SHAPES, MAX_SIDE


@raises("not_found")
def refuse_game_without_shapes(_: Serving, game: GameName) -> None:
    """Raise ServerError `not_found` for a game whose tiles have no shapes, once the server is ready."""
    if not find_spot_game(game).shapes_key:
        raise ServerError("not_found")


router = APIRouter(tags=["boards"], dependencies=[Depends(refuse_unknown_game), Depends(refuse_game_without_shapes)])

_PHOTO_FORM = build_form_schema(
    "TilesPhoto",
    ["photo"],
    {"photo": {"type": "string", "format": "binary", "description": "A tile of each shape, side by side."}},
)
_JPEG = {200: {"content": {"image/jpeg": {}}, "description": "The photo of the tiles."}}


@router.get("/v1/tile-shapes/{game}", response_model=TileShapes)
@raises(EnrolmentError, ComponentsError)
def get_tile_shapes(request: Request, server: Serving, game: GameName) -> TileShapes:
    """Return the shapes of a game's tiles: those kept, and those being drawn."""
    return _build_state(request, server, game)


@router.put("/v1/tile-shapes/{game}", response_model=TileShapes, dependencies=[TEACHER])
@raises(EnrolmentError, ComponentsError)
async def keep_tile_shapes(request: Request, server: Serving, game: GameName) -> TileShapes:
    """Keep the drawn shapes: later readings use them.

    If one is empty, too large, a duplicate or not connected, the error's details have its `number`, counted from 1.
    """
    await server.run_drawing(_get_drawing(server).keep, game)
    return _build_state(request, server, game)


@router.put("/v1/tile-shapes/{game}/draft", response_model=TileShapes, dependencies=[TEACHER])
@raises(EnrolmentError, ComponentsError)
async def change_tile_shapes(request: Request, server: Serving, game: GameName, sent: TileShapesChange) -> TileShapes:
    """Change the drawn shapes, which have no effect until they are kept."""
    await server.run_drawing(_get_drawing(server).change, game, sent.shapes)
    return _build_state(request, server, game)


@router.delete("/v1/tile-shapes/{game}/draft", status_code=204, dependencies=[TEACHER])
@raises(EnrolmentError)
async def drop_tile_shapes(server: Serving, game: GameName) -> None:
    """Discard the draft; shapes that were kept stay in force."""
    await server.run_drawing(_get_drawing(server).drafts.forget, game)


@router.post(
    "/v1/tile-shapes/{game}/photo", response_model=TileShapes, dependencies=[TEACHER], openapi_extra=_PHOTO_FORM
)
@raises(*PHOTO, EnrolmentError, ComponentsError)
async def take_tiles_photo(request: Request, server: Serving, game: GameName) -> TileShapes:
    """Store a photo of the tiles, as a template for drawing."""
    async with open_form(request, 1) as form:
        (upload,) = uploads = await save_uploads(form, 1, server)
    assert upload.file is not None
    try:
        photo = await server.openers.load(upload.file, upload.name)
        await server.run_drawing(_get_drawing(server).take_photo, game, photo)
    finally:
        delete_uploads(uploads)
    return _build_state(request, server, game)


@router.get(
    "/v1/tile-shapes/{game}/photo.jpg",
    response_class=Response,
    responses=_JPEG,  # type: ignore[arg-type]
    dependencies=[TEACHER],
)
@raises(EnrolmentError)
def get_tiles_photo(server: Serving, game: GameName) -> Response:
    """Return the photo of the tiles being drawn."""
    data = _get_drawing(server).drafts.load_photo(game)
    return Response(data, media_type="image/jpeg", headers={"Cache-Control": "no-store"})


def _get_drawing(server: Server) -> ShapeDrawing:
    return server.shape_drawing


def _build_state(request: Request, server: Server, game: str) -> TileShapes:
    drawing = _get_drawing(server)
    draft = drawing.load(game)
    return TileShapes(
        game=game,
        kept=drawing.list_kept(game),
        drawn=[*draft.shapes],
        begun=drawing.is_begun(game),
        photo_size=draft.photo_size,
        max_side=MAX_SIDE,
        max_shapes=MAX_SHAPES,
        refused=find_enrol_refusal(request, server),
    )
