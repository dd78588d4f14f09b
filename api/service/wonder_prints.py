"""Prints of wonders from recently read photos, kept until a layout is enrolled with them.

A client names a photo by the id in the answer about it, so that pixels come only from the photo as uploaded.
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
"""Maximum number of prints kept, of about 60 KiB each. Bounds memory."""
KEPT_SECONDS = 2 * 3600.0
"""Seconds that a print is kept while a person edits the layout. A guess."""

Squares = tuple[Square, ...]


class WonderPrints:
    """Prints held by this process, newest last, under unguessable names."""

    def __init__(self) -> None:
        self._prints = OrderedDict[str, tuple[float, str, Squares, Enrolment]]()
        self._lock = Lock()

    def add(self, wonder: str, squares: Squares, art: Enrolment) -> str:
        """Add the prints of a wonder's squares in the order of `squares`; return their name."""
        name = generate_id()
        with self._lock:
            self._prints[name] = (time.monotonic(), wonder, squares, art)
            while len(self._prints) > MAX_PRINTS:
                self._prints.popitem(last=False)
        return name

    def get(self, name: str, wonder: str, squares: Squares) -> Enrolment:
        """Return the prints of a name.

        Raises EnrolmentError `print_gone` for a name that is unknown or has expired, and `wonder_not_seen` for prints
        of another wonder or of other squares.
        """
        with self._lock:
            added, *about, art = self._prints.get(name, (float("-inf"), "", (), None))
        if art is None or time.monotonic() - added > KEPT_SECONDS:
            raise EnrolmentError("print_gone")
        if about != [wonder, squares]:
            raise EnrolmentError("wonder_not_seen", details={"wonder": wonder})
        return art
