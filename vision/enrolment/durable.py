"""Files that outlive a power cut: what was told to be kept is on the disk, whole."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from tempfile import mkstemp

_UNSYNCABLE = frozenset({errno.EINVAL, errno.ENOTSUP})
"""What file systems answer that keep names by themselves, or nothing at all."""


def write_durably(file: Path, data: bytes, draft: Path | None = None) -> None:
    """Write a file whole or not at all, over one of its name, so that it outlives a power cut; raises OSError.

    It is written as `draft` first, which nobody else may write meanwhile; without one, under a name that nobody has.
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
    """Put the content of a file, or the names in a folder, on the disk before anything else is done; raises OSError."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in _UNSYNCABLE:
            raise
    finally:
        os.close(descriptor)
