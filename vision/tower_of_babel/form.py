"""The marks and values that a user enters for a Tower of Babel board, so that its tables can be read and scored."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, TypeVar

import numpy as np

from scoring.tower_of_babel.board import COLOURS, WONDERS
from scoring.tower_of_babel.components import ROWS, load_components
from vision.arrays import Floats, Image
from vision.flat_boards.layout import PixelPoint
from vision.showing.draft import (
    BoardDraft,
    BoardForm,
    BoardMark,
    BoxMark,
    MarkForm,
    RoundMark,
    ValueForm,
)
from vision.showing.equal_boxes import (
    AIM_SHARE,
    CORE_SHARE,
    MAX_AIM_SPREADS,
    STEP_PX,
    BoxSearch,
    LineEvidence,
    LineWeights,
    load_line_weights,
    measure_at_scales,
    rate_sides,
)
from vision.showing.outlines import MAX_SIDE_SHARE, MIN_SIDE_SHARE, Outlines, load_shape_rules
from vision.showing.pointing import add_node, find_round, measure_step, merge_nested
from vision.showing.printed_numbers import read_printed_numbers
from vision.tower_of_babel.printed_values import read_bonuses, read_row

DISCS = (1, 2, 3)
"""The discs of a wonder by number. By the rules."""
DISC_SPACES = tuple(product(WONDERS, DISCS))
TURNS = len(COLOURS)
"""Number of spaces of the turn order track: the maximum number of players."""
USUAL_PARTS = {"value_1": [10.0, 10.0, 10.0], "value_3": [16.0, 16.0, 14.0]}
"""Sizes of parts in millimetres unless measured by the user. A guess."""
USUAL_MARKER, USUAL_COLUMN = [9.0, 9.0], [12.0, 25.0]
"""Sizes of the wooden pieces in millimetres unless measured by the user: a photo of an empty board does not show them.
A guess."""
SIDE_SHARES = (0.06, 0.45)
"""Range of a building area's sides, relative to the board's longer side. A guess."""
TABLE_SHARES = (MIN_SIDE_SHARE, MAX_SIDE_SHARE)
"""The same range for a row of the scoring table and for the bonus table: that of all rectangles."""
TYPED_ROWS = range(2, ROWS + 1)
"""The rows of the scoring table whose values the user types. By the rules."""
TYPED_BONUSES = (3, 5, 6)
"""The numbers of discs whose bonus the user types. By the rules."""
PLACES = ("most", "second")
RoundT = TypeVar("RoundT", Floats, RoundMark)
FIRST, LAST, LIGHT, BONUS = "scoring_table.first", "scoring_table.last", "scoring_table.light", "disc_bonus"


class BabelForm:
    """The form of the board (`vision.showing.draft.BoardForm`)."""

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
        """Propose nothing: only the user knows which wonder an area belongs to."""
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

    def guess_values(self, draft: BoardDraft, picture: Image) -> Mapping[str, int]:
        """Read the numbers of both tables; none of a table in which the published numbers are not found.

        The optional bonus is that of a copy with more discs: it is read only with all others.
        """
        lines, bonus = _list_lines(draft.marks), _get_box(draft.marks, BONUS)
        numbers = read_printed_numbers(picture, [*lines.values()])
        published = load_components(None)
        known = [getattr(published.row(1), place) for place in PLACES]
        inside = [[number for number in numbers if number.lies_in(box)] for box in lines.values()]
        rows = {key: read_row(line, inside[0], known) or () for key, line in zip(lines, inside, strict=True)}
        counted = read_printed_numbers(picture, [] if bonus is None else [bonus])
        guesses = {
            f"{key}.{place}": value for key, row in rows.items() for place, value in zip(PLACES, row, strict=False)
        }
        bonuses = read_bonuses(counted, published.disc_bonus)
        guesses |= {f"disc_bonus.{count}": points for count, points in bonuses.items()}
        wanted = [value for value in self.list_values(draft) if value.key in guesses]
        has_bonuses = all(f"disc_bonus.{discs}" in guesses for discs in TYPED_BONUSES)
        return {value.key: guesses[value.key] for value in wanted if has_bonuses or not value.optional}

    def place(self, draft: BoardDraft, name: str, at: PixelPoint, picture: Image) -> dict[str, BoardMark]:
        """Place a mark at a point; a box is centred there until it is aligned."""
        marks, outlines = dict(draft.marks), draft.outlines
        if name == "track":
            marks[name] = add_node(picture, outlines, marks.get(name), at)
        elif (alike := _find_alike(name)) is not None:
            marks[name] = BoardMark(box=_lay_box(draft, alike, at), at=at)
        else:
            marks[name] = BoardMark(round=find_round(outlines, at, _find_usual_radius(marks, name)))
            _order_discs(marks, name)
        return marks

    def align(self, draft: BoardDraft, name: str, picture: Image) -> dict[str, BoardMark]:
        """Fit all building areas again, or all rows of the scoring table, since each kind is printed in one size.

        A box dragged by the user stays where it is and determines the size of all. The building areas also claim the
        three nearest spaces for discs each.
        """
        marks, alike = dict(draft.marks), _find_alike(name)
        if alike is None:
            return marks
        marks |= fit_alike(draft, alike, picture, load_line_weights())
        if name.endswith(".area"):
            _share_discs(draft.outlines, marks)
        return marks

    def build_components(self, draft: BoardDraft) -> Mapping[str, Any]:
        """Build the layout in millimetres, the track's length, and the typed numbers."""
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


@dataclass(frozen=True, slots=True)
class AlikeBoxes:
    """Marks whose boxes are printed in one size, with a range of sides relative to the board's longer side.

    Building areas contain no spaces for discs. A finger aims at a box's centre, but anywhere along a row. Those in
    `column` stand one below the other: the first and last row of the scoring table, which determine the rows between
    them.
    """

    names: tuple[str, ...]
    shares: tuple[float, float]
    aim: tuple[float, float]
    holds_rounds: bool
    column: tuple[str, ...] = ()


ALIKE = (
    AlikeBoxes(
        tuple(f"wonders.{wonder}.area" for wonder in WONDERS), SIDE_SHARES, (AIM_SHARE, AIM_SHARE), holds_rounds=False
    ),
    AlikeBoxes((FIRST, LAST, LIGHT), TABLE_SHARES, (4 * AIM_SHARE, AIM_SHARE), holds_rounds=True, column=(FIRST, LAST)),
    AlikeBoxes((BONUS,), TABLE_SHARES, (AIM_SHARE, AIM_SHARE), holds_rounds=True),
)
"""Boxes of equal size: the building areas, the rows of the scoring table, and the bonus table. The rows are wide, so a
finger may miss their middle four times as far along them. A guess."""


def _find_alike(name: str) -> AlikeBoxes | None:
    return next((alike for alike in ALIKE if name in alike.names), None)


def _lay_box(draft: BoardDraft, alike: AlikeBoxes, at: PixelPoint) -> BoxMark:
    """Return a box centred on a place, as large as those of its kind."""
    sizes = [box[2:] for name in alike.names if (box := _get_box(draft.marks, name)) is not None]
    least = alike.shares[0] * max(draft.straight_size)
    width, height = sizes[0] if sizes else (2 * least, 2 * least)
    return at[0] - width / 2, at[1] - height / 2, width, height


def fit_alike(draft: BoardDraft, alike: AlikeBoxes, picture: Image, weights: LineWeights) -> dict[str, BoardMark]:
    """Fit the boxes that were pointed at to a straightened picture (h, w, 3), by name.

    They get the size of the boxes that were dragged, if any, and their position beside the spaces for discs.
    """
    known = {name: draft.marks[name] for name in alike.names if name in draft.marks}
    pointed = {name: mark.at for name, mark in known.items() if mark.at is not None}
    if not pointed:
        return {}
    longer = max(draft.straight_size)
    (least, most) = (share * longer for share in alike.shares)
    limits = ((least, most), (least, most))
    dragged = [mark.box for name, mark in known.items() if name not in pointed and mark.box is not None]
    if dragged:
        width, height = np.median([box[2:] for box in dragged], axis=0)
        limits = ((width, width), (height, height))
    spreads = np.tile(np.array(alike.aim) * longer, (len(pointed), 1))
    places = np.array(list(pointed.values()))
    if not alike.holds_rounds:
        places, spreads = _place_by_discs(draft.marks, known, places, spreads)
    found: list[tuple[float, Floats]] = []
    for evidence in _choose_scales(picture, weights, np.array(dragged).reshape(-1, 4)):
        search = BoxSearch(
            evidence=evidence,
            weights=weights,
            places=places,
            limits=limits,
            rounds=np.zeros((0, 3)) if alike.holds_rounds else _list_usual_rounds(draft.outlines),
            spreads=spreads,
            in_column=np.array([name in alike.column for name in pointed]),
            between=ROWS - 2,
        )
        found.append(search.find())
        if found[-1][0] > 0:
            break
    boxes = zip(pointed, found[-1][1], strict=True)
    return {name: BoardMark(box=_to_box(box), at=pointed[name]) for name, box in boxes}


def _choose_scales(picture: Image, weights: LineWeights, dragged: Floats) -> Iterable[LineEvidence]:
    """Choose the evidence for lines as sharp as the sides of dragged boxes (n, 4), or sharp and then faded ones."""
    scales = measure_at_scales(picture, weights)
    return [max(scales, key=lambda evidence: rate_sides(evidence, dragged))] if len(dragged) else scales


def _place_by_discs(
    marks: Mapping[str, BoardMark], known: Mapping[str, BoardMark], places: Floats, spreads: Floats
) -> tuple[Floats, Floats]:
    """Return the places (n, 2) of the building areas that were pointed at, and their standard deviations (n, 2).

    Wonders whose discs are printed in the same arrangement have their areas at the same distance from them: that of the
    areas dragged, or else the mean of those pointed at.
    """
    discs = {name: _get_discs(marks, name.split(".")[1]) for name in known}
    pointed = [name for name, mark in known.items() if mark.at is not None]
    places, spreads = places.copy(), spreads.copy()
    aims = dict(zip(pointed, places.copy(), strict=True))
    for name, mark in known.items():
        if mark.box is not None and name not in aims:
            aims[name] = np.array(mark.box[:2]) + np.array(mark.box[2:]) / 2
    for number, name in enumerate(pointed):
        spaces = discs[name]
        if spaces is None:
            continue
        middles = {
            other: beside.mean(axis=0)
            for other, beside in discs.items()
            if beside is not None and _is_arranged_alike(spaces, beside)
        }
        like = [other for other in middles if other not in pointed] or [*middles]
        ways = np.array([aims[other] - middles[other] for other in like])
        middle = np.median(ways, axis=0)
        is_near = np.abs(aims[name] - spaces.mean(axis=0) - middle).max() < MAX_AIM_SPREADS * spreads[number].max()
        if is_near:
            places[number] = spaces.mean(axis=0) + middle
            spreads[number] = STEP_PX if like[0] not in pointed else spreads[number] / np.sqrt(len(like))
    return places, spreads


def _get_discs(marks: Mapping[str, BoardMark], wonder: str) -> Floats | None:
    """Return the middles (3, 2) of a wonder's spaces for discs; None until all are known."""
    rounds = [mark.round for disc in DISCS if (mark := marks.get(f"wonders.{wonder}.discs.{disc}")) and mark.round]
    return np.array([entry[:2] for entry in rounds]) if len(rounds) == len(DISCS) else None


def _is_arranged_alike(one: Floats, other: Floats) -> bool:
    """Return whether two sets of spaces (3, 2) lie alike, to a quarter of their distance."""
    off = (one - one.mean(axis=0)) - (other - other.mean(axis=0))
    return bool(np.abs(off).max() < np.linalg.norm(np.diff(one, axis=0), axis=1).min() / 4)


def _to_box(row: Floats) -> BoxMark:
    x, y, w, h = (round(float(value), 2) for value in row)
    return x, y, w, h


def _list_usual_rounds(outlines: Outlines) -> Floats:
    """Return the rounds (m, 3) of the radius whose count is closest to the number of spaces for discs.

    An ornament of rounds has more, other round shapes fewer.
    """
    rounds = merge_nested(outlines.rounds)
    if not len(rounds):
        return rounds
    alike = np.abs(rounds[:, None, 2] / rounds[None, :, 2] - 1) < load_shape_rules("round")["alike"]
    misfit = np.abs(np.log(alike.sum(axis=1) / len(DISC_SPACES)))
    return np.asarray(rounds[alike[misfit.argmin()]], np.float64)


def _share_discs(outlines: Outlines, marks: dict[str, BoardMark]) -> None:
    """Give each wonder the three rounds of the usual radius nearest to its area, from left to right and downwards.

    Each round belongs to the wonder with the nearest area. Spaces that the user pointed at or dragged stay.
    """
    areas = {each: box for each in WONDERS if (box := _get_box(marks, f"wonders.{each}.area")) is not None}
    for name in [name for name, mark in marks.items() if mark.round is not None and mark.at is not None]:
        del marks[name]
    placed_rounds = [mark.round for mark in marks.values() if mark.round is not None]
    free_rounds = [
        entry
        for entry in _list_usual_rounds(outlines)
        if all(np.hypot(entry[0] - x, entry[1] - y) > radius for x, y, radius in placed_rounds)
    ]
    owners = [_find_nearest(areas, entry) for entry in free_rounds]
    for wonder, area in areas.items():
        nearby = [entry for entry, owner in zip(free_rounds, owners, strict=True) if owner == wonder]
        missing = [name for disc in DISCS if (name := f"wonders.{wonder}.discs.{disc}") not in marks]
        nearest = sorted(nearby, key=lambda entry: _measure_gap(area, entry))[: len(missing)]
        for name, (x, y, radius) in zip(missing, _sort_rounds(nearest), strict=False):
            at = (round(float(x), 2), round(float(y), 2))
            marks[name] = BoardMark(round=(*at, round(float(radius), 2)), at=at)


def _order_discs(marks: dict[str, BoardMark], name: str) -> None:
    """Name the three spaces of a wonder from left to right and downwards; the one not found is pointed at last."""
    names = [f"{name.rpartition('.')[0]}.{disc}" for disc in DISCS]
    if name in names and all(each in marks for each in names):
        by_round = {entry: marks[each] for each in names if (entry := marks[each].round) is not None}
        marks |= {each: by_round[entry] for each, entry in zip(names, _sort_rounds([*by_round]), strict=False)}


def _sort_rounds(rounds: Sequence[RoundT]) -> list[RoundT]:
    """Sort rounds from left to right, or downwards if they stand one below the other."""
    if not rounds:
        return []
    axis = int(np.ptp([entry[:2] for entry in rounds], axis=0).argmax())
    return sorted(rounds, key=lambda entry: float(entry[axis]))


def _find_nearest(areas: Mapping[str, BoxMark], entry: Floats | RoundMark) -> str | None:
    """Return the wonder with the area nearest to a round; None for a round inside an area or across its side."""
    gaps = {wonder: _measure_gap(area, entry) for wonder, area in areas.items()}
    nearest = min(gaps, key=lambda wonder: gaps[wonder])
    return nearest if gaps[nearest] > CORE_SHARE * entry[2] else None


def _measure_gap(box: BoxMark, entry: Floats | RoundMark) -> float:
    """Return the distance of a round's centre from a box; 0 inside it."""
    x, y, w, h = box
    return float(np.hypot(max(x - entry[0], 0, entry[0] - x - w), max(y - entry[1], 0, entry[1] - y - h)))


def _find_usual_radius(marks: Mapping[str, BoardMark], name: str) -> float | None:
    kind = name.split(".")[0]
    radii = [mark.round[2] for other, mark in marks.items() if mark.round and other != name and other.startswith(kind)]
    return float(np.median(radii)) if radii else None


def _list_rows(marks: Mapping[str, BoardMark]) -> list[BoxMark]:
    """Return the rows of the scoring table from the top, interpolated between the first and the last; none until both
    exist."""
    first, last = _get_box(marks, FIRST), _get_box(marks, LAST)
    if first is None or last is None:
        return []
    rows = np.linspace(first, last, ROWS)
    return [(float(x), float(y), float(w), float(h)) for x, y, w, h in rows]


def _list_lines(marks: Mapping[str, BoardMark]) -> dict[str, BoxMark]:
    """Return the rows of the scoring table from the top and its light space, by key; none until all are known."""
    rows, light = _list_rows(marks), _get_box(marks, LIGHT)
    lines = {f"scoring_table.rows.{row}": box for row, box in enumerate(rows, 1)}
    return {**lines, LIGHT: light} if rows and light is not None else {}


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
    """Return the track's straight runs; each begins with the space after the end of the previous run."""
    assert track.path is not None
    runs: list[dict[str, Any]] = []
    for (x0, y0, number0), (x1, y1, number1) in zip(track.path, track.path[1:], strict=False):
        skipped = 0 if not runs else 1 / (number1 - number0)
        first = (x0 + skipped * (x1 - x0), y0 + skipped * (y1 - y0))
        count = number1 - number0 + (0 if runs else 1)
        runs.append({"first": _to_mm(first, scale), "last": _to_mm((x1, y1), scale), "spaces": count})
    reach = track.reach or (measure_step(track) or 1.0) / 2
    return {"radius": round(reach * scale, 1), "runs": runs}


def _list_turns(marks: Mapping[str, BoardMark], scale: float) -> Iterator[dict[str, Any]]:
    first, last = marks["turn_order.first"].round, marks["turn_order.last"].round
    assert first is not None
    assert last is not None
    for x, y, radius in np.linspace(first, last, TURNS):
        yield _build_circle(BoardMark(round=(float(x), float(y), float(radius))), scale)


def _to_mm(point: tuple[float, float], scale: float) -> list[float]:
    return [round(point[0] * scale, 1), round(point[1] * scale, 1)]


FORMS: Mapping[str, BoardForm] = {"board": BabelForm()}
"""Forms by picture name."""
