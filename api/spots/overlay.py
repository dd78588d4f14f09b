"""The photo of a table of spots with its score, or only an explanation, drawn over it.

It shares its parts with Carcassonne's (`api.render.overlay`). A place's label stands beside it, so that the place stays
visible; a piece's label stands at the lower edge of its squares.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import cv2
import numpy as np
from PIL import Image, ImageDraw

from api.documents.explanation import SpotExplanation, SpotPlayerEntry
from api.documents.spot_report import SpotFeature, SpotReport, SpotState
from api.documents.table_options import Question
from api.errors import QuestionError
from api.i18n import Words, load_words
from api.i18n.report_text import label_player, translate_rule
from api.inputs.photos import find_photo_files, is_picture, open_photo
from api.render.drawing import (
    DARK,
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
    fill_rings,
    get_player_rgb,
    measure_label,
    scale_to_subpixels,
    shrink_ring,
)
from api.render.free_places import FreePlaces
from api.spots.text import label_feature, translate_value
from scoring.spots.table import is_piece
from vision.arrays import Floats
from vision.arrays import Image as Pixels
from vision.errors import EnrolmentError
from vision.photo.decoding import Photo

_STRENGTH = 0.35
"""Opacity of the fill; weaker than over tiles, so that the spots' contents stay visible. A guess."""
_GAP = 0.3
"""Gap between labels, and between a label and its place, as a share of the text size. A guess."""

Ring = tuple[tuple[float, float], ...]


@dataclass(slots=True)
class _Block:
    """The label of one place in the picture: lines of text, each with its colour."""

    ring: Ring
    lines: list[tuple[str, Colour]] = field(default_factory=list)


def annotate_spots(
    pixels: Pixels,
    report: SpotReport,
    photo: int = 0,
    features: Sequence[str] | None = None,
    notes: Sequence[str] = (),
    language: str = "en",
    players: Sequence[str] = (),
) -> Pixels:
    """Draw the report over photo number `photo` (h, w, 3) BGR, with a legend that makes the picture taller.

    With `features`, only these and their spots are drawn, and the markers of `players` (spots of kinds that no feature
    consists of). `notes` are written below.
    """
    height, width = pixels.shape[:2]
    words = load_words(language)
    chosen = [feature for feature in report.features if features is None or feature.id in features]
    named = {spot for feature in chosen for spot in feature.spots} | _list_markers(report, players)
    visible_spots = [spot for spot in report.board.spots if spot.outline_px and spot.photo == photo]
    spots = [spot for spot in visible_spots if features is None or spot.id in named]
    scale = Scale.of([_side(spot) for spot in visible_spots], width, height)
    scale = replace(scale, text=min(scale.text, scale.legend))
    canvas, points = dim_photo(pixels), _list_points(report)
    outlined = [f for f in chosen if f.id in points and f.outline_px and f.photo == photo]
    for feature in outlined:
        rings = [np.asarray(ring, np.float64) for ring in feature.outline_px or ()]
        fill_rings(canvas, pixels, rings, [get_player_rgb(player) for player in points[feature.id]], _STRENGTH, scale)
    _draw_spots(canvas, spots, scale)
    names = {player: words.name("colour", player) for player in report.scores.final_scoring}
    legend = Legend(words.say("sheet-final"), report.scores.final_scoring, _legend_lines(words, report), notes, names)
    picture = add_legend(canvas, legend, scale)
    pieces, places = _write_up(words, report, spots, outlined)
    _draw_pieces(picture, pieces, scale)
    _draw_places(
        picture, places, FreePlaces(width, height, [np.array(spot.outline_px) for spot in visible_spots]), scale
    )
    return convert_to_bgr(picture)


def _list_markers(report: SpotReport, players: Sequence[str]) -> set[str]:
    """Return the players' spots of kinds that no feature consists of."""
    featured = {spot for feature in report.features for spot in feature.spots}
    kinds = {spot.kind for spot in report.board.spots if spot.id in featured}
    others = [spot for spot in report.board.spots if spot.kind not in kinds]
    return {spot.id for spot in others if {spot.values.get("player"), spot.values.get("colour")} & {*players}}


def _side(spot: SpotState) -> float:
    """Return the side in pixels of a square with the spot's area."""
    return float(np.sqrt(max(1.0, cv2.contourArea(np.asarray(spot.outline_px, np.float32)))))


def _list_points(report: SpotReport) -> dict[str, dict[str, int]]:
    """Return the points of each scoring feature by player."""
    points: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for entry in report.scores.entries:
        if entry.feature:
            points[entry.feature][entry.player] += entry.points
    return points


def _draw_spots(canvas: Pixels, spots: Sequence[SpotState], scale: Scale) -> None:
    """Draw thin outlines of all spots, and bold ones of doubtful spots; spots with the same outline get one line."""
    thin = {tuple(spot.outline_px or ()) for spot in spots if not spot.doubtful}
    doubtful = {tuple(spot.outline_px or ()) for spot in spots if spot.doubtful}
    rings = [scale_to_subpixels(np.asarray(ring, np.float64)) for ring in thin - doubtful]
    cv2.polylines(canvas, rings, True, LIGHT, max(1, scale.line // 2), cv2.LINE_AA, SUBPIXEL)
    draw_doubt_outlines(canvas, [scale_to_subpixels(shrink_ring(ring, 0.95)) for ring in doubtful], scale)


def _write_up(
    words: Words, report: SpotReport, spots: Sequence[SpotState], outlined: Sequence[SpotFeature]
) -> tuple[list[_Block], list[_Block]]:
    """Label each piece on squares and each other place, with its content and the points of features."""
    points = _list_points(report)
    pieces: dict[tuple[object, ...], _Block] = {}
    places: dict[object, _Block] = {}
    open_points = {feature.id: dict(points[feature.id]) for feature in outlined}
    feature_of = {spot: feature for feature in outlined for spot in feature.spots}
    for feature in outlined:
        if not feature.tiles and len(feature.spots) > 1 and (ring := _find_ring(feature, spots)):
            places[feature.id] = _Block(ring, [(label_feature(words, report, feature.id), LIGHT)])
    for spot in spots:
        if not spot.doubtful and spot.value in (None, spot.choices[0]):
            continue
        ring, player = tuple(spot.outline_px or ()), _player(spot)
        feature_id = feature_of[spot.id].id if spot.id in feature_of else None
        gained = open_points.get(feature_id, {}).pop(player, None) if feature_id else None
        text = _say_value(words, spot) + ("?" if spot.doubtful else "") + ("" if gained is None else f"  +{gained}")
        is_square = "row" in spot.values and "col" in spot.values
        if is_square and spot.value is not None and is_piece(spot.value):
            block = pieces.setdefault((spot.kind, player, spot.value), _Block(ring, [(text, get_player_rgb(player))]))
            block.ring = max(block.ring, ring, key=_measure_depth)
        elif is_square:
            pieces[spot.id,] = _Block(ring, [(text, get_player_rgb(player))])
        else:
            place = feature_id if feature_id in places else ring
            places.setdefault(place, _Block(ring)).lines.append((text, get_player_rgb(player)))
    for feature in outlined:
        for player, gained in open_points[feature.id].items():
            ring = _find_ring(feature, spots) or tuple(next(iter(feature.outline_px or ()), ()))
            block = (
                pieces.setdefault((feature.id,), _Block(ring))
                if feature.tiles
                else places.setdefault(feature.id, _Block(ring))
            )
            block.lines.append((f"+{gained}", get_player_rgb(player)))
    return list(pieces.values()), list(places.values())


def _say_value(words: Words, spot: SpotState) -> str:
    """Return a spot's value in words short enough for a picture."""
    if spot.value is None:
        return ""
    value, message = translate_value(words, spot.kind, spot.value), f"sheet-spot-{spot.kind}"
    return words.say(message, **{**spot.values, "value": value}) if message in words else value


def _find_ring(feature: SpotFeature, spots: Sequence[SpotState]) -> Ring | None:
    """Return the outline shared by most of a feature's visible spots, or None if no spot is visible."""
    rings = [tuple(spot.outline_px or ()) for spot in spots if spot.id in feature.spots]
    return max(rings, key=rings.count, default=None)


def _player(spot: SpotState) -> str:
    """Return the player of a spot or of the piece on it; empty if there is none."""
    return str(spot.values.get("player") or spot.values.get("colour") or spot.value or "")


def _measure_depth(ring: Ring) -> float:
    """Return the vertical position of a place in the picture."""
    return float(np.mean(ring, axis=0)[1])


def _draw_pieces(picture: Image.Image, blocks: Sequence[_Block], scale: Scale) -> None:
    """Draw the labels of pieces, each at the lower edge of its lowest square."""
    draw = ImageDraw.Draw(picture)
    for block in blocks:
        ring = np.asarray(block.ring, np.float64)
        x, y = ring.mean(axis=0)[0], float(np.sort(ring[:, 1])[-2:].mean())
        for number, (text, paint) in enumerate(block.lines):
            draw_label(draw, (float(x), y - number * 1.9 * scale.text), text, paint, scale)


def _draw_places(picture: Image.Image, blocks: Sequence[_Block], free: FreePlaces, scale: Scale) -> None:
    """Draw the labels of other places, each beside its place with a line to it, longest first."""
    draw, gap = ImageDraw.Draw(picture), _GAP * scale.text
    for block in sorted((block for block in blocks if block.lines), key=lambda block: -len(block.lines)):
        ring = np.asarray(block.ring, np.float64)
        sizes = [measure_label(text, scale) for text, _ in block.lines]
        row_height = max(height for _, height in sizes) + gap
        left, top, right, bottom = free.take(ring, max(width for width, _ in sizes), row_height * len(sizes), 2 * gap)
        middle = ((left + right) / 2, (top + bottom) / 2)
        x, y = _find_nearest(ring, middle)
        edge = (min(max(x, left), right), min(max(y, top), bottom))
        for colour, width in ((DARK, 3 * scale.line), (LIGHT, scale.line)):
            draw.line([edge, (x, y)], fill=colour, width=width)
        for number, (text, paint) in enumerate(block.lines):
            draw_label(draw, (middle[0], top + (number + 0.5) * row_height), text, paint, scale)


def _find_nearest(ring: Floats, point: tuple[float, float]) -> tuple[float, float]:
    """Return the point of a ring's outline nearest to a point."""
    starts, ends = ring, np.roll(ring, -1, axis=0)
    along = np.clip(((point - starts) * (ends - starts)).sum(1) / (((ends - starts) ** 2).sum(1) + 1e-9), 0, 1)
    feet = starts + along[:, None] * (ends - starts)
    x, y = feet[np.linalg.norm(feet - point, axis=1).argmin()]
    return float(x), float(y)


def _legend_lines(words: Words, report: SpotReport) -> list[str]:
    """List the lines below the totals: doubts and problems, if any."""
    unknown = sum(spot.value is None for spot in report.board.spots if spot.doubtful)
    doubtful = sum(spot.doubtful for spot in report.board.spots) - unknown
    counts = (("doubtful", doubtful), ("unknown", unknown), ("problems", len(report.board.problems)))
    parts = [words.say(f"explain-legend-{what}", n=count) for what, count in counts if count]
    if report.doubtful:
        parts.append(words.say("explain-legend-open"))
    return [", ".join(parts)] if parts else []


def draw_spot_explanation(
    pixels: Pixels, report: SpotReport, explanation: SpotExplanation, question: Question, language: str, photo: int = 0
) -> Pixels:
    """Draw an explanation over photo number `photo` of its report (h, w, 3) BGR, with words below.

    If nothing was chosen, only each player's points are listed: they name the features that bring them, so features are
    omitted.
    """
    features = None if question.is_open else _list_features(explanation)
    described = explanation.model_copy(update={"features": []}) if question.is_open else explanation
    notes = list(_list_notes(described, report, language))
    players = [player.player for player in explanation.players]
    return annotate_spots(pixels, report, photo, features, notes, language, players)


def find_explained_photo(report: SpotReport, explanation: SpotExplanation, source: Path, given: Path | None) -> Photo:
    """Find the photo with most of the explained features: the source itself, the given one, or one beside the report.

    Raises QuestionError `wrong_photo`, EnrolmentError `photo_wanted`, PhotoError.
    """
    if is_picture(source):
        return Photo.from_path(source)
    photos = report.photos or ([report.photo] if report.photo else [])
    if given is not None:
        photo = open_photo(given)
        if photo.sha256 not in [info.sha256 for info in photos]:
            raise QuestionError("wrong_photo", details={"file": str(given)})
        return photo
    names = _list_features(explanation)
    spread = Counter(feature.photo for feature in report.features if feature.id in names and feature.outline_px)
    order = [number for number, _ in spread.most_common()] + list(range(len(photos)))
    for number in dict.fromkeys(order):
        for file in find_photo_files(photos[number], source):
            return Photo.from_path(file)
    raise EnrolmentError("photo_wanted", details={"file": ", ".join(info.file for info in photos)})


def _list_notes(explanation: SpotExplanation, report: SpotReport, language: str) -> Iterator[str]:
    """Yield the lines of an explanation: each player's points, then each feature's players and points."""
    for player in explanation.players:
        yield f"{label_player(language, player.player, report.names)}: {player.total}"
        yield from (f"   {_say_entry(entry, language)}" for entry in player.entries)
    for feature in explanation.features:
        counts = [f"{label_player(language, name, report.names)} {count}" for name, count in feature.players.items()]
        yield ": ".join([feature.label, *([", ".join(counts)] if counts else [])])
        for entry in feature.entries:
            yield f"   {label_player(language, entry.player, report.names)}: {_say_entry(entry, language)}"


def _say_entry(entry: SpotPlayerEntry, language: str) -> str:
    about = "" if not entry.label or entry.sum.startswith(entry.label) else f"{entry.label}: "
    return f"{entry.points:+d}  {about}{translate_rule(language, entry.rule)}: {entry.sum}"


def _list_features(explanation: SpotExplanation) -> list[str]:
    """List the explained features, and those that bring points to explained players."""
    named = [feature.id for feature in explanation.features]
    return [*named, *(entry.feature for player in explanation.players for entry in player.entries if entry.feature)]
