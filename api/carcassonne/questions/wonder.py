"""Questions about a wonder: another one in its place, its coats of arms, or one where other tiles were read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from api.carcassonne.corrections.review import Review
from api.carcassonne.questions.asker import Asker, compute_rest, offer
from api.carcassonne.questions.kind import Kind
from api.carcassonne.questions.labelled_table import LabelledTable
from api.carcassonne.questions.words import word_wonder_coat_question
from api.documents.corrections import Correction
from api.documents.question import Choice, Question
from api.documents.tile_corrections import NoWonder, SetWonder
from scoring.carcassonne.board.board import PlacedWonder
from scoring.carcassonne.doubt.kinds.wonder import FurtherWonder, OtherCoats, OtherWonder
from scoring.carcassonne.tiles.geometry import Square
from scoring.carcassonne.wonders.files import settle_coats


class WonderKind(Kind[Sequence[OtherWonder]]):
    """Another wonder in the place of one, or none."""

    def ask(self, asker: Asker, doubted: Sequence[OtherWonder]) -> Question:
        """Build the question which wonder lies there; the first answer is the one read."""
        squares = doubted[0].squares
        here = asker.find_wonder(squares[0])
        choices = [asker.offer_read_tile(asker.review.board.tiles[squares[0]], squares[0], compute_rest(doubted))]
        choices += [_offer_wonder(asker, other) for other in doubted]
        laid = [here, *(other.placed for other in doubted)]
        _distinguish_copies(asker, choices, laid, here)
        alike = all(placed is not None and placed.is_copy_of(here) for placed in laid)
        name = asker.words.name("wonder", here.layout.id)
        text = asker.words.say("ask-wonder-edges", wonder=name) if alike else asker.words.say("ask-tile")
        return asker.build_question("tile", text, squares, choices, is_whole=True)

    def find_truth(self, question: Question, table: LabelledTable, review: Review) -> Correction:
        """Return the label's wonder, or the tile that truly lies there."""
        return table.answer_about_tile(question)


class CoatsKind(Kind[Sequence[OtherCoats]]):
    """Other coats of arms in the cities of a wonder, which stays in place."""

    def ask(self, asker: Asker, doubted: Sequence[OtherCoats]) -> Question:
        """Build the question which coats of arms the cities have; the first answer is those read."""
        squares = doubted[0].squares
        here = asker.find_wonder(squares[0])
        read = asker.offer_read_tile(asker.review.board.tiles[squares[0]], squares[0], compute_rest(doubted))
        read.label = _name_coats(asker, here)
        read.correction = _set_wonder(here, settle_coats(here.layout))
        choices = [read, *(self._offer_coats(asker, other) for other in doubted)]
        board = asker.review.board
        cities = list(dict.fromkeys(city for other in doubted for city, _ in other.list_coat_cities(board)))
        text = word_wonder_coat_question(asker.words, here.layout.id, cities)
        first = cities[0][0] if len(cities) == 1 else squares[0]
        return asker.build_question("tile", text, squares, choices, square=first, is_whole=True)

    @staticmethod
    def _offer_coats(asker: Asker, other: OtherCoats) -> Choice:
        assert other.placed is not None
        correction = _set_wonder(other.placed, dict(other.placed.layout.entry))
        totals = asker.compute_totals(other, correction)
        return offer(_name_coats(asker, other.placed), correction, other.probability, totals)

    def find_truth(self, question: Question, table: LabelledTable, review: Review) -> Correction:
        """Return the label's copy of the wonder."""
        return table.answer_about_tile(question)


class FurtherWonderKind(Kind[Sequence[FurtherWonder]]):
    """A wonder where other tiles were read."""

    def ask(self, asker: Asker, doubted: Sequence[FurtherWonder]) -> Question:
        """Build the question whether a wonder lies there; the first answer is none."""
        squares, here = doubted[0].squares, doubted[0].placed
        assert here is not None
        row, col = squares[0]
        none = offer(asker.words.say("wonder-none"), NoWonder(row=row, col=col), compute_rest(doubted), asker.now)
        choices = [none, *(_offer_wonder(asker, other) for other in doubted)]
        laid = [None, *(other.placed for other in doubted)]
        _distinguish_copies(asker, choices, laid, here)
        _distinguish_places(asker, choices, laid, here)
        names = {placed.layout.id for placed in laid if placed is not None}
        name = asker.words.name("wonder", here.layout.id)
        text = asker.words.say("ask-wonder", wonder=name) if len(names) == 1 else asker.words.say("ask-wonders")
        return asker.build_question("tile", text, squares, choices, is_whole=True)

    def find_truth(self, question: Question, table: LabelledTable, review: Review) -> Correction:
        """Return the wonder that truly lies on any of the squares, or the answer that none does."""
        return table.answer_about_further_wonder(question)


def _offer_wonder(asker: Asker, other: OtherWonder) -> Choice:
    """Build the answer that another wonder lies on the squares, or none."""
    (row, col), placed = other.squares[0], other.placed
    correction: Correction = NoWonder(row=row, col=col)
    if placed is not None:
        correction = _set_wonder(placed, None if placed.layout.is_bare else dict(placed.layout.entry))
    placement = placed.placements[placed.squares[0]] if placed else None
    return asker.offer_tile(placement, correction, other.probability, asker.compute_totals(other, correction))


def _set_wonder(placed: PlacedWonder, layout: dict[str, Any] | None) -> SetWonder:
    row, col = placed.squares[0]
    return SetWonder(wonder=placed.layout.id, row=row, col=col, turns=placed.turns, layout=layout)


def _distinguish_copies(
    asker: Asker, choices: Sequence[Choice], laid: Sequence[PlacedWonder | None], here: PlacedWonder
) -> None:
    """Add the edges in which copies of a wonder differ to their labels."""
    edges = [placed.edges if placed and placed.is_copy_of(here) else {} for placed in laid]
    different = [end for end in here.edges if len({kinds[end] for kinds in edges if kinds}) > 1]
    for choice, kinds in zip(choices, edges, strict=True):
        if kinds and different:
            choice.label = "; ".join([choice.label, *(_name_edge(asker, end, kinds[end]) for end in different)])


def _distinguish_places(
    asker: Asker, choices: Sequence[Choice], laid: Sequence[PlacedWonder | None], here: PlacedWonder
) -> None:
    """Add the first square to the labels of a wonder that may lie in several places."""
    places = [placed for placed in laid if placed is not None]
    counts = Counter((placed.layout.id, frozenset(placed.squares)) for placed in places)
    names = Counter(name for name, _ in counts)
    for choice, placed in zip(choices, laid, strict=True):
        if placed is not None and names[placed.layout.id] > 1 and not placed.is_copy_of(here):
            where = asker.number_square(min(placed.squares))
            choice.label = asker.words.say("wonder-place", wonder=choice.label, **where)


def _name_coats(asker: Asker, wonder: PlacedWonder) -> str:
    """Name the squares with a wonder's coats of arms."""
    coats = [
        asker.words.say("wonder-coat", **asker.number_square(square))
        for square, cell in zip(wonder.squares, wonder.layout.cells, strict=True)
        if any(part.shields for part in cell.segments)
    ]
    return "; ".join(coats) or asker.words.say("wonder-no-coat")


def _name_edge(asker: Asker, end: tuple[Square, str], kind: str) -> str:
    square, side = end
    side_word, kind_word = asker.words.name("side", side), asker.words.name("kind", kind)
    return asker.words.say("wonder-edge", kind=kind_word, side=side_word, **asker.number_square(square))
