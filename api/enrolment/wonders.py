"""`wondertally enrol wonder`: enrols the layout and the print of a person's own copy of a wonder."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from api.carcassonne.report.board import read_report_board
from api.documents.report import Report
from api.enrolment.listing import DocumentAndLines, describe_enrolments, list_taken_names
from api.errors import guard_writing
from api.inputs.boards import read_report
from api.inputs.photos import find_report_photo
from scoring.carcassonne.board.board import Board
from scoring.carcassonne.wonders.files import list_unsettled_cities, vouch_for
from scoring.carcassonne.wonders.shapes import find_likelier_wonder
from scoring.carcassonne.wonders.tiles import WONDERS, WonderLayout
from scoring.carcassonne.wonders.validation import refuse_contradictions
from vision.arrays import Floats
from vision.enrolment.prints import Enrolment
from vision.enrolment.wonders import EnrolledWonder, EnrolledWonders, read_wonder_files
from vision.errors import EnrolmentError
from vision.geometry.lattice_transform import turn_quad
from vision.photo.decoding import Photo

if TYPE_CHECKING:
    from vision.reader import Reader


_COLUMNS = ("wonder", "since", "squares", "print", "file")
"""Columns of the table of enrolled wonders: the name, the date of enrolment, the squares as in the wonder's file,
whether its print is kept, and the file.
"""


@dataclass(frozen=True, slots=True)
class FoundWonder:
    """A wonder's layout as read, with the places of its squares in the photo.

    `quads_px` are the corners NW, NE, SE, SW in the wonder's own frame, None for a square out of view. `art` holds the
    prints of its squares, None if no photo shows them.
    """

    layout: WonderLayout
    quads_px: tuple[Floats | None, ...] = ()
    art: Enrolment | None = None


def enrol_wonder(
    name: str, source: Path, out: Path | None, load_reader: Callable[[], Reader], photo: Path | None = None
) -> DocumentAndLines:
    """Keep a wonder's layout and print from a photo, a report or a wonder's file, and describe its meaning.

    `photo` is a report's, if it is not beside the report. Raises EnrolmentError `no_such_wonder`, `wonder_not_seen`,
    `not_five_squares` and as stores do, CatalogueError for a file or a layout that contradicts the rules, and the
    errors of reading a photo or a report.
    """
    found = _find_layout(find_wonder_id(name), source, load_reader, photo)
    enrolled = EnrolledWonders()
    file = keep_wonder(found.layout, enrolled, list_taken_names(enrolled), found.art)
    wonder = enrolled.load(found.layout.id.removeprefix("WH/"))
    lines = [f"{found.layout.name}: {file}", *describe_layout(wonder.layout), *_describe_art(wonder)]
    if out is not None:
        with guard_writing(out):
            out.write_bytes(enrolled.packed(wonder))
        lines.append(f"layout: {out}")
    return {
        "wonder": wonder.name,
        "layout": dict(wonder.layout.entry),
        "art": None if wonder.art is None else wonder.art.source,
    }, lines


def find_wonder_id(name: str) -> str:
    """Return the id of a wonder by its name, as in alhambra; raises EnrolmentError `no_such_wonder`."""
    id = f"WH/{normalise_wonder_name(name)}"
    if id not in WONDERS:
        known = [wonder.removeprefix("WH/") for wonder in WONDERS]
        raise EnrolmentError("no_such_wonder", details={"name": name, "known": known})
    return id


def normalise_wonder_name(name: str) -> str:
    """Return a wonder's short name, given it in capitals or with the prefix of its box."""
    return name.lower().removeprefix("wh/")


def keep_wonder(
    layout: WonderLayout, enrolled: EnrolledWonders, taken_names: Collection[str], art: Enrolment | None = None
) -> Path:
    """Keep a layout that a person has confirmed; the replaced one can be restored. Return its file.

    Without `art`, earlier prints stay if the squares are the same. Raises CatalogueError for a layout that contradicts
    the rules, EnrolmentError `enrolment_exists` if another enrolment has the wonder's name, and as stores do.
    """
    refuse_contradictions(layout)
    wonder = EnrolledWonder(vouch_for(layout), art)
    if wonder.name in taken_names:
        raise EnrolmentError("enrolment_exists", details={"name": wonder.name})
    with enrolled.write_alone():
        if art is None:
            wonder = EnrolledWonder(wonder.layout, _find_former_art(wonder, enrolled))
        return enrolled.save(wonder, again=True)


def take_wonder_back(name: str) -> DocumentAndLines:
    """Restore the previous enrolment of a wonder, or else the shipped layout, and describe the one in force.

    Raises EnrolmentError `nothing_to_take_back`, for an unknown name as well, and as stores do.
    """
    enrolled, name = EnrolledWonders(), normalise_wonder_name(name)
    enrolled.take_back(name)
    if name not in enrolled.names():
        return {"wonder": name, "layout": None}, [f"{name}: the shipped layout is in force again"]
    wonder = enrolled.load(name)
    lines = [f"{name}: back to the previous enrolment", *describe_layout(wonder.layout), *_describe_art(wonder)]
    return {"wonder": name, "layout": dict(wonder.layout.entry)}, lines


def find_wonder(id: str, photo: Photo, reader: Reader) -> FoundWonder:
    """Find a wonder in a photo of a game, or of the tile alone.

    Raises EnrolmentError `wonder_not_seen`, `not_five_squares`, and the errors of reading the photo.
    """
    from vision.enrolling.wonders import propose_wonder  # loads the nets' runtime, which only photos need

    proposal = propose_wonder(reader, photo, id)
    placed = proposal.reading.placed
    quads = (proposal.quads.get(square) for square in placed.squares)
    canonical = tuple(None if quad is None else turn_quad(quad, -placed.turns) for quad in quads)
    return FoundWonder(proposal.layout, canonical, proposal.build_art())


def describe_enrolled_wonders() -> dict[str, str]:
    """Describe the layout of each enrolled wonder, or its fault."""
    return describe_enrolments(
        EnrolledWonders(), lambda enrolled: ", ".join([*describe_layout(enrolled.layout), *_describe_art(enrolled)])
    )[0]


def tabulate_enrolled_wonders() -> tuple[list[dict[str, str | None]], list[str]]:
    """Tabulate the enrolled wonders, as a document and as the lines of a table; both are empty if there are none."""
    enrolled = EnrolledWonders()
    rows = [_describe_enrolled(enrolled, name) for name in enrolled.names()]
    if not rows:
        return [], []
    cells = [[row[column] or "not kept" for column in _COLUMNS] for row in rows]
    widths = [max(map(len, column)) for column in zip(_COLUMNS, *cells, strict=True)]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in (_COLUMNS, *cells)
    ]
    return rows, lines


def _describe_enrolled(enrolled: EnrolledWonders, name: str) -> dict[str, str | None]:
    """Return a wonder's row of the table; for a damaged one the error takes the place of its squares."""
    file = enrolled.find_file(name)
    row: dict[str, str | None] = {
        "wonder": name,
        "since": datetime.fromtimestamp(file.lstat().st_mtime).date().isoformat(),
        "squares": "",
        "print": None,
        "file": str(file),
    }
    try:
        wonder = enrolled.load(name)
    except EnrolmentError as error:
        return {**row, "squares": error.text}
    squares = " ".join(f"{square[0]},{square[1]}" for square in wonder.layout.squares)
    return {**row, "squares": squares, "print": None if wonder.art is None else f"kept, of {wonder.art.source}"}


def describe_layout(layout: WonderLayout) -> Iterator[str]:
    """Yield a line for each part of a layout except the wonder itself.

    The first line warns if the outline more likely belongs to another wonder.
    """
    if other := find_likelier_wonder(layout):
        yield f"check again: its outline is more likely that of {WONDERS[other]}"
    for part in layout.parts:
        if part.kind == "wonder":
            continue
        squares = " ".join(f"{row},{col}" for row, col in (layout.squares[i] for i in sorted({*part.squares})))
        ends = f", open ends: {part.open_ends}" if part.kind in ("road", "city") else ""
        cities = f", cities beside it: {len(part.cities)}" if part.kind == "field" else ""
        yield f"{part.kind} on {squares}{ends}{cities}"


def _describe_art(wonder: EnrolledWonder) -> Iterator[str]:
    """Yield the lines on coats of arms and print of an enrolled wonder."""
    if list_unsettled_cities(wonder.layout):
        yield "coats of arms: not known, asked about where they count"
    if wonder.art is not None:
        yield f"print: {wonder.art.source}, {wonder.art.made}"


def _find_layout(id: str, source: Path, load_reader: Callable[[], Reader], report_photo: Path | None) -> FoundWonder:
    if source.suffix.lower() == ".toml":
        layout = read_wonder_files([source]).get(id)
        found = None if layout is None else FoundWonder(layout)
    elif (report := read_report(source)) is not None:
        found = find_wonder_in_report(id, report, find_report_photo(report, source, report_photo))
    else:
        return find_wonder(id, Photo.from_path(source), load_reader())
    if found is None or found.layout.is_bare:
        raise EnrolmentError("wonder_not_seen", details={"wonder": id, "file": str(source)})
    return found


def find_wonder_in_report(id: str, report: Report, photo: Photo | None) -> FoundWonder | None:
    """Find a wonder in a report, with its prints if the report's photo is given and shows all its squares.

    Return None if the wonder is not on the board.
    """
    from api.enrolment.tiles import compute_quads  # as above
    from vision.enrolling.tiles import build_enrolment, select_tile_keys

    board = read_report_board(report)
    placed = next((wonder for wonder in board.wonders if wonder.layout.id == id), None)
    if placed is None:
        return None
    quads = compute_quads(report, (photo.width, photo.height)) if photo else {}
    if photo is None or not {*placed.squares} <= quads.keys():
        return FoundWonder(placed.layout)
    on_it = tuple(meeple for meeple in board.meeples if meeple.square in placed.placements)
    keys = select_tile_keys(Board(placed.placements, meeples=on_it))
    return FoundWonder(placed.layout, art=build_enrolment(id.removeprefix("WH/"), photo, quads, keys))


def _find_former_art(wonder: EnrolledWonder, enrolled: EnrolledWonders) -> Enrolment | None:
    """Return the previously enrolled prints of a wonder if its squares are the same."""
    try:
        former = enrolled.load(wonder.name)
    except EnrolmentError:  # nothing was enrolled, or it is damaged
        return None
    return former.art if former.layout.squares == wonder.layout.squares else None
