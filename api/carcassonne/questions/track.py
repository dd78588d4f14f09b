"""Questions about the score board: a player's number of laps, or a piece's space."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from api.carcassonne.corrections.review import Review
from api.carcassonne.questions.asker import MAX_CHOICES, Asker, offer
from api.carcassonne.questions.kind import Kind
from api.carcassonne.questions.labelled_table import LabelledTable
from api.documents.corrections import Correction
from api.documents.question import Choice, Question
from api.documents.report import Track
from api.documents.tile_corrections import SetTrack

_ANSWERABLE = {"track_laps_unknown": ("laps", "others"), "track_not_sure": ("space", "choices")}
"""Kind of question for each answerable problem of the score board, and the value that holds the alternatives."""


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
