"""Fit what tells the outlines of an empty board: `python -m models.calibration.boards --count 3 --seed 21`.

Boards of Tower of Babel are drawn in the arts that are not held out (`FITTED_BOARD_ARTS`), with the seeds of no
measured board. How rare a board's edge is on its table is what leaves its corners the nearest to the truth, each of
them pointed at by a finger. What edges a printed line has is fitted by the greatest likelihood, on points along the
true sides of areas and rows. How many points elsewhere have such edges, where boxes are that are none, and how much a
side, an end that runs on and a round in the box count is what leaves the fewest boxes beyond 2 mm: each of the four is
halved and doubled for as long as that helps.

It prints the rows `board` of `[boards.edges]` and `box` of `[boards.lines]` in `models/calibration.toml`; with
`--write` they go there.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

import numpy as np

from datasets.evaluation.board_owner import TAP_SHARE, TRUTH, draw_owner
from datasets.tower_of_babel.art import FITTED_BOARD_ARTS
from datasets.tower_of_babel.plan import SIZE_MM
from models.calibration.file import FittedRow, add_write_option, report_rows
from vision.arrays import Floats, Image
from vision.printed.draft import BoardDraft, BoardMark
from vision.printed.lines import LineWeights, load_line_weights, measure_surprise
from vision.printed.quad_sides import refine_corners
from vision.tower_of_babel.form import ALIKE, AlikeBoxes, fit_alike

NEAR_MM = 2.0
SIDE_PX = 3
"""A true side is taken where most is seen within so many pixels of it: corners are not quite true."""
FACTORS = (0.5, 2.0)
COUNTED = ("elsewhere", "side", "end", "round")
SURPRISES = (3.0, 3.5, 4.0, 4.5, 5.0, 5.5, 6.0, 7.0)
FITTED_KINDS = ALIKE[:2]
"""The building areas, and the rows of the scoring table."""


@dataclass(frozen=True, slots=True, eq=False)
class PhotographedBoard:
    """A photo (h, w, 3) of a board, its true corners (4, 2) and those that a finger pointed at, in pixels."""

    photo: Image
    corners: Floats
    pointed: Floats

    def measure_misfit(self, least_surprise: float) -> float:
        """Measure how far the farthest corner is from the true one in millimetres, 2 mm at most."""
        refined = refine_corners(self.photo, self.pointed, least_surprise)
        px_mm = float(np.linalg.norm(self.corners[1] - self.corners[0])) / SIZE_MM[0]
        return min(float(np.linalg.norm(refined - self.corners, axis=1).max()) / px_mm, NEAR_MM)


@dataclass(frozen=True, slots=True, eq=False)
class StraightBoard:
    """A board (h, w, 3) from above as an owner shows it, pointed at; `mm_px` (2,) are the millimetres of a pixel."""

    picture: Image
    draft: BoardDraft
    mm_px: Floats

    def find_sides(self, name: str) -> Floats:
        """Find (4,) the true sides of a box in pixels: left, top, right, bottom."""
        return np.asarray(TRUTH[name] / np.tile(self.mm_px, 2))


def draw_boards(count: int, seed: int) -> tuple[list[PhotographedBoard], list[StraightBoard]]:
    """Draw so many boards of each art that is not held out, with the corners and each box pointed at by a finger."""
    photographed, boards = list[PhotographedBoard](), list[StraightBoard]()
    for art in FITTED_BOARD_ARTS:
        for number in range(count):
            owner = draw_owner(art, seed, number)
            true, size = owner.photo.corners_px, owner.draft.photo_size
            pointed = np.clip(true + owner.rng.normal(0, TAP_SHARE * max(size), (4, 2)), 0, size)
            photographed.append(PhotographedBoard(owner.pixels, true, pointed))
            owner.show_outlines()
            board = StraightBoard(owner.straight, owner.draft, owner.mm_px)
            spread = TAP_SHARE * max(owner.draft.straight_size)
            marks = {
                name: _point_at(board.find_sides(name), owner.rng.normal(0, spread, 2))
                for alike in FITTED_KINDS
                for name in alike.names
            }
            boards.append(replace(board, draft=owner.draft.model_copy(update={"marks": marks})))
    return photographed, boards


def _point_at(sides: Floats, miss: Floats) -> BoardMark:
    x, y = (sides[:2] + sides[2:]) / 2 + miss
    return BoardMark(box=(x - 1, y - 1, 2.0, 2.0), at=(float(x), float(y)))


def collect_points(board: StraightBoard) -> Floats:
    """Collect the surprise of (n,) points on printed lines."""
    upright, level = (surprise.astype(np.float64) for surprise in measure_surprise(board.picture))
    lines = [
        line
        for alike in FITTED_KINDS
        for name in alike.names
        for left, top, right, bottom in [np.rint(board.find_sides(name)).astype(int)]
        for line in (
            _find_line(upright[top:bottom], left),
            _find_line(upright[top:bottom], right),
            _find_line(level[:, left:right].T, top),
            _find_line(level[:, left:right].T, bottom),
        )
    ]
    return np.concatenate(lines)


def _find_line(across: Floats, at: int) -> Floats:
    """The points (n,) of the line of most surprise near a place, of what lies across it (n, places)."""
    near = across[:, max(0, at - SIDE_PX) : at + SIDE_PX + 1]
    return np.asarray(near[:, near.mean(axis=0).argmax()], np.float64)


def fit_points(on_lines: Floats) -> tuple[float, float]:
    """Return the share of points on lines that have a line's edge, and its mean surprise: the likeliest ones."""
    from scipy.optimize import minimize

    def measure_unlikelihood(values: Floats) -> float:
        share, surprise = 1 / (1 + np.exp(-values[0])), 1 + np.exp(values[1])
        ratio = np.exp(on_lines * (1 - 1 / surprise)) / surprise
        return float(-np.log1p(share * (ratio - 1)).mean())

    best = minimize(measure_unlikelihood, np.array([1.0, 0.5]), method="Nelder-Mead").x
    return float(1 / (1 + np.exp(-best[0]))), float(1 + np.exp(best[1]))


def measure_loss(boards: Sequence[StraightBoard], weights: LineWeights) -> tuple[int, float]:
    """Measure how many boxes are farther than 2 mm from the truth, and how far boxes are on the whole, 2 mm at most."""
    off = np.concatenate([_measure_boxes(board, alike, weights) for board in boards for alike in FITTED_KINDS])
    return int((off > NEAR_MM).sum()), float(np.minimum(off, NEAR_MM).mean())


def _measure_boxes(board: StraightBoard, alike: AlikeBoxes, weights: LineWeights) -> Floats:
    """(n,) millimetres."""
    marks = fit_alike(board.draft, alike, board.picture, weights)
    boxes = np.array([marks[name].box for name in alike.names])
    sides = np.column_stack([boxes[:, :2], boxes[:, :2] + boxes[:, 2:]])
    true = np.array([board.find_sides(name) for name in alike.names])
    return np.asarray(np.abs((sides - true) * np.tile(board.mm_px, 2)).max(axis=1))


def fit_counts(boards: Sequence[StraightBoard], weights: LineWeights) -> LineWeights:
    """Return the weights with what a side, an end and a round count such that the fewest boxes are wrong."""
    least = measure_loss(boards, weights)
    print(f"# {weights}: {least[0]} wrong, {least[1]:.2f} mm off", flush=True)
    improves = True
    while improves:
        improves = False
        for name in COUNTED:
            for factor in FACTORS:
                tried = replace(weights, **{name: getattr(weights, name) * factor})
                loss = measure_loss(boards, tried)
                print(
                    f"# {name} {getattr(tried, name):.2f}: {loss[0]} beyond {NEAR_MM:g} mm, {loss[1]:.2f} mm",
                    flush=True,
                )
                if loss < least:
                    weights, least, improves = tried, loss, True
                    break
    return weights


def fit_edge(boards: Sequence[PhotographedBoard]) -> FittedRow:
    """Return the row of a board's edge, the middle of those that are best to a hundredth of a millimetre, with how many
    boards there were and how far they are off on the whole."""
    misfits = {least: float(np.mean([board.measure_misfit(least) for board in boards])) for least in SURPRISES}
    for least, misfit in misfits.items():
        print(f"# an edge of {least:g} nats: corners {misfit:.2f} mm off", flush=True)
    least_misfit = min(round(misfit, 2) for misfit in misfits.values())
    best = float(np.median([least for least, misfit in misfits.items() if round(misfit, 2) == least_misfit]))
    return FittedRow("edges", "board", {"surprise": best, "boards": len(boards), "off": least_misfit})


def fit_row(boards: Sequence[StraightBoard]) -> FittedRow:
    """Return the fitted row, with how many boxes there were and how many are beyond 2 mm."""
    share, surprise = fit_points(np.concatenate([collect_points(board) for board in boards]))
    weights = fit_counts(boards, replace(load_line_weights(), seen=round(share, 3), surprise=round(surprise, 2)))
    boxes = len(boards) * sum(len(alike.names) for alike in FITTED_KINDS)
    values = {name: round(value, 3) for name, value in asdict(weights).items()}
    return FittedRow("lines", "box", {**values, "boxes": boxes, "wrong": measure_loss(boards, weights)[0]})


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--count", type=int, default=3, help="boards of each art")
    parser.add_argument("--seed", type=int, default=21)
    add_write_option(parser)
    options = parser.parse_args(arguments)
    photographed, boards = draw_boards(options.count, options.seed)
    report_rows("boards", [fit_edge(photographed), fit_row(boards)], options.write)


if __name__ == "__main__":
    main()
