"""Fast rendering of a laid table as its camera sees it: each tile, side and shadow is warped straight into the
photo."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from datasets.art.canvas import measure_edge_distance
from datasets.scene.clutter import add_clutter, paste
from datasets.scene.pieces import compute_shadow, draw_piece
from datasets.scene.score_boards import LaidScoreBoard
from datasets.scene.table import TILE_THICKNESS_TILES, LaidTile, Table
from datasets.scene.things import draw_thing
from datasets.scene.tokens import LaidToken
from scoring.carcassonne.wonders.tiles import WonderLayout
from vision.arrays import Floats, Image
from vision.photo.crops import shrink_image

MIN_LEVEL_PX = 16
"""Smallest side of a shrunk picture of a tile. A guess."""


def compose(table: Table) -> Image:
    """Draw the clean (h, w, 3) BGR picture of a table; `datasets.render.photometric.photograph` makes a photo of it."""
    image = _ground(table)
    _shade_under(image, table)
    if table.clutter_seed is not None:
        add_clutter(image, table.camera, table.bounds, np.random.default_rng(table.clutter_seed))
    if table.score_board is not None:
        _draw_sheet(image, table.score_board, table)
        for token in table.score_board.tokens:
            _draw_sheet(image, token, table)
    for tiles in _far_to_near(table):
        _draw_tiles(image, tiles, table)
    _shade_meeples(image, table)
    pieces = table.loose
    drawn = [*pieces, *(thing.piece for thing in table.things)]
    depths = table.camera.depth(np.array([(*piece.at, 0.0) for piece in drawn]).reshape(-1, 3))
    for i in np.argsort(-depths).tolist():
        if i < len(pieces):
            draw_piece(image, pieces[i], table.camera, table.light, table.finish)
        else:
            draw_thing(image, table.things[i - len(pieces)], table.camera, table.light, table.finish)
    return image


def project_top_corners(table: Table, tile: LaidTile) -> Floats:
    """Project the placed NW, NE, SE, SW corners of the tile's printed side to (4, 2) pixels."""
    return table.camera.project(np.column_stack([tile.corners, np.zeros(4)]))


def build_pyramid(picture: Image) -> tuple[Image, ...]:
    """Return a picture and its halves, quarters, ... so that small tiles are drawn without aliasing."""
    levels = [picture]
    while levels[-1].shape[0] // 2 >= MIN_LEVEL_PX:
        size = levels[-1].shape[0] // 2
        levels.append(np.asarray(cv2.resize(levels[-1], (size, size), interpolation=cv2.INTER_AREA), dtype=np.uint8))
    return tuple(levels)


def _ground(table: Table) -> Image:
    w, h = table.camera.size
    picture = table.ground
    if table.ground_tiles * _pixels_a_tile(table) < picture.shape[0] / 2:
        picture = np.asarray(cv2.resize(picture, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    scale = table.ground_tiles / picture.shape[0]
    to_table = np.array([[scale, 0, table.bounds[0] - 3], [0, scale, table.bounds[1] - 3], [0, 0, 1]])
    m = table.camera.plane(-TILE_THICKNESS_TILES) @ to_table
    ground = cv2.warpPerspective(picture, m, (w, h), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
    if table.edge is None:
        return np.asarray(ground, dtype=np.uint8)
    image = cv2.resize(table.room, (w, h), interpolation=cv2.INTER_LINEAR)
    pixels = table.camera.project(np.column_stack([table.edge, np.zeros(len(table.edge))]))
    if not np.isfinite(pixels).all():
        return np.asarray(ground, dtype=np.uint8)
    mask = np.zeros((h, w), np.uint8)
    cv2.fillConvexPoly(mask, np.round(np.clip(pixels, -9e4, 9e4) * 16).astype(np.int32), 255, cv2.LINE_AA, 4)
    cv2.copyTo(ground, (mask > 127).astype(np.uint8), image)
    return np.asarray(image, dtype=np.uint8)


def _pixels_a_tile(table: Table) -> float:
    x0, y0, x1, y1 = table.bounds
    middle = np.array([((x0 + x1) / 2, (y0 + y1) / 2, 0.0), ((x0 + x1) / 2 + 1, (y0 + y1) / 2, 0.0)])
    a, b = table.camera.project(middle)
    return float(np.nan_to_num(np.linalg.norm(a - b), nan=50.0))


def _far_to_near(table: Table) -> list[list[LaidTile]]:
    """Return the tiles from far to near, one by one, with the squares of a wonder together."""
    wonders: dict[str, list[LaidTile]] = {}
    for tile in table.tiles:
        if tile.cell is not None and tile.layout is not None:
            wonders.setdefault(tile.layout, []).append(tile)
    groups = [[tile] for tile in table.tiles if tile.cell is None] + list(wonders.values())
    centres = np.array([(*np.mean([t.corners.mean(0) for t in group], axis=0), 0.0) for group in groups])
    return [groups[i] for i in np.argsort(-table.camera.depth(centres))]


def _darken(image: Image, polygons: list[Floats], depth: float, blur: float) -> None:
    """Darken the polygons (pixels) by the factor 1 - depth, with edges `blur` pixels soft."""
    h, w = image.shape[:2]
    mask = np.zeros((h, w), np.uint8)
    for polygon in polygons:
        if np.isfinite(polygon).all():
            cv2.fillPoly(mask, [np.round(np.clip(polygon, -9e4, 9e4) * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
    if not mask.any():
        return
    soft = cv2.GaussianBlur(mask, (0, 0), max(blur, 0.4))
    factor = cv2.cvtColor(255 - cv2.convertScaleAbs(soft, alpha=depth), cv2.COLOR_GRAY2BGR)
    cv2.multiply(image, factor, dst=image, scale=1 / 255)


def _shade_under(image: Image, table: Table) -> None:
    offset = -table.light[:2] / max(table.light[2], 0.25) * TILE_THICKNESS_TILES
    polygons = []
    beside = table.score_board.sheets if table.score_board else ()
    for corners in (*(tile.corners for tile in table.tiles), *beside):
        for shift in (0.0, 1.0):
            ground = corners + shift * offset
            polygons.append(table.camera.project(np.column_stack([ground, np.full(4, -TILE_THICKNESS_TILES)])))
    _darken(image, polygons, 0.55, 0.03 * _pixels_a_tile(table))


def _shade_meeples(image: Image, table: Table) -> None:
    blur = 0.02 * _pixels_a_tile(table)
    things = [compute_shadow(thing.piece, table.camera, table.light) for thing in table.things]
    _darken(image, things, 0.45, blur)
    pieces = [compute_shadow(piece, table.camera, table.light) for piece in table.loose]
    _darken(image, pieces, 0.45 * (1 - table.finish.clear), blur)


def _draw_sheet(image: Image, sheet: LaidScoreBoard | LaidToken, table: Table) -> None:
    top, low = (
        table.camera.project(np.column_stack([sheet.corners, np.full(4, z)])) for z in (0.0, -TILE_THICKNESS_TILES)
    )
    if not (np.isfinite(top).all() and np.isfinite(low).all()):
        return
    hull = cv2.convexHull(np.vstack([top, low]).astype(np.float32))[:, 0]
    cv2.fillConvexPoly(image, np.round(hull * 16).astype(np.int32), table.cardboard, cv2.LINE_AA, 4)
    h, w = sheet.picture.shape[:2]
    shrink = min(1.0, 1.2 * float(np.sqrt(abs(cv2.contourArea(top.astype(np.float32))) / (h * w))))
    paste(image, shrink_image(sheet.picture, shrink)[0], top)


def _draw_tiles(image: Image, tiles: list[LaidTile], table: Table) -> None:
    """Draw a tile or the squares of a wonder, their cardboard first so that it covers none of the print."""
    tops = [project_top_corners(table, tile) for tile in tiles]
    if not any(_is_in_view(top, table) for top in tops) or not np.isfinite(np.array(tops)).all():
        return
    for tile, top in zip(tiles, tops, strict=True):
        low = table.camera.project(np.column_stack([tile.corners, np.full(4, -TILE_THICKNESS_TILES)]))
        hull = cv2.convexHull(np.vstack([top, low]).astype(np.float32))[:, 0]
        cv2.fillConvexPoly(image, np.round(hull * 16).astype(np.int32), table.cardboard, cv2.LINE_AA, 4)
    size = np.sqrt(abs(cv2.contourArea(tops[0].astype(np.float32))))
    if (wonder := tiles[0].wonder) is not None:
        _paste_wonder(image, tiles[0], wonder, table, size)
        return
    picture = _sharp_enough(tiles[0], size)
    rimmed = _rimmed(picture, _rim(picture.shape[0], round(table.rim[1], 3)), table.rim[0])
    paste(image, rimmed, np.roll(tops[0], -tiles[0].turns, axis=0))


def _is_in_view(top: Floats, table: Table) -> bool:
    return bool(np.isfinite(top).all() and (top.max(0) >= 0).all() and (top.min(0) <= table.camera.size).all())


def _paste_wonder(image: Image, tile: LaidTile, wonder: WonderLayout, table: Table, size: float) -> None:
    """Paste the whole wonder of a square at `size` pixels per tile, as one picture without seams."""
    row, col = wonder.squares[tile.cell or 0]
    square = np.array([(col, row), (col + 1, row), (col + 1, row + 1), (col, row + 1)], np.float32)
    to_table = cv2.getPerspectiveTransform(square, tile.canonical_corners.astype(np.float32))

    def seen(points: Floats) -> Floats:
        on_table = cv2.perspectiveTransform(points[None], to_table)[0]
        return table.camera.project(np.column_stack([on_table, np.zeros(len(on_table))]))

    extent = wonder.extent
    picture = _sharp_enough(tile, size * extent)
    away = measure_edge_distance(wonder.squares, picture.shape[0] // extent)
    rim = np.repeat(np.exp(-((away / max(table.rim[1], 1e-3)) ** 2))[..., None], 3, axis=2).astype(np.float32)
    frame = np.array([(0, 0), (extent, 0), (extent, extent), (0, extent)], float)
    paste(image, _rimmed(picture, rim, table.rim[0]), seen(frame), seen(np.array(wonder.outline.exterior.coords)))


def _sharp_enough(tile: LaidTile, size: float) -> Image:
    fitting = [p for p in tile.picture if p.shape[0] >= 0.8 * size]
    return fitting[-1] if fitting else tile.picture[0]


def _rimmed(picture: Image, rim: NDArray[np.float32], depth: float) -> Image:
    """Darken the print where `rim` is near 1, or make it paler if `depth` is negative."""
    if depth == 0:
        return picture
    if depth > 0:
        return np.asarray(cv2.multiply(picture, 1 - depth * rim, dtype=cv2.CV_8U), dtype=np.uint8)
    return np.asarray(255 - cv2.multiply(255 - picture, 1 + depth * rim, dtype=cv2.CV_8U), dtype=np.uint8)


@lru_cache(maxsize=512)
def _rim(size: int, width: float) -> NDArray[np.float32]:
    """Return weights (size, size, 3): 1 at the edge, falling off over the fraction `width` of the size."""
    at = (np.arange(size) + 0.5) / size
    inward = np.minimum(at, 1 - at)
    inward = np.minimum(inward[:, None], inward[None, :])
    return np.repeat(np.exp(-((inward / width) ** 2))[..., None], 3, axis=2).astype(np.float32)
