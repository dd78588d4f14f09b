"""Files of a game in photos for other programs and people: text, JSON, CSV, and a picture of the score."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Mapping

from api.carcassonne.report.move_words import MoveTeller, translate_moves
from api.carcassonne.report.moves_schema import Move, Moves
from api.i18n import capitalise
from api.i18n.report_text import translate_entry, translate_rule
from api.render.csv_export import escape_formula
from api.render.drawing import Legend
from api.render.fonts import choose_printable_names
from api.render.score_chart import draw_score_chart

Names = Mapping[str, str]
"""Players' names by colour."""


def export_moves(moves: Moves, form: str, language: str, names: Names | None = None) -> bytes:
    """Return the file of a game in one of `FORMS`, with texts in a language."""
    named = names or {}
    return FORMS[form](translate_moves(moves, language, named), language, named)


def _export_json(moves: Moves, language: str, names: Names) -> bytes:
    return moves.to_json().encode()


def _export_text(moves: Moves, language: str, names: Names) -> bytes:
    return "".join(f"{line}\n" for line in _list_lines(moves, MoveTeller(language, names, moves.origin))).encode()


def _list_lines(moves: Moves, teller: MoveTeller) -> Iterator[str]:
    """Yield the totals, then the turns by their rounds, then the final scoring."""
    say, language = teller.words.say, teller.words.language
    if moves.totals is not None:
        sums, result = teller.describe_totals(moves.totals)
        yield capitalise(say("moves-with-final", scores=sums, result=result))
    rounds = 0
    for number, line in enumerate(moves.log):
        if line.round is not None and line.round > rounds:
            rounds = line.round
            yield from ("", say("log-round", n=rounds))
        is_new = line.kind == "open" and (number == 0 or moves.log[number - 1].kind != "open")
        yield f"{'  ' if line.kind == 'move' or is_new else '    '}{line.text}"
    if moves.totals is not None and moves.totals.entries:
        yield from ("", say("sheet-final"))
        for entry in moves.totals.entries:
            rule = f"{translate_rule(language, entry.rule)}: {translate_entry(language, entry)}"
            yield f"  {say('log-other', player=teller.name_player(entry.player), points=entry.points, rule=rule)}"


def _export_csv(moves: Moves, language: str, names: Names) -> bytes:
    """Return a row for each turn: its points and the points after it, by colour; then one for the final scoring."""
    teller, text = MoveTeller(language, names, moves.origin), io.StringIO()
    players = sorted(moves.orders[0])
    writer = csv.writer(text, lineterminator="\r\n")
    after = [f"{player}_after" for player in players]
    writer.writerow(["turn", "round", "photo", "colour", "player", "tiles", "squares", *players, *after, "text"])
    turns, points = list_turns(moves), list_points(moves)
    for number, ((photo, move), now) in enumerate(zip(turns, points[1:], strict=True), 1):
        gained = [sum(entry.points for entry in move.scores if entry.player == player) for player in players]
        tiles = " ".join(dict.fromkeys(tile.tile or "?" for tile in move.tiles))
        squares = "; ".join(teller.name_square((tile.row, tile.col)) for tile in move.tiles)
        who = move.player, teller.name_player(move.player)
        totals = [now[player] for player in players]
        row = [number, move.round, moves.photos[photo].file, *who, tiles, squares, *gained, *totals, move.text]
        writer.writerow([escape_formula(cell) if isinstance(cell, str) else cell for cell in row])
    if moves.totals is not None:
        final = [moves.totals.final_scoring[player] for player in players]
        total = [moves.totals.total[player] for player in players]
        final_scoring = teller.words.say("sheet-final")
        writer.writerow(["", "", moves.photos[-1].file, "", "", "", "", *final, *total, final_scoring])
    return text.getvalue().encode()


def _export_picture(moves: Moves, language: str, names: Names) -> bytes:
    teller = MoveTeller(language, choose_printable_names(names, language), moves.origin)
    points, totals = list_points(moves), moves.totals
    if totals is None:
        return draw_score_chart(points, Legend("", points[-1], (), names=names))
    sums, result = teller.describe_totals(totals)
    ranked = dict(sorted(totals.total.items(), key=lambda one: -one[1]))
    named = {player: teller.name_player(player) for player in ranked}
    legend = Legend(capitalise(result, names.values()), ranked, (), (sums,), named)
    return draw_score_chart([*points, totals.total, totals.total], legend)


def list_turns(moves: Moves) -> list[tuple[int, Move]]:
    """Return the turns in order, each with the number of the photo that shows it."""
    return [(stretch.photos[1], move) for stretch in moves.stretches for move in stretch.moves]


def list_points(moves: Moves) -> list[dict[str, int]]:
    """Return the likeliest points at the first photo and after each turn.

    After the last turn before a photo they are those at the photo.
    """
    points = [dict(moves.scores[0].likeliest or {})]
    for stretch, scores in zip(moves.stretches, moves.scores[1:], strict=True):
        for move in stretch.moves:
            now = dict(points[-1])
            for entry in move.scores:
                now[entry.player] = now.get(entry.player, 0) + entry.points
            points.append(now)
        if stretch.moves and scores.likeliest is not None:
            points[-1] = dict(scores.likeliest)
    return points


FORMS: Mapping[str, Callable[[Moves, str, Names], bytes]] = {
    "txt": _export_text,
    "json": _export_json,
    "csv": _export_csv,
    "png": _export_picture,
}
"""Functions that write a game, by the suffix of the file."""
MEDIA_TYPES = {"txt": "text/plain; charset=utf-8", "json": "application/json", "csv": "text/csv", "png": "image/png"}
