"""Train the net that reads maps of World Wonders: `python -m models.training.train_maps`; then
`models.calibration.maps`.

Each seed's samples are drawn first (2 to 4 minutes on one core), and kept in the folder of runs. An interrupted run
resumes from its checkpoint there; without a checkpoint, `--start` begins with exported weights.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

from datasets.world_wonders.grounds import list_pictures
from datasets.world_wonders.style import MEDLEY
from models.samples.maps import SKETCH, Maps, join_maps, load_maps, mirror_planes, mirror_seams
from models.training import in_memory_loop as in_memory
from models.training.export import export
from models.training.in_memory_loop import Course
from models.training.networks import Residual, build_convolution
from models.training.onnx_weights import take_up
from vision.arrays import Image, Ints
from vision.runtime.onnx import MODELS
from vision.world_wonders.squares import AROUND, LEAN_STEP, PLANES, SQUARE_PX, turn_planes, turn_seams
from vision.world_wonders.squares import KINDS as KINDS_READ

NAME = "maps"
BATCH, STEPS, CYCLES = 8, 3000, 4
"""Batch size and default numbers of steps in a cycle and of cycles. A guess."""
PART = 5
"""Number of squares either way of a map that a step sees. Bounds time."""
RATE, FURTHER_RATE = 3e-3, 1.5e-3
"""Peak learning rates of the first cycle, from scratch and from exported weights; each further cycle's is half that of
the one before. A guess."""
RISING_SHARE, AVERAGE_KEPT_SHARE = 0.2, 0.99
"""Share of steps before the peak, and share of the averaged weights kept at a step. A guess."""
STATISTICS_SAMPLES = 64
"""Maps from which the norms' statistics are computed if exported weights are trained further. A guess."""
MIRRORED_SHARE = 0.5
"""Share of batches that are mirrored. A guess."""
JOINED_WEIGHT = 1.0
"""Weight of the loss of seams. A guess."""
MIDDLE = 128.0
"""Value that encodes no lean, in the middle of uint8."""
REPORT_EVERY_STEPS = 20
"""Steps between lines of progress. A guess."""


class MapNet(nn.Module):
    """A net of (n, 10, h, w) planes (`vision.world_wonders.squares`) with logits of squares and of neighbours.

    (n, rows, cols, 10) kinds, and (n, rows, cols, 2): whether the square to the right and the one below belong to the
    same piece.
    """

    outputs = ("kinds", "joined")

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            build_convolution(PLANES + 3, 24, 2, kernel=5),
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
        leans = (x[:, 6:8] - MIDDLE) / LEAN_STEP
        unlike = torch.cat([x[:, 8:9] / 62.0, (255.0 - x[:, 9:10]) / 62.0], dim=1)
        features = self.body(torch.cat([colours, leans, unlike, torch.abs(colours[:, :3] - colours[:, 3:])], dim=1))
        inner = slice(AROUND, -AROUND)
        kinds, joined = (head(features)[:, :, inner, inner].permute(0, 2, 3, 1) for head in (self.kinds, self.joined))
        return kinds, joined


def draw_batch(maps: Maps, which: Ints, turns: int, rng: np.random.Generator) -> list[Tensor]:
    """Return a part of some samples after counter-clockwise quarter turns, with small changes of colour.

    Half of the batches are mirrored, since other copies have tiles that are mirror images of those drawn.
    """
    parts = [_cut_part(maps, int(one), rng) for one in which]
    planes, kinds, joined = (np.stack(arrays) for arrays in zip(*parts, strict=True))
    if rng.random() < MIRRORED_SHARE:
        planes, kinds, joined = mirror_planes(planes), kinds[:, :, ::-1], mirror_seams(joined)
    planes = turn_planes(planes, turns).astype(np.float32)
    gain = np.exp(rng.normal(0, 0.08, (len(which), 1, 1, 3))).astype(np.float32)
    planes[..., :6] = np.clip(planes[..., :6] * np.concatenate([gain, gain], axis=3), 0, 255)
    kinds = np.rot90(kinds, turns, (1, 2)).copy()
    joined = turn_seams(joined, turns)
    return [torch.from_numpy(planes).permute(0, 3, 1, 2), torch.from_numpy(kinds), torch.from_numpy(joined)]


def _cut_part(maps: Maps, which: int, rng: np.random.Generator) -> tuple[Image, Ints, Ints]:
    """Return the planes, kinds and seams of PART squares either way of one sample."""
    rows, cols = maps.kinds.shape[1:]
    top, left = int(rng.integers(rows - PART + 1)), int(rng.integers(cols - PART + 1))
    squares = np.s_[top : top + PART, left : left + PART]
    high, wide = (slice(at * SQUARE_PX, (at + PART + 2 * AROUND) * SQUARE_PX) for at in (top, left))
    return maps.planes[which, high, wide], maps.kinds[which][squares], maps.joined[which][squares]


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
    parser.add_argument("--sketch", type=int, nargs="*", default=[21, 24, 25], help="seeds of arts as those read")
    parser.add_argument(
        "--medley",
        type=int,
        nargs="*",
        default=[22, 23],
        help="seeds of arts of more sorts; one given twice is seen twice as often",
    )
    parser.add_argument(
        "--grounds", type=Path, nargs="*", default=[], help="folders of pictures from which grounds are cut as well"
    )
    parser.add_argument("--steps", type=int, default=STEPS)
    parser.add_argument("--cycles", type=int, default=CYCLES)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", type=Path, help="weights to go on from, as they were exported")
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    pictures = list_pictures(options.grounds)
    seeds = {SKETCH: options.sketch, MEDLEY: options.medley}
    maps = join_maps([part for arts in seeds for part in load_maps(options.runs, arts, seeds[arts], pictures)])
    net = train(maps, options)
    settings = {name: getattr(options, name) for name in ("sketch", "medley", "seed", "steps", "cycles")}
    metadata = settings | {"samples": len(maps.planes), "pictures": len(pictures), "temperatures": [1.0, 1.0]}
    size = (SQUARE_PX * 9, SQUARE_PX * 9)
    export(net, MODELS / "maps.onnx", size, MapNet.outputs, metadata, free_size=True, channels=PLANES)


if __name__ == "__main__":
    main()
