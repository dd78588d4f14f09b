"""Questions about pieces: one meeple, a pile, a player's special piece or colour, and the marker on a wonder."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from api.carcassonne.corrections.apply import Review
from api.carcassonne.questions.asker import AnyKind, Asker, Doubted, Kind, compute_rest, list_answers, offer
from api.carcassonne.questions.labelled_table import LabelledTable
from api.carcassonne.questions.words import find_meeple_difference, word_meeple_question
from api.documents.corrections import Correction
from api.documents.question import Choice, Question, Totals
from api.documents.tile_corrections import Confirm, NoMeeple, SetPile, SetPlayerColour, SetSpecial, SetWonderOwner
from api.i18n.report_text import label_player, translate_place
from scoring.carcassonne.board.board import PlacedMeeple
from scoring.carcassonne.doubt.kinds.base import Alternative
from scoring.carcassonne.doubt.kinds.marker import UnseenMarker
from scoring.carcassonne.doubt.kinds.meeple import AnotherMeeple, OtherPlace
from scoring.carcassonne.doubt.kinds.pile import OtherCount
from scoring.carcassonne.doubt.kinds.player import OtherPlayer
from scoring.carcassonne.doubt.kinds.special import OtherSpecial
from scoring.percent import round_share
from scoring.player_colours import COLOURS, NOBODY
from vision.doubt.piles import build_other_count, find_piles
from vision.reading.board import match_meeples, place_meeple
from vision.reading.values import MeepleReading

UNSEEN_OF_PILE = 2
"""Maximum number of pieces beyond those visible that an answer may add to a pile. A guess."""


class MeepleKind(Kind[Doubted]):
    """A doubt about one meeple, which the label knows."""

    def find_truth(self, question: Question, table: LabelledTable, review: Review) -> Correction:
        """Return the label's piece, or the answer that there is none."""
        return table.answer_about_meeple(str(question.meeple), review)


class PlaceKind(MeepleKind[Sequence[OtherPlace]]):
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


class AnotherMeepleKind(MeepleKind[Sequence[AnotherMeeple]]):
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
        if other.instead == NOBODY:
            absent = asker.words.say("player-absent", player=asker.words.name("colour", other.colour))
            return offer(absent, correction, probability, totals)
        name = asker.words.name("colour", other.instead)
        return offer(name, correction, probability, totals, colour=other.instead)

    def find_truth(self, question: Question, table: LabelledTable, review: Review) -> Correction:
        """Return the true colour of most pieces that now have a colour, or that nobody has it."""
        colour = str(question.choices[0].colour)
        meeples = zip(review.ids, review.views[0].reading.meeples, strict=True)
        true = [table.find_meeple(id) for id, meeple in meeples if meeple.colour == colour]
        counts = Counter(meeple.placed.colour for meeple in true if meeple is not None)
        offered = [answer.instead for answer in list_answers(question, SetPlayerColour)]
        ((most, _),) = counts.most_common(1) or [(NOBODY if NOBODY in offered else colour, 0)]
        if most == colour:
            return Confirm(about="player", colour=colour)
        return SetPlayerColour(colour=colour, instead=most)


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


KINDS: Mapping[type[Alternative], AnyKind] = {
    OtherPlace: PlaceKind(),
    AnotherMeeple: AnotherMeepleKind(),
    OtherPlayer: PlayerKind(),
    OtherCount: PileKind(),
    OtherSpecial: SpecialKind(),
    UnseenMarker: MarkerKind(),
}
"""Kind of doubt of each type of alternative about pieces."""
