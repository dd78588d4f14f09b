"""Linear algebra leaves the cores to other work."""

from __future__ import annotations

import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from vision.runtime.onnx import MODELS, Net


def blas_threads() -> list[int]:
    return [library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"]


@pytest.mark.skipif(not blas_threads(), reason="which library NumPy's linear algebra comes of cannot be told")
def test_a_net_keeps_linear_algebra_to_one_thread() -> None:
    with threadpool_limits(limits=2, user_api="blas"):
        assert max(blas_threads()) == 2
        Net(MODELS / "coats.onnx")
        assert set(blas_threads()) == {1}
