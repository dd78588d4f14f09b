"""/v1/boards: enrolment of a game's empty boards, step by step, or from another owner's file."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

from fastapi import APIRouter, Depends, Path, Request, Response

from api.enrolment.board_showing import (
    MAX_FILE_BYTES,
    find_form,
    list_missing,
    pack_board_file,
    unpack_board_file,
)
from api.enrolment.game_boards import list_missing_facts
from api.games.registry import list_board_titles
from api.http.dependencies import KEY, MAY_ENROL, Server, Serving, find_enrol_refusal
from api.http.errors import PHOTO, answers_with, raises
from api.http.uploads import build_photo_schema, load_sent_photo
from api.schemas.boards import (
    BoardDraftPatch,
    BoardDraftState,
    BoardNumbers,
    BoardPoint,
    BoardsKept,
    GameBoard,
    GameBoards,
    GameFact,
    GameFactsPatch,
    WantedMark,
    WantedValue,
)
from api.server.errors import ServerError
from api.spots.registry import find_spot_game
from scoring.spots.components import ComponentsError
from vision.enrolment.games import GameEnrolment
from vision.errors import EnrolmentError
from vision.showing.draft import BoardDraft, has_straight_picture

GameName = Annotated[str, Path(min_length=1, max_length=40, examples=["tower-of-babel"])]


@raises("not_found")
def refuse_unknown_game(_: Serving, game: GameName) -> None:
    """Raise ServerError `not_found` for a game without boards to enrol, once the server is ready."""
    if game not in list_board_titles():
        raise ServerError("not_found")


router = APIRouter(tags=["boards"], dependencies=[Depends(refuse_unknown_game)])

PictureName = Annotated[str, Path(min_length=1, max_length=40, examples=["board"])]
_PHOTO = build_photo_schema("BoardPhoto", "The empty board, a bank card beside it.")
_SENT_FILE = {
    "requestBody": {
        "required": True,
        "content": {"application/octet-stream": {"schema": {"type": "string", "format": "binary"}}},
    }
}


@router.get("/v1/boards/{game}", response_model=GameBoards)
@raises(EnrolmentError)
def get_game_boards(request: Request, server: Serving, game: GameName) -> GameBoards:
    """Return the boards of a game: those enrolled, the drafts, and the missing values of the copy."""
    return _build_game_boards(request, server, game)


@router.patch("/v1/boards/{game}", response_model=GameBoards, dependencies=[MAY_ENROL])
@raises(EnrolmentError, ComponentsError)
async def change_game_facts(request: Request, server: Serving, game: GameName, sent: GameFactsPatch) -> GameBoards:
    """Change the values typed beside the boards: the sides in play, and numbers of cards."""
    await server.run_drawing(server.board_showing.set_facts, game, sent.values)
    return await server.run_heavy(_build_game_boards, request, server, game)


@router.get(
    "/v1/boards/{game}/file",
    **answers_with("application/octet-stream", "The file, as `PUT` takes it."),
    dependencies=[KEY],
)
@raises(EnrolmentError)
async def get_board_file(server: Serving, game: GameName) -> Response:
    """Return a game's boards as a file, for other owners of the same edition."""
    enrolment = await server.run_heavy(server.board_showing.enrolments.load, game)
    if not enrolment.pictures:
        raise EnrolmentError("game_not_enrolled", details={"game": game})
    data = await server.run_heavy(pack_board_file, enrolment)
    headers = {"Content-Disposition": f'attachment; filename="{game}.board.zip"'}
    return Response(data, media_type="application/octet-stream", headers=headers)


@router.put("/v1/boards/{game}/file", response_model=BoardsKept, dependencies=[MAY_ENROL], openapi_extra=_SENT_FILE)
@raises("other_game", "body_too_large", EnrolmentError, ComponentsError)
async def take_board_file(request: Request, server: Serving, game: GameName) -> BoardsKept:
    """Import a game's boards from a file: they replace those of the same name, and its values are added."""
    data = await request.body()
    if len(data) > MAX_FILE_BYTES:
        raise ServerError("body_too_large")
    sent = await server.openers.run(unpack_board_file, data)
    if sent.game != game:
        raise EnrolmentError("other_game", details={"game": sent.game})
    enrolment = await server.run_heavy(server.board_showing.take_file, game, sent)
    return _build_kept(enrolment, "file")


@router.post("/v1/boards/{game}/file/undo", response_model=GameBoards, dependencies=[MAY_ENROL])
@raises(EnrolmentError)
async def undo_board(request: Request, server: Serving, game: GameName) -> GameBoards:
    """Undo the last change of a game's enrolment, by whatever means it was made: restore what was in force before."""
    await server.run_drawing(server.board_showing.enrolments.take_back, game)
    return await server.run_heavy(_build_game_boards, request, server, game)


@router.post(
    "/v1/boards/{game}/{picture}/photo",
    response_model=BoardDraftState,
    dependencies=[MAY_ENROL],
    openapi_extra=_PHOTO,
)
@raises(*PHOTO, EnrolmentError)
async def begin_board(request: Request, server: Serving, game: GameName, picture: PictureName) -> BoardDraftState:
    """Begin a draft with a photo of a board; the answer has the board's corners if they were found.

    A bank card beside it gives the size of the board. An earlier draft is discarded.
    """
    find_form(game, picture)
    photo = await load_sent_photo(request, server)
    draft = await server.run_drawing(server.board_showing.begin, game, picture, photo)
    return _build_state(game, picture, draft)


@router.get("/v1/boards/{game}/{picture}/draft", response_model=BoardDraftState, dependencies=[MAY_ENROL])
@raises(EnrolmentError)
def get_board_draft(server: Serving, game: GameName, picture: PictureName) -> BoardDraftState:
    """Return the draft of a board."""
    find_form(game, picture)
    return _build_state(game, picture, server.board_showing.drafts.load(game, picture))


@router.get(
    "/v1/boards/{game}/{picture}/draft/picture.jpg",
    **answers_with("image/jpeg", "The photo, or the board alone from straight above."),
    dependencies=[MAY_ENROL],
)
@raises(EnrolmentError)
def get_board_draft_picture(server: Serving, game: GameName, picture: PictureName, straight: bool = False) -> Response:
    """Return the photo of a draft, or its board alone as if from straight above."""
    find_form(game, picture)
    data = server.board_showing.drafts.load_picture(game, picture, straight)
    return Response(data, media_type="image/jpeg", headers={"Cache-Control": "no-store"})


@router.patch("/v1/boards/{game}/{picture}/draft", response_model=BoardDraftState, dependencies=[MAY_ENROL])
@raises(EnrolmentError)
async def change_board_draft(
    server: Serving, game: GameName, picture: PictureName, sent: BoardDraftPatch
) -> BoardDraftState:
    """Change the draft of a board."""
    changes = {name: getattr(sent, name) for name in sent.model_fields_set}
    draft = await server.run_drawing(server.board_showing.change, game, picture, changes)
    return _build_state(game, picture, draft)


@router.post("/v1/boards/{game}/{picture}/draft/points", response_model=BoardDraftState, dependencies=[MAY_ENROL])
@raises(EnrolmentError)
async def point_at_board(server: Serving, game: GameName, picture: PictureName, sent: BoardPoint) -> BoardDraftState:
    """Point at something on the board; the mark gets the shape found there."""
    draft = await server.run_heavy(server.board_showing.point, game, picture, sent.mark, sent.at)
    return _build_state(game, picture, draft)


@router.get("/v1/boards/{game}/{picture}/draft/numbers", response_model=BoardNumbers, dependencies=[MAY_ENROL])
@raises(EnrolmentError)
async def guess_board_numbers(server: Serving, game: GameName, picture: PictureName) -> BoardNumbers:
    """Return the numbers that are read in the picture; a person checks them, and sends them with the draft."""
    return BoardNumbers(values=await server.run_heavy(server.board_showing.guess_values, game, picture))


@router.delete("/v1/boards/{game}/{picture}/draft", status_code=204, dependencies=[MAY_ENROL])
@raises(EnrolmentError)
async def drop_board_draft(server: Serving, game: GameName, picture: PictureName) -> None:
    """Discard the draft; an enrolled board stays in force."""
    find_form(game, picture)
    await server.run_drawing(server.board_showing.drafts.forget, game, picture)


@router.put("/v1/boards/{game}/{picture}", response_model=BoardsKept, dependencies=[MAY_ENROL])
@raises(EnrolmentError, ComponentsError)
async def keep_board(server: Serving, game: GameName, picture: PictureName) -> BoardsKept:
    """Enrol a completed board: later readings use it.

    If anything is missing, the error's details list all of it at once.
    """
    enrolment = await server.run_drawing(server.board_showing.keep, game, picture)
    return _build_kept(enrolment, "shown")


def _build_game_boards(request: Request, server: Server, game: str) -> GameBoards:
    spot_game, showing = find_spot_game(game), server.board_showing
    enrolment, begun = showing.enrolments.load(game), showing.drafts.names(game)
    components = spot_game.rules.components(enrolment.components or None)
    missing = list_missing_facts(spot_game, enrolment) if enrolment.pictures else ()
    forms = [*spot_game.load_forms()]
    wanted = forms if spot_game.list_wanted is None else [*spot_game.list_wanted(components)]
    return GameBoards(
        game=game,
        title=spot_game.title,
        boards=[
            GameBoard(name=name, kept=name in enrolment.pictures, begun=name in begun, wanted=name in wanted)
            for name in forms
        ],
        missing=[error.text for error in missing],
        refused=find_enrol_refusal(request, server),
        facts=[GameFact(**{**asdict(fact), "choices": [*fact.choices]}) for fact in spot_game.list_facts(components)],
        pieces=sorted(enrolment.pieces),
        shapes=len(server.shape_drawing.list_kept(game)) if spot_game.shapes_key else None,
        steps=showing.enrolments.count_steps(game),
        shapes_begun=bool(spot_game.shapes_key) and server.shape_drawing.is_begun(game),
    )


def _build_state(game: str, picture: str, draft: BoardDraft) -> BoardDraftState:
    form = find_form(game, picture)
    return BoardDraftState(
        photo_size=draft.photo_size,
        corners_px=draft.corners_px,
        card_px=draft.card_px,
        told_size_mm=draft.told_size_mm,
        size_mm=draft.size_mm,
        straight_size=draft.straight_size if has_straight_picture(draft) else None,
        found=len(draft.boxes) + len(draft.rounds),
        marks=draft.marks,
        wanted_marks=[WantedMark(**asdict(mark)) for mark in form.marks],
        values=draft.values,
        wanted_values=[WantedValue(**asdict(value)) for value in form.list_values(draft)],
        missing=list_missing(form, draft),
    )


def _build_kept(enrolment: GameEnrolment, source: str) -> BoardsKept:
    missing = list_missing_facts(find_spot_game(enrolment.game), enrolment)
    return BoardsKept(
        game=enrolment.game,
        boards=sorted(enrolment.pictures),
        missing=[error.text for error in missing],
        source=source,  # type: ignore[arg-type]
    )
