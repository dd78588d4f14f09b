"""Preloaded by this machine's workers: Ctrl-C reaches them as well, and is the matter of who started them alone."""

from __future__ import annotations

import signal


def dask_setup(worker: object) -> None:
    """Ignore Ctrl-C; Dask calls this in each worker's process as it starts."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
