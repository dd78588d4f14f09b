"""Uploads of photos: a form with limits, each photo opened before anything else is done."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import Any

from fastapi import Request
from starlette.datastructures import FormData, UploadFile

from api.games.registry import list_games
from api.http.dependencies import Server
from api.inputs.table_words import parse_table_words
from api.server.errors import ServerError, build_field_error
from api.service.worker import Upload, delete_uploads
from api.store.spool import write_upload
from api.store.unavailable import guard_storage
from scoring.carcassonne.board.box_rules import RULED_BOXES
from scoring.carcassonne.final.table import MAX_PLAYERS, MAX_TILES, Table
from scoring.carcassonne.wonders.catalogue import index_wonders
from scoring.carcassonne.wonders.files import parse_wonder
from scoring.carcassonne.wonders.tiles import WONDERS
from scoring.player_colours import find_colour
from vision.photo.decoding import FORMATS, Photo

MAX_FIELDS = 64
"""Maximum number of form fields. Bounds memory."""
MAX_FIELD_BYTES = 64 * 1024
"""Maximum size of a form field. Bounds memory."""
MAX_NAME_CHARACTERS = 120
"""Maximum length of a photo's name. A guess."""


def describe_words(example: str, description: str) -> dict[str, Any]:
    """Return the OpenAPI schema of a field of words that occurs any number of times."""
    return {"type": "array", "items": {"type": "string", "examples": [example]}, "description": description}


def describe_photos(description: str) -> dict[str, Any]:
    """Return the OpenAPI schema of the field of photos."""
    return {
        "type": "array",
        "minItems": 1,
        "items": {"type": "string", "format": "binary"},
        "description": f"{description}: {FORMATS}.",
    }


TABLE_FIELDS: dict[str, Any] = {
    "players": {
        "type": "integer",
        "minimum": 1,
        "maximum": MAX_PLAYERS,
        "description": "The number of players, including those without a piece left: Carcassonne.",
    },
    "tiles_in_play": {
        "type": "integer",
        "minimum": 1,
        "maximum": MAX_TILES,
        "description": "The number of tiles, if more than on the table; a wonder counts five: Carcassonne.",
    },
    "goods": describe_words(
        "blue.wine=3", "Goods, gold bars, king=1, baron=1 or other points of a player: Carcassonne."
    ),
    "owner": describe_words(
        "alhambra=blue",
        "The owner of a wonder, overriding its marker, as WONDER=COLOUR, or WONDER=nobody if it has none: Carcassonne.",
    ),
    "box_rules": describe_words(
        "inns=off",
        "Whether a box's own rules were played (BOX=on), or its tiles alone (BOX=off); of "
        f"{', '.join(RULED_BOXES)}: Carcassonne.",
    ),
    "boxes": describe_words("base=2", "The number of copies of a box on the table, as BOX=NUMBER: Carcassonne."),
}
"""Form fields for facts about a table, with their OpenAPI schema."""
PLAYER_FIELD = describe_words("blue=Anna", "The player of a colour, as COLOUR=NAME.")
GAME_FIELD: dict[str, Any] = {
    "type": "string",
    "enum": list(list_games()),
    "description": "By default the game is recognised among those enrolled.",
}
WONDER_FIELD: dict[str, Any] = {
    "type": "array",
    "items": {"type": "string"},
    "maxItems": len(WONDERS),
    "description": "A wonder's file, which overrides the server's enrolment.",
}
"""Form field for layouts of wonders, with its OpenAPI schema."""
_TYPES = ("image/", "application/octet-stream")


def build_form_schema(title: str, required: list[str], properties: dict[str, Any]) -> dict[str, Any]:
    """Build the OpenAPI request body of a form with a field `photo`, from the schemas of its fields.

    Generated clients use the title as the form's name.
    """
    schema = {"title": title, "type": "object", "required": required, "properties": properties}
    encoding = {"photo": {"contentType": "image/jpeg, image/png, image/webp, image/heic"}}
    content = {"multipart/form-data": {"schema": schema, "encoding": encoding}}
    return {"requestBody": {"required": True, "content": content}}


def build_photo_schema(title: str, description: str) -> dict[str, Any]:
    """Build the OpenAPI request body of a form with one photo alone."""
    return build_form_schema(
        title, ["photo"], {"photo": {"type": "string", "format": "binary", "description": description}}
    )


@asynccontextmanager
async def open_form(request: Request, max_files: int) -> AsyncIterator[FormData]:
    """Open the fields of a form; raises ServerError `wrong_content_type`, `bad_request`."""
    if not request.headers.get("content-type", "").lower().startswith("multipart/form-data"):
        raise ServerError("wrong_content_type", "Send photos as multipart/form-data.")
    async with request.form(max_files=max_files, max_fields=MAX_FIELDS, max_part_size=MAX_FIELD_BYTES) as form:
        yield form


def read_text_field(form: FormData, name: str, usual: str = "") -> str:
    """Read a field that occurs at most once; raises ServerError `bad_field`."""
    values = read_repeated_field(form, name)
    if len(values) > 1:
        raise build_field_error(name, "given more than once")
    return values[0] if values else usual


def read_player_fields(form: FormData) -> dict[str, str]:
    """Read the players' names by colour; raises ServerError `bad_field`."""
    players: dict[str, str] = {}
    for word in read_repeated_field(form, "player"):
        word_of_colour, equals, name = word.partition("=")
        colour = find_colour(word_of_colour)
        if not equals or colour in players or name in players.values():
            raise build_field_error("player", "COLOUR=NAME is wanted, each colour and each name once")
        players[colour] = name
    return players


def read_table_fields(form: FormData) -> Table:
    """Read the facts about a table in the fields of TABLE_FIELDS.

    Raises ServerError `bad_field`, TableError, RulesetError `bad_box_rules`, `bad_boxes`.
    """
    numbers = (read_text_field(form, name) for name in ("players", "tiles_in_play"))
    words = (read_repeated_field(form, name) for name in ("goods", "owner", "box_rules", "boxes"))
    return parse_table_words(*numbers, *words)


def read_wonder_fields(form: FormData) -> list[dict[str, Any]]:
    """Read the layouts of wonders in a form; raises ServerError `bad_field`, CatalogueError."""
    layouts = index_wonders(map(parse_wonder, read_repeated_field(form, "wonder")))
    return [dict(layout.entry) for layout in layouts.values()]


def read_repeated_field(form: FormData, name: str) -> list[str]:
    """Read all values of a field; raises ServerError `bad_field` for a file."""
    values = form.getlist(name)
    if any(isinstance(value, UploadFile) for value in values):
        raise build_field_error(name, "a file, where text is wanted")
    return [str(value) for value in values]


async def save_uploads(form: FormData, max_photos: int, server: Server, is_checked: bool = True) -> list[Upload]:
    """Save the photos of a form, each to its own file; raises ServerError, and PhotoError for an invalid photo unless
    they are not checked here.

    If one of them is refused, no file is left behind.
    """
    parts = form.getlist("photo")
    if not parts or any(not isinstance(part, UploadFile) for part in parts):
        raise build_field_error("photo", "at least one file is wanted")
    if len(parts) > max_photos:
        raise build_field_error("photo", f"at most {max_photos} are read together")
    uploads: list[Upload] = []
    try:
        for part in parts:
            assert isinstance(part, UploadFile)
            file, name = server.readings.build_upload_path(), clean_file_name(part.filename or "")
            uploads.append(Upload(file, name))
            await asyncio.to_thread(_save_upload, part, file)
            if is_checked:
                await server.openers.check(file, name)
    except BaseException:
        delete_uploads(uploads)
        raise
    return uploads


@asynccontextmanager
async def receive_photo(request: Request, server: Server) -> AsyncIterator[tuple[Path, str]]:
    """Receive the one photo of a form; yield its file, which is deleted in the end, and its name."""
    async with open_form(request, 1) as form:
        (upload,) = uploads = await save_uploads(form, 1, server)
    assert upload.file is not None
    try:
        yield upload.file, upload.name
    finally:
        delete_uploads(uploads)


async def load_sent_photo(request: Request, server: Server) -> Photo:
    """Load the one photo of a form; raises as `save_uploads` and the openers do."""
    async with receive_photo(request, server) as (file, name):
        return await server.openers.load(file, name)


def clean_file_name(file_name: str) -> str:
    """Strip folders and unprintable characters from a file name, which is only ever displayed."""
    name = PureWindowsPath(PurePosixPath(file_name).name).name
    return "".join(letter for letter in name if letter.isprintable())[:MAX_NAME_CHARACTERS] or "photo"


def _save_upload(part: UploadFile, file: Path) -> None:
    if part.content_type and not part.content_type.lower().startswith(_TYPES):
        raise ServerError("wrong_content_type", "Send a photo as image/jpeg, image/png, image/webp or image/heic.")
    with guard_storage("uploads", OSError):
        write_upload(file, part.file.read())
