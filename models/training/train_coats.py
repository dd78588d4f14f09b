"""Train the net that recognises coats of arms: `python -m models.training.train_coats`, then `python -m
models.calibration.coats`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

from models.samples.coats import stream_coat_samples
from models.samples.splits import gather_piece_material
from models.training.export import export
from models.training.loop import Recipe, parse_arguments, train
from models.training.networks import CoatNet
from vision.photo.crops import CROP_PX
from vision.runtime.onnx import MODELS
from vision.squares.coat_classifier import CHANNELS

STEPS = 2500
"""Default number of steps in a cycle. A guess."""


def compute_loss(net: nn.Module, batch: Sequence[Tensor]) -> Tensor:
    """Compute the cross-entropy of a coat of arms against none."""
    logits = net(batch[0].permute(0, 3, 1, 2).float())[:, 0]
    return F.binary_cross_entropy_with_logits(logits, batch[1])


def main() -> None:
    options = parse_arguments(__doc__ or "", STEPS)
    recipe = Recipe("coats", stream_coat_samples, compute_loss, batch=64, steps=options.steps, rate=3e-3)
    material = partial(gather_piece_material, options.art, options.photos, options.labels)
    net = train(recipe, CoatNet(), options, material)
    metadata = {"seed": options.seed, "steps": options.steps, "cycles": options.cycles}
    size = (CROP_PX, CROP_PX)
    export(net, MODELS / "coats.onnx", size, ["coats"], metadata, free_size=False, channels=CHANNELS)


if __name__ == "__main__":
    main()
