"""The text of a command's argument, or of the file that it names; suggestions for an unknown word."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from pathlib import Path

from api.errors import ReportError
from scoring.documents import MAX_TEXT_BYTES, DocumentError, parse_json
from vision.errors import InputError

_SCHEMA = '"schema"'
_REPORT_HEAD = "{" + _SCHEMA
"""Beginning of a report, ignoring spaces."""


def load_text(argument: str) -> str:
    """Load the text of the file of that name, or return the argument itself if there is no such text file.

    Raises ReportError `bad_report` for a report that is cut off or damaged.
    """
    try:
        path = Path(argument)
        text = load_report_text(path) if path.is_file() else None
    except (OSError, ValueError):  # too long for a file name
        return argument
    return argument if text is None else text  # the parser of boards reports the fault of a file that is not text


def load_report_text(path: Path) -> str | None:
    """Load the text of a file that may hold a report; None if it cannot be opened or is not text.

    Raises ReportError `bad_report` for a report that is cut off or damaged and therefore not JSON.
    """
    try:
        data = read_bounded_bytes(path)
    except (OSError, ValueError):
        return None
    try:
        text = data.decode("utf-8")
        if _begins_as_report(text):
            parse_json(text)
    except ValueError as error:
        if not _begins_as_report(data.decode("utf-8", errors="replace")):
            return None
        raise ReportError(
            "bad_report",
            "The file is a report that is not whole: it was not copied or written to its end, or is damaged.",
            {"file": str(path), "reason": str(error)},
        ) from error
    return text


def find_report_photos(path: Path) -> list[str] | None:
    """Find the names of the photos that a file's report was made from; empty for a report without a photo.

    Returns None for a file that is not a report.
    """
    try:
        document = parse_json(load_report_text(path) or "")
    except (ReportError, DocumentError):
        return None
    if not isinstance(document, dict) or "schema" not in document:
        return None
    photos = document.get("photos")
    several = photos if isinstance(photos, list) and photos else [document.get("photo")]
    return [str(photo["file"]) for photo in several if isinstance(photo, dict) and "file" in photo]


def _begins_as_report(text: str) -> bool:
    """Return whether a text begins like a report, or is a prefix of such a beginning."""
    if not text.lstrip().startswith("{"):
        return False
    head = "".join(text.split())
    return is_report_text(text) or (len(head) > 1 and _REPORT_HEAD.startswith(head))


def read_text_file(file: Path, message: str) -> str:
    """Read the text of a file; raises InputError `file_not_found` with a message if it cannot be opened."""
    try:
        return read_bounded_bytes(file).decode("utf-8")
    except (OSError, ValueError) as error:
        raise InputError("file_not_found", message, {"file": str(file)}) from error


def parse_game_field(text: str) -> object:
    """Parse the game named in a JSON text; None if it names none."""
    try:
        document = parse_json(text)
    except DocumentError:
        return None
    return document.get("game") if isinstance(document, dict) else None


def read_bounded_bytes(file: Path) -> bytes:
    """Read the bytes of a file; raises OSError, and ValueError above the size limit for texts."""
    with file.open("rb") as opened:
        data = opened.read(MAX_TEXT_BYTES + 1)
    if len(data) > MAX_TEXT_BYTES:
        raise DocumentError(f"a file of text has at most {MAX_TEXT_BYTES} bytes")
    return data


def is_report_text(text: str) -> bool:
    """Return whether a text may be a report: a JSON document that names its schema."""
    return _SCHEMA in text


def find_meant(word: str, known: Iterable[str]) -> dict[str, str]:
    """Find the known word spelled most like it, as an error's detail `meant`; empty if none is similar."""
    by_word = {other.lower(): other for other in known}
    return {"meant": by_word[close[0]]} if (close := get_close_matches(word.lower(), by_word, 1)) else {}
