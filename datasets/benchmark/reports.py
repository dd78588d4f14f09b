"""Read photos in sequence, each to its report: python -m datasets.benchmark.reports [--bare] PHOTO [PHOTO ...].

One process, one thread, no journal, no results: the reference for a batch. With `--bare` there is no report either,
only `Reader.read`. It is started as a process like a command and never imported, since it depends on `api`.
"""

from __future__ import annotations

import sys
from pathlib import Path

import cv2

from vision.photo.decoding import Photo
from vision.reader import Reader


def main() -> None:
    """Read the named photos; raise WondertallyError for an unreadable one."""
    cv2.setNumThreads(1)
    reader = Reader(threads=1)
    is_bare = sys.argv[1] == "--bare"
    if not is_bare:
        from api.carcassonne.report.builder import build_report  # bare reading does without `api`
    for name in sys.argv[1 + is_bare :]:
        photo = Photo.from_path(Path(name))
        reading = reader.read(photo)
        if not is_bare:
            build_report(photo, reading).to_json()


if __name__ == "__main__":
    main()
