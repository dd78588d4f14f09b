"""A feature's account in a language, line by line: what lies there, then who scores it and why."""

from __future__ import annotations

from collections.abc import Iterator

from api.explain.schema import FeatureAccount
from api.i18n import Words, load_words
from api.i18n.report_text import number_words
from api.report.schema import Square

_SIDES = {"N": "north", "E": "east", "S": "south", "W": "west"}


def translate_account(account: FeatureAccount, origin: Square, language: str) -> list[str]:
    """Say an account in a language; squares are named from the board's origin."""
    if language == "en":
        return account.text
    return [*_list_facts(account, origin, load_words(language)), *account.sentences]


def _list_facts(account: FeatureAccount, origin: Square, words: Words) -> Iterator[str]:
    kind = words.name("kind", account.kind)
    yield f"{kind[:1].upper()}{kind[1:]} {account.name}: {words.say('size', n=account.size)}"
    for mark in account.marks:
        name = words.name("mark", mark.what.replace(" ", "-"))
        what = words.name("goods", mark.what) if name == mark.what.replace(" ", "-") else name
        yield words.say("mark-at", what=what, square=_name_square(mark.tile, origin, words))
    for end in account.open_ends:
        side = words.say(f"side-{_SIDES[end.side]}")
        yield words.say("open-at", square=_name_square(end.tile, origin, words), side=side)
    for city in account.cities:
        if not city.complete:
            yield words.say("touches-open", city=city.name)


def _name_square(square: Square, origin: Square, words: Words) -> str:
    return words.say("square", **number_words(square, origin))
