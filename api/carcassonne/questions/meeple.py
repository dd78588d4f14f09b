"""Questions about one meeple: its place, colour and kind, and whether it is there, or one beside those read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from api.carcassonne.corrections.review import Review
from api.carcassonne.questions.asker import Asker, compute_rest
from api.carcassonne.questions.kind import Kind
from api.carcassonne.questions.labelled_table import LabelledTable
from api.carcassonne.questions.words import find_meeple_difference, word_meeple_question
from api.documents.corrections import Correction
from api.documents.question import Choice, Question
from api.documents.tile_corrections import Confirm, NoMeeple
from api.i18n.report_text import label_player, translate_place
from scoring.carcassonne.board.board import PlacedMeeple
from scoring.carcassonne.doubt.kinds.meeple import AnotherMeeple, OtherPlace
from vision.reading.board import match_meeples, place_meeple
from vision.reading.values import MeepleReading


class PlaceKind(Kind[Sequence[OtherPlace]]):
    """Another place, colour or kind of a meeple, or none."""

    def ask(self, asker: Asker, doubted: Sequence[OtherPlace]) -> Question:
        """Build the question which piece stands there; the first answer is the one read."""
        index, board = doubted[0].meeple, asker.review.board
        meeple = board.meeples[index]
        id = asker.review.ids[match_meeples(asker.reading.meeples, board).index(index)]
        confirmed = Confirm(about="meeple", id=id)
        choices = [asker.offer_meeple(meeple, confirmed, compute_rest(doubted), asker.now)]
        for other in doubted:
            correction = NoMeeple(id=id) if other.instead is None else asker.set_meeple(id, other.instead)
            totals = asker.compute_totals(other, correction)
            choices.append(asker.offer_meeple(other.instead, correction, other.probability, totals))
        standing = [meeple, *(other.instead for other in doubted)]
        _distinguish(asker, choices, standing)
        text = word_meeple_question(asker.words, standing, board)
        return asker.build_question("meeple", text, [meeple.square], choices, meeple=id, has_foot=True)

    def find_truth(self, question: Question, table: LabelledTable, review: Review) -> Correction:
        """Return the label's piece."""
        return table.answer_about_meeple(str(question.meeple), review)


class AnotherMeepleKind(Kind[Sequence[AnotherMeeple]]):
    """A meeple beside those read."""

    def ask(self, asker: Asker, doubted: Sequence[AnotherMeeple]) -> Question:
        """Build the question whether a piece stands there, and where; the first answer is none."""
        other = doubted[0]
        possible = asker.reading.possible_meeples
        number = next(i for i, reading in enumerate(possible) if place_meeple(reading) == other.meeple)
        id = asker.review.possible[number]
        confirmed = Confirm(about="meeple", id=id)
        choices = [asker.offer_meeple(None, confirmed, compute_rest(doubted), asker.now)]
        places = list(_list_places(possible[number], other))
        for place in places:
            correction = asker.set_meeple(id, place.meeple)
            totals = asker.compute_totals(place, correction)
            choices.append(asker.offer_meeple(place.meeple, correction, place.probability, totals))
        standing = [None, *(place.meeple for place in places)]
        text = word_meeple_question(asker.words, standing, asker.review.board)
        return asker.build_question("meeple", text, [other.meeple.square], choices, meeple=id, has_foot=True)

    def find_truth(self, question: Question, table: LabelledTable, review: Review) -> Correction:
        """Return the label's piece, or the answer that there is none."""
        return table.answer_about_meeple(str(question.meeple), review)


def _distinguish(asker: Asker, choices: Sequence[Choice], standing: Sequence[PlacedMeeple | None]) -> None:
    """Label pieces by their only difference, if there is just one."""
    difference = find_meeple_difference(standing)
    for choice, meeple in zip(choices, standing, strict=True):
        if meeple is not None and difference == "kind":
            choice.label = asker.words.name("piece", meeple.kind)
        elif meeple is not None and difference == "colour":
            choice.label = label_player(asker.words.language, meeple.colour, asker.review.report.names)
        elif meeple is not None and difference == "place":
            choice.label = translate_place(asker.words, asker.name_place(meeple) or "")


def _list_places(meeple: MeepleReading, other: AnotherMeeple) -> Iterator[AnotherMeeple]:
    """Yield the places of a possible meeple: its own first, then the alternatives."""
    there = [alternative for alternative in meeple.alternatives if alternative.segment is not None]
    share = max(0.0, 1 - sum(alternative.probability for alternative in there))
    yield AnotherMeeple(other.meeple, other.probability * share)
    for alternative in there:
        placed = PlacedMeeple(
            alternative.colour or meeple.colour,
            other.meeple.square,
            alternative.segment,
            meeple.pose,
            alternative.kind or meeple.kind,
        )
        yield AnotherMeeple(placed, other.probability * alternative.probability)
