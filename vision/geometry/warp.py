"""From lattice units to photo pixels and back: bilinear within a square, by the homography elsewhere."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.arrays import Floats, Image
from vision.photo.crops import join_channels, round_cut
from vision.reading.values import Warp

MIN_DEPTH_SHARE = 0.05
"""Minimum depth of a visible point, relative to the board's; a smaller or negative depth has no pixel. A guess."""


def project_to_photo(warp: Warp, points: Floats) -> Floats:
    """Project (n, 2) lattice points (col, row) to (n, 2) pixels (x, y)."""
    points = np.asarray(points, float).reshape(-1, 2)
    if not len(points):
        return points
    grid, origin = build_node_grid(warp, points)
    inside = np.clip(points - origin, 0, np.array(grid.shape[1::-1]) - 1 - 1e-9)
    cell = np.floor(inside).astype(int)
    u, v = (inside - cell).T[..., None]
    x, y = cell.T
    top = (1 - u) * grid[y, x] + u * grid[y, x + 1]
    bottom = (1 - u) * grid[y + 1, x] + u * grid[y + 1, x + 1]
    return np.asarray((1 - v) * top + v * bottom)


def is_in_front(warp: Warp, points: Floats) -> NDArray[np.bool_]:
    """Return a mask (n,) of the (n, 2) lattice points (col, row) in front of the camera; only these have a pixel."""
    depth = np.column_stack([points, np.ones(len(points))]) @ warp.homography[2]
    node_depths = np.array([(col, row, 1) for row, col in warp.nodes], float).reshape(-1, 3) @ warp.homography[2]
    usual = float(np.median(node_depths)) if len(node_depths) else 1.0
    return np.asarray(depth * np.sign(usual) > MIN_DEPTH_SHARE * abs(usual))


def project_square(warp: Warp, square: tuple[int, int]) -> Floats | None:
    """Return the (4, 2) corners of a square (row, col) in the photo, clockwise from the first; None if it is behind the
    camera.
    """
    row, col = square
    corners = np.array([(col, row), (col + 1, row), (col + 1, row + 1), (col, row + 1)], float)
    return project_to_photo(warp, corners) if is_in_front(warp, corners).all() else None


def build_node_grid(warp: Warp, cover: Floats) -> tuple[Floats, tuple[int, int]]:
    """Return the (rows, cols, 2) pixels of the lattice nodes around (n, 2) points, and the first node's (col, row).

    Nodes without tiles are placed by the homography, shifted by the offset of the nearest nodes with tiles.
    """
    tile_nodes = np.array([(col, row) for row, col in warp.nodes], float).reshape(-1, 2)
    low, high = np.floor(cover.min(0)).astype(int), np.ceil(cover.max(0)).astype(int) + 1
    cols, rows = np.meshgrid(np.arange(low[0], high[0] + 1), np.arange(low[1], high[1] + 1))
    nodes = np.stack([cols, rows], -1).astype(float)
    plane = cv2.perspectiveTransform(nodes.reshape(-1, 1, 2), warp.homography)[:, 0]
    if len(tile_nodes):
        offsets = (
            np.array(list(warp.nodes.values())) - cv2.perspectiveTransform(tile_nodes[:, None], warp.homography)[:, 0]
        )
        down, right = (nodes[..., i].reshape(-1, 1) - tile_nodes[:, i] for i in (1, 0))
        weight = 1 / (down**2 + right**2 + 1e-4) ** 2
        plane = plane + weight @ offsets / weight.sum(1, keepdims=True)
    return np.asarray(plane.reshape(nodes.shape)), (int(low[0]), int(low[1]))


def scale_warp(warp: Warp, scale: float) -> Warp:
    """Return the warp for the photo at another scale."""
    nodes = {node: (x * scale, y * scale) for node, (x, y) in warp.nodes.items()}
    return Warp(np.asarray(np.diag([scale, scale, 1.0]) @ warp.homography), nodes)


def rectify_images(images: Sequence[Image], warp: Warp, box: tuple[int, int, int, int], tile_px: int) -> Image:
    """Return rectified pictures of one size, with `tile_px` pixels per tile, within the lattice box (col, row, col,
    row).

    The result is (h, w, channels), with the channels of the pictures in order. Raises ValueError if `tile_px` is odd.
    """
    if tile_px % 2:
        raise ValueError("tile_px is odd")
    x0, y0, x1, y1 = box
    grid, (left, top) = build_node_grid(warp, np.array([(x0, y0), (x1, y1)], float))
    nodes = round_cut(grid[y0 - top : y1 - top + 1, x0 - left : x1 - left + 1]).astype(np.float32)
    # Each node of the enlarged grid lies in the middle of its tile_px pixels: the box begins half a tile inside it.
    inner = slice(tile_px // 2, -(tile_px // 2))
    to_x, to_y = (
        cv2.resize(nodes[..., i] - 0.5, None, fx=tile_px, fy=tile_px, interpolation=cv2.INTER_LINEAR)[inner, inner]
        for i in (0, 1)
    )
    warped = [cv2.remap(image, to_x, to_y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE) for image in images]
    return join_channels([np.asarray(picture, np.uint8) for picture in warped])
