"""Questions about a table of spots: unknown spots first, then the doubts that can change points."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np

from api.documents.corrections import Correction
from api.documents.report import Point
from api.documents.spot_corrections import ConfirmSpot, SetPiece, SetPlayers, SetSpot, SetSpots
from api.documents.spot_question import SpotAnswer, SpotQuestion
from api.documents.tile_corrections import Confirm, SetPlayerColour
from api.i18n import Words, load_words
from api.i18n.report_text import label_player
from api.spots.review import TableReview
from api.spots.snapshot import SnapshotSpot
from api.spots.text import translate_spot_group, translate_value
from scoring.confidence import CONFIDENCE_SURE
from scoring.errors import BoardError
from scoring.percent import round_share
from scoring.spots.components import ComponentsError
from scoring.spots.doubts import SpotChange
from scoring.spots.game import Laid, NamingGame, Scored, Spot, Value, add_track
from scoring.spots.table import get_player, rename_players

MAX_QUESTIONS = 20
"""Maximum number of questions about a table. A guess."""
MAX_CHOICES = 40
"""Maximum number of answers to a question. A guess."""
MAX_COUNTED_ANSWERS = 80
"""Maximum number of answers that are scored; `final_scoring` of further ones is None. Bounds time."""


def build_spot_questions(review: TableReview, language: str = "en") -> list[SpotQuestion]:
    """Build the questions, most important first; empty if no doubt can change a player's points."""
    return _Asker(review, load_words(language)).questions()


@dataclass(eq=False)
class _Asker:
    review: TableReview
    words: Words
    counted: int = 0

    def questions(self) -> list[SpotQuestion]:
        """Build the questions on all doubts, and as many on unknown spots as fit beside them.

        Questions on a player's colour come first if spots of that player are unknown, since those are asked for by
        player; then the questions with the largest expected change of points.
        """
        doubts = self.review.doubts
        ranked: list[tuple[bool, float, SpotQuestion]] = []
        if doubts.confidence < CONFIDENCE_SURE:
            for spots in self._subjects():
                if not {*spots} & {*doubts.unknown}:
                    ranked.append((False, self._expect_doubted(spots), self._doubted(spots)))
            for question in self._about_players():
                ranked.append(
                    (not {*question.spots}.isdisjoint(self._beside_unknown), self._expect(question), question)
                )
            ranked = sorted(ranked, key=_rank)[:MAX_QUESTIONS]
        unseen = dict(self._list_unseen_boards())
        for player, spots in unseen.items():
            ranked.append((True, math.inf, self._ask_unseen(player, spots)))
        apart = {id for spots in unseen.values() for id in spots}
        pieces = dict.fromkeys(self.review.table.piece(id) for id in doubts.unknown if id not in apart)
        for spots in [piece for piece in pieces if self._is_choosable(piece)][: MAX_QUESTIONS - len(ranked)]:
            question = self._unknown(spots)
            ranked.append((False, self._expect_unknown(question), question))
        return [question for _, _, question in sorted(ranked, key=_rank)]

    @cached_property
    def _beside_unknown(self) -> frozenset[str]:
        """Return the spots of players with unknown spots."""
        unknown = {get_player(self._spots[id]) for id in self.review.doubts.unknown} - {None}
        return frozenset(id for id, spot in self._spots.items() if get_player(spot) in unknown)

    def _list_unseen_boards(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        """Yield each player with other visible spots but none of a kind that is asked about as a whole, with the spots
        of that kind.
        """
        unknown: dict[tuple[str, str], list[str]] = {}
        for id in self.review.doubts.unknown:
            spot, player = self._spots[id], get_player(self._spots[id])
            if player is not None and f"ask-unseen-{spot.kind}" in self.words:
                unknown.setdefault((str(player), spot.kind), []).append(id)
        whole = Counter((get_player(spot), spot.kind) for spot in self._spots.values())
        for (player, kind), spots in unknown.items():
            if len(spots) == whole[player, kind] and len(self.review.table.players) > 1:
                yield player, tuple(spots)

    def _ask_unseen(self, player: str, spots: tuple[str, ...]) -> SpotQuestion:
        """Build the question whether a player plays at all, if no photo shows their board but other parts of theirs are
        visible.
        """
        table = self.review.table
        name = label_player(self.words.language, player, self.review.report.names)
        kind = self._spots[spots[0]].kind
        absent = SetPlayers(colours=[colour for colour in table.players if colour != player])
        mine = [
            reading for id, reading in self._seen.items() if id in self._spots and get_player(self._spots[id]) == player
        ]
        return SpotQuestion(
            text=self.words.say(f"ask-unseen-{kind}", player=name),
            spot=spots[0],
            spots=list(spots),
            label=name,
            photo=mine[0].photo if mine else 0,
            quad_px=list(_quad([reading.outline_px for reading in mine if reading.photo == mine[0].photo])),
            choices=[
                SpotAnswer(
                    label=self.words.say(f"unseen-{kind}-absent", player=name),
                    value=absent.kind,
                    probability=None,
                    final_scoring=None,
                    correction=absent,
                )
            ],
        )

    @cached_property
    def _spots(self) -> dict[str, Spot]:
        return {spot.id: spot for spot in self.review.table.spots}

    @cached_property
    def _seen(self) -> dict[str, SnapshotSpot]:
        return {spot.id: spot for spot in self.review.snapshot.spots}

    def _unknown(self, spots: tuple[str, ...]) -> SpotQuestion:
        """Build the question on an unknown spot: values that the reader considered first, then all other choices.

        A piece whose place is known but not its name is asked about as a whole.
        """
        spot, now = self._spots[spots[0]], self.review.table.laid.get(spots[0])
        thought = {value: likely for id in reversed(spots) for value, likely in self._thought(id)}
        names = self._list_names(spot, now)
        others = [each for each in spot.choices if each not in (now, *names) and not self._list_names(spot, each)]
        order = [
            *sorted(names, key=lambda value: -thought.get(value, 0.0)),
            *sorted(others, key=lambda value: -thought.get(value, 0.0)),
        ]
        choices = [
            self._answer(
                spot, value, thought.get(value), spots, SetPiece(id=spot.id, value=value), named=value in names
            )
            for value in order[:MAX_CHOICES]
        ]
        return self._asked(spot, choices, spots, "ask-name" if names else "ask-spot")

    def _is_choosable(self, spots: tuple[str, ...]) -> bool:
        """Return whether an answer can be chosen from a list, unlike the equally likely numbers of a long track."""
        return len(self._spots[spots[0]].choices) <= MAX_CHOICES or any(self._thought(id) for id in spots)

    def _list_names(self, spot: Spot, value: Value | None) -> tuple[Value, ...]:
        """Return the possible names of an unnamed piece on a spot."""
        table = self.review.table
        if value is None or not isinstance(table.game, NamingGame):
            return ()
        return table.game.list_names(value, spot.choices, table.laid)

    def _thought(self, id: str) -> tuple[tuple[Value, float], ...]:
        return self._seen[id].alternatives if id in self._seen else ()

    def _subjects(self) -> Iterator[tuple[str, ...]]:
        """Yield the subjects of the doubts, each once: doubts about one piece or the same spots share a question."""
        groups: dict[tuple[str, ...], dict[str, None]] = {}
        for change in self.review.doubts.to_review:
            if change.player is not None:
                continue
            piece = self.review.table.piece(change.spots[0])
            groups.setdefault(piece if len(piece) > 1 else change.spots, {}).update(dict.fromkeys(change.spots))
        assigned: set[str] = set()
        for spots in groups.values():
            group = tuple(id for id in spots if id not in assigned)
            assigned.update(group)
            if group:
                yield group

    def _about_players(self) -> Iterator[SpotQuestion]:
        """Yield the questions on players' colours: the colour as read first, then likely ones, then unused ones."""
        by_player: dict[str, list[SpotChange]] = {}
        for change in self.review.doubts.to_review:
            if change.player is not None:
                by_player.setdefault(change.player, []).append(change)
        for player, changes in by_player.items():
            likely = {str(change.instead): change.probability for change in reversed(changes)}
            others = sorted(likely, key=lambda colour: -likely[colour])
            players = self.review.table.players
            others += [colour for colour in self.review.table.game.colours if colour not in {*likely, *players}]
            as_read = Confirm(about="player", colour=player)
            choices = [self._colour(player, max(0.0, 1 - sum(likely.values())), as_read)]
            for colour in others:
                correction = SetPlayerColour(colour=player, instead=colour)
                choices.append(self._colour(colour, likely.get(colour), correction, {player: colour, colour: player}))
            yield self._asked_of_player(player, choices, changes[0].spots)

    def _colour(
        self, colour: str, likely: float | None, correction: Correction, names: Mapping[str, str] | None = None
    ) -> SpotAnswer:
        """Build the answer that a player has a colour; `names` maps the colours that change with it."""
        table = self.review.table
        scored = (rename_players(table, names) if names else table).scored_with({})
        return SpotAnswer(
            label=label_player(self.words.language, colour, self.review.report.names),
            value=colour,
            probability=None if likely is None else round_share(likely),
            final_scoring=dict(scored.totals),
            on_track=dict(scored.on_track),
            correction=correction,
            colour=colour,
        )

    def _asked_of_player(self, player: str, choices: list[SpotAnswer], spots: Sequence[str]) -> SpotQuestion:
        """Build the question on all parts of a player; it shows the most certain one, resources and tracks first."""
        readings = [self._seen[id] for id in spots if id in self._seen and self._seen[id].outline_px]
        order = {"resource": 2, "track": 1}
        surest = max(
            readings, key=lambda spot: (order.get(self._spots[spot.id].kind, 0), spot.confidence), default=None
        )
        alike = [
            reading.outline_px
            for reading in readings
            if surest is not None and self._spots[reading.id].kind == "resource" and reading.photo == surest.photo
        ]
        return SpotQuestion(
            about="colour",
            text=self.words.say("ask-player"),
            spot=spots[0] if surest is None else surest.id,
            spots=list(spots),
            label=label_player(self.words.language, player, self.review.report.names),
            photo=0 if surest is None else surest.photo,
            quad_px=[] if surest is None else list(_quad(alike or [surest.outline_px])),
            choices=choices,
        )

    def _doubted(self, spots: tuple[str, ...]) -> SpotQuestion:
        """Build the question on spots as read, with each other value on those of the spots that may hold it."""
        spot, readings = self._spots[spots[0]], [self._seen[id] for id in spots]
        likeliest: dict[Value, float] = {}
        for reading in readings:
            for value, likely in reading.alternatives:
                if value in self._spots[reading.id].choices and value != reading.value:
                    likeliest[value] = max(likely, likeliest.get(value, 0.0))
        left = max(0.0, 1 - sum(likeliest.values()))
        read = SpotAnswer(
            label=translate_value(self.words, spot.kind, readings[0].value),
            value=readings[0].value,
            probability=round_share(left),
            final_scoring=dict(self.review.scored.totals),
            on_track=dict(self.review.scored.on_track),
            correction=SetSpots(ids=list(spots), value=readings[0].value)
            if len(spots) > 1
            else ConfirmSpot(id=spot.id),
        )
        choices = [
            self._answer(spot, value, likely, part, SetSpots(ids=list(part), value=value), len(part) < len(spots))
            for value, likely, part in self._others(spots, readings)
        ]
        return self._asked(spot, [read, *choices[: MAX_CHOICES - 1]], spots)

    def _others(
        self, spots: tuple[str, ...], readings: Sequence[SnapshotSpot]
    ) -> Iterator[tuple[Value, float, tuple[str, ...]]]:
        """Yield the alternatives with their probability and spots: from the doubts first, then the others, likeliest
        first.
        """
        changes = [
            change for change in self.review.doubts.changes if change.player is None and {*change.spots} <= {*spots}
        ]
        for change in changes:
            yield from ((change.instead, change.probability, part) for part in change.parts)
        named = {change.instead for change in changes}
        rest = [
            (value, likely, (reading.id,))
            for reading in readings
            for value, likely in reading.alternatives
            if value in self._spots[reading.id].choices and value not in named and value != reading.value
        ]
        yield from sorted(rest if len(spots) == 1 else [], key=lambda alternative: -alternative[1])

    def _answer(
        self,
        spot: Spot,
        value: Value,
        likely: float | None,
        spots: tuple[str, ...],
        together: SetPiece | SetSpots,
        partly: bool = False,
        named: bool = False,
    ) -> SpotAnswer:
        """Build the answer that a value lies on one spot, or on several by the correction `together`.

        With `partly`, only some of the question's spots have the value, and the label names them. A `named` piece is
        unique, so its number is omitted.
        """
        label = translate_value(self.words, spot.kind, str(value).partition("#")[0] if named else value)
        where = translate_spot_group(self.words, [self._spots[id] for id in spots], self.review.report.names)
        scored = self._score(dict.fromkeys(spots, value))
        return SpotAnswer(
            label=f"{label}: {where}" if partly else label,
            value=value,
            probability=None if likely is None else round_share(likely),
            final_scoring=None if scored is None else dict(scored.totals),
            on_track={} if scored is None else dict(scored.on_track),
            correction=together if len(spots) > 1 else SetSpot(id=spots[0], value=value),
        )

    def _score(self, instead: Laid) -> Scored | None:
        if self.counted >= MAX_COUNTED_ANSWERS:
            return None
        self.counted += 1
        try:
            return self.review.table.scored_with(instead)
        except (BoardError, ComponentsError):
            return None

    def _asked(
        self, spot: Spot, choices: list[SpotAnswer], spots: tuple[str, ...], words: str = "ask-spot"
    ) -> SpotQuestion:
        readings = [self._seen[id] for id in spots if id in self._seen]
        photo = readings[0].photo if readings else 0
        message = f"{words}-{spot.kind}"
        return SpotQuestion(
            text=self.words.say(message) if message in self.words else None,
            spot=spot.id,
            spots=list(spots),
            label=translate_spot_group(self.words, [self._spots[id] for id in spots], self.review.report.names),
            photo=photo,
            quad_px=list(_quad([reading.outline_px for reading in readings if reading.photo == photo])),
            choices=choices,
        )

    def _expect(self, question: SpotQuestion) -> float:
        """Return the expected change of the totals, summed over all players and answers."""
        return sum((choice.probability or 0.0) * self._moved_by(choice) for choice in question.choices)

    def _expect_doubted(self, spots: tuple[str, ...]) -> float:
        """Return the expected change by the doubts about some spots, which exclude each other."""
        changes = [
            change for change in self.review.doubts.changes if change.player is None and {*change.spots} <= {*spots}
        ]
        moved = sum(change.probability * self._moved(change.totals, change.on_track) for change in changes)
        return moved / max(1.0, sum(change.probability for change in changes))

    def _expect_unknown(self, question: SpotQuestion) -> float:
        """Return the expected change for an unknown spot; values the reader did not consider are equally likely."""
        counted = [choice for choice in question.choices if choice.final_scoring is not None]
        left = max(0.0, 1 - sum(choice.probability or 0.0 for choice in counted))
        others = [choice for choice in counted if choice.probability is None]
        each = left / len(others) if others else 0.0
        return sum(
            (each if choice.probability is None else choice.probability) * self._moved_by(choice) for choice in counted
        )

    def _moved_by(self, answer: SpotAnswer) -> int:
        return self._moved(answer.final_scoring, answer.on_track)

    def _moved(self, totals: Mapping[str, int] | None, on_track: Mapping[str, int | None]) -> int:
        if totals is None:
            return 0
        now = add_track(self.review.scored.totals, self.review.scored.on_track)
        then = add_track(totals, on_track)
        return sum(abs(then.get(player, 0) - now.get(player, 0)) for player in {*then, *now})


def _rank(entry: tuple[bool, float, SpotQuestion]) -> tuple[bool, float]:
    first, expected, _ = entry
    return not first, -expected


def _quad(outlines: Sequence[Sequence[Point]]) -> Iterator[Point]:
    """Yield the corners of a tight quadrilateral around spots: a spot's own corners if it has four."""
    rings = [np.asarray(outline, np.float32) for outline in outlines if outline]
    if not rings:
        return
    ring = np.concatenate(rings)
    for x, y in ring if len(ring) == 4 else cv2.boxPoints(cv2.minAreaRect(ring)):
        yield round(float(x), 1), round(float(y), 1)
