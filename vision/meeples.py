"""The meeples on a board: found in the photo as seen from above, each with the point where it touches the table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from scoring.carcassonne.board import Board
from scoring.carcassonne.locate import Standing, locate
from vision.nets import Net
from vision.reading import MeepleAlternative, MeepleReading, Warp
from vision.warp import rectify, to_photo

Floats = NDArray[np.float64]
Maps = NDArray[np.float32]
Image = NDArray[np.uint8]

HEAT_LEAST = 0.35
"""A foot less certain than this is not taken for a meeple."""
HEAT_SURE = 0.6
PLACE_SURE = 0.8
"""A meeple on a feature less certain than this is doubtful."""
MARGIN = 1
"""Squares around the board that are looked at too: meeples lean out of it."""


@dataclass(frozen=True, slots=True, eq=False)
class Foot:
    """A meeple's foot: `at` (col, row) in lattice units, how sure it is, and the odds of its colour and pose."""

    at: tuple[float, float]
    probability: float
    colours: Floats
    poses: Floats


def find_meeples(net: Net, image: Image, scale: float, warp: Warp, board: Board) -> tuple[MeepleReading, ...]:
    """The meeples of a board whose lattice lies in the photo as `warp` says; `image` is the photo at `scale`."""
    small = Warp(
        np.diag([scale, scale, 1.0]) @ warp.homography, {n: (x * scale, y * scale) for n, (x, y) in warp.nodes.items()}
    )
    rows, cols = ([square[i] for square in board.tiles] for i in (0, 1))
    box = (min(cols) - MARGIN, min(rows) - MARGIN, max(cols) + 1 + MARGIN, max(rows) + 1 + MARGIN)
    tile_px = int(net.metadata["tile_px"])
    picture = rectify(image, small, box, tile_px)
    found = []
    for foot in _feet(net, picture, box[:2]):
        meeple = _reading(foot, board, warp, net.metadata["colours"], net.metadata["poses"])
        if meeple is not None:
            found.append(meeple)
    return tuple(found)


def _feet(net: Net, picture: Image, origin: tuple[int, int]) -> list[Foot]:
    h, w = picture.shape[:2]
    padded = cv2.copyMakeBorder(picture, 0, -h % 32, 0, -w % 32, cv2.BORDER_REPLICATE)
    (maps,) = net(np.asarray(padded, dtype=np.uint8)[None])
    stride, tile_px = float(net.metadata["stride"]), float(net.metadata["tile_px"])
    maps = maps[0, :, : int(h // stride), : int(w // stride)]
    heat = (1 / (1 + np.exp(-maps[0]))).astype(np.float32)
    colours = len(net.metadata["colours"])
    feet = []
    for y, x in zip(*np.nonzero((heat == cv2.dilate(heat, np.ones((5, 5)))) & (heat >= HEAT_LEAST)), strict=True):
        at = (np.array(_summit(heat, x, y)) + 0.5) * stride / tile_px + origin
        colour, pose = _softmax(maps[1 : 1 + colours, y, x]), _softmax(maps[1 + colours :, y, x])
        feet.append(Foot((float(at[0]), float(at[1])), float(heat[y, x]), colour, pose))
    return feet


def _summit(heat: Maps, x: int, y: int) -> tuple[float, float]:
    """The top of a peak between cells, by the weights of its neighbours."""
    y0, x0 = max(0, y - 1), max(0, x - 1)
    part = heat[y0 : y + 2, x0 : x + 2].astype(np.float64)
    ys, xs = np.mgrid[y0 : y0 + part.shape[0], x0 : x0 + part.shape[1]]
    weight = part**2
    return float((xs * weight).sum() / weight.sum()), float((ys * weight).sum() / weight.sum())


def _softmax(logits: Maps) -> Floats:
    odds = np.exp(logits.astype(np.float64) - logits.max())
    return np.asarray(odds / odds.sum())


def _reading(
    foot: Foot, board: Board, warp: Warp, colours: Sequence[str], poses: Sequence[str]
) -> MeepleReading | None:
    """The meeple on the feature where pose and place agree best; None for a piece beside the board."""
    square = (int(np.floor(foot.at[1])), int(np.floor(foot.at[0])))
    likely: list[tuple[float, str, Standing]] = []
    for pose, odds in zip(poses, foot.poses, strict=True):
        likely += [(odds * s.probability, pose, s) for s in locate(board, foot.at, pose)]
    if not likely:
        return _lost(foot, warp, colours, poses) if square in board.tiles else None
    odds, pose, best = max(likely, key=lambda entry: entry[0])
    place: dict[tuple[tuple[int, int], int], float] = {}
    for p, _, standing in likely:
        key = (standing.square, standing.segment)
        place[key] = place.get(key, 0.0) + p
    total = sum(place.values())
    sure = place[best.square, best.segment] / total
    others = [
        MeepleAlternative(segment, p / total)
        for (where, segment), p in sorted(place.items(), key=lambda item: -item[1])
        if where == best.square and segment != best.segment and p / total > 0.01
    ]
    if foot.probability < HEAT_SURE:
        others.append(MeepleAlternative(None, 1 - foot.probability))
    colour = int(np.argmax(foot.colours))
    px = to_photo(warp, np.array([foot.at]))[0]
    confidence = foot.probability * sure * float(foot.colours[colour])
    return MeepleReading(
        colour=colours[colour],
        kind="meeple",
        pose=pose,
        foot_px=(float(px[0]), float(px[1])),
        at=foot.at,
        row=best.square[0],
        col=best.square[1],
        segment=best.segment,
        confidence=confidence,
        doubtful=foot.probability < HEAT_SURE or sure < PLACE_SURE or foot.colours[colour] < PLACE_SURE,
        alternatives=tuple(others),
    )


def _lost(foot: Foot, warp: Warp, colours: Sequence[str], poses: Sequence[str]) -> MeepleReading:
    """A meeple on a tile that nobody knows: it scores for nothing, and is shown as a doubt."""
    px = to_photo(warp, np.array([foot.at]))[0]
    return MeepleReading(
        colour=colours[int(np.argmax(foot.colours))],
        kind="meeple",
        pose=poses[int(np.argmax(foot.poses))],
        foot_px=(float(px[0]), float(px[1])),
        at=foot.at,
        row=int(np.floor(foot.at[1])),
        col=int(np.floor(foot.at[0])),
        segment=None,
        confidence=0.0,
        doubtful=True,
    )
