"""The marks of World Wonders boards that a user points at: a map's grid and terrain, the tracks of a resource board."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from scoring.world_wonders.components import Components, Side, load_components
from scoring.world_wonders.kinds import COLOURS
from scoring.world_wonders.terrain import LAND, NATURAL, WATER
from vision.arrays import Image
from vision.flat_boards.layout import PixelPoint
from vision.showing.draft import BoardDraft, BoardForm, BoardMark, MarkForm, ValueForm
from vision.showing.pointing import add_node
from vision.world_wonders.grid_search import find_grid, read_terrain
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

    def place(self, draft: BoardDraft, name: str, at: PixelPoint) -> dict[str, BoardMark]:
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

    def place(self, draft: BoardDraft, name: str, at: PixelPoint) -> dict[str, BoardMark]:
        """Place one more space of a track, or toggle a ring or symbol: adding beyond the maximum removes all from the
        space."""
        track, _, thing = name.partition(".")
        if thing:
            return _toggle_space(draft.marks, track, name, at)
        return {**draft.marks, name: add_node(draft.outlines, draft.marks.get(name), at, max(draft.straight_size))}

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
