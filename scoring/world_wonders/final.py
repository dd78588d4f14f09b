"""The final scoring of one player's city ("End of Game and Scoring"): each point with its rule and its squares."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from scoring.score_entry import ScoreEntry
from scoring.world_wonders.areas import Areas
from scoring.world_wonders.board import Board, Table
from scoring.world_wonders.components import Components
from scoring.world_wonders.kinds import RESOURCES, UNNAMED

SECTIONS = {
    "population.rings": "world-population",
    "resource.least": "world-resource",
    "monument.rings": "world-monuments",
    "natural.adjacent": "world-natural",
    "district.surrounded": "world-districts",
    "loan.unpaid": "world-loans",
}
"""Section of the rule text for each rule of an entry, as named by `explain-section-*` of `api/i18n`."""


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
        feature = name_natural_resource(player, square)
        yield ScoreEntry(player, 1, feature, "natural.adjacent", "beside a piece")
    for piece in areas.districts:
        text = f"{piece.name.said}, surrounded on all sides"
        yield ScoreEntry(player, 1, f"{player}.{piece.name.id}", "district.surrounded", text, piece.name.words)
    if table.loans.get(player):
        lost = components.loans.unpaid
        yield ScoreEntry(player, -lost, "", "loan.unpaid", f"-{lost}", {"points": lost})


def name_natural_resource(player: str, square: tuple[int, int]) -> str:
    """Return the id of a natural resource as a scoring feature."""
    return f"{player}.natural-{square[0]}-{square[1]}"


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
        values: dict[str, int | str] = {"value": piece.kind, "rings": rings}
        yield ScoreEntry(board.player, rings, f"{board.player}.{piece.name.id}", "monument.rings", text, values)
