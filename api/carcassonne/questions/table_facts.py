"""Questions about facts of the table, which no photo shows: players, tiles, and the boxes whose rules were played."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

from api.carcassonne.corrections.review import Review
from api.carcassonne.questions.asker import Asker, offer
from api.carcassonne.questions.kind import Kind, list_answers
from api.carcassonne.questions.labelled_table import LabelledTable
from api.documents.corrections import Correction
from api.documents.question import Question
from api.documents.tile_corrections import SetBoxRules, SetPlayerCount, SetTilesInPlay
from scoring.carcassonne.final.assumptions import PLAYED, Assumption


class FactKind(Kind[Assumption]):
    """A fact of the table that was assumed."""

    def ask(self, asker: Asker, doubted: Assumption) -> Question:
        """Build the question on the fact; the first answer is the assumed one."""
        choices = [
            offer(
                asker.words.say(f"{doubted.fact}-counted", n=number),
                self.settle(doubted, number),
                None,
                asker.fill_totals(totals),
            )
            for number, totals in doubted.totals.items()
        ]
        text = asker.words.say(f"ask-{doubted.fact}", **self.name_subject(asker, doubted))
        return asker.build_question("table", text, doubted.squares, choices, is_whole=True)

    @abstractmethod
    def settle(self, assumption: Assumption, number: int) -> Correction:
        """Return the correction that states a value of the fact."""

    def name_subject(self, asker: Asker, assumption: Assumption) -> dict[str, str]:
        """Name the wonder that pays by the fact, for the question's text."""
        wonder = asker.find_wonder(assumption.squares[0])
        return {"wonder": asker.words.name("wonder", wonder.layout.id)}


class PlayersKind(FactKind):
    """The number of players."""

    def settle(self, assumption: Assumption, number: int) -> Correction:
        """Return the correction that states the number of players."""
        return SetPlayerCount(count=number)

    def find_truth(self, question: Question, table: LabelledTable, review: Review) -> Correction:
        """Return the label's number of players."""
        return SetPlayerCount(count=table.truth.table.count_players(table.truth.board))


class TilesKind(FactKind):
    """The number of tiles in play."""

    def settle(self, assumption: Assumption, number: int) -> Correction:
        """Return the correction that states the number of tiles."""
        return SetTilesInPlay(count=number)

    def find_truth(self, question: Question, table: LabelledTable, review: Review) -> Correction:
        """Return the label's number of tiles, at least that of the tiles read."""
        true = table.truth.table.count_tiles(table.truth.board)
        return SetTilesInPlay(count=max(true, len(review.board.tiles)))


class BoxRulesKind(FactKind):
    """Whether the rules of some boxes were played."""

    def settle(self, assumption: Assumption, number: int) -> Correction:
        """Return the correction that states whether the rules were played."""
        return SetBoxRules(boxes=list(self._list_boxes(assumption)), played=number == PLAYED)

    def name_subject(self, asker: Asker, assumption: Assumption) -> dict[str, str]:
        """Name the boxes."""
        boxes = self._list_boxes(assumption)
        return {"boxes": asker.words.join(asker.words.name("box", box) for box in boxes)}

    @staticmethod
    def _list_boxes(assumption: Assumption) -> Sequence[str]:
        return str(assumption.values["boxes"]).split(",")

    def find_truth(self, question: Question, table: LabelledTable, review: Review) -> Correction:
        """Return whether the label's table played with the rules of all boxes."""
        boxes = list_answers(question, SetBoxRules)[0].boxes
        return SetBoxRules(boxes=boxes, played=not any(map(table.truth.board.box_rules.ignores, boxes)))
