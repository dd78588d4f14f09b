"""`wondertally event`: tournaments on the server of this machine."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from api.batch.command import Shown
from api.tables import plain_console
from api.written import put

event_app = typer.Typer(help="Tournaments whose tables are checked on the page.")


@event_app.callback()
def event() -> None:
    """Tournaments whose tables are checked on the page."""


@event_app.command("import")
def import_event(
    out: Annotated[Path, typer.Argument(metavar="OUT_DIR", help="The folder that a batch wrote, done or not.")],
    name: Annotated[str | None, typer.Option(help="What the event is called; else as in the listing.")] = None,
    photos: Annotated[
        str | None, typer.Option(metavar="FOLDER_OR_URL", help="Where the photos lie now, if no longer there.")
    ] = None,
    json: Annotated[Path | None, typer.Option(help="Write what was done to this file; - prints it instead.")] = None,
) -> None:
    """Take what a batch has read into the server's database and photos, to be checked on the page.

    Nothing is read anew. Run again after the batch went on, it takes over what is new; what people corrected stays.
    The event's token is told the first time alone.
    """
    from api.event_import import import_batch  # only this command needs the database
    from api.serve import read_settings

    with Shown() as shown:
        done = import_batch(out, name, photos, read_settings(), shown)
    if not put(json, done.to_json()):
        console = plain_console()
        console.print(f"event: {done.event}")
        console.print(
            f"tables: {done.tables} ({done.taken} read now, {done.changed} changed, {done.kept} left as corrected)"
        )
        if done.token:
            console.print(f"token, told this once: {done.token}")
        console.print(f"page, at the address that `wondertally serve` prints: {done.page}", soft_wrap=True)
