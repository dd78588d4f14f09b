"""Measurements that a test's own process makes of itself."""

from __future__ import annotations

DEFINE_PEAK = """
def measure_peak():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM:"))
"""
"""The program text of a function that returns the process's peak of memory in KiB.

`resource.getrusage` returns the peak of the process which started it, where that is higher.
"""
