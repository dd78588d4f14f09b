"""Documents to files, or to standard output alone."""

from __future__ import annotations

from pathlib import Path

from vision.errors import InputError

STANDARD_OUTPUT = Path("-")


def check_outputs(*files: Path | None) -> None:
    """Refuse, before anything is done, files that one of two outputs would be lost in, or that cannot be written.

    Raises InputError `output_twice`, `cannot_write`.
    """
    places = set[Path]()
    for file in files:
        if file is None or file == STANDARD_OUTPUT:
            continue
        if (place := file.resolve()) in places:
            raise InputError("output_twice", details={"file": str(file)})
        places.add(place)
        _refuse_unwritable(file)


def _refuse_unwritable(file: Path) -> None:
    """Raise InputError `cannot_write`; nothing is left where nothing was, and what is there stays as it is."""
    try:
        if file.is_file() or file.is_dir():
            file.open("ab").close()
        elif not file.exists():
            file.open("xb").close()
            file.unlink()
    except OSError as error:
        raise InputError("cannot_write", details={"file": str(file), "reason": error.strerror}) from error


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
