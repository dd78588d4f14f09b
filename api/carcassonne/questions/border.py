"""The question whether the board continues beyond the picture."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from api.carcassonne.corrections.review import Review
from api.carcassonne.questions.asker import Asker, offer
from api.carcassonne.questions.kind import Kind, list_answers
from api.carcassonne.questions.labelled_table import LabelledTable
from api.documents.corrections import Correction
from api.documents.question import Question
from api.documents.tile_corrections import SetBorder
from scoring.carcassonne.tiles.geometry import Square, find_outer_neighbours
from vision.survey.photo_border import group_by_side


class BorderKind(Kind[Sequence[Square]]):
    """Squares beyond the picture that may hold tiles."""

    def ask(self, asker: Asker, doubted: Sequence[Square]) -> Question:
        """Build the question whether the board continues there, on any side that cuts it."""
        tiles = [square for square in find_outer_neighbours(doubted) if square in asker.review.board.tiles]
        middle = np.mean(tiles, axis=0)
        tiles.sort(key=lambda square: float(np.hypot(*(square - middle))))
        by_side = group_by_side(doubted, asker.review.views[asker.find_photo(tiles[0])].reading)
        several = "several" if len(by_side) > 1 else "one"
        ends = SetBorder(squares=list(doubted), ends=True)
        choices = [offer(asker.words.say("border-ends", sides=several), ends, None, asker.now)]
        for side, beyond in by_side.items():
            label = asker.words.say("border-goes-on", sides=several, side=side)
            choices.append(offer(label, SetBorder(squares=list(beyond), ends=False), None, None))
        text = asker.words.say("ask-border", sides=several)
        return asker.build_question("border", text, tiles, choices)

    def find_truth(self, question: Question, table: LabelledTable, review: Review) -> Correction:
        """Return a side beyond which the label has tiles, or the answer that the board ends."""
        whole, *sides = list_answers(question, SetBorder)
        return next((side for side in sides if any(map(table.holds_tile, side.squares))), whole)


def list_open_squares(review: Review) -> list[Square]:
    """List the squares beyond the picture of which nobody said whether the board continues there."""
    return sorted(review.board.unseen - review.state.amended.going_on) if review.doubts.is_cut_off else []
