"""World Wonders as one of the games on spots (`scoring.spots.game.Game`)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from scoring.spots.components import ComponentsError, Fact
from scoring.spots.game import Game, Laid, Scored, Spot, Value
from scoring.world_wonders import final, objectives
from scoring.world_wonders.areas import build_areas
from scoring.world_wonders.board import Table, build_table, find_unnamed_monuments
from scoring.world_wonders.components import Components, load_components, repaint_maps
from scoring.world_wonders.final import (
    AUTOMATON,
    find_winner,
    is_automaton_game,
    list_scoring_areas,
    score_automaton,
    score_city,
)
from scoring.world_wonders.kinds import COLOURS, UNNAMED, parse_piece_name
from scoring.world_wonders.objectives import score_objectives
from scoring.world_wonders.places import list_spots, refuse_strange_spots
from scoring.world_wonders.problems import find_problems


class WorldWonders:
    """The rules of World Wonders."""

    name = "world-wonders"
    colours: tuple[str, ...] = COLOURS
    sections: Mapping[str, str] = {**final.SECTIONS, **objectives.SECTIONS}

    def components(self, text: str | None) -> Components:
        """Return the components from a person's TOML, or those of every copy.

        Raises ComponentsError `components_invalid`.
        """
        return load_components(text)

    def missing(self, components: Components) -> tuple[ComponentsError, ...]:
        """Return the missing values that every table's score needs, each as the error it would raise."""
        return components.missing()

    def repaint_components(self, components: Components, names: Mapping[str, str]) -> Components:
        """Return the components of a table after players change colours; on side B each player keeps the same map."""
        return repaint_maps(components, tuple(sorted(names.items())))

    def spots(self, components: Components, players: Sequence[str], laid: Laid) -> tuple[Spot, ...]:
        """Return every spot of a table of these players.

        Raises BoardError `bad_players`, ComponentsError `component_missing` for a map or the length of a track.
        """
        return list_spots(components, players, laid)

    def list_names(self, value: Value, choices: Sequence[Value], laid: Laid) -> tuple[Value, ...]:
        """Return the possible names of an unnamed monument, those not on the table first."""
        piece, standing = parse_piece_name(value), {*laid.values()}
        if piece is None or piece.kind != UNNAMED:
            return ()
        names = [
            choice
            for choice in choices
            if (named := parse_piece_name(choice)) is not None and named.is_monument and named.kind != UNNAMED
        ]
        return tuple(sorted(names, key=lambda name: name in standing))

    def score(self, components: Components, players: Sequence[str], laid: Laid, check: bool = True) -> Scored:
        """Return the final scoring; in solo play `automaton` has totals as well.

        There is no winner while anything is unknown. Raises ComponentsError `component_missing`, BoardError
        `bad_players`, `strange_spot`.
        """
        spots = list_spots(components, players, laid)
        refuse_strange_spots(spots, laid)
        table = build_table(components, players, laid)
        areas = {player: build_areas(board) for player, board in table.boards.items()}
        cards = tuple(score_objectives(components, table, areas))
        entries = (
            *(entry for player in players for entry in score_city(components, table, player, areas[player])),
            *(entry for entry, _ in cards if entry is not None),
            *(score_automaton(table) if is_automaton_game(table) else ()),
        )
        totals = dict.fromkeys(players, 0) | ({AUTOMATON: 0} if is_automaton_game(table) else {})
        for entry in entries:
            totals[entry.player] += entry.points
        unknown = tuple(_find_unknown_spots(table, spots, laid))
        return Scored(
            entries,
            totals,
            (
                *(area for player_areas in areas.values() for area in list_scoring_areas(player_areas)),
                *(area for _, area in cards),
            ),
            find_problems(components, table) if check else (),
            unknown,
            winners=() if unknown else _find_winners(table, totals),
        )


def _find_unknown_spots(table: Table, spots: Sequence[Spot], laid: Laid) -> Iterator[str]:
    yield from (spot.id for spot in spots if spot.id not in laid)
    for board in table.boards.values():
        for piece in find_unnamed_monuments(board):
            yield from board.spots(piece.squares)


def _find_winners(table: Table, totals: Mapping[str, int]) -> tuple[str, ...]:
    """Return the players with most points, then most Monuments; full ties are shared. A solo player plays the
    automaton.
    """
    if len(table.players) == 1:
        return (find_winner(totals),) if is_automaton_game(table) else ()
    ranks = {player: (totals[player], len(table.boards[player].monuments)) for player in table.players}
    return tuple(player for player, rank in ranks.items() if rank == max(ranks.values()))


GAME: Game = WorldWonders()


SIDES = ("A", "B")


def list_facts(components: Components) -> Iterator[Fact]:
    """Yield the sides of map and resource boards, whether the Mundo box is present, and each monument's rings."""
    yield Fact("map.side", "choice", "map-side", components.map.side, choices=SIDES, optional=True)
    yield Fact("resources.side", "choice", "resources-side", components.resources.side, choices=SIDES, optional=True)
    yield Fact("box.mundo", "switch", "mundo", components.box.mundo, optional=True)
    for id, card in components.monuments.items():
        yield Fact(f"monuments.{id}.rings", "number", "rings", card.rings, f"value-{id}", card.name, optional=True)
