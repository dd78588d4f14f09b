"""Read photos in sequence and do nothing else: python -m datasets.benchmark.alone PHOTO [PHOTO ...].

One process, one thread, no report, no journal, no results: the reference for a batch.
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
    for name in sys.argv[1:]:
        reader.read(Photo.from_path(Path(name)))


if __name__ == "__main__":
    main()
