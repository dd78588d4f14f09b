"""How processes that read photos start: forked from one that has imported what they need, which takes seconds."""

from __future__ import annotations

import multiprocessing
from multiprocessing.context import BaseContext, ForkServerContext

READING_MODULES = ("scipy.ndimage", "scipy.optimize", "scipy.sparse", "scipy.spatial", "skimage.graph", "vision.reader")
"""What a reading needs: the reader, and what is imported only once a photo is read."""


def choose_start(*modules: str) -> BaseContext:
    """Choose how this process starts those that read; `modules` are what they import beside what a reading needs.

    They are forked from a process that does nothing else (multiprocessing's `forkserver`), which the first of them
    starts; so the next ones, and whoever replaces one that was killed, have their imports at once and share their
    memory. Where a system has no such processes, each starts anew.
    """
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    assert isinstance(context, ForkServerContext)
    context.set_forkserver_preload([*READING_MODULES, *modules])
    return context
