"""The loop of nets whose samples are drawn on demand."""

from __future__ import annotations

import argparse
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training needs the extra [train]")

from torch import Tensor, nn  # noqa: E402

from datasets.render.random_tables import Props  # noqa: E402
from models.samples.tiles import Sample, Sources  # noqa: E402
from models.training.loop import Recipe, _Stream, train  # noqa: E402

NOTHING = Sources(Props((), (), (), (), (), (), (), ()), ())


def numbers(sources: Sources, rng: np.random.Generator) -> Iterator[Sample]:
    while True:
        yield (rng.normal(0, 1, 3).astype(np.float32),)


def loss(net: nn.Module, batch: list[Tensor]) -> Tensor:
    return torch.as_tensor((net(batch[0]) - batch[0].sum(1, keepdim=True)).square().mean())


def test_a_net_is_initialised_once_and_a_finished_cycle_needs_no_samples(tmp_path: Path) -> None:
    recipe = Recipe("tried", numbers, loss, batch=4, steps=3, rate=1e-2)
    started: list[Any] = []
    seeds: list[int] = []

    def material(seed: int) -> Sources:
        seeds.append(seed)
        return NOTHING

    for cycles in (1, 2):
        options = argparse.Namespace(
            runs=tmp_path, seed=1, steps=3, cycles=cycles, threads=1, workers=1, batch=None, repeats=1
        )
        train(recipe, nn.Linear(3, 1), options, material, started.append)
    assert len(started) == 1
    assert seeds == [1, 101]


def test_fewer_cycles_than_already_finished_are_refused(tmp_path: Path) -> None:
    recipe = Recipe("tried", numbers, loss, batch=4, steps=3, rate=1e-2)
    common = {"runs": tmp_path, "seed": 1, "steps": 3, "threads": 1, "workers": 1, "batch": None, "repeats": 1}
    train(recipe, nn.Linear(3, 1), argparse.Namespace(**common, cycles=2), lambda seed: NOTHING)
    again = train(recipe, nn.Linear(3, 1), argparse.Namespace(**common, cycles=2), lambda seed: NOTHING)
    saved = torch.load(tmp_path / "tried.pt", weights_only=False)
    assert torch.equal(again.state_dict()["weight"], saved["average"]["weight"])
    with pytest.raises(SystemExit, match="later cycle"):
        train(recipe, nn.Linear(3, 1), argparse.Namespace(**common, cycles=1), lambda seed: NOTHING)


def test_a_forked_worker_can_draw_with_opencv(tmp_path: Path) -> None:
    """Threads do not survive a fork: a worker that used the parent's would wait for ever."""

    def blur(sources: Sources, rng: np.random.Generator) -> Iterator[Sample]:
        while True:
            yield (cv2.GaussianBlur(rng.normal(0, 1, (600, 600)), (0, 0), 5)[0, :3].astype(np.float32),)

    def use_threads(seed: int) -> Sources:
        cv2.setNumThreads(4)
        cv2.warpAffine(np.zeros((2000, 2000, 3), np.uint8), np.eye(2, 3), (2000, 2000))
        return NOTHING

    def give_up(number: int, frame: object) -> None:
        raise TimeoutError("no sample came")

    before = cv2.getNumThreads()
    former = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(60)
    try:
        options = argparse.Namespace(
            runs=tmp_path, seed=1, steps=3, cycles=1, threads=1, workers=1, batch=None, repeats=1
        )
        train(Recipe("tried", blur, loss, batch=4, steps=3, rate=1e-2), nn.Linear(3, 1), options, use_threads)
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, former)
        cv2.setNumThreads(before)
    assert (tmp_path / "tried.pt").exists()


def test_each_sample_is_repeated_the_requested_number_of_times() -> None:
    def count(sources: Sources, rng: np.random.Generator) -> Iterator[Sample]:
        yield from ((np.array(number),) for number in range(4000))

    shown = [int(number) for (number,) in _Stream(Recipe("tried", count, loss, 1, 1, 1.0), NOTHING, 1, 0, repeats=3)]
    times = np.bincount(shown, minlength=4000)
    assert times.max() == 3
    assert (times[:1000] == 3).mean() > 0.6
    assert any(one != other for one, other in zip(shown, sorted(shown), strict=True))
