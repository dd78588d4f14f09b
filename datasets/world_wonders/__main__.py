"""Photos of World Wonders tables with exact truth, in the project's own art, the same for the same seed.

    python -m datasets.world_wonders --out DIR --count 20 --seed 1 --elevation 40 90 --art ivory

DIR gets photos of the empty boards (`map.jpg`, `resources-COLOUR.jpg`), the copy's `components.toml`, and for each
table a photo and a label. `--side B` has a separate map for each colour. `--monuments 2` adds two photos of each
monument, half of the monuments on a map at a time (`monuments_0_0.jpg`, with labels), for enrolling them before any
table is read.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from datasets.render.tabletops import HELD_OUT_KINDS, KINDS
from datasets.world_wonders.style import ARTS, build_style
from datasets.world_wonders.tables import HALVES, Shot, shoot, shoot_empty_boards, shoot_monuments
from scoring.spots.text import format_label

QUALITY = 92


def main(arguments: Sequence[str] | None = None) -> None:
    parser = _parser()
    options = parser.parse_args(arguments)
    low, high = options.elevation
    if not 25 <= low < high <= 90:
        parser.error("--elevation takes two angles, 25 <= LOW < HIGH <= 90")
    style, side, out = build_style(options.art), options.side, options.out
    try:
        out.mkdir(parents=True, exist_ok=True)
        photos, text = shoot_empty_boards(style, side, np.random.default_rng([options.seed, 0]), options.tabletops)
        for name, image in photos.items():
            cv2.imwrite(str(out / f"{name}.jpg"), image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
        (out / "components.toml").write_text(text, encoding="utf-8")
        for i in range(options.count):
            rng = np.random.default_rng([options.seed, 1, i])
            shot = shoot(
                f"table_{i:04d}", style, side, (low, high), rng, options.tabletops, other_lights=options.strange
            )
            _write_shot(out, shot)
        for i in range(options.monuments):
            rng = np.random.default_rng([options.seed, 2, i])
            for half in HALVES:
                shot = shoot_monuments(f"monuments_{i}_{half}", style, side, half, rng, options.tabletops)
                _write_shot(out, shot)
    except OSError as error:
        parser.error(f"cannot_write: {error}")


def _write_shot(out: Path, shot: Shot) -> None:
    photo = out / shot.label.photo
    cv2.imwrite(str(photo), shot.image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    photo.with_suffix(".json").write_text(format_label(shot.label), encoding="utf-8")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m datasets.world_wonders", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("--out", type=Path, required=True, help="folder to write to")
    parser.add_argument("--count", type=int, default=20, help="number of tables")
    parser.add_argument("--monuments", type=int, default=0, help="number of photos of each monument by itself")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--art", default=ARTS[0], help=f"style of the copy: {', '.join(ARTS)}, or any other word")
    parser.add_argument("--side", choices=["A", "B"], default="A", help="side of the map boards")
    parser.add_argument(
        "--elevation",
        type=float,
        nargs=2,
        default=(40.0, 90.0),
        help="range of the camera's elevation in degrees; 90 is from above",
    )
    parser.add_argument(
        "--tabletops", nargs="+", choices=[*KINDS, *HELD_OUT_KINDS], default=list(KINDS), metavar="KIND"
    )
    parser.add_argument("--strange", action="store_true", help="tables are in the light of other people's photos")
    return parser


if __name__ == "__main__":
    main()
