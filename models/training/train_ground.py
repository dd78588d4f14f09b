"""Train the net that finds the feature a piece stands on: `python -m models.training.train_ground`; then
`models.calibration.features`.

Samples are drawn first, and kept in the folder of runs. An interrupted run resumes from the samples and checkpoint
there.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

from models.samples.ground import MAX_FEATURES, POSES, GroundSamples, load_ground_samples
from models.training import in_memory_loop as in_memory
from models.training.export import export
from models.training.in_memory_loop import Course
from models.training.networks import GroundNet
from vision.arrays import Ints
from vision.pieces.ground_classifier import DRAWN_KINDS, GROUND_CHANNELS, GROUND_PX, NO_FEATURE, find_channel
from vision.runtime.onnx import MODELS

NAME = "ground"
CHUNKS, BATCH, STEPS = 190, 128, 9000
"""Default numbers of chunks of samples, pieces in a batch and steps in a cycle. A guess."""
RATE, RISING_SHARE, AVERAGE_KEPT_SHARE = 2e-3, 0.15, 0.995
"""Peak learning rate, share of steps before the peak, and share of the averaged weights kept at a step. A guess."""
REPORT_EVERY_STEPS = 50
"""Steps between lines of progress. A guess."""
FIELD = find_channel("field")
OPEN_SHARE = 0.25
"""Share of the pieces shown all features although their pose decides whether they are farmers. Discs, and farmers who
stand, are always shown all. A guess."""
STANDING, LYING, DISC = (POSES.index(pose) for pose in ("standing", "lying", "disc"))
GREY_SHARE = 0.05
"""Share of pictures without colour. A guess."""
NOISE_LEVELS = 4.0
"""Standard deviation of the noise in grey levels. A guess."""


def draw_batch(samples: GroundSamples, which: Ints, rng: np.random.Generator) -> list[Tensor]:
    """Return some samples, all turned and mirrored alike, with small changes of light.

    (n, GROUND_PX, GROUND_PX, 3) photos as float32 and (n, GROUND_PX, GROUND_PX) the index of the feature drawn at each
    pixel; (n, MAX_FEATURES) the features' kinds and whether the piece may be on each; (n,) the index of its true one.
    """
    kinds, poses = samples.kinds[which], samples.poses[which]
    on_field = samples.kinds[which, samples.truth[which]] == FIELD
    is_open = (poses == DISC) | ((poses == STANDING) & on_field) | (rng.random(len(which)) < OPEN_SHARE)
    possible = (kinds >= 0) & (is_open[:, None] | ((kinds == FIELD) == (poses == LYING)[:, None]))
    turns, mirrored = int(rng.integers(4)), rng.random() < 0.5
    photos, drawings = (
        np.rot90(values, turns, (1, 2))[:, :, :: -1 if mirrored else 1]
        for values in (samples.pictures[which], samples.numbers[which])
    )
    gains = np.exp(rng.normal(0, 0.12, (len(which), 1, 1, 3)) + rng.normal(0, 0.15, (len(which), 1, 1, 1)))
    lit = np.asarray(photos * gains + rng.normal(0, 8, (len(which), 1, 1, 1)), np.float32)
    grey = rng.random(len(which)) < GREY_SHARE
    lit[grey] = lit[grey].mean(axis=3, keepdims=True)
    arrays = (lit, np.ascontiguousarray(drawings), kinds, possible, samples.truth[which])
    return [torch.from_numpy(array) for array in arrays]


def build_pictures(photos: Tensor, drawings: Tensor, kinds: Tensor, pieces: Tensor, numbers: Tensor) -> Tensor:
    """Build the net's (m, GROUND_CHANNELS, GROUND_PX, GROUND_PX) inputs for m features, each of one of n pieces."""
    nothing = torch.full_like(kinds[:, :1], NO_FEATURE)
    of_pixels = torch.cat([kinds, nothing], dim=1).gather(1, drawings.flatten(1).long() % (MAX_FEATURES + 1))
    kinds_drawn = of_pixels.reshape(drawings.shape)
    drawing = torch.stack([kinds_drawn == kind for kind in range(len(DRAWN_KINDS))], dim=1)[pieces]
    rival = (drawings[pieces] == numbers[:, None, None])[:, None]
    return torch.cat([photos.permute(0, 3, 1, 2)[pieces], 255.0 * drawing, 255.0 * rival], dim=1)


def compute_loss(net: nn.Module, batch: list[Tensor]) -> Tensor:
    """Compute the cross-entropy of each piece's true feature among those that it may be on."""
    photos, drawings, kinds, possible, truth = batch
    noisy = (photos + NOISE_LEVELS * torch.randn_like(photos)).clamp(0, 255)
    pieces, numbers = possible.nonzero(as_tuple=True)
    logits = net(build_pictures(noisy, drawings, kinds, pieces, numbers))[:, 0]
    table = torch.full(possible.shape, -torch.inf, device=logits.device)
    table[pieces, numbers] = logits
    return F.cross_entropy(table, truth.long())


def train(samples: GroundSamples, options: argparse.Namespace) -> nn.Module:
    """Return the averaged net, from the last checkpoint if there is one."""

    def draw(rng: np.random.Generator) -> list[Tensor]:
        return draw_batch(samples, rng.integers(len(samples), size=options.batch), rng)

    course = Course(NAME, draw, compute_loss, RATE, RISING_SHARE, AVERAGE_KEPT_SHARE, REPORT_EVERY_STEPS)
    return in_memory.train(course, GroundNet, options)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--art", type=Path, default=Path("../shared/tiles"), help="folder of art sets and manifest.csv")
    parser.add_argument("--runs", type=Path, default=Path("runs"), help="folder of samples and checkpoints")
    parser.add_argument("--chunks", type=int, default=CHUNKS, help="number of rounds of samples, twelve tables each")
    parser.add_argument("--batch", type=int, default=BATCH)
    parser.add_argument("--steps", type=int, default=STEPS)
    parser.add_argument("--cycles", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--workers", type=int, default=2, help="number of processes that draw samples")
    options = parser.parse_args()
    samples = load_ground_samples(options.runs, options.art, options.seed, options.chunks, options.workers)
    net = train(samples, options)
    metadata = {name: getattr(options, name) for name in ("seed", "chunks", "batch", "steps", "cycles")}
    metadata |= {"samples": len(samples)}
    size = (GROUND_PX, GROUND_PX)
    export(net, MODELS / f"{NAME}.onnx", size, [NAME], metadata, free_size=False, channels=GROUND_CHANNELS)


if __name__ == "__main__":
    main()
