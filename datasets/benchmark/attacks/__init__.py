"""Attacks on what people entrusted to a server or a batch; each counts what was lost, or deleted of others."""

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
    """What came of an attack that was made so many `times`.

    `accepted` photos were given an id (a batch: lay in its folder), `done` were read in the end; `lost` are the others,
    `deleted` files that were not the server's own, `wrong` whatever else may not be. `answers` are those to what was
    sent, by status; `notes` are what was measured; `left_out` is why it was not made.
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
        """Whether nothing was lost, deleted or wrong; an attack that was left out, or read nothing, proves nothing."""
        return not (self.lost or self.deleted or self.wrong)

    def add(self, uploads: Uploads, findings: Found) -> None:
        """Add what clients have sent, and what came of it."""
        self.accepted += len(uploads.accepted)
        self.answers += uploads.answers
        self.done += findings.outcomes["done"]
        self.lost += [f"{count} {outcome}" for outcome, count in findings.outcomes.items() if outcome != "done"]
        self.wrong += findings.wrong + [f"unexpected answer {answer}" for answer in uploads.unexpected]
        if not findings.outcomes["done"] and not self.left_out:
            self.wrong.append("nothing was read")


class Bystanders:
    """Files of somebody else in a folder, which have been there for long."""

    def __init__(self, folder: Path, names: Iterable[str]) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.files = {folder / name: f"mine: {name}".encode() for name in names}
        for file, content in self.files.items():
            file.write_bytes(content)
            then = time.time() - OLD_SECONDS
            os.utime(file, (then, then))

    def find_deleted(self) -> list[str]:
        """Find those that are gone, or are not as they were."""
        return find_changed(self.files)


def find_changed(contents: Mapping[Path, bytes]) -> list[str]:
    """Find the files that are gone, or have no longer what they had."""
    return [str(file) for file, content in contents.items() if not file.is_file() or file.read_bytes() != content]
