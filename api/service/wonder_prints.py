"""Prints of wonders that photos showed a moment ago, until somebody keeps the layout that was read with them.

A client names the photo by what it was told of it: pixels come from the photo as it was sent alone.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from threading import Lock

from api.server.tokens import generate_id
from scoring.carcassonne.tiles.geometry import Square
from vision.enrolment.prints import Enrolment
from vision.errors import EnrolmentError

MAX_PRINTS = 64
"""Of about 60 KiB each."""
KEPT_SECONDS = 2 * 3600.0
"""So long somebody may look at a layout before it is kept."""

Squares = tuple[Square, ...]


class WonderPrints:
    """The prints of this process, the newest last, under names that nobody can guess."""

    def __init__(self) -> None:
        self._prints = OrderedDict[str, tuple[float, str, Squares, Enrolment]]()
        self._lock = Lock()

    def add(self, wonder: str, squares: Squares, art: Enrolment) -> str:
        """Add the prints of a wonder's squares, numbered as these are; return the name."""
        name = generate_id()
        with self._lock:
            self._prints[name] = (time.monotonic(), wonder, squares, art)
            while len(self._prints) > MAX_PRINTS:
                self._prints.popitem(last=False)
        return name

    def get(self, name: str, wonder: str, squares: Squares) -> Enrolment:
        """Get the prints of a name.

        Raises EnrolmentError `print_gone` for one of which nothing is there any longer, or never was, and
        `wonder_not_seen` for prints of another wonder, or of other squares.
        """
        with self._lock:
            added, *about, art = self._prints.get(name, (float("-inf"), "", (), None))
        if art is None or time.monotonic() - added > KEPT_SECONDS:
            raise EnrolmentError("print_gone")
        if about != [wonder, squares]:
            raise EnrolmentError("wonder_not_seen", details={"wonder": wonder})
        return art
