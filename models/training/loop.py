"""Parts shared by the training commands: material, a seeded stream of batches, a resumable loop, export to ONNX."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor, nn
from torch.utils.data import DataLoader, IterableDataset, get_worker_info

from models.samples.splits import gather_training_material
from models.samples.tiles import Sample, Sources
from models.training.networks import choose_device

BUFFER_SAMPLES = 512
"""Samples in the shuffle buffer for each repeat of a sample, so that neighbours of one table do not fill a batch. A
guess."""

Stream = Callable[[Sources, np.random.Generator], Iterator[Sample]]
Material = Callable[[int], Sources]
"""The function that returns a cycle's material for samples, given its seed."""
Loss = Callable[[nn.Module, list[Tensor]], Tensor]


@dataclass(frozen=True, slots=True)
class Recipe:
    """The training of one net: `steps` batches of `batch` samples at a peak learning rate of `rate`."""

    name: str
    stream: Stream
    loss: Loss
    batch: int
    steps: int
    rate: float


def parse_arguments(
    description: str,
    steps: int,
    cycles: int = 2,
    parser: argparse.ArgumentParser | None = None,
    continues: bool = False,
) -> argparse.Namespace:
    """Parse the arguments of every training command, together with those of a `parser` of its own.

    A training that `continues` may begin with exported weights (`--start`).
    """
    parser = parser or argparse.ArgumentParser()
    parser.description = description
    if continues:
        parser.add_argument("--start", type=Path, help="exported weights to start from")
    add_material_arguments(parser)
    parser.add_argument(
        "--runs", type=Path, default=Path("runs"), help="folder of checkpoints, from which a run resumes"
    )
    parser.add_argument("--steps", type=int, default=steps)
    parser.add_argument("--cycles", type=int, default=cycles)
    parser.add_argument("--batch", type=int, help="number of samples per step; by default the net's own")
    parser.add_argument("--repeats", type=int, default=1, help="number of times each sample is used, to save drawing")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--workers", type=int, default=1)
    return parser.parse_args()


def add_material_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments for the material of samples, and for the seed by which they are drawn."""
    parser.add_argument("--art", type=Path, default=Path("../shared/tiles"), help="folder of art sets and manifest.csv")
    parser.add_argument("--photos", type=Path, default=Path("../shared/photos"), help="folder that holds `train`")
    parser.add_argument(
        "--labels", type=Path, default=Path("../shared/labels"), help="folder of the labels of the photos in `train`"
    )
    parser.add_argument("--seed", type=int, default=1)


class _Stream(IterableDataset[Sample]):
    """A worker's endless, seeded, shuffled stream; a resumed run has another `start`, so samples do not repeat.

    Each sample comes `repeats` times.
    """

    def __init__(self, recipe: Recipe, sources: Sources, seed: int, start: int, repeats: int = 1) -> None:
        self.recipe, self.sources, self.seed, self.start, self.repeats = recipe, sources, seed, start, repeats

    def __iter__(self) -> Iterator[Sample]:
        info = get_worker_info()
        rng = np.random.default_rng([self.seed, self.start, info.id if info else 0])
        buffer: list[tuple[Sample, int]] = []
        for sample in self.recipe.stream(self.sources, rng):
            buffer.append((sample, self.repeats))
            for _ in range(self.repeats if len(buffer) >= BUFFER_SAMPLES * self.repeats else 0):
                i = int(rng.integers(len(buffer)))
                buffer[i], buffer[-1] = buffer[-1], buffer[i]
                chosen, left = buffer.pop()
                if left > 1:
                    buffer.append((chosen, left - 1))
                yield chosen


def train(
    recipe: Recipe,
    net: nn.Module,
    options: argparse.Namespace,
    material: Material | None = None,
    start: Callable[[nn.Module], None] | None = None,
) -> nn.Module:
    """Train `options.cycles` cycles, from the last checkpoint if there is one; return the averaged net.

    Each cycle has its own `material`, by default that of `gather_training_material`, and a learning rate that rises and
    falls, half as high as in the cycle before. `start` is applied to the net if there is no checkpoint.
    """
    material = material or partial(gather_training_material, options.art, options.photos, options.labels)
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    checkpoint = options.runs / f"{recipe.name}.pt"
    if start is not None and not checkpoint.exists():
        start(net)
    net = net.to(choose_device(), memory_format=torch.channels_last)
    average = deepcopy(net).eval()
    if read_cycle(checkpoint) >= options.cycles:
        raise SystemExit(f"{checkpoint} is of a later cycle than --cycles {options.cycles} asks for")
    for cycle in range(read_cycle(checkpoint), options.cycles):
        _cycle(recipe, net, average, cycle, checkpoint, options, material)
    return average.cpu()


def _cycle(
    recipe: Recipe,
    net: nn.Module,
    average: nn.Module,
    cycle: int,
    checkpoint: Path,
    options: argparse.Namespace,
    material: Material,
) -> None:
    rate = recipe.rate / 2**cycle
    optimiser = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=0.02)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, rate, options.steps + 1, pct_start=0.15)
    state = {"net": net, "average": average, "optimiser": optimiser, "schedule": schedule}
    start = resume(checkpoint, state, cycle, options.steps)
    if start >= options.steps:  # the cycle is complete: skip its material, which takes minutes
        return
    seed = options.seed + 100 * cycle
    stream = _Stream(recipe, material(seed), seed, start, options.repeats)
    # Forked workers do not have OpenCV's threads, and would wait for them forever.
    cv2.setNumThreads(1)
    loader = DataLoader(
        stream, batch_size=options.batch or recipe.batch, num_workers=options.workers, prefetch_factor=4
    )
    device = choose_device()
    net.train()
    began, recent = time.monotonic(), []
    for step, batch in zip(range(start, options.steps), loader, strict=False):
        loss = recipe.loss(net, [t.to(device) for t in batch])
        optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 5.0)
        optimiser.step()
        schedule.step()
        update_average(average, net, 0.995 if cycle else min(0.995, (1 + step) / (10 + step)))
        recent.append(float(loss.detach()))
        if (step + 1) % 20 == 0:
            pace = (step + 1 - start) / (time.monotonic() - began)
            done = f"{recipe.name} cycle {cycle + 1}/{options.cycles} step {step + 1}/{options.steps}"
            print(f"{done} loss {np.mean(recent):.4f} {pace:.2f} steps/s", flush=True)
            recent = []
        if (step + 1) % 100 == 0 or step + 1 == options.steps:
            save(checkpoint, state, cycle, step + 1, options.steps)


def update_average(average: nn.Module, net: nn.Module, keep: float) -> None:
    """Update the exponential moving average of the weights; batch statistics are copied."""
    with torch.no_grad():
        for a, b in zip(average.parameters(), net.parameters(), strict=True):
            a.lerp_(b, 1 - keep)
        for a, b in zip(average.buffers(), net.buffers(), strict=True):
            a.copy_(b)


def read_cycle(checkpoint: Path) -> int:
    """Read the cycle in which the checkpoint was written; 0 without one."""
    return int(torch.load(checkpoint, weights_only=False).get("cycle", 0)) if checkpoint.exists() else 0


def resume(checkpoint: Path, state: Mapping[str, object], cycle: int, steps: int) -> int:
    """Return the step to resume from; a new cycle keeps the nets, but not the optimiser."""
    if not checkpoint.exists():
        return 0
    saved = torch.load(checkpoint, weights_only=False)
    same = saved.get("cycle", 0) == cycle
    if same and saved["step"] < steps != saved.get("steps", steps):
        # The schedule of the learning rate was built for that number of steps.
        raise SystemExit(
            f"{checkpoint} was begun with --steps {saved['steps']}: go on with that, or with more --cycles"
        )
    for name, part in state.items():
        if same or name in ("net", "average"):
            part.load_state_dict(saved[name])  # type: ignore[attr-defined]
    return int(saved["step"]) if same else 0


def save(checkpoint: Path, state: Mapping[str, object], cycle: int, step: int, steps: int) -> None:
    """Write a checkpoint of a cycle after `step` of its steps."""
    checkpoint.parent.mkdir(parents=True, exist_ok=True)
    partial = checkpoint.with_suffix(".part")
    parts = {k: v.state_dict() for k, v in state.items()}  # type: ignore[attr-defined]
    torch.save({"cycle": cycle, "step": step, "steps": steps} | parts, partial)
    partial.replace(checkpoint)
