"""What letters on building tiles are worth, on photos in arts neither trained on nor measured.

    python -m datasets.world_wonders --out runs/basalt --count 10 --seed 61 --art basalt --tabletops checks
    python -m models.calibrate_letters runs/basalt

Of each building that lies on a map that is found: whether its letter is read, whether it would be doubted where its
colour is read right, and where it is surely read as each of the other four types.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path

from models.calibrate_maps import Copy, copy_of
from scoring.doubting import CONFIDENCE_SURE
from scoring.spots import Laid
from scoring.world_wonders.kinds import BUILDINGS, numbered
from vision.world_wonders.letters import NONE, letter_of, letters_on, spoken_against
from vision.world_wonders.monuments import square_of
from vision.world_wonders.pieces import Piece, Pieces
from vision.world_wonders.squares import KINDS

READ_LEAST = 0.9


def buildings(player: str, laid: Laid) -> Iterator[Piece]:
    """The building tiles on a player's map."""
    squares = defaultdict(list)
    for spot, value in laid.items():
        piece = numbered(value)
        if piece is not None and piece.kind in BUILDINGS and spot.startswith(f"map.{player}."):
            squares[piece].append(square_of(spot))
    for piece, own in squares.items():
        yield Piece(KINDS.index(piece.kind), tuple(sorted(own)))


def surely(piece: Piece) -> Pieces:
    """A map on which nothing but that piece was read, beyond doubt."""
    return Pieces((piece,), dict.fromkeys(piece.squares, (piece,)))


def counted(copy: Copy) -> Counter[str]:
    """How many buildings of a folder's photos there are, read and doubted."""
    counts: Counter[str] = Counter()
    for photo, label in copy.shown:
        for lie, grid, player in copy.own.maps_in(photo):
            for piece in buildings(player, label.table.laid):
                likely = letters_on(photo.halves, lie, grid, piece.squares, copy.own.letters)
                letter = letter_of(likely)
                counts["buildings"] += 1
                counts["letter read right"] += letter[1 + BUILDINGS.index(piece.name)] > READ_LEAST
                counts["letter read wrong"] += letter[1:].max() - letter[1 + BUILDINGS.index(piece.name)] > READ_LEAST
                counts["no letter read"] += letter[NONE] > READ_LEAST
                by_square = dict(zip(piece.squares, likely, strict=True))
                for kind in BUILDINGS:
                    taken = Piece(KINDS.index(kind), piece.squares)
                    others = spoken_against(surely(taken), by_square).get(taken, {})
                    doubted = sum(others.values()) > 1 - CONFIDENCE_SURE
                    if kind == piece.name:
                        counts["read right, doubted"] += doubted
                    else:
                        counts["read as another"] += 1
                        counts["read as another, doubted"] += doubted
                        counts["read as another, doubted, its own type offered"] += doubted and piece.name in others
    return counts


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("folders", type=Path, nargs="+", help="what `python -m datasets.world_wonders` wrote")
    whole: Counter[str] = Counter()
    for folder in parser.parse_args().folders:
        counts = counted(copy_of(folder))
        whole += counts
        print(folder.name, dict(counts), flush=True)
    print("all", dict(whole))


if __name__ == "__main__":
    main()
