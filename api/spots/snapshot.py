"""Snapshot of a reading of a table of spots, from which it can be scored again without its photos."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from pydantic import Field

from api.documents.report import Model, PhotoInfo, Point, SetAside, round_points
from api.documents.spot_report import PrintedBoard
from scoring.spots.game import Value
from vision.flat_boards.reading import BoardPlace, SpotReading, TableReading

SCHEMA: Literal["wondertally/held-table/1"] = "wondertally/held-table/1"


class SnapshotSpot(Model):
    """A spot of the snapshot, with the fields of `SpotReading`."""

    id: str
    value: Value
    confidence: float
    alternatives: tuple[tuple[Value, float], ...] = ()
    outline_px: tuple[Point, ...] = ()
    photo: int = 0


class SpotSnapshot(Model):
    """The whole snapshot; `components` is the person's TOML at the time of the reading, empty without one.

    `renames` are other possible assignments of colours to players, each a mapping from the colour as read with its
    probability. `boards` maps each colour to the owner of the board enrolled under it, for boards that differ between
    players. `places` are the boards whose spots were read; a snapshot of an earlier version has none.
    """

    schema_: Literal["wondertally/held-table/1"] = Field(default=SCHEMA, alias="schema")
    game: str
    components: str
    players: tuple[str, ...]
    spots: tuple[SnapshotSpot, ...]
    photos: tuple[PhotoInfo, ...]
    decode_ms: float
    timing_ms: dict[str, float]
    set_aside: tuple[SetAside, ...] = ()
    renames: tuple[tuple[dict[str, str], float], ...] = ()
    boards: dict[str, str] = Field(default={})
    places: tuple[PrintedBoard, ...] = ()

    def to_json(self) -> str:
        """Return one line of JSON; `SpotSnapshot.model_validate_json` is the inverse."""
        return self.model_dump_json()


def build_table_snapshot(
    reading: TableReading, game: str, components: str, set_aside: Sequence[SetAside] = ()
) -> SpotSnapshot:
    """Build the snapshot of photos read together; `set_aside` are photos that could not be read at all."""
    apart = [SetAside(file=photo.file, reason=code) for photo, code in reading.aside]
    return SpotSnapshot(
        game=game,
        components=components,
        players=reading.players,
        spots=tuple(map(_build_snapshot_spot, reading.spots)),
        photos=tuple(map(PhotoInfo.copy_of, reading.photos)),
        decode_ms=sum(photo.decode_ms for photo in reading.photos),
        timing_ms=dict(reading.timing_ms),
        set_aside=(*set_aside, *apart),
        renames=tuple((dict(names), probability) for names, probability in reading.renames),
        boards=dict(reading.boards),
        places=tuple(map(_build_printed_board, reading.places)),
    )


def _build_snapshot_spot(spot: SpotReading) -> SnapshotSpot:
    return SnapshotSpot(
        id=spot.id,
        value=spot.value,
        confidence=spot.confidence,
        alternatives=spot.alternatives,
        outline_px=tuple(round_points(spot.outline_px)),
        photo=spot.photo,
    )


def _build_printed_board(place: BoardPlace) -> PrintedBoard:
    return PrintedBoard(
        picture=place.picture,
        owner=place.owner,
        size_mm=place.size_mm,
        corners_px=round_points(place.corners_px),
        photo=place.photo,
    )
