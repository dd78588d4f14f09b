"""An explanation in words: tables on a terminal, plain lines elsewhere."""

from __future__ import annotations

from collections.abc import Iterator

from rich import box
from rich.console import Console
from rich.table import Table

from api.carcassonne.explain.words import translate_place, translate_square
from api.documents.explanation import Explanation, Part, PlayerAccount, PlayerEntry, SquareAccount, Standing
from api.documents.report import Problem
from api.i18n import Words, load_words
from api.i18n.report_text import translate_problem


def print_explanation(console: Console, explanation: Explanation, language: str = "en") -> None:
    """Print an explanation in a language; lines are not wrapped unless the output is a terminal."""
    words = load_words(language)
    if console.is_terminal:
        for table in _tables(explanation, words):
            console.print(table)
    else:
        for line in _lines(explanation, words):
            console.print(line, soft_wrap=True)
    for standing in explanation.standing:
        console.print(_say_standing(standing, words), soft_wrap=not console.is_terminal)
    for problem in explanation.problems:
        console.print(_say_problem(problem, explanation, words), soft_wrap=not console.is_terminal)


def _lines(explanation: Explanation, words: Words) -> Iterator[str]:
    origin = explanation.origin
    for player in explanation.players:
        yield f"{words.name('colour', player.player)}: {player.total}"
        for entry in player.entries:
            yield f"  {entry.points} {_name_feature(entry, words)}: {entry.sum} [{entry.section}]"
    for square in explanation.squares:
        yield f"{translate_square(square.tile, origin, words)}: {_name_tile(square, words)}"
        yield from (f"  {_name_part(part, words)}: {part.name}" for part in square.parts)
    for feature in explanation.features:
        first, *rest = feature.text
        yield first
        yield from (f"  {line}" for line in rest)
    yield from (line.text for line in explanation.lines)


def _tables(explanation: Explanation, words: Words) -> Iterator[Table]:
    origin = explanation.origin
    if explanation.players:
        table = _table(words, "sheet-player", "points", "explain-head-feature", "why", "explain-head-rule")
        for player in explanation.players:
            _add_player(table, player, words)
        yield table
    if explanation.squares:
        table = _table(words, *(f"explain-head-{what}" for what in ("square", "tile", "part", "feature")))
        for square in explanation.squares:
            places = "\n".join(_name_part(part, words) for part in square.parts)
            features = "\n".join(part.name for part in square.parts)
            table.add_row(translate_square(square.tile, origin, words), _name_tile(square, words), places, features)
        yield table
    if explanation.features:
        table = _table(words, "explain-head-feature", "explain-head-counts")
        for feature in explanation.features:
            table.add_row(feature.name, "\n".join(feature.text), end_section=True)
        yield table
    if explanation.lines:
        table = _table(words, "explain-head-line", "explain-head-runs")
        for line in explanation.lines:
            table.add_row(*line.text.split(": ", 1))
        yield table


def _table(words: Words, *columns: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for column in columns:
        table.add_column(words.say(column), justify="right" if column == "points" else "left")
    return table


def _add_player(table: Table, player: PlayerAccount, words: Words) -> None:
    name = words.name("colour", player.player)
    for entry in player.entries:
        table.add_row(name, str(entry.points), _name_feature(entry, words), entry.sum, entry.section)
    table.add_row(name, str(player.total), words.say("sheet-final"), style="bold", end_section=True)


def _name_feature(entry: PlayerEntry, words: Words) -> str:
    return entry.name or entry.feature or words.say("tokens").lower()


def _name_part(part: Part, words: Words) -> str:
    return translate_place(part.place, words)


def _name_tile(square: SquareAccount, words: Words) -> str:
    if square.name is None:
        return words.say("tile-unknown")
    return words.say("explain-turned", tile=square.name, turns=square.turns) if square.turns else square.name


def _say_standing(standing: Standing, words: Words) -> str:
    track, total = (_format_points(points) for points in (standing.on_track, standing.total))
    return words.say(
        "explain-standing",
        player=words.name("colour", standing.player),
        final=standing.final_scoring,
        track=track,
        total=total,
        place=standing.place or 0,
    )


def _format_points(points: int | None) -> str:
    return "?" if points is None else str(points)


def _say_problem(problem: Problem, explanation: Explanation, words: Words) -> str:
    squares = "; ".join(translate_square(square, explanation.origin, words) for square in problem.tiles)
    text = translate_problem(words.language, problem)
    return words.say("explain-problem", text=text) + (f" ({squares})" if squares else "")
