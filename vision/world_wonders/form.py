"""What is to be pointed at of the boards of World Wonders: a map's grid and terrain, the tracks of a resource board."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scoring.world_wonders.components import load_components
from scoring.world_wonders.terrain import LAND, NATURAL, WATER
from vision.arrays import Image
from vision.printed.draft import BoardDraft, BoardForm, BoardMark, MarkForm, PixelPoint, ValueForm
from vision.printed.pointing import add_node
from vision.world_wonders.grid_search import find_grid, read_terrain

SIDE = "A"
"""The side that all players share, whose boards are alike: one picture shows them all."""
GRID = "map"
TRACKS = ("gold", "population", "food", "ceramics", "gears")
NEXT = {LAND: WATER, WATER: NATURAL, NATURAL: LAND}


class MapForm:
    """The form of the map (`vision.printed.draft.BoardForm`): its grid is found, a tap changes a square's terrain."""

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
        """Change what the square shows that was pointed at: land, water, a natural resource."""
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
        """Build the terrain of the side that all share, and where its squares lie."""
        grid, scale = draft.marks[GRID], draft.mm_px
        assert grid.box is not None
        assert grid.lines is not None
        x, y, w, h = grid.box
        square = (w / len(grid.lines[0]) + h / len(grid.lines)) / 2 * scale
        return {
            "map": {"side": SIDE, SIDE: "\n".join(grid.lines) + "\n"},
            "pictures": {"map": _build_picture(draft)},
            "layout": {"map": {"first": [round(x * scale, 1), round(y * scale, 1)], "square": round(square, 2)}},
        }


class ResourcesForm:
    """The form of a resource board: each track from its space 0 to its last one."""

    marks: Sequence[MarkForm] = tuple(MarkForm(track, "path", "resource", f"boards-track-{track}") for track in TRACKS)

    def propose(self, picture: Image, draft: BoardDraft) -> Mapping[str, BoardMark]:
        """Propose nothing: where a track begins, somebody has to say."""
        return {}

    def list_values(self, draft: BoardDraft) -> Sequence[ValueForm]:
        """List nothing: the numbers of the last spaces are those of the tracks."""
        return ()

    def place(self, draft: BoardDraft, name: str, at: PixelPoint) -> dict[str, BoardMark]:
        """Place one more space of a track."""
        return {**draft.marks, name: add_node(draft.outlines, draft.marks.get(name), at, max(draft.straight_size))}

    def build_components(self, draft: BoardDraft) -> Mapping[str, Any]:
        """Build where the spaces of the tracks lie, and the number of each track's last one."""
        tracks = {track: _build_track(draft.marks[track], draft.mm_px) for track in TRACKS}
        lasts = {track: {"last": part["spaces"] - 1} for track, part in tracks.items() if track != "gold"}
        return {
            "resources": {"side": SIDE, SIDE: lasts},
            "pictures": {"resources": _build_picture(draft)},
            "layout": {"resources": tracks},
        }


def _build_picture(draft: BoardDraft) -> dict[str, Any]:
    assert draft.size_mm is not None
    return {"size_mm": [round(side, 1) for side in draft.size_mm]}


def _build_track(track: BoardMark, scale: float) -> dict[str, Any]:
    assert track.path is not None
    (x0, y0, _), (x1, y1, last) = track.path[0], track.path[-1]
    step = [round((end - begin) / last * scale, 3) for begin, end in ((x0, x1), (y0, y1))]
    return {"first": [round(x0 * scale, 1), round(y0 * scale, 1)], "step": step, "spaces": last + 1}


FORMS: Mapping[str, BoardForm] = {"map": MapForm(), "resources": ResourcesForm()}
"""The forms by the names of the pictures."""
