"""The effect of a single condition on reading a table that is otherwise easy, compared with the truth.

    python -m datasets.evaluation.conditions --out DIR --count 4 --procedural ink --art ../shared/tiles/c1-kpmrozowski

Each condition of `CONDITIONS` gets `--count` tables, each art set in turn, the same for the same seed; a table that is
already in the folder is not drawn again. Prints for each: squares found and invented, tiles exact.
"""

from __future__ import annotations

import argparse
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from random import Random

import cv2
import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table as Printed

from datasets.art.score_board import draw_score_board
from datasets.art.style import STYLES, sample_style
from datasets.art.tileset import ArtError, TileSet
from datasets.generate import gather_art
from datasets.render.arrangements import (
    add_lid,
    add_spares,
    bend_rows,
    cut_holes,
    join_by_one,
    spread_tiles,
    turn_tiles,
)
from datasets.render.compositor import compose
from datasets.render.photometric import photograph
from datasets.render.random_tables import Props, View, find_squares_in_view, sample_camera, sample_table
from datasets.render.shots import BORDER_PX, GROUND_PX, Shot, build_label
from datasets.render.tabletops import CALIBRATION_KINDS, TRIED_KINDS
from datasets.scene.camera import Camera
from datasets.scene.table import Table
from scoring.carcassonne.board.board import Board
from scoring.carcassonne.deal.boards import deal_random_board
from scoring.carcassonne.tiles.catalogue import Catalogue, load_base_catalogue
from vision.arrays import Floats, Image
from vision.errors import InputError
from vision.evaluation.breakdown import GroupErrors, group_errors
from vision.evaluation.reliability import format_share
from vision.evaluation.tables import PLAIN_WIDTH, Evaluation, evaluate_photos
from vision.photo.crops import compute_tile_px

QUIET_TOPS = ("wood", "granite", "leather", "plain")
ELEVATION_DEGREES = (55.0, 90.0)
SIZE_PX = (2000, 1500)
SLOPPINESS = 0.5
STRENGTH = 0.5
BOXES = 3
"""Number of base games in the largest board."""
MAX_TRIES = 60


def deal_several_games(rng: Random) -> Board:
    """Deal 180 tiles of several base games."""
    layouts = (replace(layout, count=BOXES * layout.count) for layout in load_base_catalogue())
    return deal_random_board(rng, 180, catalogue=Catalogue(tuple(layouts)))


@dataclass(frozen=True, slots=True)
class Condition:
    """The one special property of an otherwise easy table: a base game on a quiet table top, all of it in the picture.

    `deal` returns the board; `lay` changes the laid table, before a new camera is sampled; `beside` adds tiles that are
    not part of the board; `paint` paints into the picture. `free` is the range of the picture's share left free,
    negative if the frame cuts the board; `roll` is the standard deviation of the camera's roll in degrees; `tile_px` is
    the size of a tile in the photo, to which the photo is scaled.
    """

    deal: Callable[[Random], Board] = deal_random_board
    tops: Sequence[str] = QUIET_TOPS
    lay: Callable[[Table, np.random.Generator], Table] | None = None
    beside: Callable[[Table, np.random.Generator], Table] | None = None
    paint: Callable[[Image, Table, np.random.Generator], None] | None = None
    free: tuple[float, float] = (0.05, 0.2)
    roll: float = 5.0
    tile_px: float | None = None
    score_board: bool = False


FREE_SHARE = (0.35, 0.5)
"""Share left free around the board if an object lies beside it."""

CONDITIONS: Mapping[str, Condition] = {
    "easy": Condition(),
    "drift over ten tiles": Condition(lay=bend_rows),
    "tile trays": Condition(lay=spread_tiles),
    "tiles turned 5 degrees": Condition(lay=turn_tiles),
    "camera askew": Condition(roll=45.0),
    "cut by the frame": Condition(free=(-0.5, -0.2)),
    "holes": Condition(deal=lambda rng: cut_holes(deal_random_board(rng), rng)),
    "joined by one tile": Condition(deal=lambda rng: join_by_one(deal_random_board, rng)),
    "10 tiles": Condition(deal=partial(deal_random_board, tiles=10)),
    "180 tiles": Condition(deal=deal_several_games),
    "tiles of 35 px": Condition(tile_px=35.0),
    "tiles of 400 px": Condition(deal=partial(deal_random_board, tiles=16), tile_px=400.0),
    "patterned cloth": Condition(tops=(*CALIBRATION_KINDS, *TRIED_KINDS[:2]), free=FREE_SHARE),
    "squared paper": Condition(tops=TRIED_KINDS[2:], free=FREE_SHARE),
    "score board": Condition(score_board=True),
    "box lid": Condition(paint=add_lid, free=FREE_SHARE),
    "spare tiles": Condition(beside=add_spares, free=FREE_SHARE),
}


def shoot_condition(condition: Condition, art: TileSet, top: str, rng: np.random.Generator) -> Shot:
    """Photograph and label a table of the condition."""
    board = condition.deal(Random(int(rng.integers(2**62))))
    props = Props.gather([art], [board], [top], rng, grounds=1, ground_px=GROUND_PX)
    table = _seen_as_asked(condition, props, rng)
    if condition.tile_px:
        table = _at_size(table, condition.tile_px)
    full = condition.beside(table, rng) if condition.beside else table
    image = compose(full)
    if condition.paint:
        condition.paint(image, table, rng)
    label = build_label(*(_as_cut(board, table) if condition.free[0] < 0 else (board, table)))
    label["view"] |= {"tabletop": top, "art": art.name}
    return Shot(photograph(image, rng, STRENGTH), label)


def _seen_as_asked(condition: Condition, props: Props, rng: np.random.Generator) -> Table:
    """Return the laid table under a camera that shows all of the board, or cuts it if the condition requires."""
    view = View(SIZE_PX, elevation=ELEVATION_DEGREES, whole=condition.free, roll=condition.roll)
    sheet = draw_score_board(sample_style(rng), rng) if condition.score_board else None
    table = sample_table(props, view, rng, sloppiness=SLOPPINESS, score_board=sheet)
    table = replace(table, clutter_seed=None, edge=None)
    if condition.lay:
        table = condition.lay(table, rng)
    beside = () if table.score_board is None else (table.score_board.corners,)
    for _ in range(MAX_TRIES):
        table = replace(table, camera=sample_camera(table.tiles, view, rng, *beside))
        if condition.free[0] < 0 or len(find_squares_in_view(table, BORDER_PX)) == len(table.tiles):
            return table
    raise InputError("no_view", "No camera shows the whole of the board.", {})


def _at_size(table: Table, wanted: float) -> Table:
    """Scale the picture of a table so that its tiles are `wanted` pixels wide."""
    present_px = float(np.median(compute_tile_px(np.array([_pixels(table, tile.corners) for tile in table.tiles]))))
    scale, (w, h) = wanted / present_px, table.camera.size
    size = (round(w * scale), round(h * scale))
    bigger = Camera(np.diag([scale, scale, 1.0]) @ table.camera.matrix, table.camera.position, size)
    return replace(table, camera=bigger)


def _pixels(table: Table, corners: Floats) -> Floats:
    return table.camera.project(np.column_stack([corners, np.zeros(4)]))


def _as_cut(board: Board, table: Table) -> tuple[Board, Table]:
    """Return the visible part of a board, in which tiles cut by the frame are present but unreadable."""
    w, h = table.camera.size
    frame = np.array([(0, 0), (w, 0), (w, h), (0, h)], np.float32)
    whole = find_squares_in_view(table)
    visible = {t.square for t in table.tiles if t.square in whole or _meets(_pixels(table, t.corners), frame)}
    tiles = {square: placed if square in whole else None for square, placed in board.tiles.items() if square in visible}
    meeples = tuple(meeple for meeple in board.meeples if meeple.square in whole)
    cut_table = replace(
        table,
        tiles=tuple(tile for tile in table.tiles if tile.square in visible),
        meeples=tuple(meeple for meeple in table.meeples if meeple.square in whole),
    )
    return Board(tiles, meeples), cut_table


def _meets(quad: Floats, frame: NDArray[np.float32]) -> bool:
    return bool(np.isfinite(quad).all() and cv2.intersectConvexConvex(quad.astype(np.float32), frame)[0] > 0)


def draw_conditions(
    names: Sequence[str], sets: Sequence[TileSet], count: int, seed: int, out: Path
) -> Iterator[tuple[str, list[Path]]]:
    """Draw the missing tables of each condition, and yield the labels of all."""
    for name in names:
        labels = [out / f"{name.replace(' ', '_')}_{i:04d}.json" for i in range(count)]
        for i, label in enumerate(labels):
            if not label.is_file():
                rng = np.random.default_rng([seed, zlib.crc32(name.encode()), i])
                condition, art = CONDITIONS[name], sets[i % len(sets)]
                shot = shoot_condition(condition, art, condition.tops[i // len(sets) % len(condition.tops)], rng)
                shot.label["view"]["condition"] = name
                shot.save(out, label.stem)
        yield name, labels


def show(evaluation: Evaluation, console: Console | None = None) -> None:
    """Print a line for each condition."""
    console = console or Console(width=PLAIN_WIDTH)
    table = Printed(
        "condition", "squares found", "invented", "right, of all squares", "wrong without a doubt", box=None
    )
    for row in group_errors(evaluation.outcomes):
        if (row.kind, row.by) == ("tile", "condition"):
            table.add_row(*_cells(row))
    console.print(table, highlight=False)


def _cells(row: GroupErrors) -> tuple[str, ...]:
    squares = f"{row.n - row.missed} of {row.n}"
    return row.group, squares, str(row.invented), format_share(row.right, row.n), str(row.without_doubt)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = _parser()
    options = parser.parse_args(arguments)
    try:
        options.out.mkdir(parents=True, exist_ok=True)
        sets = gather_art(options.art, options.procedural or ([] if options.art else ["ink"]), options.seed)
        labels_by_condition = draw_conditions(options.only, sets, options.count, options.seed, options.out)
        labels = [label for _, paths in labels_by_condition for label in paths]
        show(evaluate_photos(labels, options.out, options.out))
    except (ArtError, InputError) as error:
        parser.error(f"{error.code}: {error}")
    except OSError as error:
        parser.error(f"cannot_write: {error}")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m datasets.evaluation.conditions", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("--out", type=Path, required=True, help="folder for photos, labels and figures")
    parser.add_argument("--count", type=int, default=4, help="number of tables of each condition")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--art", type=Path, nargs="+", default=[], help="folders of scans")
    parser.add_argument("--procedural", nargs="+", choices=[*STYLES, "random"], help="styles of the project's own art")
    parser.add_argument("--only", nargs="+", choices=list(CONDITIONS), default=list(CONDITIONS), metavar="CONDITION")
    return parser


if __name__ == "__main__":
    main()
