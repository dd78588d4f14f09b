"""What `wondertally enrol wonder` does: it keeps the layout of a person's own copy of a wonder."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from api.enrolment.listing import DocumentAndLines, describe_enrolments, list_taken_names
from api.explain.source import read_report
from api.report.board import read_report_board
from scoring.carcassonne.board.board import PlacedWonder
from scoring.carcassonne.wonders.files import vouch_for
from scoring.carcassonne.wonders.tiles import WONDERS, WonderLayout
from scoring.carcassonne.wonders.validation import refuse_contradictions
from vision.arrays import Floats
from vision.enrolment.wonders import TaughtWonder, TaughtWonders, read_wonder_files
from vision.errors import EnrolmentError, InputError
from vision.photo.decoding import Photo

if TYPE_CHECKING:
    from vision.reader import Reader


@dataclass(frozen=True, slots=True)
class FoundWonder:
    """A wonder's layout as it was read, and where each of its squares lies in the photo.

    `quads_px` are the corners NW, NE, SE, SW of the wonder's own frame, None for a square that is not seen.
    """

    layout: WonderLayout
    quads_px: tuple[Floats | None, ...]


def enrol_wonder(name: str, source: Path, out: Path | None, load_reader: Callable[[], Reader]) -> DocumentAndLines:
    """Keep the layout that a photo, a report or a wonder's file shows of a wonder; tell what it means.

    Raises EnrolmentError `no_such_wonder`, `wonder_not_seen` and as stores do, CatalogueError for a file or a layout
    that the rules contradict, and what reading a photo or a report raises.
    """
    layout = _find_layout(find_wonder_id(name), source, load_reader)
    taught = TaughtWonders()
    file = keep_wonder(layout, taught, list_taken_names(taught))
    lines = [f"{layout.name}: {file}", *describe_layout(layout)]
    wonder = taught.load(layout.id.removeprefix("WH/"))
    if out is not None:
        try:
            out.write_bytes(taught.packed(wonder))
        except OSError as error:
            raise InputError("cannot_write", details={"file": str(out), "reason": str(error.strerror)}) from error
        lines.append(f"layout: {out}")
    return {"wonder": wonder.name, "layout": dict(wonder.layout.entry)}, lines


def find_wonder_id(name: str) -> str:
    """Return the id of a wonder that a person names, as in alhambra; raises EnrolmentError `no_such_wonder`."""
    id = f"WH/{name.lower().removeprefix('wh/')}"
    if id not in WONDERS:
        known = [wonder.removeprefix("WH/") for wonder in WONDERS]
        raise EnrolmentError("no_such_wonder", details={"name": name, "known": known})
    return id


def keep_wonder(layout: WonderLayout, taught: TaughtWonders, taken_names: Collection[str]) -> Path:
    """Keep a layout that a person has looked at; what it replaces can be taken back. Return its file.

    Raises CatalogueError for a layout that the rules contradict, EnrolmentError `enrolment_exists` where something else
    has the wonder's name, and as stores do.
    """
    refuse_contradictions(layout)
    wonder = TaughtWonder(vouch_for(layout))
    if wonder.name in taken_names:
        raise EnrolmentError("enrolment_exists", details={"name": wonder.name})
    return taught.replace(wonder)


def find_wonder(id: str, photo: Photo, reader: Reader) -> FoundWonder:
    """Find a wonder on a photo; raises EnrolmentError `wonder_not_seen`, and what reading the photo raises."""
    reading = reader.read(photo)
    layout = _choose(id, [wonder.placed for wonder in reading.wonders])
    if layout is None or layout.is_bare:
        raise EnrolmentError("wonder_not_seen", details={"wonder": id, "file": photo.file})
    corners = {tile.cell: tile.corners_px for tile in reading.tiles if tile.tile == id}
    return FoundWonder(layout, tuple(corners.get(cell) for cell in range(len(layout.squares))))


def describe_taught_wonders() -> tuple[dict[str, str], list[str]]:
    """Describe the wonders that were taught, as a document and in words, a line each."""
    return describe_enrolments(TaughtWonders(), lambda taught: ", ".join(describe_layout(taught.layout)))


def describe_layout(layout: WonderLayout) -> Iterator[str]:
    """Yield what a layout says of each of a wonder's parts but the wonder itself, a line each."""
    for part in layout.parts:
        if part.kind == "wonder":
            continue
        squares = " ".join(f"{row},{col}" for row, col in (layout.squares[i] for i in sorted({*part.squares})))
        ends = f", open ends: {part.open_ends}" if part.kind in ("road", "city") else ""
        cities = f", cities beside it: {len(part.cities)}" if part.kind == "field" else ""
        yield f"{part.kind} on {squares}{ends}{cities}"


def _find_layout(id: str, source: Path, load_reader: Callable[[], Reader]) -> WonderLayout:
    if source.suffix.lower() == ".toml":
        layouts = read_wonder_files([source])
        found = layouts.get(id)
    elif (report := read_report(source)) is not None:
        found = _choose(id, read_report_board(report).wonders)
    else:
        return find_wonder(id, Photo.from_path(source), load_reader()).layout
    if found is None or found.is_bare:
        raise EnrolmentError("wonder_not_seen", details={"wonder": id, "file": str(source)})
    return found


def _choose(id: str, placed: list[PlacedWonder] | tuple[PlacedWonder, ...]) -> WonderLayout | None:
    return next((wonder.layout for wonder in placed if wonder.layout.id == id), None)
