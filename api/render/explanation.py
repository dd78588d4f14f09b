"""An explanation as a picture: numbered squares, on the photo or on a plainly drawn board."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from api.carcassonne.explain.source import Answer, Source
from api.documents.explanation import Counted, Explanation, FeatureAccount, LineAccount
from api.documents.report import Report
from api.i18n import Words, load_words
from api.render.board import (
    GRID,
    MEEPLE_RADIUS,
    Quads,
    draw_meeples,
    draw_plain_board,
    find_segment_middle,
    project_area,
    project_points,
    sample_segment_points,
)
from api.render.drawing import get_player_rgb, swap_colour_order, write_picture
from api.render.fonts import find_font_file, keep_printable
from scoring.carcassonne.board.board import Board
from scoring.carcassonne.board.features import Feature, build_feature_map, place_segment_area
from scoring.carcassonne.board.square_names import number_square
from scoring.carcassonne.tiles.geometry import Square
from vision.arrays import Image as Pixels

Colour = tuple[int, int, int]
Disc = tuple[float, float, float]

PALETTE: tuple[Colour, ...] = ((230, 60, 60), (50, 110, 230), (240, 170, 20), (150, 60, 190), (20, 160, 160))
"""RGB of the explained features, in turn. A guess."""
_LIGHT, _DARK = (250, 250, 250), (24, 26, 30)
_GOLD, _GOLD_DARK = (255, 216, 74), (122, 90, 0)
_GREY, _OPEN, _COAT = (110, 110, 110), (255, 90, 77), (47, 90, 168)
_SHIELD = ((-0.8, -0.95), (0.8, -0.95), (0.8, 0.1), (0.45, 0.75), (0, 1.1), (-0.45, 0.75), (-0.8, 0.1))
_BELOW = 0.36
"""Distance of a piece's strength below its foot, in squares. A guess."""
_MIN_WIDTH_PX = 1200
"""Minimum width in pixels of a cropped picture. A guess."""
_DIMMED, _STRENGTH = 0.8, 0.45
"""Brightness of the photo, and opacity of the tint. A guess."""
_SUBPIXEL = 4
_LETTERS, _PAD = 0.19, 0.06
"""Text size and padding of a label, in squares. A guess."""
_BESIDE = 0.04
"""Distance of row and column numbers from the board, in squares. A guess."""
_RING = 0.3
"""Radius of a ring around a piece that a wonder pays for, in squares. A guess."""
_SEEN_RADIUS = 0.2
"""Radius around a meeple's foot that it covers in a photo, in squares. A guess."""


@dataclass
class Sheet:
    """A picture being drawn: `quads` are the squares' corners (4, 2) NW NE SE SW, `side` a square's side, in pixels.

    `taken` are discs (x, y, radius) that labels avoid if there is room: meeples, then labels.
    """

    picture: Image.Image
    quads: Quads
    side: float
    taken: list[Disc]
    is_photo: bool

    def spot(self, square: Square, x: float, y: float) -> tuple[float, float]:
        """Project a point of a square to the picture."""
        at = project_points(np.array([x, y]), self.quads[square])[0]
        return float(at[0]), float(at[1])


def write_explanation(
    path: Path, source: Source, answer: Answer, explanation: Explanation, language: str = "en"
) -> None:
    """Write the picture as PNG or JPEG, by the file's suffix, with words in a language; raises InputError."""
    write_picture(path, swap_colour_order(draw_explanation(source, answer, explanation, language)))


def draw_explanation(
    source: Source, answer: Answer, explanation: Explanation, language: str = "en", close: bool = False
) -> Pixels:
    """Draw the picture (h, w, 3) RGB with the explanation below in a language; `close` crops it to the subjects.

    The squares of each requested feature except a field are numbered in order; further features (a farm's cities, a
    player's scoring features) are labelled. Cities that do not count are grey. Coats of arms are shields, open ends are
    bars across the open side. A run in a row or column has its length on its first square. Everything that a requested
    wonder pays for is marked: by numbered rings around pieces, the roads, and lines across rows and columns, thin ones
    across those that do not count.
    """
    pixels, quads = _ground(source)
    feature_map = build_feature_map(source.board)
    numbered = {} if answer.whole else {account.id: account for account in explanation.features}
    counted = [one for account in numbered.values() for one in account.counted]
    roads = [one.feature for one in counted if one.what == "road"]
    marked = list(dict.fromkeys((*numbered, *roads, *_brought_in(answer, explanation))))
    colours = _choose_colours(marked, explanation)
    for name in marked:
        _tint(pixels, source.board, feature_map[name], quads, colours[name])
    if source.photo is None:
        draw_meeples(pixels, source.board, quads)
    sheet = Sheet(Image.fromarray(pixels), quads, _side(quads), _meeples(source, quads), source.photo is not None)
    _write_coordinates(sheet, source.board.origin, load_words(language))
    for account in numbered.values():
        _draw_open_ends(sheet, account)
        _draw_coats(sheet, feature_map[account.id], account)
        _write_strengths(sheet, source.report, account)
    for name in marked:
        is_numbered = name in numbered and feature_map[name].kind != "field" and not numbered[name].counted
        tiles = numbered[name].tiles if is_numbered else [feature_map[name].members[0][0]]
        for number, square in enumerate(tiles, 1):
            if square in quads:
                text = str(number) if is_numbered else feature_map[name].label
                _write_label(sheet, _spot(sheet, feature_map[name], square, text), text, colours[name])
    if answer.lines and not answer.whole:
        _write_runs(sheet, explanation.lines)
    for number, one in enumerate(counted, 1):
        if one.what == "piece":
            _ring_piece(sheet, source, one, str(number))
        elif one.what != "road":
            _draw_line(sheet, one, source.board.origin)
    if close and numbered:
        paid = [square for one in counted if one.points for square in one.tiles]
        _cut_close(sheet, [*(square for account in numbered.values() for square in account.tiles), *paid])
    return _with_words(sheet, [*_words(explanation, answer, colours, language)])


def _choose_colours(marked: Sequence[str], explanation: Explanation) -> dict[str, Colour]:
    """Assign the palette's colours to features; a city beside a farm that does not count is grey."""
    unfinished = {city.id for account in explanation.features for city in account.cities if not city.complete}
    unfinished -= {account.id for account in explanation.features}
    palette = cycle(PALETTE)
    return {name: _GREY if name in unfinished else next(palette) for name in marked}


def _draw_open_ends(sheet: Sheet, account: FeatureAccount) -> None:
    """Draw a bar along each side at which a road or city is open."""
    pen, inset = ImageDraw.Draw(sheet.picture), 0.36 if account.kind == "road" else 0.16
    ends = {"N": ((0, 0), (1, 0)), "E": ((1, 0), (1, 1)), "S": ((0, 1), (1, 1)), "W": ((0, 0), (0, 1))}
    for end in account.open_ends:
        if end.tile in sheet.quads:
            first, last = (np.array(corner, np.float64) for corner in ends[end.side])
            spots = [sheet.spot(end.tile, *(first + (last - first) * share)) for share in (inset, 1 - inset)]
            for colour, width in ((_LIGHT, 0.11), (_OPEN, 0.07)):
                pen.line(spots, colour, max(2, round(width * sheet.side)))


def _draw_coats(sheet: Sheet, feature: Feature, account: FeatureAccount) -> None:
    """Draw a shield for each coat of arms."""
    pen = ImageDraw.Draw(sheet.picture)
    for mark in account.marks:
        if mark.what == "coat of arms" and mark.tile in sheet.quads:
            x, y = _spot(sheet, feature, mark.tile, "0")
            shield = [(x + u * 0.15 * sheet.side, y + v * 0.15 * sheet.side) for u, v in _SHIELD]
            pen.polygon(shield, _COAT, _LIGHT, max(1, round(sheet.side / 45)))


def _write_strengths(sheet: Sheet, report: Report, account: FeatureAccount) -> None:
    """Write each player's strength below one of their pieces, if a photo shows one."""
    for holding in account.holdings if account.kind != "wonder" else []:
        pieces = [m for m in report.board.meeples if m.feature == account.id and m.colour == holding.player]
        feet = [meeple.foot_px for meeple in pieces if meeple.foot_px is not None]
        if feet and sheet.is_photo:
            x, y = max(feet, key=lambda foot: foot[1])
            at = (x, y + _BELOW * sheet.side)
            _write_label(sheet, at, str(holding.strength), get_player_rgb(holding.player))
            sheet.taken.append((*at, _reach(sheet, "0")))


def _ring_piece(sheet: Sheet, source: Source, piece: Counted, number: str) -> None:
    """Draw a numbered ring around a piece that a wonder pays for."""
    meeple = None if piece.meeple is None else source.report.board.meeples[piece.meeple]
    (square,) = piece.tiles
    if sheet.is_photo and meeple is not None and meeple.foot_px is not None:
        x, y = meeple.foot_px
    elif square in sheet.quads:
        x, y = _find_drawn_piece(sheet, source, piece)
    else:
        return
    reach, pen = _RING * sheet.side, ImageDraw.Draw(sheet.picture)
    for colour, width in ((_DARK, 0.09), (_GOLD, 0.05)):
        pen.ellipse(
            (x - reach, y - reach, x + reach, y + reach), outline=colour, width=max(2, round(width * sheet.side))
        )
    _write_label(sheet, (x + reach, y - reach), number, _GOLD_DARK)


def _find_drawn_piece(sheet: Sheet, source: Source, piece: Counted) -> tuple[float, float]:
    """Find the place of a piece on its square, as drawn on a plain board; its middle if that is unknown."""
    feature_map, (square,) = build_feature_map(source.board), piece.tiles
    feature = feature_map[piece.feature] if piece.feature else None
    for placement, (at, index) in zip(feature.placements, feature.members, strict=True) if feature else ():
        if at == square:
            x, y = project_points(find_segment_middle(placement, index), sheet.quads[square])[0]
            return float(x), float(y)
    return sheet.spot(square, 0.5, 0.5)


def _draw_line(sheet: Sheet, line: Counted, origin: Square) -> None:
    """Draw a row or column along its squares, with its number at both ends; thin if it does not count."""
    pen, is_row = ImageDraw.Draw(sheet.picture), line.what == "row"
    squares = [square for square in line.tiles if square in sheet.quads]
    first, last = ((0.0, 0.5), (1.0, 0.5)) if is_row else ((0.5, 0.0), (0.5, 1.0))
    for colour, width in ((_DARK, 0.13), (_GOLD, 0.06)) if line.points else ((_LIGHT, 0.02),):
        for square in squares:
            ends = [sheet.spot(square, *first), sheet.spot(square, *last)]
            pen.line(ends, colour, max(1, round(width * sheet.side)))
    number = str(number_square(line.tiles[0], origin)[not is_row])
    for square, share in ((squares[0], 0.12), (squares[-1], 0.88)) if squares and line.points else ():
        at = sheet.spot(square, *((share, 0.5) if is_row else (0.5, share)))
        _write_label(sheet, at, number, _GOLD_DARK)


def _cut_close(sheet: Sheet, squares: Sequence[Square]) -> None:
    """Crop the picture to some squares with a margin of one square, and enlarge it for the text."""
    corners = np.concatenate([sheet.quads[square] for square in squares if square in sheet.quads] or [np.zeros((0, 2))])
    if not len(corners):
        return
    (left, top), (right, bottom) = corners.min(axis=0) - sheet.side, corners.max(axis=0) + sheet.side
    width, height = sheet.picture.size
    part = sheet.picture.crop((max(0, int(left)), max(0, int(top)), min(width, int(right)), min(height, int(bottom))))
    larger = max(1.0, _MIN_WIDTH_PX / part.width)
    sheet.picture = part.resize((round(part.width * larger), round(part.height * larger)), Image.Resampling.LANCZOS)


def _brought_in(answer: Answer, explanation: Explanation) -> list[str]:
    """List the features that bring points to the players, and the cities beside the requested farms."""
    cities = [] if answer.whole else [city.id for account in explanation.features for city in account.cities]
    scoring = [entry.feature for player in explanation.players for entry in player.entries if entry.feature]
    return list(dict.fromkeys((*cities, *scoring)))


def _ground(source: Source) -> tuple[Pixels, Quads]:
    """Return the photo slightly dimmed, or a plainly drawn board, with its squares' corners."""
    if source.photo is None:
        return draw_plain_board(source.board)
    quads = _quads(source.report)
    pixels = np.ascontiguousarray(source.photo.pixels[:, :, ::-1] * np.float32(_DIMMED), np.uint8)
    outlines = [np.asarray(np.round(quad * 2**_SUBPIXEL), np.int32) for quad in quads.values()]
    cv2.polylines(pixels, outlines, True, _LIGHT, max(1, round(_side(quads) / 90)), cv2.LINE_AA, _SUBPIXEL)
    return pixels, quads


def _quads(report: Report) -> Quads:
    """Return the corners of each square as on the board, from those of the printed tile."""
    return {
        (tile.row, tile.col): np.roll(np.asarray(tile.corners_px, np.float64), tile.turns, axis=0)
        for tile in report.board.tiles
        if tile.corners_px
    }


def _side(quads: Quads) -> float:
    return float(np.median([np.linalg.norm(quad[1] - quad[0]) for quad in quads.values()])) if quads else 60.0


def _tint(pixels: Pixels, board: Board, feature: Feature, quads: Quads, colour: Colour) -> None:
    """Tint the feature's own parts with a colour."""
    mask = np.zeros(pixels.shape[:2], np.uint8)
    for placement, (square, index) in zip(feature.placements, feature.members, strict=True):
        if square in quads:
            rings = project_area(place_segment_area(placement.layout, placement.turns, index), quads[square])
            cv2.fillPoly(mask, rings, 255, cv2.LINE_AA, _SUBPIXEL)
    ys, xs = np.nonzero(mask)
    strength = mask[ys, xs, None] / np.float32(255) * (0.9 if feature.kind == "road" else _STRENGTH)
    pixels[ys, xs] = (pixels[ys, xs] * (1 - strength) + np.array(colour, np.float32) * strength).astype(np.uint8)


def _meeples(source: Source, quads: Quads) -> list[Disc]:
    """Return the discs of meeples: as drawn on the plain board, around their feet on a photo."""
    side = _side(quads)
    if source.photo is not None:
        feet = [meeple.foot_px for meeple in source.report.board.meeples if meeple.foot_px]
        return [(x, y, _SEEN_RADIUS * side) for x, y in feet]
    standing = [(m.square, p, m.segment) for m in source.board.meeples if (p := source.board.tiles.get(m.square))]
    at = [
        project_points(find_segment_middle(p, segment), quads[square])[0]
        for square, p, segment in standing
        if segment is not None
    ]
    return [(float(x), float(y), MEEPLE_RADIUS * side) for x, y in at]


def _spot(sheet: Sheet, feature: Feature, square: Square, text: str) -> tuple[float, float]:
    """Find a place for a feature's label on a square: on its own part if possible, away from taken discs.

    If the whole part is taken, the label stands elsewhere on the square, and on a full square as far from the discs as
    possible.
    """
    parts = [(p, index) for p, (at, index) in zip(feature.placements, feature.members, strict=True) if at == square]
    part_points = np.vstack(
        [sample_segment_points(placement, index) for placement, index in parts] or [np.array([[0.5, 0.5]])]
    )
    elsewhere = GRID[np.argsort(((GRID - part_points[0]) ** 2).sum(axis=1), kind="stable")]
    points = project_points(np.vstack([part_points, elsewhere]), sheet.quads[square])
    reach = _reach(sheet, text)
    free = np.array([min((np.hypot(x - u, y - v) - r for u, v, r in sheet.taken), default=reach) for x, y in points])
    x, y = points[np.argmax(free >= reach) if (free >= reach).any() else np.argmax(free)]
    sheet.taken.append((float(x), float(y), reach))
    return float(x), float(y)


def _reach(sheet: Sheet, text: str) -> float:
    """Return the distance from a label's centre to its corner."""
    left, top, right, bottom = _label_box(sheet, (0, 0), text)
    return float(np.hypot(right - left, bottom - top)) / 2


def _write_coordinates(sheet: Sheet, origin: Square, words: Words) -> None:
    """Number each row to the west of its first visible square, and each column to the north of its first."""
    rows = {row: min(square for square in sheet.quads if square[0] == row) for row, _ in sheet.quads}
    columns = {col: min(square for square in sheet.quads if square[1] == col) for _, col in sheet.quads}
    for square in rows.values():
        text = words.say("explain-line-row", index=number_square(square, origin)[0])
        _write_beside(sheet, sheet.spot(square, -_BESIDE, 0.5), text, "rm")
    for square in columns.values():
        text = words.say("explain-line-column", index=number_square(square, origin)[1])
        _write_beside(sheet, sheet.spot(square, 0.5, -_BESIDE), text, "mb")


def _write_beside(sheet: Sheet, at: tuple[float, float], text: str, anchor: str) -> None:
    """Write a number beside the board, moved to stay within the picture."""
    pen, font = ImageDraw.Draw(sheet.picture), _font(0.13 * sheet.side)
    left, top, right, bottom = pen.textbbox(at, text, font, anchor)
    x = at[0] + max(0, -left) - max(0, right - sheet.picture.width)
    y = at[1] + max(0, -top) - max(0, bottom - sheet.picture.height)
    pen.text((x, y), text, _LIGHT, font, anchor=anchor, stroke_width=1, stroke_fill=_DARK)


def _write_runs(sheet: Sheet, lines: list[LineAccount]) -> None:
    """Write each run's length on its first square: at the western edge for rows, the northern edge for columns."""
    for line in lines:
        row = line.axis == "row"
        for run in line.runs:
            square = (line.index, run.first) if row else (run.first, line.index)
            if square in sheet.quads:
                at = sheet.spot(square, *((0.12, 0.5) if row else (0.5, 0.12)))
                _write_label(sheet, at, str(run.length), PALETTE[row])


def _write_label(sheet: Sheet, at: tuple[float, float], text: str, paint: Colour) -> None:
    pen, font = ImageDraw.Draw(sheet.picture), _font(_LETTERS * sheet.side)
    rounded, pad = _label_box(sheet, at, text), _PAD * sheet.side
    pen.rounded_rectangle(rounded, pad, fill=paint, outline=_LIGHT, width=max(1, round(sheet.side / 60)))
    pen.text(at, text, _LIGHT, font, anchor="mm", stroke_width=max(1, round(sheet.side / 90)), stroke_fill=_DARK)


def _label_box(sheet: Sheet, at: tuple[float, float], text: str) -> tuple[float, float, float, float]:
    box = ImageDraw.Draw(sheet.picture).textbbox(at, text, _font(_LETTERS * sheet.side), anchor="mm")
    pad = _PAD * sheet.side
    return box[0] - pad, box[1] - pad, box[2] + pad, box[3] + pad


def _words(
    explanation: Explanation, answer: Answer, colours: Mapping[str, Colour], language: str
) -> Iterator[tuple[str, Colour]]:
    """Yield the lines below the picture, a feature's headline in the feature's colour."""
    words = load_words(language)
    for player in explanation.players:
        yield f"{words.name('colour', player.player)}: {player.total}", _LIGHT
        for entry in player.entries:
            yield f"{entry.points} {entry.name or entry.feature}: {entry.sum}", colours.get(entry.feature, _LIGHT)
    if not answer.whole:
        for feature in explanation.features:
            first, *rest = feature.text
            yield first, colours[feature.id]
            yield from ((line, _LIGHT) for line in rest)
        yield from ((line.text, _LIGHT) for line in explanation.lines)


def _with_words(sheet: Sheet, words: list[tuple[str, Colour]]) -> Pixels:
    """Append lines of text below the picture, wrapped to its width."""
    width, size = sheet.picture.width, max(13, round(sheet.picture.width / 70))
    letters = max(20, int(width / (0.55 * size)))
    broken = [(part, colour) for line, colour in words for part in textwrap.wrap(keep_printable(line), letters)]
    band = Image.new("RGB", (width, round(1.4 * size * (len(broken) + 1))), _DARK)
    pen, font = ImageDraw.Draw(band), _font(size)
    for number, (line, colour) in enumerate(broken):
        pen.text((size, 1.4 * size * (number + 0.5)), line, tuple(int(128 + c / 2) for c in colour), font)
    return np.vstack([np.asarray(sheet.picture), np.asarray(band)])


def _font(size: float) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(find_font_file("Semibold")), max(8, round(1.1 * size)))
