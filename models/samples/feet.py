"""Samples for the net that finds feet: windows of tables seen from above, with the reconstructed print beside them."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.render.random_tables import Props, View, sample_table
from datasets.scene.piece_variety import vary_pieces
from models.samples.dense_targets import STRIDE, build_meeple_target
from models.samples.pieces import (
    LAMP_SHARE,
    PHOTOGRAPHED_SHARE,
    Shot,
    reconstruct_bare,
    rephotograph,
    scale_real_table,
    shoot_table,
)
from models.samples.tiles import COLOUR_NAMES, POSE_NAMES, Sample, Sources
from scoring.carcassonne.tiles.geometry import Square
from vision.arrays import Floats, Image
from vision.geometry.rectification import apply_homography
from vision.photo.crops import CORNERS

WINDOW_PX = 192
"""Size of a window in pixels: 4 tiles. A guess."""
FOOT_TILE_PX = 48
"""Size of a tile in the windows, and in the net's picture of a whole table. A guess."""
TABLE_TILE_PX, REAL_TILE_PX = (22.0, 120.0), (30.0, 75.0)
"""Ranges of the tile size in the drawn and in the real pictures from which windows are cut. A guess."""
MAX_WINDOWS = 4
"""Maximum number of windows of one picture. A guess."""
AT_PIECES_SHARE = 0.75
"""Share of a real table's windows that are about a piece, since pieces are few. A guess."""
VARIED_SHARE, OF_OTHER_KINDS = 0.4, 0.5
"""Share of drawn tables with pieces of all kinds, and share of another kind among their pieces on no feature. A
guess."""
NEAR_TILES = 2
"""Distance in squares from a window's middle within which squares determine its homography. A guess."""


def stream_foot_samples(sources: Sources, rng: np.random.Generator) -> Iterator[Sample]:
    """Yield (192, 192, 7) uint8 windows of `vision.pieces.detector`, 4 tiles wide, with (4, 48, 48) float16 targets."""
    counted = [table for table in sources.real if table.counted]
    while True:
        if counted and rng.random() < 2 * sources.real_share:
            shot = scale_real_table(counted[int(rng.integers(len(counted)))], REAL_TILE_PX, rng)
            yield from _real_windows(shot, rng)
        else:
            yield from _drawn_windows(_drawn(sources.props, rng), rng)


def _drawn(props: Props, rng: np.random.Generator) -> Shot:
    view = View((560, 560), tile_px=TABLE_TILE_PX)
    table = sample_table(props, view, rng, crowd=rng.choice([0, 0.1, 0.25]), others=0.04)
    if rng.random() < VARIED_SHARE:
        table = vary_pieces(table, OF_OTHER_KINDS, rng)
    return shoot_table(table, rng)


def _drawn_windows(shot: Shot, rng: np.random.Generator) -> Iterator[Sample]:
    quads = shot.in_view()
    if not quads:
        return
    squares, bare = list(quads), reconstruct_bare(shot.image, np.array(list(quads.values())), rng)
    for i in rng.permutation(len(squares))[:MAX_WINDOWS]:
        sample = _window(shot, bare, squares[i], None, rng)
        if sample is not None:
            yield sample


def _real_windows(shot: Shot, rng: np.random.Generator) -> Iterator[Sample]:
    squares = list(shot.quads)
    quads = np.array(list(shot.quads.values()))
    bare = reconstruct_bare(shot.image, quads, rng)
    lit = rng.random() < LAMP_SHARE
    for _ in range(MAX_WINDOWS):
        i = int(rng.integers(len(squares)))
        if len(shot.feet) and rng.random() < AT_PIECES_SHARE:
            foot = shot.feet[int(rng.integers(len(shot.feet)))]
            i = int(rng.choice(np.argsort(((quads.mean(axis=1) - foot) ** 2).sum(1))[:6]))
        sample = _window(shot, bare, squares[i], shot.unsure, rng)
        if sample is not None:
            pixels = np.asarray(sample[0], np.uint8)
            again = lit or rng.random() < PHOTOGRAPHED_SHARE
            yield rephotograph(pixels, lit, rng) if again else pixels, sample[1]


def _window(shot: Shot, bare: Image, middle: Square, unsure: Floats | None, rng: np.random.Generator) -> Sample | None:
    """Return a jittered and turned window, rectified by a homography through the tiles about `middle`.

    If `unsure` points (n, 2) are given, the truth is known only on the tiles, and not about those points.
    """
    near = _near(shot, middle)
    lattice = np.concatenate([CORNERS + np.array([col, row]) for row, col in near])
    pixels = np.concatenate([shot.quads[s] for s in near])
    offset = np.array([middle[1] + 0.5, middle[0] + 0.5]) + rng.uniform(-1.2, 1.2, 2)
    angle = rng.integers(4) * np.pi / 2 + rng.normal(0, 0.03)
    k = FOOT_TILE_PX * np.exp(rng.normal(0, 0.05))
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]]) * k
    window = (lattice - offset) @ turn.T + WINDOW_PX / 2
    m, _ = cv2.findHomography(pixels - 0.5, window + rng.normal(0, 0.6, window.shape) - 0.5, 0)
    if m is None:
        return None
    homography = np.asarray(m, dtype=np.float64)
    size = (WINDOW_PX, WINDOW_PX)
    picture, printed = (
        cv2.warpPerspective(source, homography, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        for source in (shot.image, bare)
    )
    there = apply_homography(homography, shot.feet) if len(shot.feet) else shot.feet
    in_sight = np.flatnonzero(((there > -12) & (there < WINDOW_PX + 12)).all(1)).tolist()
    colours = np.array([COLOUR_NAMES.index(shot.colours[i]) for i in in_sight], np.int64)
    named = [shot.poses[i] for i in in_sight]
    poses = np.array([-1 if pose is None else POSE_NAMES.index(pose) for pose in named], np.int64)
    counts = np.ones((WINDOW_PX // STRIDE,) * 2, bool) if unsure is None else _known(shot, near, unsure, homography)
    target = build_meeple_target(there[in_sight], colours, poses, WINDOW_PX, counts)
    return np.concatenate([picture, printed], axis=2), target.astype(np.float16)


def _near(shot: Shot, middle: Square) -> list[Square]:
    row, col = middle
    return [
        (r, c)
        for (r, c), quad in shot.quads.items()
        if abs(r - row) <= NEAR_TILES and abs(c - col) <= NEAR_TILES and np.isfinite(quad).all()
    ]


def _known(shot: Shot, near: list[Square], unsure: Floats, m: Floats) -> NDArray[np.bool_]:
    """Mark the cells of known truth: those on the tiles, except about the unsure points."""
    mask = np.zeros((WINDOW_PX // STRIDE,) * 2, np.uint8)
    for square in near:
        cv2.fillConvexPoly(mask, np.round(apply_homography(m, shot.quads[square]) / STRIDE).astype(np.int32), 1)
    points = apply_homography(m, unsure) / STRIDE if len(unsure) else unsure
    for x, y in np.round(points).astype(int).tolist():
        cv2.circle(mask, (x, y), FOOT_TILE_PX // STRIDE // 2, 0, -1)
    return mask > 0
