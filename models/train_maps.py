"""Train the net that reads maps of World Wonders: `python -m models.train_maps`; then `models.calibrate_maps`.

The samples are drawn first (about an hour on one core), and kept in the folder of runs; then it trains for some twenty
minutes. `--start models/maps.onnx --seed 12` goes on from weights as exported, with samples of another seed.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

from datasets.tabletops import KINDS
from models.export import export
from models.map_samples import map_samples
from models.nets import Residual, convolution
from models.unfolded import take_up
from vision.nets import MODELS
from vision.world_wonders.squares import AROUND, LEAN_STEP, PLANES, SQUARE_PX
from vision.world_wonders.squares import KINDS as KINDS_READ

ARTS = 110
BATCH, RATE, FURTHER_RATE = 8, 3e-3, 1.5e-3
EVIDENCE = 64
"""Maps that the norms' statistics are taken from where training goes on."""
JOINED_WEIGHT = 1.0
MIDDLE = 128.0

Ints = NDArray[np.int64]
Image = NDArray[np.uint8]


class MapNet(nn.Module):
    """(n, 8, h, w) planes of a map (`vision.world_wonders.squares`) to logits of each square and of its neighbours.

    (n, rows, cols, 10) kinds, and (n, rows, cols, 2): whether the square to the right and the one below are the same
    piece.
    """

    outputs = ("kinds", "joined")

    def __init__(self) -> None:
        super().__init__()
        self.body = nn.Sequential(
            convolution(PLANES, 24, 2, kernel=5),
            convolution(24, 48, 2),
            Residual(48),
            convolution(48, 80, 2),
            Residual(80),
            nn.Conv2d(80, 96, 3, 3, bias=False),
            nn.BatchNorm2d(96),
            nn.ReLU(inplace=True),
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


class Maps:
    """Samples in memory: planes, kinds, and what is joined (see `models.map_samples`)."""

    def __init__(self, planes: Image, kinds: Ints, joined: Ints) -> None:
        self.planes, self.kinds, self.joined = planes, kinds, joined

    def batch(self, which: Ints, turns: int, rng: np.random.Generator) -> tuple[Tensor, Tensor, Tensor]:
        """Some of them after counter-clockwise quarter turns, in colours a little changed."""
        planes = turned_planes(self.planes[which], turns).astype(np.float32)
        gain = np.exp(rng.normal(0, 0.08, (len(which), 1, 1, 3))).astype(np.float32)
        own = np.exp(rng.normal(0, 0.05, (len(which), 1, 1, 3))).astype(np.float32)
        planes[..., :3] *= gain * own
        planes[..., 3:6] *= gain
        planes[..., :3] += rng.normal(0, 3, planes[..., :3].shape).astype(np.float32)
        planes = np.clip(planes, 0, 255)
        kinds = np.rot90(self.kinds[which], turns, (1, 2)).copy()
        joined = turned_joined(self.joined[which], turns)
        return torch.from_numpy(planes).permute(0, 3, 1, 2), torch.from_numpy(kinds), torch.from_numpy(joined)


def turned_planes(planes: Image, turns: int) -> Image:
    """(n, h, w, 8) after counter-clockwise quarter turns: leans turn as well."""
    turned = np.rot90(planes, turns, (1, 2)).copy()
    for _ in range(turns % 4):
        turned[..., 6:] = np.stack([turned[..., 7], np.uint8(255) - turned[..., 6] + np.uint8(1)], -1)
    return turned


def turned_joined(joined: Ints, turns: int) -> Ints:
    """(n, rows, cols, 2) after counter-clockwise quarter turns."""
    for _ in range(turns % 4):
        right, down = joined[:, :, :-1, 0], joined[:, :-1, :, 1]
        right, down = np.rot90(down, 1, (1, 2)), np.rot90(right, 1, (1, 2))
        joined = np.full((len(joined), joined.shape[2], joined.shape[1], 2), -1, np.int64)
        joined[:, :, :-1, 0], joined[:, :-1, :, 1] = right, down
    return joined


def loss(net: nn.Module, planes: Tensor, kinds: Tensor, joined: Tensor) -> Tensor:
    """Cross-entropy of the kinds, and of what is one piece where two squares are of one kind."""
    said, one = net(planes)
    told = joined >= 0
    seams = F.binary_cross_entropy_with_logits(one[told], joined[told].float()) if told.any() else one.sum() * 0
    return F.cross_entropy(said.flatten(0, 2), kinds.flatten()) + JOINED_WEIGHT * seams


def drawn(file: Path, arts: Sequence[str], seed: int, tabletops: Sequence[str]) -> Maps:
    """The samples of a file, which is drawn where it is not there."""
    if not file.exists():
        file.parent.mkdir(parents=True, exist_ok=True)
        samples = list(map_samples(arts, np.random.default_rng(seed), tabletops))
        np.savez(file, *(np.stack([sample[k] for sample in samples]) for k in range(3)))
    with np.load(file) as held:
        return Maps(*(held[name] for name in held.files))


def train(maps: Maps, epochs: int, seed: int, start: Path | None = None) -> MapNet:
    """A net after so many looks at every sample, from nothing or from the weights of a file."""
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    net, rate = MapNet(), RATE if start is None else FURTHER_RATE
    if start is not None:
        some = rng.permutation(len(maps.planes))[:EVIDENCE]
        take_up(net, start, [maps.batch(some, 0, rng)[0]], range(2))
    count = len(maps.planes) // BATCH
    optimiser = torch.optim.AdamW(net.parameters(), lr=rate, weight_decay=0.02)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, rate, total_steps=epochs * count)
    for epoch in range(epochs):
        order, total = rng.permutation(len(maps.planes)), 0.0
        for step in range(count):
            which = order[step * BATCH : (step + 1) * BATCH]
            amiss = loss(net, *maps.batch(which, int(rng.integers(4)), rng))
            optimiser.zero_grad()
            amiss.backward()
            optimiser.step()
            schedule.step()
            total += float(amiss.detach())
        print(f"epoch {epoch + 1} of {epochs}: loss {total / count:.4f}", flush=True)
    return net.eval()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=Path, default=Path("runs"), help="where samples are kept")
    parser.add_argument("--epochs", type=int, default=14)
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument("--start", type=Path, help="weights to go on from, as they were exported")
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    arts = [f"sketch-{options.seed}-{i}" for i in range(ARTS)]
    maps = drawn(options.runs / f"maps-{options.seed}.npz", arts, options.seed, KINDS)
    net = train(maps, options.epochs, options.seed, options.start)
    file = MODELS / "maps.onnx"
    size = (SQUARE_PX * 9, SQUARE_PX * 9)
    metadata = {"seed": options.seed, "epochs": options.epochs, "samples": len(maps.planes), "temperatures": [1.0, 1.0]}
    export(net, file, size, MapNet.outputs, metadata, free_size=True, channels=PLANES)


if __name__ == "__main__":
    main()
