"""The loop of nets whose samples all fit in memory: each step draws its own batch, so a run can resume at any step."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn

from models.training.loop import read_cycle, resume, save, update_average
from models.training.networks import choose_device

SAVED_EVERY_STEPS = 50
"""Steps between checkpoints. A guess."""

Draw = Callable[[np.random.Generator], list[Tensor]]
Loss = Callable[[nn.Module, list[Tensor]], Tensor]


@dataclass(frozen=True, slots=True)
class Course:
    """The training of one net; `draw` returns a batch, and progress is printed every `report_every` steps.

    `rate` is the peak learning rate of the first cycle, and each further cycle's is half that of the one before;
    `rising` is the share of a cycle's steps before the peak; `kept_share` is the share of the averaged weights kept at
    a step.
    """

    name: str
    draw: Draw
    loss: Loss
    rate: float
    rising: float
    kept_share: float
    report_every: int


def train(
    course: Course,
    new: Callable[[], nn.Module],
    options: argparse.Namespace,
    start: Callable[[nn.Module], None] | None = None,
) -> nn.Module:
    """Return the averaged net after `options.cycles` cycles, from the last checkpoint in `options.runs`, if any.

    `new` builds an untrained net; `start` is applied to it if there is no checkpoint.
    """
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    net, checkpoint = new(), options.runs / f"{course.name}.pt"
    if start is not None and not checkpoint.exists():
        start(net)
    device = choose_device()
    net = net.to(device)
    average = deepcopy(net).eval()
    for cycle in range(read_cycle(checkpoint), options.cycles):
        rate = course.rate / 2**cycle
        optimiser = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=0.02)
        schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, rate, options.steps + 1, pct_start=course.rising)
        state = {"net": net, "average": average, "optimiser": optimiser, "schedule": schedule}
        first, began, recent = resume(checkpoint, state, cycle, options.steps), time.monotonic(), list[float]()
        net.train()
        for step in range(first, options.steps):
            rng = np.random.default_rng([options.seed, cycle, step])
            amiss = course.loss(net, [tensor.to(device) for tensor in course.draw(rng)])
            optimiser.zero_grad(set_to_none=True)
            amiss.backward()
            optimiser.step()
            schedule.step()
            update_average(average, net, min(course.kept_share, (1 + step) / (10 + step)))
            recent.append(float(amiss.detach()))
            if (step + 1) % course.report_every == 0:
                pace = (step + 1 - first) / (time.monotonic() - began)
                done = f"cycle {cycle + 1}/{options.cycles} step {step + 1}/{options.steps}"
                print(f"{course.name} {done} loss {np.mean(recent):.4f} {pace:.2f} steps/s", flush=True)
                recent = []
            if (step + 1) % SAVED_EVERY_STEPS == 0 or step + 1 == options.steps:
                save(checkpoint, state, cycle, step + 1, options.steps)
    return average.cpu()
