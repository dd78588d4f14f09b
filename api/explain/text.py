"""An explanation in words: tables in a terminal, lines elsewhere."""

from __future__ import annotations

from collections.abc import Iterator

from rich import box
from rich.console import Console
from rich.table import Table

from api.explain.schema import Explanation, PlayerAccount, SquareAccount
from scoring.carcassonne.board.square_names import name_square, name_squares


def print_explanation(console: Console, explanation: Explanation) -> None:
    """All of it; a line is never broken where the output is no terminal."""
    if console.is_terminal:
        for table in _tables(explanation):
            console.print(table)
    else:
        for line in _lines(explanation):
            console.print(line, soft_wrap=True)
    for problem in explanation.problems:
        squares = f" ({name_squares(problem.tiles, explanation.origin)})" if problem.tiles else ""
        console.print(f"problem: {problem.text}{squares}", soft_wrap=not console.is_terminal)


def _lines(explanation: Explanation) -> Iterator[str]:
    for player in explanation.players:
        yield f"{player.player}: {player.total}"
        yield from (f"  {points} {feature}: {text} [{section}]" for points, feature, text, section in _rows(player))
    for square in explanation.squares:
        yield f"{name_square(square.tile, explanation.origin)}: {_tile(square)}"
        yield from (f"  {part.place}: {part.name}" for part in square.parts)
    for feature in explanation.features:
        first, *rest = feature.text
        yield first
        yield from (f"  {line}" for line in rest)
    yield from (line.text for line in explanation.lines)


def _tables(explanation: Explanation) -> Iterator[Table]:
    if explanation.players:
        table = _table("player", "points", "feature", "why", "rule text")
        for player in explanation.players:
            for row in _rows(player):
                table.add_row(player.player, *row)
            table.add_row(player.player, str(player.total), "total", style="bold", end_section=True)
        yield table
    if explanation.squares:
        table = _table("square", "tile", "part", "feature")
        for square in explanation.squares:
            parts = ("\n".join(part.place for part in square.parts), "\n".join(part.name for part in square.parts))
            table.add_row(name_square(square.tile, explanation.origin), _tile(square), *parts)
        yield table
    if explanation.features:
        table = _table("feature", "what counts")
        for feature in explanation.features:
            table.add_row(feature.name, "\n".join(feature.text), end_section=True)
        yield table
    if explanation.lines:
        table = _table("line", "runs")
        for line in explanation.lines:
            table.add_row(*line.text.split(": ", 1))
        yield table


def _table(*columns: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for column in columns:
        table.add_column(column, justify="right" if column == "points" else "left")
    return table


def _rows(player: PlayerAccount) -> Iterator[tuple[str, str, str, str]]:
    return ((str(e.points), e.name or e.feature or "goods", e.text, e.section) for e in player.entries)


def _tile(square: SquareAccount) -> str:
    return "unknown" if square.name is None else f"{square.name} turned {square.turns}"
