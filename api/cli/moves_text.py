"""Command-line output of the moves between photos."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console

from api.carcassonne.report.moves import format_ranges
from api.carcassonne.report.moves_schema import Moves, Stretch


def print_moves(console: Console, moves: Moves) -> None:
    """Print the moves, the points after each photo, then all open questions."""
    number = 0
    for stretch, scores in zip(moves.stretches, moves.scores[1:], strict=True):
        before, after = (moves.photos[photo].file for photo in stretch.photos)
        console.print(f"{before} to {after}", style="bold" if console.is_terminal else "")
        for move in stretch.moves:
            number += 1
            console.print(f"  {number}. {move.text}")
        for line in _open(stretch):
            console.print(line, style="bold magenta" if console.is_terminal else "")
        console.print(f"  points at {after}: {format_ranges(scores.points)}")
    for problem in moves.open:
        console.print(f"open: {problem.text}", style="bold magenta" if console.is_terminal else "")
    for other in moves.set_aside:
        console.print(f"set aside: {other.file} ({other.reason})")


def _open(stretch: Stretch) -> Iterator[str]:
    if not stretch.moves and not stretch.open:
        yield "  nothing was played"
    yield from (f"  open: {problem.text}" for problem in stretch.open)
