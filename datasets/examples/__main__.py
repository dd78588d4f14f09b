"""The project's own example photos, in its own tile art: `python -m datasets.examples [NAME ...]` renders them anew.

`game.jpg` and `question.jpg` are links to the sample pictures offered on the page, which are packaged in the wheel;
saving writes through the links.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

import numpy as np

from datasets.art.procedural import draw_tile_set
from datasets.art.style import STYLES
from datasets.art.wonders import draw_wonder_set
from datasets.render.shots import Manner, Shot, shoot
from scoring.carcassonne.board.board import Board
from scoring.carcassonne.deal.boards import deal_random_board
from scoring.carcassonne.wonders.catalogue import load_wonder_catalogue

FOLDER = Path(__file__).parent
ART_PX = 320
ART_SEED = 1


@dataclass(frozen=True, slots=True)
class Example:
    """A finished game and its photograph; `seed` was picked by eye, `quality` is that of the JPEG."""

    style: str
    tabletop: str
    seed: int
    players: int
    manner: Manner
    tiles: int = 72
    quality: int = 86
    wonder: str | None = None

    def board(self) -> Board:
        """Return the finished game."""
        wonders = [load_wonder_catalogue()[self.wonder]] if self.wonder else []
        return deal_random_board(Random(self.seed), self.tiles, self.players, wonders=wonders)

    def shot(self) -> Shot:
        """Return the photo and its label."""
        style = STYLES[self.style]
        art = draw_tile_set(style, ART_SEED, ART_PX)
        if self.wonder:
            art = replace(art, wonders=draw_wonder_set(style, ART_SEED), hand=style)
        return shoot(self.board(), art, self.tabletop, self.manner, np.random.default_rng(self.seed))


def _small(elevation: float) -> Manner:
    return Manner((1600, 1200), (elevation - 1, elevation + 1), (0.02, 0.08), strength=0.5)


EXAMPLES = {
    "game": Example(
        *("meadow", "wood", 4, 3, Manner((2000, 1500), (66, 70), (0.03, 0.06), strength=0.35)),
        quality=80,
        wonder="WH/terracotta-army",
    ),
    "question": Example(
        *("meadow", "wood", 2, 3, Manner((2000, 1500), (66, 70), (0.03, 0.06), strength=0.35)),
        quality=80,
        wonder="WH/tikal",
    ),
    "table": Example("meadow", "wood", 4, 3, Manner(elevation=(64, 66), free=(0.03, 0.06), strength=0.35)),
    "test_clutter": Example("terra", "cloth", 2, 2, _small(88), tiles=40),
    "test_turned": Example("meadow", "planks", 2, 4, _small(75)),
    "test_oblique": Example("terra", "granite", 7, 3, _small(46), tiles=48, quality=82),
    "test_level": Example("ink", "paper", 6, 2, _small(68), tiles=30),
    "test_snow": Example("snow", "leather", 6, 5, _small(60)),
}
"""Examples by file name."""


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m datasets.examples", description=(__doc__ or "").split(":")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"examples, by default all: {', '.join(EXAMPLES)}")
    names = parser.parse_args(arguments).names or list(EXAMPLES)
    if unknown := sorted(set(names) - EXAMPLES.keys()):
        parser.error(f"no_such_example: {', '.join(unknown)}")
    for name in names:
        EXAMPLES[name].shot().save(FOLDER, name, EXAMPLES[name].quality)


if __name__ == "__main__":
    main()
