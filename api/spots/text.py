"""Spots, their values and the doubts about them, in a language.

The messages are `spot-KIND`, filled with the spot's values, and `value-VALUE` for values that are not numbers. The
code's own name is used if a language lacks the message.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

from api.documents.spot_report import SpotDoubt, SpotReport
from api.i18n import Value as Word
from api.i18n import Words, load_words
from api.i18n.report_text import format_likelihood, label_player, number_words
from scoring.carcassonne.board.square_names import ORIGIN
from scoring.player_colours import NOBODY
from scoring.score_entry import Values
from scoring.spots.game import Value
from scoring.spots.table import is_piece


class NamedSpot(Protocol):
    """A spot of the rules or of a report, with the parts of its name."""

    @property
    def id(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def values(self) -> Values: ...


def translate_spot(words: Words, id: str, kind: str, values: Values, names: Mapping[str, str]) -> str:
    """Name a spot: `3-point parts on the Colossus (Anna)`; by its id if its kind has no message."""
    if f"spot-{kind}" not in words:
        return id
    worded = {key: _worded(words, key, value, names) for key, value in values.items()}
    if {"row", "col"} <= values.keys():
        worded |= number_words((int(values["row"]), int(values["col"])), ORIGIN)
    return words.say(f"spot-{kind}", **worded)


def translate_spot_group(words: Words, spots: Sequence[NamedSpot], names: Mapping[str, str]) -> str:
    """Name several spots that hold one thing: the first, and the number of others."""
    first = spots[0]
    name = translate_spot(words, first.id, first.kind, first.values, names)
    return words.say("spot-and-more", spot=name, n=len(spots) - 1) if len(spots) > 1 else name


def translate_value(words: Words, kind: str, value: Value) -> str:
    """Name a spot's value: a number as it is, `road 2` for `road#2`."""
    if isinstance(value, int):
        return str(value)
    name, _, number = value.partition("#")
    special = f"value-{kind}-{'nothing' if name == '-' else name}"
    label = words.say(special) if special in words else words.name("value", "nothing" if name == "-" else name)
    return f"{label} {number}" if number else label


def name_features(words: Words, report: SpotReport) -> dict[str, str]:
    """Name each feature uniquely; features of the same name that belong to players begin with the player."""
    labels = {feature.id: label_feature(words, report, feature.id) for feature in report.features}
    counts, names = Counter(labels.values()), dict[str, str]()
    for feature in report.features:
        name = labels[feature.id]
        if counts[name] > 1 and feature.meeples:
            name = f"{label_player(words.language, next(iter(feature.meeples)), report.names)}: {name}"
        names[feature.id] = feature.id if name in names.values() else name
    return names


def label_feature(words: Words, report: SpotReport, id: str) -> str:
    """Name a feature: a wonder by its own name, a feature that is one spot by that spot.

    A piece is named by its value, any other feature by its kind and its first square.
    """
    feature = next((feature for feature in report.features if feature.id == id), None)
    if feature is None:
        return id
    own_name = f"{feature.kind}-{id.rpartition('.')[2]}"
    if own_name in words:
        return words.say(own_name)
    there = {spot.id: spot for spot in report.board.spots}
    if (spot := there.get(id)) is not None:
        return translate_spot(words, id, spot.kind, spot.values, report.names)
    values = {there[name].value for name in feature.spots if name in there}
    if len(values) == 1 and is_piece(value := values.pop() or 0):
        return translate_value(words, there[feature.spots[0]].kind, value)
    if f"kind-{feature.kind}" not in words or not feature.tiles:
        return id
    square = words.say("square", **number_words(feature.tiles[0], ORIGIN))
    return f"{words.name('kind', feature.kind)}, {square}"


def translate_sheet_facts(words: Words, report: SpotReport) -> Iterator[str]:
    """Yield the number of spots that a person set, if any."""
    by_person = sum(spot.set_by_person for spot in report.board.spots)
    if by_person:
        yield words.say("sheet-spots-set", n=by_person)


def translate_spot_doubt(language: str, report: SpotReport, doubt: SpotDoubt) -> str:
    """Describe a doubt in a sentence: the other possible value of the spot, or that it is unknown."""
    words, there = load_words(language), {spot.id: spot for spot in report.board.spots}
    if doubt.player is not None:
        player = label_player(language, doubt.player, report.names)
        if doubt.instead == NOBODY:
            return words.say("sheet-player-may-be-absent", player=player, likely=_format_likely(language, doubt))
        instead = words.name("colour", str(doubt.instead))
        return words.say("sheet-player-may-be", player=player, instead=instead + _format_likely(language, doubt))
    spot, name = there[doubt.spot], translate_spot_group(words, [there[id] for id in doubt.spots], report.names)
    if doubt.instead is None:
        return words.say("sheet-spot-unknown", spot=name)
    instead = translate_value(words, spot.kind, doubt.instead)
    may = "sheet-spot-may-partly-be" if doubt.partly else "sheet-spot-may-be"
    return words.say(may, spot=name, instead=instead + _format_likely(language, doubt))


def _format_likely(language: str, doubt: SpotDoubt) -> str:
    return "" if doubt.probability is None else f" ({format_likelihood(language, doubt.probability)})"


def _worded(words: Words, key: str, value: int | str, names: Mapping[str, str]) -> Word:
    if key in ("player", "colour"):
        return label_player(words.language, str(value), names)
    return words.name(key, value) if isinstance(value, str) else value
