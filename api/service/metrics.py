"""Metrics for /metrics: requests, readings, doubts, the queue and memory, separately for each server.

Labels have few values each: never an id, and never text chosen by a client.
"""

from __future__ import annotations

import time
from collections import Counter as Counted
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import psutil
from prometheus_client import CollectorRegistry, Counter, Histogram, ProcessCollector, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from api.server.errors import find_http_status, restore_error
from api.service.job_queue import Jobs
from api.service.worker import Outcome

READING_BUCKETS_SECONDS = (0.5, 1, 2, 4, 8, 15, 30, 60, 120, 300)
"""Upper bounds of the histogram of readings. A guess."""
STAGE_BUCKETS_SECONDS = (0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30)
"""Upper bounds of the histogram of stages. A guess."""


class _WorkCollector(Collector):
    """Values collected only when requested: the queue, and the reader processes."""

    def __init__(self, jobs: Jobs) -> None:
        self._jobs = jobs

    def collect(self) -> Iterator[GaugeMetricFamily]:
        waiting, working = self._jobs.counts
        alive = self._jobs.alive
        yield GaugeMetricFamily("wondertally_readings_waiting", "Readings that wait.", value=waiting)
        yield GaugeMetricFamily("wondertally_readings_working", "Readings that are being read.", value=working)
        yield GaugeMetricFamily("wondertally_readers", "Processes that read, with their nets loaded.", value=len(alive))
        about = "Memory that each process that reads holds (resident)."
        memory = GaugeMetricFamily("wondertally_reader_memory_bytes", about, labels=("reader",))
        for number, resident_bytes in enumerate(_measure_memory_bytes(alive)):
            memory.add_metric((str(number),), resident_bytes)
        yield memory


class Gauges:
    """Counters of one server."""

    def __init__(self, jobs: Jobs) -> None:
        self._registry = CollectorRegistry()
        self._registry.register(_WorkCollector(jobs))
        ProcessCollector(registry=self._registry)
        self.requests = self._add_counter("requests", "Requests answered.", "method", "path", "status")
        self.refused = self._add_counter("uploads_refused", "Photos handed in that were not taken.", "code")
        self.photos = self._add_counter("photos_stored", "Photos kept with a reading or a game.")
        self._readings = self._add_counter("readings", "Readings ended: done, refused, failed.", "outcome", "code")
        self._doubtful = self._add_counter("readings_doubtful", "Readings with a doubt that may change points.")
        self._doubts = self._add_counter("doubts", "Doubts that may change points.", "about")
        self._corrections = self._add_counter("corrections", "Corrections made.", "kind")
        self._seconds = self._add_histogram(
            "reading_seconds", "From a photo's arrival to its report.", READING_BUCKETS_SECONDS
        )
        self._stages = self._add_histogram(
            "stage_seconds", "What readings spend on a stage.", STAGE_BUCKETS_SECONDS, "stage"
        )

    @contextmanager
    def time_reading(self) -> Iterator[Callable[[Outcome], None]]:
        """Time a reading; yield the function that takes its outcome, if there is one."""
        started = time.perf_counter()
        yield self._note
        self._seconds.observe(time.perf_counter() - started)

    def count_corrections(self, corrections: Sequence[Any]) -> None:
        """Count the corrections made."""
        for kind, count in Counted(correction.kind for correction in corrections).items():
            self._corrections.labels(kind).inc(count)

    def render(self) -> bytes:
        """Render all counters in the Prometheus format."""
        return generate_latest(self._registry)

    def _note(self, outcome: Outcome) -> None:
        if outcome.error is not None:
            fault = find_http_status(restore_error(outcome.error)) >= 500
            self._readings.labels("failed" if fault else "refused", outcome.error["code"]).inc()
            return
        self._readings.labels("done", "").inc()
        self._doubtful.inc(outcome.figures.doubtful)
        for about, count in outcome.figures.doubts.items():
            self._doubts.labels(about).inc(count)
        for stage, seconds in outcome.figures.stages.items():
            self._stages.labels(stage).observe(seconds)

    def _add_counter(self, name: str, about: str, *labels: str) -> Counter:
        return Counter(f"wondertally_{name}", about, labels, registry=self._registry)

    def _add_histogram(self, name: str, about: str, buckets: Sequence[float], *labels: str) -> Histogram:
        return Histogram(f"wondertally_{name}", about, labels, buckets=buckets, registry=self._registry)


def _measure_memory_bytes(processes: Collection[int]) -> Iterator[int]:
    """Yield the resident bytes of each process that still exists."""
    for process in sorted(processes):
        try:
            yield psutil.Process(process).memory_info().rss
        except psutil.NoSuchProcess:
            continue
