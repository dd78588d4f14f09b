"""An explanation in words: tables in a terminal, lines elsewhere."""

from __future__ import annotations

from collections.abc import Iterator

from rich import box
from rich.console import Console
from rich.table import Table

from api.explain.account_words import translate_account, translate_line, translate_place, translate_square
from api.explain.schema import Explanation, Part, PlayerAccount, PlayerEntry, SquareAccount, Standing
from api.i18n import Words, load_words
from api.i18n.report_text import translate_problem, translate_rule
from api.report.schema import Problem


def print_explanation(console: Console, explanation: Explanation, language: str = "en") -> None:
    """Print all of it in a language; a line is never broken where the output is no terminal."""
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
    language, origin = words.language, explanation.origin
    for player in explanation.players:
        yield f"{words.name('colour', player.player)}: {player.total}"
        for entry in player.entries:
            yield f"  {entry.points} {_name_feature(entry, words)}: {_give_reason(entry, words)}"
    for square in explanation.squares:
        yield f"{translate_square(square.tile, origin, words)}: {_name_tile(square, words)}"
        yield from (f"  {_name_part(part, words)}: {part.name}" for part in square.parts)
    for feature in explanation.features:
        first, *rest = translate_account(feature, origin, language)
        yield first
        yield from (f"  {line}" for line in rest)
    yield from (translate_line(line, origin, language) for line in explanation.lines)


def _tables(explanation: Explanation, words: Words) -> Iterator[Table]:
    language, origin = words.language, explanation.origin
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
            account = "\n".join(translate_account(feature, origin, language))
            table.add_row(feature.name, account, end_section=True)
        yield table
    if explanation.lines:
        table = _table(words, "explain-head-line", "explain-head-runs")
        for line in explanation.lines:
            table.add_row(*translate_line(line, origin, language).split(": ", 1))
        yield table


def _table(words: Words, *columns: str) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for column in columns:
        table.add_column(words.say(column), justify="right" if column == "points" else "left")
    return table


def _add_player(table: Table, player: PlayerAccount, words: Words) -> None:
    name = words.name("colour", player.player)
    for entry in player.entries:
        table.add_row(name, str(entry.points), _name_feature(entry, words), *_split_reason(entry, words))
    table.add_row(name, str(player.total), words.say("sheet-final"), style="bold", end_section=True)


def _give_reason(entry: PlayerEntry, words: Words) -> str:
    reason, rule = _split_reason(entry, words)
    return f"{reason} [{rule}]"


def _split_reason(entry: PlayerEntry, words: Words) -> tuple[str, str]:
    """The sum, and the rule: by its section of the rule text, which is in English, else by its name."""
    if words.language == "en":
        return entry.text, entry.section
    return entry.sum or entry.text, translate_rule(words.language, entry.rule)


def _name_feature(entry: PlayerEntry, words: Words) -> str:
    return entry.name or entry.feature or words.say("tokens").lower()


def _name_part(part: Part, words: Words) -> str:
    return part.place if words.language == "en" else translate_place(part.place, words)


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
    text = problem.text if words.language == "en" else translate_problem(words.language, problem)
    return words.say("explain-problem", text=text) + (f" ({squares})" if squares else "")
