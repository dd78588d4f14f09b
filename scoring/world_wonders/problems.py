"""All problems of a table, as values: a table read from photos is scored whatever it holds, with its problems
reported.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache, partial

from scoring.spots.game import Trouble
from scoring.world_wonders.board import MAX_CACHED_MAPS, Board, Piece, Table, find_unnamed_monuments
from scoring.world_wonders.components import Components
from scoring.world_wonders.forms import find_form_problems
from scoring.world_wonders.kinds import BUILDINGS, RESOURCES, ROADS, TOWER, UNNAMED
from scoring.world_wonders.placing import find_placement_problems
from scoring.world_wonders.shapes import list_quarter_turns, shift_to_origin

Placed = tuple[Board, Piece]


def find_problems(components: Components, table: Table) -> tuple[Trouble, ...]:
    """Return all problems of a table.

    Codes: those of `forms` and `placing`, too_many_pieces, too_many_roads, too_many_tiles, population_differs,
    same_objective.
    """
    return (
        *(trouble for board in table.boards.values() for trouble in _find_map_problems(components, board)),
        *_find_excess_pieces(components, table),
        *_find_excess_roads(components, table),
        *_find_excess_tiles(components, table),
        *_find_wrong_populations(components, table),
        *_find_repeated_objectives(table),
    )


@lru_cache(maxsize=MAX_CACHED_MAPS)
def _find_map_problems(components: Components, board: Board) -> tuple[Trouble, ...]:
    return (*find_form_problems(components, board), *find_placement_problems(components, board))


def _find_excess_pieces(components: Components, table: Table) -> Iterator[Trouble]:
    box, named = components.box, components.monuments
    limits: list[tuple[str, int, Callable[[Piece], bool]]] = [
        ("building", box.building_tiles, lambda piece: piece.kind in BUILDINGS),
        (TOWER, box.towers, lambda piece: piece.kind == TOWER),
        (UNNAMED, len(named), lambda piece: piece.name.is_monument),
        *((kind, 1, partial(_is_kind, kind)) for kind in _list_monument_kinds(table) if kind in named),
    ]
    for what, limit, counts in limits:
        yield from _report_excess("too_many_pieces", {"value": what}, limit, _list_placed(table, counts))


def _list_monument_kinds(table: Table) -> list[str]:
    return [*dict.fromkeys(piece.kind for board in table.boards.values() for piece in board.monuments)]


def _find_excess_roads(components: Components, table: Table) -> Iterator[Trouble]:
    """Yield lengths of which there are too many roads; a bridge is the back of a long road."""
    box, long, short = components.box, components.roads.long, components.roads.short_set
    limits = {length: box.short_road_sets * short.count(length) for length in sorted({*short})}
    limits[long] = limits.get(long, 0) + box.long_roads
    for length, number in limits.items():
        yield from _report_excess(
            "too_many_roads", {"length": length}, number, _list_placed(table, partial(_is_road, length))
        )


def _find_excess_tiles(components: Components, table: Table) -> Iterator[Trouble]:
    """Yield excess building tiles of a type and a shape, if both are known."""
    for stack in components.buildings.shapes or ():
        if stack.tiles is None:
            continue
        limits: dict[str, int] = dict.fromkeys(BUILDINGS, 0) | {**stack.tiles}
        shapes = {frozenset(shape) for shape in list_quarter_turns(stack.squares)}
        for building, number in limits.items():
            placed_tiles = [
                each
                for each in _list_placed(table, partial(_is_kind, building))
                if shift_to_origin(each[1].squares) in shapes
            ]
            yield from _report_excess("too_many_tiles", {"value": building, "form": stack.shape}, number, placed_tiles)


def _list_placed(table: Table, counts: Callable[[Piece], bool]) -> list[Placed]:
    return [(board, piece) for board in table.boards.values() for piece in board.pieces if counts(piece)]


def _report_excess(code: str, what: Mapping[str, int | str], limit: int, placed: list[Placed]) -> Iterator[Trouble]:
    if len(placed) > limit:
        spots = tuple(spot for board, piece in placed for spot in board.spots(piece.squares))
        named = ", ".join(map(str, what.values()))
        text = f"{len(placed)} of {named} lie on the maps, and the box holds {limit}"
        yield Trouble(code, text, spots, {"number": len(placed), "held": limit, **what})


def _find_wrong_populations(components: Components, table: Table) -> Iterator[Trouble]:
    """Yield wrong populations ("Administrating Resources": a step for each symbol passed, and those on monuments'
    cards).
    """
    for player, tracks in table.tracks.items():
        symbols = [getattr(components.board, resource).population for resource in RESOURCES]
        if None in symbols or not tracks.keys() >= {"population", *RESOURCES}:
            continue
        passed = sum(
            symbol <= tracks[resource] for resource, spaces in zip(RESOURCES, symbols, strict=True) for symbol in spaces
        )
        last, population = components.last("population"), tracks["population"]
        gained = _sum_monument_population(components, table.boards[player])
        least = min(last, passed + (gained or 0))
        if population < least or (gained is not None and population > least):
            spots = tuple(f"resource.{player}.{track}" for track in ("population", *RESOURCES))
            text = f"{player}: population {population}, where markers and monuments make it {least}"
            values: dict[str, int | str] = {"colour": player, "population": population, "least": least}
            yield Trouble("population_differs", text, spots, values)


def _sum_monument_population(components: Components, board: Board) -> int | None:
    """Return the population from monuments; None if a card is unknown, or an unknown square may hold a monument."""
    if board.unknown or [*find_unnamed_monuments(board)]:
        return None
    populations = [components.monuments[piece.kind].population for piece in board.monuments]
    known_populations = [population for population in populations if population is not None]
    return sum(known_populations) if len(known_populations) == len(populations) else None


def _find_repeated_objectives(table: Table) -> Iterator[Trouble]:
    places: dict[str, list[int]] = defaultdict(list)
    for number, card in table.objectives.items():
        if card is not None:
            places[card].append(number)
    for card, numbers in places.items():
        if len(numbers) > 1:
            spots = tuple(f"objective.{number}" for number in numbers)
            text = f"{card} lies on the table {len(numbers)} times"
            yield Trouble("same_objective", text, spots, {"value": card, "number": len(numbers)})


def _is_kind(kind: str, piece: Piece) -> bool:
    return piece.kind == kind


def _is_road(length: int, piece: Piece) -> bool:
    return piece.kind in ROADS and len(piece.squares) == length
