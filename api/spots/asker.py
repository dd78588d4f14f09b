"""Review of a table of spots as the kinds of doubt see it: its spots, scores under an answer, parts of questions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np

from api.documents.question import SpotAnswer, SpotQuestion
from api.documents.report import Point
from api.documents.spot_corrections import SetPiece, SetSpot, SetSpots
from api.i18n import Words
from api.i18n.report_text import label_player
from api.spots.review import TableReview
from api.spots.snapshot import SnapshotSpot
from api.spots.text import translate_spot_group, translate_value
from scoring.errors import BoardError
from scoring.percent import round_share
from scoring.spots.components import ComponentsError
from scoring.spots.doubts import SpotChange
from scoring.spots.game import Laid, Scored, Spot, Value, add_track
from scoring.spots.table import get_player

MAX_COUNTED_ANSWERS = 80
"""Maximum number of answers that are scored; `final_scoring` of further ones is None. Bounds time."""


@dataclass(eq=False)
class Asker:
    """Builds questions and answers about a review, in the `words` of a language; `counted` answers were scored."""

    review: TableReview
    words: Words
    counted: int = 0

    @cached_property
    def spots(self) -> dict[str, Spot]:
        """The spots of the table by id."""
        return {spot.id: spot for spot in self.review.table.spots}

    @cached_property
    def seen(self) -> dict[str, SnapshotSpot]:
        """The spots as read by id."""
        return {spot.id: spot for spot in self.review.snapshot.spots}

    def label_player(self, player: str) -> str:
        """Return a player's name, or else the colour."""
        return label_player(self.words.language, player, self.review.report.names)

    def label_spots(self, ids: Sequence[str]) -> str:
        """Name some spots that hold one thing."""
        return translate_spot_group(self.words, [self.spots[id] for id in ids], self.review.report.names)

    def list_considered(self, id: str) -> tuple[tuple[Value, float], ...]:
        """Return the other values that the reader considered for a spot."""
        return self.seen[id].alternatives if id in self.seen else ()

    def list_changes(self, spots: Sequence[str]) -> list[SpotChange]:
        """List the changes that concern only these spots, which exclude each other."""
        changes = self.review.doubts.changes
        return [change for change in changes if change.player is None and {*change.spots} <= {*spots}]

    def offer(
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
        scored = self._score(dict.fromkeys(spots, value))
        return SpotAnswer(
            label=f"{label}: {self.label_spots(spots)}" if partly else label,
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

    def build_question(
        self, spot: Spot, choices: list[SpotAnswer], spots: tuple[str, ...], words: str = "ask-spot"
    ) -> SpotQuestion:
        """Build the question about some spots of one kind, in the words of that kind if there are any."""
        readings = [self.seen[id] for id in spots if id in self.seen]
        photo = readings[0].photo if readings else 0
        message = f"{words}-{spot.kind}"
        return SpotQuestion(
            text=self.words.say(message) if message in self.words else None,
            spot=spot.id,
            spots=list(spots),
            label=self.label_spots(spots),
            photo=photo,
            quad_px=enclose_outlines([reading.outline_px for reading in readings if reading.photo == photo]),
            choices=choices,
        )

    @cached_property
    def unseen_boards(self) -> dict[str, tuple[str, ...]]:
        """The players with other visible spots but none of a kind that is asked about as a whole, with these spots."""
        unknown: dict[tuple[str, str], list[str]] = {}
        whole = Counter((get_player(spot), spot.kind) for spot in self.spots.values())
        for id in self.review.doubts.unknown:
            spot, player = self.spots[id], get_player(self.spots[id])
            if player is not None and f"ask-unseen-{spot.kind}" in self.words:
                unknown.setdefault((str(player), spot.kind), []).append(id)
        return {
            player: tuple(spots)
            for (player, kind), spots in unknown.items()
            if len(spots) == whole[player, kind] and len(self.review.table.players) > 1
        }

    def measure_change(self, totals: Mapping[str, int] | None, on_track: Mapping[str, int | None]) -> int:
        """Return the change of the totals, summed over all players; 0 if they are unknown."""
        if totals is None:
            return 0
        now = add_track(self.review.scored.totals, self.review.scored.on_track)
        then = add_track(totals, on_track)
        return sum(abs(then.get(player, 0) - now.get(player, 0)) for player in {*then, *now})


def enclose_outlines(outlines: Sequence[Sequence[Point]]) -> list[Point]:
    """Return the corners of a tight quadrilateral around spots: a spot's own corners if it has four."""
    rings = [np.asarray(outline, np.float32) for outline in outlines if outline]
    if not rings:
        return []
    ring = np.concatenate(rings)
    corners = ring if len(ring) == 4 else cv2.boxPoints(cv2.minAreaRect(ring))
    return [(round(float(x), 1), round(float(y), 1)) for x, y in corners]
