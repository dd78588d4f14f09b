"""Reports of Carcassonne in files, as `--json` and the page write them."""

from __future__ import annotations

from pathlib import Path

from pydantic import ValidationError

from api.documents.report import Report
from api.errors import ReportError
from api.inputs.text import load_report_text
from scoring.carcassonne.board.board import refuse_oversized_board
from scoring.carcassonne.final.rulesets import RULESETS
from scoring.documents import DocumentError, parse_json


def read_report(path: Path) -> Report | None:
    """Read the report in a file, None if it holds none; raises ReportError for a damaged report.

    Raises BoardError for a report with more squares than a board may have.
    """
    text = load_report_text(path)
    return None if text is None else parse_report_file(text, path)  # None: `read_board` reports the file's fault


def parse_report_file(text: str, path: Path) -> Report | None:
    """Parse the report in a file's text; raises as `read_report` does."""
    try:
        document = parse_json(text)
    except DocumentError:
        return None
    if not isinstance(document, dict) or "schema" not in document:
        return None
    try:
        report = Report.model_validate(document)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, first["loc"]))
        raise ReportError("bad_report", details={"file": str(path), "field": where, "reason": first["msg"]}) from error
    if report.rules.edition and report.rules.edition not in RULESETS:
        details = {"file": str(path), "field": "rules.edition", "reason": f"no rule set {report.rules.edition!r}"}
        raise ReportError("bad_report", details=details)
    refuse_oversized_board(len(report.board.tiles))
    return report
