"""Output of a reading on the command line: the score table, the doubts and the problems."""

from __future__ import annotations

from rich import box
from rich.console import Console
from rich.table import Table

from api.documents.forms import AnyReport, is_whole
from api.games.registry import find_game_of
from api.i18n import load_words

_PIPED_WIDTH = 160
"""Width of tables in a pipe, in characters. A guess."""


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
