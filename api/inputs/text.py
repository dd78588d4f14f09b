"""The text that an argument of a command is, or that the file holds which it names."""

from __future__ import annotations

import json
from pathlib import Path

from vision.errors import InputError


def load_text(argument: str) -> str:
    """Load the text of the file of that name; where there is none, or none that is text, the argument itself."""
    try:
        path = Path(argument)
        return path.read_text(encoding="utf-8") if path.is_file() else argument
    except (OSError, ValueError):  # too long for a file's name, or no text: who reads boards tells the fault
        return argument


def read_text_file(file: Path, message: str) -> str:
    """Read the text of a file; raises InputError `file_not_found` with a message where it cannot be opened."""
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError("file_not_found", message, {"file": str(file)}) from error


def parse_game_field(text: str) -> object:
    """Parse the game that a JSON text names; None where it names none."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return document.get("game") if isinstance(document, dict) else None


def is_report_text(text: str) -> bool:
    """Check whether a text may be a report: a JSON document that names its schema."""
    return '"schema"' in text
