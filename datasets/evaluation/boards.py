"""How close the layout of an enrolled empty board comes to the truth: before anything is dragged, and after.

    python -m datasets.evaluation.boards --count 6 --seed 31

Draws photos of empty boards of Tower of Babel in each art, on any table and in any light. A simulated owner
(`datasets.evaluation.board_owner`) taps each mark once, with a finger's error, and then drags all visible errors. For
each art, prints the number of areas and spaces within 2 mm of the print, the worst error, and the number of drags. Arts
used for fitting weights, arts that were inspected, and held-out arts are listed separately. The owner shows the board's
size by a bank card beside it or types it (`--typed-size`); an error of the card's scale affects the whole board.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from datasets.evaluation.board_owner import BoardOwner, draw_owner, measure_layout
from datasets.tower_of_babel.art import ARTS, FITTED_BOARD_ARTS, HELD_OUT_BOARD_ARTS
from vision.arrays import Floats
from vision.evaluation.reliability import format_share

NEAR_MM = 2.0
KINDS = {
    "fitted": FITTED_BOARD_ARTS,
    "seen": tuple(art for art in ARTS if art not in FITTED_BOARD_ARTS + HELD_OUT_BOARD_ARTS),
    "held out": HELD_OUT_BOARD_ARTS,
}


@dataclass(frozen=True, slots=True, eq=False)
class ShownBoard:
    """The result for one board: errors (n,) of its areas and spaces in millimetres, before and after the drags.

    `size_off` is the relative error of the board's measured width.
    """

    art: str
    off: Floats
    off_after: Floats
    taps: int
    drags: int
    size_off: float


def show_board(owner: BoardOwner, art: str) -> ShownBoard:
    """Let an owner enrol a board and drag visible errors; raises ValueError if its size is unknown."""
    off = measure_layout(owner.show())
    width = owner.size_off
    off_after = measure_layout(owner.drag())
    effort = owner.effort
    return ShownBoard(art, off, off_after, effort.taps, effort.drags + effort.corner_drags, width)


def describe_boards(name: str, boards: Sequence[ShownBoard]) -> str:
    """Describe boards in one line."""
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
    """Enrol `count` boards of each art, by a bank card or a typed size, and print a line for each art."""
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
    parser.add_argument("--count", type=int, default=6, help="number of boards of each art")
    parser.add_argument("--seed", type=int, default=31)
    parser.add_argument("--arts", nargs="+", choices=[*ARTS, "random"], help="arts; by default all")
    parser.add_argument("--typed-size", action="store_true", help="the owner types the board's size: no bank card")
    options = parser.parse_args(arguments)
    for kind, arts in KINDS.items():
        chosen_arts = [art for art in arts if options.arts is None or art in options.arts]
        boards = evaluate_arts(chosen_arts, options.count, options.seed, options.typed_size)
        if boards:
            print(describe_boards(kind.upper(), boards), flush=True)


if __name__ == "__main__":
    main()
