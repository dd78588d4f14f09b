"""The photo with its score drawn over it: points by feature and player, doubts, and the totals below."""

from __future__ import annotations

from collections import defaultdict

import cv2
import numpy as np
from PIL import Image, ImageDraw

from api.documents.forms import list_feature_names
from api.documents.report import Entry, Feature, Report, Tile, Track
from api.render.drawing import (
    DARK,
    DOUBT,
    LIGHT,
    SUBPIXEL,
    Colour,
    Legend,
    Scale,
    add_legend,
    convert_to_bgr,
    dim_photo,
    draw_doubt_outlines,
    draw_label,
    draw_question_mark,
    draw_ring,
    fill_narrow_rings,
    fill_rings,
    get_player_rgb,
    load_font,
    scale_to_subpixels,
    shrink_ring,
)
from scoring.carcassonne.tiles.kinds import get_feature_kind
from scoring.counts import format_choices
from vision.arrays import Image as Pixels


def annotate_photo(pixels: Pixels, report: Report) -> Pixels:
    """Draw the report over the photo (h, w, 3) BGR, with a legend that makes the picture taller."""
    height, width = pixels.shape[:2]
    scale = Scale.of(_sides(report), width, height)
    canvas = dim_photo(pixels)
    _draw_features(canvas, pixels, report, scale)
    _draw_tiles(canvas, report, scale)
    _draw_meeples(canvas, report, scale)
    if report.track is not None:
        draw_track(canvas, report.track, scale)
    legend = Legend("Final scoring", report.scores.final_scoring, _legend_lines(report))
    picture = add_legend(canvas, legend, scale)
    _write_kinds(picture, report, scale)
    _write_points(picture, report, scale)
    _write_doubts(picture, report, scale)
    if report.track is not None:
        draw_track_labels(picture, report.track, scale)
    return convert_to_bgr(picture)


def _sides(report: Report) -> list[float]:
    """Return the tiles' sides in pixels."""
    corners = [tile.corners_px for tile in report.board.tiles if tile.corners_px]
    return [float(np.linalg.norm(np.subtract(ring[0], ring[1]))) for ring in corners]


def _entries_by_feature(report: Report) -> dict[str, list[Entry]]:
    entries = defaultdict(list)
    for entry in report.scores.entries:
        entries[entry.feature].append(entry)
    return entries


def _draw_features(canvas: Pixels, pixels: Pixels, report: Report, scale: Scale) -> None:
    """Fill scoring features, fields first so that cities and roads are drawn over them."""
    entries = _entries_by_feature(report)
    for feature in sorted(report.features, key=lambda feature: get_feature_kind(feature.kind).tint_layer):
        if feature.id in entries and feature.outline_px:
            owners = [get_player_rgb(entry.player) for entry in entries[feature.id]]
            _fill(canvas, pixels, feature, owners, scale)


def _fill(canvas: Pixels, pixels: Pixels, feature: Feature, owners: list[Colour], scale: Scale) -> None:
    rings = [np.asarray(ring, np.float64) for ring in feature.outline_px or ()]
    paint = fill_narrow_rings if feature.kind == "road" else fill_rings
    paint(canvas, pixels, rings, owners, get_feature_kind(feature.kind).tint, scale)


def _draw_tiles(canvas: Pixels, report: Report, scale: Scale) -> None:
    """Draw thin outlines of all tiles, and bold ones of doubtful tiles."""
    doubted = _list_doubted_tiles(report)
    tiles = [tile for tile in report.board.tiles if tile.corners_px and tile not in doubted]
    thin = [scale_to_subpixels(np.asarray(tile.corners_px, np.float64)) for tile in tiles]
    doubtful = [scale_to_subpixels(shrink_ring(tile.corners_px or [], 0.95)) for tile in doubted if tile.corners_px]
    cv2.polylines(canvas, thin, True, (225, 225, 225), max(1, scale.line // 2), cv2.LINE_AA, SUBPIXEL)
    draw_doubt_outlines(canvas, doubtful, scale)


def _draw_meeples(canvas: Pixels, report: Report, scale: Scale) -> None:
    """Draw a ring around each piece; pieces that a doubt is about get the doubt colour, even if they were left out."""
    feet = _list_asked_feet(report)
    for meeple in report.board.meeples:
        if meeple.foot_px is not None and meeple.foot_px not in feet:
            draw_ring(canvas, meeple.foot_px, get_player_rgb(meeple.colour), scale)
    for foot in feet:
        draw_ring(canvas, foot, DOUBT, scale)


def _list_doubted_tiles(report: Report) -> list[Tile]:
    """List the tiles whose doubt can change points; other tiles that were hard to read are omitted."""
    squares = {doubt.square for doubt in report.doubts if doubt.about == "tile"}
    return [tile for tile in report.board.tiles if (tile.row, tile.col) in squares]


def _list_asked_feet(report: Report) -> list[tuple[float, float]]:
    return list(dict.fromkeys(foot for doubt in report.doubts for foot in doubt.feet_px))


def _write_kinds(picture: Image.Image, report: Report, scale: Scale) -> None:
    """Write the kind of each piece other than a plain meeple below it."""
    draw, font = ImageDraw.Draw(picture), load_font(scale.text)
    for meeple in report.board.meeples:
        if meeple.foot_px is not None and meeple.kind != "meeple":
            x, y = meeple.foot_px
            at, edge = (x, y + 0.3 * scale.tile), max(2, scale.line)
            draw.text(at, meeple.kind, LIGHT, font, anchor="mm", stroke_width=edge, stroke_fill=DARK)


def _write_points(picture: Image.Image, report: Report, scale: Scale) -> None:
    """Label each feature with its points on its owner's colour, beside one of that player's meeples; 0 for none."""
    draw = ImageDraw.Draw(picture)
    names, scores = list_feature_names(report), report.scores
    paid = [entry for entry in scores.entries if entry.points]
    gained = [(one.feature, one.player, f"{names.get(one.feature, '')} +{one.points}") for one in paid]
    missed = [(one.feature, one.player, f"{names.get(one.feature, '')} 0".strip()) for one in scores.nothing]
    for feature, player, text in (*gained, *missed):
        spot = _meeple_of(report, feature, player)
        if spot is not None:
            draw_label(draw, (spot[0], spot[1] - 0.36 * scale.tile), text, get_player_rgb(player), scale)


def _meeple_of(report: Report, feature: str, player: str) -> tuple[float, float] | None:
    """Return the foot of the player's topmost meeple in the photo on a feature; `feature` is empty for none."""
    feet = [
        m.foot_px for m in report.board.meeples if (m.feature or "") == feature and m.colour == player and m.foot_px
    ]
    return min(feet, key=lambda foot: foot[1], default=None)


def _write_doubts(picture: Image.Image, report: Report, scale: Scale) -> None:
    draw = ImageDraw.Draw(picture)
    for tile in _list_doubted_tiles(report):
        if tile.corners_px:
            x, y = np.mean(tile.corners_px, axis=0)
            draw_question_mark(draw, (x, y), scale)
    for x, y in _list_asked_feet(report):
        draw_question_mark(draw, (x + 0.3 * scale.tile, y), scale)


def _legend_lines(report: Report) -> list[str]:
    """List the lines below the totals: doubts and problems, if any."""
    tiles, meeples = len(_list_doubted_tiles(report)), len(_list_asked_feet(report))
    counts = [(tiles, "doubtful tile"), (meeples, "doubtful meeple"), (len(report.board.problems), "problem")]
    parts = [f"{count} {what}{'s' if count > 1 else ''}" for count, what in counts if count]
    if report.doubtful:
        parts.append("the score may change")
    return [", ".join(parts)] if parts else []


def draw_track(canvas: Pixels, track: Track, scale: Scale) -> None:
    """Draw the outlines of the board and of each token, and a ring around each piece; doubtful ones stand out."""
    outlines = [(track.corners_px, LIGHT)]
    outlines += [(token.corners_px, DOUBT if token.doubtful else LIGHT) for token in track.tokens]
    for corners, colour in outlines:
        area = [scale_to_subpixels(np.asarray(corners, np.float64))]
        for line, width in ((DARK, 4 * scale.line), (colour, 2 * scale.line)):
            cv2.polylines(canvas, area, True, line, width, cv2.LINE_AA, SUBPIXEL)
    for piece in track.pieces:
        draw_ring(canvas, piece.foot_px, DOUBT if piece.doubtful else get_player_rgb(piece.colour), scale)


def draw_track_labels(picture: Image.Image, track: Track, scale: Scale) -> None:
    """Write each piece's spaces on its colour, and each token's points on its owner's colour."""
    draw = ImageDraw.Draw(picture)
    for piece in track.pieces:
        x, y = piece.foot_px
        draw_label(
            draw,
            (x, y - 0.36 * scale.tile),
            format_choices(map(str, piece.spaces)),
            get_player_rgb(piece.colour),
            scale,
        )
    for token in track.tokens:
        x, y = np.mean(token.corners_px, axis=0).tolist()
        text = f"{token.points}?" if token.doubtful else str(token.points)
        draw_label(draw, (x, y), text, get_player_rgb(token.colour) if token.colour else LIGHT, scale)
