"""Games with a printed board: the value of each spot, and the score that follows.

A spot is any place with a value: the red parts on a wonder, a square of a map, a marker on a track, or a player's
holdings. A whole table is a mapping from spots' ids to values; a spot not in it is unknown. Reading, corrections,
doubts, the report and the page all work on spots, for every game.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

from scoring.score_entry import ScoreEntry, Values
from scoring.spots.components import ComponentsError

Value = int | str
Laid = Mapping[str, Value]
"""Values by spot id."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A place on a table and its possible values; the first of `choices` means that it is empty.

    `id` is the place's name on the table (letters, digits, and `.`, `-`, `_`); `kind` and `values` determine its
    wording (`parts` with wonder, colour and worth). If `typed`, no photo shows it and a person enters the value.
    """

    id: str
    kind: str
    values: Values
    choices: tuple[Value, ...]
    typed: bool = False


@dataclass(frozen=True, slots=True)
class Area:
    """An area that scores as one: its kind, its spots, and each player's count on it.

    `size` is the number counted by the rules, and `squares` are those of a board with squares, as (row, col).
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
    """A violation of the rules on a table; `values` are the parts of its text, for other languages."""

    code: str
    text: str
    spots: tuple[str, ...] = ()
    values: Values = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Scored:
    """A table's final scoring: points, scoring areas, violations, and known points on the track.

    `totals` are the entries' sums for every player. `unknown` are spots without a value that may change points; they
    count as nothing. `on_track` is each player's score before the final scoring: None if unknown, and {} in a game that
    scores nothing before.
    """

    entries: tuple[ScoreEntry, ...]
    totals: Mapping[str, int]
    areas: tuple[Area, ...]
    troubles: tuple[Trouble, ...] = ()
    unknown: tuple[str, ...] = ()
    on_track: Mapping[str, int | None] = field(default_factory=dict)
    winners: tuple[str, ...] = ()


def add_track(totals: Mapping[str, int], on_track: Mapping[str, int | None]) -> dict[str, int]:
    """Return the points of the final scoring plus those on the track; unknown ones count as 0."""
    return {
        player: totals.get(player, 0) + (on_track.get(player) or 0) for player in dict.fromkeys((*totals, *on_track))
    }


class Game(Protocol):
    """The rules of a game on spots; `Components` are the printed values of a copy's board
    (`scoring.spots.components`).
    """

    name: str
    """Name of the game on the command line and in reports."""
    colours: tuple[str, ...]
    """Possible colours of players."""
    sections: Mapping[str, str]
    """Section of the rule text for each rule of an entry: its own wording, or a name in `explain-section-*` of
    `api/i18n`.
    """

    def components(self, text: str | None) -> Any:
        """Return the components from a person's TOML, or those of every copy.

        Raises ComponentsError `components_invalid`.
        """

    def missing(self, components: Any) -> Sequence[ComponentsError]:
        """Return the missing values that every table's score needs, each as the error it would raise."""

    def spots(self, components: Any, players: Sequence[str], laid: Laid) -> tuple[Spot, ...]:
        """Return every spot of a table of these players; choices may depend on the values laid."""

    def score(self, components: Any, players: Sequence[str], laid: Laid, check: bool = True) -> Scored:
        """Return the final scoring; raise ComponentsError `component_missing`, or BoardError for impossible values.

        Without `check`, troubles are left out: for callers that only compare totals.
        """


@runtime_checkable
class NamingGame(Protocol):
    """A game with individually named pieces, which a reading may only narrow down to several names."""

    def list_names(self, value: Value, choices: Sequence[Value], laid: Laid) -> tuple[Value, ...]:
        """Return the choices of a spot that name the piece read as a value, most likely first; () if the value is a
        name already.
        """


@runtime_checkable
class OwnBoardsGame(Protocol):
    """A game whose players may have boards with different prints."""

    def repaint_components(self, components: Any, names: Mapping[str, str]) -> Any:
        """Return the components of a table after players change colours, by `names` from the old to the new.

        The board in front of each player stays the same.
        """


def find_strange_spot(spots: Iterable[Spot], laid: Laid) -> tuple[str, Value] | None:
    """Return the first spot and value that are impossible on a table; None if all are possible."""
    choices = {spot.id: spot.choices for spot in spots}
    return next(((name, value) for name, value in laid.items() if value not in choices.get(name, ())), None)
