"""Photos of tables that are none of Carcassonne's, though square tiles with fields, roads and towns lie there.

    python -m datasets.render.other_games --out DIR --count 24 --seed 5

`loose` tiles are Carcassonne's own, side by side without regard to their edges, as on unpunched sheets, posters and
scans. Tiles of `another` game have the same style, but other pictures: single squares of drawn wonders, and patterns.
Both kinds alternate. The photos have no labels, since there is no board on them.
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
    kinds = sorted(KINDS)
    for number in range(options.count):
        rng = np.random.default_rng([options.seed, number])
        style = sample_style(rng) if number % 4 < 2 else STYLES[sorted(STYLES)[int(rng.integers(len(STYLES)))]]
        tiles = draw_tile_set(style, options.seed + number, catalogue=load_base_catalogue())
        art = tiles if number % 2 else redraw_tiles(tiles, style, rng)
        manner = Manner(SIZE, elevation=(45.0, 90.0))
        shot = shoot(deal_loose_tiles(rng), art, kinds[number % len(kinds)], manner, rng)
        name = f"{'loose' if number % 2 else 'another'}_{number:04d}.jpg"
        cv2.imwrite(str(options.out / name), shot.image, [cv2.IMWRITE_JPEG_QUALITY, 92])


def deal_loose_tiles(rng: np.random.Generator) -> Board:
    """Deal tiles of the base game onto a rectangle, without regard to their edges."""
    rows, cols = int(rng.integers(4, 8)), int(rng.integers(4, 9))
    squares = [(row, col) for row in range(rows) for col in range(cols) if rng.random() >= HOLES_SHARE]
    pile = [layout.id for layout in load_base_catalogue() for _ in range(layout.count)]
    drawn = [pile[i] for i in rng.permutation(len(pile))[: len(squares)].tolist()]
    return Board({at: Placement(tile, int(rng.integers(4))) for at, tile in zip(squares, drawn, strict=True)}, ())


def redraw_tiles(tiles: TileSet, style: Style, rng: np.random.Generator) -> TileSet:
    """Return a tile set with other pictures, in the same style, than those of Carcassonne's tiles."""
    pictures = [_draw_another(style, rng) for _ in range(int(rng.integers(6, 24)))]
    names = {tile: (pictures[int(rng.integers(len(pictures)))],) for tile in tiles.pictures}
    return TileSet(f"{tiles.name}-another", names)


def _draw_another(style: Style, rng: np.random.Generator) -> Image:
    if rng.random() < PATTERNED_SHARE:
        return draw_tabletop(sorted(KINDS)[int(rng.integers(len(KINDS)))], rng, TILE_PX)
    wonder = [*load_wonder_catalogue().values()][int(rng.integers(len(load_wonder_catalogue())))]
    picture = draw_wonder(wonder, style, int(rng.integers(2**31)), TILE_PX, variant=1)
    row, col = wonder.squares[int(rng.integers(len(wonder.squares)))]
    return np.ascontiguousarray(picture[row * TILE_PX : (row + 1) * TILE_PX, col * TILE_PX : (col + 1) * TILE_PX])


def _build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="gets the photos")
    parser.add_argument("--count", type=int, default=24, help="number of photos")
    parser.add_argument("--seed", type=int, default=1, help="the same photos for the same seed")
    return parser


if __name__ == "__main__":
    main()
