"""Train the dense localiser: `python -m models.train_localiser`."""

from __future__ import annotations

from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

from models.export import export
from models.losses import peak_loss
from models.nets import LOCALISER_OUTPUTS, DenseNet
from models.samples import LOCALISER_PX, localiser_samples
from models.targets import STRIDE, TILE_PX
from models.training import Recipe, arguments, train

STEPS, CYCLES = 2400, 3


def loss(net: nn.Module, batch: list[Tensor]) -> Tensor:
    """Cross-entropy of area and seams, focal loss of corners, and a lighter L1 of the geometry on tiles.

    The geometry is learned late, from the seams and corners: weighed more, it drowns them.
    """
    pictures, target = batch[0].permute(0, 3, 1, 2).float(), batch[1].float()
    out = net(pictures)
    area = F.binary_cross_entropy_with_logits(out[:, 0], target[:, 0])
    seam = F.binary_cross_entropy_with_logits(out[:, 2], target[:, 2], reduction="none") * (1 + 3 * target[:, 2])
    on = target[:, 10:11]
    wrong = F.smooth_l1_loss(out[:, 3:10], target[:, 3:10], reduction="none", beta=0.1) * on
    scale = wrong.new_tensor([2.0, 1.5, 1.5, 1.0, 1.0, 2.5, 2.5])[:, None, None]
    geometry = (wrong * scale).sum() / (on.sum() + 1)
    return area + 2 * seam.mean() + peak_loss(out[:, 1], target[:, 1]) + 0.4 * geometry


def main() -> None:
    options = arguments(__doc__ or "", STEPS, CYCLES)
    recipe = Recipe("localiser", localiser_samples, loss, batch=8, steps=options.steps, rate=2e-3)
    net = train(recipe, DenseNet(LOCALISER_OUTPUTS), options)
    metadata = {"stride": STRIDE, "tile_px": TILE_PX, "seed": options.seed, "steps": options.steps}
    torch.manual_seed(0)
    file = Path(__file__).parent / "localiser.onnx"
    export(net, file, (LOCALISER_PX, LOCALISER_PX), ["maps"], metadata, free_size=True)


if __name__ == "__main__":
    main()
