"""Identity of a reading process: its program, weights and libraries, which must be the same for a whole batch."""

from __future__ import annotations

import platform
from collections.abc import Iterable
from functools import cache
from hashlib import sha256
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from api.enrolment.listing import list_enrolment_stores
from scoring.calibration import CALIBRATION_FILE
from vision.enrolment.games import GameEnrolments
from vision.enrolment.store import resolve_data_folder
from vision.errors import InputError
from vision.runtime.onnx import MODELS

_ROOT = Path(__file__).parents[2]
_CODE = ("api", "scoring", "vision")
_LIBRARIES = ("distributed", "numpy", "onnxruntime", "opencv-python-headless", "ortools")

Identity = dict[str, str]
"""Version or digest of each part: `program`, `weights`, `taught`, `boards`, `python` and each library.

`weights` covers the nets and the calibration file, `boards` the enrolled boards of printed games, `taught` all other
enrolments.
"""


@cache
def compute_identity() -> Identity:
    """Compute this process's identity, as of the first call; raises InputError `models_missing`."""
    weights = sorted(MODELS.glob("*.onnx"))
    if not weights:
        raise InputError("models_missing", details={"folder": MODELS.name})
    if not CALIBRATION_FILE.is_file():
        raise InputError("models_missing", details={"file": CALIBRATION_FILE.name})
    enrolled = [file for store in list_enrolment_stores() for file in store.files()]
    code = (file for package in _CODE for file in sorted((_ROOT / package).rglob("*.py")))
    return {
        "program": f"{version('wondertally')} {_digest(code, _ROOT)}",
        "weights": f"{_digest(weights, MODELS)} {_digest([CALIBRATION_FILE], CALIBRATION_FILE.parent)}",
        "taught": _digest(enrolled, resolve_data_folder()),
        "boards": compute_enrolment_digest(),
        "python": ".".join(platform.python_version_tuple()[:2]),
        **{name: version(name) for name in _LIBRARIES if name != "distributed" or has_cluster_extra()},
    }


def has_cluster_extra() -> bool:
    """Return whether Dask, the extra `cluster`, is installed."""
    return find_spec("distributed") is not None


def compute_enrolment_digest() -> str:
    """Compute a digest of the enrolled boards and pieces of games with printed boards; empty if there are none."""
    folder = GameEnrolments().folder
    files = sorted(file for file in folder.glob("*/*") if file.suffix in (".png", ".toml"))
    return _digest(files, folder) if files else ""


def compute_text_digest(texts: Iterable[str]) -> str:
    """Compute a digest of texts in order; empty if there are none."""
    digests = [sha256(text.encode()).hexdigest() for text in texts]
    return sha256("\n".join(digests).encode()).hexdigest()[:16] if digests else ""


def compare_identities(has: Identity, wanted: Identity) -> dict[str, dict[str, str]]:
    """Return the parts in which two processes differ, with the value of each."""
    parts = sorted(has.keys() | wanted.keys())
    return {
        part: {"has": has.get(part, ""), "wanted": wanted.get(part, "")}
        for part in parts
        if has.get(part) != wanted.get(part)
    }


def _digest(files: Iterable[Path], root: Path) -> str:
    """Compute a digest of files by their paths relative to the root and their contents."""
    whole = sha256()
    for file in files:
        content = file.read_bytes() if file.is_file() else b""  # a folder or pipe is a damaged file and is not read
        whole.update(file.relative_to(root).as_posix().encode() + b"\0" + sha256(content).digest())
    return whole.hexdigest()[:16]
