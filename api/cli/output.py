"""Output of documents to files, or to standard output alone."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryFile

from api.errors import guard_writing
from vision.errors import InputError

STANDARD_OUTPUT = Path("-")


def check_outputs(*files: Path | None) -> None:
    """Refuse unwritable files, and one file for two outputs, before any work is done.

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


def check_output_folder(out: Path, names: Iterable[str], *files: Path | None) -> None:
    """Refuse an unwritable folder, and outputs that it would overwrite, before any work is done.

    `names` are the files written into the folder; `files` are the other outputs. Raises InputError `output_twice`,
    `cannot_write`.
    """
    check_files_beside(out, names, *files)
    place = next(place for place in (out.absolute(), *out.absolute().parents) if os.path.lexists(place))
    with guard_writing(out):
        TemporaryFile(dir=place).close()


def check_files_beside(folder: Path, names: Iterable[str], *files: Path | None) -> None:
    """Refuse unwritable files, and files that would replace a folder's own, before any work is done.

    A file may lie in the folder even if that is created later. Raises InputError `output_twice`, `cannot_write`.
    """
    outputs = {folder.resolve(), *((folder / name).resolve() for name in names)}
    for file in files:
        if file is not None and file != STANDARD_OUTPUT and not outputs.isdisjoint(_list_places(file, folder)):
            raise InputError("output_twice", details={"file": str(file)})
    made_later = () if folder.exists() else (folder.resolve(),)
    check_outputs(*(file for file in files if file is None or file.resolve().parent not in made_later))


def _list_places(file: Path, folder: Path) -> list[Path]:
    """Return a file's path, and its parent folders below another folder."""
    place = file.resolve()
    return [place, *(parent for parent in place.parents if folder.resolve() in parent.parents)]


def _refuse_unwritable(file: Path) -> None:
    """Raise InputError `cannot_write`; an existing file is left unchanged, and no new file is left behind."""
    with guard_writing(file):
        if file.is_file() or file.is_dir():
            file.open("ab").close()
        elif not file.exists():
            file.open("xb").close()
            file.unlink()


def output_document(path: Path | None, text: str) -> bool:
    """Write a document to a file, or print it for `-`; return whether it was printed, since nothing else may be then.

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
    with guard_writing(path):
        path.write_text(text, encoding="utf-8")
