"""Games whose board is printed: what lies at each of its spots, and what a game makes of that.

A spot is any place that is asked what lies there: the red parts on a wonder, a square of a map, a marker on a track, or
what a player holds. What lies on a whole table is a mapping from spots' ids to values; a spot that it does not name is
not known. Reading, corrections, doubts, the report and the page work on spots, whatever the game.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from scoring.score_entry import ScoreEntry, Values
from scoring.spots.components import ComponentsError

Value = int | str
Laid = Mapping[str, Value]
"""What lies where: a spot's id to its value."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A place of a table, and what may lie there: the first of `choices` where nothing does.

    `id` is the place's name on the table (letters, digits, and `.`, `-`, `_`), `kind` and `values` are what its words
    name (`parts` with wonder, colour and worth). `typed` where no photo shows it: a person says what is there.
    """

    id: str
    kind: str
    values: Values
    choices: tuple[Value, ...]
    typed: bool = False


@dataclass(frozen=True, slots=True)
class Area:
    """What scores as one: its kind, the spots that it is made of, and how many of it each player has.

    `size` is what the rules count, `squares` are those of a board with squares, as (row, col).
    """

    id: str
    kind: str
    spots: tuple[str, ...]
    size: int
    complete: bool
    players: Mapping[str, int] = field(default_factory=dict)
    squares: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Trouble:
    """Something on a table that the rules do not allow; `values` are what its text names, for other languages."""

    code: str
    text: str
    spots: tuple[str, ...] = ()
    values: Values = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Scored:
    """A table's final scoring: all points, what scores, what is not allowed, and whose points on the track are known.

    `totals` are the entries' sums for every player. `unknown` are spots that are not known and may change points;
    nothing is counted for them. `on_track` is what each player had before, None where that is not known, and {} in a
    game where nothing is scored before.
    """

    entries: tuple[ScoreEntry, ...]
    totals: Mapping[str, int]
    areas: tuple[Area, ...]
    troubles: tuple[Trouble, ...] = ()
    unknown: tuple[str, ...] = ()
    on_track: Mapping[str, int | None] = field(default_factory=dict)
    winners: tuple[str, ...] = ()


def add_track(totals: Mapping[str, int], on_track: Mapping[str, int | None]) -> dict[str, int]:
    """Return the points of the final scoring with those on the track; what is not known there counts as nothing."""
    return {
        player: totals.get(player, 0) + (on_track.get(player) or 0) for player in dict.fromkeys((*totals, *on_track))
    }


class Game(Protocol):
    """The rules of a game on spots; `Components` is what a copy's own board prints (`scoring.spots.components`)."""

    name: str
    """The game's name on the command line and in reports."""
    colours: tuple[str, ...]
    """Those that players may have."""
    sections: Mapping[str, str]
    """The section of the rule text that each rule of an entry stands in: its own words, or what `explain-section-*` of
    `api/i18n` names."""

    def components(self, text: str | None) -> Any:
        """Return the components by a person's TOML, or those of every copy.

        Raises ComponentsError `components_invalid`.
        """

    def missing(self, components: Any) -> Sequence[ComponentsError]:
        """Return the values that some table's score needs and nobody gave, each as the error that it would raise."""

    def spots(self, components: Any, players: Sequence[str], laid: Laid) -> tuple[Spot, ...]:
        """Return every spot of a table of these players; choices may depend on what lies there."""

    def score(self, components: Any, players: Sequence[str], laid: Laid, check: bool = True) -> Scored:
        """Return the final scoring; raises ComponentsError `component_missing`, BoardError for what cannot lie there.

        Without `check` its troubles are left out: for those who only ask what another table would bring.
        """


@runtime_checkable
class NamingGame(Protocol):
    """A game with pieces of which a reading may know only that they are one of several: each has a name of its own."""

    def list_names(self, value: Value, choices: Sequence[Value], laid: Laid) -> tuple[Value, ...]:
        """Return which of a spot's choices name what lies there by a value, the likelier first; () where it has one."""


@runtime_checkable
class OwnBoardsGame(Protocol):
    """A game whose players may have boards that differ in what is printed on them."""

    def repaint_components(self, components: Any, names: Mapping[str, str]) -> Any:
        """Return the components of a table whose players have other colours, by `names` from the old to the new.

        The board that lies before a player is the same as before.
        """


def find_strange_spot(spots: Iterable[Spot], laid: Laid) -> tuple[str, Value] | None:
    """Return the first spot, with its value, that a table does not have or where that cannot lie.

    There is none where all is well.
    """
    choices = {spot.id: spot.choices for spot in spots}
    return next(((name, value) for name, value in laid.items() if value not in choices.get(name, ())), None)
