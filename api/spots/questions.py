"""Questions about a table of spots: unknown spots first, then the doubts that can change points.

Each kind of doubt is a `Kind`, which lists its doubts, asks about them and finds the truth in a label.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeVar

from api.documents.corrections import Correction
from api.documents.question import SpotAnswer, SpotQuestion
from api.documents.spot_corrections import ConfirmSpot, SetPiece, SetPlayers, SetSpots
from api.documents.tile_corrections import Confirm, SetPlayerColour
from api.i18n import load_words
from api.spots.asker import Asker, enclose_outlines
from api.spots.review import TableReview
from api.spots.snapshot import SnapshotSpot
from api.spots.text import translate_value
from scoring.percent import round_share
from scoring.player_colours import NOBODY
from scoring.spots.doubts import SpotChange
from scoring.spots.game import NamingGame, Spot, Value
from scoring.spots.table import get_player, rename_players

if TYPE_CHECKING:
    from api.spots.labelled_table import LabelledTable

MAX_QUESTIONS = 20
"""Maximum number of questions about a table. A guess."""
MAX_CHOICES = 40
"""Maximum number of answers to a question. A guess."""

Doubted = TypeVar("Doubted")
Spots = tuple[str, ...]


class Kind(ABC, Generic[Doubted]):
    """One kind of doubt. `Doubted` is its subject: some spots, or a player with the changes of their colour."""

    @abstractmethod
    def list_doubted(self, asker: Asker) -> Iterable[Doubted]:
        """List the doubts of this kind."""

    @abstractmethod
    def ask(self, asker: Asker, doubted: Doubted) -> SpotQuestion:
        """Build the question about a doubt; each answer carries the correction that it stands for."""

    @abstractmethod
    def rank(self, asker: Asker, question: SpotQuestion) -> tuple[bool, float]:
        """Return whether a question comes before all others, and the expected change of the totals by its answer."""

    def find_truth(self, question: SpotQuestion, table: LabelledTable, review: TableReview) -> Iterator[Correction]:
        """Yield the label's answer to a question, by default about the values of its spots; nothing if it has none."""
        return table.answer_about_spots(question, review)


class AskedDoubt(NamedTuple):
    """A question and the kind of its doubt."""

    kind: Kind[Any]
    question: SpotQuestion


class OtherValueKind(Kind[Spots]):
    """Another value of a spot, or of several spots that hold one thing."""

    def list_doubted(self, asker: Asker) -> Iterator[Spots]:
        """Yield the doubtful spots, each once: a doubt about a part of a piece is one about all of it."""
        groups: dict[Spots, None] = {}
        for change in asker.review.doubts.to_review:
            if change.player is None:
                piece = asker.review.table.piece(change.spots[0])
                groups[piece if len(piece) > 1 else change.spots] = None
        assigned, unknown = set[str](), {*asker.review.doubts.unknown}
        for spots in groups:
            group = tuple(id for id in spots if id not in assigned)
            assigned.update(group)
            if group and unknown.isdisjoint(group):
                yield group

    def ask(self, asker: Asker, doubted: Spots) -> SpotQuestion:
        """Build the question on spots as read, with each other value on those of the spots that may hold it."""
        spot, readings = asker.spots[doubted[0]], [asker.seen[id] for id in doubted]
        likeliest: dict[Value, float] = {}
        for value, likely in _list_alternatives(asker, readings):
            likeliest[value] = max(likely, likeliest.get(value, 0.0))
        value = readings[0].value
        read = SpotAnswer(
            label=translate_value(asker.words, spot.kind, value),
            value=value,
            probability=round_share(max(0.0, 1 - sum(likeliest.values()))),
            final_scoring=dict(asker.review.scored.totals),
            on_track=dict(asker.review.scored.on_track),
            correction=SetSpots(ids=list(doubted), value=value) if len(doubted) > 1 else ConfirmSpot(id=spot.id),
        )
        choices = [
            asker.offer(spot, value, likely, part, SetSpots(ids=list(part), value=value), len(part) < len(doubted))
            for value, likely, part in self._list_others(asker, doubted, readings)
        ]
        return asker.build_question(spot, [read, *choices[: MAX_CHOICES - 1]], doubted)

    @staticmethod
    def _list_others(
        asker: Asker, spots: Spots, readings: Sequence[SnapshotSpot]
    ) -> Iterator[tuple[Value, float, Spots]]:
        """Yield the alternatives with their probability and spots: from the doubts first, then the others, likeliest
        first.
        """
        changes = asker.list_changes(spots)
        for change in changes:
            yield from ((change.instead, change.probability, part) for part in change.parts)
        if len(spots) == 1:
            named = {change.instead for change in changes}
            rest = ((value, likely, spots) for value, likely in _list_alternatives(asker, readings))
            likeliest = sorted(rest, key=lambda alternative: -alternative[1])
            yield from (alternative for alternative in likeliest if alternative[0] not in named)

    def rank(self, asker: Asker, question: SpotQuestion) -> tuple[bool, float]:
        """Rank by the doubts about the spots, which exclude each other."""
        changes = asker.list_changes(question.spots)
        moved = sum(change.probability * asker.measure_change(change.totals, change.on_track) for change in changes)
        return False, moved / max(1.0, sum(change.probability for change in changes))


class ColourKind(Kind[tuple[str, Sequence[SpotChange]]]):
    """Another colour of all spots of a player."""

    def list_doubted(self, asker: Asker) -> Iterable[tuple[str, Sequence[SpotChange]]]:
        """List the players whose colours are doubtful, each with the changes."""
        by_player: dict[str, list[SpotChange]] = {}
        for change in asker.review.doubts.to_review:
            if change.player is not None:
                by_player.setdefault(change.player, []).append(change)
        return by_player.items()

    def ask(self, asker: Asker, doubted: tuple[str, Sequence[SpotChange]]) -> SpotQuestion:
        """Build the question on a player's colour: as read first, then likely colours, then unused ones.

        It shows the most certain spot of the player, resources and tracks first.
        """
        player, changes = doubted
        likely = {str(change.instead): change.probability for change in reversed(changes)}
        others = sorted(likely, key=lambda colour: -likely[colour])
        table, spots = asker.review.table, changes[0].spots
        others += [colour for colour in table.game.colours if colour not in {*likely, *table.players}]
        choices = [self._offer(asker, player, player, max(0.0, 1 - sum(likely.values())))]
        choices += [self._offer(asker, player, colour, likely.get(colour)) for colour in others]
        readings = [asker.seen[id] for id in spots if id in asker.seen and asker.seen[id].outline_px]
        order = {"resource": 2, "track": 1}
        surest = max(
            readings, key=lambda spot: (order.get(asker.spots[spot.id].kind, 0), spot.confidence), default=None
        )
        alike = [
            reading.outline_px
            for reading in readings
            if surest is not None and asker.spots[reading.id].kind == "resource" and reading.photo == surest.photo
        ]
        return SpotQuestion(
            about="colour",
            text=asker.words.say("ask-player"),
            spot=spots[0] if surest is None else surest.id,
            spots=list(spots),
            label=asker.label_player(player),
            photo=0 if surest is None else surest.photo,
            quad_px=[] if surest is None else enclose_outlines(alike or [surest.outline_px]),
            choices=choices,
        )

    @staticmethod
    def _offer(asker: Asker, player: str, colour: str, likely: float | None) -> SpotAnswer:
        """Build the answer that a player has a colour, or that nobody has it."""
        table, is_absent = asker.review.table, colour == NOBODY
        correction: Correction = Confirm(about="player", colour=player)
        if colour != player:
            table = rename_players(table, {player: colour, colour: player})
            correction = SetPlayerColour(colour=player, instead=colour)
        scored = table.scored_with({})
        return SpotAnswer(
            label=asker.words.say("player-absent", player=asker.label_player(player))
            if is_absent
            else asker.label_player(colour),
            value=colour,
            probability=None if likely is None else round_share(likely),
            final_scoring=dict(scored.totals),
            on_track=dict(scored.on_track),
            correction=correction,
            colour=None if is_absent else colour,
        )

    def rank(self, asker: Asker, question: SpotQuestion) -> tuple[bool, float]:
        """Rank first if nobody may have the colour, or spots of that player are unknown, since those are asked for by
        player.
        """
        spots = asker.spots
        unknown = {get_player(spots[id]) for id in asker.review.doubts.unknown} - {None}
        expected = sum(
            (choice.probability or 0.0) * asker.measure_change(choice.final_scoring, choice.on_track)
            for choice in question.choices
        )
        is_first = any(choice.value == NOBODY for choice in question.choices)
        return is_first or any(id in spots and get_player(spots[id]) in unknown for id in question.spots), expected

    def find_truth(self, question: SpotQuestion, table: LabelledTable, review: TableReview) -> Iterator[Correction]:
        """Yield the true colour of the player, or that nobody has it."""
        player = str(question.choices[0].colour)
        answers = {choice.value: choice.correction for choice in question.choices}
        is_absent = NOBODY in answers and player not in table.truth.table.players
        owner = NOBODY if is_absent else table.find_owner(player, review)
        yield answers.get(owner, SetPlayerColour(colour=player, instead=owner))


class UnseenBoardKind(Kind[tuple[str, Spots]]):
    """A player of whom no photo shows a board, while other parts of theirs are visible."""

    def list_doubted(self, asker: Asker) -> Iterable[tuple[str, Spots]]:
        """List these players, each with the spots of the board."""
        return asker.unseen_boards.items()

    def ask(self, asker: Asker, doubted: tuple[str, Spots]) -> SpotQuestion:
        """Build the question whether the player plays at all."""
        player, spots = doubted
        name, kind = asker.label_player(player), asker.spots[spots[0]].kind
        absent = SetPlayers(colours=[colour for colour in asker.review.table.players if colour != player])
        mine = [
            reading for id, reading in asker.seen.items() if id in asker.spots and get_player(asker.spots[id]) == player
        ]
        return SpotQuestion(
            text=asker.words.say(f"ask-unseen-{kind}", player=name),
            spot=spots[0],
            spots=list(spots),
            label=name,
            photo=mine[0].photo if mine else 0,
            quad_px=enclose_outlines([reading.outline_px for reading in mine if reading.photo == mine[0].photo]),
            choices=[
                SpotAnswer(
                    label=asker.words.say(f"unseen-{kind}-absent", player=name),
                    value=absent.kind,
                    probability=None,
                    final_scoring=None,
                    correction=absent,
                )
            ],
        )

    def rank(self, asker: Asker, question: SpotQuestion) -> tuple[bool, float]:
        """Rank before all others."""
        return True, math.inf

    def find_truth(self, question: SpotQuestion, table: LabelledTable, review: TableReview) -> Iterator[Correction]:
        """Yield the answer that the player does not play, if that is so."""
        absent = question.choices[0].correction
        if isinstance(absent, SetPlayers) and {*table.truth.table.players} <= {*absent.colours}:
            yield absent


class UnknownKind(Kind[Spots]):
    """An unknown spot, or a piece whose place is known but not its name."""

    def list_doubted(self, asker: Asker) -> Iterator[Spots]:
        """Yield the unknown spots whose value can be chosen from a list, unlike the equally likely numbers of a long
        track; each piece is one doubt.
        """
        apart = {id for spots in asker.unseen_boards.values() for id in spots}
        for spots in dict.fromkeys(
            asker.review.table.piece(id) for id in asker.review.doubts.unknown if id not in apart
        ):
            is_short = len(asker.spots[spots[0]].choices) <= MAX_CHOICES
            if is_short or any(asker.list_considered(id) for id in spots):
                yield spots

    def ask(self, asker: Asker, doubted: Spots) -> SpotQuestion:
        """Build the question on the spot: values that the reader considered first, then all other choices."""
        spot, now = asker.spots[doubted[0]], asker.review.table.laid.get(doubted[0])
        considered = {value: likely for id in reversed(doubted) for value, likely in asker.list_considered(id)}
        names = self._list_names(asker, spot, now)
        others = [one for one in spot.choices if one not in (now, *names) and not self._list_names(asker, spot, one)]
        order = chain(*(sorted(part, key=lambda value: -considered.get(value, 0.0)) for part in (names, others)))
        choices = [
            asker.offer(
                spot, value, considered.get(value), doubted, SetPiece(id=spot.id, value=value), named=value in names
            )
            for value in islice(order, MAX_CHOICES)
        ]
        return asker.build_question(spot, choices, doubted, "ask-name" if names else "ask-spot")

    @staticmethod
    def _list_names(asker: Asker, spot: Spot, value: Value | None) -> tuple[Value, ...]:
        """Return the possible names of an unnamed piece on a spot."""
        table = asker.review.table
        if value is None or not isinstance(table.game, NamingGame):
            return ()
        return table.game.list_names(value, spot.choices, table.laid)

    def rank(self, asker: Asker, question: SpotQuestion) -> tuple[bool, float]:
        """Rank by the expected change; values that the reader did not consider are equally likely."""
        counted = [choice for choice in question.choices if choice.final_scoring is not None]
        left = max(0.0, 1 - sum(choice.probability or 0.0 for choice in counted))
        others = [choice for choice in counted if choice.probability is None]
        each = left / len(others) if others else 0.0
        return False, sum(
            (each if choice.probability is None else choice.probability)
            * asker.measure_change(choice.final_scoring, choice.on_track)
            for choice in counted
        )


DOUBTED: Sequence[Kind[Any]] = (OtherValueKind(), ColourKind(), UnseenBoardKind())
"""Kinds of doubt about what was read; questions on unknown spots fill the rest of the list."""
UNKNOWN = UnknownKind()


def build_spot_questions(review: TableReview, language: str = "en") -> list[SpotQuestion]:
    """Build the questions, most important first; empty if no doubt can change a player's points."""
    return [entry.question for entry in ask_doubts(review, language)]


def ask_doubts(review: TableReview, language: str = "en") -> list[AskedDoubt]:
    """Build the questions on all doubts, and as many on unknown spots as fit beside them, most important first."""
    asker = Asker(review, load_words(language))

    def rank(entry: AskedDoubt) -> tuple[bool, float]:
        first, expected = entry.kind.rank(asker, entry.question)
        return not first, -expected

    doubts = sorted((entry for kind in DOUBTED for entry in _ask_all(kind, asker)), key=rank)[:MAX_QUESTIONS]
    return sorted([*doubts, *islice(_ask_all(UNKNOWN, asker), MAX_QUESTIONS - len(doubts))], key=rank)


def _ask_all(kind: Kind[Any], asker: Asker) -> Iterator[AskedDoubt]:
    return (AskedDoubt(kind, kind.ask(asker, doubted)) for doubted in kind.list_doubted(asker))


def _list_alternatives(asker: Asker, readings: Sequence[SnapshotSpot]) -> Iterator[tuple[Value, float]]:
    """Yield the other values that the reader considered for some spots, as far as they can lie there."""
    for reading in readings:
        for value, likely in reading.alternatives:
            if value in asker.spots[reading.id].choices and value != reading.value:
                yield value, likely
