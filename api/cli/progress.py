"""Progress of a reading, shown on a terminal only."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn

OF_A_PHOTO = ("lattice", "tiles")
OF_ALL = ("join", "legal", "meeples", "track")
DOING = {
    "lattice": "looking for the tiles",
    "track": "looking for the score track",
    "tiles": "reading the tiles",
    "join": "joining the photos",
    "legal": "finding the board that the rules allow",
    "meeples": "reading the meeples",
}


class StageBar:
    """Progress bar over stages, advanced by a `Reader` at the start of each stage."""

    def __init__(self, console: Console | None = None) -> None:
        self._console = console
        self._shown: tuple[Progress, TaskID] | None = None

    def tell(self, stage: str) -> None:
        """Advance the bar to another stage."""
        if self._shown is not None:
            progress, task = self._shown
            progress.update(task, description=DOING.get(stage, stage), advance=1)

    @contextmanager
    def shown(self, photos: int) -> Iterator[None]:
        """Show the bar while this many photos are read, on standard error if that is a terminal."""
        console = self._console or Console(stderr=True)
        if not console.is_terminal:
            yield
            return
        columns = (SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
        with Progress(*columns, console=console, transient=True) as progress:
            stages = photos * len(OF_A_PHOTO) + len(OF_ALL)
            self._shown = progress, progress.add_task("opening the photo", total=stages)
            try:
                yield
            finally:
                self._shown = None
