"""Wording of a question in a player's words, by the property in which its answers differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Literal

from api.i18n import Words
from api.i18n.report_text import translate_coat_question
from scoring.carcassonne.board.board import Board, PlacedMeeple, Placement
from scoring.carcassonne.board.features import find_segment_sides
from scoring.carcassonne.doubt.kinds.tile import is_coat_twin
from scoring.carcassonne.tiles.geometry import Square

MARKS = ("coat", "inn", "cathedral", "pig", "goods")
"""Marks printed on a feature, as in the messages `printed-...`."""


def word_tile_question(words: Words, tiles: Sequence[Placement | None], is_stood_on: bool) -> str:
    """Word the question which tile lies on a square; if they differ only in a coat of arms, ask about that alone."""
    read, *others = tiles
    if read is not None and others and all(other is not None and is_coat_twin(read, other) for other in others):
        return words.say("ask-coat-beneath" if is_stood_on else "ask-coat")
    return words.say("ask-tile")


def label_tiles(words: Words, tiles: Sequence[Placement | None]) -> list[str | None]:
    """Label each tile by the printed parts that not all of them have; None for a tile that is not of the boxes.

    Tiles that are alike in these parts differ by the number of their fields.
    """
    prints = [None if placement is None else Counter(_list_printed(words, placement)) for placement in tiles]
    known = [printed for printed in prints if printed is not None]
    shared = known[0].copy() if known else Counter[tuple[str, str]]()
    for printed in known:
        shared &= printed
    kinds = dict.fromkeys(kind for printed in known for kind, _ in printed - shared)
    labels = [
        None if printed is None else _label_printed(words, printed - shared, printed, kinds) for printed in prints
    ]
    times = Counter(labels)
    return [
        f"{label}, {_count_fields(words, placement)}" if label and placement and times[label] > 1 else label
        for label, placement in zip(labels, tiles, strict=True)
    ]


def _count_fields(words: Words, placement: Placement) -> str:
    return words.say("tile-fields", n=sum(segment.kind == "field" for segment in placement.layout.segments))


def _label_printed(
    words: Words, distinct: Counter[tuple[str, str]], printed: Counter[tuple[str, str]], kinds: dict[str, None]
) -> str:
    """Name the parts that only this tile has, and the parts it lacks."""
    lacking = [kind for kind in kinds if all(kind != other for other, _ in printed)]
    parts = [label for _, label in distinct.elements()]
    parts += [words.say("tile-without", part=_name_printed(words, kind)) for kind in lacking]
    return ", ".join(parts) or words.say("tile-drawn")


def _list_printed(words: Words, placement: Placement) -> Iterator[tuple[str, str]]:
    """Yield the printed parts of a placed tile, each with its kind and its words; fields are left out."""
    for index, segment in enumerate(placement.layout.segments):
        if segment.kind in ("road", "city"):
            sides = find_segment_sides(placement.layout, placement.turns, index)
            where = ", ".join(words.say(f"side-{side}") for side in sides)
            kind = words.name("kind", segment.kind)
            yield segment.kind, words.say("printed-sides", kind=kind, sides=where) if where else kind
        elif segment.kind != "field":
            yield segment.kind, words.name("kind", segment.kind)
        marks = {"coat": segment.shields, "inn": segment.inn, "cathedral": segment.cathedral, "pig": segment.pig_herd}
        for mark, number in marks.items():
            yield from [(mark, words.say(f"printed-{mark}"))] * int(number)
        if segment.goods:
            yield "goods", words.name("goods", segment.goods)


def _name_printed(words: Words, kind: str) -> str:
    return words.name("printed" if kind in MARKS else "kind", kind)


def word_wonder_coat_question(words: Words, wonder: str, cities: Sequence[Sequence[Square]]) -> str:
    """Word the question whether a wonder's only city in doubt has a coat of arms, or which of several has."""
    if len(cities) == 1:
        return translate_coat_question(words, wonder, len(cities[0]))
    return words.say("ask-wonder-coats", id=wonder.removeprefix("WH/"), wonder=words.name("wonder", wonder))


def find_meeple_difference(
    meeples: Sequence[PlacedMeeple | None],
) -> Literal["there", "kind", "colour", "place", "several"]:
    """Return the one property in which some pieces differ; None among them stands for no piece."""
    standing = [meeple for meeple in meeples if meeple is not None]
    if len(standing) < len(meeples):
        return "there" if len(standing) == 1 else "several"
    if len({(meeple.colour, meeple.segment, meeple.square) for meeple in standing}) == 1:
        return "kind"
    if len({(meeple.kind, meeple.segment, meeple.square) for meeple in standing}) == 1:
        return "colour"
    return "place" if len({(meeple.kind, meeple.colour) for meeple in standing}) == 1 else "several"


def word_meeple_question(words: Words, meeples: Sequence[PlacedMeeple | None], board: Board) -> str:
    """Word the question which piece stands on a square, or on what; None stands for no piece."""
    difference = find_meeple_difference(meeples)
    if difference != "place":
        return words.say("ask-meeple" if difference == "several" else f"ask-{difference}")
    below = list(dict.fromkeys(board.find_kind_below(meeple) for meeple in meeples if meeple is not None))
    if len(below) != 2 or None in below:
        return words.say("ask-place")
    one, other = (words.name("kind", str(kind)) for kind in below)
    return words.say("ask-either", one=one[0].upper() + one[1:], other=other)
