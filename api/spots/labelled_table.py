"""A table of spots known by its label, as the kinds of doubt look up the truth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from api.documents.corrections import Correction
from api.documents.question import SpotQuestion
from api.documents.spot_corrections import ConfirmSpot, SetPiece, SetSpot, SetSpots
from api.spots.review import TableReview
from scoring.spots.game import Laid, Value
from scoring.spots.table import get_player, is_piece
from vision.evaluation.spot_judge import Truth, is_same_value


@dataclass(frozen=True, slots=True)
class LabelledTable:
    """A table known by its label; the numbers of its pieces are those of the reading."""

    truth: Truth

    def list_typed(self, review: TableReview) -> Iterator[SetSpot]:
        """Yield the true values of all spots that no photo shows, under the players' colours as read."""
        for spot in review.table.spots:
            player = get_player(spot)
            true = spot.id if player is None else _give(spot.id, str(player), self.find_owner(str(player), review))
            if spot.typed and true in self._laid:
                yield SetSpot(id=spot.id, value=self._laid[true])

    def answer_about_spots(self, question: SpotQuestion, review: TableReview) -> Iterator[Correction]:
        """Yield the label's answer to a question: the true choice, or else the true value of each of its spots."""
        matching = [
            (self._count_shared(changes, question.spots), -number)
            for number, choice in enumerate(question.choices)
            if self._is_true(changes := {**review.table.laid, **_apply(choice.correction, review)}, question.spots)
        ]
        if matching:
            yield question.choices[-max(matching)[1]].correction
            return
        parts: dict[Value, list[str]] = {}
        for id in question.spots:
            if (value := self._translate_value(id, review)) is not None:
                parts.setdefault(value, []).append(id)
        yield from (SetSpots(ids=ids, value=value) for value, ids in parts.items())

    @property
    def _laid(self) -> Laid:
        return self.truth.table.laid

    def _is_true(self, laid: Laid, spots: Sequence[str]) -> bool:
        """Return whether the values agree with the label on all the spots, ignoring the numbers of pieces."""
        return all(id in laid and id in self._laid and is_same_value(laid[id], self._laid[id]) for id in spots)

    def _count_shared(self, laid: Laid, spots: Sequence[str]) -> int:
        """Count the squares that pieces on some spots share with the true pieces, less those they do not share."""
        pieces = [(_list_piece(laid, id), _list_piece(self._laid, id)) for id in spots]
        return sum(len(one & other) - len(one ^ other) for one, other in pieces)

    def find_owner(self, player: str, review: TableReview) -> str:
        """Return the true colour of a player as read: the one that agrees with most of the spots as read."""
        read = {id: value for id, value in review.table.laid.items() if player in id.split(".")}
        return max(
            self.truth.table.players,
            key=lambda colour: sum(
                is_same_value(value, true)
                for id, value in read.items()
                if (true := self._laid.get(_give(id, player, colour))) is not None and value != "-"
            ),
        )

    def _translate_value(self, id: str, review: TableReview) -> Value | None:
        """Return a spot's true value, with the number that most of its piece's squares have in the reading, or a new
        number.
        """
        true = self._laid.get(id)
        choices = next((spot.choices for spot in review.table.spots if spot.id == id), ())
        if true is None or not is_piece(true):
            return true if true in choices else None
        numbers = Counter(
            value
            for other in _list_piece(self._laid, id)
            if (value := review.table.laid.get(other)) in choices and is_same_value(value, true)
        )
        alike = [value for value in choices if is_same_value(value, true)]
        used = set(review.table.laid.values())
        new = next((value for value in alike if value not in used), None)
        return numbers.most_common(1)[0][0] if numbers else new


def _give(id: str, player: str, other: str) -> str:
    """Return the id of the same spot of another player."""
    return ".".join(other if part == player else part for part in id.split("."))


def _apply(correction: Correction, review: TableReview) -> Mapping[str, Value]:
    """Return the values that an answer gives to spots."""
    match correction:
        case SetSpot(id=id, value=value) if value is not None:
            return {id: value}
        case SetSpots(ids=ids, value=value):
            return dict.fromkeys(ids, value)
        case SetPiece(id=id, value=value):
            return dict.fromkeys(review.table.piece(id), value)
        case ConfirmSpot():
            return {}
        case _:
            raise TypeError(f"{correction.kind} is no answer about a spot")


def _list_piece(laid: Laid, id: str) -> frozenset[str]:
    """Return the spots of the player that hold the same piece as a spot."""
    value, board = laid.get(id), id.split(".")[:2]
    if value is None or not is_piece(value):
        return frozenset({id})
    return frozenset(
        other for other, other_value in laid.items() if other_value == value and other.split(".")[:2] == board
    )
