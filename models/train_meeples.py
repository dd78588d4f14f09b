"""Train the meeple finder: `python -m models.train_meeples`."""

from __future__ import annotations

from pathlib import Path

from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

from models.export import export
from models.losses import peak_loss
from models.nets import DenseNet
from models.samples import COLOUR_NAMES, MEEPLE_PX, MEEPLE_TILE_PX, POSE_NAMES, meeple_samples
from models.targets import STRIDE
from models.training import Recipe, arguments, train

STEPS = 2400
WIDTHS = (16, 28, 48, 64, 80)


def loss(net: nn.Module, batch: list[Tensor]) -> Tensor:
    """Focal loss of the feet where the truth is known; cross-entropy of colour and pose about them."""
    pictures, target = batch[0].permute(0, 3, 1, 2).float(), batch[1].float()
    out = net(pictures)
    heat = peak_loss(out[:, 0], target[:, 0], target[:, 3])
    colours = len(COLOUR_NAMES)
    colour = F.cross_entropy(out[:, 1 : 1 + colours], target[:, 1].long(), ignore_index=-1)
    pose = F.cross_entropy(out[:, 1 + colours :], target[:, 2].long(), ignore_index=-1)
    return heat + 0.5 * colour + pose


def main() -> None:
    options = arguments(__doc__ or "", STEPS)
    recipe = Recipe("meeples", meeple_samples, loss, batch=8, steps=options.steps, rate=2e-3)
    net = train(recipe, DenseNet(1 + len(COLOUR_NAMES) + len(POSE_NAMES), WIDTHS), options)
    metadata = {
        "stride": STRIDE,
        "tile_px": MEEPLE_TILE_PX,
        "colours": list(COLOUR_NAMES),
        "poses": list(POSE_NAMES),
        "seed": options.seed,
        "steps": options.steps,
    }
    file = Path(__file__).parent / "meeples.onnx"
    export(net, file, (MEEPLE_PX, MEEPLE_PX), ["maps"], metadata, free_size=True)


if __name__ == "__main__":
    main()
