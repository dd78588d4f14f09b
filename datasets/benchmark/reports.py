"""Read photos in sequence, each to its report: python -m datasets.benchmark.reports PHOTO [PHOTO ...].

This is `datasets.benchmark.alone` with the report, as made by `wondertally score`: one process, one thread, no journal,
no results. It is started as a process like a command and never imported, since it depends on `api`.
"""

from __future__ import annotations

import sys
from pathlib import Path

import cv2

from api.carcassonne.report.builder import build_report
from vision.photo.decoding import Photo
from vision.reader import Reader


def main() -> None:
    """Read the named photos; raise WondertallyError for an unreadable one."""
    cv2.setNumThreads(1)
    reader = Reader(threads=1)
    for name in sys.argv[1:]:
        photo = Photo.from_path(Path(name))
        build_report(photo, reader.read(photo)).to_json()


if __name__ == "__main__":
    main()
