"""Label photos by their readings for correction: `python -m datasets.evaluation.labelling PHOTO ... --out DIR`.

The output is the reading, right or wrong. It becomes a label only after a person has compared each tile and each piece
with the photo and corrected tokens and `on` (`scoring.carcassonne.board.label` describes their format).
`vision.evaluation.labels` reads it back. An existing label is left as it is, since it may have been corrected.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import numpy as np

from scoring.carcassonne.board.label import write_label
from vision.errors import WondertallyError
from vision.evaluation.output import open_figures_folder
from vision.photo.decoding import Photo
from vision.reader import Reader
from vision.reading.board import build_board, match_meeples
from vision.reading.values import Reading


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("photos", type=Path, nargs="+")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    reader = Reader()
    with open_figures_folder(options.out) as out:
        read = [_label(reader, photo, out / f"{photo.stem}.json") for photo in options.photos]
    sys.exit(0 if all(read) else 1)


def _label(reader: Reader, photo: Path, file: Path) -> bool:
    """Write the label of a photo; return False and print the reason if it cannot be read or has a label."""
    if file.exists():
        print(f"{file}: is there, and stays as it is", file=sys.stderr)
        return False
    try:
        label = {"photo": photo.name, **build_label(reader.read(Photo.from_path(photo)))}
    except WondertallyError as error:
        print(f"{photo}: {error.code}: {error}", file=sys.stderr)
        return False
    file.write_text(format_label(label), encoding="utf-8")
    print(f"{file}: {len(label['corners_px'])} tiles, {len(label['meeples'])} pieces: hold each against the photo")
    return True


def build_label(reading: Reading) -> dict[str, Any]:
    """Build the label of a reading, without its photo; raises LabelError for a board that begins before (0, 0)."""
    board = build_board(reading)
    label = write_label(board)
    for meeple, number in zip(reading.meeples, match_meeples(reading.meeples, board), strict=True):
        label["meeples"][number]["foot_px"] = [round(pixel, 1) for pixel in meeple.foot_px]
    tiles = sorted(reading.tiles, key=lambda tile: tile.square)
    label["corners_px"] = [
        {"cell": [tile.row, tile.col], "corners": np.round(np.roll(tile.corners_px, tile.turns, axis=0), 1).tolist()}
        for tile in tiles
    ]
    return label


def format_label(label: dict[str, Any]) -> str:
    """Format a label for correction by hand: a line for each row of the board, piece and square."""
    lists = {key: value for key, value in label.items() if isinstance(value, list) and key != "size"}
    lines = [f" {json.dumps(key)}: {json.dumps(value)}" for key, value in label.items() if key not in lists]
    for key, value in lists.items():
        lines.append(f" {json.dumps(key)}: [\n  " + ",\n  ".join(map(json.dumps, value)) + "\n ]")
    return "{\n" + ",\n".join(lines) + "\n}\n"


if __name__ == "__main__":
    main()
