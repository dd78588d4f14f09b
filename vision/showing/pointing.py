"""Interpretation of a finger on a straightened picture: the detected shape below it, or one like others of its kind."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from vision.arrays import Floats, Image
from vision.flat_boards.layout import PixelPoint
from vision.showing.draft import BoardMark, RoundMark
from vision.showing.outlines import Outlines, load_shape_rules
from vision.showing.repetition import find_run


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


def add_node(picture: Image, outlines: Outlines, path: BoardMark | None, at: PixelPoint) -> BoardMark:
    """Return a path extended to the space pointed at on a straightened (h, w, 3) picture, numbered from the last one.

    The spaces between are counted by their repetition; those on an arc become nodes as well. If the picture leaves
    their number open, the node is `unsure`: the user has to confirm or type its number.
    """
    nodes = path.path if path is not None and path.path is not None else ()
    if path is None or not nodes:
        return BoardMark(path=((*at, 0),))
    x, y, last = nodes[-1]
    run = find_run(picture, outlines, (x, y), at, measure_step(path))
    places = [(round(float(px), 2), round(float(py), 2)) for px, py in run.places]
    count = len(places) - 1
    first = (*places[0], last) if len(nodes) == 1 else nodes[-1]
    numbers = range(1, count + 1) if run.is_sure and not run.is_straight else (count,)
    added = tuple((*places[number], last + number) for number in numbers)
    return BoardMark(
        path=(*nodes[:-1], first, *added),
        reach=path.reach or (round(run.reach, 2) if run.is_sure else None),
        unsure=path.unsure if run.is_sure else (*path.unsure, len(nodes) - 1 + len(added)),
    )


def measure_step(path: BoardMark) -> float | None:
    """Measure the median distance of a path's spaces in pixels; None as long as none of their numbers is sure."""
    steps = [
        float(np.hypot(x1 - x0, y1 - y0)) / (second - first)
        for number, ((x0, y0, first), (x1, y1, second)) in enumerate(pairwise(path.path or ()), 1)
        if number not in path.unsure and second > first
    ]
    return float(np.median(steps)) if steps else None
