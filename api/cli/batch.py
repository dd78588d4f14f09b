"""`wondertally batch`, the progress and summary of a run, and `wondertally event`, which takes one over."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Annotated, Self

import typer
from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from api.cli.options import BoxesSaid, BoxRulesSaid, OwnWonders, ResultFile
from api.cli.output import check_files_beside, check_output_folder, output_document
from api.cli.terminal import build_console
from api.games.registry import find_game, list_games
from api.reading.process_start import begin_start
from api.spots.tables import Tables
from api.tournament.errors import BatchError
from api.tournament.names import escape_name
from api.tournament.standings import TIE_BREAKER_WORDS, TIE_BREAKERS
from scoring.carcassonne.board.box_rules import format_box_rules, parse_box_rules
from scoring.carcassonne.board.boxes import format_boxes, parse_boxes
from scoring.carcassonne.final.rulesets import RULESETS, TODAY, get_ruleset
from scoring.counts import format_count
from vision.enrolment.wonders import name_wonder_files, read_named_texts

if TYPE_CHECKING:
    from api.service.event_import import ImportSummary
    from api.tournament.results import Summary

Listing = Annotated[
    Path | None,
    typer.Option(
        metavar="CSV",
        help="A list of the photos: photo, event, round, table, a colour's player, blue_track, wonders, players, "
        "tiles_in_play, goods, boxes, box_rules.",
    ),
]


def batch(
    folder: Annotated[
        str, typer.Argument(metavar="FOLDER_OR_URL", help="The folder of the photos, including its subfolders.")
    ],
    out: Annotated[Path, typer.Option(help="The folder for results.csv, results.jsonl, standings.csv, index.html.")],
    listing: Listing = None,
    pattern: Annotated[
        str | None, typer.Option(help="Event, round and table from file names: '{event}/r{round}-t{table}{}'.")
    ] = None,
    rules: Annotated[str, typer.Option(help=f"The rule set to score by: {', '.join(RULESETS)}.")] = TODAY.name,
    game: Annotated[
        str | None, typer.Option(help=f"The game on the tables: {', '.join(list_games())}; by default recognised.")
    ] = None,
    scheduler: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="A Dask cluster's, as tcp://host:8786; by default all cores here."),
    ] = None,
    box_rules: BoxRulesSaid = None,
    boxes: BoxesSaid = None,
    wonder: OwnWonders = None,
    json: ResultFile = None,
) -> None:
    """Read a whole folder of photos; an interrupted run continues where it stopped.

    The exit status is 1 if a photo could not be read; the results contain the others nonetheless.
    """
    if scheduler is None:
        begin_start("api.batch.work")  # meanwhile this process does its own imports

    from api.batch.journal import OUTPUT_NAMES  # loads the writers of results
    from api.batch.run import run_batch  # loads the nets' runtime, which only photos need
    from api.tournament.options_file import BatchOptions

    check_output_folder(out, OUTPUT_NAMES, json)
    name_wonder_files(wonder or ())
    options = BatchOptions(
        folder,
        out,
        get_ruleset(rules).name,
        _read_listing(listing, out),
        pattern,
        scheduler,
        _check_game(game),
        read_named_texts(),
        format_box_rules(parse_box_rules(",".join(box_rules or ()))),
        format_boxes(parse_boxes(",".join(boxes or ()))),
    )
    with ProgressDisplay() as progress:
        summary = run_batch(options, progress)
    if not output_document(json, summary.to_json()):
        console = build_console()
        _print(console, summary)
        console.print(f"results: {escape_name(str(out))}")
    if summary.not_read:
        raise typer.Exit(1)


def _check_game(game: str | None) -> str | None:
    """Check that a game can be read here, and return it.

    Raises InputError `unsupported_game`, EnrolmentError, ComponentsError.
    """
    if game is not None:
        find_game(game).check_readable(Tables())
    return game


def _read_listing(listing: Path | None, out: Path) -> str | None:
    if listing is None:
        return None
    from api.batch.journal import check_listing_place  # as above

    check_listing_place(listing, out)
    try:
        return listing.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        text = f"The CSV of photos cannot be used: {error}."
        raise BatchError("bad_listing", text, {"file": str(listing)}) from error


def _print(console: Console, summary: Summary) -> None:
    counts = ", ".join(f"{summary.count(status)} {status}" for status in ("sure", "doubtful", "failed"))
    console.print(f"tables: {len(summary.rows)} ({counts})")
    for photo, code in summary.not_read.items():
        console.print(f"not read: {photo} ({code})")
    for photo, other in summary.shared.items():
        console.print(f"same picture at two tables: {photo}, {other}")
    for folder in summary.passed_over:
        console.print(f"passed over: {folder} (results of another batch)")
    for link in summary.linked_folders:
        console.print(f"passed over: {link} (a link to a folder)")
    for worker, code in summary.not_used.items():
        console.print(f"not used: worker {worker} ({code})")
    if summary.standings:
        console.print(f"standings by {', then '.join(TIE_BREAKER_WORDS[name] for name in TIE_BREAKERS)}:")
    for standing in summary.standings:
        wins = f"{float(standing.wins):g} {'win' if standing.wins == 1 else 'wins'}"
        console.print(
            f"{standing.event}  {standing.place}. {standing.player}: {wins}, "
            f"{format_count(standing.points, 'point')}, {float(standing.share):.1%}".strip()
        )


class ProgressDisplay:
    """Progress with its rate and the remaining time, on standard error if that is a terminal."""

    def __init__(self) -> None:
        console = Console(stderr=True)
        columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), _Rate(), TimeRemainingColumn())
        self._progress = Progress(*columns, console=console, disable=not console.is_terminal)
        self._tasks: dict[str, TaskID] = {}

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._progress.stop()

    def __call__(self, stage: str, done: int, of: int) -> None:
        if stage not in self._tasks:
            self._tasks[stage] = self._progress.add_task(stage, total=of)
        self._progress.update(self._tasks[stage], completed=done)


class _Rate(ProgressColumn):
    """Column with the number of items a minute."""

    def render(self, task: Task) -> Text:
        return Text(f"{task.speed * 60:.0f} a minute" if task.speed else "")


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
    json: ResultFile = None,
) -> None:
    """Import a batch into the server's database and photos, so that its tables can be checked on the page.

    No photo is read again. If the batch has continued, another import takes over the new tables; corrections stay. The
    event's token is printed only the first time.
    """
    from api.batch.journal import OUTPUT_NAMES
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
    json: ResultFile = None,
) -> None:
    """Give an event a new token if the old one was lost; the old one stops working."""
    from api.batch.journal import OUTPUT_NAMES
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
