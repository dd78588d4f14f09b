"""Selection of a board's edges among the lines along its four sides.

An edge is the outermost line that is not part of the table. A board has one border all around, from its edge to the
adjacent printed line. If some sides show its width, a faint edge is recognised by its position on the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from scoring.calibration import load_weights
from vision.arrays import Floats

SAME_WIDTH_PX = 1.5
"""Maximum difference of widths of the same border, which is seen in perspective. A guess."""


@dataclass(frozen=True, slots=True)
class EdgeWeights:
    """Thresholds for a board's edge, in nats, fitted by `python -m models.calibration.boards`.

    A line that is rarer than the table's by `surprise` nats is an edge by itself. A line above `table` is one together
    with the edges of other sides that have the same distance from the print.
    """

    surprise: float
    table: float


@cache
def load_edge_weights() -> EdgeWeights:
    """Load the weights; raises ScoringError as `load_weights` does."""
    row = load_weights("boards", "edges")["board"]
    return EdgeWeights(float(row["surprise"]), float(row["table"]))


@dataclass(frozen=True, slots=True, eq=False)
class SideLine:
    """A line near a side: `offsets` pixels outside its two corners, and `surprise`, its rarity on the table in nats.

    `within` (3,) is the colour inside it.
    """

    offsets: tuple[float, float]
    surprise: float
    within: Floats

    @property
    def middle(self) -> float:
        """Mean distance outside the side."""
        return sum(self.offsets) / 2


@dataclass(frozen=True, slots=True, eq=False)
class _Border:
    """A candidate for a board's border on one side: from its edge to the adjacent printed line."""

    edge: SideLine
    print: SideLine

    @property
    def width(self) -> float:
        return self.edge.middle - self.print.middle


def choose_line(lines: Sequence[SideLine], least_surprise: float | None) -> SideLine | None:
    """Choose the outermost of a side's lines with `least_surprise`, else the one with the most if it has half of that.

    If `least_surprise` is None, choose the sharpest line, which is the first. Returns None if there is none.
    """
    if least_surprise is None:
        return lines[0] if lines else None
    good = [line for line in lines if line.surprise >= least_surprise]
    if good:
        return max(good, key=lambda line: line.middle)
    best = max(lines, key=lambda line: line.surprise, default=None)
    return None if best is None or best.surprise < least_surprise / 2 else best


def choose_edges(sides: Sequence[Sequence[SideLine]], weights: EdgeWeights) -> list[SideLine | None]:
    """Choose the edge of each of a board's sides from its lines; None for a side without one."""
    lines = [choose_line(side, weights.surprise) for side in sides]
    borders = [list(_list_borders(*pair, weights)) for pair in zip(sides, lines, strict=True)]
    found_borders = _find_border(borders, weights)
    surplus = sum(border.edge.surprise - weights.table for border in found_borders if border)
    if surplus < weights.surprise - weights.table:
        return lines
    return [
        _take_edge(*each, found_borders[:i] + found_borders[i + 1 :])
        for i, each in enumerate(zip(lines, found_borders, strict=True))
    ]


def _list_borders(side: Sequence[SideLine], line: SideLine | None, weights: EdgeWeights) -> Iterator[_Border]:
    """Yield the borders that a side's line may belong to: as its edge, or as the printed line next to a fainter
    edge."""
    if line is None:
        return
    printed = [other for other in side if other.middle < line.middle and other.surprise > weights.table]
    if printed:
        yield _Border(line, max(printed, key=lambda other: other.middle))
    for other in side:
        if other.middle > line.middle and other.surprise > weights.table:
            yield _Border(other, line)


def _find_border(borders: Sequence[Sequence[_Border]], weights: EdgeWeights) -> list[_Border | None]:
    """Return the border of the best supported width, on each side that shows it."""
    best: list[_Border | None] = [None] * len(borders)
    most = 0.0
    for width in (border.width for side in borders for border in side):
        alike = [[each for each in side if abs(each.width - width) <= SAME_WIDTH_PX] for side in borders]
        chosen: list[_Border | None] = [side[0] if side else None for side in alike]
        surplus = sum(border.edge.surprise - weights.table for border in chosen if border)
        if surplus > most:
            best, most = chosen, surplus
    return best


def _take_edge(line: SideLine | None, border: _Border | None, others: Sequence[_Border | None]) -> SideLine | None:
    """Return a side's edge: its line, or a fainter one if the line is the printed one next to the edge.

    The colour inside it, compared with that on other sides, decides.
    """
    if line is None or border is None or border.edge is line:
        return line
    known = [each for each in others if each is not None]
    if not known:
        return border.edge
    to_edge, to_print = (
        float(np.mean([np.linalg.norm(line.within - one.within) for one in lines]))
        for lines in ([each.edge for each in known], [each.print for each in known])
    )
    return line if to_edge <= to_print else border.edge
