"""Review of a reading as the kinds of doubt see it: its points under an answer, its photo, and parts of questions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, TypeVar
from urllib.parse import urlencode

import cv2
import numpy as np

from api.carcassonne.corrections.apply import Review, preview_totals
from api.carcassonne.questions.labelled_table import LabelledTable
from api.documents.corrections import Correction
from api.documents.question import About, Choice, Question, Totals
from api.documents.report import Point, Square
from api.documents.tile_corrections import Confirm, SetMeeple
from api.i18n import Words
from api.i18n.report_text import number_words, translate_meeple
from scoring.carcassonne.board.board import PlacedMeeple, PlacedWonder, Placement
from scoring.carcassonne.board.places import name_segment
from scoring.carcassonne.doubt.alternatives import MIN_ASKED_PROBABILITY
from scoring.carcassonne.doubt.kinds.base import Alternative
from scoring.carcassonne.final.scoring import compute_final_scoring
from scoring.carcassonne.wonders.catalogue import is_shipped
from scoring.percent import round_share
from vision.doubt.alternatives import find_alternatives
from vision.geometry.warp import project_square
from vision.reading.values import Reading

MAX_CHOICES = 8
"""Maximum number of answers to a question. A guess."""


@dataclass(frozen=True, eq=False)
class Asker:
    """Builds questions and answers about a review, in the `words` of a language."""

    review: Review
    words: Words

    @property
    def reading(self) -> Reading:
        """The reading of the first photo, which has all pieces."""
        return self.review.views[0].reading

    @cached_property
    def alternatives(self) -> list[Alternative]:
        """The alternatives to the reading, likeliest first."""
        alternatives = find_alternatives(self.reading, self.review.board)
        return sorted(alternatives, key=lambda other: -other.probability)

    @cached_property
    def now(self) -> Totals:
        """The players' points as read."""
        return dict(self.review.report.scores.final_scoring)

    def compute_totals(self, other: Alternative, correction: Correction) -> Totals:
        """Compute the players' points under an alternative, as the report will show them after the correction."""
        return self.fill_totals(self._score(other, correction))

    def fill_totals(self, totals: Mapping[str, int]) -> Totals:
        """Return the points of all players, including those who now have some."""
        return {player: totals.get(player, 0) for player in sorted({*totals, *self.now})}

    def _score(self, other: Alternative, correction: Correction) -> Mapping[str, int]:
        """Score an alternative; a full correction is previewed if meeples stand there, since only that moves them by
        their feet.
        """
        if any(meeple.square in other.changed_squares for meeple in self.review.board.meeples):
            return preview_totals(self.review, correction)
        changes = self.review.doubts.changes
        totals = next((change.totals for change in changes if change.alternative == other and not change.also), None)
        if totals is not None:
            return totals
        return compute_final_scoring(
            other.on(self.review.board), rules=self.review.rules, table=self.review.table
        ).totals

    def find_wonder(self, square: Square) -> PlacedWonder:
        """Find the wonder on a square, which must have one."""
        return next(placed for placed in self.review.board.wonders if square in placed.squares)

    def number_square(self, square: Square) -> dict[str, str]:
        """Return the row and column of a square, as words for messages."""
        return number_words(square, self.review.board.origin)

    def name_place(self, meeple: PlacedMeeple) -> str | None:
        """Name the part of a tile that a meeple stands on."""
        placement = self.review.board.tiles.get(meeple.square)
        if placement is None or meeple.segment is None:
            return None
        return name_segment(placement.layout, placement.turns, meeple.segment)

    def set_meeple(self, id: str, meeple: PlacedMeeple) -> SetMeeple:
        """Return the correction that puts a piece there."""
        return SetMeeple.model_validate(
            {
                "id": id,
                "square": meeple.square,
                "place": self.name_place(meeple),
                "colour": meeple.colour,
                "piece": meeple.kind,
                "pose": "disc" if meeple.pose == "disc" else None,
            }
        )

    def offer_read_tile(self, placement: Placement | None, square: Square, probability: float | None) -> Choice:
        """Build the answer that the tile is as read."""
        confirmed = Confirm(about="tile", row=square[0], col=square[1])
        return self.offer_tile(placement, confirmed, probability, self.now)

    def offer_tile(
        self, placement: Placement | None, correction: Correction, probability: float | None, totals: Totals
    ) -> Choice:
        """Build the answer that a tile, or an unknown one, lies on a square."""
        label = self.words.say("tile-unknown" if placement is None else "tile-drawn")
        if placement is not None and placement.wonder is not None:
            label = self.words.name("wonder", placement.tile)
        return offer(label, correction, probability, totals, placement)

    def offer_meeple(
        self, meeple: PlacedMeeple | None, correction: Correction, probability: float, totals: Totals
    ) -> Choice:
        """Build the answer that a piece stands on a part of its tile; None for no piece."""
        if meeple is None:
            return offer(self.words.say("meeple-none"), correction, probability, totals)
        place = self.name_place(meeple) or ""
        label = translate_meeple(self.words, meeple.colour, meeple.kind, place, self.review.report.names)
        placement = self.review.board.tiles.get(meeple.square)
        choice = offer(label, correction, probability, totals, placement)
        return choice.model_copy(update={"drawing": _draw(placement, place, meeple.colour, meeple.kind)})

    def build_question(
        self,
        about: About,
        text: str,
        squares: Sequence[Square],
        choices: Sequence[Choice],
        square: Square | None = None,
        meeple: str | None = None,
        is_whole: bool = False,
        has_foot: bool = False,
    ) -> Question:
        """Build a question about some squares, shown at the first of them, or at another `square`.

        If it `is_whole`, the photo's cut-out encloses all squares; if it `has_foot`, it points at the foot of the
        `meeple`.
        """
        at = squares[0] if square is None else square
        photo = self.find_photo(at)
        return Question(
            about=about,
            text=text,
            square=at,
            squares=list(squares),
            where=[self.review.board.name_square(one) for one in squares],
            meeple=meeple,
            photo=photo,
            quad_px=self._enclose(photo, squares if is_whole else [at]),
            foot_px=self._find_foot(photo, meeple) if has_foot else None,
            choices=_select_choices(choices),
        )

    def find_photo(self, square: Square) -> int:
        """Return the index of the photo that shows a square best."""
        return next((n for n, view in enumerate(self.review.views) if square in view.best), 0)

    def _find_foot(self, photo: int, id: str | None) -> Point | None:
        """Return the foot of the piece in question in a photo, None if the photo does not show it."""
        ids = [*self.review.ids, *self.review.possible]
        reading = self.review.views[photo].reading
        pieces = [*reading.meeples, *reading.possible_meeples]
        if photo != 0 or id not in ids or len(pieces) != len(ids):
            return None
        x, y = pieces[ids.index(id)].foot_px
        return round(float(x), 1), round(float(y), 1)

    def _enclose(self, photo: int, squares: Sequence[Square]) -> list[Point]:
        """Return the outline of some squares in a photo, including empty ones; of all squares if none is in view."""
        reading = self.review.views[photo].reading
        tiles = {(tile.row, tile.col): np.roll(tile.corners_px, tile.turns, axis=0) for tile in reading.tiles}
        quads = [tiles.get(square, project_square(reading.warp, square)) for square in squares]
        corners = [quad for quad in quads if quad is not None] or [*tiles.values()]
        together = np.concatenate(corners).astype(np.float32)
        quad = corners[0] if len(corners) == 1 else cv2.boxPoints(cv2.minAreaRect(together))
        return [(round(float(x), 1), round(float(y), 1)) for x, y in quad]


def offer(
    label: str,
    correction: Correction,
    probability: float | None,
    totals: Totals | None,
    placement: Placement | None = None,
    colour: str | None = None,
) -> Choice:
    """Build an answer, with the drawing of a tile or the colour of a player if it is about one."""
    return Choice(
        label=label,
        tile=placement.tile if placement else None,
        turns=placement.turns if placement else 0,
        drawing=_draw(placement),
        colour=colour,
        probability=None if probability is None else round_share(probability),
        final_scoring=totals,
        correction=correction,
    )


def compute_rest(others: Sequence[Alternative]) -> float:
    """Return the probability that none of a subject's alternatives is true."""
    return max(0.0, 1 - sum(other.probability for other in others))


def _draw(placement: Placement | None, place: str = "", colour: str = "", piece: str = "") -> str | None:
    """Return the URL of a tile's drawing; a wonder with a layout other than the shipped one has none."""
    if placement is None or (placement.wonder and not is_shipped(placement.wonder)):
        return None
    return build_drawing_url(placement.tile, placement.turns, placement.cell, place, colour, piece)


def _select_choices(choices: Sequence[Choice]) -> list[Choice]:
    """Return the answers to offer: the first, and the others at or above MIN_ASKED_PROBABILITY, at least one if any."""
    first, *others = choices
    likely = [other for other in others if other.probability is None or other.probability >= MIN_ASKED_PROBABILITY]
    return [first, *(likely or others[:1])][:MAX_CHOICES]


def build_drawing_url(
    tile: str | None, turns: int, square: int | None = None, place: str = "", colour: str = "", piece: str = ""
) -> str | None:
    """Build the URL of the drawing of a tile, with a piece on one of its parts; None for an unknown tile."""
    if tile is None:
        return None
    query = {"tile": tile, "turns": turns, "square": square, "place": place or None, "colour": colour or None}
    query["piece"] = piece if piece and piece != "meeple" else None
    return "/v1/tiles/drawing.svg?" + urlencode({key: value for key, value in query.items() if value is not None})


Doubted = TypeVar("Doubted")
Answer = TypeVar("Answer")


class Kind(ABC, Generic[Doubted]):
    """One kind of doubt. `Doubted` is its subject: all alternatives of one subject, a square, or an assumption."""

    @abstractmethod
    def ask(self, asker: Asker, doubted: Doubted) -> Question:
        """Build the question about a doubt; each answer carries the correction that it stands for."""

    @abstractmethod
    def find_truth(self, question: Question, table: LabelledTable, review: Review) -> Correction | None:
        """Return the label's answer to a question, even if it is not among the choices; None if no label has it."""


AnyKind = Kind[Any]


def list_answers(question: Question, kind: type[Answer]) -> list[Answer]:
    """Return a question's answers that are corrections of a kind."""
    answers = [choice.correction for choice in question.choices]
    return [answer for answer in answers if isinstance(answer, kind)]
