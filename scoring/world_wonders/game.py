"""World Wonders as one of the games on spots (`scoring.spots.Game`)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from scoring.components import ComponentsError
from scoring.spots import Laid, Scored, Spot
from scoring.world_wonders.areas import Areas
from scoring.world_wonders.board import Table, table_of, unnamed
from scoring.world_wonders.components import Components, components, missing_in
from scoring.world_wonders.features import features_of
from scoring.world_wonders.final import SECTIONS, city_entries
from scoring.world_wonders.kinds import COLOURS
from scoring.world_wonders.places import require_spots, spots_of


class WorldWonders:
    """The rules of World Wonders."""

    name = "world-wonders"
    colours: tuple[str, ...] = COLOURS
    sections: Mapping[str, str] = SECTIONS

    def components(self, text: str | None) -> Components:
        """The components by a person's TOML, or those of every copy; raises ComponentsError `components_invalid`."""
        return components(text)

    def missing(self, components: Components) -> tuple[ComponentsError, ...]:
        """The values that the score of some table needs and nobody told, each as the error that it would raise."""
        return tuple(missing_in(components))

    def spots(self, components: Components, players: Sequence[str], laid: Laid) -> tuple[Spot, ...]:
        """Every spot of a table of these players.

        Raises BoardError `bad_players`, ComponentsError `component_missing` for a map or the length of a track.
        """
        return spots_of(components, players, laid)

    def score(self, components: Components, players: Sequence[str], laid: Laid) -> Scored:
        """The final scoring.

        Raises ComponentsError `component_missing`, BoardError `bad_players`, `strange_spot`.
        """
        spots = spots_of(components, players, laid)
        require_spots(spots, laid)
        table = table_of(components, players, laid)
        areas = {player: Areas(board) for player, board in table.boards.items()}
        entries = tuple(entry for player in players for entry in city_entries(components, table, player, areas[player]))
        totals = dict.fromkeys(players, 0)
        for entry in entries:
            totals[entry.player] += entry.points
        return Scored(
            entries,
            totals,
            tuple(area for own in areas.values() for area in features_of(own)),
            unknown=tuple(_unknown(table, spots, laid)),
            winners=_winners(table, totals),
        )


def _unknown(table: Table, spots: Sequence[Spot], laid: Laid) -> Iterator[str]:
    yield from (spot.id for spot in spots if spot.id not in laid)
    for board in table.boards.values():
        for piece in unnamed(board):
            yield from board.spots(piece.squares)


def _winners(table: Table, totals: Mapping[str, int]) -> tuple[str, ...]:
    """Most points, then most Monuments; who is equal in both wins as well."""
    monuments = Counter({player: len(board.monuments) for player, board in table.boards.items()})
    ranks = {player: (totals[player], monuments[player]) for player in table.players}
    return tuple(player for player, rank in ranks.items() if rank == max(ranks.values()))


GAME = WorldWonders()
