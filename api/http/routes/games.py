"""/v1/games: a game kept by its photos."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Annotated, Literal

from fastapi import APIRouter, Depends, Path, Query, Request, Response

from api.carcassonne.report.move_words import translate_moves
from api.carcassonne.report.moves_schema import Moves
from api.documents.game_corrections import GameCorrection
from api.errors import CorrectionError
from api.http.dependencies import KEY, ChosenLanguage, Server, Serving, Who, check_owner, may_review
from api.http.errors import JOB, PHOTO, STORAGE, answers_with, raises
from api.http.routes.readings import Width, answer_photo
from api.http.uploads import build_form_schema, open_form, read_text_field, save_uploads
from api.i18n.report_text import label_player
from api.render.csv_export import build_attachment_header, join_file_name
from api.render.game_files import MEDIA_TYPES, export_moves
from api.schemas.games import (
    GameCorrectionDocument,
    GameCreate,
    GameCreated,
    GameDocument,
    GameFinish,
    GamePhotoDocument,
)
from api.schemas.readings import ErrorBody
from api.server.errors import ServerError, build_field_error
from api.service.game_worker import name_photo
from api.service.job_queue import Progress
from api.service.worker import delete_uploads
from api.store.games import GamePhoto, StoredGame

router = APIRouter(prefix="/v1/games", tags=["games"])

MAX_WAIT_SECONDS = 30
"""Maximum time that a client may wait for a change. A guess."""
_CLIENT_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
_FORM = build_form_schema(
    "GamePhotoCreate",
    ["photo", "client_id"],
    {
        "photo": {"type": "string", "format": "binary", "description": "A photo of the table."},
        "client_id": {
            "type": "string",
            "pattern": f"^{_CLIENT_ID.pattern}$",
            "description": "An id that the client makes for the photo: sent twice, the photo counts once.",
        },
    },
)


@raises("not_found", *STORAGE)
def find_game(game_id: str, server: Serving) -> StoredGame:
    """Find the game of an id; raises ServerError `not_found`."""
    return server.games.store.get(game_id)


GameById = Annotated[StoredGame, Depends(find_game)]


@raises("token_wanted", "not_yours")
def find_kept_game(request: Request, game: GameById) -> StoredGame:
    """Find the game of an id for a caller who may change it.

    Raises ServerError `not_found`, `token_wanted`, `not_yours`.
    """
    if not may_review(request, game):
        check_owner(request, game)
    return game


ItemNumber = Annotated[int, Path(ge=1, le=2**31 - 1)]
KeptGame = Annotated[StoredGame, Depends(find_kept_game)]


@router.post("", status_code=201, response_model=GameCreated, dependencies=[KEY])
@raises("unknown_rules", "bad_boxes", *STORAGE)
async def create_game(server: Serving, new_game: GameCreate, language: ChosenLanguage) -> GameCreated:
    """Create a game without photos; its token is given only in this answer."""
    id, token = await server.games.create(new_game.model_dump(mode="json"))
    game = await server.run_heavy(server.games.store.get, id)
    return GameCreated(**dict(build_game_document(server, game, True, language)), token=token)


@router.get("/{game_id}", response_model=GameDocument)
async def get_game(
    request: Request,
    server: Serving,
    game: GameById,
    language: ChosenLanguage,
    after: Annotated[int | None, Query(description="Answer once the game's version is above this one.")] = None,
    wait: Annotated[float, Query(ge=0, le=MAX_WAIT_SECONDS, description="Seconds to wait for that, at most.")] = 20.0,
) -> GameDocument:
    """Return a game: its log, its photos and its corrections; with `after` once it has changed."""
    if after is not None and game.version <= after:
        await server.games.wait_for_change(game.id, after, wait)
        game = await server.run_heavy(server.games.store.get, game.id)
    return await server.run_heavy(build_game_document, server, game, may_review(request, game), language)


@router.delete("/{game_id}", status_code=204)
async def delete_game(server: Serving, game: KeptGame) -> None:
    """Delete a game and its photos at once."""
    await server.games.delete(game)


@router.post(
    "/{game_id}/photos",
    status_code=201,
    response_model=GamePhotoDocument,
    responses={200: {"model": GamePhotoDocument, "description": "The game has this photo already."}},
    dependencies=[KEY],
    openapi_extra=_FORM,
)
@raises("conflict", *PHOTO, *JOB, *STORAGE)
async def add_game_photo(request: Request, response: Response, server: Serving, game: KeptGame) -> GamePhotoDocument:
    """Add a photo to a game, to be read after those before it."""
    async with open_form(request, 1) as form:
        client_id = read_text_field(form, "client_id")
        if not _CLIENT_ID.fullmatch(client_id):
            raise build_field_error("client_id", "1 to 64 letters, digits, _ or - are wanted")
        (upload,) = uploads = await save_uploads(form, 1, server, is_checked=False)
    try:
        photo, is_new = await server.games.add_photo(game, client_id, upload, server.openers)
    finally:
        delete_uploads(uploads)
    response.status_code = 201 if is_new else 200
    return _build_photo(photo, None, None)


@router.get("/{game_id}/photos/{number}", **answers_with("image/jpeg", "The photo without any of its metadata."))
@raises(*STORAGE)
async def get_game_photo(server: Serving, game: GameById, number: ItemNumber, width: Width = None) -> Response:
    """Return a photo of a game; `width` shrinks it. It never changes, so a browser may cache it."""
    photo = next((photo for photo in game.photos if photo.number == number), None)
    if photo is None:
        raise ServerError("not_found", details={"photos": len(game.photos)})
    data = await server.run_heavy(server.readings.photos.get, photo.key)
    return await answer_photo(server, data, width, game.expires)


@router.get("/{game_id}/log.{form}", **answers_with("text/plain", "The log of a game as a file."))
@raises("not_read_yet", *STORAGE)
async def get_game_file(
    server: Serving, game: GameById, form: Literal["txt", "json", "csv", "png"], language: ChosenLanguage
) -> Response:
    """Return the log of a game as text, JSON, CSV (a line a turn), or a picture of the score.

    Raises ServerError `not_read_yet` before its first two photos are read.
    """
    if game.document is None:
        raise ServerError("not_read_yet")
    names = list_names(game)
    data = await server.run_drawing(export_moves, Moves.model_validate_json(game.document), form, language, names)
    players = [label_player(language, player["colour"], names) for player in game.settings["players"]]
    name = join_file_name(_convert_time(game.created).date(), [", ".join(players)], form)
    return Response(data, media_type=MEDIA_TYPES[form], headers={"Content-Disposition": build_attachment_header(name)})


@router.post("/{game_id}/corrections", status_code=201, response_model=GameDocument)
@raises(CorrectionError)
async def correct_game(
    server: Serving, game: KeptGame, correction: GameCorrection, who: Who, language: ChosenLanguage
) -> GameDocument:
    """Correct a game; its log follows at once."""
    await server.games.correct(game, correction, who)
    return await _answer(server, game.id, language)


@router.delete("/{game_id}/corrections/{correction}", response_model=GameDocument)
async def remove_game_correction(
    server: Serving, game: KeptGame, correction: ItemNumber, language: ChosenLanguage
) -> GameDocument:
    """Remove a correction of a game; its log follows at once."""
    await server.games.remove_correction(game, correction)
    return await _answer(server, game.id, language)


@router.post("/{game_id}/finish", response_model=GameDocument)
async def finish_game(server: Serving, game: KeptGame, finish: GameFinish, language: ChosenLanguage) -> GameDocument:
    """Finish a game, or let it go on."""
    await server.games.finish(game, finish.finished)
    return await _answer(server, game.id, language)


async def _answer(server: Server, game_id: str, language: str) -> GameDocument:
    game = await server.run_heavy(server.games.store.get, game_id)
    return await server.run_heavy(build_game_document, server, game, True, language)


def build_game_document(server: Server, game: StoredGame, may_correct: bool, language: str) -> GameDocument:
    """Build the document of a game, with its log in a language."""
    settings = GameCreate.model_validate(game.settings)
    log = None if game.document is None else Moves.model_validate_json(game.document)
    log = log and translate_moves(log, language, list_names(game))
    progress = server.games.get_progress(game.id)
    return GameDocument(
        id=game.id,
        settings=settings,
        photos=[_build_photo(photo, log, progress if photo == game.waiting else None) for photo in game.photos],
        corrections=[
            GameCorrectionDocument.model_validate(
                {"id": one.id, "correction": one.correction, "who": one.who, "made": _convert_time(one.made)}
            )
            for one in game.corrections
        ],
        log=log,
        problem=None if game.problem is None else ErrorBody(**game.problem),
        is_current=game.is_up_to_date,
        stage=progress.stage if progress else None,  # type: ignore[arg-type]
        ahead=progress.ahead if progress else 0,
        version=game.version,
        finished=None if game.finished is None else _convert_time(game.finished),
        may_correct=may_correct,
        created=_convert_time(game.created),
        expires=_convert_time(game.expires),
    )


def list_names(game: StoredGame) -> dict[str, str]:
    """Return the names of a game's players by colour."""
    players = GameCreate.model_validate(game.settings).players
    return {player.colour: player.name for player in players if player.name}


def _build_photo(photo: GamePhoto, log: Moves | None, progress: Progress | None) -> GamePhotoDocument:
    """Build the document of a photo: a log may set it aside, `progress` is that of its reading."""
    file = name_photo(photo.number)
    places = {info.file: place for place, info in enumerate(log.photos)} if log else {}
    aside = {one.file: one.reason for one in log.set_aside} if log else {}
    status = "reading" if progress and progress.stage else photo.status
    return GamePhotoDocument(
        number=photo.number,
        client_id=photo.client_id,
        file=file,
        status="aside" if file in aside and status == "read" else status,
        place=places.get(file),
        reason=photo.error["code"] if photo.error else aside.get(file),
        width=photo.width,
        height=photo.height,
        sent=_convert_time(photo.made),
    )


def _convert_time(seconds: int) -> datetime:
    return datetime.fromtimestamp(seconds, UTC)
