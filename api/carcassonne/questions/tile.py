"""Questions about the tile on a square, doubtful or unknown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from api.carcassonne.corrections.review import Review
from api.carcassonne.questions.asker import MAX_CHOICES, Asker, compute_rest
from api.carcassonne.questions.kind import Kind
from api.carcassonne.questions.labelled_table import LabelledTable
from api.carcassonne.questions.words import label_tiles, word_tile_question
from api.documents.corrections import Correction
from api.documents.question import Choice, Question
from api.documents.tile_corrections import NoTile, SetTile
from scoring.carcassonne.board.board import Placement
from scoring.carcassonne.doubt.kinds.tile import OtherTile
from scoring.carcassonne.tiles.catalogue import list_layout_turns, load_base_catalogue, load_catalogue
from scoring.carcassonne.tiles.geometry import SIDES, Square, get_neighbour, get_opposite_side


class TileKind(Kind[Sequence[OtherTile]]):
    """Another tile on a square, or none."""

    def ask(self, asker: Asker, doubted: Sequence[OtherTile]) -> Question:
        """Build the question which tile lies there; the first answer is the one read."""
        square, board = doubted[0].square, asker.review.board
        read = asker.offer_read_tile(board.tiles[square], square, compute_rest(doubted))
        choices = [read, *(offer_other_tile(asker, other) for other in doubted)]
        tiles = [board.tiles[square], *(other.placement for other in doubted)]
        _distinguish(asker, choices, tiles)
        is_stood_on = any(meeple.square == square for meeple in board.meeples)
        text = word_tile_question(asker.words, tiles, is_stood_on)
        return asker.build_question("tile", text, [square], choices, is_whole=True)

    def find_truth(self, question: Question, table: LabelledTable, review: Review) -> Correction:
        """Return the label's tile on the square."""
        return table.answer_about_tile(question)


class UnknownTileKind(Kind[Square]):
    """An unknown tile."""

    def ask(self, asker: Asker, doubted: Square) -> Question:
        """Build the question which tile it is: tiles the reader considered first, then those that fit."""
        square = doubted
        tile = next(reading for reading in asker.reading.tiles if (reading.row, reading.col) == square)
        considered = [OtherTile(square, Placement(o.tile, o.turns), o.probability) for o in tile.alternatives]
        layouts = {(other.placement.tile, other.placement.turns) for other in considered if other.placement}
        fitting = [p for p in _list_fitting(asker, square) if (p.tile, p.turns) not in layouts]
        choices = [offer_other_tile(asker, other) for other in considered]
        choices += [_offer_unlikely(asker, OtherTile(square, placement, 0.0)) for placement in fitting]
        gone = _offer_unlikely(asker, OtherTile(square, None, 0.0, empty=True))
        few = [asker.offer_read_tile(None, square, None), *choices[: MAX_CHOICES - 2], gone]
        _distinguish(asker, few, [Placement(one.tile, one.turns) if one.tile else None for one in few])
        return asker.build_question("tile", asker.words.say("ask-tile"), [square], few, is_whole=True)

    def find_truth(self, question: Question, table: LabelledTable, review: Review) -> Correction:
        """Return the label's tile on the square."""
        return table.answer_about_tile(question)


def offer_other_tile(asker: Asker, other: OtherTile) -> Choice:
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
    choice = offer_other_tile(asker, other)
    choice.probability = None
    return choice


def _distinguish(asker: Asker, choices: Sequence[Choice], tiles: Sequence[Placement | None]) -> None:
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
        if all(placement.edge(side) == kind for side, kind in faced.items()):
            yield placement
