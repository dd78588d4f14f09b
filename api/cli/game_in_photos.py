"""Games in progress on the command line: their options, and photos that come one by one."""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from api.cli.terminal import MovesPrinter, print_set_aside, translate_error
from api.errors import CorrectionError, guard_writing
from api.i18n import load_words
from api.languages import LanguageCode
from scoring.errors import WondertallyError
from vision.errors import InputError
from vision.photo.decoding import SUFFIXES

if TYPE_CHECKING:
    from api.carcassonne.report.moves_schema import Moves
    from api.documents.game_corrections import GameCorrection
    from api.documents.report import SetAside

PlayersInOrder = Annotated[str | None, typer.Option(metavar="BLUE,RED", help="The players in turn order.")]
OnTurn = Annotated[str | None, typer.Option(metavar="COLOUR", help="The player on turn in the first photo.")]
StartPoints = Annotated[str | None, typer.Option(metavar="12,7", help="Their points at the first photo.")]
MovesFile = Annotated[Path | None, typer.Option("--json", help="Write moves and scores to this file; - prints them.")]
RecordFile = Annotated[Path | None, typer.Option("--record", help="Write the game's record; open moves are marked.")]
RangesShown = Annotated[bool, typer.Option("--ranges", help="Print the range of points, not the likeliest.")]
NotTaken = Annotated[
    list[str] | None,
    typer.Option(metavar="ROW,COLUMN", help="A tile on which no piece was set and taken back; repeatable."),
]
WondersEach = Annotated[int, typer.Option("--wonders", min=0, max=2, help="Wonders that each player may take: 1 or 2.")]
PointsAt = Annotated[
    list[str] | None,
    typer.Option(metavar="PHOTO:BLUE=26,RED=31", help="Points on the score track at a photo; repeatable."),
]
MovesLanguage = Annotated[LanguageCode, typer.Option("--language", help="The language of the moves.")]
CorrectionsFile = Annotated[Path | None, typer.Option("--corrections", help="Corrections of the game, in JSON.")]
ExportFiles = Annotated[
    list[Path] | None,
    typer.Option(metavar="FILE", help="Write the game as .txt, .csv, .json, or its score as .png; repeatable."),
]
LOOK_SECONDS = 0.5
"""Time between two looks at a folder. A guess."""
COPYING_SECONDS = 2.0
"""Maximum time between two files that are copied one after the other; photos of a game are further apart. A guess."""
_SHA256 = re.compile("[0-9a-f]{64}")


def check_exports(files: Iterable[Path]) -> None:
    """Refuse files of unknown forms before any work is done; raises InputError `cannot_write`."""
    from api.render.game_files import FORMS  # loads the play engine

    for file in files:
        if file.suffix.lower().removeprefix(".") not in FORMS:
            forms = ", ".join(f".{form}" for form in FORMS)
            raise InputError("cannot_write", f"A game is written as {forms}.", {"file": str(file)})


def check_photo_names(corrections: Iterable[GameCorrection], photos: Iterable[Path]) -> None:
    """Refuse corrections at a photo of another name before any is read; a SHA-256 is compared once they are.

    Raises CorrectionError `photo_unknown`.
    """
    names = {photo.name for photo in photos}
    for number, correction in enumerate(corrections):
        name = getattr(correction, "photo", None)
        if name is not None and name not in names and not _SHA256.fullmatch(name):
            raise CorrectionError("photo_unknown", details={"photo": name, "correction": number})


def write_exports(files: Iterable[Path], moves: Moves, language: str) -> None:
    """Write a game to files, each in the form that its suffix names; raises InputError `cannot_write`."""
    from api.render.game_files import export_moves  # loads the play engine

    for file in files:
        with guard_writing(file):
            file.write_bytes(export_moves(moves, file.suffix.lower().removeprefix("."), language))


def wait_for_photos(folder: Path, idle_seconds: float | None) -> Iterator[Path]:
    """Yield the photos of a folder in their order, then each one that is new or was written again.

    Ends after some seconds without one, if given.
    """
    done, before, last = dict[Path, tuple[float, int]](), dict[Path, tuple[float, int]](), time.monotonic()
    while idle_seconds is None or time.monotonic() - last < idle_seconds:
        files = {file: state for file, state in _list_photos(folder).items() if done.get(file) != state}
        for file in sort_photos({file: written for file, (written, _) in files.items()}):
            if before.get(file) == files[file]:
                done[file] = files[file]
                yield file
                last = time.monotonic()
        before = files
        time.sleep(LOOK_SECONDS)


def sort_photos(written: Mapping[Path, float]) -> Iterator[Path]:
    """Yield files, the oldest first; of those written at once, as copies are, the names and numbers decide."""
    together: list[Path] = []
    for file in sorted(written, key=lambda file: written[file]):
        if together and written[file] - written[together[-1]] > COPYING_SECONDS:
            yield from sorted(together, key=_number_name)
            together = []
        together.append(file)
    yield from sorted(together, key=_number_name)


def _number_name(file: Path) -> list[str | int]:
    """Return the parts of a name in whose order people number files: 9.jpg comes before 10.jpg."""
    return [int(part) if part.isdecimal() else part for part in re.split(r"(\d+)", file.name, flags=re.ASCII)]


def _list_photos(folder: Path) -> dict[Path, tuple[float, int]]:
    """Return the time and size of each photo in a folder; a hidden file is still being sent."""
    files = {}
    with suppress(OSError):  # the folder may be out of reach for a while
        for file in folder.iterdir():
            if file.suffix.lower() in SUFFIXES and not file.name.startswith(".") and file.is_file():
                with suppress(OSError):  # it may be gone by now
                    state = file.stat()
                    files[file] = state.st_mtime, state.st_size
    return files


class NewsPrinter:
    """Printer of a game as its photos come: only lines that are new, or that a photo has changed."""

    def __init__(self, console: Console, ranges: bool, language: str) -> None:
        self._console, self._ranges, self._language = console, ranges, language
        self._lines: list[list[str]] = []
        self._aside: set[str] = set()
        self._open: set[str] = set()

    def print(self, moves: Moves) -> None:
        """Print the moves from the first one that is new or changed, and what is open or set aside since then."""
        lines = [[move.text for move in stretch.moves] for stretch in moves.stretches]
        known = len([*takewhile(lambda pair: pair[0] == pair[1], zip(self._lines, lines, strict=False))])
        printer = MovesPrinter(self._console, moves, self._ranges, self._language)
        printer.print_stretches(known)
        printer.print_totals()
        printer.print_open(self._open)
        printer.print_refused()
        printer.print_set_aside([photo for photo in moves.set_aside if photo.file not in self._aside])
        self._lines, self._aside = lines, {photo.file for photo in moves.set_aside}
        self._open = {problem.text for problem in printer.moves.open}

    def print_refusal(self, file: str, aside: Sequence[SetAside], error: WondertallyError) -> None:
        """Print why a photo was set aside, or else the error due to which there are no moves yet."""
        matching = [photo for photo in aside if photo.file == file]
        print_set_aside(self._console, matching, load_words(self._language))
        self._aside |= {photo.file for photo in matching}
        if not matching:
            self._console.print(f"{file}: {translate_error(error.code, error.text, self._language)}")
