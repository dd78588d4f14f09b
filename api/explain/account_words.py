"""A feature's account in a language, line by line: what lies there, then who scores it and why."""

from __future__ import annotations

from collections.abc import Iterator

from api.explain.schema import FeatureAccount, LineAccount
from api.i18n import Words, load_words
from api.i18n.report_text import number_words
from api.report.schema import Square

_SIDES = {"N": "north", "E": "east", "S": "south", "W": "west"}


def translate_account(account: FeatureAccount, origin: Square, language: str) -> list[str]:
    """Say an account in a language; squares are named from the board's origin."""
    if language == "en":
        return account.text
    return [*_list_facts(account, origin, load_words(language)), *account.sentences]


def translate_line(line: LineAccount, origin: Square, language: str) -> str:
    """Say where the tiles of a row or column lie side by side: `Row 2: columns 1 to 5`."""
    if language == "en":
        return line.text
    words = load_words(language)
    across, along = (0, 1) if line.axis == "row" else (1, 0)
    runs = [
        words.say(f"run-{line.axis}", first=run.first - origin[along] + 1, last=run.last - origin[along] + 1)
        for run in line.runs
    ]
    return f"{words.say(f'line-{line.axis}', index=line.index - origin[across] + 1)}: {', '.join(runs)}"


def translate_place(place: str, words: Words) -> str:
    """Say which part of a tile a place is: `road:N` as "road, north", a half-edge (`field:NL`) by its corner."""
    kind, _, where = place.partition(":")
    name = words.name("kind", kind)
    if not where or where.isdigit():
        return f"{name} {where}".strip()
    sides = _SIDES[where] if len(where) == 1 else _name_corner(where)
    return words.say("place", what=name, where=words.say(f"side-{sides}"))


def _name_corner(half_edge: str) -> str:
    """The corner that a half-edge lies by: NL by the north-west, NR by the north-east."""
    side, around = half_edge[0], "".join(_SIDES)
    other = around[(around.index(side) + (3 if half_edge[1] == "L" else 1)) % 4]
    vertical, across = (side, other) if side in "NS" else (other, side)
    return f"{_SIDES[vertical]}-{_SIDES[across]}"


def _list_facts(account: FeatureAccount, origin: Square, words: Words) -> Iterator[str]:
    kind = words.name("kind", account.kind)
    wonder = f" ({words.name('wonder', account.wonder)})" if account.wonder else ""
    squares = "; ".join(translate_square(square, origin, words) for square in account.tiles)
    yield f"{kind[:1].upper()}{kind[1:]} {account.name}{wonder}: {words.say('size', n=account.size)}: {squares}"
    for mark in account.marks:
        name = words.name("mark", mark.what.replace(" ", "-"))
        what = words.name("goods", mark.what) if name == mark.what.replace(" ", "-") else name
        yield words.say("mark-at", what=what, square=translate_square(mark.tile, origin, words))
    for end in account.open_ends:
        side = words.say(f"side-{_SIDES[end.side]}")
        yield words.say("open-at", square=translate_square(end.tile, origin, words), side=side)
    for city in account.cities:
        if not city.complete:
            yield words.say("touches-open", city=city.name)


def translate_square(square: Square, origin: Square, words: Words) -> str:
    """Say which square it is, as people count from the board's origin."""
    return words.say("square", **number_words(square, origin))
