"""Files that survive a power cut: once written they are on the disk, whole."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from tempfile import mkstemp

_UNSYNCABLE = frozenset({errno.EINVAL, errno.ENOTSUP})
"""Errors of file systems that keep names by themselves, or do not sync at all."""


def write_durably(file: Path, data: bytes, draft: Path | None = None) -> None:
    """Write a file whole or not at all, replacing one of its name, so that it survives a power cut; raises OSError.

    It is first written as `draft`, which no other writer may use meanwhile; by default under a unique name.
    """
    if draft is None:
        descriptor, name = mkstemp(".part", dir=file.parent)
        os.close(descriptor)
        draft = Path(name)
    try:
        draft.write_bytes(data)
        sync(draft)
        draft.replace(file)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
    sync(file.parent)


def sync(path: Path | str) -> None:
    """Flush the content of a file, or the names in a folder, to the disk; raises OSError."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in _UNSYNCABLE:
            raise
    finally:
        os.close(descriptor)
