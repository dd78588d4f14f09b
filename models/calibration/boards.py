"""Fit the outlines of an empty board: `python -m models.calibration.boards --count 3 --seed 21`.

Boards of Tower of Babel are drawn in the arts that are not held out (`FITTED_BOARD_ARTS`), with the seeds of no
measured board. The surprise of a board's edge against its table, alone and together with the edges of other sides, is
chosen to leave the corners nearest to the truth, each of them pointed at by a finger. The tolerance of a bank card's
points about its outline, and the weight of equal blur in both directions, are chosen to leave the board's size nearest
to the truth. The edges of a printed line are fitted by maximum likelihood, on points along the true sides of areas and
rows. The share of points elsewhere with edges as strong, and the weights of a side, an end that runs on, a line that
runs through and a round in the box, are chosen to leave the fewest boxes more than 2 mm off: each of the five is halved
and doubled as long as that helps.

The command prints the rows `board` of `[boards.edges]`, `card` of `[boards.cards]` and `box` of `[boards.lines]` in
`models/calibration.toml`; `--write` writes them there.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import product
from typing import TypeVar

import numpy as np

from datasets.evaluation.board_owner import CARD_VIEW_SHARE, TAP_SHARE, TRUTH, draw_owner
from datasets.tower_of_babel.art import FITTED_BOARD_ARTS
from datasets.tower_of_babel.plan import SIZE_MM
from models.calibration.file import FittedRow, add_write_option, refuse, report_rows
from vision.arrays import Floats, Image, compute_sigmoid
from vision.showing.bank_card import CardWeights, fit_card, measure_board
from vision.showing.draft import BoardDraft, BoardMark
from vision.showing.equal_boxes import LineWeights, load_line_weights, measure_surprise
from vision.showing.quad_sides import EdgeWeights, refine_corners
from vision.tower_of_babel.form import ALIKE, AlikeBoxes, fit_alike

NEAR_MM = 2.0
"""Distance in millimetres beyond which a box counts as wrong and a corner as lost. A guess."""
SIDE_PX = 3
"""A true side is taken at the strongest response within this distance in pixels, since corners are not exact. A
guess."""
FACTORS = (0.5, 2.0)
"""Factors by which a weight is changed in the search: halved and doubled. A guess."""
COUNTED = ("elsewhere", "side", "end", "through", "round")
"""Weights that are found by search."""
SURPRISES = (3.0, 3.5, 4.0, 4.5, 5.0, 5.5, 6.0, 7.0)
"""Candidates for the surprise of one edge, in nats. A guess."""
TABLES = (1.0, 1.5, 2.0, 2.5, 3.0)
"""Candidates for the surprise of an edge together with those of other sides, in nats. A guess."""
MISSES_PX, UNEVEN = (0.15, 0.3, 0.6), (0.05, 0.1, 0.2)
"""Candidates for a card's tolerance in pixels and for its weight of unequal blur in nats. A guess."""
FITTED_KINDS = ALIKE[:2]
"""The building areas, and the rows of the scoring table."""

Weights = TypeVar("Weights", EdgeWeights, CardWeights)


@dataclass(frozen=True, slots=True, eq=False)
class PhotographedBoard:
    """A photo (h, w, 3) of a board, its true corners (4, 2) and those pointed at with a finger, in pixels, and those of
    a card that was pointed at, on the lines near its sides."""

    photo: Image
    corners: Floats
    pointed: Floats
    card: Floats

    def measure_misfit(self, weights: EdgeWeights) -> float:
        """Measure the largest error of a corner in millimetres, 2 mm at most."""
        refined = refine_corners(self.photo, self.pointed, weights)
        px_mm = float(np.linalg.norm(self.corners[1] - self.corners[0])) / SIZE_MM[0]
        return min(float(np.linalg.norm(refined - self.corners, axis=1).max()) / px_mm, NEAR_MM)

    def measure_size_off(self, weights: CardWeights) -> float:
        """Measure the error of the board's size by its card, in percent of a side, 1 at most."""
        card = fit_card(self.photo, self.card, self.corners, weights)
        size = measure_board(self.corners, card, (self.photo.shape[1], self.photo.shape[0]))
        return 1.0 if size is None else min(100 * float(np.abs(np.array(size) / SIZE_MM - 1).max()), 1.0)


@dataclass(frozen=True, slots=True, eq=False)
class StraightBoard:
    """A board (h, w, 3) from above as enrolled, with marks; `mm_px` (2,) is the size of a pixel in millimetres."""

    picture: Image
    draft: BoardDraft
    mm_px: Floats

    def find_sides(self, name: str) -> Floats:
        """Find the (4,) true sides of a box in pixels: left, top, right, bottom."""
        return np.asarray(TRUTH[name] / np.tile(self.mm_px, 2))


def draw_boards(count: int, seed: int) -> tuple[list[PhotographedBoard], list[StraightBoard]]:
    """Draw `count` boards of each art that is not held out, with the corners and each box pointed at with a finger."""
    photographed, boards = list[PhotographedBoard](), list[StraightBoard]()
    for art in FITTED_BOARD_ARTS:
        for number in range(count):
            owner = draw_owner(art, seed, number)
            true, size = owner.photo.corners_px, owner.draft.photo_size
            pointed = np.clip(true + owner.rng.normal(0, TAP_SHARE * max(size), (4, 2)), 0, size)
            miss = owner.rng.normal(0, TAP_SHARE * CARD_VIEW_SHARE * max(size), (4, 2))
            card = refine_corners(owner.pixels, owner.photo.card_px + miss, None)
            photographed.append(PhotographedBoard(owner.pixels, true, pointed, card))
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
    """Return the surprise of (n,) points on printed lines."""
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
    """Return the (n,) points of the most surprising line near a place, from the (n, places) profile across it."""
    near = across[:, max(0, at - SIDE_PX) : at + SIDE_PX + 1]
    return np.asarray(near[:, near.mean(axis=0).argmax()], np.float64)


def fit_points(on_lines: Floats) -> tuple[float, float]:
    """Return the share of points on lines that have a line's edge, and its mean surprise, by maximum likelihood."""
    from scipy.optimize import minimize

    def measure_unlikelihood(values: Floats) -> float:
        share, surprise = compute_sigmoid(values[0]), 1 + np.exp(values[1])
        ratio = np.exp(on_lines * (1 - 1 / surprise)) / surprise
        return float(-np.log1p(share * (ratio - 1)).mean())

    best = minimize(measure_unlikelihood, np.array([1.0, 0.5]), method="Nelder-Mead").x
    return float(compute_sigmoid(best[0])), float(1 + np.exp(best[1]))


def measure_loss(boards: Sequence[StraightBoard], weights: LineWeights) -> tuple[int, float]:
    """Measure how many boxes are more than 2 mm from the truth, and the mean error of all boxes, 2 mm at most each."""
    off = np.concatenate([_measure_boxes(board, alike, weights) for board in boards for alike in FITTED_KINDS])
    return int((off > NEAR_MM).sum()), float(np.minimum(off, NEAR_MM).mean())


def _measure_boxes(board: StraightBoard, alike: AlikeBoxes, weights: LineWeights) -> Floats:
    """Return the (n,) largest errors of the boxes' sides in millimetres."""
    marks = fit_alike(board.draft, alike, board.picture, weights)
    boxes = np.array([marks[name].box for name in alike.names])
    sides = np.column_stack([boxes[:, :2], boxes[:, :2] + boxes[:, 2:]])
    true = np.array([board.find_sides(name) for name in alike.names])
    return np.asarray(np.abs((sides - true) * np.tile(board.mm_px, 2)).max(axis=1))


def fit_counts(boards: Sequence[StraightBoard], weights: LineWeights) -> LineWeights:
    """Return the weights with the counts of sides, ends and rounds that leave the fewest boxes wrong."""
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
    """Return the row of a board's edge, with the number of boards and their mean error."""
    weights = [EdgeWeights(surprise, table) for surprise, table in product(SURPRISES, TABLES) if table < surprise]
    misfits = {each: float(np.mean([board.measure_misfit(each) for board in boards])) for each in weights}
    for each, misfit in misfits.items():
        print(f"# an edge of {each.surprise:g} nats, {each.table:g} together: corners {misfit:.2f} mm off")
    best, off = _choose_middle(misfits)
    return FittedRow("edges", "board", asdict(best), {"boards": len(boards), "off": off}, len(boards))


def fit_card_weights(boards: Sequence[PhotographedBoard]) -> FittedRow:
    """Return the row of a card's points, with the number of boards and their mean error in percent."""
    weights = [CardWeights(*pair) for pair in product(MISSES_PX, UNEVEN)]
    misfits = {each: float(np.mean([board.measure_size_off(each) for board in boards])) for each in weights}
    for each, misfit in misfits.items():
        print(f"# points within {each.miss_px:g} px, {each.uneven:g} nats: size {misfit:.3f} % off", flush=True)
    best, off = _choose_middle(misfits)
    return FittedRow("cards", "card", asdict(best), {"boards": len(boards), "off": off}, len(boards))


def _choose_middle(misfits: Mapping[Weights, float]) -> tuple[Weights, float]:
    """Return the middle one of the weights that are equally good to two decimals, and their error."""
    least = min(round(misfit, 2) for misfit in misfits.values())
    best = [each for each, misfit in misfits.items() if round(misfit, 2) == least]
    places = np.log([tuple(asdict(each).values()) for each in best])
    return best[int(np.abs(places - np.median(places, axis=0)).sum(axis=1).argmin())], least


def fit_row(boards: Sequence[StraightBoard]) -> FittedRow:
    """Return the fitted row, with the number of boxes and the number of those more than 2 mm off."""
    share, surprise = fit_points(np.concatenate([collect_points(board) for board in boards]))
    weights = fit_counts(boards, replace(load_line_weights(), seen=round(share, 3), surprise=round(surprise, 2)))
    boxes = len(boards) * sum(len(alike.names) for alike in FITTED_KINDS)
    fitted = {name: round(value, 3) for name, value in asdict(weights).items()}
    return FittedRow("lines", "box", fitted, {"boxes": boxes, "wrong": measure_loss(boards, weights)[0]}, boxes)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--count", type=int, default=3, help="number of boards of each art")
    parser.add_argument("--seed", type=int, default=21)
    add_write_option(parser)
    options = parser.parse_args(arguments)
    photographed, boards = draw_boards(options.count, options.seed)
    if not boards:
        refuse("no board is to be drawn")
    rows = [fit_edge(photographed), fit_card_weights(photographed), fit_row(boards)]
    report_rows("boards", rows, options.write, {})


if __name__ == "__main__":
    main()
