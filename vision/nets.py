"""The trained nets as ONNX sessions: uint8 BGR pictures in, arrays out, metadata at hand."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime as ort
from numpy.typing import NDArray

from vision.errors import InputError

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]

MODELS = Path(__file__).parent.parent / "models"
THREADS = 2


class Net:
    """One ONNX model; its metadata are the values that its training command wrote into it.

    `spent_ms` adds up the milliseconds that it has been at work. Raises InputError `models_missing`.
    """

    def __init__(self, file: Path, threads: int = THREADS) -> None:
        if not file.is_file():
            raise InputError("models_missing", details={"file": file.name})
        options = ort.SessionOptions()
        options.intra_op_num_threads = threads
        options.log_severity_level = 3
        self._session = ort.InferenceSession(str(file), options, providers=["CPUExecutionProvider"])
        found = self._session.get_modelmeta().custom_metadata_map
        self.metadata: dict[str, Any] = {key: json.loads(value) for key, value in found.items()}
        self.spent_ms = 0.0

    def __call__(self, pictures: Image, **numbers: Floats) -> list[Floats]:
        """(n, h, w, 3) uint8 BGR pictures, and (n,) float32 each of what else it takes, to its outputs, n first."""
        started = time.perf_counter()
        outputs = self._session.run(None, {"pictures": pictures, **numbers})
        self.spent_ms += (time.perf_counter() - started) * 1000
        return [np.asarray(out, dtype=np.float32) for out in outputs]
