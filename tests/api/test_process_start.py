"""Worker processes have their imports when they start."""

from __future__ import annotations

import os
import subprocess
import sys
import time

from api.batch.local_pool import LocalPool
from api.batch.work import TaskResult
from api.reading.process_start import READING_MODULES
from tests.api.serving import LEVEL

READ = """
import importlib, sys

def list_parts():
    parts = {tuple(name.split(".")[:2]) for name in sys.modules}
    return {".".join(part) for part in parts if part[0] in ("cv2", "onnxruntime", "scipy", "shapely", "skimage")}

for name in sys.argv[2:]:
    importlib.import_module(name)
from vision.photo.decoding import Photo
from vision.reader import Reader
before = list_parts()
Reader.load_enrolled().read(Photo.from_path(sys.argv[1]))
print(*(list_parts() - before))
"""


def test_a_reading_imports_no_library_that_is_not_among_its_modules() -> None:
    command = [sys.executable, "-c", READ, str(LEVEL), *READING_MODULES]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout.split() == []


LOADED = """
import sys
from pathlib import Path
import wondertally

wondertally.read(sys.argv[1])
import api.cli.main

print(*{name.partition(".")[0] for name in sys.modules})
"""
SELDOM_NEEDED = {"scipy", "jinja2", "dask", "distributed", "sqlalchemy", "fastapi", "uvicorn", "fpdf", "tomlkit"}


def test_reading_a_photo_loads_no_modules_of_other_work() -> None:
    command = [sys.executable, "-c", LOADED, str(LEVEL)]
    loaded = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    assert "onnxruntime" in loaded
    assert SELDOM_NEEDED.isdisjoint(loaded)


def test_workers_of_a_batch_are_forked_from_a_separate_process() -> None:
    with LocalPool(2) as pool:
        results = dict(pool.run_tasks(_report_processes, ((str(number), ()) for number in range(2))))
    assert len({result["process"] for result in results.values()}) == 2
    (parent,) = {result["parent"] for result in results.values()}
    assert parent != os.getpid()


def _report_processes() -> TaskResult:
    time.sleep(0.5)  # so that the other has a task as well
    return {"process": os.getpid(), "parent": os.getppid()}
