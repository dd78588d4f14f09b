"""Train the meeple finder: `python -m models.training.train_meeples`, or `--start models/meeples.onnx` to train it
further."""

from __future__ import annotations

from functools import cache, partial

from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

from models.samples.dense_targets import STRIDE
from models.samples.feet import FOOT_TILE_PX, WINDOW_PX, stream_foot_samples
from models.samples.splits import gather_training_material
from models.samples.tiles import COLOUR_NAMES, POSE_NAMES
from models.training.export import export
from models.training.loop import Recipe, parse_arguments, train
from models.training.networks import FootNet, compute_peak_loss
from models.training.resume import find_named_outputs, take_up_dense
from vision.pieces.crops import STAND_CHANNELS
from vision.runtime.onnx import MODELS

STEPS = 2400
"""Default number of steps in a cycle. A guess."""
RATE, FURTHER_RATE = 2e-3, 5e-4
"""Peak learning rates of the first cycle: from scratch, and from committed weights. A guess."""
OUTPUTS = 1 + len(COLOUR_NAMES) + len(POSE_NAMES)


def compute_loss(net: nn.Module, batch: list[Tensor]) -> Tensor:
    """Compute the focal loss of the feet where known, and the cross-entropy of colour and pose about them."""
    pictures, target = batch[0].permute(0, 3, 1, 2).float(), batch[1].float()
    out = net(pictures)
    heat = compute_peak_loss(out[:, 0], target[:, 0], target[:, 3])
    colours = len(COLOUR_NAMES)
    colour = F.cross_entropy(out[:, 1 : 1 + colours], target[:, 1].long(), ignore_index=-1)
    pose = F.cross_entropy(out[:, 1 + colours :], target[:, 2].long(), ignore_index=-1)
    return heat + 0.5 * colour + pose


def main() -> None:
    options = parse_arguments(__doc__ or "", STEPS, continues=True)
    rate = FURTHER_RATE if options.start else RATE
    recipe = Recipe("meeples", stream_foot_samples, compute_loss, batch=8, steps=options.steps, rate=rate)
    material = cache(partial(gather_training_material, options.art, options.photos, options.labels))

    def begin(net: nn.Module) -> None:
        outputs = find_named_outputs(options.start, COLOUR_NAMES, POSE_NAMES)
        take_up_dense(net, outputs, options.start, stream_foot_samples, material(options.seed), options.seed)

    net = train(recipe, FootNet(OUTPUTS), options, material, begin if options.start else None)
    metadata = {
        "stride": STRIDE,
        "tile_px": FOOT_TILE_PX,
        "colours": list(COLOUR_NAMES),
        "poses": list(POSE_NAMES),
        "seed": options.seed,
        "steps": options.steps,
    }
    file = MODELS / "meeples.onnx"
    export(net, file, (WINDOW_PX, WINDOW_PX), ["maps"], metadata, free_size=True, channels=STAND_CHANNELS)


if __name__ == "__main__":
    main()
