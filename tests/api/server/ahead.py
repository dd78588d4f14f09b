"""The command line on a machine whose clock is AHEAD seconds fast."""

from __future__ import annotations

import os
import runpy
import time

AHEAD = "WONDERTALLY_TEST_AHEAD"

if __name__ == "__main__":
    right, seconds = time.time, float(os.environ[AHEAD])
    time.time = lambda: right() + seconds
    runpy.run_module("wondertally", run_name="__main__", alter_sys=True)
