"""A table of Tower of Babel as a server keeps it: read from one photo, one count in doubt, nothing typed yet."""

from __future__ import annotations

from collections.abc import Iterator

from api.documents.report import PhotoInfo, Point
from api.documents.spot_report import PrintedBoard
from api.spots.snapshot import SnapshotSpot, SpotSnapshot
from scoring.spots.game import Value
from scoring.tower_of_babel.board import WONDERS
from scoring.tower_of_babel.game import GAME
from tests.scoring.tower_of_babel.tables import COMPONENTS, COPY

PLAYERS = ("red", "yellow", "blue")
WIDTH, HEIGHT, SIDE = 1600, 1000, 300
BOARD: list[Point] = [(50, 50), (1550, 50), (1550, 950), (50, 950)]
"""The corners of the board in the photo."""
DOUBTED = "parts.giza.yellow.1"
LAID: dict[str, Value] = {
    "parts.giza.red.1": 4,
    "parts.giza.red.3": 1,
    "parts.giza.yellow.1": 3,
    "parts.giza.blue.1": 1,
    "discs.giza": 1,
    "parts.babel.blue.3": 2,
    "discs.babel": 2,
    "discs.zeus": 0,
    "row": 1,
    "track.red": 21,
    "track.yellow": 30,
    "track.blue": 12,
}


def square(number: int) -> tuple[Point, ...]:
    """Return the outline of a wonder in the photo."""
    left, top = 100 + 350 * (number % 4), 100 + 400 * (number // 4)
    return ((left, top), (left + SIDE, top), (left + SIDE, top + SIDE), (left, top + SIDE))


def middle(wonder: str) -> tuple[float, float]:
    """Return a point on it."""
    (left, top), *_ = square(WONDERS.index(wonder))
    return (left + 0.5 * SIDE, top + 0.6 * SIDE)


def held() -> SpotSnapshot:
    """Return the snapshot of the photo."""
    photo = PhotoInfo(file="table.jpg", width=WIDTH, height=HEIGHT, sha256="0" * 64)
    return SpotSnapshot(
        game=GAME.name,
        components=COPY,
        players=PLAYERS,
        spots=tuple(_spots()),
        photos=(photo,),
        places=(PrintedBoard(picture="board", owner="", size_mm=(560.0, 400.0), corners_px=BOARD),),
        decode_ms=1.0,
        timing_ms={"spots": 1.0, "total": 1.0},
    )


def _spots() -> Iterator[SnapshotSpot]:
    for spot in GAME.spots(COMPONENTS, PLAYERS, {}):
        if spot.typed:
            continue
        wonder = str(spot.values.get("wonder", ""))
        outline = square(WONDERS.index(wonder)) if wonder else ()
        sure, others = (0.6, ((8, 0.4),)) if spot.id == DOUBTED else (1.0, ())
        value = LAID.get(spot.id, spot.choices[0])
        yield SnapshotSpot(id=spot.id, value=value, confidence=sure, alternatives=others, outline_px=outline)
