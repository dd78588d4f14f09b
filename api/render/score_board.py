"""The score board drawn over its photo: each piece's space as read, and each token's owner."""

from __future__ import annotations

import cv2
import numpy as np
from PIL import Image, ImageDraw

from api.documents.report import Track
from api.render.drawing import (
    DARK,
    DOUBT,
    LIGHT,
    SUBPIXEL,
    Scale,
    draw_label,
    draw_ring,
    get_player_rgb,
    scale_to_subpixels,
)
from scoring.counts import format_choices
from vision.arrays import Image as Pixels


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
