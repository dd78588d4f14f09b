"""Classification of the feature beneath a piece, by a net that sees the print under and around its foot.

Printings differ from the catalogue's drawing by up to a fifth of a tile, in roads, walls and monasteries alike. The net
sees the photo around a foot, and beside it the catalogue's drawing of the features there, one of which is in question.
It learns which print each part of the drawing stands for, and how far a foot may lie beside it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache, lru_cache
from types import MappingProxyType

import numpy as np
import shapely

from scoring.calibration import load_weights
from scoring.carcassonne.board.board import Board
from scoring.carcassonne.board.features import FeatureMap
from scoring.carcassonne.board.locate import Standing
from scoring.carcassonne.tiles.catalogue import ROAD_WIDTH_TILES, Kind, TileLayout
from scoring.carcassonne.tiles.geometry import NO_PRINTED_ROADS, PrintedRoads, turn_geometry
from scoring.carcassonne.tiles.kinds import find_kinds
from vision.arrays import Floats, Image, Ints, compute_softmax
from vision.geometry.warp import project_to_photo
from vision.photo.crops import CORNERS, crop_squares
from vision.pieces.classifier import NAMED_SURE
from vision.pieces.crops import round_feet
from vision.reading.piece import Piece
from vision.reading.values import Warp
from vision.roads.printed_roads import TILE_PX, build_pixel_middles, measure_road_distance
from vision.runtime.onnx import Net

GROUND_PX = TILE_PX
"""Size of the picture around a foot, one tile wide: anything farther than half a tile is no evidence."""
DRAWN_KINDS: tuple[tuple[Kind, ...], ...] = (
    ("road",),
    ("city",),
    ("field",),
    find_kinds(lambda row: row.name not in ("road", "city", "field")),
)
"""Kinds of features drawn in a channel of their own; the last channel shows every other kind."""
GROUND_CHANNELS = 3 + len(DRAWN_KINDS) + 1
"""Channels of a picture: the table in blue, green and red, the drawing, and the feature in question. Geometry of the
net."""
NO_FEATURE = -1

Evidence = Mapping[str, float]
"""Logits of the features that a piece may stand on, by their ids; only their differences matter."""
NO_EVIDENCE: Evidence = MappingProxyType({})
RIVAL_TILES = 0.2
"""Maximum distance of a drawn feature from a foot on it. Geometry of the print: no road is printed farther from its
drawing.
"""
MIN_SHOWN_PX = 4
"""Minimum number of drawn pixels of a feature that a piece may stand on. A guess."""


@dataclass(frozen=True, slots=True)
class Grounds:
    """Evidence of photos about the print around pieces: the courses of `roads`, and the `evidence` beneath each piece,
    in order.
    """

    roads: PrintedRoads = field(default_factory=lambda: NO_PRINTED_ROADS)
    evidence: Sequence[Evidence] = ()

    def of_piece(self, number: int) -> Evidence:
        """Return the evidence beneath a piece, empty if it was not examined."""
        return self.evidence[number] if number < len(self.evidence) else {}


NO_GROUNDS = Grounds()


@dataclass(frozen=True, slots=True, eq=False)
class DrawnGround:
    """The catalogue's drawing around a foot: (GROUND_PX, GROUND_PX) the number of each pixel's feature.

    `features` are their ids by number, `kinds` their kinds; NO_FEATURE marks rivers and pixels beside the board.
    """

    numbers: Ints
    features: tuple[str, ...]
    kinds: tuple[Kind, ...]

    def draw_channels(self, rivals: Sequence[int]) -> Image:
        """Return the drawing channels (n, GROUND_PX, GROUND_PX, GROUND_CHANNELS - 3) for n features in question, one at
        a time.
        """
        colours = np.zeros((len(self.kinds) + 1, len(DRAWN_KINDS)), np.uint8)
        colours[np.arange(len(self.kinds)), [find_channel(kind) for kind in self.kinds]] = 255
        channels = np.empty((len(rivals), *self.numbers.shape, len(DRAWN_KINDS) + 1), np.uint8)
        channels[..., :-1] = colours[self.numbers]  # NO_FEATURE is the last row, which is blank
        for channel, number in zip(channels[..., -1], rivals, strict=True):
            channel[:] = 255 * (self.numbers == number)
        return channels


def find_channel(kind: Kind) -> int:
    """Return the index in DRAWN_KINDS of a kind of feature."""
    return next(channel for channel, kinds in enumerate(DRAWN_KINDS) if kind in kinds)


def rasterise_features(board: Board, features: FeatureMap, foot: tuple[float, float]) -> DrawnGround:
    """Rasterise the catalogue's features around a foot at (col, row) in lattice units."""
    columns, rows = (at - 0.5 + (np.arange(GROUND_PX) + 0.5) / GROUND_PX for at in foot)
    found: dict[str, Kind] = {}
    numbers = np.full((GROUND_PX, GROUND_PX), NO_FEATURE)
    for row in np.unique(np.floor(rows)).astype(int).tolist():
        for col in np.unique(np.floor(columns)).astype(int).tolist():
            placement = board.tiles.get((row, col))
            if placement is None:
                continue
            inside_rows, inside_columns = np.floor(rows) == row, np.floor(columns) == col
            within = (_to_pixels(rows[inside_rows] - row), _to_pixels(columns[inside_columns] - col))
            segments = _draw_segments(placement.layout, placement.turns)[np.ix_(*within)]
            known = [features.at((row, col), index) for index in range(len(placement.layout.segments))]
            found |= {feature.id: feature.kind for feature in known}
            of_segments = np.array([list(found).index(feature.id) for feature in known] + [NO_FEATURE])
            numbers[np.ix_(inside_rows, inside_columns)] = of_segments[segments]
    return _leave_out_slivers(DrawnGround(numbers, tuple(found), tuple(found.values())))


def _to_pixels(offsets: Floats) -> Ints:
    return np.asarray(np.minimum((offsets * GROUND_PX).astype(int), GROUND_PX - 1))


@lru_cache(maxsize=1024)
def _draw_segments(layout: TileLayout, turns: int) -> Ints:
    """Return the number (GROUND_PX, GROUND_PX) of the segment drawn at each pixel of a turned tile; -1 if there is
    none.
    """
    middles = build_pixel_middles()
    x, y = np.meshgrid(middles, middles)
    numbers = np.full((GROUND_PX, GROUND_PX), NO_FEATURE)
    order = {"field": 0, "road": 1}
    for index in sorted(range(len(layout.segments)), key=lambda i: order.get(layout.segments[i].kind, 2)):
        segment = layout.segments[index]
        if segment.kind == "road":
            there = measure_road_distance(layout, turns, index) < ROAD_WIDTH_TILES / 2
        else:
            there = shapely.contains_xy(turn_geometry(segment.geometry, turns), x, y)
        numbers[there] = index
    return numbers


def _leave_out_slivers(ground: DrawnGround) -> DrawnGround:
    """Return the drawing with only the features that have enough pixels, renumbered."""
    counts = np.bincount(ground.numbers[ground.numbers != NO_FEATURE], minlength=len(ground.features))
    enough = np.flatnonzero(counts >= MIN_SHOWN_PX)
    new = np.full(len(ground.features) + 1, NO_FEATURE)
    new[enough] = np.arange(len(enough))
    return DrawnGround(
        new[ground.numbers],
        tuple(ground.features[i] for i in enough),
        tuple(ground.kinds[i] for i in enough),
    )


def crop_ground(image: Image, scale: float, warp: Warp, feet: Floats) -> Image:
    """Return (n, GROUND_PX, GROUND_PX, 3) pictures around (n, 2) feet, in lattice units, from a photo at `scale`."""
    corners = (feet[:, None] - 0.5 + CORNERS).reshape(-1, 2)
    quads = project_to_photo(warp, corners).reshape(-1, 4, 2) * scale
    return crop_squares(image, quads, GROUND_PX, margin=0.0)


def classify_grounds(
    net: Net, pictures: Image, grounds: Sequence[DrawnGround], rivals: Sequence[Ints]
) -> list[Evidence]:
    """Return the evidence of n pictures around feet for features drawn there: for each, those with the numbers of
    `rivals`.
    """
    counts = [len(numbers) for numbers in rivals]
    if not sum(counts):
        return [{} for _ in grounds]
    rows = np.empty((sum(counts), GROUND_PX, GROUND_PX, GROUND_CHANNELS), np.uint8)
    rows[..., :3] = np.repeat(pictures, counts, axis=0)
    rows[..., 3:] = np.concatenate(
        [ground.draw_channels(numbers.tolist()) for ground, numbers in zip(grounds, rivals, strict=True)]
    )
    logits = iter(net(rows)[0][:, 0].tolist())
    return [
        {ground.features[number]: next(logits) for number in numbers.tolist()}
        for ground, numbers in zip(grounds, rivals, strict=True)
    ]


def classify_ground_beneath(
    net: Net,
    image: Image,
    scale: float,
    warp: Warp,
    pieces: Sequence[Piece],
    poses: Sequence[str],
    board: Board,
    features: FeatureMap,
) -> list[Evidence]:
    """Return for each piece the evidence of a photo, `image` at `scale`, for the features it may stand on.

    It is empty if only one is near enough, as the print then adds nothing to the drawing, and on wonders.
    """
    feet = round_feet(np.array([piece.at for piece in pieces]).reshape(-1, 2))
    grounds = [rasterise_features(board, features, (col, row)) for col, row in feet.tolist()]
    rivals = [
        np.empty(0, int) if _is_on_wonder(board, piece) else _list_rivals(ground, piece.poses, poses)
        for ground, piece in zip(grounds, pieces, strict=True)
    ]
    open_ones = [i for i, numbers in enumerate(rivals) if len(numbers) > 1]
    evidence: list[Evidence] = [{} for _ in pieces]
    if open_ones:
        pictures = crop_ground(image, scale, warp, feet[open_ones])
        results = classify_grounds(net, pictures, [grounds[i] for i in open_ones], [rivals[i] for i in open_ones])
        for i, logits in zip(open_ones, results, strict=True):
            evidence[i] = logits
    return evidence


def _is_on_wonder(board: Board, piece: Piece) -> bool:
    """Return whether a piece's foot is on a wonder: the net was trained on none, and their drawings are the reader's
    own.
    """
    x, y = piece.at
    placement = board.tiles.get((int(np.floor(y)), int(np.floor(x))))
    return placement is not None and placement.wonder is not None


def _list_rivals(ground: DrawnGround, odds: Floats, poses: Sequence[str]) -> Ints:
    """Return the numbers of the features near the foot that a piece may be on: a piece certainly lying on a field is on
    no other.
    """
    near = np.unique(ground.numbers[_measure_foot_distance() < RIVAL_TILES])
    lies = odds[poses.index("lying")] > NAMED_SURE
    return np.array([i for i in near.tolist() if i != NO_FEATURE and not (lies and ground.kinds[i] != "field")], int)


@cache
def _measure_foot_distance() -> Floats:
    """Return the distance (GROUND_PX, GROUND_PX) of each pixel from the foot in the middle, in tiles."""
    away = (np.arange(GROUND_PX) + 0.5) / GROUND_PX - 0.5
    return np.asarray(np.hypot(away, away[:, None]))


def weigh_by_ground(standings: Sequence[Standing], features: FeatureMap, evidence: Evidence) -> tuple[Standing, ...]:
    """Return the possible places of a piece, weighed by the photo's evidence beneath it as well as by the drawing.

    Both are evidence of the feature. The tile within the feature, and the overall fit of the piece, depend on the
    drawing alone.
    """
    nats = weigh_witnesses(standings, features, evidence) if evidence else {}
    if len(nats) < 2:
        return tuple(standings)
    total = sum(standing.mass for standing in standings)
    factors = load_weights("carcassonne", "ground")["feature"]
    shares = compute_softmax(np.array([*nats.values()]) @ (factors["drawing"], factors["net"]))
    gains = {
        feature: share * total / np.exp(drawing)
        for (feature, (drawing, _)), share in zip(nats.items(), shares.tolist(), strict=True)
    }
    masses = [s.mass * float(gains[features.at(s.square, s.segment).id]) for s in standings]
    return tuple(
        replace(standing, mass=mass, probability=mass / total) for standing, mass in zip(standings, masses, strict=True)
    )


def weigh_witnesses(
    standings: Sequence[Standing], features: FeatureMap, evidence: Evidence
) -> Mapping[str, tuple[float, float]]:
    """Return the nats of the features that a piece may stand on, by the drawing and by the photo.

    A feature that was not examined counts like the least likely one that was.
    """
    masses: dict[str, float] = {}
    for standing in standings:
        feature = features.at(standing.square, standing.segment).id
        masses[feature] = masses.get(feature, 0.0) + standing.mass
    least = min(evidence.values(), default=0.0)
    return {feature: (float(np.log(mass)), evidence.get(feature, least)) for feature, mass in masses.items()}
