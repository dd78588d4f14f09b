"""Questions about the colour of all pieces of a player."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from api.carcassonne.corrections.review import Review
from api.carcassonne.questions.asker import Asker, compute_rest, offer
from api.carcassonne.questions.kind import Kind
from api.carcassonne.questions.labelled_table import LabelledTable
from api.documents.corrections import Correction
from api.documents.question import Choice, Question
from api.documents.tile_corrections import Confirm, SetPlayerColour
from scoring.carcassonne.doubt.kinds.player import OtherPlayer
from scoring.carcassonne.score_board.spaces import COLOURS


class PlayerKind(Kind[Sequence[OtherPlayer]]):
    """Another colour of all pieces of a player."""

    def ask(self, asker: Asker, doubted: Sequence[OtherPlayer]) -> Question:
        """Build the question on a player's colour: as read first, then likely colours, then unused ones."""
        colour = doubted[0].colour
        pieces = [meeple for meeple in asker.reading.meeples if meeple.colour == colour]
        surest = max(pieces, key=lambda meeple: meeple.confidence)
        squares = [(surest.row, surest.col), *((meeple.row, meeple.col) for meeple in pieces if meeple is not surest)]
        name, confirmed = asker.words.name("colour", colour), Confirm(about="player", colour=colour)
        choices = [offer(name, confirmed, compute_rest(doubted), asker.now, colour=colour)]
        choices += [self._offer(asker, other, other.probability) for other in doubted]
        named = {colour, *(other.instead for other in doubted), *asker.review.board.players}
        unused = [free for free in COLOURS if free not in named]
        choices += [self._offer(asker, OtherPlayer(colour, free, 0.0), None) for free in unused]
        return asker.build_question("player", asker.words.say("ask-player"), list(dict.fromkeys(squares)), choices)

    @staticmethod
    def _offer(asker: Asker, other: OtherPlayer, probability: float | None) -> Choice:
        correction = SetPlayerColour(colour=other.colour, instead=other.instead)
        totals = asker.compute_totals(other, correction)
        name = asker.words.name("colour", other.instead)
        return offer(name, correction, probability, totals, colour=other.instead)

    def find_truth(self, question: Question, table: LabelledTable, review: Review) -> Correction:
        """Return the true colour of most pieces that now have a colour."""
        colour = str(question.choices[0].colour)
        meeples = zip(review.ids, review.views[0].reading.meeples, strict=True)
        true = [table.find_meeple(id) for id, meeple in meeples if meeple.colour == colour]
        counts = Counter(meeple.placed.colour for meeple in true if meeple is not None)
        ((most, _),) = counts.most_common(1) or [(colour, 0)]
        if most == colour:
            return Confirm(about="player", colour=colour)
        return SetPlayerColour(colour=colour, instead=most)
