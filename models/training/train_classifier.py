"""Train the tile classifier: `python -m models.training.train_classifier`."""

from __future__ import annotations

import argparse
from dataclasses import replace
from functools import cache
from itertools import islice
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

from models.samples.splits import gather_training_material
from models.samples.tiles import CLASSES, EDGE_KINDS, Sources, stream_tile_samples
from models.training.export import export
from models.training.loop import Recipe, parse_arguments, train
from models.training.networks import TileNet
from models.training.onnx_weights import STATISTICS_SAMPLES, take_up
from vision.photo.crops import CROP_MARGIN, CROP_PX
from vision.runtime.onnx import MODELS, Net

STEPS = 2200
"""Default number of steps in a cycle. A guess."""
REAL_SHARE = 0.3
"""Share of photos among tables: a photo shows a dozen squares, and a drawn table about 30. A guess."""
RATE, FURTHER_RATE = 2e-3, 5e-4
"""Peak learning rates of the first cycle: from scratch, and from committed weights. A guess."""


def compute_loss(net: nn.Module, batch: list[Tensor]) -> Tensor:
    """Compute the smoothed cross-entropy of the turned layout, and of the four edges if they are known."""
    crops, labels, edges = batch[0].permute(0, 3, 1, 2).float(), batch[1], batch[2]
    # Half as many bits take half the time where the processor has them.
    with torch.autocast(crops.device.type, torch.bfloat16):
        layouts, sides, _ = net(crops)
    layouts, sides = layouts.float(), sides.float().view(-1, 4, len(EDGE_KINDS)).transpose(1, 2)
    return F.cross_entropy(layouts, labels, label_smoothing=0.03) + 0.4 * F.cross_entropy(sides, edges, ignore_index=-1)


def start(net: nn.Module, file: Path, sources: Sources, seed: int) -> None:
    """Load into `net` the weights of a file, with the statistics of samples like those of the training."""
    crops = np.stack(
        [crop for crop, _, _ in islice(stream_tile_samples(sources, np.random.default_rng(seed)), STATISTICS_SAMPLES)]
    )
    pictures = [torch.from_numpy(crops).permute(0, 3, 1, 2).float()]
    assert isinstance(net, TileNet)
    names, known = list_classes(), list(Net(file).metadata["classes"])
    layer, net.layouts = net.layouts, nn.Linear(net.layouts.in_features, len(known))
    take_up(net, file, pictures, range(4 * len(EDGE_KINDS)))
    # A class that the file lacks starts as a tile of no known layout, with its own initial weights added.
    like = [known.index(name if name in known else "other") for name in names]
    fresh = torch.tensor([[name not in known] for name in names])
    with torch.no_grad():
        layer.weight.copy_(net.layouts.weight[like] + layer.weight * fresh)
        layer.bias.copy_(net.layouts.bias[like])
    net.layouts = layer


def list_classes() -> list[str]:
    """List the names of the net's classes: turned layouts, a tile of no known layout, no tile."""
    return [*(f"{tile}@{turns}" for tile, turns in CLASSES), "other", "none"]


def build_recipe(steps: int, rate: float = RATE) -> Recipe:
    """Return the recipe for training the classifier."""
    return Recipe("classifier", stream_tile_samples, compute_loss, batch=64, steps=steps, rate=rate)


def build_net() -> TileNet:
    """Build an untrained classifier of all classes."""
    return TileNet(len(CLASSES) + 2)


def write(net: nn.Module, file: Path, options: argparse.Namespace, warm_start: bool = False) -> None:
    """Write a trained classifier to an ONNX file."""
    metadata = {
        "classes": list_classes(),
        "edges": list(EDGE_KINDS),
        "margin": CROP_MARGIN,
        "seed": options.seed,
        "steps": options.steps,
        "cycles": options.cycles,
        "warm_start": warm_start,
    }
    export(net, file, (CROP_PX, CROP_PX), TileNet.outputs, metadata, free_size=False)


def main() -> None:
    options = parse_arguments(__doc__ or "", STEPS, cycles=3, continues=True)

    @cache
    def material(seed: int) -> Sources:
        sources = gather_training_material(options.art, options.photos, options.labels, seed)
        return replace(sources, real_share=REAL_SHARE)

    def begin(net: nn.Module) -> None:
        start(net, options.start, material(options.seed), options.seed)

    chosen = build_recipe(options.steps, FURTHER_RATE if options.start else RATE)
    trained = train(chosen, build_net(), options, material, begin if options.start else None)
    write(trained, MODELS / "classifier.onnx", options, warm_start=options.start is not None)


if __name__ == "__main__":
    main()
