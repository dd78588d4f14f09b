"""The final scoring ("End of Game and Scoring"): each point of a player's city with its rule and its squares, and solo
play.

Ids of areas begin with the player, because maps lie side by side.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from scoring.score_entry import ScoreEntry, Values
from scoring.spots.game import Area
from scoring.world_wonders.areas import Areas
from scoring.world_wonders.board import MAX_CACHED_MAPS, Board, Table
from scoring.world_wonders.components import Components
from scoring.world_wonders.kinds import RESOURCES, UNNAMED
from scoring.world_wonders.terrain import Square

SECTIONS = {
    "population.rings": "world-population",
    "resource.least": "world-resource",
    "monument.rings": "world-monuments",
    "natural.adjacent": "world-natural",
    "district.surrounded": "world-districts",
    "loan.unpaid": "world-loans",
    "solo.resources": "world-solo-resources",
    "solo.monuments": "world-solo-hard",
}
"""Section of the rule text for each rule of an entry, as named by `explain-section-*` of `api/i18n`."""
AUTOMATON = "automaton"
"""Name of the automaton in entries."""


def score_city(components: Components, table: Table, player: str, areas: Areas) -> Iterator[ScoreEntry]:
    """Yield a player's points that do not depend on other players; unknown values score nothing.

    Raises ComponentsError `component_missing`.
    """
    tracks = table.tracks[player]
    if "population" in tracks:
        yield _score_population(components, player, tracks["population"])
    if tracks.keys() >= {*RESOURCES}:
        yield _score_least_resource(player, tracks)
    yield from _score_monuments(components, areas.board)
    for square in areas.natural_resources:
        yield ScoreEntry(player, 1, f"{player}.{_name_natural(square)}", "natural.adjacent", "beside a piece")
    for piece in areas.districts:
        text = f"{piece.name.said}, surrounded on all sides"
        yield ScoreEntry(player, 1, f"{player}.{piece.name.id}", "district.surrounded", text, piece.name.words)
    if table.loans.get(player):
        lost = components.loans.unpaid
        yield ScoreEntry(player, -lost, "", "loan.unpaid", f"-{lost}", {"points": lost})


def _name_natural(square: Square) -> str:
    return f"natural-{square[0]}-{square[1]}"


def _score_population(components: Components, player: str, space: int) -> ScoreEntry:
    rings = sum(ring <= space for ring in components.population_rings())
    text = f"space {space}, rings reached or passed: {rings}"
    return ScoreEntry(player, rings, "", "population.rings", text, {"space": space, "rings": rings})


def _score_least_resource(player: str, tracks: Mapping[str, int]) -> ScoreEntry:
    values = {resource: tracks[resource] for resource in RESOURCES}
    least = min(values.values())
    text = f"least of {', '.join(f'{resource} {value}' for resource, value in values.items())}"
    return ScoreEntry(player, least, "", "resource.least", text, values)


def _score_monuments(components: Components, board: Board) -> Iterator[ScoreEntry]:
    for piece in board.monuments:
        if piece.kind == UNNAMED:
            continue
        rings, name = components.rings(piece.kind), components.monuments[piece.kind].name
        text = f"{name}, rings on its card: {rings}"
        values: Values = {"value": piece.kind, "rings": rings}
        yield ScoreEntry(board.player, rings, f"{board.player}.{piece.name.id}", "monument.rings", text, values)


def is_automaton_game(table: Table) -> bool:
    """Return whether one player played against the automaton in a known mode."""
    return len(table.players) == 1 and table.solo_mode in ("easy", "hard")


def score_automaton(table: Table) -> Iterator[ScoreEntry]:
    """Yield the sum of the player's 3 resources, and in hard mode also the rings on the automaton's cards."""
    (tracks,) = table.tracks.values()
    if tracks.keys() >= {*RESOURCES}:
        values = {resource: tracks[resource] for resource in RESOURCES}
        text = " + ".join(map(str, values.values()))
        yield ScoreEntry(AUTOMATON, sum(values.values()), "", "solo.resources", text, values)
    if table.solo_mode == "hard" and table.solo_monuments is not None:
        rings = table.solo_monuments
        text = f"rings on the automaton's cards: {rings}"
        yield ScoreEntry(AUTOMATON, rings, "", "solo.monuments", text, {"rings": rings})


def find_winner(totals: Mapping[str, int]) -> str:
    """Return the player if they have more points than the automaton; otherwise the automaton."""
    (player,) = totals.keys() - {AUTOMATON}
    return player if totals[player] > totals[AUTOMATON] else AUTOMATON


@lru_cache(maxsize=MAX_CACHED_MAPS)
def list_scoring_areas(areas: Areas) -> tuple[Area, ...]:
    """Return the areas of one map; complete ones score, by themselves or through an objective."""
    return tuple(_list_areas(areas))


def _list_areas(areas: Areas) -> Iterator[Area]:
    board = areas.board
    districts, adjacent = {piece.name for piece in areas.districts}, {*areas.natural_resources}
    for piece in board.buildings:
        yield _build_area(areas, piece.name.id, "district", piece.squares, 1, piece.name in districts)
    for square in board.terrain.squares:
        if board.terrain.is_natural(square) and board.is_open(square):
            yield _build_area(areas, _name_natural(square), "natural_resource", [square], 1, square in adjacent)
    for piece in board.monuments:
        yield _build_area(areas, piece.name.id, "monument", piece.squares, 1, True)
    for number, squares in enumerate(areas.roads, 1):
        yield _build_area(areas, f"roads-{number}", "road", squares, len(squares), True)
    for number, green in enumerate((area for area in areas.green if area.enclosed), 1):
        yield _build_area(areas, f"green-{number}", "green", green.squares, len(green.squares), True)


def _build_area(areas: Areas, name: str, kind: str, squares: Sequence[Square], size: int, complete: bool) -> Area:
    player = areas.board.player
    spots = areas.board.spots(squares)
    return Area(f"{player}.{name}", kind, spots, size, complete, {player: size}, tuple(squares))
