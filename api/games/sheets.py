"""A report as a printable page and as a table for spreadsheets, for any game."""

from __future__ import annotations

from api.documents.forms import AnyReport
from api.games.registry import find_game_of
from api.i18n import load_words
from api.render.csv_export import Certainty, format_report_csv
from api.render.occasion import Occasion
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
