"""What the command line prints: the score table, the doubts and the problems."""

from __future__ import annotations

from collections.abc import Iterator

from rich import box
from rich.console import Console
from rich.table import Table

from api.cli.spot_table import list_remarks
from api.i18n.report_text import translate_rule
from api.report.schema import Doubt, Entry, Report
from api.report.spot_schema import SpotReport
from scoring.percent import format_percent

_PIPED_WIDTH = 160


def build_console() -> Console:
    """Standard output: coloured in a terminal, plain aligned text in a pipe."""
    console = Console(markup=False, highlight=False, emoji=False)
    return console if console.is_terminal else Console(markup=False, highlight=False, emoji=False, width=_PIPED_WIDTH)


def print_report(console: Console, report: Report | SpotReport) -> None:
    """The score table, then all that a person should look at."""
    console.print(_table(report, boxed=console.is_terminal))
    for line in list_remarks(report) if isinstance(report, SpotReport) else _remarks(report):
        console.print(line, style="bold magenta" if console.is_terminal else "")


def _table(report: Report | SpotReport, boxed: bool) -> Table:
    table = Table(box=box.SIMPLE_HEAD if boxed else None, pad_edge=False)
    table.add_column("player")
    table.add_column("points", justify="right")
    table.add_column("feature")
    table.add_column("why")
    why = _why_of_spots if isinstance(report, SpotReport) else _why
    known = any(before is not None for before in report.scores.on_track.values())
    totals = {player: report.scores.total[player] or points for player, points in report.scores.final_scoring.items()}
    for player, points in sorted(report.scores.final_scoring.items(), key=lambda one: -totals[one[0]]):
        for entry in report.scores.entries:
            if entry.player == player:
                table.add_row(player, str(entry.points), entry.feature, why(entry))
        before = report.scores.on_track.get(player)
        if before is not None:
            table.add_row(player, str(points), "final scoring")
            table.add_row(player, str(before), "score track")
        whole = before is not None or not known
        last = "total" if whole else "final scoring"
        table.add_row(player, str(points + (before or 0)), last, style="bold", end_section=True)
    return table


def _why(entry: Entry) -> str:
    """In words: `unfinished road: 4 tiles x 1`."""
    kind, _, state = entry.rule.partition(".")
    return f"{'farm' if state == 'farm' else f'{state} {kind}'.strip()}: {entry.text}"


def _why_of_spots(entry: Entry) -> str:
    return f"{translate_rule('en', entry.rule)}: {entry.text}"


def _remarks(report: Report) -> Iterator[str]:
    known = [tile for tile in report.board.tiles if tile.tile is not None]
    yield f"tiles: {len(report.board.tiles)}, meeples: {len(report.board.meeples)}"
    if not report.scores.final_scoring:
        yield "No meeple stands on the board: nobody scores."
    if len(known) < len(report.board.tiles):
        yield f"{len(report.board.tiles) - len(known)} of the tiles are not in the catalogue and score nothing."
    yield from (f"problem: {problem.text}" for problem in report.board.problems)
    yield from (_doubt(doubt) for doubt in report.doubts)
    if report.track is None and report.photo and None in report.scores.on_track.values():
        yield "No score board was read: this is the final scoring alone. Type what was before it: --track blue=90"
    unsure = sum(tile.doubtful for tile in report.board.tiles) + sum(m.doubtful for m in report.board.meeples)
    if unsure and not report.doubtful:
        yield f"{unsure} doubtful, but no single doubt changes the score."
    if report.doubtful and not report.doubts:
        yield "doubtful: the problems named above may change the score."
    for number, photo in enumerate(report.photos):
        best = sum(tile.seen[0].photo == number for tile in report.board.tiles if tile.seen)
        yield f"joined: {photo.file}, which shows {best} of the tiles best"
    yield from (f"set aside: {other.file} ({other.reason})" for other in report.set_aside)


def _doubt(doubt: Doubt) -> str:
    row, col = doubt.square
    where = f"doubtful: the {doubt.about} at row {row}, column {col}"
    if doubt.probability is None or doubt.final_scoring is None:
        return f"{where} is {doubt.instead}; the score may be another"
    totals = ", ".join(f"{player} {points}" for player, points in doubt.final_scoring.items())
    return f"{where} may be {doubt.instead} ({format_percent(doubt.probability)}): then {totals}"
