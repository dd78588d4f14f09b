"""A table's label in the frame of one of its readings, as the kinds of doubt look up the truth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING

from api.carcassonne.corrections.apply import Review
from api.documents.corrections import Correction
from api.documents.question import Question
from api.documents.tile_corrections import Confirm, NoMeeple, NoTile, NoWonder, SetMeeple, SetTile, SetWonder
from scoring.carcassonne.board.board import PlacedMeeple, PlacedWonder, Placement
from scoring.carcassonne.board.places import name_segment
from scoring.carcassonne.tiles.geometry import SIDES, Square
from scoring.carcassonne.wonders.catalogue import load_wonder_catalogue
from scoring.carcassonne.wonders.files import read_wonder
from vision.evaluation.matching import is_near_foot, match_reading, measure_foot_distance
from vision.reading.values import Reading

if TYPE_CHECKING:
    from vision.evaluation.labels import TrueMeeple, TrueTile, Truth


class LabelledTable:
    """A table known by its label (`truth`), matched with one of its readings."""

    def __init__(self, reading: Reading, truth: Truth) -> None:
        self._reading, self.truth = reading, truth
        self._match = match_reading(reading, truth)
        self._tiles = {read.square: true for read, true in self._match.tiles}

    def find_meeple(self, id: str) -> TrueMeeple | None:
        """Return the true meeple of one that was read, or of a possible one; None if there is none, or it was added."""
        number = _number(id)
        return self._true_meeples[number] if number < len(self._true_meeples) else None

    def holds_tile(self, square: Square) -> bool:
        """Return whether the table has, or may have, a tile on a square without a matched tile."""
        board, there = self.truth.board, self._match.locate_square(square)
        return there in board.tiles or there in board.unseen

    def answer_about_tile(self, question: Question) -> Correction:
        """Return the answer for the true copy of a wonder, if it is offered, or else the label's tile."""
        return self._choose_copy(question) or self._find_tile(question.square)

    def answer_about_further_wonder(self, question: Question) -> Correction:
        """Return the wonder that truly lies on any of the squares in question, or the answer that none does."""
        row, col = question.square
        squares = {self._match.locate_square(square) for square in question.squares}
        wonder = next((w for w in self.truth.board.wonders if squares.intersection(w.squares)), None)
        if wonder is None:
            return NoWonder(row=row, col=col)
        return self._choose_true_copy(question, wonder, None) or self._lay_wonder(wonder)

    def answer_about_meeple(self, id: str, review: Review) -> Correction:
        true = self._true_meeples[_number(id)]
        square = None if true is None else self._match.find_read_square(true.placed.square)
        if true is None or square is None:
            return Confirm(about="meeple", id=id) if id in review.possible else NoMeeple(id=id)
        placed = true.placed
        return SetMeeple.model_validate(
            {
                "id": id,
                "square": square,
                "place": self._name_place(placed),
                "colour": placed.colour,
                "piece": placed.kind,
                "pose": placed.pose,
            }
        )

    def count_pieces_near(self, ids: Sequence[str]) -> int:
        """Count the pieces truly in a pile: the true ones of its pieces, and missed ones of their colour nearby."""
        pieces = [(*self._reading.meeples, *self._reading.possible_meeples)[_number(id)] for id in ids]
        theirs = [true for true in (self._true_meeples[_number(id)] for id in ids) if true is not None]
        missed = [
            true
            for true in self._match.missed_meeples
            if not any(true is known for known in self._true_meeples)
            and any(piece.colour == true.placed.colour and is_near_foot(piece, true, self.truth) for piece in pieces)
        ]
        return len(theirs) + len(missed)

    def find_owner(self, wonder: str) -> str | None:
        """Return the colour of the piece on the wonder itself."""
        board = self.truth.board
        squares = {square for placed in board.wonders if placed.layout.id == wonder for square in placed.squares}
        markers = (
            meeple.colour
            for meeple in board.meeples
            if meeple.square in squares and board.find_kind_below(meeple) == "wonder"
        )
        return next(markers, None)

    def _choose_copy(self, question: Question) -> Correction | None:
        """Return the answer for the true copy of a wonder with different edges, or None if it is not offered."""
        wonder = self._find_wonder(self._tiles.get(question.square))
        read = next((r.placed for r in self._reading.wonders if question.square in r.placed.squares), None)
        return None if wonder is None else self._choose_true_copy(question, wonder, read)

    def _choose_true_copy(
        self, question: Question, wonder: PlacedWonder, read: PlacedWonder | None
    ) -> Correction | None:
        """Return the answer for the label's wonder in its true place, preferring one with its coats of arms."""
        answers = list[Correction]()
        for choice in question.choices:
            answer = choice.correction
            placed = read if isinstance(answer, Confirm) else None
            if isinstance(answer, SetWonder):
                layout = read_wonder(answer.layout) if answer.layout else load_wonder_catalogue()[answer.wonder]
                placed = PlacedWonder(layout, layout.anchor((answer.row, answer.col), 0, answer.turns), answer.turns)
            if placed and self._is_true_copy(placed):
                if self._count_coats(placed) == self._count_coats(wonder):
                    return answer
                answers.append(answer)
        return answers[0] if answers else None

    def _find_tile(self, square: Square) -> Correction:
        row, col = square
        true = self._tiles.get(square)
        wonder = self._find_wonder(true)
        if wonder is not None:
            return self._lay_wonder(wonder)
        if any(square in read.placed.squares for read in self._reading.wonders):
            return NoWonder(row=row, col=col)
        if true is None and self.holds_tile(square):
            return SetTile(row=row, col=col, tile=None)
        if true is None:
            return NoTile(row=row, col=col)
        placement = self._turn_placement(true.placement)
        if placement is None:
            return SetTile(row=row, col=col, tile=None)
        return SetTile(row=row, col=col, tile=placement.tile, turns=placement.turns)

    def _lay_wonder(self, wonder: PlacedWonder) -> SetWonder:
        """Return the correction for the label's wonder in the reading's frame, by name and turns as a person would."""
        there = self._match.move_wonder(wonder)
        assert there is not None
        row, col = there.squares[0]
        return SetWonder(wonder=wonder.layout.id, row=row, col=col, turns=there.turns)

    def _count_coats(self, wonder: PlacedWonder) -> list[int]:
        """Return the coats of arms of a wonder's cities, ordered by squares covered and open ends."""
        layout = wonder.layout
        cities = [number for number, part in enumerate(layout.parts) if part.kind == "city"]
        coats = [layout.count_coats(number) for number in cities]
        order = [(layout.parts[n].squares, layout.parts[n].open_ends) for n in cities]
        return [coat for _, coat in sorted(zip(order, coats, strict=True))]

    def _is_true_copy(self, placed: PlacedWonder) -> bool:
        """Return whether a wonder truly lies on exactly these squares with the same edges."""
        for square, tile in placed.placements.items():
            at = self._match.locate_square(square)
            lies = self._turn_placement(None if at is None else self.truth.board.tiles.get(at))
            if lies is None or lies.tile != tile.tile or any(lies.edge(side) != tile.edge(side) for side in SIDES):
                return False
        return True

    @cached_property
    def _true_meeples(self) -> Sequence[TrueMeeple | None]:
        """The true meeple of each meeple read, then of each possible one, which is the nearest of those missed."""
        pairs = [self._match.find_true_meeple(read) for read in self._reading.meeples]
        missed = list(self._match.missed_meeples)
        for possible in self._reading.possible_meeples:
            near = [true for true in missed if is_near_foot(possible, true, self.truth)]
            nearest = min(near, key=lambda true: measure_foot_distance(possible, true, self.truth), default=None)
            if nearest is not None:
                missed.remove(nearest)
            pairs.append(nearest)
        return pairs

    def _find_wonder(self, true: TrueTile | None) -> PlacedWonder | None:
        if true is None:
            return None
        return next((wonder for wonder in self.truth.board.wonders if true.square in wonder.squares), None)

    def _turn_placement(self, placement: Placement | None) -> Placement | None:
        """Return a true tile turned into the reading's frame."""
        if placement is None:
            return None
        return replace(placement, turns=(placement.turns - self._match.quarters) % 4)

    def _name_place(self, placed: PlacedMeeple) -> str | None:
        placement = self._turn_placement(self.truth.board.tiles.get(placed.square))
        if placement is None or placed.segment is None:
            return None
        return name_segment(placement.layout, placement.turns, placed.segment)


def _number(id: str) -> int:
    """Return a piece's index in the reading, possible ones after the others."""
    return int(id.removeprefix("m")) - 1
