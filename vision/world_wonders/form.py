"""The marks of World Wonders boards that a user points at: a map's grid and terrain, the tracks of a resource board.

A map's squares are found on its straightened picture by their regularity, and their terrain by colour."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

from scoring.world_wonders.components import Components, Side, load_components
from scoring.world_wonders.kinds import COLOURS
from scoring.world_wonders.terrain import LAND, NATURAL, WATER
from vision.arrays import Floats, Image
from vision.flat_boards.layout import PixelPoint
from vision.showing.draft import BoardDraft, BoardForm, BoardMark, BoxMark, MarkForm, ValueForm
from vision.showing.outlines import load_shape_rules, measure_edges
from vision.showing.pointing import add_node
from vision.world_wonders.layout import RESOURCES, RESOURCES_B, SIDE_A, SIDE_B

GRID = "map"
TRACKS = ("gold", "population", "food", "ceramics", "gears")
SYMBOL_TRACKS = ("food", "ceramics", "gears")
RINGS, SYMBOLS = "population.rings", "population"
MOST_SYMBOLS = {RINGS: 2}
"""Maximum number of each thing on a space; 1 for all others. Geometry of the print."""
NEXT = {LAND: WATER, WATER: NATURAL, NATURAL: LAND}


@dataclass(frozen=True, slots=True)
class MapForm:
    """The form of the map (`vision.showing.draft.BoardForm`): its grid is found, a tap changes a square's terrain."""

    colour: str = ""
    """The player's colour on side B; side A is the same for all players."""
    marks: Sequence[MarkForm] = (MarkForm(GRID, "grid", "map"),)

    def propose(self, picture: Image, draft: BoardDraft) -> Mapping[str, BoardMark]:
        """Propose the grid by its regularity, and the terrain by colour and lines."""
        box, rows, cols = find_grid(picture)
        naturals = load_components(None).map.natural_resources
        return {GRID: BoardMark(box=box, lines=read_terrain(picture, box, rows, cols, naturals))}

    def list_values(self, draft: BoardDraft) -> Sequence[ValueForm]:
        """List nothing: a map prints no numbers."""
        return ()

    def place(self, draft: BoardDraft, name: str, at: PixelPoint, picture: Image) -> dict[str, BoardMark]:
        """Change the terrain of the square that was pointed at: land, water, a natural resource."""
        marks = dict(draft.marks)
        grid = marks.get(GRID)
        if grid is None or grid.box is None or grid.lines is None:
            return marks
        x, y, w, h = grid.box
        rows, cols = len(grid.lines), len(grid.lines[0])
        row, col = int((at[1] - y) // (h / rows)), int((at[0] - x) // (w / cols))
        if 0 <= row < rows and 0 <= col < cols:
            line = grid.lines[row]
            changed = line[:col] + NEXT.get(line[col], LAND) + line[col + 1 :]
            lines = (*grid.lines[:row], changed, *grid.lines[row + 1 :])
            marks[GRID] = grid.model_copy(update={"lines": lines})
        return marks

    def build_components(self, draft: BoardDraft) -> Mapping[str, Any]:
        """Build the terrain of the shared side or of the player's map, and the position of its squares."""
        grid, scale = draft.marks[GRID], draft.mm_px
        assert grid.box is not None
        assert grid.lines is not None
        x, y, w, h = grid.box
        square = (w / len(grid.lines[0]) + h / len(grid.lines)) / 2 * scale
        lie = {"first": [round(x * scale, 1), round(y * scale, 1)], "square": round(square, 2)}
        text = "\n".join(grid.lines) + "\n"
        return {
            "map": {"side": SIDE_B, SIDE_B: {self.colour: text}} if self.colour else {"side": SIDE_A, SIDE_A: text},
            "pictures": {f"map-{self.colour}" if self.colour else "map": _build_picture(draft)},
            "layout": {"map": lie, "maps": {self.colour or SIDE_A: lie}},
        }


@dataclass(frozen=True, slots=True)
class ResourcesForm:
    """The form of one side of the resource boards: each track from its space 0 to its last one, then its symbols.

    These are rings, and symbols that scoring does not need.
    """

    side: Side = SIDE_A
    marks: Sequence[MarkForm] = (
        *(MarkForm(track, "path", "resource", f"boards-track-{track}") for track in TRACKS),
        MarkForm(RINGS, "spaces", "rings"),
        *(
            MarkForm(f"{track}.{SYMBOLS}", "spaces", "symbols", f"boards-track-{track}", optional=True)
            for track in SYMBOL_TRACKS
        ),
    )

    def propose(self, picture: Image, draft: BoardDraft) -> Mapping[str, BoardMark]:
        """Propose nothing: only the user knows the start of a track."""
        return {}

    def list_values(self, draft: BoardDraft) -> Sequence[ValueForm]:
        """List nothing: the numbers of the last spaces are those of the tracks."""
        return ()

    def place(self, draft: BoardDraft, name: str, at: PixelPoint, picture: Image) -> dict[str, BoardMark]:
        """Place one more space of a track, or toggle a ring or symbol: adding beyond the maximum removes all from the
        space."""
        track, _, thing = name.partition(".")
        if thing:
            return _toggle_space(draft.marks, track, name, at)
        return {**draft.marks, name: add_node(picture, draft.outlines, draft.marks.get(name), at)}

    def build_components(self, draft: BoardDraft) -> Mapping[str, Any]:
        """Build the positions of the tracks' spaces, the number of each track's last one, and the things printed on
        spaces."""
        tracks = {track: _build_track(draft.marks[track], draft.mm_px) for track in TRACKS}
        printed: dict[str, dict[str, Any]] = {
            track: {"last": part["spaces"] - 1} for track, part in tracks.items() if track != "gold"
        }
        for name, mark in draft.marks.items():
            track, _, thing = name.partition(".")
            if thing and mark.spaces is not None:
                numbers = sorted(number for _, _, number in mark.spaces)
                printed[track][thing] = [number for number in numbers if number <= printed[track]["last"]]
        is_a = self.side == SIDE_A
        return {
            "resources": {"side": self.side, self.side: printed},
            "pictures": {RESOURCES if is_a else RESOURCES_B: _build_picture(draft)},
            "layout": {"resources" if is_a else "resources_b": tracks},
        }


def _build_picture(draft: BoardDraft) -> dict[str, Any]:
    assert draft.size_mm is not None
    return {"size_mm": [round(side, 1) for side in draft.size_mm]}


def _build_track(track: BoardMark, scale: float) -> dict[str, Any]:
    assert track.path is not None
    (x0, y0, _), (x1, y1, last) = track.path[0], track.path[-1]
    step = [round((end - begin) / last * scale, 3) for begin, end in ((x0, x1), (y0, y1))]
    return {"first": [round(x0 * scale, 1), round(y0 * scale, 1)], "step": step, "spaces": last + 1}


def _toggle_space(marks: Mapping[str, BoardMark], track: str, name: str, at: PixelPoint) -> dict[str, BoardMark]:
    """Return the marks with one more of a thing on the track's space at a place, or with none if it has the maximum."""
    path, mark = marks.get(track), marks.get(name)
    others = {other_name: other for other_name, other in marks.items() if other_name != name}
    if path is None or not path.path or len(path.path) < 2:
        return dict(marks)
    (x0, y0, _), (x1, y1, last) = path.path[0], path.path[-1]
    middles = np.linspace((x0, y0), (x1, y1), last + 1)
    away = np.linalg.norm(middles - at, axis=1)
    number = int(away.argmin())
    if away[number] > np.linalg.norm(middles[1] - middles[0]):
        return dict(marks)
    nodes = mark.spaces if mark is not None and mark.spaces is not None else ()
    there = sum(node[2] == number for node in nodes)
    x, y = (round(float(value), 1) for value in middles[number])
    if there < MOST_SYMBOLS.get(name, 1):
        kept_nodes = (*nodes, (x, y, number))
    else:
        kept_nodes = tuple(node for node in nodes if node[2] != number)
    return {**others, name: BoardMark(spaces=kept_nodes, reach=path.reach)} if kept_nodes else others


FORMS: Mapping[str, BoardForm] = {
    "map": MapForm(),
    **{f"map-{colour}": MapForm(colour) for colour in COLOURS},
    RESOURCES: ResourcesForm(),
    RESOURCES_B: ResourcesForm(SIDE_B),
}
"""Forms by picture name."""


def list_wanted_pictures(components: Components) -> tuple[str, ...]:
    """List the pictures of the sides in use; each defaults to A."""
    maps = [f"map-{colour}" for colour in COLOURS] if components.map.side == SIDE_B else ["map"]
    return *maps, RESOURCES_B if components.resources.side == SIDE_B else RESOURCES


SIDE_SHARES = (0.03, 0.13)
"""Range of a square's side, relative to the picture's longer side. A guess."""
STEP_PX = 0.5
"""Step of the search in pixels. Bounds time."""
PROFILE_BLUR_PX = 15.0
"""Standard deviation of the background removed from a profile. A guess."""
INNER_SHARE = 0.2
"""Share of a square that is left out on each side of it. A guess."""


def find_grid(picture: Image) -> tuple[BoxMark, int, int]:
    """Find the box of a map's grid on its (h, w, 3) picture from above, and its numbers of rows and columns."""
    strength = np.sqrt(measure_edges(np.asarray(cv2.bilateralFilter(picture, 7, 30, 5), np.uint8)))
    profiles = [_flatten(np.asarray(np.median(strength, axis=axis), np.float64)) for axis in (0, 1)]
    longer = max(picture.shape[:2])
    sides = np.arange(SIDE_SHARES[0] * longer, SIDE_SHARES[1] * longer, STEP_PX)
    side = max(sides, key=lambda each: sum(_find_phase(profile, each)[0] for profile in profiles))
    (left, cols), (top, rows) = (_find_extent(profile, float(side)) for profile in profiles)
    return (round(left, 1), round(top, 1), round(cols * float(side), 1), round(rows * float(side), 1)), rows, cols


def read_terrain(picture: Image, box: BoxMark, rows: int, cols: int, naturals: int) -> tuple[str, ...]:
    """Read the terrain of a grid's squares, one text per row.

    The `naturals` squares with the most lines are natural resources, the bluer ones water, the rest land.
    """
    x, y, w, h = box
    rules = load_shape_rules("grid")
    lab = cv2.cvtColor(picture, cv2.COLOR_BGR2LAB).astype(np.float64)
    edges = measure_edges(np.asarray(cv2.bilateralFilter(picture, 7, 30, 5), np.uint8))
    bluer, lined = np.zeros((rows, cols)), np.zeros((rows, cols))
    for row in range(rows):
        for col in range(cols):
            low_x, high_x = (round(x + (col + share) * w / cols) for share in (INNER_SHARE, 1 - INNER_SHARE))
            low_y, high_y = (round(y + (row + share) * h / rows) for share in (INNER_SHARE, 1 - INNER_SHARE))
            inside = np.s_[max(0, low_y) : max(1, high_y), max(0, low_x) : max(1, high_x)]
            if edges[inside].size:
                bluer[row, col] = -np.median(lab[inside][..., 2])
                lined[row, col] = np.quantile(edges[inside], rules["lined"])
    is_natural = lined >= np.sort(lined.ravel())[-min(naturals, lined.size)]
    water = ~is_natural & (bluer - np.median(bluer[~is_natural]) > rules["bluer"])
    letters = np.where(is_natural, NATURAL, np.where(water, WATER, LAND))
    return tuple("".join(row) for row in letters)


def _flatten(profile: Floats) -> Floats:
    """Return a profile (n,) without structures broader than a line."""
    return np.asarray(profile - cv2.GaussianBlur(profile[None], (0, 0), PROFILE_BLUR_PX)[0], np.float64)


def _find_phase(profile: Floats, side: float) -> tuple[float, float]:
    """Return the mean strength of the lines at intervals of one side, and the position of the first of them."""
    phases = np.arange(0, side, 1.0)
    strengths = [_sample(profile, phase, side).mean() for phase in phases]
    best = int(np.argmax(strengths))
    return float(strengths[best]), float(phases[best])


def _find_extent(profile: Floats, side: float) -> tuple[float, int]:
    """Return the position of a grid's first line, and the number of squares up to the last."""
    phase = _find_phase(profile, side)[1]
    lines = _sample(profile, phase, side)
    strong = np.flatnonzero(lines > load_shape_rules("grid")["end"] * np.median(lines))
    first, last = int(strong[0]), int(strong[-1])
    return phase + first * side, max(1, last - first)


def _sample(profile: Floats, phase: float, side: float) -> Floats:
    """Return the strongest value (n,) within a pixel of each of the lines at intervals of one side."""
    at = np.arange(phase, len(profile), side)
    places = np.arange(len(profile)) + 0.5
    return np.asarray(np.max([np.interp(at + off, places, profile) for off in (-1.0, 0.0, 1.0)], axis=0), np.float64)
