"""Train the tile classifier: `python -m models.train_classifier`."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

from models.export import export
from models.nets import TileNet
from models.samples import CLASSES, EDGE_KINDS, tile_samples
from models.training import Recipe, arguments, train
from scoring.carcassonne.catalogue import base_catalogue, turned_layouts
from vision.crops import CROP_MARGIN, CROP_PX

STEPS = 2200


def loss(net: nn.Module, batch: list[Tensor]) -> Tensor:
    """Smoothed cross-entropy of the turned layout, and of the four edges where they are known."""
    crops, labels, edges = batch[0].permute(0, 3, 1, 2).float(), batch[1], batch[2]
    layouts, sides, _ = net(crops)
    sides = sides.view(-1, 4, len(EDGE_KINDS)).transpose(1, 2)
    return F.cross_entropy(layouts, labels, label_smoothing=0.03) + 0.4 * F.cross_entropy(sides, edges, ignore_index=-1)


def take_over(net: TileNet, known: Mapping[str, Tensor]) -> None:
    """Begin with the weights of a net for the base game's classes, `other` and `none`; new classes begin as `other`."""
    own = net.state_dict()
    base = len(turned_layouts(base_catalogue()))
    for part in ("layouts.weight", "layouts.bias"):
        own[part] = torch.cat([known[part][:base], own[part][base:-2] * 0.1 + known[part][-2], known[part][-2:]])
    net.load_state_dict({**known, **{part: own[part] for part in ("layouts.weight", "layouts.bias")}})


def recipe(steps: int) -> Recipe:
    """How the classifier is trained."""
    return Recipe("classifier", tile_samples, loss, batch=64, steps=steps, rate=2e-3)


def new_net() -> TileNet:
    """A classifier of all classes that has learnt nothing."""
    return TileNet(len(CLASSES) + 2)


def write(net: nn.Module, file: Path, options: argparse.Namespace, warm_start: bool = False) -> None:
    """Write a trained classifier to an ONNX file."""
    metadata = {
        "classes": [*(f"{tile}@{turns}" for tile, turns in CLASSES), "other", "none"],
        "edges": list(EDGE_KINDS),
        "margin": CROP_MARGIN,
        "seed": options.seed,
        "steps": options.steps,
        "cycles": options.cycles,
        "warm_start": warm_start,
    }
    export(net, file, (CROP_PX, CROP_PX), TileNet.outputs, metadata, free_size=False)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--start", type=Path, help="checkpoint of a net for the base game alone")
    options = arguments(__doc__ or "", STEPS, cycles=3, parser=parser)
    net = new_net()
    if options.start:
        take_over(net, torch.load(options.start, weights_only=False)["average"])
    trained = train(recipe(options.steps), net, options)
    write(trained, Path(__file__).parent / "classifier.onnx", options, warm_start=options.start is not None)


if __name__ == "__main__":
    main()
