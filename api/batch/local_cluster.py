"""This machine's own workers: a process for each core, and little about them but reading.

Dask's own settings are for clusters whose tasks are watched on a dashboard: its watching takes time of the cores that
read, and the profile of each second, which is kept, makes workers grow.
"""

from __future__ import annotations

import logging
from typing import Any

import dask
from distributed import LocalCluster
from distributed.utils import get_mp_context

from api.reading.process_start import START_METHOD, choose_start

MAX_DEATHS = 2
"""Workers that one task may take with it before it is given up."""
SETTINGS: dict[str, Any] = {
    "distributed.scheduler.allowed-failures": MAX_DEATHS,
    "distributed.scheduler.worker-saturation": 1.0,  # none waits at a worker: none is blamed for another's end
    "distributed.scheduler.active-memory-manager.start": False,  # no task's outcome is anywhere twice
    "distributed.worker.multiprocessing-method": START_METHOD,
    "distributed.worker.profile.enabled": False,
    "distributed.worker.memory.monitor-interval": "500ms",
    "distributed.admin.tick.interval": "1s",
    "distributed.admin.tick.cycle": "10s",
    "distributed.admin.system-monitor.interval": "10s",
    "distributed.admin.system-monitor.disk": False,
    "distributed.admin.low-level-log-length": 100,
    "distributed.nanny.pre-spawn-environ.MALLOC_TRIM_THRESHOLD_": None,  # else each picture's pages are fetched anew
    "distributed.nanny.pre-spawn-environ.MALLOC_ARENA_MAX": 1,  # else each thread keeps pages of its own
}


def start_local_cluster() -> LocalCluster:
    """Start a scheduler in this process, and its workers, which are forked where the system can."""
    dask.config.set(SETTINGS)
    get_mp_context()  # Dask says once what its workers import; what ours need is said after it
    choose_start("api.batch.work", "distributed")
    return LocalCluster(
        processes=True,
        threads_per_worker=1,
        silence_logs=logging.CRITICAL,
        preload=["api.batch.interrupts"],
        dashboard_address=None,
        scheduler_kwargs={"dashboard_address": "127.0.0.1:0"},  # else a second batch warns of a port that is taken
    )
