"""Steps back: what an enrolment was before each of its changes.

Beside the folder `FOLDER` of the enrolments, `FOLDER-earlier/NAME/N` has the files of the enrolment NAME before a
change, the last MAX_EARLIER of them. Files are replaced, never changed, so that these are links.
"""

from __future__ import annotations

import filecmp
import os
import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path

from vision.errors import EnrolmentError

MAX_EARLIER = 100
"""Number of earlier versions kept of an enrolment: no user takes more steps back. Bounds memory."""


class Steps:
    """The earlier versions of the enrolments in a folder. Its caller keeps other writers away.

    `find_base` returns the folder with the files of an enrolment, `find_paths` everything there that belongs to it.
    """

    def __init__(
        self, folder: Path, find_base: Callable[[str], Path], find_paths: Callable[[str], Iterable[Path]]
    ) -> None:
        self._earlier_folder = folder.with_name(f"{folder.name}-earlier")
        self._find_base, self._find_paths = find_base, find_paths

    def count(self, name: str) -> int:
        """Count the steps by which an enrolment can be taken back."""
        return len(self._list_earlier(name))

    def names(self) -> list[str]:
        """List the names of all enrolments that can be taken back, including those that were forgotten."""
        return sorted(path.name for path in self._earlier_folder.glob("*") if self._list_earlier(path.name))

    def get_change_time(self, name: str) -> float:
        """Return the time of the last change of an enrolment, in seconds since 1970; 0 if none can be taken back."""
        return max((step.stat().st_mtime for step in self._list_earlier(name)[-1:]), default=0.0)

    @contextmanager
    def keep(self, name: str) -> Iterator[None]:
        """Keep the files of an enrolment as they are before a change; one that changes nothing adds no step."""
        steps = self._list_earlier(name)
        step = self._earlier_folder / name / str(int(steps[-1].name) + 1 if steps else 1)
        unfinished = step.with_suffix(".new")
        shutil.rmtree(unfinished, ignore_errors=True)
        unfinished.mkdir(parents=True)
        _move_files(self._list_files(name), unfinished, _link)
        unfinished.rename(step)
        try:
            yield
        finally:
            if _are_same(self._list_files(name), _list_files_in(step)):
                shutil.rmtree(step)
        for path in steps[: max(len(steps) + 1 - MAX_EARLIER, 0)]:
            shutil.rmtree(path)

    def take_back(self, name: str) -> None:
        """Restore an enrolment as it was before its last change; raises EnrolmentError `nothing_to_take_back`."""
        if not (steps := self._list_earlier(name)):
            raise EnrolmentError("nothing_to_take_back", details={"name": name})
        base, files = self._find_base(name), _list_files_in(steps[-1])
        for path in sorted(self._find_paths(name), reverse=True):
            if path.is_dir() and not path.is_symlink():
                with suppress(OSError):  # it has files that are replaced below
                    path.rmdir()
            elif path.relative_to(base) not in files:
                path.unlink()
        _move_files(files, base, os.replace)
        if base.is_dir() and not any(base.iterdir()):
            base.rmdir()
        for file in files:
            os.utime(base / file)  # changes the state, so that readers notice
        shutil.rmtree(steps[-1])

    def _list_files(self, name: str) -> dict[Path, Path]:
        """List the plain files of an enrolment by their places in its base."""
        base = self._find_base(name)
        return {path.relative_to(base): path for path in self._find_paths(name) if path.is_file()}

    def _list_earlier(self, name: str) -> list[Path]:
        """List the folders of the earlier versions of an enrolment, the oldest first."""
        folders = [path for path in (self._earlier_folder / name).glob("*") if path.name.isdecimal()]
        return sorted(folders, key=lambda path: int(path.name))


def _list_files_in(step: Path) -> dict[Path, Path]:
    """List the files of a step by their places in it."""
    return {path.relative_to(step): path for path in step.rglob("*") if path.is_file()}


def _are_same(files: Mapping[Path, Path], others: Mapping[Path, Path]) -> bool:
    """Return whether files by their places have the same places and contents as others."""
    return files.keys() == others.keys() and all(
        filecmp.cmp(file, others[place], shallow=False) for place, file in files.items()
    )


def _move_files(files: Mapping[Path, Path], folder: Path, move: Callable[[Path, Path], None]) -> None:
    """Link or move files by their places to the same places in a folder."""
    for place, file in files.items():
        (folder / place).parent.mkdir(parents=True, exist_ok=True)
        move(file, folder / place)


def _link(source: Path, target: Path) -> None:
    """Link a file, or copy it where the file system has no links."""
    try:
        os.link(source, target)
    except OSError:
        shutil.copy2(source, target)
