"""How near the layout of an empty board comes to the truth that an owner shows: before anything is dragged, and after.

    python -m datasets.evaluation.boards --count 6 --seed 31

Draws photos of empty boards of Tower of Babel in each art, on any table and in any light. A simulated owner
(`datasets.evaluation.board_owner`) taps each thing once, with a finger's error, and then drags whatever is seen to lie
wrong. For each art it prints how many areas and spaces lie within 2 mm of where they are printed, how far the worst is
off, and how many drags the owner needs; arts that the weights are fitted on, that were looked at, and that are held out
apart. How large the board is, the owner shows by a bank card beside it, or types (`--typed-size`): what is off by the
card's scale is off all over the board.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from datasets.evaluation.board_owner import BoardOwner, draw_owner, measure_layout
from datasets.tower_of_babel.art import ARTS, FITTED_BOARD_ARTS, HELD_OUT_BOARD_ARTS
from vision.arrays import Floats
from vision.evaluation.intervals import format_share

NEAR_MM = 2.0
KINDS = {
    "fitted": FITTED_BOARD_ARTS,
    "seen": tuple(art for art in ARTS if art not in FITTED_BOARD_ARTS + HELD_OUT_BOARD_ARTS),
    "held out": HELD_OUT_BOARD_ARTS,
}


@dataclass(frozen=True, slots=True, eq=False)
class ShownBoard:
    """What came of one board: (n,) millimetres that its areas and spaces are off, and after the drags.

    `size_off` is how far the board's measured width is from the true one, as a share of it.
    """

    art: str
    off: Floats
    off_after: Floats
    taps: int
    drags: int
    size_off: float


def show_board(owner: BoardOwner, art: str) -> ShownBoard:
    """Let an owner show a board, and drag what is wrong; raises ValueError where its size cannot be told."""
    off = measure_layout(owner.show())
    width = owner.size_off
    off_after = measure_layout(owner.drag())
    effort = owner.effort
    return ShownBoard(art, off, off_after, effort.taps, effort.drags + effort.corner_drags, width)


def describe_boards(name: str, boards: Sequence[ShownBoard]) -> str:
    """Describe boards in a line."""
    off, after = (np.concatenate([getattr(board, each) for board in boards]) for each in ("off", "off_after"))
    whole, whole_after = (
        sum(getattr(board, each).max() <= NEAR_MM for board in boards) for each in ("off", "off_after")
    )
    drags = np.array([board.drags for board in boards])
    spread = 1.96 * drags.std(ddof=1) / np.sqrt(len(drags)) if len(drags) > 1 else float("nan")
    return (
        f"{name:10} n = {len(boards)}: within {NEAR_MM:g} mm {format_share(int((off <= NEAR_MM).sum()), len(off))}"
        f", worst {off.max():.1f} mm; whole boards {format_share(whole, len(boards))}"
        f"; {np.mean([board.taps for board in boards]):.0f} taps"
        f"; drags {drags.mean():.1f} (± {spread:.1f}, most {drags.max()})"
        f"; after them {format_share(int((after <= NEAR_MM).sum()), len(after))}, worst {after.max():.1f} mm"
        f", whole boards {whole_after} of {len(boards)}"
        f"; width off by {100 * np.abs([board.size_off for board in boards]).max():.1f} % at most"
    )


def evaluate_arts(arts: Iterable[str], count: int, seed: int, types_size: bool = False) -> list[ShownBoard]:
    """Show so many boards of each art, by a bank card or by the size that is typed, and print a line for each."""
    boards = list[ShownBoard]()
    for art in arts:
        group = list[ShownBoard]()
        for number in range(count):
            try:
                group.append(show_board(draw_owner(art, seed, number, types_size), art))
            except ValueError as error:
                print(f"{art} {number}: {error}")
        if group:
            print(describe_boards(art, group), flush=True)
        boards += group
    return boards


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        prog="python -m datasets.evaluation.boards", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("--count", type=int, default=6, help="boards of each art")
    parser.add_argument("--seed", type=int, default=31)
    parser.add_argument("--arts", nargs="+", choices=[*ARTS, "random"], help="these alone")
    parser.add_argument("--typed-size", action="store_true", help="the owner types the board's size: no bank card")
    options = parser.parse_args(arguments)
    for kind, arts in KINDS.items():
        chosen_arts = [art for art in arts if options.arts is None or art in options.arts]
        boards = evaluate_arts(chosen_arts, options.count, options.seed, options.typed_size)
        if boards:
            print(describe_boards(kind.upper(), boards), flush=True)


if __name__ == "__main__":
    main()
