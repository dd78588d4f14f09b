"""Questions about the number of pieces in a pile."""

from __future__ import annotations

from collections.abc import Sequence

from api.carcassonne.corrections.review import Review
from api.carcassonne.questions.asker import Asker, compute_rest, offer
from api.carcassonne.questions.kind import Kind, list_answers
from api.carcassonne.questions.labelled_table import LabelledTable
from api.documents.corrections import Correction
from api.documents.question import Choice, Question, Totals
from api.documents.tile_corrections import SetPile
from api.i18n.report_text import label_player
from scoring.carcassonne.doubt.kinds.pile import OtherCount
from scoring.percent import round_share
from vision.doubt.piles import build_other_count, find_piles

UNSEEN_OF_PILE = 2
"""Maximum number of pieces beyond those visible that an answer may add to a pile. A guess."""


class PileKind(Kind[Sequence[OtherCount]]):
    """Another number of pieces in a pile."""

    def ask(self, asker: Asker, doubted: Sequence[OtherCount]) -> Question:
        """Build the question on the size of a pile: as read first, then likely numbers, and a few above those seen."""
        reading, numbers = asker.reading, doubted[0].pile
        pieces = [(*reading.meeples, *reading.possible_meeples)[number] for number in numbers]
        ids = [(*asker.review.ids, *asker.review.possible)[number] for number in numbers]
        piles = find_piles(reading.meeples, reading.possible_meeples)
        pile = next(pile for pile in piles if pile.pieces == numbers)
        colour, read = pieces[0].colour, SetPile(ids=ids, count=pile.read)
        choices = [self._offer(asker, colour, read, compute_rest(doubted), asker.now)]
        offered = {other.count: other for other in doubted if round_share(other.probability) > 0}
        for count in sorted({*offered, *range(len(numbers) + 1, len(numbers) + 1 + UNSEEN_OF_PILE)} - {pile.read}):
            other = offered.get(count) or build_other_count(pile, count, 0.0, reading, asker.review.board)
            correction = SetPile(ids=ids, count=count)
            likely = other.probability if count in offered else None
            choices.append(self._offer(asker, colour, correction, likely, asker.compute_totals(other, correction)))
        squares = list(dict.fromkeys((piece.row, piece.col) for piece in pieces))
        return asker.build_question("pile", asker.words.say("ask-pile"), squares, choices, meeple=ids[0])

    @staticmethod
    def _offer(asker: Asker, colour: str, correction: SetPile, likely: float | None, totals: Totals) -> Choice:
        player = label_player(asker.words.language, colour, asker.review.report.names)
        label = asker.words.say("pile-count", n=correction.count, colour=player)
        return offer(label, correction, likely, totals, colour=colour)

    def find_truth(self, question: Question, table: LabelledTable, review: Review) -> Correction:
        """Return the number of pieces truly in the pile."""
        first, *_ = list_answers(question, SetPile)
        return SetPile(ids=first.ids, count=table.count_pieces_near(first.ids))
