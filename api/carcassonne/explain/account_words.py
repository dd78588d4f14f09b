"""Lines about a feature, a row or column, or a square, in a language: facts, not sentences."""

from __future__ import annotations

from collections.abc import Iterator

from api.documents.report import Square
from api.i18n import Words, capitalise
from api.i18n.report_text import number_words
from scoring.carcassonne.board.features import Line, number_line, number_run
from scoring.carcassonne.final.explain import Account, OpenEnd

_SIDES = {"N": "north", "E": "east", "S": "south", "W": "west"}


def list_facts(account: Account, origin: Square, words: Words) -> Iterator[str]:
    """Yield the facts of a feature, line by line; squares are named from the board's origin."""
    feature = account.feature
    wonder = f" ({words.name('wonder', feature.placements[0].tile)})" if feature.kind == "wonder" else ""
    squares = "; ".join(translate_square(square, origin, words) for square in account.squares)
    size = words.say("size", n=len(account.squares))
    yield f"{capitalise(words.name('kind', feature.kind))} {feature.label}{wonder}: {size}: {squares}"
    for mark, square in account.marks:
        name = words.name("mark", mark.replace(" ", "-"))
        what = words.name("goods", mark) if name == mark else name
        yield capitalise(words.say("mark-at", what=what, square=translate_square(square, origin, words)))
    for end in account.open_ends:
        where = words.say(
            "open-at", square=translate_square(end.square, origin, words), side=name_side(end.side, words)
        )
        yield f"{where}: {translate_across(end, words)}"
    for city in account.cities:
        yield words.say("touches-complete" if city.complete else "touches-open", city=city.label)


def translate_across(end: OpenEnd, words: Words) -> str:
    """Name the content across an open side, which is why the side is open."""
    return words.say("explain-across", across=end.across)


def translate_line(line: Line, origin: Square, words: Words) -> str:
    """Describe the runs of tiles in a row or column: `Row 2: columns 1 to 5 (5 tiles)`."""
    runs = []
    for run in line.runs:
        first, last = number_run(line, run, origin)
        size = words.say("size", n=run.length)
        runs.append(f"{words.say(f'run-{line.axis}', first=first, last=last)} ({size})")
    return f"{words.say(f'line-{line.axis}', index=number_line(line, origin))}: {', '.join(runs)}"


def translate_place(place: str, words: Words) -> str:
    """Name a part of a tile: `road:N` as "road, north", a half-edge (`field:NL`) by its corner."""
    kind, _, where = place.partition(":")
    name = words.name("kind", kind)
    if not where or where.isdigit():
        return f"{name} {where}".strip()
    sides = _SIDES[where] if len(where) == 1 else _name_corner(where)
    return words.say("place", what=name, where=words.say(f"side-{sides}"))


def _name_corner(half_edge: str) -> str:
    """Name the corner of a half-edge: NL is at the north-west, NR at the north-east."""
    side, around = half_edge[0], "".join(_SIDES)
    other = around[(around.index(side) + (3 if half_edge[1] == "L" else 1)) % 4]
    vertical, across = (side, other) if side in "NS" else (other, side)
    return f"{_SIDES[vertical]}-{_SIDES[across]}"


def name_side(side: str, words: Words) -> str:
    """Name a side of a square: N is north."""
    return words.say(f"side-{_SIDES[side]}")


def translate_square(square: Square, origin: Square, words: Words) -> str:
    """Name a square as people count from the board's origin."""
    return words.say("square", **number_words(square, origin))
