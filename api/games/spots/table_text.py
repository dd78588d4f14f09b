"""What the command line prints of tables of spots beside the score table: doubts and problems, and explanations."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console

from api.explain.schema import PlayerEntry
from api.games.spots.explanation import SpotExplanation, SpotFeatureAccount
from api.games.spots.schema import SpotDoubt, SpotReport
from api.i18n import Words, load_words
from api.i18n.report_text import translate_problem, translate_rule
from api.report.schema import Entry
from scoring.percent import format_likelihood

_MAX_LISTED_NAMES = 12


def list_remarks(report: SpotReport) -> Iterator[str]:
    """All that a person should look at."""
    spots = report.board.spots
    known_count = sum(spot.value is not None for spot in spots)
    yield f"spots: {len(spots)}, known: {known_count}, features that count: {len(report.features)}"
    yield from (f"problem: {problem.text}" for problem in report.board.problems)
    yield from _unknown(report)
    yield from (_doubt(report, doubt) for doubt in report.doubts if doubt.instead is not None)
    unsure = sum(spot.doubtful for spot in spots)
    if unsure and not report.doubts:
        yield f"{unsure} doubtful, but no single doubt changes the score."
    if report.scores.winners:
        yield f"most points: {', '.join(report.scores.winners)}"
    yield from (f"set aside: {other.file} ({other.reason})" for other in report.set_aside)


def format_reason(entry: Entry) -> str:
    """Why a player has the points of an entry: `Discs: 2 x 3`."""
    return f"{translate_rule('en', entry.rule)}: {entry.text}"


def print_spot_explanation(console: Console, explanation: SpotExplanation, language: str = "en") -> None:
    """Print all of it in a language; a line is never broken where the output is no terminal."""
    for line in _lines(explanation, load_words(language)):
        console.print(line, soft_wrap=not console.is_terminal)


def _unknown(report: SpotReport) -> Iterator[str]:
    """What nobody knows and may matter: in one line, but for pieces of which is known where they lie."""
    values = {spot.id: spot.value for spot in report.board.spots}
    unknown = [doubt for doubt in report.doubts if doubt.instead is None]
    names = [doubt.spot for doubt in unknown if values[doubt.spot] is None]
    if names:
        more = f" and {len(names) - _MAX_LISTED_NAMES} more" if len(names) > _MAX_LISTED_NAMES else ""
        listed = ", ".join(names[:_MAX_LISTED_NAMES])
        yield f"not known: {listed}{more}; the score may differ. Type what lies there: --set {names[0]}=VALUE"
    for doubt in unknown:
        if (value := values[doubt.spot]) is not None:
            options = " ".join(f"--set {spot}=VALUE" for spot in doubt.spots)
            yield f"not known: which {value} at {_places(doubt.spots)} is; the score may differ. Type it: {options}"


def _doubt(report: SpotReport, doubt: SpotDoubt) -> str:
    """One question in one line: the spots that it is about, what was read, what else that may be, and the points."""
    likely = "" if doubt.probability is None else f" ({format_likelihood(doubt.probability)})"
    read = sorted({str(spot.value) for spot in report.board.spots if spot.id in doubt.spots})
    may = "may in part be" if doubt.partly else "may be"
    where = f"doubtful: {' and '.join(read)} at {_places(doubt.spots)} {may} {doubt.instead}{likely}"
    if doubt.final_scoring is None:
        return f"{where}; what that scores is not known"
    return f"{where}: then " + ", ".join(f"{player} {points}" for player, points in doubt.final_scoring.items())


def _places(spots: list[str]) -> str:
    """`map.red.3.4, 3.5, 4.4`: what their names have in common is written once."""
    first, *others = spots
    board = first.rsplit(".", 2)[0] + "."
    return ", ".join([first, *(other.removeprefix(board) for other in others)])


def _lines(explanation: SpotExplanation, words: Words) -> Iterator[str]:
    for player in explanation.players:
        yield f"{words.name('colour', player.player)}: {player.total}"
        for entry in player.entries:
            about = f" {entry.feature}" if entry.feature else ""
            rule = translate_rule(words.language, entry.rule)
            yield f"  {entry.points}{about}: {rule}: {_give_sum(entry, words)} [{entry.section}]"
    for feature in explanation.features:
        yield from _feature(feature, words)
    for problem in explanation.problems:
        text = problem.text if words.language == "en" else translate_problem(words.language, problem)
        yield words.say("explain-problem", text=text)


def _feature(feature: SpotFeatureAccount, words: Words) -> Iterator[str]:
    state = words.say("complete" if feature.complete else "open")
    names = ((words.name("colour", player), count) for player, count in feature.players.items())
    counts = ", ".join(f"{player} {count}" for player, count in names) or words.say("nobody")
    size = words.say("explain-size", n=feature.size)
    yield f"{feature.id}: {words.name('kind', feature.kind)}, {size}, {state}: {counts}"
    texts = [f"{spot.id}={'?' if spot.value is None else spot.value}" for spot in feature.spots if spot.value != 0]
    yield f"  {' '.join(texts)}" if texts else f"  {words.say('explain-empty')}"
    for entry in feature.entries:
        yield f"  {words.name('colour', entry.player)} {entry.points}: {_give_sum(entry, words)} [{entry.section}]"


def _give_sum(entry: PlayerEntry, words: Words) -> str:
    return entry.text if words.language == "en" else entry.sum or entry.text
