"""How a question is put, in a player's words: by what its answers differ in."""

from __future__ import annotations

from collections.abc import Sequence

from api.i18n import Words
from api.i18n.report_text import translate_coat_question
from scoring.carcassonne.board.board import Board, PlacedMeeple, Placement
from scoring.carcassonne.tiles.geometry import Square
from vision.squares.coat_posterior import is_coat_twin


def word_tile_question(words: Words, tiles: Sequence[Placement | None], is_stood_on: bool) -> str:
    """Word the question which of some tiles lies on a square: the coat of arms alone where that is all."""
    read, *others = tiles
    if read is not None and others and all(other is not None and is_coat_twin(read, other) for other in others):
        return words.say("ask-coat-beneath" if is_stood_on else "ask-coat")
    return words.say("ask-tile")


def word_wonder_coat_question(words: Words, wonder: str, cities: Sequence[Sequence[Square]]) -> str:
    """Word the question whether a wonder has a coat of arms: in the one of its cities that is in doubt, or in which."""
    if len(cities) == 1:
        return translate_coat_question(words, wonder, len(cities[0]))
    return words.say("ask-wonder-coats", id=wonder.removeprefix("WH/"), wonder=words.name("wonder", wonder))


def word_meeple_question(words: Words, meeples: Sequence[PlacedMeeple | None], board: Board) -> str:
    """Word the question which of some pieces stands on a square, or on what it does; None is for none at all."""
    standing = [meeple for meeple in meeples if meeple is not None]
    if len(standing) < len(meeples):
        return words.say("ask-there" if len(standing) == 1 else "ask-meeple")
    if len({(meeple.colour, meeple.segment, meeple.square) for meeple in standing}) == 1:
        return words.say("ask-kind")
    if len({(meeple.kind, meeple.segment, meeple.square) for meeple in standing}) == 1:
        return words.say("ask-colour")
    if len({(meeple.kind, meeple.colour) for meeple in standing}) > 1:
        return words.say("ask-meeple")
    below = list(dict.fromkeys(board.find_kind_below(meeple) for meeple in standing))
    if len(below) != 2 or None in below:
        return words.say("ask-place")
    one, other = (words.name("kind", str(kind)) for kind in below)
    return words.say("ask-either", one=one[0].upper() + one[1:], other=other)
