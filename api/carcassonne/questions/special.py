"""Questions about which of a player's pieces is of a kind that each player has once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from api.carcassonne.corrections.review import Review
from api.carcassonne.questions.asker import Asker, compute_rest
from api.carcassonne.questions.kind import Kind, list_answers
from api.carcassonne.questions.labelled_table import LabelledTable
from api.documents.corrections import Correction
from api.documents.question import Choice, Question, Totals
from api.documents.tile_corrections import SetSpecial
from scoring.carcassonne.board.board import PlacedMeeple
from scoring.carcassonne.doubt.kinds.special import OtherSpecial
from vision.reading.board import match_meeples


class SpecialKind(Kind[Sequence[OtherSpecial]]):
    """Another piece of a player as the only one of its kind."""

    def ask(self, asker: Asker, doubted: Sequence[OtherSpecial]) -> Question:
        """Build the question which piece of a player is the only one of a kind: as read first, then likely ones."""
        kind, pieces, board = doubted[0].kind, doubted[0].pieces, asker.review.board
        numbers = match_meeples(asker.reading.meeples, board)
        ids = {index: asker.review.ids[numbers.index(index)] for index in pieces}
        read = next((index for index in pieces if board.meeples[index].kind == kind), None)
        choices = []
        for other in (OtherSpecial(kind, pieces, read, compute_rest(doubted)), *doubted):
            special = other.special
            correction = SetSpecial.model_validate(
                {"piece": kind, "ids": [*ids.values()], "id": None if special is None else ids[special]}
            )
            totals = asker.now if special == read else asker.compute_totals(other, correction)
            meeple = None if special is None else replace(board.meeples[special], kind=kind)
            choices.append(self._offer(asker, meeple, correction, other.probability, totals))
        squares = list(dict.fromkeys(board.meeples[index].square for index in pieces))
        text = asker.words.say("ask-special", kind=kind)
        return asker.build_question("special", text, squares, choices, meeple=ids[pieces[0]], is_whole=True)

    @staticmethod
    def _offer(
        asker: Asker, meeple: PlacedMeeple | None, correction: Correction, probability: float, totals: Totals
    ) -> Choice:
        choice = asker.offer_meeple(meeple, correction, probability, totals)
        if meeple is None:
            return choice.model_copy(update={"label": asker.words.say("special-none")})
        label = asker.words.say("special-piece", **asker.number_square(meeple.square), piece=choice.label)
        return choice.model_copy(update={"label": label})

    def find_truth(self, question: Question, table: LabelledTable, review: Review) -> Correction:
        """Return the piece that truly is of the kind."""
        first, *_ = list_answers(question, SetSpecial)
        pieces = ((id, table.find_meeple(id)) for id in first.ids)
        special = next((id for id, true in pieces if true is not None and true.placed.kind == first.piece), None)
        return SetSpecial(piece=first.piece, ids=first.ids, id=special)
