"""Questions about the marker on a wonder."""

from __future__ import annotations

from collections.abc import Sequence

from api.carcassonne.corrections.review import Review
from api.carcassonne.questions.asker import Asker, compute_rest
from api.carcassonne.questions.kind import Kind, list_answers
from api.carcassonne.questions.labelled_table import LabelledTable
from api.documents.corrections import Correction
from api.documents.question import Question
from api.documents.tile_corrections import SetWonderOwner
from scoring.carcassonne.doubt.kinds.marker import UnseenMarker


class MarkerKind(Kind[Sequence[UnseenMarker]]):
    """A marker on a wonder on which none was seen."""

    def ask(self, asker: Asker, doubted: Sequence[UnseenMarker]) -> Question:
        """Build the question whose marker lies on a wonder without a visible one; the first answer is nobody's."""
        wonder, square = doubted[0].wonder, doubted[0].meeple.square
        nobodys = SetWonderOwner(wonder=wonder, colour=None)
        choices = [asker.offer_meeple(None, nobodys, compute_rest(doubted), asker.now)]
        for other in doubted:
            owned = SetWonderOwner(wonder=wonder, colour=other.meeple.colour)
            totals = asker.compute_totals(other, owned)
            choices.append(asker.offer_meeple(other.meeple, owned, other.probability, totals))
        squares = next(placed.squares for placed in asker.review.board.wonders if placed.layout.id == wonder)
        return asker.build_question("meeple", asker.words.say("ask-marker"), squares, choices, square=square)

    def find_truth(self, question: Question, table: LabelledTable, review: Review) -> Correction:
        """Return the owner of the piece on the wonder itself."""
        wonder = list_answers(question, SetWonderOwner)[0].wonder
        return SetWonderOwner(wonder=wonder, colour=table.find_owner(wonder))
