"""The photo of a table of spots with its score drawn over it.

It is made of the same parts as Carcassonne's (`api.render.overlay`).
"""

from __future__ import annotations

from collections import defaultdict

import cv2
import numpy as np
from PIL import Image, ImageDraw

from api.games.spots.schema import SpotReport, SpotState
from api.games.spots.text import translate_value
from api.i18n import load_words
from api.render.drawing import (
    LIGHT,
    SUBPIXEL,
    Legend,
    Scale,
    add_legend,
    convert_to_bgr,
    dim_photo,
    draw_doubt_outlines,
    draw_label,
    draw_question_mark,
    fill_rings,
    get_player_rgb,
    scale_to_subpixels,
    shrink_ring,
)
from vision.arrays import Image as Pixels

_STRENGTH = 0.35
"""Weaker than over tiles: what lies on the spots is to be seen."""


def annotate_spots(pixels: Pixels, report: SpotReport, photo: int = 0) -> Pixels:
    """Photo number `photo` (h, w, 3) BGR with the report drawn over it and a legend below, taller than the photo."""
    height, width = pixels.shape[:2]
    spots = [spot for spot in report.board.spots if spot.outline_px and spot.photo == photo]
    scale = Scale.of([_side(spot) for spot in spots], width, height)
    canvas = dim_photo(pixels)
    owners = _owners(report)
    for feature in report.features:
        if feature.id in owners and feature.outline_px and feature.photo == photo:
            rings = [np.asarray(ring, np.float64) for ring in feature.outline_px]
            fill_rings(
                canvas, pixels, rings, [get_player_rgb(player) for player in owners[feature.id]], _STRENGTH, scale
            )
    _draw_spots(canvas, spots, scale)
    legend = Legend("Final scoring", report.scores.final_scoring, _legend_lines(report))
    picture = add_legend(canvas, legend, scale)
    _write_values(picture, spots, scale)
    _write_points(picture, report, photo, scale)
    return convert_to_bgr(picture)


def _side(spot: SpotState) -> float:
    """The side of a square as large as the spot, in pixels."""
    return float(np.sqrt(max(1.0, cv2.contourArea(np.asarray(spot.outline_px, np.float32)))))


def _owners(report: SpotReport) -> dict[str, dict[str, int]]:
    """The points of each feature that scores, by player."""
    points: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for entry in report.scores.entries:
        if entry.feature:
            points[entry.feature][entry.player] += entry.points
    return points


def _draw_spots(canvas: Pixels, spots: list[SpotState], scale: Scale) -> None:
    """Thin outlines of all spots, striking ones around those in doubt; one line where spots have one outline."""
    thin = {tuple(spot.outline_px or ()) for spot in spots if not spot.doubtful}
    doubtful = {tuple(spot.outline_px or ()) for spot in spots if spot.doubtful}
    rings = [scale_to_subpixels(np.asarray(ring, np.float64)) for ring in thin - doubtful]
    cv2.polylines(canvas, rings, True, LIGHT, max(1, scale.line // 2), cv2.LINE_AA, SUBPIXEL)
    draw_doubt_outlines(canvas, [scale_to_subpixels(shrink_ring(ring, 0.95)) for ring in doubtful], scale)


def _write_values(picture: Image.Image, spots: list[SpotState], scale: Scale) -> None:
    """What was read on each spot, in the player's colour where it has one; spots of one outline stand in a column."""
    draw, words = ImageDraw.Draw(picture), load_words("en")
    columns: dict[tuple[tuple[float, float], ...], list[SpotState]] = defaultdict(list)
    for spot in spots:
        if spot.doubtful or spot.value not in (None, spot.choices[0]):
            columns[tuple(spot.outline_px or ())].append(spot)
    for ring, there in columns.items():
        x, y = np.mean(ring, axis=0)
        for number, spot in enumerate(there):
            at = (float(x), float(y) + (number - (len(there) - 1) / 2) * 1.9 * scale.text)
            if spot.value is None:
                draw_question_mark(draw, at, scale)
                continue
            text = translate_value(words, spot.kind, spot.value) + ("?" if spot.doubtful else "")
            draw_label(draw, at, text, get_player_rgb(_player(spot)), scale)


def _player(spot: SpotState) -> str:
    """Whose spot it is, or whose piece lies there; empty where that is nobody's."""
    return str(spot.values.get("player") or spot.values.get("colour") or spot.value or "")


def _write_points(picture: Image.Image, report: SpotReport, photo: int, scale: Scale) -> None:
    """At the top of each feature that scores, what it brings to whom."""
    draw, owners = ImageDraw.Draw(picture), _owners(report)
    for feature in report.features:
        if feature.id in owners and feature.outline_px and feature.photo == photo:
            ring = max(feature.outline_px, key=len)
            x, y = np.mean(ring, axis=0)[0], min(y for _, y in ring)
            for number, (player, points) in enumerate(owners[feature.id].items()):
                at = (float(x), y + (number - 0.5) * 1.9 * scale.text)
                draw_label(draw, at, f"{feature.id} +{points}", get_player_rgb(player), scale)


def _legend_lines(report: SpotReport) -> list[str]:
    """What stands below the totals: doubts and problems, if there are any."""
    unknown = sum(spot.value is None for spot in report.board.spots if spot.doubtful)
    doubtful = sum(spot.doubtful for spot in report.board.spots) - unknown
    counts = [(doubtful, "doubtful spot"), (unknown, "unknown spot"), (len(report.board.problems), "problem")]
    parts = [f"{count} {what}{'s' if count > 1 else ''}" for count, what in counts if count]
    if report.doubtful:
        parts.append("the score may change")
    return [", ".join(parts)] if parts else []
