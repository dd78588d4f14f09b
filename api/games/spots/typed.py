"""The report of a table that somebody typed, by what this machine knows of the game's components."""

from __future__ import annotations

from api.games.spots.builder import build_table_report
from api.games.spots.registry import find_spot_game
from api.games.spots.schema import SpotReport
from api.games.spots.tables import Tables
from scoring.spots.table import settle_table
from scoring.spots.text import SpotTable


def build_typed_table_report(table: SpotTable, tables: Tables) -> SpotReport:
    """The report of a table; raises InputError `unsupported_game`, ComponentsError, BoardError."""
    rules = find_spot_game(table.game).rules
    components = rules.components(tables.components(table.game))
    players = sorted(table.players, key=lambda player: rules.colours.index(player) if player in rules.colours else -1)
    return build_table_report(settle_table(rules, components, players, table.laid))
