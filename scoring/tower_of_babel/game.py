"""Tower of Babel as a game of spots (`scoring.spots.game.Game`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from scoring.spots.components import ComponentsError
from scoring.spots.game import Game, Laid, Scored, Spot
from scoring.tower_of_babel.board import COLOURS, build_table, list_spots
from scoring.tower_of_babel.components import Components, load_components
from scoring.tower_of_babel.final import SECTIONS, list_scoring_areas, score_table
from scoring.tower_of_babel.problems import find_problems, find_relevant_unknowns


class TowerOfBabel:
    """The rules; `track` spots hold each player's score before the final scoring."""

    name = "tower-of-babel"
    colours: tuple[str, ...] = COLOURS
    sections: Mapping[str, str] = SECTIONS

    def components(self, text: str | None) -> Components:
        """Return the components from a person's TOML, or those of every copy.

        Raises ComponentsError `components_invalid`.
        """
        return load_components(text)

    def missing(self, components: Components) -> Sequence[ComponentsError]:
        """Return the missing values that only the board prints: rows of the scoring table, bonuses for discs."""
        return components.missing()

    def spots(self, components: Components, players: Sequence[str], laid: Laid) -> tuple[Spot, ...]:
        """Return every spot of a table of these players; raise BoardError `bad_players`."""
        return list_spots(components, players, laid)

    def score(self, components: Components, players: Sequence[str], laid: Laid, check: bool = True) -> Scored:
        """Return the final scoring.

        There is no winner while anything relevant is unknown. Raises ComponentsError `component_missing`, BoardError
        `bad_players`, `strange_spot`.
        """
        laid_out = build_table(components, players, laid)
        entries = score_table(components, laid_out)
        totals = {player: sum(entry.points for entry in entries if entry.player == player) for player in players}
        unknown = find_relevant_unknowns(components, laid_out)
        on_track = {player: laid_out.track.get(player) for player in players}
        return Scored(
            entries,
            totals,
            tuple(list_scoring_areas(components, laid_out)),
            find_problems(components, laid_out) if check else (),
            unknown,
            on_track,
            () if unknown else _find_winners(totals, on_track),
        )


def _find_winners(totals: Mapping[str, int], on_track: Mapping[str, int | None]) -> tuple[str, ...]:
    """Return the players with most points in total; ties are shared. Return none if any player's points are unknown."""
    sums = {player: points + before for player, points in totals.items() if (before := on_track[player]) is not None}
    if len(sums) < len(totals):
        return ()
    return tuple(player for player, points in sums.items() if points == max(sums.values()))


GAME: Game = TowerOfBabel()
