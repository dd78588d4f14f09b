"""`wondertally event`: tournaments on this machine's server."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from api.cli.batch import ProgressDisplay
from api.cli.output import check_files_beside, output_document
from api.cli.score_table import build_console

if TYPE_CHECKING:
    from api.service.event_import import ImportSummary

event_app = typer.Typer(help="Tournaments whose tables are checked on the page.")


@event_app.callback()
def event() -> None:
    """Tournaments whose tables are checked on the page."""


@event_app.command("import")
def import_event(
    out: Annotated[Path, typer.Argument(metavar="OUT_DIR", help="The output folder of a batch, finished or not.")],
    name: Annotated[str | None, typer.Option(help="The event's name; by default that in the listing.")] = None,
    photos: Annotated[
        str | None, typer.Option(metavar="FOLDER_OR_URL", help="The present place of the photos, if they were moved.")
    ] = None,
    json: Annotated[Path | None, typer.Option(help="Write the result to this file; - prints it instead.")] = None,
) -> None:
    """Import a batch into the server's database and photos, so that its tables can be checked on the page.

    No photo is read again. If the batch has continued, another import takes over the new tables; corrections stay. The
    event's token is printed only the first time.
    """
    from api.batch.output_folder import OUTPUT_NAMES
    from api.cli.serve import read_settings
    from api.service.event_import import import_batch  # only this command needs the database

    check_files_beside(out, OUTPUT_NAMES, json)
    with ProgressDisplay() as progress:
        done = import_batch(out, name, photos, read_settings(), progress)
    if not output_document(json, done.to_json()):
        counts = f"{done.taken} read now, {done.changed} changed, {done.kept} left as corrected"
        build_console().print(f"event: {done.event}\ntables: {done.tables} ({counts})")
        _print_page(done)


@event_app.command("token")
def new_token(
    out: Annotated[Path, typer.Argument(metavar="OUT_DIR", help="The folder that the event was imported from.")],
    json: Annotated[Path | None, typer.Option(help="Write the result to this file; - prints it instead.")] = None,
) -> None:
    """Give an event a new token if the old one was lost; the old one stops working."""
    from api.batch.output_folder import OUTPUT_NAMES
    from api.cli.serve import read_settings
    from api.service.event_import import renew_event_token  # likewise

    check_files_beside(out, OUTPUT_NAMES, json)
    done = renew_event_token(out, read_settings())
    if not output_document(json, done.to_json()):
        _print_page(done)


def _print_page(done: ImportSummary) -> None:
    console = build_console()
    if done.token:
        console.print(f"token, printed only this once: {done.token}", soft_wrap=True)
    console.print(f"page, at the address that `wondertally serve` prints: {done.page}", soft_wrap=True)
