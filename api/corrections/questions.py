"""Questions to a person about a reading: the doubts that can change points, each with ready answers.

Questions on the score board come first, since laps outweigh everything else; then the border where the picture cuts the
board; then squares with unknown tiles, whose effect cannot be computed, after any wonder that may lie there; then
assumptions about the table, which no photo shows; then the other doubts by the expected change of points. An answer is
certain from then on, and the remaining questions are ordered again.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal
from urllib.parse import urlencode

import cv2
import numpy as np

from api.corrections.commands import (
    Confirm,
    Correction,
    NoMeeple,
    NoTile,
    NoWonder,
    Review,
    SetBorder,
    SetBoxRules,
    SetMeeple,
    SetPile,
    SetPlayerColour,
    SetPlayerCount,
    SetSpecial,
    SetTile,
    SetTilesInPlay,
    SetTrack,
    SetWonder,
    SetWonderOwner,
    preview_totals,
)
from api.corrections.question_words import (
    find_meeple_difference,
    label_tiles,
    word_meeple_question,
    word_tile_question,
    word_wonder_coat_question,
)
from api.i18n import Words, load_words
from api.i18n.report_text import label_player, number_words, translate_meeple, translate_place
from api.report.schema import Model, Point, Square, Track
from scoring.carcassonne.board.board import PlacedMeeple, PlacedWonder, Placement
from scoring.carcassonne.board.places import name_segment
from scoring.carcassonne.doubt.alternatives import (
    MIN_ASKED_PROBABILITY,
    Alternative,
    AnotherMeeple,
    OtherCount,
    OtherPlace,
    OtherPlayer,
    OtherSpecial,
    OtherTile,
    OtherWonder,
    Subject,
    UnseenMarker,
)
from scoring.carcassonne.final.assumptions import PLAYED, Assumption
from scoring.carcassonne.final.scoring import compute_final_scoring
from scoring.carcassonne.score_board.spaces import COLOURS
from scoring.carcassonne.tiles.catalogue import list_layout_turns, load_base_catalogue, load_catalogue
from scoring.carcassonne.tiles.geometry import SIDES, find_outer_neighbours, get_neighbour, get_opposite_side
from scoring.carcassonne.wonders.catalogue import is_shipped
from scoring.carcassonne.wonders.files import settle_coats
from scoring.percent import round_share
from vision.doubt.alternatives import find_alternatives
from vision.doubt.piles import build_other_count, find_piles
from vision.geometry.warp import project_square
from vision.reading.board import match_meeples, place_meeple
from vision.reading.values import MeepleReading
from vision.survey.photo_border import group_by_side

MAX_QUESTIONS = 20
"""Maximum number of questions about a reading. A guess."""
MAX_CHOICES = 8
"""Maximum number of answers to a question. A guess."""
UNSEEN_OF_PILE = 2
"""Maximum number of pieces beyond those visible that an answer may add to a pile. A guess."""

_TRACK_QUESTIONS = {"track_laps_unknown": ("laps", "others"), "track_not_sure": ("space", "choices")}
"""Kind of question for each answerable problem of the score board, and the value that holds the alternatives."""

Totals = dict[str, int]
Points = frozenset[tuple[str, int]]
About = Literal["tile", "meeple", "player", "pile", "special", "border", "table", "track"]


class Choice(Model):
    """An answer: the `correction` it stands for, and the players' `final_scoring` with it.

    `probability` is None for values that the reader did not consider. `drawing` is the URL of a tile's drawing,
    `colour` the colour of a player's pieces.
    """

    label: str
    tile: str | None
    turns: int
    drawing: str | None
    colour: str | None = None
    probability: float | None
    final_scoring: Totals | None
    correction: Correction


class Question(Model):
    """A doubt: its square or meeple, its place in the photo that shows it best, and the choices.

    `text` is the question in a player's words. The first choice is the value as read, if any. `quad_px` is NW, NE, SE,
    SW of the square, or encloses a wonder or several pieces. A question about a player or a pile has the square of its
    most certain piece, one about the border that of a tile there, one about the table that of the wonder, or of a
    feature with the boxes' rules, whose points depend on the answer; `squares` are all its subjects. `foot_px` is the
    foot of the piece in question, None if there is no single piece or the photo does not show it. A question about the
    score track has an arbitrary square of the board, no `squares`, and `quad_px` of the score board.
    """

    about: About
    text: str
    square: Square
    squares: list[Square]
    meeple: str | None
    photo: int
    quad_px: list[Point]
    foot_px: Point | None = None
    choices: list[Choice]


def build_questions(review: Review, language: str = "en") -> list[Question]:
    """Build the questions, most important first; empty if no doubt can change a player's points."""
    return _Asker(review, load_words(language)).questions()


def build_drawing_url(
    tile: str | None, turns: int, square: int | None = None, place: str = "", colour: str = "", piece: str = ""
) -> str | None:
    """Build the URL of the drawing of a tile, with a piece on one of its parts; None for an unknown tile."""
    if tile is None:
        return None
    query = {"tile": tile, "turns": turns, "square": square, "place": place or None, "colour": colour or None}
    query["piece"] = piece if piece and piece != "meeple" else None
    return "/v1/tiles/drawing.svg?" + urlencode({key: value for key, value in query.items() if value is not None})


@dataclass(frozen=True, eq=False)
class _Asker:
    review: Review
    words: Words

    def questions(self) -> list[Question]:
        unknown = [square for square in self.review.doubts.unknown if square not in self._settled]
        subjects = {square: self._find_further_wonder(square) for square in unknown}
        wonders = list(dict.fromkeys(subject for subject in subjects.values() if subject))
        return [
            *self._tracks(),
            *self._borders(),
            *(self._question(self._list_others(subject)) for subject in wonders),
            *(self._unknown(square) for square, subject in subjects.items() if subject is None),
            *self._assumed(),
            *self._doubted(wonders),
        ][:MAX_QUESTIONS]

    def _tracks(self) -> Iterator[Question]:
        """Yield the questions on the score board: a player's number of laps, or a piece's space."""
        track = self.review.report.track
        for problem in self.review.report.board.problems if track else ():
            kind, key = _TRACK_QUESTIONS.get(problem.code, ("", ""))
            if track and key and problem.values.get(key):
                player = str(problem.values["player"])
                points = list(dict.fromkeys(map(int, str(problem.values[key]).split(", "))))
                read = [int(problem.values["points"])] if kind == "laps" else []
                yield self._asked_of_track(track, kind, player, list(dict.fromkeys([*read, *points])))

    def _asked_of_track(self, track: Track, kind: str, player: str, points: Sequence[int]) -> Question:
        name = self.review.report.names.get(player) or self.words.name("colour", player)
        return Question(
            about="track",
            text=self.words.say(f"ask-{kind}", player=name),
            square=next(iter(self.review.board.tiles)),
            squares=[],
            meeple=None,
            photo=track.photo,
            quad_px=[] if track.file else track.corners_px,
            choices=[self._points_on_track(player, had, had // track.lap) for had in points][:MAX_CHOICES],
        )

    def _points_on_track(self, player: str, points: int, laps: int) -> Choice:
        return Choice(
            label=self.words.say("laps-gone", points=points, n=laps),
            tile=None,
            turns=0,
            drawing=None,
            colour=player,
            probability=None,
            final_scoring=None,
            correction=SetTrack(colour=player, points=points),
        )

    def _find_further_wonder(self, square: Square) -> Subject | None:
        """Return the doubt whether a wonder lies on an unknown square, which is asked about before its tile."""
        further = (other for other in self._alternatives if isinstance(other, OtherWonder) and other.further)
        return next((other.subject for other in further if square in other.squares), None)

    def _list_others(self, subject: Subject) -> list[Alternative]:
        return [other for other in self._alternatives if other.subject == subject]

    def _assumed(self) -> Iterator[Question]:
        """Yield the questions on unstated facts: the numbers of players and tiles, and the boxes' rules played."""
        for assumption in self.review.doubts.assumptions:
            choices = [self._say_number(assumption, number, totals) for number, totals in assumption.totals.items()]
            if assumption.fact == "box_rules":
                slot = {"boxes": self.words.join(self.words.name("box", box) for box in _list_boxes(assumption))}
            else:
                slot = {"wonder": self.words.name("wonder", self._find_wonder_name(assumption.squares[0]))}
            text = self.words.say(f"ask-{assumption.fact}", **slot)
            yield self._asked("table", text, assumption.squares[0], None, assumption.squares, choices)

    def _say_number(self, assumption: Assumption, number: int, totals: Mapping[str, int]) -> Choice:
        correction: Correction
        if assumption.fact == "box_rules":
            correction = SetBoxRules(boxes=_list_boxes(assumption), played=number == PLAYED)
        else:
            correction = (SetPlayerCount if assumption.fact == "players" else SetTilesInPlay)(count=number)
        return Choice(
            label=self.words.say(f"{assumption.fact}-counted", n=number),
            tile=None,
            turns=0,
            drawing=None,
            probability=None,
            final_scoring={player: totals.get(player, 0) for player in sorted({*totals, *self._now})},
            correction=correction,
        )

    def _find_wonder_name(self, square: Square) -> str:
        wonder = self._find_wonder(square)
        assert wonder is not None
        return wonder.layout.id

    def _borders(self) -> Iterator[Question]:
        """Yield the question whether the board continues beyond the picture, on any side that cuts it."""
        open_squares = sorted(self.review.board.unseen - self.review.state.amended.going_on)
        if not self.review.doubts.is_cut_off or not open_squares:
            return
        tiles = [square for square in find_outer_neighbours(open_squares) if square in self.review.board.tiles]
        middle = np.mean(tiles, axis=0)
        tiles.sort(key=lambda square: float(np.hypot(*(square - middle))))
        by_side = group_by_side(open_squares, self.review.views[self._find_photo(tiles[0])].reading)
        several = "several" if len(by_side) > 1 else "one"
        choices = [
            self._border(self.words.say("border-ends", sides=several), open_squares, True, self._now),
            *(
                self._border(self.words.say("border-goes-on", sides=several, side=side), beyond, False, None)
                for side, beyond in by_side.items()
            ),
        ]
        yield self._asked("border", self.words.say("ask-border", sides=several), tiles[0], None, tiles, choices)

    def _border(self, label: str, squares: Sequence[Square], ends: bool, totals: Totals | None) -> Choice:
        return Choice(
            label=label,
            tile=None,
            turns=0,
            drawing=None,
            probability=None,
            final_scoring=totals,
            correction=SetBorder(squares=list(squares), ends=ends),
        )

    def _doubted(self, before: Collection[Subject]) -> list[Question]:
        """Return the questions on the report's doubts, each with all alternatives of its subject.

        Subjects asked `before` are left out.
        """
        to_review = self.review.doubts.to_review
        doubted = (subject for change in to_review for subject in change.subjects)
        subjects = dict.fromkeys(subject for subject in doubted if subject not in before)
        questions = [self._question(self._list_others(subject)) for subject in subjects]
        needed = {subject for change in self.review.doubts.mending for subject in change.subjects}
        needed |= {subject for change in to_review if change.also for subject in change.subjects}
        telling = [
            question
            for subject, question in zip(subjects, questions, strict=True)
            if subject in needed or self._compute_doubt(question) >= MIN_ASKED_PROBABILITY
        ]
        return sorted(telling, key=self._compute_stake, reverse=True)

    def _compute_doubt(self, question: Question) -> float:
        """Return the probability that the players' points differ from those read."""
        return sum(likely for points, likely in _share_points(question).items() if points != self._points_read)

    def _compute_stake(self, question: Question) -> float:
        """Return the expected change of points by the answer, summed over all players."""
        return sum(likely * self._count_changed(points) for points, likely in _share_points(question).items())

    def _count_changed(self, points: Points) -> int:
        totals, now = dict(points), self._now
        return sum(abs(totals.get(player, 0) - now.get(player, 0)) for player in {*totals, *now})

    @cached_property
    def _settled(self) -> set[Square]:
        return self.review.state.amended.settled

    @cached_property
    def _alternatives(self) -> list[Alternative]:
        alternatives = find_alternatives(self.review.views[0].reading, self.review.board)
        return sorted(alternatives, key=lambda other: -other.probability)

    @cached_property
    def _now(self) -> Totals:
        return dict(self.review.report.scores.final_scoring)

    @cached_property
    def _points_read(self) -> Points:
        return _freeze_points(self._now)

    def _totals(self, other: Alternative, correction: Correction) -> Totals:
        """Return the players' points under an alternative, as the report will show them after the correction."""
        totals = self._scored(other, correction)
        return {player: totals.get(player, 0) for player in sorted({*totals, *self._now})}

    def _scored(self, other: Alternative, correction: Correction) -> Mapping[str, int]:
        """Score an alternative; a full correction is previewed if meeples stand there, since only that moves them by
        their feet.
        """
        squares: tuple[Square, ...] = ()
        if isinstance(other, OtherTile):
            squares = (other.square,)
        elif isinstance(other, OtherWonder):
            squares = (*other.squares, *(other.placed.squares if other.placed else ()))
        if any(meeple.square in squares for meeple in self.review.board.meeples):
            return preview_totals(self.review, correction)
        changes = self.review.doubts.changes
        totals = next((change.totals for change in changes if change.alternative == other and not change.also), None)
        if totals is not None:
            return totals
        return compute_final_scoring(
            other.on(self.review.board), rules=self.review.rules, table=self.review.table
        ).totals

    def _question(self, others: Sequence[Alternative]) -> Question:
        first = others[0]
        left = max(0.0, 1 - sum(other.probability for other in others))
        if isinstance(first, OtherTile):
            return self._about_tile(
                first.square, left, [alternative for alternative in others if isinstance(alternative, OtherTile)]
            )
        if isinstance(first, OtherWonder) and first.coats:
            return self._about_wonder_coats(left, [other for other in others if isinstance(other, OtherWonder)])
        if isinstance(first, OtherWonder) and first.further:
            return self._about_further_wonder(left, [other for other in others if isinstance(other, OtherWonder)])
        if isinstance(first, OtherWonder):
            return self._about_wonder(
                first.squares, left, [alternative for alternative in others if isinstance(alternative, OtherWonder)]
            )
        if isinstance(first, OtherPlace):
            return self._about_meeple(
                first.meeple, left, [alternative for alternative in others if isinstance(alternative, OtherPlace)]
            )
        if isinstance(first, UnseenMarker):
            return self._about_marker(
                left, [alternative for alternative in others if isinstance(alternative, UnseenMarker)]
            )
        if isinstance(first, OtherPlayer):
            return self._about_player(left, [other for other in others if isinstance(other, OtherPlayer)])
        if isinstance(first, OtherCount):
            return self._about_pile(left, [other for other in others if isinstance(other, OtherCount)])
        if isinstance(first, OtherSpecial):
            return self._about_special(left, [other for other in others if isinstance(other, OtherSpecial)])
        return self._about_another(first, left)

    def _about_tile(self, square: Square, left: float, others: Sequence[OtherTile]) -> Question:
        row, col = square
        read = self._read_tile(self.review.board.tiles[square], square, left)
        choices = [
            self._tile(other.placement, other, NoTile(row=row, col=col))
            if other.placement is None
            else self._tile(other.placement, other, _set_tile(square, other.placement))
            for other in others
        ]
        tiles = [self.review.board.tiles[square], *(other.placement for other in others)]
        self._tell_tiles_apart([read, *choices], tiles)
        is_stood_on = any(meeple.square == square for meeple in self.review.board.meeples)
        text = word_tile_question(self.words, tiles, is_stood_on)
        return self._asked("tile", text, square, None, [square], [read, *choices])

    def _tell_tiles_apart(self, choices: Sequence[Choice], tiles: Sequence[Placement | None]) -> None:
        """Label tiles by their differences."""
        printed = [None if placement is None or placement.wonder else placement for placement in tiles]
        for choice, label in zip(choices, label_tiles(self.words, printed), strict=True):
            choice.label = label or choice.label

    def _about_wonder(self, squares: Sequence[Square], left: float, others: Sequence[OtherWonder]) -> Question:
        square = squares[0]
        choices = [self._read_tile(self.review.board.tiles[square], square, left)]
        choices += [self._wonder(other, square) for other in others]
        here = self._find_wonder(square)
        assert here is not None
        laid = [here, *(other.placed for other in others)]
        self._tell_copies_apart(choices, laid, here)
        alike = all(placed is not None and placed.is_copy_of(here) for placed in laid)
        name = self.words.name("wonder", here.layout.id)
        text = self.words.say("ask-wonder-edges", wonder=name) if alike else self.words.say("ask-tile")
        return self._asked("tile", text, square, None, squares, choices)

    def _about_further_wonder(self, left: float, others: Sequence[OtherWonder]) -> Question:
        """Build the question whether a wonder lies where other tiles were read; the first answer is none."""
        squares = others[0].squares
        row, col = squares[0]
        none = Choice(
            label=self.words.say("wonder-none"),
            tile=None,
            turns=0,
            drawing=None,
            probability=round_share(left),
            final_scoring=self._now,
            correction=NoWonder(row=row, col=col),
        )
        choices = [none, *(self._wonder(other, squares[0]) for other in others)]
        laid = [None, *(other.placed for other in others)]
        here = others[0].placed
        assert here is not None
        self._tell_copies_apart(choices, laid, here)
        self._tell_places_apart(choices, laid, here)
        names = {placed.layout.id for placed in laid if placed is not None}
        name = self.words.name("wonder", here.layout.id)
        text = self.words.say("ask-wonder", wonder=name) if len(names) == 1 else self.words.say("ask-wonders")
        return self._asked("tile", text, squares[0], None, squares, choices)

    def _wonder(self, other: OtherWonder, square: Square) -> Choice:
        """Build the answer that another wonder lies on a square, or none."""
        placed = other.placed
        correction: Correction = NoWonder(row=square[0], col=square[1])
        if placed is not None:
            correction = _set_wonder(placed, None if placed.layout.is_bare else dict(placed.layout.entry))
        return self._tile(placed.placements[placed.squares[0]] if placed else None, other, correction)

    def _tell_copies_apart(
        self, choices: Sequence[Choice], laid: Sequence[PlacedWonder | None], here: PlacedWonder
    ) -> None:
        """Add the edges in which copies of a wonder differ to their labels."""
        edges = [placed.edges if placed and placed.is_copy_of(here) else {} for placed in laid]
        telling_ends = [end for end in here.edges if len({kinds[end] for kinds in edges if kinds}) > 1]
        for choice, kinds in zip(choices, edges, strict=True):
            if kinds and telling_ends:
                choice.label = "; ".join([choice.label, *(self._say_edge(end, kinds[end]) for end in telling_ends)])

    def _tell_places_apart(
        self, choices: Sequence[Choice], laid: Sequence[PlacedWonder | None], here: PlacedWonder
    ) -> None:
        """Add the first square to the labels of a wonder that may lie in several places."""
        places = [placed for placed in laid if placed is not None]
        counts = Counter((placed.layout.id, frozenset(placed.squares)) for placed in places)
        names = Counter(name for name, _ in counts)
        for choice, placed in zip(choices, laid, strict=True):
            if placed is not None and names[placed.layout.id] > 1 and not placed.is_copy_of(here):
                where = self._number(min(placed.squares))
                choice.label = self.words.say("wonder-place", wonder=choice.label, **where)

    def _about_wonder_coats(self, left: float, others: Sequence[OtherWonder]) -> Question:
        """Build the question which coats of arms the cities of a wonder have; the wonder stays in place."""
        squares = others[0].squares
        here = self._find_wonder(squares[0])
        assert here is not None
        read = self._read_tile(self.review.board.tiles[squares[0]], squares[0], left)
        read.label = self._say_coats(here)
        read.correction = _set_wonder(here, settle_coats(here.layout))
        choices = [read]
        for other in others:
            assert other.placed is not None
            choice = self._tile(None, other, _set_wonder(other.placed, dict(other.placed.layout.entry)))
            choice.label = self._say_coats(other.placed)
            choices.append(choice)
        cities = list(dict.fromkeys(city for other in others for city, _ in other.list_coat_cities(self.review.board)))
        text = word_wonder_coat_question(self.words, here.layout.id, cities)
        first = cities[0][0] if len(cities) == 1 else squares[0]
        return self._asked("tile", text, first, None, squares, choices)

    def _number(self, square: Square) -> dict[str, str]:
        return number_words(square, self.review.board.origin)

    def _find_wonder(self, square: Square) -> PlacedWonder | None:
        return next((placed for placed in self.review.board.wonders if square in placed.squares), None)

    def _say_coats(self, wonder: PlacedWonder) -> str:
        """Name the squares with a wonder's coats of arms."""
        coats = [
            self.words.say("wonder-coat", **self._number(square))
            for square, cell in zip(wonder.squares, wonder.layout.cells, strict=True)
            if any(part.shields for part in cell.segments)
        ]
        return "; ".join(coats) or self.words.say("wonder-no-coat")

    def _say_edge(self, end: tuple[Square, str], kind: str) -> str:
        square, side = end
        side_word, kind_word = self.words.name("side", side), self.words.name("kind", kind)
        return self.words.say("wonder-edge", kind=kind_word, side=side_word, **self._number(square))

    def _unknown(self, square: Square) -> Question:
        """Build the question on an unknown tile: tiles the reader considered first, then those that fit."""
        row, col = square
        read = self._read_tile(None, square, None)
        tile = next(reading for reading in self.review.views[0].reading.tiles if (reading.row, reading.col) == square)
        thought = [OtherTile(square, Placement(o.tile, o.turns), o.probability) for o in tile.alternatives]
        read_layouts = {(other.placement.tile, other.placement.turns) for other in thought if other.placement}
        fitting = [OtherTile(square, p, 0.0) for p in self._fitting(square) if (p.tile, p.turns) not in read_layouts]
        choices = [
            self._tile(other.placement, other, _set_tile(square, other.placement))
            for other in (*thought, *fitting)
            if other.placement
        ]
        for choice in choices[len(thought) :]:
            choice.probability = None
        gone = self._tile(None, OtherTile(square, None, 0.0, empty=True), NoTile(row=row, col=col))
        gone.probability = None
        few = [read, *choices[: MAX_CHOICES - 2], gone]
        self._tell_tiles_apart(few, [Placement(one.tile, one.turns) if one.tile else None for one in few])
        return self._asked("tile", self.words.say("ask-tile"), square, None, [square], few)

    def _fitting(self, square: Square) -> Iterator[Placement]:
        """Yield the orientations of tiles, from the boxes on the table, that match all known neighbours, common tiles
        first.
        """
        around = {side: self.review.board.tiles.get(get_neighbour(square, side)) for side in SIDES}
        faced = {side: other.edge(get_opposite_side(side)) for side, other in around.items() if other is not None}
        if not faced:
            return
        catalogue = (
            load_catalogue("base", *self.review.board.expansions)
            if self.review.board.expansions
            else load_base_catalogue()
        )
        for tile, turns in sorted(
            list_layout_turns(catalogue), key=lambda layout_turns: -catalogue[layout_turns[0]].count
        ):
            placement = Placement(tile, turns)
            if all(placement.edge(side) == kind for side, kind in faced.items()):
                yield placement

    def _about_meeple(self, index: int, left: float, others: Sequence[OtherPlace]) -> Question:
        meeple = self.review.board.meeples[index]
        reading = self.review.views[0].reading
        number = match_meeples(reading.meeples, self.review.board).index(index)
        id = self.review.ids[number]
        choices = [self._meeple(meeple, left, self._now, Confirm(about="meeple", id=id))]
        for other in others:
            correction = NoMeeple(id=id) if other.instead is None else self._set_meeple(id, other.instead)
            choices.append(self._meeple(other.instead, other.probability, self._totals(other, correction), correction))
        standing = [meeple, *(other.instead for other in others)]
        self._tell_meeples_apart(choices, standing)
        text = word_meeple_question(self.words, standing, self.review.board)
        return self._asked("meeple", text, meeple.square, id, [meeple.square], choices)

    def _tell_meeples_apart(self, choices: Sequence[Choice], standing: Sequence[PlacedMeeple | None]) -> None:
        """Label pieces by their only difference, if there is just one."""
        difference = find_meeple_difference(standing)
        for choice, meeple in zip(choices, standing, strict=True):
            if meeple is not None and difference == "kind":
                choice.label = self.words.name("piece", meeple.kind)
            elif meeple is not None and difference == "colour":
                choice.label = label_player(self.words.language, meeple.colour, self.review.report.names)
            elif meeple is not None and difference == "place":
                choice.label = translate_place(self.words, self._place(meeple) or "")

    def _about_player(self, left: float, others: Sequence[OtherPlayer]) -> Question:
        """Build the question on a player's colour: as read first, then likely colours, then unused ones."""
        colour, board = others[0].colour, self.review.board
        pieces = [meeple for meeple in self.review.views[0].reading.meeples if meeple.colour == colour]
        surest = max(pieces, key=lambda meeple: meeple.confidence)
        squares = [(surest.row, surest.col), *((meeple.row, meeple.col) for meeple in pieces if meeple is not surest)]
        choices = [self._colour(colour, left, self._now, Confirm(about="player", colour=colour))]
        for other in others:
            correction = SetPlayerColour(colour=colour, instead=other.instead)
            choices.append(self._colour(other.instead, other.probability, self._totals(other, correction), correction))
        named = {colour, *(other.instead for other in others)}
        for free in (name for name in COLOURS if name not in {*named, *board.players}):
            correction = SetPlayerColour(colour=colour, instead=free)
            totals = self._totals(OtherPlayer(colour, free, 0.0), correction)
            choices.append(self._colour(free, None, totals, correction))
        text = self.words.say("ask-player")
        return self._asked("player", text, squares[0], None, list(dict.fromkeys(squares)), choices)

    def _about_pile(self, left: float, others: Sequence[OtherCount]) -> Question:
        """Build the question on the size of a pile: as read first, then likely numbers, and a few above those seen."""
        reading, numbers = self.review.views[0].reading, others[0].pile
        pieces = (*reading.meeples, *reading.possible_meeples)
        ids = [(*self.review.ids, *self.review.possible)[number] for number in numbers]
        piles = find_piles(reading.meeples, reading.possible_meeples)
        pile = next(pile for pile in piles if pile.pieces == numbers)
        choices = [self._count(pieces[numbers[0]].colour, pile.read, left, self._now, ids)]
        offered = {other.count: other for other in others if round_share(other.probability) > 0}
        for count in sorted({*offered, *range(len(numbers) + 1, len(numbers) + 1 + UNSEEN_OF_PILE)} - {pile.read}):
            other = offered.get(count) or build_other_count(pile, count, 0.0, reading, self.review.board)
            totals = self._totals(other, SetPile(ids=ids, count=count))
            likely = other.probability if count in offered else None
            choices.append(self._count(pieces[numbers[0]].colour, count, likely, totals, ids))
        squares = list(dict.fromkeys((pieces[number].row, pieces[number].col) for number in numbers))
        return self._asked("pile", self.words.say("ask-pile"), squares[0], ids[0], squares, choices)

    def _about_special(self, left: float, others: Sequence[OtherSpecial]) -> Question:
        """Build the question which piece of a player is the only one of a kind: as read first, then likely ones."""
        kind, pieces, board = others[0].kind, others[0].pieces, self.review.board
        numbers = match_meeples(self.review.views[0].reading.meeples, board)
        ids = {index: self.review.ids[numbers.index(index)] for index in pieces}
        read = next((index for index in pieces if board.meeples[index].kind == kind), None)
        choices = []
        for other in (OtherSpecial(kind, pieces, read, left), *others):
            special = other.special
            correction = SetSpecial.model_validate(
                {"piece": kind, "ids": [*ids.values()], "id": None if special is None else ids[special]}
            )
            totals = self._now if special == read else self._totals(other, correction)
            meeple = None if special is None else replace(board.meeples[special], kind=kind)
            choices.append(self._special(meeple, other.probability, totals, correction))
        squares = list(dict.fromkeys(board.meeples[index].square for index in pieces))
        text = self.words.say("ask-special", kind=kind)
        return self._asked("special", text, squares[0], ids[pieces[0]], squares, choices)

    def _special(
        self, meeple: PlacedMeeple | None, probability: float, totals: Totals, correction: Correction
    ) -> Choice:
        choice = self._meeple(meeple, probability, totals, correction)
        if meeple is None:
            return choice.model_copy(update={"label": self.words.say("special-none")})
        label = self.words.say("special-piece", **self._number(meeple.square), piece=choice.label)
        return choice.model_copy(update={"label": label})

    def _count(self, colour: str, count: int, likely: float | None, totals: Totals, ids: Sequence[str]) -> Choice:
        player = label_player(self.words.language, colour, self.review.report.names)
        label = self.words.say("pile-count", n=count, colour=player)
        return self._of_player(label, colour, likely, totals, SetPile(ids=list(ids), count=count))

    def _colour(self, colour: str, probability: float | None, totals: Totals, correction: Correction) -> Choice:
        return self._of_player(self.words.name("colour", colour), colour, probability, totals, correction)

    def _of_player(
        self, label: str, colour: str, probability: float | None, totals: Totals, correction: Correction
    ) -> Choice:
        return Choice(
            label=label,
            tile=None,
            turns=0,
            drawing=None,
            colour=colour,
            probability=None if probability is None else round_share(probability),
            final_scoring=totals,
            correction=correction,
        )

    def _about_marker(self, left: float, others: Sequence[UnseenMarker]) -> Question:
        """Build the question whose marker lies on a wonder without a visible one; the first answer is nobody's."""
        wonder, square = others[0].wonder, others[0].meeple.square
        nobodys = SetWonderOwner(wonder=wonder, colour=None)
        choices = [self._meeple(None, left, self._now, nobodys)]
        for other in others:
            owned = SetWonderOwner(wonder=wonder, colour=other.meeple.colour)
            choices.append(self._meeple(other.meeple, other.probability, self._totals(other, owned), owned))
        squares = next(
            placed_wonder.squares for placed_wonder in self.review.board.wonders if placed_wonder.layout.id == wonder
        )
        return self._asked("meeple", self.words.say("ask-marker"), square, None, squares, choices)

    def _about_another(self, other: Alternative, left: float) -> Question:
        """Build the question on a possible meeple beside those read; the first answer is none."""
        assert isinstance(other, AnotherMeeple)
        possible = self.review.views[0].reading.possible_meeples
        number = next(i for i, reading in enumerate(possible) if place_meeple(reading) == other.meeple)
        id = self.review.possible[number]
        choices = [self._meeple(None, left, self._now, Confirm(about="meeple", id=id))]
        places = list(_places(possible[number], other))
        for place in places:
            correction = self._set_meeple(id, place.meeple)
            choices.append(self._meeple(place.meeple, place.probability, self._totals(place, correction), correction))
        text = word_meeple_question(self.words, [None, *(place.meeple for place in places)], self.review.board)
        return self._asked("meeple", text, other.meeple.square, id, [other.meeple.square], choices)

    def _set_meeple(self, id: str, meeple: PlacedMeeple) -> SetMeeple:
        return SetMeeple.model_validate(
            {
                "id": id,
                "square": meeple.square,
                "place": self._place(meeple),
                "colour": meeple.colour,
                "piece": meeple.kind,
                "pose": "disc" if meeple.pose == "disc" else None,
            }
        )

    def _place(self, meeple: PlacedMeeple) -> str | None:
        placement = self.review.board.tiles.get(meeple.square)
        if placement is None or meeple.segment is None:
            return None
        return name_segment(placement.layout, placement.turns, meeple.segment)

    def _read_tile(self, placement: Placement | None, square: Square, probability: float | None) -> Choice:
        return Choice(
            label=self._tile_label(placement, empty=False),
            tile=placement.tile if placement else None,
            turns=placement.turns if placement else 0,
            drawing=_drawn(placement),
            probability=None if probability is None else round_share(probability),
            final_scoring=self._now,
            correction=Confirm(about="tile", row=square[0], col=square[1]),
        )

    def _tile(self, placement: Placement | None, other: OtherTile | OtherWonder, correction: Correction) -> Choice:
        return Choice(
            label=self._tile_label(placement, empty=placement is None and isinstance(other, OtherTile) and other.empty),
            tile=placement.tile if placement else None,
            turns=placement.turns if placement else 0,
            drawing=_drawn(placement),
            probability=round_share(other.probability),
            final_scoring=self._totals(other, correction),
            correction=correction,
        )

    def _tile_label(self, placement: Placement | None, empty: bool) -> str:
        if placement is None:
            return self.words.say("tile-none" if empty else "tile-unknown")
        if placement.wonder is not None:
            return self.words.name("wonder", placement.tile)
        return self.words.say("tile-drawn")

    def _meeple(
        self, meeple: PlacedMeeple | None, probability: float, totals: Totals, correction: Correction
    ) -> Choice:
        placement = self.review.board.tiles.get(meeple.square) if meeple else None
        place = (self._place(meeple) if meeple else None) or ""
        label = self.words.say("meeple-none")
        if meeple is not None:
            label = translate_meeple(self.words, meeple.colour, meeple.kind, place, self.review.report.names)
        return Choice(
            label=label,
            tile=placement.tile if placement else None,
            turns=placement.turns if placement else 0,
            drawing=_drawn(placement, place, meeple),
            probability=round_share(probability),
            final_scoring=totals,
            correction=correction,
        )

    def _asked(
        self,
        about: About,
        text: str,
        square: Square,
        meeple: str | None,
        squares: Sequence[Square],
        choices: Sequence[Choice],
    ) -> Question:
        photo = self._find_photo(square)
        crop = squares if about in ("tile", "special", "table") else [square]
        return Question(
            about=about,
            text=text,
            square=square,
            squares=list(squares),
            meeple=meeple,
            photo=photo,
            quad_px=self._quad(photo, crop),
            foot_px=self._find_foot(photo, meeple) if about == "meeple" else None,
            choices=_select_choices(choices),
        )

    def _find_foot(self, photo: int, id: str | None) -> Point | None:
        """Return the foot of the piece in question in a photo, None if the photo does not show it."""
        ids = [*self.review.ids, *self.review.possible]
        reading = self.review.views[photo].reading
        pieces = [*reading.meeples, *reading.possible_meeples]
        if photo != 0 or id not in ids or len(pieces) != len(ids):
            return None
        x, y = pieces[ids.index(id)].foot_px
        return round(float(x), 1), round(float(y), 1)

    def _find_photo(self, square: Square) -> int:
        """Return the index of the photo that shows a square best."""
        return next((n for n, view in enumerate(self.review.views) if square in view.best), 0)

    def _quad(self, photo: int, squares: Sequence[Square]) -> list[Point]:
        """Return the outline of some squares in a photo, including empty ones; of all squares if none is in view."""
        reading = self.review.views[photo].reading
        tiles = {(tile.row, tile.col): np.roll(tile.corners_px, tile.turns, axis=0) for tile in reading.tiles}
        quads = [tiles.get(square, project_square(reading.warp, square)) for square in squares]
        corners = [quad for quad in quads if quad is not None] or [*tiles.values()]
        together = np.concatenate(corners).astype(np.float32)
        quad = corners[0] if len(corners) == 1 else cv2.boxPoints(cv2.minAreaRect(together))
        return [(round(float(x), 1), round(float(y), 1)) for x, y in quad]


def _select_choices(choices: Sequence[Choice]) -> list[Choice]:
    """Return the answers to offer: the first, and the others at or above MIN_ASKED_PROBABILITY, at least one if any."""
    first, *others = choices
    likely = [other for other in others if other.probability is None or other.probability >= MIN_ASKED_PROBABILITY]
    return [first, *(likely or others[:1])][:MAX_CHOICES]


def _share_points(question: Question) -> dict[Points, float]:
    """Return the probability of each final scoring over a question's answers, which exclude each other."""
    shares: dict[Points, float] = defaultdict(float)
    for choice in question.choices:
        if choice.probability is not None:
            shares[_freeze_points(choice.final_scoring or {})] += choice.probability
    return shares


def _list_boxes(assumption: Assumption) -> list[str]:
    """Return the boxes whose rules are assumed to have been played."""
    return str(assumption.values["boxes"]).split(",")


def _freeze_points(totals: Mapping[str, int]) -> Points:
    return frozenset((player, points) for player, points in totals.items() if points)


def _set_tile(square: Square, placement: Placement) -> SetTile:
    return SetTile(row=square[0], col=square[1], tile=placement.tile, turns=placement.turns)


def _set_wonder(placed: PlacedWonder, layout: dict[str, Any] | None) -> SetWonder:
    row, col = placed.squares[0]
    return SetWonder(wonder=placed.layout.id, row=row, col=col, turns=placed.turns, layout=layout)


def _drawn(placement: Placement | None, place: str = "", meeple: PlacedMeeple | None = None) -> str | None:
    """Return the URL of a tile's drawing; a wonder with a layout other than the shipped one has none."""
    if placement is None or (placement.wonder and not is_shipped(placement.wonder)):
        return None
    colour, piece = (meeple.colour, meeple.kind) if meeple else ("", "")
    return build_drawing_url(placement.tile, placement.turns, placement.cell, place, colour, piece)


def _places(meeple: MeepleReading, other: AnotherMeeple) -> Iterator[AnotherMeeple]:
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
