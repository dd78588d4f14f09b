"""Command-line output about tables of spots beside the score table: doubts, problems and explanations."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console

from api.documents.explanation import SpotExplanation, SpotFeatureAccount
from api.documents.report import Entry
from api.documents.spot_report import SpotDoubt, SpotReport, SpotState, Value
from api.i18n import Words, load_words
from api.i18n.report_text import translate_problem, translate_rule
from api.spots.text import translate_spot_group, translate_value
from scoring.percent import format_likelihood
from scoring.player_colours import NOBODY
from scoring.spots.game import add_track

_MAX_LISTED_NAMES = 6
"""Maximum number of unknown spots listed in a line. A guess."""
_MAX_LISTED_ANSWERS = 4
"""Maximum number of choices of a spot whose values are listed. A guess."""


def list_remarks(report: SpotReport) -> Iterator[str]:
    """Yield all lines that a person should read."""
    spots = report.board.spots
    known_count = sum(spot.value is not None for spot in spots)
    yield f"spots: {len(spots)}, known: {known_count}, features that count: {len(report.features)}"
    yield from (f"problem: {translate_problem('en', problem)}" for problem in report.board.problems)
    yield from _unknown(report)
    yield from (_doubt(report, doubt) for doubt in report.doubts if doubt.instead is not None)
    unsure = sum(spot.doubtful for spot in spots)
    if unsure and not report.doubts:
        yield f"{unsure} doubtful, but no single doubt changes the score."
    if report.scores.winners:
        yield f"most points: {load_words('en').join(report.scores.winners)}"
    yield from (f"set aside: {other.file} ({other.reason})" for other in report.set_aside)


def format_reason(entry: Entry) -> str:
    """Return the reason for an entry's points: `Discs: 2 x 3`."""
    return f"{translate_rule('en', entry.rule)}: {entry.text}"


def print_spot_explanation(console: Console, explanation: SpotExplanation, language: str = "en") -> None:
    """Print an explanation in a language; lines are not wrapped unless the output is a terminal."""
    for line in _lines(explanation, load_words(language)):
        console.print(line, soft_wrap=not console.is_terminal)


def _lines(explanation: SpotExplanation, words: Words) -> Iterator[str]:
    for player in explanation.players:
        yield f"{words.name('colour', player.player)}: {player.total}"
        for entry in player.entries:
            text, rule = entry.sum, translate_rule(words.language, entry.rule)
            about = f" {entry.label}" if entry.label and not text.startswith(entry.label) else ""
            yield f"  {entry.points}{about}: {rule}: {text} [{entry.section}]"
    for feature in explanation.features:
        yield from _feature(feature, words)
    for problem in explanation.problems:
        yield words.say("explain-problem", text=translate_problem(words.language, problem))


def _unknown(report: SpotReport) -> Iterator[str]:
    """Yield a line for each kind with unknown spots that may matter, and for each piece whose place alone is known.

    If no photo can show some of the spots, a last line names the option for leaving them empty.
    """
    words, there = load_words("en"), {spot.id: spot for spot in report.board.spots}
    unknown = [doubt for doubt in report.doubts if doubt.instead is None]
    names = [doubt.spot for doubt in unknown if there[doubt.spot].value is None]
    for kind in dict.fromkeys(there[name].kind for name in names):
        of_kind = [name for name in names if there[name].kind == kind]
        title = f"spots-{kind}"
        called = f"{words.say(title)}: " if title in words else ""
        more = f" and {len(of_kind) - _MAX_LISTED_NAMES} more" if len(of_kind) > _MAX_LISTED_NAMES else ""
        listed = ", ".join(of_kind[:_MAX_LISTED_NAMES])
        answers = _list_answers(there[of_kind[0]])
        yield (
            f"not known: {called}{listed}{more}; the score may differ. "
            f"Type what lies there: --set {of_kind[0]}=VALUE{answers}"
        )
    for doubt in unknown:
        if (value := there[doubt.spot].value) is not None:
            name = translate_spot_group(words, [there[spot] for spot in doubt.spots], report.names)
            which = f"which {_say(there[doubt.spot], value)} is ({name})"
            options = " ".join(f"--set {spot}=VALUE" for spot in doubt.spots)
            yield f"not known: {which}; the score may differ. Type it: {options}"
    if any(there[name].typed for name in names):
        yield "If nothing else is on the spots that no photo shows, add --nothing-more."


def _list_answers(spot: SpotState) -> str:
    """List the values that can be typed for a spot, if they are a few words."""
    words = [str(choice) for choice in spot.choices if not isinstance(choice, int)]
    return f" ({', '.join(words)})" if words and len(spot.choices) <= _MAX_LISTED_ANSWERS else ""


def _say(spot: SpotState, value: Value | None) -> str:
    return "nothing known" if value is None else translate_value(load_words("en"), spot.kind, value)


def _doubt(report: SpotReport, doubt: SpotDoubt) -> str:
    """Describe a doubt in one line: place, value as read, alternative, points, and the option that answers it."""
    words, there = load_words("en"), {spot.id: spot for spot in report.board.spots}
    spots = [there[id] for id in doubt.spots]
    assert doubt.instead is not None
    likely = "" if doubt.probability is None else f" ({format_likelihood(doubt.probability)})"
    read = " and ".join(sorted({_say(spot, spot.value) for spot in spots}))
    may = "may in part be" if doubt.partly else "may be"
    name = translate_spot_group(words, spots, report.names)
    if doubt.player is None:
        where = f"doubtful: {name}: {read} {may} {translate_value(words, spots[0].kind, doubt.instead)}{likely}"
        answer = "" if doubt.partly else " [" + " ".join(f"--set {id}={doubt.instead}" for id in doubt.spots) + "]"
    else:
        may_be = "nobody's" if doubt.instead == NOBODY else doubt.instead
        where = f"doubtful: all parts read as {doubt.player} may be {may_be}{likely}"
        answer = f" [--set colour.{doubt.player}={doubt.instead}]"
    if doubt.final_scoring is None:
        return f"{where}; what that scores is not known{answer}"
    known = None not in doubt.on_track.values()
    sums = add_track(doubt.final_scoring, doubt.on_track) if known else doubt.final_scoring
    points = ", ".join(f"{player} {points}" for player, points in sums.items())
    return f"{where}: then {points}{answer}"


def _feature(feature: SpotFeatureAccount, words: Words) -> Iterator[str]:
    state = words.say("complete" if feature.complete else "open")
    names = ((words.name("colour", player), count) for player, count in feature.players.items())
    counts = ", ".join(f"{player} {count}" for player, count in names) or words.say("nobody")
    size = words.say("explain-size", n=feature.size)
    yield f"{feature.label or feature.id}: {words.name('kind', feature.kind)}, {size}, {state}: {counts}"
    texts = [f"{spot.label or spot.id}: {spot.value_label or spot.value}" for spot in feature.spots if spot.value != 0]
    yield from (f"  {text}" for text in texts or [words.say("explain-empty")])
    for entry in feature.entries:
        yield f"  {words.name('colour', entry.player)} {entry.points}: {entry.sum} [{entry.section}]"
