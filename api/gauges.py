"""What /metrics tells: requests, readings and the queue, each server for itself."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

SECONDS = (0.5, 1, 2, 4, 8, 15, 30, 60, 120, 300)


class _Queue(Collector):
    def __init__(self, counts: Callable[[], tuple[int, int]]) -> None:
        self._counts = counts

    def collect(self) -> Iterator[GaugeMetricFamily]:
        waiting, working = self._counts()
        yield GaugeMetricFamily("wondertally_readings_waiting", "Readings that wait.", value=waiting)
        yield GaugeMetricFamily("wondertally_readings_working", "Readings that are being read.", value=working)


class Gauges:
    """The counters of one server; `counts` tells how many readings wait and how many are being read."""

    def __init__(self, counts: Callable[[], tuple[int, int]]) -> None:
        self._registry = CollectorRegistry()
        self._registry.register(_Queue(counts))
        names = ("method", "path", "status")
        self.requests = Counter("wondertally_requests", "Requests answered.", names, registry=self._registry)
        self._readings = Counter("wondertally_readings", "Readings ended.", ("outcome",), registry=self._registry)
        about = "From a photo's arrival to its report."
        self._seconds = Histogram("wondertally_reading_seconds", about, buckets=SECONDS, registry=self._registry)

    @contextmanager
    def reading(self) -> Iterator[Callable[[str], None]]:
        """Time a reading; what it yields is to be told the outcome."""
        started = time.perf_counter()
        yield lambda outcome: self._readings.labels(outcome).inc()
        self._seconds.observe(time.perf_counter() - started)

    def text(self) -> bytes:
        """All, as Prometheus reads it."""
        return generate_latest(self._registry)
