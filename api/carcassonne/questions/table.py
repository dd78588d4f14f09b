"""Questions about the table: facts that no photo shows, the border of the picture, and the score board."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from api.carcassonne.corrections.apply import Review
from api.carcassonne.questions.asker import MAX_CHOICES, AnyKind, Asker, Kind, list_answers, offer
from api.carcassonne.questions.labelled_table import LabelledTable
from api.documents.corrections import Correction
from api.documents.question import Choice, Question
from api.documents.report import Track
from api.documents.tile_corrections import SetBorder, SetBoxRules, SetPlayerCount, SetTilesInPlay, SetTrack
from scoring.carcassonne.final.assumptions import PLAYED, Assumption
from scoring.carcassonne.tiles.geometry import Square, find_outer_neighbours
from vision.survey.photo_border import group_by_side

_ANSWERABLE = {"track_laps_unknown": ("laps", "others"), "track_not_sure": ("space", "choices")}
"""Kind of question for each answerable problem of the score board, and the value that holds the alternatives."""


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


@dataclass(frozen=True)
class DoubtfulSpace:
    """The points that a player's piece on the score board may stand for, those read first."""

    kind: str
    player: str
    points: tuple[int, ...]


class TrackKind(Kind[DoubtfulSpace]):
    """Other points of a player on the score board."""

    def ask(self, asker: Asker, doubted: DoubtfulSpace) -> Question:
        """Build the question on a player's points there."""
        track, player = asker.review.report.track, doubted.player
        assert track is not None
        name = asker.review.report.names.get(player) or asker.words.name("colour", player)
        return Question(
            about="track",
            text=asker.words.say(f"ask-{doubted.kind}", player=name),
            square=next(iter(asker.review.board.tiles)),
            squares=[],
            meeple=None,
            photo=track.photo,
            quad_px=[] if track.file else track.corners_px,
            choices=[self._offer(asker, track, player, points) for points in doubted.points][:MAX_CHOICES],
        )

    @staticmethod
    def _offer(asker: Asker, track: Track, player: str, points: int) -> Choice:
        label = asker.words.say("laps-gone", points=points, n=points // track.lap)
        return offer(label, SetTrack(colour=player, points=points), None, None, colour=player)

    def find_truth(self, question: Question, table: LabelledTable, review: Review) -> Correction | None:
        """Return None: labels do not cover the score board."""
        return None


def list_doubtful_spaces(review: Review) -> Iterator[DoubtfulSpace]:
    """Yield the players whose points on the score board are doubtful."""
    for problem in review.report.board.problems if review.report.track else ():
        kind, key = _ANSWERABLE.get(problem.code, ("", ""))
        if key and problem.values.get(key):
            points = map(int, str(problem.values[key]).split(", "))
            read = [int(problem.values["points"])] if kind == "laps" else []
            yield DoubtfulSpace(kind, str(problem.values["player"]), tuple(dict.fromkeys([*read, *points])))


TRACK, BORDER = TrackKind(), BorderKind()
BY_FACT: Mapping[str, AnyKind] = {"players": PlayersKind(), "tiles_in_play": TilesKind(), "box_rules": BoxRulesKind()}
"""Kind of doubt of each fact of the table that is asked about."""
