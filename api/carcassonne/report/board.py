"""The board of a report: its notation, with the layouts of wonders that differ from the shipped ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from api.documents.report import Report
from api.errors import ReportError
from scoring.carcassonne.board.board import Board
from scoring.carcassonne.board.notation import parse_notation
from scoring.carcassonne.wonders.catalogue import is_shipped, load_wonder_catalogue
from scoring.carcassonne.wonders.files import restore_wonder
from scoring.carcassonne.wonders.tiles import WonderLayout
from scoring.errors import CatalogueError


def read_report_board(report: Report, wonders: Mapping[str, WonderLayout] | None = None) -> Board:
    """Return the board of a report; `wonders` are layouts by id given by a person, which override the report's own.

    Raises NotationError, and ReportError `bad_report` for a layout of the report that cannot be read.
    """
    given = {id: layout for id, layout in (wonders or {}).items() if not is_shipped(layout)}
    board = parse_notation(report.board.notation, {**read_kept_layouts(report.wonders), **given})
    return replace(board, unowned=frozenset(report.unowned)) if report.unowned else board


def read_kept_layouts(entries: Sequence[Mapping[str, Any]]) -> Mapping[str, WonderLayout]:
    """Return layouts as `read_layouts` does, from a document of this program; raises ReportError `bad_report`."""
    try:
        return read_layouts(entries)
    except CatalogueError as error:
        raise ReportError("bad_report", details={"field": "wonders", "reason": str(error)}) from error


def read_layouts(entries: Sequence[Mapping[str, Any]]) -> Mapping[str, WonderLayout]:
    """Return the wonders' layouts by id: those of `entries` as in wonder files, the others as shipped.

    Raises CatalogueError for an entry that cannot be read.
    """
    return {**load_wonder_catalogue(), **{layout.id: layout for layout in map(restore_wonder, entries)}}
