"""Photos of tables that are none of Carcassonne's, though square tiles with fields, roads and towns lie there.

    python -m datasets.render.other_games --out DIR --count 24 --seed 5

`loose` tiles are Carcassonne's own, side by side without regard to their edges, as on unpunched sheets, posters and
scans. Tiles of `another` game have the same style, but other pictures: single squares of drawn wonders, and patterns;
with `--pictures DIR` they show parts of those. `bare` table tops, from above, have no tiles. Kinds take turns, the
first two unless `--kinds` names others. The photos have no labels, since there is no board on them.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import cv2
import numpy as np

from datasets.art.procedural import draw_tile_set
from datasets.art.style import STYLES, Style, sample_style
from datasets.art.tileset import TILE_PX, TileSet
from datasets.art.wonders import draw_wonder
from datasets.render.shots import Manner, shoot
from datasets.render.tabletops import KINDS, draw_tabletop
from scoring.carcassonne.board.board import Board, Placement
from scoring.carcassonne.tiles.catalogue import load_base_catalogue
from scoring.carcassonne.wonders.catalogue import load_wonder_catalogue
from vision.arrays import Image

SIZE = 1600, 1200
HOLES_SHARE = 0.15
"""Share of the squares of a sheet that stay free. A guess."""
PATTERNED_SHARE = 0.4
"""Share of the tiles of another game that show a pattern. A guess."""


def main(arguments: Sequence[str] | None = None) -> None:
    options = _build_parser().parse_args(arguments)
    options.out.mkdir(parents=True, exist_ok=True)
    pictures = sorted(file for file in options.pictures.rglob("*") if file.is_file()) if options.pictures else []
    for number in range(options.count):
        kind, rng = options.kinds[number % len(options.kinds)], np.random.default_rng([options.seed, number])
        tabletop = sorted(KINDS)[number % len(KINDS)]
        if kind == "bare":
            image = draw_tabletop(tabletop, rng, max(SIZE))
        else:
            style = sample_style(rng) if number % 4 < 2 else STYLES[sorted(STYLES)[int(rng.integers(len(STYLES)))]]
            art = draw_tile_set(style, options.seed + number, catalogue=load_base_catalogue())
            if kind == "another":
                art = redraw_tiles(art, style, rng, pictures)
            image = shoot(deal_loose_tiles(rng), art, tabletop, Manner(SIZE, elevation=(45.0, 90.0)), rng).image
        cv2.imwrite(str(options.out / f"{kind}_{number:04d}.jpg"), image, [cv2.IMWRITE_JPEG_QUALITY, 92])


def deal_loose_tiles(rng: np.random.Generator) -> Board:
    """Deal tiles of the base game onto a rectangle, without regard to their edges."""
    rows, cols = int(rng.integers(4, 8)), int(rng.integers(4, 9))
    squares = [(row, col) for row in range(rows) for col in range(cols) if rng.random() >= HOLES_SHARE]
    pile = [layout.id for layout in load_base_catalogue() for _ in range(layout.count)]
    drawn = [pile[i] for i in rng.permutation(len(pile))[: len(squares)].tolist()]
    return Board({at: Placement(tile, int(rng.integers(4))) for at, tile in zip(squares, drawn, strict=True)}, ())


def redraw_tiles(tiles: TileSet, style: Style, rng: np.random.Generator, pictures: Sequence[Path] = ()) -> TileSet:
    """Return a tile set with other pictures than those of Carcassonne's tiles: in the same style, or parts of files."""
    count = int(rng.integers(6, 24))
    drawn = [_cut_out(pictures, rng) if pictures else _draw_another(style, rng) for _ in range(count)]
    names = {tile: (drawn[int(rng.integers(len(drawn)))],) for tile in tiles.pictures}
    return TileSet(f"{tiles.name}-another", names)


def _cut_out(pictures: Sequence[Path], rng: np.random.Generator) -> Image:
    """Return a random square of a picture, half its shorter side wide or more; raise ValueError if none can be read."""
    for number in rng.permutation(len(pictures)).tolist():
        picture = cv2.imread(str(pictures[number]), cv2.IMREAD_COLOR)
        if picture is not None:
            side = max(1, int(min(picture.shape[:2]) * rng.uniform(0.5, 1)))
            top, left = (int(rng.integers(length - side + 1)) for length in picture.shape[:2])
            part = picture[top : top + side, left : left + side]
            return np.asarray(cv2.resize(part, (TILE_PX, TILE_PX), interpolation=cv2.INTER_AREA), np.uint8)
    raise ValueError("no file is a picture")


def _draw_another(style: Style, rng: np.random.Generator) -> Image:
    if rng.random() < PATTERNED_SHARE:
        return draw_tabletop(sorted(KINDS)[int(rng.integers(len(KINDS)))], rng, TILE_PX)
    wonder = [*load_wonder_catalogue().values()][int(rng.integers(len(load_wonder_catalogue())))]
    picture = draw_wonder(wonder, style, int(rng.integers(2**31)), TILE_PX, variant=1)
    row, col = wonder.squares[int(rng.integers(len(wonder.squares)))]
    return np.ascontiguousarray(picture[row * TILE_PX : (row + 1) * TILE_PX, col * TILE_PX : (col + 1) * TILE_PX])


def _build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder for the photos")
    parser.add_argument("--kinds", nargs="+", choices=("another", "loose", "bare"), default=["another", "loose"])
    parser.add_argument(
        "--pictures", type=Path, metavar="DIR", help="folder of pictures; tiles of another game show parts of them"
    )
    parser.add_argument("--count", type=int, default=24, help="number of photos")
    parser.add_argument("--seed", type=int, default=1, help="a seed always gives the same photos")
    return parser


if __name__ == "__main__":
    main()
