"""What nets take of memory while they look at pictures, they give back."""

from __future__ import annotations

import subprocess
import sys

import pytest

from datasets.benchmark.mutants import EXAMPLE

READ_TWICE = """
import ctypes, re, sys
from pathlib import Path
from vision.photo.decoding import Photo
from vision.reader import Reader

def measure(name):
    return int(re.findall(name + r":\\s+(\\d+) kB", Path("/proc/self/status").read_text())[0])

reader = Reader(threads=1)
loaded = measure("VmRSS")
for _ in range(2):
    reader.read(Photo.from_path(sys.argv[1]))
ctypes.CDLL("libc.so.6").malloc_trim(0)
print(loaded, measure("VmRSS"), measure("VmHWM"))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the system's figures and glibc's are asked for")
def test_a_reader_holds_little_of_what_it_took_at_most() -> None:
    command = [sys.executable, "-c", READ_TWICE, str(EXAMPLE)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    loaded, after, most = map(int, done.stdout.split())
    assert after - loaded < (most - loaded) / 2
