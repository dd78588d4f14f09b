"""Interpretation of a finger on a straightened picture: the detected shape below it, or one like others of its kind."""

from __future__ import annotations

import numpy as np

from vision.arrays import Floats, Ints
from vision.flat_boards.layout import PixelPoint
from vision.showing.draft import BoardMark, Node, RoundMark
from vision.showing.outlines import Outlines, load_shape_rules


def _count_alike(boxes: Floats) -> Ints:
    """Count for each of (n, 4) boxes those of its size, including itself."""
    sizes = boxes[:, 2:]
    off = np.abs(sizes[:, None] / sizes[None] - 1).max(axis=2)
    return np.asarray((off < load_shape_rules("space")["same"]).sum(axis=1), np.int64)


def merge_nested(rounds: Floats) -> Floats:
    """Return rounds (m, 3) x, y, radius without those nested in a larger one."""
    left, largest = rounds[np.argsort(-rounds[:, 2])], list[Floats]()
    nested = load_shape_rules("round")["nested"]
    while len(left):
        largest.append(left[0])
        left = left[np.linalg.norm(left[:, :2] - left[0, :2], axis=1) > nested * left[0, 2]]
    return np.array(largest).reshape(-1, 3)


def find_round(outlines: Outlines, at: PixelPoint, usual: float | None) -> RoundMark:
    """Find the round that was pointed at: the largest one there, or one of the usual radius centred on the place."""
    rounds = merge_nested(outlines.rounds)
    there = rounds[np.linalg.norm(rounds[:, :2] - at, axis=1) < 1.2 * rounds[:, 2]]
    if usual is not None:
        there = there[np.abs(there[:, 2] / usual - 1) < load_shape_rules("round")["alike"]]
    if len(there):
        x, y, radius = (round(float(value), 2) for value in there[there[:, 2].argmax()])
        return x, y, radius
    return *at, usual or 36.0


def add_node(outlines: Outlines, path: BoardMark | None, at: PixelPoint) -> BoardMark:
    """Return a path extended by the space pointed at, numbered from the last one.

    The number of spaces between two nodes is counted from the detected ones, or estimated from the distance.
    """
    nodes = path.path if path is not None and path.path is not None else ()
    cell = _find_cell(outlines.boxes, at)
    middle = at if cell is None else (round(float(cell[0] + cell[2] / 2), 2), round(float(cell[1] + cell[3] / 2), 2))
    reach = path.reach if path is not None and path.reach else None if cell is None else float(min(cell[2:]) / 2)
    number = 0 if not nodes else nodes[-1][2] + _count_steps(outlines.boxes, nodes[-1], middle, reach)
    return BoardMark(path=(*nodes, (*middle, number)), reach=reach)


def _find_cell(cells: Floats, at: PixelPoint) -> Floats | None:
    """Return the box (4,) at a place whose size is the most common."""
    inside = ((cells[:, :2] <= at) & (np.array(at) <= cells[:, :2] + cells[:, 2:])).all(axis=1)
    return cells[np.where(inside, _count_alike(cells), 0).argmax()] if inside.any() else None


def _count_steps(cells: Floats, last: Node, middle: PixelPoint, reach: float | None) -> int:
    """Return the number of steps from one space to another."""
    way = np.array(middle) - last[:2]
    length = float(np.linalg.norm(way))
    if reach is None or length < reach:
        return 1
    step = 2 * reach
    along_unit = way / length
    size = cells[:, 2:].min(axis=1)
    off = cells[:, :2] + cells[:, 2:] / 2 - last[:2]
    along, aside = off @ along_unit, np.abs(off @ (-along_unit[1], along_unit[0]))
    rules = load_shape_rules("space")
    on_line = (np.abs(size / step - 1) < rules["alike"]) & (aside < rules["beside"] * step)
    places = np.sort(along[on_line & (along > -0.5 * step) & (along < length + 0.5 * step)])
    gaps = np.diff(places)
    gaps = gaps[np.rint(gaps / step) == 1]
    return max(1, round(length / float(np.median(gaps)) if len(gaps) > 1 else length / step))
