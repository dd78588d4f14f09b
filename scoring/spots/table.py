"""A table of spots with impossible values left out, ready for scoring."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from scoring.errors import BoardError
from scoring.spots.components import ComponentsError
from scoring.spots.game import Game, Laid, OwnBoardsGame, Scored, Spot, Value

MIN_LIKENESS = 0.6
"""Minimum similarity (difflib ratio) of a name to a mistyped one for it to be suggested. A guess."""
_MAX_ROUNDS = 8
"""Maximum number of rounds in which choices are updated: those of a spot may depend on the values of others. Bounds
time.
"""


@dataclass(frozen=True, slots=True, eq=False)
class Settled:
    """A table: its spots, their known values, and the rules and components for its score."""

    game: Game
    components: Any
    players: tuple[str, ...]
    spots: tuple[Spot, ...]
    laid: dict[str, Value]

    def piece(self, id: str) -> tuple[str, ...]:
        """Return the spots of the piece on a spot: those of the same kind, player and value.

        If no piece is there, return the spot alone.
        """
        spots = {spot.id: spot for spot in self.spots}
        value, start_spot = self.laid.get(id), spots.get(id)
        if start_spot is None or value is None or not is_piece(value):
            return (id,)
        return tuple(
            spot.id
            for spot in self.spots
            if self.laid.get(spot.id) == value and _get_family(spot) == _get_family(start_spot)
        )

    def scored(self) -> Scored:
        """Return the final scoring; raise as `Game.score` does."""
        return self.game.score(self.components, self.players, self.laid)

    def scored_with(self, instead: Laid) -> Scored:
        """Return the score with other values on some spots, without its troubles.

        Raises as `Game.score` does.
        """
        return self.game.score(self.components, self.players, {**self.laid, **instead}, check=False)


def settle_table(
    game: Game, components: Any, players: Sequence[str], laid: Laid, sure: Collection[str] | None = None
) -> Settled:
    """Return a table without impossible values, whose spots become unknown; a spot with a single choice gets that
    value.

    An impossible value of a `sure` spot (None: all spots) is an error: raises BoardError `spot_unknown`,
    `spot_value_impossible`, `bad_players`.
    """
    if strangers := [player for player in players if player not in game.colours]:
        text = f"Nobody plays {', '.join(strangers)} in this game"
        raise BoardError("bad_players", text, players=list(players), known=list(game.colours))
    table = dict(laid)
    for _ in range(_MAX_ROUNDS):
        spots = game.spots(components, tuple(players), table)
        choices = {spot.id: spot.choices for spot in spots}
        strange = {id: value for id, value in table.items() if value not in choices.get(id, ())}
        _refuse({id: value for id, value in strange.items() if sure is None or id in sure}, choices)
        only = {id: values[0] for id, values in choices.items() if len(values) == 1 and table.get(id) != values[0]}
        if not strange and not only:
            break
        table = {id: value for id, value in table.items() if id not in strange} | only
    return Settled(game, components, tuple(players), spots, table)


def rename_players(table: Settled, names: Mapping[str, str]) -> Settled:
    """Return a table after players change colours, by `names` from the old to the new, each new colour once.

    All values of a player move along, and those of one renamed to NOBODY are dropped. Raises BoardError as
    `settle_table` does.
    """
    renaming = find_renaming(table.game, table.components, names, table.laid)
    components = repaint_components(table.game, table.components, names)
    laid = {renaming.get(id, id): value for id, value in table.laid.items()}
    named = {names.get(player, player) for player in table.players}
    players = [colour for colour in table.game.colours if colour in named]
    return settle_table(table.game, components, players, laid, sure=())


def repaint_components(game: Game, components: Any, names: Mapping[str, str]) -> Any:
    """Return the components of a table after players change colours, by `names` from the old to the new."""
    return game.repaint_components(components, names) if names and isinstance(game, OwnBoardsGame) else components


def find_renaming(game: Game, components: Any, names: Mapping[str, str], laid: Laid) -> dict[str, str]:
    """Return the new ids of players' spots after players change colours, by `names` from the old to the new."""
    players = [colour for colour in game.colours if colour in {*names, *names.values()}]
    spots = _list_known_spots(game, components, players, laid)
    new_spots = _list_known_spots(game, repaint_components(game, components, names), players, {})
    ids = {(_get_role(spot), get_player(spot)): spot.id for spot in new_spots}
    renamed = ((spot.id, ids.get((_get_role(spot), names.get(str(get_player(spot)))))) for spot in spots)
    return {id: new for id, new in renamed if new is not None}


def _list_known_spots(game: Game, components: Any, players: Sequence[str], laid: Laid) -> tuple[Spot, ...]:
    """Return the spots of players, leaving out players with an unknown board of their own."""
    try:
        return game.spots(components, players, laid)
    except ComponentsError:
        if len(players) < 2:
            return ()
        return tuple(spot for player in players for spot in _list_known_spots(game, components, [player], laid))


def _get_role(spot: Spot) -> tuple[object, ...]:
    """Return the role of a spot, whoever it belongs to."""
    return spot.kind, *sorted((key, value) for key, value in spot.values.items() if key not in ("player", "colour"))


def fill_with_nothing(table: Settled, player: str | None = None) -> dict[str, Value]:
    """Return the values that "nothing more" stands for: each open spot that no photo shows is empty.

    With a `player`, only that player's spots. Impossible values are left out.
    """
    filled: dict[str, Value] = {}
    for _ in range(_MAX_ROUNDS):
        open_spots = [
            spot
            for spot in table.spots
            if spot.typed and spot.id not in table.laid and player in (None, get_player(spot))
        ]
        if not open_spots:
            break
        filled |= {spot.id: spot.choices[0] for spot in open_spots}
        table = settle_table(table.game, table.components, table.players, {**table.laid, **filled})
    return filled


def is_piece(value: Value) -> bool:
    """Return whether a value names a piece, which may cover several spots."""
    return isinstance(value, str) and "#" in value


def group_adjacent_spots(spots: Iterable[Spot]) -> Iterator[tuple[str, ...]]:
    """Yield spots' ids in groups: connected squares of one player's board, and all other spots alone."""
    left = {(_get_family(spot), _get_square(spot) or spot.id): spot.id for spot in spots}
    while left:
        fringe, ids = [next(iter(left))], []
        while fringe:
            here = fringe.pop()
            if here not in left:
                continue
            ids.append(left.pop(here))
            family, square = here
            if isinstance(square, tuple):
                row, col = square
                fringe += [(family, near) for near in ((row, col + 1), (row, col - 1), (row + 1, col), (row - 1, col))]
        yield tuple(ids)


def get_player(spot: Spot) -> object:
    """Return the player a spot belongs to; None if there is no single one."""
    return spot.values.get("player", spot.values.get("colour"))


def _get_square(spot: Spot) -> tuple[int, int] | None:
    row, col = spot.values.get("row"), spot.values.get("col")
    return (row, col) if isinstance(row, int) and isinstance(col, int) else None


def _get_family(spot: Spot) -> tuple[object, ...]:
    """Return the properties shared by all spots of a piece."""
    return spot.kind, spot.values.get("colour"), spot.values.get("player")


def _refuse(strange: Laid, choices: dict[str, tuple[Value, ...]]) -> None:
    for id, value in strange.items():
        if id not in choices:
            kinds = sorted({name.partition(".")[0] for name in choices})
            meant = _suggest(id, choices)
            raise BoardError("spot_unknown", f"The table has no spot {id}", spot=id, **meant, spots_begin_with=kinds)
        text, meant = f"{value} cannot lie on {id}", _suggest(str(value), map(str, choices[id]))
        raise BoardError("spot_value_impossible", text, spot=id, value=value, **meant, choices=list(choices[id]))


def _suggest(word: str, known: Iterable[str]) -> dict[str, str]:
    """Return the most likely intended name as a detail of an error; empty if no known name is similar.

    Among equally similar names, one with the same parts in another order comes first.
    """
    names = list(known)
    same_parts = [name for name in names if sorted(name.split(".")) == sorted(word.split("."))]
    meant = next(iter([*same_parts, *get_close_matches(word, names, 1, MIN_LIKENESS)]), None)
    return {} if meant is None or word.isdigit() else {"meant": meant}
