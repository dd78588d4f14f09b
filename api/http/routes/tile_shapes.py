"""/v1/tile-shapes/GAME: drafts of a game's tile shapes, which can be resumed and kept."""

from __future__ import annotations

from fastapi import APIRouter, Depends, Request, Response

from api.http.dependencies import MAY_ENROL, Server, Serving, find_enrol_refusal
from api.http.errors import PHOTO, answers_with, raises
from api.http.routes.boards import GameName, refuse_unknown_game
from api.http.uploads import build_photo_schema, load_sent_photo
from api.schemas.boards import TileShapes, TileShapesChange
from api.server.errors import ServerError
from api.spots.registry import find_spot_game
from scoring.spots.components import ComponentsError
from vision.errors import EnrolmentError
from vision.showing.board_drafts import MAX_SHAPES, MAX_SIDE


@raises("not_found")
def refuse_game_without_shapes(_: Serving, game: GameName) -> None:
    """Raise ServerError `not_found` for a game whose tiles have no shapes, once the server is ready."""
    if not find_spot_game(game).shapes_key:
        raise ServerError("not_found")


router = APIRouter(tags=["boards"], dependencies=[Depends(refuse_unknown_game), Depends(refuse_game_without_shapes)])

_PHOTO_FORM = build_photo_schema("TilesPhoto", "A tile of each shape, side by side.")


@router.get("/v1/tile-shapes/{game}", response_model=TileShapes)
@raises(EnrolmentError, ComponentsError)
def get_tile_shapes(request: Request, server: Serving, game: GameName) -> TileShapes:
    """Return the shapes of a game's tiles: those kept, and those being drawn."""
    return _build_state(request, server, game)


@router.put("/v1/tile-shapes/{game}", response_model=TileShapes, dependencies=[MAY_ENROL])
@raises(EnrolmentError, ComponentsError)
async def keep_tile_shapes(request: Request, server: Serving, game: GameName) -> TileShapes:
    """Keep the drawn shapes: later readings use them.

    If one is empty, too large, a duplicate or not connected, the error's details have its `number`, counted from 1.
    """
    await server.run_drawing(server.shape_drawing.keep, game)
    return _build_state(request, server, game)


@router.put("/v1/tile-shapes/{game}/draft", response_model=TileShapes, dependencies=[MAY_ENROL])
@raises(EnrolmentError, ComponentsError)
async def change_tile_shapes(request: Request, server: Serving, game: GameName, sent: TileShapesChange) -> TileShapes:
    """Change the drawn shapes, which have no effect until they are kept."""
    await server.run_drawing(server.shape_drawing.change, game, sent.shapes)
    return _build_state(request, server, game)


@router.delete("/v1/tile-shapes/{game}/draft", status_code=204, dependencies=[MAY_ENROL])
@raises(EnrolmentError)
async def drop_tile_shapes(server: Serving, game: GameName) -> None:
    """Discard the draft; shapes that were kept stay in force."""
    await server.run_drawing(server.shape_drawing.drafts.forget, game)


@router.post(
    "/v1/tile-shapes/{game}/photo", response_model=TileShapes, dependencies=[MAY_ENROL], openapi_extra=_PHOTO_FORM
)
@raises(*PHOTO, EnrolmentError, ComponentsError)
async def take_tiles_photo(request: Request, server: Serving, game: GameName) -> TileShapes:
    """Store a photo of the tiles, as a template for drawing."""
    photo = await load_sent_photo(request, server)
    await server.run_drawing(server.shape_drawing.take_photo, game, photo)
    return _build_state(request, server, game)


@router.get(
    "/v1/tile-shapes/{game}/photo.jpg",
    **answers_with("image/jpeg", "The photo of the tiles."),
    dependencies=[MAY_ENROL],
)
@raises(EnrolmentError)
def get_tiles_photo(server: Serving, game: GameName) -> Response:
    """Return the photo of the tiles being drawn."""
    data = server.shape_drawing.drafts.load_photo(game)
    return Response(data, media_type="image/jpeg", headers={"Cache-Control": "no-store"})


def _build_state(request: Request, server: Server, game: str) -> TileShapes:
    drawing = server.shape_drawing
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
