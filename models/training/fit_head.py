"""Fit the last layer of the piece classifier to the others: `python -m models.training.fit_head FILE`.

The mean of two trainings (`models.training.average_weights`) has features of its own, and its last layer has half
forgotten the names that only one of the two was trained on. This command trains that layer alone on fresh samples,
whose features are computed once. FILE, as exported in floating point, is overwritten; one sample in ten is held out to
show the loss before and after.
"""

from __future__ import annotations

import argparse
from itertools import islice
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn

from models.samples.pieces import stream_stand_samples
from models.samples.splits import gather_training_material
from models.samples.tiles import Sources
from models.training.loop import add_material_arguments
from models.training.networks import PieceNet
from models.training.onnx_weights import list_layers
from models.training.train_pieces import OUTPUTS, compute_loss, start

SAMPLES, EPOCHS, BATCH, RATE = 40_000, 12, 512, 2e-3
"""Default number of samples, epochs, batch size and peak learning rate. A guess."""
HELD_OUT_EVERY = 10
"""One sample in this many is held out. A guess."""
READ_AT_ONCE = 64
"""Samples whose features are computed in one batch. Bounds memory."""


class _Head(nn.Module):
    """The last layer with the whole net's interface: features take the place of the leans."""

    def __init__(self, layer: nn.Linear) -> None:
        super().__init__()
        self.layer = layer

    def forward(self, _: Tensor, features: Tensor) -> Tensor:
        result: Tensor = self.layer(features)
        return result


def collect_features(net: PieceNet, sources: Sources, samples: int, seed: int) -> tuple[Tensor, list[Tensor]]:
    """Collect the (n, features) of `samples` samples, and the (n, ...) targets from which the loss is computed."""
    read_features: list[Tensor] = []
    hook = net.body[-1].register_forward_pre_hook(lambda _, inputs: read_features.append(inputs[0].clone()))
    stream, truths = stream_stand_samples(sources, np.random.default_rng(seed)), []
    with torch.no_grad():
        for _ in range(-(-samples // READ_AT_ONCE)):
            batch = list(islice(stream, READ_AT_ONCE))
            pictures = torch.from_numpy(np.stack([sample[0] for sample in batch])).permute(0, 3, 1, 2).float()
            net(pictures, torch.tensor([float(sample[1]) for sample in batch]))
            truths.append([torch.from_numpy(np.stack([sample[i] for sample in batch])) for i in range(2, 6)])
    hook.remove()
    return torch.cat(read_features), [torch.cat(parts) for parts in zip(*truths, strict=True)]


def fit_layer(layer: nn.Linear, features: Tensor, truths: list[Tensor], epochs: int = EPOCHS) -> tuple[float, float]:
    """Train a last layer on features; return the loss on held-out samples before and after."""
    head, nothing = _Head(layer), torch.zeros(1, 1, 1, 1)
    numbers = torch.arange(len(features))
    held_out, others = numbers[::HELD_OUT_EVERY], numbers[numbers % HELD_OUT_EVERY > 0]

    def compute(which: Tensor) -> Tensor:
        return compute_loss(head, [nothing, features[which], *(truth[which] for truth in truths)])

    with torch.no_grad():
        before = float(compute(held_out))
    optimiser = torch.optim.AdamW(layer.parameters(), lr=RATE, weight_decay=1e-4)
    batches = -(-len(others) // BATCH)
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, epochs * batches)
    for _ in range(epochs):
        for which in others[torch.randperm(len(others))].split(BATCH):
            optimiser.zero_grad()
            compute(which).backward()
            optimiser.step()
            schedule.step()
    with torch.no_grad():
        return before, float(compute(held_out))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("file", type=Path)
    add_material_arguments(parser)
    parser.add_argument("--samples", type=int, default=SAMPLES)
    options = parser.parse_args()
    torch.manual_seed(options.seed)
    sources = gather_training_material(options.art, options.photos, options.labels, options.seed)
    net = PieceNet(OUTPUTS)
    start(net, options.file, sources, options.seed)
    layer = net.eval().body[-1]
    assert isinstance(layer, nn.Linear)
    features, truths = collect_features(net, sources, options.samples, options.seed + 1)
    before, after = fit_layer(layer, features, truths)
    write_last_layer(options.file, layer)
    print(f"loss of {len(features) // HELD_OUT_EVERY} samples held out: {before:.4f}, then {after:.4f}")


def write_last_layer(file: Path, layer: nn.Linear) -> None:
    """Overwrite a net's file with the net and another last layer."""
    model = onnx.load(str(file))
    initializers = {one.name: one for one in model.graph.initializer}
    weight, bias = list_layers(model.graph)[-1].input[1:]
    for name, values in ((weight, layer.weight), (bias, layer.bias)):
        initializers[name].CopyFrom(numpy_helper.from_array(values.detach().numpy(), name))
    onnx.save(model, str(file))


if __name__ == "__main__":
    main()
