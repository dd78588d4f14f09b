"""All problems of a table, as values: a table read from photos is scored whatever it holds, with its problems
reported.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from functools import lru_cache

from scoring.connected_squares import group_connected_squares
from scoring.spots.game import Trouble
from scoring.world_wonders.board import MAX_CACHED_MAPS, Board, Piece, Table, find_unnamed_monuments
from scoring.world_wonders.components import ANY_SQUARE, LAND_SQUARE, WATER_SQUARE, Components, Monument
from scoring.world_wonders.kinds import BUILDINGS, RESOURCES, ROADS, TOWER, UNNAMED, Numbered
from scoring.world_wonders.shapes import can_cover_squares, list_quarter_turns, shift_to_origin

Placed = tuple[Board, Piece]


def find_problems(components: Components, table: Table) -> tuple[Trouble, ...]:
    """Return all problems of a table.

    Codes: too_many_pieces, too_many_roads, too_many_tiles, population_differs, same_objective, and those of a map by
    itself: broken_piece, wrong_shape, on_water, bridge_end_on_water, bridge_over_land, monument_terrain, no_first_road,
    lonely_road, lonely_building, lonely_tower, monument_not_beside, placed_in_no_order.
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
    return (*_find_form_problems(components, board), *_find_placement_problems(components, board))


def _find_excess_pieces(components: Components, table: Table) -> Iterator[Trouble]:
    box, named = components.box, components.monuments
    kinds = [kind for kind in dict.fromkeys(piece.kind for _, piece in _list_placed(table)) if kind in named]
    limits = {"building": box.building_tiles, TOWER: box.towers, UNNAMED: len(named), **dict.fromkeys(kinds, 1)}
    placed: dict[str, list[Placed]] = defaultdict(list)
    for board, piece in _list_placed(table):
        sorts = {"building"} if piece.kind in BUILDINGS else {UNNAMED} if piece.name.is_monument else set[str]()
        for what in sorts | {piece.kind}:
            placed[what].append((board, piece))
    for what, limit in limits.items():
        yield from _report_excess("too_many_pieces", {"value": what}, limit, placed[what])


def _find_excess_roads(components: Components, table: Table) -> Iterator[Trouble]:
    """Yield lengths of which there are too many roads; a bridge is the back of a long road."""
    box, long, short = components.box, components.roads.long, components.roads.short_set
    limits = {length: box.short_road_sets * short.count(length) for length in sorted({*short})}
    limits[long] = limits.get(long, 0) + box.long_roads
    for length, number in limits.items():
        roads = [
            (board, road) for board, road in _list_placed(table) if road.kind in ROADS and len(road.squares) == length
        ]
        yield from _report_excess("too_many_roads", {"length": length}, number, roads)


def _find_excess_tiles(components: Components, table: Table) -> Iterator[Trouble]:
    """Yield excess building tiles of a type and a shape, if both are known."""
    for stack in components.buildings.shapes or ():
        if stack.tiles is None:
            continue
        limits: dict[str, int] = dict.fromkeys(BUILDINGS, 0) | {**stack.tiles}
        shapes = {frozenset(shape) for shape in list_quarter_turns(stack.squares)}
        for building, number in limits.items():
            tiles = [(board, tile) for board, tile in _list_placed(table) if tile.kind == building]
            alike = [(board, tile) for board, tile in tiles if shift_to_origin(tile.squares) in shapes]
            yield from _report_excess("too_many_tiles", {"value": building, "form": stack.shape}, number, alike)


def _list_placed(table: Table) -> list[Placed]:
    return [(board, piece) for board in table.boards.values() for piece in board.pieces]


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


def _find_form_problems(components: Components, board: Board) -> Iterator[Trouble]:
    """Yield the violations by shapes and ground of the pieces on a map ("Placing Pieces on the Map").

    A piece beside an unknown square may continue there, so its shape is not judged.
    """
    for piece in board.pieces:
        card = components.monuments.get(piece.kind)
        if any(square in board.unknown for square in board.borders[piece.name]):
            whole = False
        elif _is_broken(piece, card):
            whole = False
            yield _build_trouble("broken_piece", board, piece, "lies in parts that do not touch")
        elif not (whole := _has_a_shape(components, piece, card)):
            yield _build_trouble("wrong_shape", board, piece, "has a shape that no such piece has")
        yield from _find_ground_problems(board, piece, card, whole)


def _find_ground_problems(board: Board, piece: Piece, card: Monument | None, whole: bool) -> Iterator[Trouble]:
    water = [board.terrain.is_water(square) for square in piece.squares]
    if piece.kind == "bridge":
        if whole and (water[0] or water[-1]):
            yield _build_trouble("bridge_end_on_water", board, piece, "does not start and end on land")
        elif whole and not any(water):
            yield _build_trouble("bridge_over_land", board, piece, "lies over no water, where a road is laid")
    elif not piece.name.is_monument:
        if any(water):
            yield _build_trouble("on_water", board, piece, "lies on water")
    elif card is not None and whole and not _suits_terrain(board, piece, card):
        yield _build_trouble("monument_terrain", board, piece, "stands where its card does not allow it")


def _is_broken(piece: Piece, card: Monument | None) -> bool:
    """Return whether a piece is in too many parts; only a monument's card states how many it may have."""
    if not piece.name.is_monument:
        return len(group_connected_squares(piece.squares)) > 1
    pieces = None if card is None else len(card.footprint) if card.footprint is not None else card.pieces
    if pieces is None or card is None:
        return False
    return len(group_connected_squares(piece.squares)) > (pieces if card.apart is not False else 1)


def _has_a_shape(components: Components, piece: Piece, card: Monument | None) -> bool:
    size = len(piece.squares)
    if piece.kind == "bridge":
        return size == components.roads.long and _is_straight(piece)
    if piece.kind == "road":
        return size in (components.roads.long, *components.roads.short_set) and _is_straight(piece)
    if piece.kind == TOWER:
        return components.towers.squares in (None, size)
    if piece.kind in BUILDINGS:
        stacks = components.buildings.shapes
        return stacks is None or any(
            shift_to_origin(piece.squares) in map(frozenset, list_quarter_turns(stack.squares)) for stack in stacks
        )
    parts = None if card is None else card.parts
    anywhere = [dict.fromkeys(part, ANY_SQUARE) for part in parts or ()]
    return parts is None or can_cover_squares(anywhere, dict.fromkeys(piece.squares, LAND_SQUARE))


def _suits_terrain(board: Board, piece: Piece, card: Monument) -> bool:
    """Return whether the ground matches a monument's card; natural resources count as land."""
    water = board.terrain.is_water
    ground = {square: WATER_SQUARE if water(square) else LAND_SQUARE for square in piece.squares}
    enough = [*ground.values()].count(WATER_SQUARE) >= (card.water or 0)
    return enough and (card.parts is None or can_cover_squares(card.parts, ground))


def _is_straight(piece: Piece) -> bool:
    return len({row for row, _ in piece.squares}) == 1 or len({col for _, col in piece.squares}) == 1


def _build_trouble(code: str, board: Board, piece: Piece, text: str, **values: int | str) -> Trouble:
    values |= {"colour": board.player} | piece.name.words
    return Trouble(code, f"{board.player}: {piece.name.said} {text}", board.spots(piece.squares), values)


def _find_placement_problems(components: Components, board: Board) -> Iterator[Trouble]:
    """Yield the pieces of a map that cannot have been placed legally ("Placing Pieces on the Map").

    The order of placement is unknown: a piece is rejected only if no order can have allowed it. A square of unknown
    content may hold any piece that is needed.
    """
    lonely = [piece for piece in board.pieces if not _may_lie(components, board, piece, board.borders.keys())]
    has_first_road = _has_first_road(board)
    for piece in lonely:
        if piece.name.is_monument:
            for what in _find_missing_neighbours(components, board, piece, board.borders.keys()):
                text = f"is not beside what its card asks for: {what}"
                yield _build_trouble("monument_not_beside", board, piece, text, beside=what)
        elif has_first_road or piece.kind not in ROADS:
            code, text = _describe_lonely(piece)
            yield _build_trouble(code, board, piece, text)
    if not has_first_road:
        text = f"{board.player}: no road lies at the Sidewalk, where the first must"
        yield Trouble("no_first_road", text, _list_spots(board, board.roads), {"colour": board.player})
    elif left := _find_unplaceable(components, board, lonely):
        text = f"{board.player}: {len(left)} pieces lie so that each needs another of them to be there before it"
        yield Trouble(
            "placed_in_no_order", text, _list_spots(board, left), {"colour": board.player, "pieces": len(left)}
        )


def _find_missing_neighbours(
    components: Components, board: Board, piece: Piece, placed: Set[Numbered]
) -> tuple[str, ...]:
    """Return the neighbours that a monument's card requires but are missing; one required twice must be there twice."""
    card = components.monuments.get(piece.kind)
    if card is None or piece.kind == UNNAMED:
        return ()
    there = _count_neighbours(board, piece, placed)
    return tuple(what for what, number in Counter(card.adjacent).items() if there[what] < number)


def _count_neighbours(board: Board, piece: Piece, placed: Set[Numbered]) -> Counter[str]:
    """Return the number of adjacent pieces and printed squares of each sort; land and water count even if covered."""
    counts: Counter[str] = Counter()
    for other in _list_adjacent(board, piece, placed):
        counts["road" if other.kind in ROADS else "monument" if other.name.is_monument else other.kind] += 1
        counts["building"] += other.kind in BUILDINGS
    terrain = board.terrain
    for near in board.borders[piece.name]:
        beyond = terrain.beyond(near)
        if beyond is not None:
            counts[beyond] += 1
        elif not terrain.is_green(near):
            counts["water" if terrain.is_water(near) else "natural-resource"] += 1
    return counts


def _may_lie(components: Components, board: Board, piece: Piece, placed: Set[Numbered]) -> bool:
    near = board.borders[piece.name]
    if any(square in board.unknown for square in near):
        return True
    if piece.name.is_monument:
        return not _find_missing_neighbours(components, board, piece, placed)
    beside = _list_adjacent(board, piece, placed)
    if piece.kind in ROADS:
        return _is_at_sidewalk(board, piece) or any(other.kind in (*ROADS, TOWER) for other in beside)
    if piece.kind == TOWER:
        return bool(beside)
    return any(other.kind in (*ROADS, piece.kind) for other in beside)


def _find_unplaceable(components: Components, board: Board, wrong_pieces: Sequence[Piece]) -> list[Piece]:
    """Return the pieces left after placing all possible ones in turn; pieces known to be wrong do not block others."""
    placed = {piece.name for piece in wrong_pieces}
    left = [piece for piece in board.pieces if piece.name not in placed]
    while more := {piece.name for piece in left if _may_lie(components, board, piece, placed)}:
        placed |= more
        left = [piece for piece in left if piece.name not in more]
    return left


def _has_first_road(board: Board) -> bool:
    bottom = board.terrain.rows - 1
    somewhere = any(row == bottom for row, _ in board.unknown)
    return somewhere or not board.roads or any(_is_at_sidewalk(board, road) for road in board.roads)


def _is_at_sidewalk(board: Board, piece: Piece) -> bool:
    return any(board.terrain.beyond(near) == "sidewalk" for near in board.borders[piece.name])


def _list_adjacent(board: Board, piece: Piece, placed: Set[Numbered]) -> list[Piece]:
    return [other for other in board.beside[piece.name] if other.name in placed]


def _describe_lonely(piece: Piece) -> tuple[str, str]:
    """Return the code of a piece without the neighbours it needs, and its text."""
    if piece.kind in ROADS:
        return "lonely_road", "lies beside no other road, no tower and not at the Sidewalk"
    if piece.kind in BUILDINGS:
        return "lonely_building", "lies beside no road and no other tile of its type"
    return f"lonely_{piece.kind}", "stands beside nothing"


def _list_spots(board: Board, pieces: Sequence[Piece]) -> tuple[str, ...]:
    return tuple(spot for piece in pieces for spot in board.spots(piece.squares))
