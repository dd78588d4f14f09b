"""A report as a printable page, as a table for spreadsheets and drawn over its photo, for any game."""

from __future__ import annotations

from pathlib import Path

from api.documents.forms import AnyReport
from api.games.registry import find_game_of
from api.i18n import load_words
from api.render.csv_export import Certainty, Occasion, format_report_csv
from api.render.drawing import write_picture
from vision.arrays import Image as Pixels


def render_report_csv(report: AnyReport, language: str = "en") -> str:
    """Render the entries of all players as CSV, with the reading's certainty."""
    game, words = find_game_of(report), load_words(language)
    certainty = Certainty(
        report.scores.confidence,
        len(report.doubts),
        game.list_doubts_by_feature(report, words),
        game.list_winners(report),
    )
    return format_report_csv(report, language, certainty)


def render_report_pdf(
    report: AnyReport, pixels: Pixels | None = None, language: str = "en", occasion: Occasion | None = None
) -> bytes:
    """Render the report on one page; `pixels` (h, w, 3) BGR is the report's photo, if available."""
    from api.render.fonts import copy_with_printable_names
    from api.render.pdf import SheetContent, render_sheet  # fpdf2 takes longer to load than most doors need

    game, words = find_game_of(report), load_words(language)
    printable = copy_with_printable_names(report, language)
    content = SheetContent(
        title=game.title,
        feature_labels={
            entry.feature: game.label_feature(printable, entry.feature, words)
            for entry in report.scores.entries
            if entry.feature
        },
        occasion=occasion or Occasion(),
        winners=tuple(game.list_winners(report)),
        facts=tuple(game.list_sheet_facts(printable, words)),
        doubts=tuple(game.list_sheet_doubts(printable, words)),
        # Without its legend: the table repeats it.
        picture=None if pixels is None else game.annotate_photo(pixels, report)[: len(pixels)],
    )
    return render_sheet(report, content, words)


def annotate_photo(pixels: Pixels, report: AnyReport, photo: int = 0) -> Pixels:
    """Draw the report over the photo (h, w, 3) BGR of that number, with a legend that makes the picture taller.

    A report of tiles uses the pixels of its own main photo.
    """
    return find_game_of(report).annotate_photo(pixels, report, photo)


def write_annotated_photo(path: Path, pixels: Pixels, report: AnyReport, photo: int = 0) -> None:
    """Write the annotated photo as JPEG or PNG, by the file's suffix; raises InputError."""
    write_picture(path, annotate_photo(pixels, report, photo))
