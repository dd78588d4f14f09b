"""The trained nets as ONNX sessions: uint8 BGR pictures in, arrays out, metadata at hand."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from functools import cache
from itertools import pairwise
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
import onnxruntime as ort
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from vision.arrays import Image, Singles
from vision.errors import InputError
from vision.runtime.parallel import map_concurrently

MODELS = Path(__file__).parents[2] / "models"
THREADS = 2
"""Default number of threads. A guess."""
MAX_BATCH_PICTURES = 9
"""Maximum number of pictures that a thread processes at once: smaller batches take longer per picture. Bounds
memory."""
_REGISTERING = Lock()


class Net:
    """One ONNX model; its metadata are the values that its training command wrote into it.

    It uses `threads` threads: all on one picture, or `apart`, each on its own pictures, which leaves a thread free if
    there is only one picture. `spent_ms` adds up the milliseconds for which it had all threads to itself, or would have
    had. Raises InputError `models_missing`, `models_damaged`.
    """

    def __init__(self, file: Path, threads: int = THREADS, apart: bool = False) -> None:
        if not file.is_file():
            raise InputError("models_missing", details={"file": file.name})
        limit_blas_threads()
        options = ort.SessionOptions()
        self._threads = threads if apart else 1
        options.intra_op_num_threads = 1 if apart else threads
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        _share_memory()
        options.add_session_config_entry("session.use_env_allocators", "1")
        options.enable_mem_pattern = False  # a pattern's block has the size of the net's peak memory
        options.log_severity_level = 3
        self._session = _open_session(file, options)
        metadata = self._session.get_modelmeta().custom_metadata_map
        self.metadata: dict[str, Any] = {key: json.loads(value) for key, value in metadata.items()}
        self.spent_ms = 0.0

    def __call__(self, pictures: Image, **numbers: Singles) -> list[Singles]:
        """Run (n, h, w, 3) uint8 BGR pictures, and (n,) float32 of each further input; outputs are (n, ...)."""
        inputs: dict[str, NDArray[np.generic]] = {"pictures": pictures, **numbers}
        ends = np.linspace(0, len(pictures), self._count_parts(len(pictures)) + 1).round().astype(int).tolist()
        parts = [{name: values[a:b] for name, values in inputs.items()} for a, b in pairwise(ends)]
        results = map_concurrently(self._run, parts) if len(parts) > 1 else [self._run(parts[0])]
        self.spent_ms += sum(spent for _, spent in results) / self._threads
        outputs = zip(*(outputs for outputs, _ in results), strict=True)
        return [np.concatenate(output).astype(np.float32, copy=False) for output in outputs]

    def _count_parts(self, count: int) -> int:
        """Return the number of parts into which pictures are split: one, or a multiple of the threads."""
        if self._threads == 1 or count <= MAX_BATCH_PICTURES:
            return 1
        rounds = -(-count // (MAX_BATCH_PICTURES * self._threads))
        return rounds * self._threads

    def _run(self, inputs: Mapping[str, NDArray[np.generic]]) -> tuple[list[NDArray[np.generic]], float]:
        """Return the outputs, and the milliseconds that they took."""
        started = time.perf_counter()
        outputs = self._session.run(None, dict(inputs))
        return outputs, (time.perf_counter() - started) * 1000


def _share_memory() -> None:
    """Make all nets of this process use one memory arena: separate ones would each keep their peak."""
    with _REGISTERING:
        _register_arena()


@cache
def _register_arena() -> None:
    memory = ort.OrtMemoryInfo("Cpu", ort.OrtAllocatorType.ORT_ARENA_ALLOCATOR, 0, ort.OrtMemType.DEFAULT)
    ort.create_and_register_allocator(memory, None)


def _open_session(file: Path, options: ort.SessionOptions) -> ort.InferenceSession:
    """Open a net; raises InputError `models_damaged` for an invalid file."""
    try:
        return ort.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])
    except MemoryError:
        raise
    except Exception as error:  # the runtime raises a separate class for each fault, without a common base
        raise InputError("models_damaged", details={"file": file.name, "reason": str(error)[:200]}) from error


def limit_blas_threads() -> None:
    """Limit NumPy's linear algebra to one thread, in the whole process, for the libraries that are loaded.

    Its matrices are small here, and OpenBLAS lets idle threads spin for tens of milliseconds after a product, on cores
    that other work of a reading, or another worker's photo, then waits for.
    """
    threadpool_limits(limits=1, user_api="blas")
