"""Questions about tiles: the tile on a square, doubtful or unknown, and wonders with their coats of arms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from api.carcassonne.corrections.apply import Review
from api.carcassonne.questions.asker import MAX_CHOICES, AnyKind, Asker, Doubted, Kind, compute_rest, offer
from api.carcassonne.questions.labelled_table import LabelledTable
from api.carcassonne.questions.words import label_tiles, word_tile_question, word_wonder_coat_question
from api.documents.corrections import Correction
from api.documents.question import Choice, Question
from api.documents.tile_corrections import NoTile, NoWonder, SetTile, SetWonder
from scoring.carcassonne.board.board import PlacedWonder, Placement
from scoring.carcassonne.doubt.kinds.base import Alternative
from scoring.carcassonne.doubt.kinds.tile import OtherTile
from scoring.carcassonne.doubt.kinds.wonder import FurtherWonder, OtherCoats, OtherWonder
from scoring.carcassonne.tiles.catalogue import list_layout_turns, load_base_catalogue, load_catalogue
from scoring.carcassonne.tiles.geometry import SIDES, Square, get_neighbour, get_opposite_side
from scoring.carcassonne.tiles.layout import may_adjoin
from scoring.carcassonne.wonders.files import settle_coats


class OnSquareKind(Kind[Doubted]):
    """A doubt about what lies on a square, which the label knows."""

    def find_truth(self, question: Question, table: LabelledTable, review: Review) -> Correction:
        """Return the label's tile on the square, or its copy of a wonder."""
        return table.answer_about_tile(question)


class TileKind(OnSquareKind[Sequence[OtherTile]]):
    """Another tile on a square, or none."""

    def ask(self, asker: Asker, doubted: Sequence[OtherTile]) -> Question:
        """Build the question which tile lies there; the first answer is the one read."""
        square, board = doubted[0].square, asker.review.board
        read = asker.offer_read_tile(board.tiles[square], square, compute_rest(doubted))
        choices = [read, *(_offer_tile(asker, other) for other in doubted)]
        tiles = [board.tiles[square], *(other.placement for other in doubted)]
        _distinguish_tiles(asker, choices, tiles)
        is_stood_on = any(meeple.square == square for meeple in board.meeples)
        text = word_tile_question(asker.words, tiles, is_stood_on)
        return asker.build_question("tile", text, [square], choices, is_whole=True)


class UnknownTileKind(OnSquareKind[Square]):
    """An unknown tile."""

    def ask(self, asker: Asker, doubted: Square) -> Question:
        """Build the question which tile it is: tiles the reader considered first, then those that fit."""
        square = doubted
        tile = next(reading for reading in asker.reading.tiles if (reading.row, reading.col) == square)
        considered = [OtherTile(square, Placement(o.tile, o.turns), o.probability) for o in tile.alternatives]
        layouts = {(other.placement.tile, other.placement.turns) for other in considered if other.placement}
        fitting = [p for p in _list_fitting(asker, square) if (p.tile, p.turns) not in layouts]
        choices = [_offer_tile(asker, other) for other in considered]
        choices += [_offer_unlikely(asker, OtherTile(square, placement, 0.0)) for placement in fitting]
        gone = _offer_unlikely(asker, OtherTile(square, None, 0.0, empty=True))
        few = [asker.offer_read_tile(None, square, None), *choices[: MAX_CHOICES - 2], gone]
        _distinguish_tiles(asker, few, [Placement(one.tile, one.turns) if one.tile else None for one in few])
        return asker.build_question("tile", asker.words.say("ask-tile"), [square], few, is_whole=True)


class WonderKind(OnSquareKind[Sequence[OtherWonder]]):
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


class CoatsKind(OnSquareKind[Sequence[OtherCoats]]):
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


def _offer_tile(asker: Asker, other: OtherTile) -> Choice:
    """Build the answer that another tile lies on a square, or none."""
    (row, col), placement = other.square, other.placement
    correction: Correction = NoTile(row=row, col=col)
    if placement is not None:
        correction = SetTile(row=row, col=col, tile=placement.tile, turns=placement.turns)
    choice = asker.offer_tile(placement, correction, other.probability, asker.compute_totals(other, correction))
    if placement is None and other.empty:
        choice.label = asker.words.say("tile-none")
    return choice


def _offer_unlikely(asker: Asker, other: OtherTile) -> Choice:
    """Build an answer that the reader did not consider."""
    choice = _offer_tile(asker, other)
    choice.probability = None
    return choice


def _distinguish_tiles(asker: Asker, choices: Sequence[Choice], tiles: Sequence[Placement | None]) -> None:
    """Label tiles by their differences."""
    printed = [None if placement is None or placement.wonder else placement for placement in tiles]
    for choice, label in zip(choices, label_tiles(asker.words, printed), strict=True):
        choice.label = label or choice.label


def _list_fitting(asker: Asker, square: Square) -> Iterator[Placement]:
    """Yield the orientations of tiles, from the boxes on the table, that match all known neighbours, common tiles
    first.
    """
    board = asker.review.board
    around = {side: board.tiles.get(get_neighbour(square, side)) for side in SIDES}
    faced = {side: other.edge(get_opposite_side(side)) for side, other in around.items() if other is not None}
    if not faced:
        return
    catalogue = load_catalogue("base", *board.expansions) if board.expansions else load_base_catalogue()
    for tile, turns in sorted(list_layout_turns(catalogue), key=lambda layout_turns: -catalogue[layout_turns[0]].count):
        placement = Placement(tile, turns)
        if all(may_adjoin(placement.edge(side), kind) for side, kind in faced.items()):
            yield placement


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


UNKNOWN_TILE = UnknownTileKind()
KINDS: Mapping[type[Alternative], AnyKind] = {
    OtherTile: TileKind(),
    OtherWonder: WonderKind(),
    OtherCoats: CoatsKind(),
    FurtherWonder: FurtherWonderKind(),
}
"""Kind of doubt of each type of alternative about tiles."""
