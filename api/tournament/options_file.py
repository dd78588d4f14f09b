"""Options of a batch, stored in its output folder so that its results can be imported without asking again."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated
from uuid import uuid4

from pydantic import BaseModel, Field

from api.errors import guard_writing
from api.tournament.errors import BatchError
from api.tournament.names import escape_name, unescape_name
from scoring.documents import parse_json
from vision.enrolment.durable import write_durably

OPTIONS_FILE = "batch.json"


@dataclass(frozen=True, slots=True)
class BatchOptions:
    """The options of a batch; `listing` is the text of a CSV. Without a `game`, each table's game is recognised.

    `wonders` are the texts of wonder files, which override the workers' enrolments. `box_rules` is the text of the box
    rules for all tables (`inns=off`), `boxes` that of the copies of boxes (`base=2`).
    """

    folder: str
    out: Path
    rules: str
    listing: str | None = None
    pattern: str | None = None
    scheduler: str | None = None
    game: str | None = None
    wonders: tuple[str, ...] = ()
    box_rules: str = ""
    boxes: str = ""


class _Kept(BaseModel):
    """The options as stored in the file; earlier versions stored fewer."""

    id: Annotated[str, Field(min_length=1, max_length=64)]
    folder: str
    rules: Annotated[str, Field(max_length=40)]
    listing: str | None
    pattern: str | None
    game: str | None = None
    wonders: tuple[str, ...] = ()
    box_rules: Annotated[str, Field(max_length=100)] = ""
    boxes: Annotated[str, Field(max_length=1000)] = ""


def write_batch_options(options: BatchOptions) -> None:
    """Write the options, keeping the folder's id from its first run; raises InputError `cannot_write`."""
    file = options.out / OPTIONS_FILE
    try:
        batch_id, _ = read_batch_options(options.out)
    except BatchError:
        batch_id = uuid4().hex
    folder = options.folder if "://" in options.folder else str(Path(options.folder).absolute())
    document = {"id": batch_id, "folder": escape_name(folder)}
    document |= {name: getattr(options, name) for name in _Kept.model_fields if name not in document}
    text = json.dumps(document, ensure_ascii=False) + "\n"
    with guard_writing(file):
        write_durably(file, text.encode(), file.with_name(f".{OPTIONS_FILE}.draft"))


def read_batch_options(out: Path) -> tuple[str, BatchOptions]:
    """Read a folder's id and the options of its last batch; the inverse of `write_batch_options`.

    Raises BatchError `no_batch`.
    """
    try:
        options = _Kept.model_validate(parse_json((out / OPTIONS_FILE).read_bytes()))
    except (OSError, ValueError) as error:
        raise BatchError("no_batch", details={"out": str(out)}) from error
    words = options.model_dump(exclude={"id", "folder"})
    return options.id, BatchOptions(unescape_name(options.folder), out, **words)
