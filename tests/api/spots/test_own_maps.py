"""World Wonders on side B, where each map has another river: the map is the same for any player who sits there."""

from __future__ import annotations

import numpy as np
import pytest

from api.documents.corrections import CORRECTIONS
from api.spots.review import build_table_review
from api.spots.snapshot import SpotSnapshot, build_table_snapshot
from datasets.world_wonders.components import format_components
from datasets.world_wonders.deal import City, deal_city
from datasets.world_wonders.own_copy import COLOURS, build_land
from datasets.world_wonders.tables import list_laid
from scoring.world_wonders.game import GAME
from vision.flat_boards.reading import SpotReading, TableReading

OUTLINE = np.zeros((4, 2))


def deal(colour: str, seed: int) -> City:
    return deal_city(colour, build_land("B", colour), 30, np.random.default_rng(seed))


def build_snapshot(*colours: str, shown: tuple[str, ...] = COLOURS) -> SpotSnapshot:
    """Return a table as it is read, each player on the map of the same name; only the maps of `shown` are known."""
    laid = dict(pair for seed, colour in enumerate(colours) for pair in list_laid(deal(colour, seed)))
    spots = tuple(SpotReading(id, value, 0.99, (), OUTLINE) for id, value in laid.items())
    text = format_components("B")
    for colour in COLOURS:
        if colour not in shown:
            head, rest = text.split(f'{colour} = """', 1)
            text = head + rest.split('"""\n', 1)[1]
    return build_table_snapshot(TableReading((), colours, spots, {}, (), ()), GAME.name, text)


def rename(colour: str, instead: str) -> dict[str, str]:
    return {"kind": "player_colour", "colour": colour, "instead": instead}


@pytest.mark.parametrize("instead", ["blue", "green"])
@pytest.mark.parametrize("shown", [COLOURS, ("red", "green")])
def test_a_map_stays_what_it_is_under_another_colour(instead: str, shown: tuple[str, ...]) -> None:
    snapshot = build_snapshot("red", "green", shown=shown)
    before = build_table_review(snapshot)
    after = build_table_review(snapshot, CORRECTIONS.validate_python([rename("red", instead)]))
    now = {"red": instead, instead: "red"}
    assert {now.get(player, player): points for player, points in before.scored.totals.items()} == after.scored.totals
    assert len(after.table.laid) == len(before.table.laid)
    assert [trouble.code for trouble in after.scored.troubles] == [trouble.code for trouble in before.scored.troubles]
    back = build_table_review(snapshot, CORRECTIONS.validate_python([rename("red", instead), rename(instead, "red")]))
    assert back.table.laid == before.table.laid
    assert back.scored.totals == before.scored.totals


def test_what_is_said_of_squares_before_and_after_goes_with_them() -> None:
    snapshot = build_snapshot("red", "green")
    square = next(spot.id for spot in snapshot.spots if spot.id.startswith("map.red.") and spot.value == "-")
    said = {"kind": "spot", "id": square, "value": "tower#9"}
    later = {"kind": "spot", "id": square.replace("red", "blue"), "value": "tower#9"}
    one = build_table_review(snapshot, CORRECTIONS.validate_python([said, rename("red", "blue")]))
    other = build_table_review(snapshot, CORRECTIONS.validate_python([rename("red", "blue"), later]))
    assert one.table.laid == other.table.laid
    assert one.scored.totals == other.scored.totals
