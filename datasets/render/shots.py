"""Photos of laid boards with their exact truth, as labels (`vision.evaluation.labels` reads them)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from datasets.art.tileset import ArtError, TileSet
from datasets.render.compositor import compose, project_top_corners
from datasets.render.home_print import print_at_home
from datasets.render.photometric import measure_light, photograph
from datasets.render.random_tables import Props, View, find_squares_in_view, sample_table
from datasets.scene.piece_variety import make_clear, match_art, vary_pieces
from datasets.scene.pieces import Makes
from datasets.scene.score_boards import LaidScoreBoard, Sheets
from datasets.scene.table import Table
from datasets.scene.things import scatter_things
from scoring.carcassonne.board.board import Board
from scoring.carcassonne.board.label import write_label
from scoring.carcassonne.final.scoring import compute_final_scoring
from scoring.carcassonne.tiles.geometry import Square
from vision.arrays import Floats, Image
from vision.photo.crops import compute_tile_px

GROUND_PX = 1024
BORDER_PX = 4
"""Minimum distance of every tile's corners from the picture's border."""


@dataclass(frozen=True, slots=True)
class Manner:
    """Camera and staging of a board: `size` (width, height) px, `elevation` range in degrees.

    `free` is the range of the share of the picture left free around the board. `strength` is that of light, lens and
    sensor effects (`datasets.render.photometric`), None for a clean picture. `score_board` is the sheet beside the
    tiles. `variety` is the share of pieces beside the board that are of other kinds; unless it is None, pieces may also
    lean (`datasets.scene.piece_variety`). With `home_print` the tiles are printed at home
    (`datasets.render.home_print`). `makes` are makes of rare colours that are held out from training. With `things`,
    coins and other objects lie on the tiles (`datasets.scene.things`); `clear` pieces are of clear plastic. With
    `matched`, one player's paint is the make of that colour nearest to a colour of the print.
    """

    size: tuple[int, int] = (2400, 1800)
    elevation: tuple[float, float] = (45.0, 90.0)
    free: tuple[float, float] = (0.02, 0.25)
    strength: float | None = 0.7
    score_board: Sheets | None = None
    variety: float | None = None
    home_print: bool = False
    makes: Makes | None = None
    things: bool = False
    clear: bool = False
    matched: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Shot:
    """A photo (h, w, 3) BGR and its label, still without the photo's path."""

    image: Image
    label: Mapping[str, Any]

    def save(self, folder: Path, name: str, quality: int = 92) -> None:
        """Write `name`.jpg and `name`.json to an existing folder."""
        cv2.imwrite(str(folder / f"{name}.jpg"), self.image, [cv2.IMWRITE_JPEG_QUALITY, quality])
        lines = [
            f" {json.dumps(key)}: {json.dumps(value)}" for key, value in {"photo": f"{name}.jpg", **self.label}.items()
        ]
        (folder / f"{name}.json").write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def shoot(board: Board, art: TileSet, tabletop: str, manner: Manner, rng: np.random.Generator) -> Shot:
    """Lay the board out by hand in the given art on a kind of table top, and photograph all of it at a random rotation.

    Raises ArtError if the art lacks a tile of the board.
    """
    layouts = art.pictures.keys() | art.wonders.keys()
    missing = sorted({p.layout.letter or p.tile for p in board.tiles.values() if p and p.tile not in layouts})
    if missing:
        raise ArtError("incomplete_art", f"{art.name} has no picture of {', '.join(missing)}")
    props = Props.gather([art], [board], [tabletop], rng, grounds=1, ground_px=GROUND_PX)
    view = View(manner.size, elevation=manner.elevation, whole=manner.free)
    lay = partial(sample_table, props, view, rng, makes=manner.makes)
    if (sheets := manner.score_board) is not None:
        sheet, layout = sheets.one(rng), sheets.design.layout
        lay = partial(lay, score_board=sheet, score_layout=layout, waiting=sheets.waiting, tokens=sheets.tokens)
    table = lay()
    while len(find_squares_in_view(table, BORDER_PX)) < len(table.tiles):
        table = lay()
    if manner.variety is not None:
        table = vary_pieces(table, manner.variety, rng)
    if manner.home_print:
        # A separate stream keeps the table of a seed the same as with shop-bought tiles, so that both can be compared.
        table = print_at_home(table, rng.spawn(1)[0])
    if manner.things:
        table = scatter_things(table, rng.spawn(1)[0])
    if manner.clear:
        table = make_clear(table, rng.spawn(1)[0])
    if manner.matched:
        table = match_art(table, rng.spawn(1)[0], renamed=False)
    clean = compose(table)
    image = clean if manner.strength is None else photograph(clean, rng, manner.strength)
    label = build_label(board, table)
    name = f"{art.name}-home-print" if manner.home_print else art.name
    label["view"] |= {"tabletop": tabletop, "art": name, **measure_light(clean, image)}
    return Shot(image, label)


def build_label(board: Board, table: Table) -> dict[str, Any]:
    """Build the label of a table that holds the board and no other meeples."""
    corners = {tile.square: project_top_corners(table, tile) for tile in table.tiles}
    feet = table.camera.project(np.array([(*m.piece.at, 0.0) for m in table.meeples]).reshape(-1, 3))
    label = write_label(board)
    for meeple, placed, foot in zip(label["meeples"], table.meeples, feet, strict=True):
        meeple |= {"at": np.round(placed.at, 4).tolist(), "foot_px": np.round(foot, 2).tolist()}
    view = {
        "elevation": round(table.camera.elevation, 2),
        "field_of_view": round(table.camera.field_of_view, 1),
        "tile_px": round(float(np.median(compute_tile_px(np.array(list(corners.values()))))), 1),
    }
    if table.score_board is not None:
        label["score_board"] = _score_board_label(table.score_board, table)
    return label | {
        "expansions": ["base"],
        "expect_final": dict(compute_final_scoring(board).totals),
        "points": [[*np.round(pixel, 2).tolist(), *node] for node, pixel in sorted(_nodes(corners).items())],
        "corners_px": [{"cell": list(s), "corners": np.round(quad, 2).tolist()} for s, quad in sorted(corners.items())],
        "view": view,
    }


def _score_board_label(board: LaidScoreBoard, table: Table) -> dict[str, Any]:
    """Return the score board's label: its corners in the photo, the pieces on its spaces, and the players' tokens."""
    corners, *tokens = (table.camera.project(np.column_stack([sheet, np.zeros(4)])) for sheet in board.sheets)
    feet = table.camera.project(np.array([(*on.piece.at, 0.0) for on in board.pieces]).reshape(-1, 3))
    pieces = [
        {"colour": on.piece.colour, "pose": on.piece.pose, "space": on.space, "foot_px": np.round(foot, 2).tolist()}
        for on, foot in zip(board.pieces, feet, strict=True)
    ]
    laps = [
        {"colour": token.colour, "points": token.points, "corners_px": np.round(pixels, 2).tolist()}
        for token, pixels in zip(board.tokens, tokens, strict=True)
    ]
    return {"corners_px": np.round(corners, 2).tolist(), "pieces": pieces} | ({"tokens": laps} if laps else {})


def _nodes(corners: Mapping[Square, Floats]) -> dict[tuple[int, int], Floats]:
    """Return the pixel of each lattice node (col, row): the mean of the corners of the tiles that meet there."""
    meeting: dict[tuple[int, int], list[Floats]] = {}
    for (row, col), quad in corners.items():
        for node, corner in zip(((col, row), (col + 1, row), (col + 1, row + 1), (col, row + 1)), quad, strict=True):
            meeting.setdefault(node, []).append(corner)
    return {node: np.mean(several, axis=0) for node, several in meeting.items()}
