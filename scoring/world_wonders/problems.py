"""All that is wrong with a table, as values: one read from photos is scored whatever lies on it, and says so."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator

from scoring.spots import Trouble
from scoring.world_wonders.board import Board, Piece, Table, unnamed
from scoring.world_wonders.components import Components
from scoring.world_wonders.forms import malformed
from scoring.world_wonders.kinds import BUILDINGS, RESOURCES, ROADS, TOWER
from scoring.world_wonders.placing import misplaced
from scoring.world_wonders.shapes import outline, turns

Placed = tuple[Board, Piece]


def problems_of(components: Components, table: Table) -> tuple[Trouble, ...]:
    """Codes: those of `forms` and `placing`, more_than_the_box, population_differs, same_objective."""
    found: list[Trouble] = []
    for board in table.boards.values():
        found += malformed(components, board)
        found += misplaced(components, board)
    return (
        *found,
        *_more_than_the_box(components, table),
        *_more_than_the_stacks(components, table),
        *_populations_that_differ(components, table),
        *_same_objectives(table),
    )


def _more_than_the_box(components: Components, table: Table) -> Iterator[Trouble]:
    """Roads by their length: a bridge is the back of a long road."""
    box, short = components.box, components.roads.short_set
    limits: list[tuple[str, int, Callable[[Piece], bool]]] = [
        (f"road of {length}", box.short_road_sets * short.count(length), _is_road_of(length))
        for length in sorted({*short})
    ]
    limits += [
        (f"road of {components.roads.long}", box.long_roads, _is_road_of(components.roads.long)),
        ("building tile", box.building_tiles, lambda piece: piece.kind in BUILDINGS),
        (TOWER, box.towers, lambda piece: piece.kind == TOWER),
        ("monument", len(components.monuments), lambda piece: piece.name.is_monument),
    ]
    limits += [(monument, 1, _is(monument)) for monument in components.monuments]
    for what, held, counts in limits:
        own = [(board, piece) for board in table.boards.values() for piece in board.pieces if counts(piece)]
        yield from _too_many(what, held, own)


def _more_than_the_stacks(components: Components, table: Table) -> Iterator[Trouble]:
    """Building tiles of a type and a shape, where both are known."""
    for stack in components.buildings.shapes or ():
        shapes = {frozenset(shape) for shape in turns(stack.squares)}
        own: dict[str, list[Placed]] = defaultdict(list)
        for board in table.boards.values():
            for piece in board.buildings:
                if outline(piece.squares) in shapes:
                    own[piece.kind].append((board, piece))
        for building, placed in own.items():
            if stack.tiles is not None:
                held = {str(kind): number for kind, number in stack.tiles.items()}.get(building, 0)
                yield from _too_many(f"{building} {stack.shape}", held, placed)


def _too_many(what: str, held: int, placed: list[Placed]) -> Iterator[Trouble]:
    if len(placed) > held:
        spots = tuple(spot for board, piece in placed for spot in board.spots(piece.squares))
        text = f"{len(placed)} of {what}, where the box holds {held}"
        yield Trouble("more_than_the_box", text, spots, {"number": len(placed), "what": what, "held": held})


def _populations_that_differ(components: Components, table: Table) -> Iterator[Trouble]:
    """ "Administrating Resources": a step for each symbol landed on or passed, and those on the cards of monuments."""
    for player, tracks in table.tracks.items():
        symbols = [getattr(components.board, resource).population for resource in RESOURCES]
        if None in symbols or not tracks.keys() >= {"population", *RESOURCES}:
            continue
        passed = sum(
            symbol <= tracks[resource] for resource, own in zip(RESOURCES, symbols, strict=True) for symbol in own
        )
        last, population = components.last("population"), tracks["population"]
        gained = _population_of_monuments(components, table.boards[player])
        least = min(last, passed + (gained or 0))
        if population < least or (gained is not None and population > least):
            spots = tuple(f"resource.{player}.{track}" for track in ("population", *RESOURCES))
            text = f"{player}: population {population}, where markers and monuments make it {least}"
            values: dict[str, int | str] = {"colour": player, "population": population, "least": least}
            yield Trouble("population_differs", text, spots, values)


def _population_of_monuments(components: Components, board: Board) -> int | None:
    """None where a monument's card is not known, or a monument may stand on a square nobody knows."""
    if board.unknown or [*unnamed(board)]:
        return None
    own = [components.monuments[piece.kind].population for piece in board.monuments]
    known = [population for population in own if population is not None]
    return sum(known) if len(known) == len(own) else None


def _same_objectives(table: Table) -> Iterator[Trouble]:
    places: dict[str, list[int]] = defaultdict(list)
    for number, card in table.objectives.items():
        if card is not None:
            places[card].append(number)
    for card, numbers in places.items():
        if len(numbers) > 1:
            spots = tuple(f"objective.{number}" for number in numbers)
            text = f"{card} lies on the table {len(numbers)} times"
            yield Trouble("same_objective", text, spots, {"objective": card, "number": len(numbers)})


def _is(kind: str) -> Callable[[Piece], bool]:
    return lambda piece: piece.kind == kind


def _is_road_of(length: int) -> Callable[[Piece], bool]:
    return lambda piece: piece.kind in ROADS and len(piece.squares) == length
