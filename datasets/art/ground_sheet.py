"""Contact sheets of prints with the traced features: `python -m datasets.art.ground_sheet`.

    python -m datasets.art.ground_sheet --art ../shared/tiles/c1-yerren ../shared/tiles/c2-antimonit --out sheet.png

Traced roads are red, borders of segments blue, roads of the catalogue's drawing white.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from datasets.art.printed_ground import PrintedGround, list_lines, trace_print
from datasets.art.tileset import TileSet, load_folder
from scoring.carcassonne.tiles.catalogue import load_base_catalogue
from vision.arrays import Image


def draw_sheet(tiles: Sequence[TileSet], count: int, seed: int, size: int = 240) -> Image:
    """Draw (h, w, 3) BGR prints of sets with their traced features: red roads, blue borders, the drawing in white."""
    layouts = load_base_catalogue()
    rng = np.random.default_rng(seed)
    cells = []
    for number in range(count):
        pictures = tiles[number % len(tiles)].pictures
        lined = [name for name in pictures if any(part.kind in ("road", "city") for part in layouts[name].segments)]
        name = lined[int(rng.integers(len(lined)))]
        picture = pictures[name][int(rng.integers(len(pictures[name])))]
        cells.append(draw_courses(picture, trace_print(picture, layouts[name]), size))
    across = int(np.ceil(np.sqrt(count * 1.4)))
    cells += [np.zeros_like(cells[0])] * (-len(cells) % across)
    return np.vstack([np.hstack(cells[i : i + across]) for i in range(0, len(cells), across)])


def draw_courses(picture: Image, ground: PrintedGround, size: int) -> Image:
    """Draw a print (size, size, 3) with traced roads in red, borders in blue, and the catalogue's roads in white."""
    canvas = np.asarray(cv2.resize(picture, (size, size)), np.uint8).copy()
    large = cv2.resize(ground.segments.astype(np.int16), (size, size), interpolation=cv2.INTER_NEAREST)
    border = (np.abs(np.diff(large, axis=0, prepend=large[:1])) > 0) | (
        np.abs(np.diff(large, axis=1, prepend=large[:, :1])) > 0
    )
    canvas[border] = (255, 60, 0)
    for part in ground.layout.segments:
        for line in list_lines(part.geometry) if part.kind == "road" else ():
            cv2.polylines(canvas, [np.round(np.array(line.coords) * size).astype(np.int32)], False, (255, 255, 255), 1)
    for course in (course for courses in ground.roads.values() for course in courses):
        cv2.polylines(canvas, [np.round(course * size).astype(np.int32)], False, (0, 0, 255), 2)
    cv2.rectangle(canvas, (0, 0), (size - 1, size - 1), (0, 0, 0), 2)
    return canvas


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        prog="python -m datasets.art.ground_sheet", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument(
        "--art", type=Path, nargs="+", required=True, help="folders of scans, with manifest.csv beside them"
    )
    parser.add_argument("--out", type=Path, required=True, help="the picture to write")
    parser.add_argument("--count", type=int, default=35)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    sets = [load_folder(folder, load_base_catalogue(), 240) for folder in options.art]
    cv2.imwrite(str(options.out), draw_sheet(sets, options.count, options.seed))


if __name__ == "__main__":
    main()
