"""Output of commands to a person: score table, moves, progress, and errors as sentences or as a line of JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Container, Iterable, Iterator, Mapping
from contextlib import contextmanager
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from rich import box
from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn
from rich.table import Table

from api.documents.forms import AnyReport, is_whole
from api.documents.report import SetAside
from api.games.registry import find_game_of
from api.i18n import Words, load_words

if TYPE_CHECKING:
    from api.carcassonne.report.moves_schema import Moves, PhotoScores

OPEN_STYLE = "bold magenta"
_PIPED_WIDTH = 160
"""Width of tables in a pipe, in characters. A guess."""
OF_A_PHOTO = ("lattice", "tiles")
OF_ALL = ("join", "legal", "meeples", "track")
DOING = {
    "lattice": "looking for the tiles",
    "track": "looking for the score track",
    "tiles": "reading the tiles",
    "join": "joining the photos",
    "legal": "finding the board that the rules allow",
    "meeples": "reading the meeples",
}
MEANT = "meant"
"""Key among an error's details: the word that was most likely meant."""


def build_console() -> Console:
    """Build the console for standard output: coloured on a terminal, plain aligned text in a pipe."""
    console = Console(markup=False, highlight=False, emoji=False)
    return console if console.is_terminal else Console(markup=False, highlight=False, emoji=False, width=_PIPED_WIDTH)


def print_report(console: Console, report: AnyReport) -> None:
    """Print the score table, then all remarks that a person should read."""
    console.print(_table(report, boxed=console.is_terminal))
    for line in find_game_of(report).list_remarks(report):
        console.print(line, style="bold magenta" if console.is_terminal else "")


def _table(report: AnyReport, boxed: bool) -> Table:
    table = Table(box=box.SIMPLE_HEAD if boxed else None, pad_edge=False)
    table.add_column("player")
    table.add_column("points", justify="right")
    table.add_column("feature")
    table.add_column("why")
    game = find_game_of(report)
    words = load_words("en")
    whole = is_whole(report)
    sums = report.scores.total if whole else report.scores.final_scoring
    for player, points in sorted(report.scores.final_scoring.items(), key=lambda one: -(sums[one[0]] or 0)):
        for entry in report.scores.entries:
            if entry.player == player:
                feature = game.label_feature(report, entry.feature, words) if entry.feature else ""
                table.add_row(player, str(entry.points), feature, game.format_reason(entry))
        before = report.scores.on_track.get(player)
        if before is not None:
            table.add_row(player, str(before), "score track")
        if whole and before is not None:
            table.add_row(player, str(points), "final scoring")
        last, points_in_all = ("total", points + (before or 0)) if whole else ("final scoring", points)
        table.add_row(player, str(points_in_all), last, style="bold", end_section=True)
    return table


class MovesPrinter:
    """Printer of the moves of a game in a language; `ranges` are printed for the likeliest points if wanted."""

    def __init__(self, console: Console, moves: Moves, ranges: bool, language: str) -> None:
        from api.carcassonne.report.move_words import MoveTeller, translate_moves  # loads the play engine

        self._console, self._ranges = console, ranges
        self._teller = MoveTeller(language, {}, moves.origin)
        self.moves = translate_moves(moves, language)

    def print(self) -> None:
        """Print the moves, the points after each photo and the totals, then all open questions."""
        self.print_stretches()
        self.print_totals()
        if assumed := sum(stretch.assumed for stretch in self.moves.stretches):
            self._console.print(self._teller.words.say("moves-assumed", n=assumed))
        self.print_open()
        self.print_refused()
        self.print_set_aside(self.moves.set_aside)

    def print_stretches(self, first: int = 0) -> None:
        """Print the moves between photos, from the `first` stretch on, and the points after each photo."""
        number = sum(len(stretch.moves) for stretch in self.moves.stretches[:first])
        for stretch, scores in [*zip(self.moves.stretches, self.moves.scores[1:], strict=True)][first:]:
            before, after = (self.moves.photos[photo].file for photo in stretch.photos)
            self._say("moves-between", "bold", before=before, after=after)
            for move in stretch.moves:
                number += 1
                self._console.print(f"  {number}. {move.text}")
            if not stretch.moves and not stretch.open:
                self._say("moves-nothing", OPEN_STYLE, "  ")
            for problem in stretch.open:
                self._say("moves-open", OPEN_STYLE, "  ", text=problem.text)
            self._say("moves-points-at", "", "  ", photo=after, scores=self._format_scores(scores))

    def print_totals(self) -> None:
        """Print the result if the game ends with the last photo."""
        if self.moves.totals is not None:
            scores, result = self._teller.describe_totals(self.moves.totals)
            self._say("moves-with-final", "bold", scores=scores, result=result)

    def print_open(self, known: Container[str] = ()) -> None:
        """Print what is open about the whole game, unless the text is known."""
        for problem in self.moves.open:
            if problem.text not in known:
                self._say("moves-open", OPEN_STYLE, text=problem.text)

    def print_refused(self) -> None:
        """Print the corrections that were not applied."""
        for refused in self.moves.refused:
            number, kind, text = refused.correction + 1, refused.kind, refused.text
            self._say("moves-refused", OPEN_STYLE, n=number, kind=kind, text=text)

    def print_set_aside(self, photos: Iterable[SetAside]) -> None:
        """Print the photos that the moves are not made from."""
        print_set_aside(self._console, photos, self._teller.words)

    def _format_scores(self, scores: PhotoScores) -> str:
        if self._ranges or scores.likeliest is None:
            return self._teller.format_ranges(scores.points)
        return self._teller.format_scores(scores.likeliest)

    def _say(self, message: str, style: str, indent: str = "", **values: str | int) -> None:
        self._console.print(indent + self._teller.words.say(message, **values), style=_style(self._console, style))


def print_set_aside(console: Console, photos: Iterable[SetAside], words: Words) -> None:
    """Print the photos that a document is not made from."""
    for photo in photos:
        reason = translate_error(photo.reason, photo.reason, words.language)
        console.print(words.say("moves-set-aside", photo=photo.file, reason=reason))


def _style(console: Console, style: str) -> str:
    return style if console.is_terminal else ""


class StageBar:
    """Progress bar over stages, advanced by a `Reader` at the start of each stage."""

    def __init__(self, console: Console | None = None) -> None:
        self._console = console
        self._shown: tuple[Progress, TaskID] | None = None

    def tell(self, stage: str) -> None:
        """Advance the bar to another stage."""
        if self._shown is not None:
            progress, task = self._shown
            progress.update(task, description=DOING.get(stage, stage), advance=1)

    @contextmanager
    def shown(self, photos: int) -> Iterator[None]:
        """Show the bar while this many photos are read, on standard error if that is a terminal."""
        console = self._console or Console(stderr=True)
        if not console.is_terminal:
            yield
            return
        columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
        with Progress(*columns, console=console, transient=True) as progress:
            stages = photos * len(OF_A_PHOTO) + len(OF_ALL)
            self._shown = progress, progress.add_task("opening the photo", total=stages)
            try:
                yield
            finally:
                self._shown = None


class ErrorForm(StrEnum):
    """Form in which errors are written to standard error."""

    AUTO = "auto"
    TEXT = "text"
    JSON = "json"


class ErrorPrinter:
    """Printer of a command's error, in the requested form and language."""

    def __init__(self) -> None:
        self.form = ErrorForm.AUTO
        self.language = "en"

    def print(self, code: str, text: str, details: Mapping[str, Any], hint: str = "") -> None:
        """Print an error to standard error; `hint` suggests to a person what to try."""
        if self.form is ErrorForm.JSON or (self.form is ErrorForm.AUTO and not sys.stderr.isatty()):
            error = {"code": code, "text": text, "details": details}
            print(json.dumps({"error": error}, ensure_ascii=False, default=str), file=sys.stderr)
            return
        console = Console(stderr=True, markup=False, highlight=False, emoji=False, soft_wrap=True)
        words = load_words(self.language)
        console.print(f"{words.say('failed-title')} ", style="bold red", end="")
        console.print(translate_error(code, text, self.language))
        for line in list_detail_lines(details, self.language):
            console.print(f"  {line}")
        if hint:
            console.print(hint)


def translate_error(code: str, text: str, language: str) -> str:
    """Return the text of an error in a language; in English as it is, unless it is the code alone."""
    words, message = load_words(language), f"error-{code}"
    return words.say(message) if (language != "en" or text == code) and message in words else text


def list_detail_lines(details: Mapping[str, Any], language: str = "en") -> Iterator[str]:
    """Yield an error's details as lines for a person; the word most likely meant comes first."""
    if details.get(MEANT):
        yield load_words(language).say("failed-meant", word=str(details[MEANT]))
    for name, value in details.items():
        if name != MEANT and value not in (None, "", [], {}):
            yield f"{name.replace('_', ' ')}: {_format_value(value)}"


def _format_value(value: object) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_format_value(one)}" for name, one in value.items())
    if isinstance(value, list | tuple | set | frozenset):
        return ", ".join(map(_format_value, value))
    return str(value)
