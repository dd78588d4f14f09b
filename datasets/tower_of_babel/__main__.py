"""Tables of Tower of Babel on a board drawn by the project: photos with their labels, and what a person enrols.

    python -m datasets.tower_of_babel --out synthetic/babel --count 40 --seed 5 --elevation 40 90 --art mosaic

`board.jpg` is a person's photo of the empty board (`components.toml` says where its corners lie in it). The same
arguments give the same files.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from datasets.render.tabletops import KINDS
from datasets.tower_of_babel.art import ARTS, art_by_name
from datasets.tower_of_babel.board import draw_board
from datasets.tower_of_babel.deal import dealt
from datasets.tower_of_babel.plan import SIZE_MM, components_text, track_middles
from datasets.tower_of_babel.shots import Manner, Shot, label_of, shoot
from datasets.tower_of_babel.staging import staged
from scoring.spots.text import format_label
from vision.arrays import Image
from vision.photo.crops import CORNERS

ENROLLED = Manner((3000, 2250), (75.0, 88.0), 0.35)
QUALITY = 92


def enrolment_shot(board: Image, seed: int) -> tuple[Shot, str]:
    """The photo of the empty board, and the components file with the board's corners in it."""
    shot = shoot(board, None, "wood", ENROLLED, np.random.default_rng((seed, 1)))
    corners = shot.camera.project(np.column_stack([CORNERS * SIZE_MM, np.zeros(4)]))
    told = ", ".join(f"[{x:.1f}, {y:.1f}]" for x, y in corners)
    size = f"size_mm = {list(SIZE_MM)}"
    return shot, components_text().replace(size, f"{size}\ncorners_px = [{told}]")


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        prog="python -m datasets.tower_of_babel", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--elevation", type=float, nargs=2, default=(40.0, 90.0), metavar=("FROM", "TO"))
    parser.add_argument("--art", choices=[*ARTS, "random"], default="papyrus")
    parser.add_argument(
        "--tabletops", choices=KINDS, nargs="+", default=["wood", "cloth", "planks", "granite", "stripes"]
    )
    parser.add_argument("--size", type=int, nargs=2, default=(2400, 1800), metavar=("WIDTH", "HEIGHT"))
    parser.add_argument("--strength", type=float, default=0.7, help="what light, lens and sensor do, 0 to 1")
    told = parser.parse_args(arguments)
    rng = np.random.default_rng((told.seed, 0))
    art = art_by_name(told.art, rng)
    board = draw_board(art, rng)
    told.out.mkdir(parents=True, exist_ok=True)
    shot, components = enrolment_shot(board, told.seed)
    _write(told.out / "board.jpg", shot.image)
    (told.out / "components.toml").write_text(components, encoding="utf-8")
    manner = Manner(tuple(told.size), tuple(told.elevation), told.strength)
    for i in range(told.count):
        rng = np.random.default_rng((told.seed, 2, i))
        deal = dealt(rng, len(track_middles()) - 1)
        taken = shoot(board, staged(deal, rng), str(rng.choice(told.tabletops)), manner, rng)
        name = f"{art.name}-{told.seed}-{i:03d}"
        _write(told.out / f"{name}.jpg", taken.image)
        label = label_of(deal, f"{name}.jpg", taken, art.name)
        (told.out / f"{name}.json").write_text(format_label(label), encoding="utf-8")


def _write(file: Path, image: Image) -> None:
    cv2.imwrite(str(file), image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])


if __name__ == "__main__":
    main()
