"""Things that take long to make: each is made once in a run of the tests, and read by all its workers."""

from __future__ import annotations

import os
import pickle
from collections.abc import Callable
from functools import cache, wraps
from hashlib import sha256
from pathlib import Path
from tempfile import gettempdir
from typing import ParamSpec, TypeVar, cast

from filelock import FileLock

P = ParamSpec("P")
T = TypeVar("T")

folder = Path(gettempdir()) / f"wondertally-kept-{os.getpid()}"
"""The folder of the things; a run of pytest replaces it by one in its own temporary folder."""


def keep(make: Callable[P, T]) -> Callable[P, T]:
    """Keep the results of a function whose arguments have the same `repr` in all processes."""

    @cache
    def load(*arguments: P.args, **named: P.kwargs) -> T:
        key = sha256(repr((arguments, sorted(named.items()))).encode()).hexdigest()[:16]
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / f"{make.__module__}.{make.__qualname__}-{key}.pickle"
        with FileLock(file.with_suffix(".lock")):
            if not file.exists():
                file.write_bytes(pickle.dumps(make(*arguments, **named)))
        return cast(T, pickle.loads(file.read_bytes()))

    return wraps(make)(cast("Callable[P, T]", load))
