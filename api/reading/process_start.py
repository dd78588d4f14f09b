"""How processes that read photos start: forked from one that has imported what they need, which takes seconds."""

from __future__ import annotations

import multiprocessing
import os
from multiprocessing.context import BaseContext

START_METHOD = "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"
"""How `multiprocessing` starts processes that read: forked from one that does nothing else, or anew where there is no
such process."""
READING_MODULES = (
    *("scipy.spatial", "skimage.graph"),
    *("vision.reader", "api.reading.surveys", "api.reading.preload"),
)
"""What a reading needs: the reader, its data, and what is imported only once a photo is read."""

ALLOCATOR = {
    "MALLOC_ARENA_MAX": "1",
    "MALLOC_TRIM_THRESHOLD_": str(128 * 2**20),
    "MALLOC_MMAP_THRESHOLD_": str(32 * 2**20),
}
"""What glibc reads as a process starts; no thread keeps pages of its own."""


def choose_start(*modules: str) -> BaseContext:
    """Choose how this process starts those that read; `modules` are what they import beside what a reading needs.

    The first of them starts the process from which all are forked. So the next ones, and whoever replaces one that was
    killed, have their imports at once and share their memory.
    """
    context = multiprocessing.get_context(START_METHOD)
    context.set_forkserver_preload([*READING_MODULES, *modules])
    return context


def begin_start(*modules: str) -> None:
    """Begin to start processes that read one photo after the other, and do not wait for their imports.

    They keep the pages that a picture took for the next one: else the system hands out each of them anew.
    """
    for name, value in ALLOCATOR.items():
        os.environ.setdefault(name, value)
    choose_start(*modules)
    if START_METHOD == "forkserver":
        from multiprocessing import forkserver

        forkserver.ensure_running()
