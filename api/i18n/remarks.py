"""Command-line remarks about a board beside the score table: doubts, problems, and reasons for points."""

from __future__ import annotations

from collections.abc import Iterator

from api.documents.forms import is_whole
from api.documents.report import Assumed, Doubt, Entry, Report, Square
from api.i18n import load_words
from api.i18n.report_text import translate_coat_question
from scoring.carcassonne.board.box_rules import BOX_TITLES
from scoring.carcassonne.board.square_names import name_square
from scoring.carcassonne.final.assumptions import NOT_PLAYED, PLAYED
from scoring.counts import format_choices, format_count, join_names
from scoring.percent import format_likelihood
from scoring.player_colours import NOBODY

_ORDINALS = {2: "second", 3: "third", 4: "fourth", 5: "fifth", 6: "sixth"}
_SAYING = {
    "players": "say how many played with --players 3",
    "tiles_in_play": "say how many there were with --tiles-in-play 120",
    "goods": "say who took them with --goods blue.wine=3",
    "holdings": "say who holds it with --goods blue.{holding}=1",
}
"""Command-line options that settle an assumption."""


def format_reason(entry: Entry) -> str:
    """Return the reason for an entry's points: `unfinished road: 4 tiles x 1`."""
    kind, _, state = entry.rule.partition(".")
    return f"{'farm' if state == 'farm' else f'{state} {kind}'.strip()}: {entry.text}"


def list_remarks(report: Report) -> Iterator[str]:
    """Yield all lines that a person should read."""
    known_tiles = [tile for tile in report.board.tiles if tile.tile is not None]
    yield f"tiles: {len(report.board.tiles)}, meeples: {len(report.board.meeples)}"
    if not report.scores.final_scoring:
        yield "No meeple stands on the board: nobody scores."
    if len(known_tiles) < len(report.board.tiles):
        unknown = len(report.board.tiles) - len(known_tiles)
        some = format_count(unknown, "of the tiles is", "of the tiles are")
        yield f"{some} not in the catalogue: nothing is scored for {'it' if unknown == 1 else 'them'}."
    yield from (f"problem: {problem.text}" for problem in report.board.problems)
    yield from map(_describe_assumed, report.scores.assumed)
    yield from (_doubt(doubt, report.board.origin) for doubt in report.doubts)
    if report.track is None and report.photo and None in report.scores.on_track.values():
        yield "No score board was read: this is the final scoring alone. Type the points before it: --track blue=90"
    elif report.scores.final_scoring and not is_whole(report) and any(report.scores.on_track.values()):
        missing = ", ".join(player for player, points in report.scores.on_track.items() if points is None)
        yield f"The winner is not known yet: the score track lacks {missing}. Type them: --track blue=90"
    unsure = sum(tile.doubtful for tile in report.board.tiles) + sum(m.doubtful for m in report.board.meeples)
    if unsure and not report.doubtful:
        yield f"{unsure} doubtful, but no single doubt changes the score."
    is_asked = any(one.final_scoring for one in report.scores.assumed)
    if report.doubtful and not report.doubts and not is_asked:
        yield "doubtful: the problems named above may change the score."
    for number, photo in enumerate(report.photos):
        best = sum(tile.seen[0].photo == number for tile in report.board.tiles if tile.seen)
        yield f"joined: {photo.file}, which shows {best} of the tiles best"
    yield from (f"set aside: {other.file} ({other.reason})" for other in report.set_aside)


def _describe_assumed(assumed: Assumed) -> str:
    """Describe an assumption, the points under other numbers, and the option that settles it."""
    if assumed.fact == "box_rules":
        return _ask_for_box_rules(assumed)
    by_points: dict[str, list[int]] = {}
    for number, points in assumed.final_scoring.items():
        totals = ", ".join(f"{player} {total}" for player, total in points.items())
        by_points.setdefault(totals, []).append(number)
    others = "; ".join(
        f"with {format_choices(map(str, numbers))}: {totals}" for totals, numbers in [*by_points.items()][1:]
    )
    if not others:
        return f"assumed: {assumed.text} ({_SAYING[assumed.fact].format_map(assumed.values)})"
    question = _ask_for_another_player(assumed)
    then = f"{question} {others[0].upper()}{others[1:]}" if question else others
    return f"doubtful: {assumed.text}; {then} ({_SAYING[assumed.fact]})"


def _ask_for_box_rules(assumed: Assumed) -> str:
    """Ask whether the rules of some boxes were played, with the points of each answer."""
    names = str(assumed.values["boxes"]).split(",")
    titles = join_names(BOX_TITLES[box] for box in names)
    with_them, without = (
        ", ".join(f"{player} {total}" for player, total in assumed.final_scoring[answer].items())
        for answer in (PLAYED, NOT_PLAYED)
    )
    saying = " or ".join(",".join(f"{box}={answer}" for box in names) for answer in ("on", "off"))
    return (
        f"doubtful: did you play with the rules of {titles}? With them (as counted here): {with_them}; "
        f"without them: {without} (say it with --box-rules {saying})"
    )


def _ask_for_another_player(assumed: Assumed) -> str:
    """Ask whether there was a player without a piece left: `was there a third player?`."""
    ordinal = _ORDINALS.get(int(assumed.values.get("players", 0)) + 1) if assumed.fact == "players" else None
    return f"was there a {ordinal} player?" if ordinal else ""


def _doubt(doubt: Doubt, origin: Square) -> str:
    where = f"doubtful: the {doubt.about} at {name_square(doubt.square, origin)}"
    if doubt.about == "player":
        where = f"doubtful: all pieces of {doubt.values['player']}"
        doubt = doubt.model_copy(update={"instead": "no player's"}) if doubt.instead == NOBODY else doubt
    if doubt.probability is None:
        return f"{where} is {doubt.instead}; the score may differ"
    likelihood = format_likelihood(doubt.probability)
    totals = ", ".join(f"{player} {points}" for player, points in (doubt.final_scoring or {}).items())
    if "coats" in doubt.values:
        question = translate_coat_question(load_words("en"), doubt.values.get("wonder"), doubt.values.get("squares", 1))
        then = f"with {doubt.instead} ({likelihood}): {totals or 'the score may differ'}"
        return f"doubtful: {name_square(doubt.square, origin)}: {question} {then[0].upper() + then[1:]}"
    then = f": then {totals}" if totals else "; the score may differ"
    return f"{where} may be {doubt.instead} ({likelihood}){then}"
