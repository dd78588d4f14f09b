"""Start of reader processes: forked from a process that has done the imports, which take seconds."""

from __future__ import annotations

import multiprocessing
import os
from multiprocessing.connection import wait
from multiprocessing.context import BaseContext

START_METHOD = "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"
"""Start method of `multiprocessing` for reader processes: forked from a clean server process, or spawned where that is
unsupported.
"""
READING_MODULES = (
    *("scipy.spatial", "skimage.graph"),
    *("vision.reader", "api.reading.surveys", "api.reading.preload"),
)
"""Modules that a reading needs: the reader, its data, and the imports made only when a photo is read."""

ALLOCATOR = {
    "MALLOC_ARENA_MAX": "1",
    "MALLOC_TRIM_THRESHOLD_": str(128 * 2**20),
    "MALLOC_MMAP_THRESHOLD_": str(32 * 2**20),
}
"""Environment variables that glibc reads when a process starts; they keep threads from holding memory of their own."""


def choose_start(*modules: str) -> BaseContext:
    """Choose how this process starts readers; `modules` are imported in addition to those of every reading.

    The first reader starts the process from which all are forked. Later readers, and replacements of killed ones,
    therefore have their imports at once and share their memory.
    """
    context = multiprocessing.get_context(START_METHOD)
    context.set_forkserver_preload([*READING_MODULES, *modules])
    return context


def end_with_parent() -> None:
    """Exit this process once its parent was killed: nobody waits for its results."""
    if (parent := multiprocessing.parent_process()) is not None:
        wait([parent.sentinel])
        os._exit(1)


def begin_start(*modules: str) -> None:
    """Start the server process of readers that read one photo after another, without waiting for its imports.

    Readers keep the memory of one picture for the next; otherwise the system would hand out every page anew.
    """
    for name, value in ALLOCATOR.items():
        os.environ.setdefault(name, value)
    choose_start(*modules)
    if START_METHOD == "forkserver":
        from multiprocessing import forkserver

        forkserver.ensure_running()
