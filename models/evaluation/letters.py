"""Measure the benefit of letters on building tiles, on photos in arts neither trained on nor measured.

    python -m datasets.world_wonders --out runs/basalt --count 10 --seed 61 --art basalt --tabletops checks
    python -m models.evaluation.letters runs/basalt

For each building on a map that is found: whether its letter is read, whether the building would be doubted if its
colour is read right, and whether it would be if it is surely read as each of the other four types. The command fits
nothing: the temperature of the net that reads letters is in its metadata, written at the end of its training.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np

from models.calibration.maps import Copy, load_copy
from scoring.confidence import CONFIDENCE_SURE
from scoring.spots.game import Laid
from scoring.world_wonders.kinds import BUILDINGS, parse_piece_name
from vision.arrays import Floats
from vision.world_wonders.letters import NONE, classify_letters, combine_letter_evidence, find_letter_doubts
from vision.world_wonders.monuments import parse_spot_square
from vision.world_wonders.pieces import Piece, Pieces
from vision.world_wonders.squares import KINDS

Square = tuple[int, int]

MIN_PROBABILITY = 0.9
"""Probability above which a letter, or no letter, counts as read. A guess."""


def list_buildings(player: str, truth: Laid) -> Iterator[Piece]:
    """Yield the building tiles on a player's map."""
    squares = defaultdict(list)
    for spot, value in truth.items():
        piece = parse_piece_name(value)
        if piece is not None and piece.kind in BUILDINGS and spot.startswith(f"map.{player}."):
            squares[piece].append(parse_spot_square(spot))
    for piece, places in squares.items():
        yield Piece(KINDS.index(piece.kind), tuple(sorted(places)))


def build_sure_map(piece: Piece) -> Pieces:
    """Return a map on which only that piece was read, beyond doubt."""
    return Pieces((piece,), dict.fromkeys(piece.squares, (piece,)))


def count_outcomes(copy: Copy) -> Counter[str]:
    """Count the buildings of a folder's photos, those whose letter is read, and those doubted."""
    counts: Counter[str] = Counter()
    for photo, label in copy.photos:
        for lie, grid, player in copy.reader.maps_in(photo):
            squares = [(row, col) for row in range(grid.rows) for col in range(grid.cols)]
            letters = classify_letters(photo.halves, lie, grid, squares, copy.reader.letters)
            likely = dict(zip(squares, letters, strict=True))
            for piece in list_buildings(player, label.table.laid):
                counts.update(_list_outcomes(piece, {square: likely.pop(square) for square in piece.squares}))
            counts["other squares"] += len(likely)
            counts["other squares, a letter read"] += sum(
                letter[1:].max() > MIN_PROBABILITY for letter in likely.values()
            )
    return counts


def _list_outcomes(piece: Piece, likely: Mapping[Square, Floats]) -> Iterator[str]:
    """Yield the names of the counts to which a building adds, given the letters of its squares."""
    letter, true_letter = combine_letter_evidence(np.array([*likely.values()])), 1 + BUILDINGS.index(piece.name)
    yield "buildings"
    if letter[1:].max() > MIN_PROBABILITY:
        yield f"letter read {'right' if letter.argmax() == true_letter else 'wrong'}"
    if letter[NONE] > MIN_PROBABILITY:
        yield "no letter read"
    for kind in BUILDINGS:
        reading = Piece(KINDS.index(kind), piece.squares)
        others = find_letter_doubts(build_sure_map(reading), likely).get(reading, {})
        read = "read right" if kind == piece.name else "read as another"
        yield read
        if sum(others.values()) > 1 - CONFIDENCE_SURE:
            yield f"{read}, doubted"
            if piece.name in others:
                yield f"{read}, doubted, its own type offered"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("folders", type=Path, nargs="+", help="folders written by `python -m datasets.world_wonders`")
    whole: Counter[str] = Counter()
    for folder in parser.parse_args().folders:
        counts = count_outcomes(load_copy(folder))
        whole.update(counts)
        print(folder.name, dict(counts), flush=True)
    print("all", dict(whole))


if __name__ == "__main__":
    main()
