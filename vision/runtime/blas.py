"""Single-threaded linear algebra for NumPy: its matrices are small here, and its idle threads spin.

OpenBLAS lets them spin for tens of milliseconds after a product, on cores that other work of a reading, or another
worker's photo, then waits for.
"""

from __future__ import annotations

from threadpoolctl import threadpool_limits


def limit_blas_threads() -> None:
    """Limit NumPy's linear algebra to one thread, in the whole process, for the libraries that are loaded."""
    threadpool_limits(limits=1, user_api="blas")
