"""What is to be pointed at and typed of a board of Tower of Babel, so that its tables can be read and scored."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np

from scoring.tower_of_babel.board import WONDERS
from scoring.tower_of_babel.components import ROWS
from vision.arrays import Floats, Image
from vision.printed.draft import BoardDraft, BoardForm, BoardMark, BoxMark, MarkForm, PixelPoint, ValueForm
from vision.printed.outlines import Outlines
from vision.printed.pointing import add_node, count_alike, find_box, find_round, merge_nested

DISCS = (1, 2, 3)
DISC_SPACES = tuple(product(WONDERS, DISCS))
TURNS = 5
"""The spaces of the turn order track: as many as players can be."""
USUAL_PARTS = {"value_1": [10.0, 10.0, 10.0], "value_3": [16.0, 16.0, 14.0]}
USUAL_MARKER, USUAL_COLUMN = [9.0, 9.0], [12.0, 25.0]
"""How large the wooden pieces look, in millimetres, where nobody measured them: no photo of an empty board tells."""
MIN_ROW_RATIO = 2.5
"""A row of the scoring table is so many times as wide as high."""
MIN_AREA_SHARE = 0.06
"""The shorter side of a building area is no less than this share of the board's longer side."""
MANY_AREAS, RARE_WEIGHT = 5, 0.1
"""A size of which there are so many is likelier that of the areas; a box of another size weighs so much less."""
USUAL_AREA_SHARE = 0.15
"""The sides of a building area where nothing was found, likewise."""
ROUND_SPREAD = 0.1
"""The spaces for discs differ by no more than this share of their radius."""
TYPED_ROWS = range(2, ROWS + 1)
TYPED_BONUSES = (3, 5, 6)
PLACES = ("most", "second")
FIRST, LAST, LIGHT, BONUS = "scoring_table.first", "scoring_table.last", "scoring_table.light", "disc_bonus"


class BabelForm:
    """The form of the board (`vision.printed.draft.BoardForm`)."""

    marks: Sequence[MarkForm] = (
        *(MarkForm(f"wonders.{wonder}.area", "box", "area", f"wonder-{wonder}") for wonder in WONDERS),
        *(
            MarkForm(f"wonders.{wonder}.discs.{disc}", "round", "disc", f"wonder-{wonder}", disc)
            for wonder, disc in DISC_SPACES
        ),
        MarkForm("track", "path", "track"),
        MarkForm(FIRST, "box", "row-first"),
        MarkForm(LAST, "box", "row-last"),
        MarkForm(LIGHT, "box", "row-light"),
        MarkForm(BONUS, "box", "bonus"),
        MarkForm("turn_order.first", "round", "turn-first"),
        MarkForm("turn_order.last", "round", "turn-last"),
    )

    def propose(self, picture: Image, draft: BoardDraft) -> Mapping[str, BoardMark]:
        """Propose nothing: which wonder an area is of, somebody has to say."""
        return {}

    def list_values(self, draft: BoardDraft) -> Sequence[ValueForm]:
        """List the numbers of the scoring table from the second row on, and the unknown ones of the bonus table."""
        rows = _list_rows(draft.marks)
        bonus = _get_box(draft.marks, BONUS)
        return [
            *(
                ValueForm(f"scoring_table.rows.{row}.{place}", place, row, rows[row - 1] if rows else None)
                for row in TYPED_ROWS
                for place in PLACES
            ),
            *(ValueForm(f"{LIGHT}.{place}", f"light-{place}", box=_get_box(draft.marks, LIGHT)) for place in PLACES),
            *(ValueForm(f"disc_bonus.{discs}", "bonus", discs, bonus) for discs in TYPED_BONUSES),
            ValueForm("disc_bonus.7", "bonus-two-coloured", 7, bonus, optional=True),
        ]

    def place(self, draft: BoardDraft, name: str, at: PixelPoint) -> dict[str, BoardMark]:
        """Place what was pointed at; with a building area come the three spaces for discs that lie next to it."""
        marks, outlines = dict(draft.marks), draft.outlines
        if name == "track":
            marks[name] = add_node(outlines, marks.get(name), at, max(draft.straight_size))
        elif name.endswith(".area"):
            marks[name] = BoardMark(box=_find_area(outlines, marks, at, max(draft.straight_size)))
            _add_discs(outlines, marks, name.removesuffix(".area"))
        elif name in (FIRST, LAST, LIGHT, BONUS):
            marks[name] = BoardMark(box=_find_table_box(outlines, marks, name, at))
        else:
            marks[name] = BoardMark(round=find_round(outlines, at, _find_usual_radius(marks, name)))
        return marks

    def build_components(self, draft: BoardDraft) -> Mapping[str, Any]:
        """Build the layout in millimetres, the track's length, and the numbers that were typed."""
        scale = draft.mm_px
        assert draft.size_mm is not None
        layout: dict[str, Any] = {
            "parts": USUAL_PARTS,
            "wonders": {wonder: _build_wonder(draft.marks, wonder, scale) for wonder in WONDERS},
            "track": _build_track(draft.marks["track"], scale),
            "scoring_table": {
                "marker": USUAL_MARKER,
                "rows": [_build_rectangle(row, scale) for row in _list_rows(draft.marks)],
                "light": _build_rectangle(_get_box(draft.marks, LIGHT), scale),
            },
            "turn_order": {"column": USUAL_COLUMN, "spaces": list(_list_turns(draft.marks, scale))},
        }
        path = draft.marks["track"].path
        assert path is not None
        components: dict[str, Any] = {
            "track": {"length": path[-1][2]},
            "pictures": {"board": {"size_mm": [round(side, 1) for side in draft.size_mm]}},
            "layout": layout,
        }
        for key, value in draft.values.items():
            table = components
            *tables, last = key.split(".")
            for part in tables:
                table = table.setdefault(part, {})
            table[last] = value
        return components


def _get_box(marks: Mapping[str, BoardMark], name: str) -> BoxMark | None:
    return marks[name].box if name in marks else None


def _find_area(outlines: Outlines, marks: Mapping[str, BoardMark], at: PixelPoint, longer: int) -> BoxMark:
    """The building area that was pointed at: as large as the others, or the largest that has no spaces for discs."""
    others = np.array([mark.box[2:] for name, mark in marks.items() if mark.box and name.endswith(".area")])
    usual = (float(np.median(others[:, 0])), float(np.median(others[:, 1]))) if len(others) else None
    boxes = np.concatenate([outlines.boxes, outlines.halves])
    rounds = _list_usual_rounds(outlines)
    low, high = boxes[:, None, :2], boxes[:, None, :2] + boxes[:, None, 2:]
    counts = ((rounds[None, :, :2] > low) & (rounds[None, :, :2] < high)).all(axis=2).sum(axis=1)
    large = boxes[:, 2:].min(axis=1) > MIN_AREA_SHARE * longer
    weights = np.where(large & (counts < len(DISCS)), boxes[:, 2] * boxes[:, 3], 0.0)
    if usual is None:
        weights[len(outlines.boxes) :] = 0
        weights[large] *= np.where(count_alike(boxes[large]) >= MANY_AREAS, 1.0, RARE_WEIGHT)
    return find_box(boxes, at, usual, weights, USUAL_AREA_SHARE * longer)


def _list_usual_rounds(outlines: Outlines) -> Floats:
    """(m, 3) the rounds of the radius of which there are most: the spaces for discs."""
    rounds = merge_nested(outlines.rounds)
    if not len(rounds):
        return rounds
    alike = np.abs(rounds[:, None, 2] / rounds[None, :, 2] - 1) < ROUND_SPREAD
    return np.asarray(rounds[alike[alike.sum(axis=1).argmax()]], np.float64)


def _add_discs(outlines: Outlines, marks: dict[str, BoardMark], wonder: str) -> None:
    """Add the three rounds of the usual radius that are next to a wonder's area, from left to right and downward."""
    box = marks[f"{wonder}.area"].box
    assert box is not None
    other_rounds = [mark.round for name, mark in marks.items() if mark.round and not name.startswith(f"{wonder}.")]
    free = [
        entry
        for entry in _list_usual_rounds(outlines)
        if all(np.hypot(entry[0] - x, entry[1] - y) > radius for x, y, radius in other_rounds)
        and not _holds(box, (float(entry[0]), float(entry[1])))
    ]
    middle = np.array((box[0] + box[2] / 2, box[1] + box[3] / 2))
    nearest = sorted(free, key=lambda entry: float(np.linalg.norm(entry[:2] - middle)))[: len(DISCS)]
    for disc, (x, y, radius) in zip(DISCS, sorted(nearest, key=lambda entry: (entry[0], entry[1])), strict=False):
        marks[f"{wonder}.discs.{disc}"] = BoardMark(
            round=(round(float(x), 2), round(float(y), 2), round(float(radius), 2))
        )


def _holds(box: BoxMark, at: PixelPoint) -> bool:
    x, y, w, h = box
    return x < at[0] < x + w and y < at[1] < y + h


def _find_table_box(outlines: Outlines, marks: Mapping[str, BoardMark], name: str, at: PixelPoint) -> BoxMark:
    """A row of the scoring table: as large as the others, or as the most boxes are; or the bonus table, the largest."""
    boxes = outlines.boxes
    sizes = boxes[:, 2] * boxes[:, 3]
    if name == BONUS:
        return find_box(boxes, at, None, sizes)
    rows = [box for row in (FIRST, LAST, LIGHT) if row != name and (box := _get_box(marks, row)) is not None]
    is_row = boxes[:, 2] > MIN_ROW_RATIO * boxes[:, 3]
    weights = np.where(is_row, count_alike(boxes) + sizes / (sizes.max(initial=0.0) + 1), 0.0)
    return find_box(boxes, at, rows[0][2:] if rows else None, weights)


def _find_usual_radius(marks: Mapping[str, BoardMark], name: str) -> float | None:
    kind = name.split(".")[0]
    radii = [mark.round[2] for other, mark in marks.items() if mark.round and other != name and other.startswith(kind)]
    return float(np.median(radii)) if radii else None


def _list_rows(marks: Mapping[str, BoardMark]) -> list[BoxMark]:
    """The rows of the scoring table from the top, evenly from the first to the last; none until both are known."""
    first, last = _get_box(marks, FIRST), _get_box(marks, LAST)
    if first is None or last is None:
        return []
    rows = np.linspace(first, last, ROWS)
    return [(float(x), float(y), float(w), float(h)) for x, y, w, h in rows]


def _build_wonder(marks: Mapping[str, BoardMark], wonder: str, scale: float) -> dict[str, Any]:
    discs = [marks[f"wonders.{wonder}.discs.{disc}"] for disc in DISCS]
    return {
        "area": _build_rectangle(_get_box(marks, f"wonders.{wonder}.area"), scale),
        "discs": [_build_circle(disc, scale) for disc in discs],
    }


def _build_rectangle(box: BoxMark | None, scale: float) -> dict[str, Any]:
    assert box is not None
    x, y, w, h = box
    return {"at": _to_mm((x + w / 2, y + h / 2), scale), "size": _to_mm((w, h), scale)}


def _build_circle(mark: BoardMark, scale: float) -> dict[str, Any]:
    assert mark.round is not None
    x, y, radius = mark.round
    return {"at": _to_mm((x, y), scale), "radius": round(radius * scale, 1)}


def _build_track(track: BoardMark, scale: float) -> dict[str, Any]:
    """The track's straight runs: each begins with the space after the one that ends the run before it."""
    assert track.path is not None
    runs: list[dict[str, Any]] = []
    for (x0, y0, number0), (x1, y1, number1) in zip(track.path, track.path[1:], strict=False):
        skipped = 0 if not runs else 1 / (number1 - number0)
        first = (x0 + skipped * (x1 - x0), y0 + skipped * (y1 - y0))
        count = number1 - number0 + (0 if runs else 1)
        runs.append({"first": _to_mm(first, scale), "last": _to_mm((x1, y1), scale), "spaces": count})
    return {"radius": round((track.reach or 1.0) * scale, 1), "runs": runs}


def _list_turns(marks: Mapping[str, BoardMark], scale: float) -> Iterator[dict[str, Any]]:
    first, last = marks["turn_order.first"].round, marks["turn_order.last"].round
    assert first is not None
    assert last is not None
    for x, y, radius in np.linspace(first, last, TURNS):
        yield _build_circle(BoardMark(round=(float(x), float(y), float(radius))), scale)


def _to_mm(point: tuple[float, float], scale: float) -> list[float]:
    return [round(point[0] * scale, 1), round(point[1] * scale, 1)]


FORMS: Mapping[str, BoardForm] = {"board": BabelForm()}
"""The forms by the names of the pictures."""
