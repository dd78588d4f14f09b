"""Tables of Tower of Babel on a board drawn by the project: photos with their labels, and the enrolment files.

    python -m datasets.tower_of_babel --out synthetic/babel --count 40 --seed 5 --elevation 40 90 --art mosaic

`board.jpg` simulates a user's photo of the empty board (`components.toml` holds the pixels of its corners). The same
arguments give the same files.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from datasets.render.tabletops import KINDS
from datasets.tower_of_babel.art import ARTS, get_art
from datasets.tower_of_babel.board import draw_board
from datasets.tower_of_babel.deal import deal_game
from datasets.tower_of_babel.plan import SIZE_MM, format_components, list_track_middles
from datasets.tower_of_babel.shots import Manner, Shot, build_label, shoot
from datasets.tower_of_babel.staging import stage_table
from scoring.spots.text import format_label
from vision.arrays import Image
from vision.photo.crops import CORNERS

ENROLLED = Manner((3000, 2250), (75.0, 88.0), 0.35)
QUALITY = 92


def shoot_enrolment(board: Image, seed: int) -> tuple[Shot, str]:
    """Photograph the empty board, and return it with the components file, which includes the board's corners."""
    shot = shoot(board, None, "wood", ENROLLED, np.random.default_rng((seed, 1)))
    corners = shot.camera.project(np.column_stack([CORNERS * SIZE_MM, np.zeros(4)]))
    corner_texts = ", ".join(f"[{x:.1f}, {y:.1f}]" for x, y in corners)
    size = f"size_mm = {list(SIZE_MM)}"
    return shot, format_components().replace(size, f"{size}\ncorners_px = [{corner_texts}]")


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
    parser.add_argument(
        "--strength", type=float, default=0.7, help="strength of the effects of light, lens and sensor, 0 to 1"
    )
    parser.add_argument("--lamp", action="store_true", help="the table is under a lamp of a strong, mostly warm colour")
    parser.add_argument(
        "--strange",
        action="store_true",
        help="tables are in the light of other people's photos; --art random has any frame",
    )
    options = parser.parse_args(arguments)
    rng = np.random.default_rng((options.seed, 0))
    art = get_art("stranger" if options.strange and options.art == "random" else options.art, rng)
    board = draw_board(art, rng)
    options.out.mkdir(parents=True, exist_ok=True)
    shot, components = shoot_enrolment(board, options.seed)
    _write(options.out / "board.jpg", shot.image)
    (options.out / "components.toml").write_text(components, encoding="utf-8")
    manner = Manner(tuple(options.size), tuple(options.elevation), options.strength, options.lamp, options.strange)
    for i in range(options.count):
        rng = np.random.default_rng((options.seed, 2, i))
        deal = deal_game(rng, len(list_track_middles()) - 1)
        photo = shoot(board, stage_table(deal, rng), str(rng.choice(options.tabletops)), manner, rng)
        name = f"{art.name}-{options.seed}-{i:03d}"
        _write(options.out / f"{name}.jpg", photo.image)
        label = build_label(deal, f"{name}.jpg", photo, art.name)
        (options.out / f"{name}.json").write_text(format_label(label), encoding="utf-8")


def _write(file: Path, image: Image) -> None:
    cv2.imwrite(str(file), image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])


if __name__ == "__main__":
    main()
