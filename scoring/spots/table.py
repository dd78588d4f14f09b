"""What lies on a table of spots, with what cannot lie there left out, as a game goes on to score it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from scoring.errors import BoardError
from scoring.spots.components import ComponentsError
from scoring.spots.game import Game, Laid, OwnBoardsGame, Scored, Spot, Value

MIN_LIKENESS = 0.6
"""Of a name to a mistyped one, as difflib counts it, so that it is suggested."""
_MAX_ROUNDS = 8
"""What may lie on a spot depends on what lies on others: so often it is asked anew."""


@dataclass(frozen=True, slots=True, eq=False)
class Settled:
    """A table: its spots, what lies where as far as it is known, and the rules and components it is scored by."""

    game: Game
    components: Any
    players: tuple[str, ...]
    spots: tuple[Spot, ...]
    laid: dict[str, Value]

    def piece(self, id: str) -> tuple[str, ...]:
        """Return the spots of the piece on a spot: those of its kind and player that hold the same.

        The spot alone else.
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
        """Return the final scoring; raises as `Game.score` does."""
        return self.game.score(self.components, self.players, self.laid)

    def scored_with(self, instead: Laid) -> Scored:
        """Return what it would be with other things on some spots, without its troubles.

        Raises as `Game.score` does.
        """
        return self.game.score(self.components, self.players, {**self.laid, **instead}, check=False)


def settle_table(
    game: Game, components: Any, players: Sequence[str], laid: Laid, sure: Collection[str] | None = None
) -> Settled:
    """Return a table without what cannot lie where it was seen: that is not known then. What alone can lie there does.

    Of the spots that are `sure` (None: all) such a thing is an error: raises BoardError `spot_unknown`,
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
    """Return a table whose players have other colours: by `names` from the old to the new, each new one once.

    All that is theirs goes with them. Raises BoardError as `settle_table` does.
    """
    renaming = find_renaming(table.game, table.components, names, table.laid)
    components = repaint_components(table.game, table.components, names)
    laid = {renaming.get(id, id): value for id, value in table.laid.items()}
    named = {names.get(player, player) for player in table.players}
    players = [colour for colour in table.game.colours if colour in named]
    return settle_table(table.game, components, players, laid, sure=())


def repaint_components(game: Game, components: Any, names: Mapping[str, str]) -> Any:
    """Return the components of a table whose players have other colours, by `names` from the old to the new."""
    return game.repaint_components(components, names) if names and isinstance(game, OwnBoardsGame) else components


def find_renaming(game: Game, components: Any, names: Mapping[str, str], laid: Laid) -> dict[str, str]:
    """Find what the spots of players are called under other colours, by `names` from the old to the new."""
    players = [colour for colour in game.colours if colour in {*names, *names.values()}]
    spots = _list_known_spots(game, components, players, laid)
    new_spots = _list_known_spots(game, repaint_components(game, components, names), players, {})
    ids = {(_get_role(spot), get_player(spot)): spot.id for spot in new_spots}
    renamed = ((spot.id, ids.get((_get_role(spot), names.get(str(get_player(spot)))))) for spot in spots)
    return {id: new for id, new in renamed if new is not None}


def _list_known_spots(game: Game, components: Any, players: Sequence[str], laid: Laid) -> tuple[Spot, ...]:
    """The spots of players, without those of whom a board that differs from the others' is not known."""
    try:
        return game.spots(components, players, laid)
    except ComponentsError:
        if len(players) < 2:
            return ()
        return tuple(spot for player in players for spot in _list_known_spots(game, components, [player], laid))


def _get_role(spot: Spot) -> tuple[object, ...]:
    """What a spot is, whosever it is."""
    return spot.kind, *sorted((key, value) for key, value in spot.values.items() if key not in ("player", "colour"))


def fill_with_nothing(table: Settled, player: str | None = None) -> dict[str, Value]:
    """Return what is said with "nothing more": that nothing is on each spot that no photo shows and nobody told of.

    With a `player`, on each of that player's. What nobody can have is left out.
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
    """Return whether a value names a piece, which may lie on several spots."""
    return isinstance(value, str) and "#" in value


def group_adjacent_spots(spots: Iterable[Spot]) -> Iterator[tuple[str, ...]]:
    """Yield spots' ids in groups: together are squares of one player's board that hang together by their sides."""
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
    """Whose spot it is; None where it is no single player's."""
    return spot.values.get("player", spot.values.get("colour"))


def _get_square(spot: Spot) -> tuple[int, int] | None:
    row, col = spot.values.get("row"), spot.values.get("col")
    return (row, col) if isinstance(row, int) and isinstance(col, int) else None


def _get_family(spot: Spot) -> tuple[object, ...]:
    """What the spots of a piece have in common."""
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
    """What was most likely meant, as a detail of an error; empty where the word is like nothing that is known.

    Of names that are equally like it, one with the same parts in another order goes before.
    """
    names = list(known)
    same_parts = [name for name in names if sorted(name.split(".")) == sorted(word.split("."))]
    meant = next(iter([*same_parts, *get_close_matches(word, names, 1, MIN_LIKENESS)]), None)
    return {} if meant is None or word.isdigit() else {"meant": meant}
