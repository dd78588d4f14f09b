"""Documents to files, or to standard output alone."""

from __future__ import annotations

from pathlib import Path

from vision.errors import InputError

STANDARD_OUTPUT = Path("-")


def output_document(path: Path | None, text: str) -> bool:
    """Write a document to a file, or print it for `-`; whether it was printed, so that nothing else may be.

    Raises InputError `cannot_write`.
    """
    if path == STANDARD_OUTPUT:
        print(text, end="")
        return True
    if path is not None:
        write_document(path, text)
    return False


def write_document(path: Path, text: str) -> None:
    """Write a document to a file; raises InputError `cannot_write`."""
    try:
        path.write_text(text, encoding="utf-8")
    except OSError as error:
        raise InputError("cannot_write", details={"file": str(path), "reason": error.strerror}) from error
