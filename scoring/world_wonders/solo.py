"""Solo play: the automaton's final score, and the winner."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from scoring.score_entry import ScoreEntry
from scoring.world_wonders.board import Table
from scoring.world_wonders.kinds import RESOURCES

AUTOMATON = "automaton"
"""Name of the automaton in entries."""
SECTIONS = {
    "solo.resources": "world-solo-resources",
    "solo.monuments": "world-solo-hard",
}
"""Section of the rule text for each rule of an entry, as named by `explain-section-*` of `api/i18n`."""


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
