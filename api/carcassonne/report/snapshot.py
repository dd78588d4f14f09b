"""Snapshot of a reading, from which it can be scored again without the photo and the nets: JSON in, JSON out.

`build_snapshot` builds it from a joined reading; `api.carcassonne.corrections.rebuild` restores photo views from it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from operator import not_
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from api.carcassonne.report.builder import build_report_track
from api.carcassonne.report.several_photos import PhotoView, build_photo_view, list_unjoined_photos
from api.documents.report import Apart, Model, PhotoInfo, Point, SetAside, Square, Track
from scoring.carcassonne.board.board import PlacedWonder
from scoring.carcassonne.final.rulesets import TODAY, Ruleset
from scoring.carcassonne.wonders.catalogue import is_shipped, load_wonder_catalogue
from scoring.carcassonne.wonders.files import restore_wonder
from scoring.carcassonne.wonders.tiles import WonderLayout
from vision.multiview.reading import JoinedReading
from vision.reading.values import CoatAlternative, MeepleReading, TileAlternative, TileReading, Warp, WonderReading

SCHEMA: Literal["wondertally/held/1"] = "wondertally/held/1"

Quad = tuple[Point, Point, Point, Point]
Triple = tuple[float, float, float]


class SnapshotTile(Model):
    """A square of the table with the fields of `TileReading`, without its place in a photo."""

    row: int
    col: int
    tile: str | None
    turns: int
    confidence: float
    doubtful: bool
    alternatives: tuple[TileAlternative, ...] = ()
    cell: int | None = None


class LaidWonder(Model):
    """A wonder on the lattice, and the probability that it lies there.

    `layout` holds the content of its layout file, if that differs from the shipped one.
    """

    wonder: str
    anchor: Square
    turns: int
    probability: float
    layout: dict[str, Any] | None = None


class SnapshotWonder(LaidWonder):
    """A wonder as read, with the alternatives on its squares, and the alternatives for its coats of arms."""

    alternatives: tuple[LaidWonder, ...] = ()
    coats: tuple[CoatAlternative, ...] | None = None


class SnapshotWarp(Model):
    """The warp from the lattice to a photo: `nodes` are (row, col, x, y)."""

    homography: tuple[Triple, Triple, Triple]
    nodes: tuple[tuple[int, int, float, float], ...]


class SnapshotView(Model):
    """One of the photos.

    `corners` are those of the squares of `tiles`, in order, each NW, NE, SE, SW of the lattice; `feet` are those of the
    meeples, then of the possible meeples. The other fields are as in `PhotoView`.
    """

    photo: PhotoInfo
    decode_ms: float
    warp: SnapshotWarp
    corners: tuple[Quad, ...]
    feet: tuple[Point, ...]
    squares: tuple[Square, ...]
    meeples: tuple[int, ...]
    best: tuple[Square, ...]
    best_meeples: tuple[int, ...]
    bare: tuple[Square, ...]


class Snapshot(Model):
    """The whole snapshot: `rules` is the rule set's name, `typed` the score track as typed before the reading.

    Meeples are named m1, m2, ... in order, possible ones after those on the board. `layouts` are the wonders' layouts
    in force during the reading that differ from the shipped ones, each as in a wonder's file; `damaged_wonders` are the
    ids of enrolled wonders that were not used because their files are damaged.
    """

    schema_: Literal["wondertally/held/1"] = Field(default=SCHEMA, alias="schema")
    views: tuple[SnapshotView, ...]
    tiles: tuple[SnapshotTile, ...]
    meeples: tuple[MeepleReading, ...]
    possible_meeples: tuple[MeepleReading, ...]
    wonders: tuple[SnapshotWonder, ...]
    possible_wonders: tuple[SnapshotWonder, ...] = ()
    probability: float = 1.0
    track: Track | None
    timing_ms: dict[str, float]
    apart: tuple[Apart, ...] = ()
    set_aside: tuple[SetAside, ...] = ()
    rules: str = TODAY.name
    typed: dict[str, int] = Field(default_factory=dict)
    layouts: tuple[dict[str, Any], ...] = Field(default=(), exclude_if=not_)
    damaged_wonders: tuple[str, ...] = Field(default=(), exclude_if=not_)

    @property
    def game(self) -> str:
        """Game of the snapshot: Carcassonne, whose snapshots do not name it."""
        return "carcassonne"

    @property
    def photos(self) -> tuple[PhotoInfo, ...]:
        """Photos of the reading, in the order of their numbers in the report."""
        return tuple(view.photo for view in self.views)

    def to_json(self) -> str:
        """Return one line of JSON; `Snapshot.model_validate_json` is the inverse."""
        return self.model_dump_json()


def build_snapshot(
    joined: JoinedReading,
    rules: Ruleset = TODAY,
    typed: Mapping[str, int] | None = None,
    set_aside: Sequence[SetAside] = (),
    layouts: Iterable[WonderLayout] = (),
    damaged_wonders: Iterable[str] = (),
) -> Snapshot:
    """Build the snapshot of photos read together; `set_aside` are photos that could not be read at all.

    `layouts` are the wonders' layouts used in the reading; enrolled ones that are damaged are in `damaged_wonders`
    instead.
    """
    views = [build_photo_view(view) for view in joined.views]
    read = views[0].reading
    return Snapshot(
        views=tuple(_build_snapshot_view(view) for view in views),
        tiles=tuple(map(SnapshotTile.copy_of, read.tiles)),
        meeples=read.meeples,
        possible_meeples=read.possible_meeples,
        wonders=tuple(_build_snapshot_wonder(wonder) for wonder in read.wonders),
        possible_wonders=tuple(_build_snapshot_wonder(wonder) for wonder in read.possible_wonders),
        probability=read.probability,
        track=None if read.track is None else build_report_track(read.track),
        timing_ms=dict(read.timing_ms),
        apart=tuple(list_unjoined_photos(joined)),
        set_aside=tuple(set_aside),
        rules=rules.name,
        typed=dict(typed or {}),
        layouts=tuple(dict(layout.entry) for layout in layouts if not is_shipped(layout)),
        damaged_wonders=tuple(damaged_wonders),
    )


def restore_layouts(snapshot: Snapshot) -> Mapping[str, WonderLayout]:
    """Restore the wonders' layouts that were in force during the reading, by id."""
    enrolled = {layout.id: layout for layout in (_restore_layout(json.dumps(entry)) for entry in snapshot.layouts)}
    return {**load_wonder_catalogue(), **enrolled}


@lru_cache(maxsize=256)
def _restore_layout(entry: str) -> WonderLayout:
    """Restore a layout from its JSON; cached, since every correction that is tried needs it."""
    return restore_wonder(json.loads(entry))


def restore_warp(warp: SnapshotWarp) -> Warp:
    """Restore a warp from its numbers."""
    nodes = {(row, col): (x, y) for row, col, x, y in warp.nodes}
    return Warp(np.array(warp.homography), nodes)


def restore_wonder_reading(wonder: SnapshotWonder) -> WonderReading:
    """Restore the reading of a wonder."""
    others = tuple((_placed(other), other.probability) for other in wonder.alternatives)
    return WonderReading(_placed(wonder), wonder.probability, others, wonder.coats)


def restore_tile_reading(tile: SnapshotTile, corners: NDArray[np.float64]) -> TileReading:
    """Restore the reading of a tile; `corners` (4, 2) are NW, NE, SE, SW of the lattice."""
    return TileReading(**dict(tile), corners_px=np.roll(corners, -tile.turns, axis=0))


def _build_snapshot_view(view: PhotoView) -> SnapshotView:
    read = view.reading
    return SnapshotView(
        photo=view.photo,
        decode_ms=view.decode_ms,
        warp=_build_snapshot_warp(read.warp),
        corners=tuple(_quad(np.roll(tile.corners_px, tile.turns, axis=0)) for tile in read.tiles),
        feet=tuple(meeple.foot_px for meeple in (*read.meeples, *read.possible_meeples)),
        squares=tuple(sorted(view.squares)),
        meeples=tuple(sorted(view.meeples)),
        best=tuple(sorted(view.best)),
        best_meeples=tuple(sorted(view.best_meeples)),
        bare=tuple(sorted(view.bare)),
    )


def _build_snapshot_warp(warp: Warp) -> SnapshotWarp:
    rows: list[Triple] = [(a, b, c) for a, b, c in np.asarray(warp.homography, float).tolist()]
    nodes = tuple((row, col, float(x), float(y)) for (row, col), (x, y) in warp.nodes.items())
    return SnapshotWarp(homography=(rows[0], rows[1], rows[2]), nodes=nodes)


def _build_snapshot_wonder(wonder: WonderReading) -> SnapshotWonder:
    wonder_placement = _laid(wonder.placed, wonder.probability)
    others = tuple(_laid(placed, probability) for placed, probability in wonder.alternatives)
    return SnapshotWonder(**wonder_placement.model_dump(), alternatives=others, coats=wonder.coats)


def _laid(placed: PlacedWonder, probability: float) -> LaidWonder:
    layout = placed.layout
    return LaidWonder(
        wonder=layout.id,
        anchor=placed.anchor,
        turns=placed.turns,
        probability=probability,
        layout=None if is_shipped(layout) else dict(layout.entry),
    )


def _placed(wonder_placement: LaidWonder) -> PlacedWonder:
    shipped, entry = load_wonder_catalogue()[wonder_placement.wonder], wonder_placement.layout
    layout = shipped if entry is None else _restore_layout(json.dumps(entry))
    return PlacedWonder(layout, wonder_placement.anchor, wonder_placement.turns)


def _quad(corners: NDArray[np.float64]) -> Quad:
    a, b, c, d = ((x, y) for x, y in np.asarray(corners, float).tolist())
    return a, b, c, d
