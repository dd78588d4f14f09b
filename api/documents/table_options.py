"""A person's statements about a table beside its photos or its board, and questions about its points."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from api.documents.corrections import Correction, list_table_corrections
from api.documents.forms import AnyExplanation
from api.documents.spot_corrections import NothingMore, SetSpot
from api.documents.tile_corrections import SetBoxes, SetPlayerColour
from scoring.carcassonne.board.boxes import state_copies
from scoring.carcassonne.final.table import Table
from scoring.carcassonne.tiles.geometry import Square

SpotWord = SetSpot | SetPlayerColour
"""A typed fact about a printed board: the value of a spot, or the colour of a player."""


@dataclass(frozen=True, slots=True)
class TableOptions:
    """Facts about a table beside its photos or its board; a game ignores those that do not apply to it.

    `rules` names a rule set; None stands for that of the board, or today's. `track` holds points on the score track by
    colour, `spots` the values of spots and colours of players, `table` all other facts. With `nothing_more`, spots that
    no photo shows and no option sets are empty.
    """

    rules: str | None = None
    track: Mapping[str, int] = field(default_factory=dict)
    spots: Sequence[SpotWord] = ()
    nothing_more: bool = False
    names: Mapping[str, str] = field(default_factory=dict)
    table: Table = field(default_factory=Table)

    @property
    def corrections(self) -> list[Correction]:
        """Facts as corrections of a reading, except the rules and the score track, which are part of the reading."""
        rest = [NothingMore()] if self.nothing_more else []
        return [*self.spots, *rest, *list_table_corrections(self.table)]


def build_reading_options(
    rules: str, corrections: Sequence[Correction], track: Mapping[str, int] | None = None
) -> TableOptions:
    """Build the options of a reading whose `corrections` were stated before it; it uses their copies of boxes."""
    boxes: dict[str, int] = {}
    for stated in corrections:
        if isinstance(stated, SetBoxes):
            boxes = state_copies(boxes, stated.box, stated.count)
    return TableOptions(rules, track or {}, table=Table(boxes=boxes))


def list_table_facts(table: Table) -> dict[str, object]:
    """List the facts stated about a table, by the names of `TableGame.unfit_options`."""
    return {
        "players": table.player_count,
        "tiles_in_play": table.tiles_in_play,
        "goods": table.goods,
        "owner": table.owners,
        "box_rules": table.box_rules,
        "boxes": table.boxes,
    }


class NamedSquare(NamedTuple):
    """A square as people name it: row and column counted from 1 at the top left tile."""

    row: int
    col: int


@dataclass(frozen=True)
class Question:
    """A question: features by label, id or wonder's name, squares with a kind of feature (None: any), players, the
    lines.
    """

    features: tuple[str, ...] = ()
    places: tuple[tuple[str | None, Square | NamedSquare], ...] = ()
    players: tuple[str, ...] = ()
    lines: bool = False

    @property
    def is_open(self) -> bool:
        """Whether nothing in particular is asked, so that everything is explained."""
        return not (self.features or self.places or self.players or self.lines)


@dataclass(frozen=True, slots=True)
class ExplanationSource:
    """The source of an explanation: `text` is a file or a line; `rules` override the report's, `photo` is its photo.

    `options` are facts stated about the table, without the rules; `language` is that of the explanation.
    """

    text: str
    rules: str | None = None
    photo: Path | None = None
    wonders: Sequence[Path] = ()
    options: TableOptions = field(default_factory=TableOptions)
    language: str = "en"


@dataclass(frozen=True, slots=True)
class Explained:
    """An explanation, and the function that writes its picture to a file, if the game has such a picture."""

    explanation: AnyExplanation
    write_picture: Callable[[Path], None] | None = None
