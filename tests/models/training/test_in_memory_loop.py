"""The loop of nets whose samples are in memory: a stopped run resumes as if it had not been stopped."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training needs the extra [train]")
pytest.importorskip("onnxscript", reason="training needs the extra [train]")

from models.samples.letters import Squares, draw_letter_samples  # noqa: E402
from models.training import in_memory_loop as in_memory  # noqa: E402
from models.training import train_letters  # noqa: E402

SQUARES = draw_letter_samples(8, 3)
STEPS, CYCLES, SAVED_EVERY_STEPS = 7, 2, 3
DRAWN = CYCLES * STEPS


def options(runs: Path, cycles: int = CYCLES) -> argparse.Namespace:
    return argparse.Namespace(runs=runs, seed=1, steps=STEPS, cycles=cycles, threads=1)


def trained(runs: Path, monkeypatch: pytest.MonkeyPatch, most: int = DRAWN) -> tuple[dict[str, Any], int]:
    """Return the weights of a training of letters, and its number of batches; it stops if it requests too many."""
    batch, count = train_letters.draw_batch, 0

    def counted(squares: Squares, rng: np.random.Generator) -> list[Any]:
        nonlocal count
        if count == most:
            raise KeyboardInterrupt
        count += 1
        return batch(squares, rng)

    with monkeypatch.context() as patched:
        patched.setattr(train_letters, "draw_batch", counted)
        patched.setattr(train_letters, "BATCH", 4)
        patched.setattr(in_memory, "SAVED_EVERY_STEPS", SAVED_EVERY_STEPS)
        return train_letters.train(SQUARES, options(runs)).state_dict(), count


@pytest.mark.parametrize(
    ("stopped", "left"),
    [(5, DRAWN - SAVED_EVERY_STEPS), (STEPS, DRAWN - STEPS), (STEPS + 4, DRAWN - STEPS - SAVED_EVERY_STEPS)],
)
def test_a_resumed_training_gives_the_weights_of_an_uninterrupted_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stopped: int, left: int
) -> None:
    whole, _ = trained(tmp_path / "whole", monkeypatch)
    with pytest.raises(KeyboardInterrupt):
        trained(tmp_path / "parts", monkeypatch, stopped)
    parts, batches = trained(tmp_path / "parts", monkeypatch)
    assert batches == left
    assert whole.keys() == parts.keys()
    assert all(torch.equal(whole[name], parts[name]) for name in whole)


def test_a_net_is_initialised_once(tmp_path: Path) -> None:
    """Restored weights must not replace those learned since."""
    batch = train_letters.draw_batch(SQUARES, np.random.default_rng(1))
    course = in_memory.Course("tried", lambda rng: batch, train_letters.compute_loss, 1e-3, 0.2, 0.9, 1)
    started: list[Any] = []
    for cycles in (1, 2):
        in_memory.train(course, train_letters.LetterNet, options(tmp_path, cycles), started.append)
    assert len(started) == 1
