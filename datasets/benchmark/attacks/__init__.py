"""Attacks on data entrusted to a server or a batch; each counts what was lost, and deleted files of others."""

from __future__ import annotations

import os
import time
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from datasets.benchmark.uploads import Found, Uploads

OLD_SECONDS = 30 * 24 * 3600.0


@dataclass(slots=True)
class Tally:
    """Outcome of an attack made the given number of `times`.

    `accepted` photos received an id (or, for a batch, were in its folder), and `done` were read in the end; `lost` are
    the others, `deleted` files that did not belong to the server, `wrong` any other faults. `answers` counts the
    answers by status; `notes` are measurements; `left_out` is the reason if the attack was not made.
    """

    name: str
    times: int
    accepted: int = 0
    done: int = 0
    lost: list[str] = field(default_factory=list)
    deleted: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)
    answers: Counter[str] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)
    left_out: str = ""

    @property
    def is_well(self) -> bool:
        """Return whether nothing was lost, deleted or wrong; an attack that was left out, or read nothing, proves
        nothing.
        """
        return not (self.lost or self.deleted or self.wrong)

    def add(self, uploads: Uploads, findings: Found) -> None:
        """Add the photos sent by clients, and their outcomes."""
        self.accepted += len(uploads.accepted)
        self.answers += uploads.answers
        self.done += findings.outcomes["done"]
        self.lost += [f"{count} {outcome}" for outcome, count in findings.outcomes.items() if outcome != "done"]
        self.wrong += findings.wrong + [f"unexpected answer {answer}" for answer in uploads.unexpected]
        if not findings.outcomes["done"] and not self.left_out:
            self.wrong.append("nothing was read")


class Bystanders:
    """Foreign files in a folder, with an old date."""

    def __init__(self, folder: Path, names: Iterable[str]) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.files = {folder / name: f"mine: {name}".encode() for name in names}
        for file, content in self.files.items():
            file.write_bytes(content)
            then = time.time() - OLD_SECONDS
            os.utime(file, (then, then))

    def find_deleted(self) -> list[str]:
        """Return the files that are gone or changed."""
        return find_changed(self.files)


def find_changed(contents: Mapping[Path, bytes]) -> list[str]:
    """Return the files that are gone, or whose content has changed."""
    return [str(file) for file, content in contents.items() if not file.is_file() or file.read_bytes() != content]
