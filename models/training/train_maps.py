"""Train the net that reads maps of World Wonders: `python -m models.training.train_maps`; then
`models.calibration.maps`.

Each seed's samples are drawn first (up to 10 minutes on one core), and kept in the folder of runs. An interrupted run
resumes from its checkpoint there; without a checkpoint, `--start` begins with exported weights.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

from datasets.world_wonders.style import MEDLEY
from models.samples.maps import SKETCH, Maps, join_maps, load_maps
from models.training import in_memory_loop as in_memory
from models.training.export import export
from models.training.in_memory_loop import Course
from models.training.networks import Residual, build_convolution
from models.training.onnx_weights import take_up
from vision.arrays import Ints
from vision.runtime.onnx import MODELS
from vision.world_wonders.squares import AROUND, LEAN_STEP, PLANES, SQUARE_PX, turn_planes, turn_seams
from vision.world_wonders.squares import KINDS as KINDS_READ

NAME = "maps"
BATCH, STEPS, CYCLES = 8, 3000, 2
"""Batch size and default numbers of steps in a cycle and of cycles. A guess."""
RATE, FURTHER_RATE = 3e-3, 1.5e-3
"""Peak learning rates of the first cycle, from scratch and from exported weights; each further cycle's is half that of
the one before. A guess."""
RISING_SHARE, AVERAGE_KEPT_SHARE = 0.2, 0.99
"""Share of steps before the peak, and share of the averaged weights kept at a step. A guess."""
STATISTICS_SAMPLES = 64
"""Maps from which the norms' statistics are computed if exported weights are trained further. A guess."""
JOINED_WEIGHT = 1.0
"""Weight of the loss of seams. A guess."""
MIDDLE = 128.0
"""Value that encodes no lean, in the middle of uint8."""
REPORT_EVERY_STEPS = 20
"""Steps between lines of progress. A guess."""


class MapNet(nn.Module):
    """A net of (n, 8, h, w) planes (`vision.world_wonders.squares`) with logits of squares and of neighbours.

    (n, rows, cols, 10) kinds, and (n, rows, cols, 2): whether the square to the right and the one below belong to the
    same piece.
    """

    outputs = ("kinds", "joined")

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            build_convolution(PLANES, 24, 2, kernel=5),
            build_convolution(24, 48, 2),
            Residual(48),
            build_convolution(48, 80, 2),
            Residual(80),
            nn.Conv2d(80, 96, 3, 3, bias=False),
            nn.BatchNorm2d(96),
            nn.ReLU(inplace=True),
            Residual(96),
            Residual(96),
        )
        self.kinds = nn.Conv2d(96, len(KINDS_READ), 1)
        self.joined = nn.Conv2d(96, 2, 3, 1, 1)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor]:
        colours = (x[:, :6] - 118.0) / 62.0
        leans = (x[:, 6:] - MIDDLE) / LEAN_STEP
        features = self.body(torch.cat([colours, leans], dim=1))
        inner = slice(AROUND, -AROUND)
        kinds, joined = (head(features)[:, :, inner, inner].permute(0, 2, 3, 1) for head in (self.kinds, self.joined))
        return kinds, joined


def draw_batch(maps: Maps, which: Ints, turns: int, rng: np.random.Generator) -> list[Tensor]:
    """Return some of the samples after counter-clockwise quarter turns, with small changes of colour."""
    planes = turn_planes(maps.planes[which], turns).astype(np.float32)
    gain = np.exp(rng.normal(0, 0.08, (len(which), 1, 1, 3))).astype(np.float32)
    tile_gain = np.exp(rng.normal(0, 0.05, (len(which), 1, 1, 3))).astype(np.float32)
    planes[..., :3] *= gain * tile_gain
    planes[..., 3:6] *= gain
    planes[..., :3] += 3 * rng.standard_normal(planes[..., :3].shape, np.float32)
    planes = np.clip(planes, 0, 255)
    kinds = np.rot90(maps.kinds[which], turns, (1, 2)).copy()
    joined = turn_seams(maps.joined[which], turns)
    return [torch.from_numpy(planes).permute(0, 3, 1, 2), torch.from_numpy(kinds), torch.from_numpy(joined)]


def compute_loss(net: nn.Module, batch: list[Tensor]) -> Tensor:
    """Compute the cross-entropy of the kinds, and of the seams between two squares of one kind."""
    planes, kinds, joined = batch
    kind_logits, one = net(planes)
    mask = joined >= 0
    seams = F.binary_cross_entropy_with_logits(one[mask], joined[mask].float()) if mask.any() else one.sum() * 0
    return F.cross_entropy(kind_logits.flatten(0, 2), kinds.flatten()) + JOINED_WEIGHT * seams


def train(maps: Maps, options: argparse.Namespace) -> nn.Module:
    """Return the averaged net, from the last checkpoint, else from `options.start`, else from scratch."""

    def draw(rng: np.random.Generator) -> list[Tensor]:
        which = rng.integers(len(maps.planes), size=BATCH)
        return draw_batch(maps, which, int(rng.integers(4)), rng)

    def start(net: nn.Module) -> None:
        rng = np.random.default_rng(options.seed)
        some = rng.permutation(len(maps.planes))[:STATISTICS_SAMPLES]
        take_up(net, options.start, draw_batch(maps, some, 0, rng)[:1], range(2))

    rate = RATE if options.start is None else FURTHER_RATE
    course = Course(NAME, draw, compute_loss, rate, RISING_SHARE, AVERAGE_KEPT_SHARE, REPORT_EVERY_STEPS)
    return in_memory.train(course, MapNet, options, None if options.start is None else start)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=Path, default=Path("runs"), help="folder of samples and checkpoints")
    parser.add_argument(
        "--sketch", type=int, nargs="*", default=[11, 12, 13, 15, 16, 17], help="seeds of arts as those read"
    )
    parser.add_argument(
        "--medley",
        type=int,
        nargs="*",
        default=[14, 14, 14],
        help="seeds of arts of more sorts; one given twice is seen twice as often",
    )
    parser.add_argument("--steps", type=int, default=STEPS)
    parser.add_argument("--cycles", type=int, default=CYCLES)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", type=Path, help="weights to go on from, as they were exported")
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    maps = join_maps(
        [*load_maps(options.runs, SKETCH, options.sketch), *load_maps(options.runs, MEDLEY, options.medley)]
    )
    net = train(maps, options)
    settings = {name: getattr(options, name) for name in ("sketch", "medley", "seed", "steps", "cycles")}
    metadata = settings | {"samples": len(maps.planes), "temperatures": [1.0, 1.0]}
    size = (SQUARE_PX * 9, SQUARE_PX * 9)
    export(net, MODELS / "maps.onnx", size, MapNet.outputs, metadata, free_size=True, channels=PLANES)


if __name__ == "__main__":
    main()
