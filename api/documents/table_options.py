"""Facts about a table that a person states beside its photos or its board."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from api.documents.corrections import Correction, list_table_corrections
from api.documents.spot_corrections import NothingMore, SetSpot
from scoring.carcassonne.final.table import Table


@dataclass(frozen=True, slots=True)
class TableOptions:
    """Facts about a table beside its photos or its board; a game ignores those that do not apply to it.

    `rules` names a rule set; None stands for that of the board, or today's. `track` holds points on the score track by
    colour, `spots` the values of spots, `table` all other facts. With `nothing_more`, spots that no photo shows and no
    option sets are empty.
    """

    rules: str | None = None
    track: Mapping[str, int] = field(default_factory=dict)
    spots: Sequence[SetSpot] = ()
    nothing_more: bool = False
    names: Mapping[str, str] = field(default_factory=dict)
    table: Table = field(default_factory=Table)

    @property
    def corrections(self) -> list[Correction]:
        """Facts as corrections of a reading, except the rules and the score track, which are part of the reading."""
        rest = [NothingMore()] if self.nothing_more else []
        return [*self.spots, *rest, *list_table_corrections(self.table)]


def list_table_facts(table: Table) -> dict[str, object]:
    """List the facts stated about a table, by the names of `TableGame.unfit_options`."""
    return {
        "players": table.player_count,
        "tiles_in_play": table.tiles_in_play,
        "goods": table.goods,
        "owner": table.owners,
        "box_rules": table.box_rules,
    }
