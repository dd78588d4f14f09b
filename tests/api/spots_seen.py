"""Tables of printed boards as if they had been read: each spot has a place on a grey photo, some are doubted."""

from __future__ import annotations

import random

from api.documents.report import PhotoInfo, Point
from api.spots.registry import find_spot_game
from api.spots.snapshot import SnapshotSpot, SpotSnapshot
from scoring.spots.text import parse_table

BABEL_PRINTS = """
[scoring_table.rows]
2 = { most = 10, second = 5 }
3 = { most = 12, second = 6 }
4 = { most = 14, second = 7 }
5 = { most = 16, second = 8 }
6 = { most = 18, second = 9 }
7 = { most = 20, second = 10 }
[scoring_table]
light = { most = 6, second = 3 }
[disc_bonus]
3 = 10
5 = 30
6 = 50
"""
"""Numbers made up for tests."""
WONDERS_PRINT = """
[map]
side = "A"
natural_resources = 0
A = "..\\n.."
[resources]
side = "A"
[resources.A.population]
last = 12
rings = [2, 12]
[resources.A.food]
last = 15
[resources.A.ceramics]
last = 15
[resources.A.gears]
last = 15
[monuments.petra]
rings = 4
"""
BABEL = "tower-of-babel red,yellow,black"
SIDE = 12
WIDTH = 40
"""Spots in a row of the photo."""


def babel(seed: int, doubts: int = 4) -> SpotSnapshot:
    """Return a random table of Tower of Babel with a given number of doubted spots."""
    rng, table = random.Random(seed), parse_table(BABEL)
    rules = find_spot_game(table.game).rules
    components = rules.components(BABEL_PRINTS)
    spots = [spot for spot in rules.spots(components, table.players, {}) if not spot.typed]
    doubted = {spot.id for spot in rng.sample([spot for spot in spots if len(spot.choices) > 1], doubts)}
    spot_readings = []
    for number, spot in enumerate(spots):
        value, other = rng.sample(spot.choices[:4], 2)
        likely = round(rng.uniform(0.05, 0.4), 3) if spot.id in doubted else 0.0
        others = ((other, likely),) if likely else ()
        ring = _ring(number)
        spot_readings.append(
            SnapshotSpot(id=spot.id, value=value, confidence=1 - likely, alternatives=others, outline_px=ring)
        )
    size = WIDTH * SIDE
    return SpotSnapshot(
        game=table.game,
        components=BABEL_PRINTS,
        players=table.players,
        spots=tuple(spot_readings),
        photos=(PhotoInfo(file="0.jpg", width=size, height=size, sha256="0" * 64),),
        decode_ms=10.0,
        timing_ms={"board": 20.0, "spots": 30.0},
    )


def wonders(squares: str) -> SpotSnapshot:
    """Return a table of World Wonders on a map of two rows of land, read with certainty; its markers stand at 0."""
    words = f"world-wonders red {squares} " + " ".join(
        f"resource.red.{track}=0" for track in ("population", "food", "ceramics", "gears")
    )
    table = parse_table(words)
    spots = [
        SnapshotSpot(id=spot, value=value, confidence=1.0, outline_px=_ring(number))
        for number, (spot, value) in enumerate(table.laid.items())
    ]
    return SpotSnapshot(
        game=table.game,
        components=WONDERS_PRINT,
        players=table.players,
        spots=tuple(spots),
        photos=(PhotoInfo(file="0.jpg", width=WIDTH * SIDE, height=SIDE, sha256="0" * 64),),
        decode_ms=10.0,
        timing_ms={"total": 50.0},
    )


def _ring(number: int) -> tuple[Point, ...]:
    row, col = divmod(number, WIDTH)
    left, top = float(col * SIDE), float(row * SIDE)
    return (left, top), (left + SIDE, top), (left + SIDE, top + SIDE), (left, top + SIDE)


MAP = """
[map]
side = "A"
natural_resources = 2
A = '''
....
.~*.
*...
....
'''
"""
