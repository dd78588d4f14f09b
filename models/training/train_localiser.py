"""Train the dense localiser: `python -m models.training.train_localiser`."""

from __future__ import annotations

from functools import cache, partial

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

from datasets.render.tabletops import KINDS, REPEATED_KINDS
from models.samples.dense_targets import STRIDE, TILE_PX
from models.samples.splits import gather_training_material
from models.samples.tiles import LOCALISER_PX, stream_localiser_samples
from models.training.export import export
from models.training.loop import Recipe, parse_arguments, train
from models.training.networks import LOCALISER_OUTPUTS, DenseNet, compute_peak_loss
from models.training.resume import take_up_dense
from vision.runtime.onnx import MODELS

STEPS, CYCLES = 2400, 3
"""Default numbers of steps in a cycle and of cycles. A guess."""
RATE, FURTHER_RATE = 2e-3, 5e-4
"""Peak learning rates of the first cycle: from scratch, and from committed weights. A guess."""


def compute_loss(net: nn.Module, batch: list[Tensor]) -> Tensor:
    """Compute cross-entropy of area and seams, focal loss of corners, and a lighter L1 loss of the geometry on tiles.

    The geometry is learned late, from the seams and corners: a larger weight would drown them.
    """
    pictures, target = batch[0].permute(0, 3, 1, 2).float(), batch[1].float()
    out = net(pictures)
    area = F.binary_cross_entropy_with_logits(out[:, 0], target[:, 0])
    seam = F.binary_cross_entropy_with_logits(out[:, 2], target[:, 2], reduction="none") * (1 + 3 * target[:, 2])
    on = target[:, 10:11]
    wrong = F.smooth_l1_loss(out[:, 3:10], target[:, 3:10], reduction="none", beta=0.1) * on
    scale = wrong.new_tensor([2.0, 1.5, 1.5, 1.0, 1.0, 2.5, 2.5])[:, None, None]
    geometry = (wrong * scale).sum() / (on.sum() + 1)
    return area + 2 * seam.mean() + compute_peak_loss(out[:, 1], target[:, 1]) + 0.4 * geometry


def main() -> None:
    options = parse_arguments(__doc__ or "", STEPS, CYCLES, continues=True)
    net, rate = DenseNet(LOCALISER_OUTPUTS), FURTHER_RATE if options.start else RATE
    recipe = Recipe("localiser", stream_localiser_samples, compute_loss, batch=8, steps=options.steps, rate=rate)
    kinds = (*KINDS, *REPEATED_KINDS * 2)
    material = cache(partial(gather_training_material, options.art, options.photos, options.labels, tabletops=kinds))

    def begin(net: nn.Module) -> None:
        outputs = range(LOCALISER_OUTPUTS)
        take_up_dense(net, outputs, options.start, stream_localiser_samples, material(options.seed), options.seed)

    net = train(recipe, net, options, material, begin if options.start else None)
    metadata = {"stride": STRIDE, "tile_px": TILE_PX, "seed": options.seed, "steps": options.steps}
    torch.manual_seed(0)
    file = MODELS / "localiser.onnx"
    export(net, file, (LOCALISER_PX, LOCALISER_PX), ["maps"], metadata, free_size=True)


if __name__ == "__main__":
    main()
