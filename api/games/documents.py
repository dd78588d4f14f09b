"""Pictures and sheets of a report, of whatever game."""

from __future__ import annotations

from pathlib import Path

from api.games.registry import find_game_of
from api.games.reports import AnyReport
from api.i18n import load_words
from api.render.drawing import Pixels, write_picture
from api.render.pdf import SheetContent, render_sheet


def annotate_photo(pixels: Pixels, report: AnyReport, photo: int = 0) -> Pixels:
    """The photo (h, w, 3) BGR of that number with the report drawn over it and a legend below, taller than the photo.

    A report of tiles is in the pixels of the photo that it names.
    """
    return find_game_of(report).annotate_photo(pixels, report, photo)


def write_annotated_photo(path: Path, pixels: Pixels, report: AnyReport, photo: int = 0) -> None:
    """Write the annotated photo as JPEG or PNG, by the file's ending; raises InputError."""
    write_picture(path, annotate_photo(pixels, report, photo))


def render_report_pdf(report: AnyReport, pixels: Pixels | None = None, language: str = "en") -> bytes:
    """The report on one page; `pixels` (h, w, 3) BGR is the report's photo, where it is at hand."""
    game, words = find_game_of(report), load_words(language)
    content = SheetContent(
        title=game.title,
        facts=tuple(game.list_sheet_facts(report, words)),
        doubts=tuple(game.list_sheet_doubts(report, words)),
        # Without its legend: the table says it better.
        picture=None if pixels is None else game.annotate_photo(pixels, report)[: len(pixels)],
    )
    return render_sheet(report, content, words)
