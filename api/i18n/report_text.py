"""Entries, problems, doubts and errors in a language."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from api.documents.report import ALSO, Assumed, Doubt, Entry, Nothing, Problem, Report
from api.documents.spot_report import SpotProblem
from api.i18n import Value, Words, capitalise, load_words
from api.i18n.tile_words import describe_tile
from scoring.carcassonne.board.board import Placement
from scoring.carcassonne.board.square_names import ORIGIN, number_square
from scoring.carcassonne.doubt.kinds.wonder_edges import EDGES, parse_edges
from scoring.carcassonne.tiles.geometry import Square
from scoring.errors import BoardError, CatalogueError
from scoring.percent import convert_likelihood
from scoring.player_colours import NOBODY

_NAMED = {
    "colour": "colour",
    "player": "colour",
    "other": "colour",
    "piece": "piece",
    "pose": "pose",
    "kind": "kind",
    "below": "kind",
    "here": "kind",
    "there": "kind",
    "wonder": "wonder",
    "goods": "goods",
}
"""Kinds of words for the values of a text, where they differ from the values' names."""
_PHOTOS = ("photo", "near", "since")
"""Values of a text that name photos."""
_NUMBERED = re.compile(r"photo (\d+)")
"""Name of a photo of a game on a server, in its document."""
_NEWER_VALUES = {"siege": 0, "besieged": 0, "vineyards": 0}
"""Values of entries that reports of earlier versions lack."""


def translate_entry(language: str, entry: Entry) -> str:
    """Return the sum of an entry: `(4 tiles + 1 coat of arms) x 2`; as in the report if there is no message."""
    words, message = load_words(language), f"entry-{_slug(entry.rule)}"
    return _say(words, message, _NEWER_VALUES | entry.values, {}) if message in words else entry.text


def translate_rule(language: str, rule: str) -> str:
    """Name a rule in a word or two: `Finished road`."""
    return load_words(language).name("rule", _slug(rule))


def translate_sections(words: Words, sections: Iterable[str]) -> str:
    """Return the sections of the rule texts for an entry, from their codes: `Base game, scoring a road`."""
    return "; ".join(words.name("explain-section", section) for section in sections)


def translate_problem(language: str, problem: Problem | SpotProblem, names: Mapping[str, str] | None = None) -> str:
    """Describe a problem of a report; `names` are the players' names by colour.

    A code without a message keeps the report's text, or is translated as an error if it belongs to a photo that was not
    joined.
    """
    words = load_words(language)
    message = f"problem-{problem.code}"
    if message not in words and "file" in problem.values:
        return f"{problem.values['file']}: {translate_error(language, problem.code)}"
    return _say(words, message, problem.values, names or {}) if message in words else problem.text


def translate_nothing(language: str, nothing: Nothing, names: Mapping[str, str] | None = None) -> str:
    """Explain in a sentence why a player's pieces on a feature bring nothing."""
    words, named = load_words(language), names or {}
    values = dict(nothing.values)
    leaders = str(values.pop("leaders", ""))
    slots = {key: _worded(words, key, value, named) for key, value in values.items()}
    if leaders:
        slots["leaders"] = words.join(label_player(language, leader, named) for leader in leaders.split(", "))
    sentence = words.say(f"nothing-{nothing.reason}", player=label_player(language, nothing.player, named), **slots)
    return capitalise(sentence, named.values())


def translate_assumed(language: str, assumed: Assumed) -> str:
    """Describe an assumption of the scoring about the table."""
    return _say(load_words(language), f"assumed-{assumed.fact}", assumed.values, {})


def number_words(square: Square, origin: Square) -> dict[str, str]:
    """Return the values by which texts name a square: its row and column as people count them."""
    row, col = number_square(square, origin)
    return {"row": str(row), "col": str(col)}


def translate_doubt(
    language: str, doubt: Doubt, origin: Square = ORIGIN, names: Mapping[str, str] | None = None
) -> str:
    """Describe the alternative in a doubt about a square or its meeple; `origin` is that of the board."""
    also = {name.removeprefix(ALSO): value for name, value in doubt.values.items() if name.startswith(ALSO)}
    if also:
        first = {name: value for name, value in doubt.values.items() if not name.startswith(ALSO)}
        row, col, about, instead = (also.pop(name) for name in ("row", "col", "about", "instead"))
        other = doubt.model_copy(update={"about": about, "instead": instead, "values": also})
        both = (doubt.model_copy(update={"values": first}), other)
        one, second = (translate_doubt(language, doubt, origin, names) for doubt in both)
        where = number_words((int(row), int(col)), origin)
        return load_words(language).say("doubt-together", one=one, other=second, **where)
    words, values = load_words(language), doubt.values
    if "coats" in values:
        return words.say("coats-there", n=values["coats"])
    if "wonder" in values:
        return _translate_wonder(words, values, origin) if values["wonder"] else words.say("wonder-none")
    if "tile" in values:
        return translate_tile(words, str(values["tile"]), int(values.get("turns", 0)))
    if doubt.about == "player":
        is_nobodys = values["colour"] == NOBODY
        return words.say("player-nobodys") if is_nobodys else words.name("colour", str(values["colour"]))
    if doubt.about == "pile":
        return words.say(
            "pile-count", n=values["count"], colour=label_player(language, str(values["colour"]), names or {})
        )
    if doubt.about == "tile":
        return words.say("tile-unknown" if doubt.instead == "unknown" else "tile-none")
    if not values:
        return words.say("meeple-none")
    return translate_meeple(words, str(values["colour"]), str(values["piece"]), str(values["place"]), names or {})


def translate_tile(words: Words, tile: str, turns: int) -> str:
    """Describe a tile in words, or name a wonder; a name in no catalogue, as of an enrolled print, stays as it is."""
    try:
        return describe_tile(words, Placement(tile, turns))
    except (CatalogueError, BoardError):
        return words.name("wonder", tile)


def _translate_wonder(words: Words, values: Mapping[str, str | int], origin: Square) -> str:
    """Name a possible wonder by its differences from the one read, or by its first square."""
    name = words.name("wonder", str(values["wonder"]))
    if "first_row" in values and "first_col" in values:
        where = number_words((int(values["first_row"]), int(values["first_col"])), origin)
        return words.say("wonder-place", wonder=name, **where)
    edges = [
        words.say(
            "wonder-edge", kind=words.name("kind", kind), side=words.name("side", side), **number_words(at, origin)
        )
        for at, side, kind in parse_edges(str(values.get(EDGES, "")))
    ]
    return "; ".join([name, *edges])


def translate_coat_question(words: Words, wonder: str | int | None, squares: str | int = 1) -> str:
    """Return the question whether a tile, or a city of a wonder over several squares, has a coat of arms."""
    if not wonder:
        return words.say("ask-coat")
    name = str(wonder)
    return words.say("ask-wonder-coat", id=name.removeprefix("WH/"), wonder=words.name("wonder", name), squares=squares)


def translate_doubt_sentence(
    words: Words, doubt: Doubt, origin: Square = ORIGIN, names: Mapping[str, str] | None = None
) -> str:
    """Describe a doubt about a square in a sentence: the alternative there, or that the square is unknown."""
    where = number_words(doubt.square, origin)
    if "coats" in doubt.values and doubt.probability is not None and not _has_second(doubt):
        question = translate_coat_question(words, doubt.values.get("wonder"), doubt.values.get("squares", 1))
        likely = format_likelihood(words.language, doubt.probability)
        values = {"question": question, "coats": doubt.values["coats"], "likely": likely}
        return capitalise(words.say("sheet-coat", **where, **values))
    if doubt.about == "player" and doubt.probability is not None:
        likely = format_likelihood(words.language, doubt.probability)
        player = label_player(words.language, str(doubt.values["player"]), names or {})
        if doubt.values["colour"] == NOBODY:
            return words.say("sheet-player-may-be-absent", player=player, likely=f" ({likely})")
        instead = f"{translate_doubt(words.language, doubt, origin, names)} ({likely})"
        return words.say("sheet-player-may-be", player=player, instead=instead)
    if doubt.probability is None:
        return capitalise(words.say("sheet-unknown", **where))
    instead = translate_doubt(words.language, doubt, origin, names)
    likely = f" ({format_likelihood(words.language, doubt.probability)})"
    return capitalise(words.say("sheet-may-be", **where, instead=instead + likely))


def list_doubts_by_feature(words: Words, report: Report) -> dict[str, list[str]]:
    """List the doubts about each feature, in sentences, by the feature's id.

    A doubt about a square concerns the features on it, one about a player all features with that player's pieces.
    """
    by_feature: dict[str, list[str]] = {}
    for doubt in report.doubts:
        sentence = translate_doubt_sentence(words, doubt, report.board.origin, report.names)
        for feature in report.features:
            about_player = doubt.about == "player" and doubt.values.get("player") in feature.meeples
            if about_player or doubt.square in feature.tiles:
                by_feature.setdefault(feature.id, []).append(sentence)
    return by_feature


def _has_second(doubt: Doubt) -> bool:
    return any(name.startswith(ALSO) for name in doubt.values)


def translate_sheet_facts(words: Words, report: Report) -> Iterator[str]:
    """Yield the rules that a board was scored by, and the number of values that a person set."""
    yield words.say("sheet-rules", edition=report.rules.edition or "?")
    yield words.say("sheet-tiles", n=report.rules.tiles_in_play)
    if report.rules.player_count is not None:
        yield words.say("players-counted", n=report.rules.player_count)
    for played in (True, False):
        if boxes := [words.name("box", box) for box, choice in report.rules.box_rules.items() if choice is played]:
            yield words.say("sheet-box-rules", boxes=words.join(boxes), played="yes" if played else "no")
    board = report.board
    by_person = sum(tile.set_by_person for tile in board.tiles) + sum(one.set_by_person for one in board.meeples)
    if by_person:
        yield words.say("sheet-corrected", n=by_person)


def translate_meeple(words: Words, colour: str, piece: str, place: str, names: Mapping[str, str]) -> str:
    """Name a piece and the part of its tile under it: `meeple (Anna): city, west`; an empty place is unknown."""
    part, side = _name_place(words, place)
    player = label_player(words.language, colour, names)
    return words.say("meeple-placed", piece=words.name("piece", piece), colour=player, kind=part, side=side)


def translate_place(words: Words, place: str) -> str:
    """Name the part of a tile under a piece: `city, west`; an empty place is unknown."""
    part, side = _name_place(words, place)
    return words.say("piece-place", kind=part, side=side)


def _name_place(words: Words, place: str) -> tuple[str, str]:
    kind, _, edge = place.partition(":")
    part = words.name("kind", kind) if kind else words.say("place-nowhere")
    return part, words.say(f"side-{edge[0]}") if edge and edge[0] in "NESW" else "blank"


def format_likelihood(language: str, share: float) -> str:
    """Format a probability in percent: `97%`, at most `over 99%`."""
    percent = convert_likelihood(share)
    return load_words(language).say(f"percent-{percent.than or 'exactly'}", n=round(percent.value))


def translate_error(language: str, code: str) -> str:
    """Return an error's usual sentence."""
    return load_words(language).say(f"error-{code}")


def label_player(language: str, colour: str, names: Mapping[str, str]) -> str:
    """Return a player's name, or else the colour."""
    return names.get(colour) or load_words(language).name("colour", colour)


def _slug(rule: str) -> str:
    return rule.replace(".", "-")


def _say(words: Words, message: str, values: Mapping[str, int | str], names: Mapping[str, str]) -> str:
    return words.say(message, **{key: _worded(words, key, value, names) for key, value in values.items()})


def _worded(words: Words, key: str, value: int | str, names: Mapping[str, str]) -> Value:
    if _NAMED.get(key) == "colour" and value in names:
        return names[str(value)]
    if key in _PHOTOS and (numbered := _NUMBERED.fullmatch(str(value))):
        return words.say("log-photo", n=numbered[1])
    if key == "boxes":
        return words.join(words.name("box", box) for box in str(value).split(","))
    if key == "tile":
        return translate_tile(words, str(value), 0)
    if isinstance(value, str):
        return words.name(_NAMED.get(key, key), value) if value else "blank"
    return words.name(_NAMED[key], str(value)) if key in _NAMED else value
