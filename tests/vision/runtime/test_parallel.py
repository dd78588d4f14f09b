"""Parallel work gives the same results as sequential work."""

from __future__ import annotations

import multiprocessing
import sys
import threading
from collections.abc import Iterator

import cv2
import pytest

from vision.runtime.parallel import map_concurrently, run_concurrently


@pytest.fixture(params=[1, 2])
def threads(request: pytest.FixtureRequest) -> Iterator[int]:
    before = cv2.getNumThreads()
    cv2.setNumThreads(request.param)
    yield request.param
    cv2.setNumThreads(before)


@pytest.mark.usefixtures("threads")
def test_parallel_results_keep_the_order() -> None:
    assert map_concurrently(lambda number: number**2, range(40)) == [number**2 for number in range(40)]


@pytest.mark.usefixtures("threads")
def test_concurrent_calls_return_both_results() -> None:
    assert run_concurrently(lambda: "one", lambda: 2) == ("one", 2)


def test_both_calls_run_at_once_if_threads_are_available(threads: int) -> None:
    met = threading.Barrier(2, timeout=10 if threads == 2 else 0.01)

    def meet() -> bool:
        try:
            met.wait()
        except threading.BrokenBarrierError:
            return False
        return True

    assert run_concurrently(meet, meet) == ((True, True) if threads == 2 else (False, False))


@pytest.mark.usefixtures("threads")
@pytest.mark.parametrize("failing", [0, 1])
def test_an_exception_of_either_call_is_raised(failing: int) -> None:
    def fail() -> None:
        raise ValueError("no")

    work = [lambda: None, lambda: None]
    work[failing] = fail
    with pytest.raises(ValueError, match="no"):
        run_concurrently(*work)
    with pytest.raises(ValueError, match="no"):
        map_concurrently(lambda call: call(), work)


@pytest.mark.usefixtures("threads")
@pytest.mark.skipif(sys.platform == "win32", reason="nothing is forked there")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork:DeprecationWarning")
def test_a_forked_process_can_run_parallel_work() -> None:
    assert map_concurrently(abs, [-1, -2]) == [1, 2]
    forked = multiprocessing.get_context("fork").Process(target=map_concurrently, args=(abs, [-1, -2]))
    forked.start()
    forked.join(timeout=20)
    ended = forked.exitcode
    forked.kill()
    assert ended == 0
