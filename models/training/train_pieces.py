"""Train the piece classifier: `python -m models.training.train_pieces`, or `--start models/pieces.onnx` to train it
further."""

from __future__ import annotations

from functools import cache, partial
from itertools import islice
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

from models.samples.pieces import stream_stand_samples
from models.samples.splits import gather_training_material
from models.samples.tiles import COLOUR_NAMES, POSE_NAMES, Sources
from models.training.export import export
from models.training.loop import Recipe, parse_arguments, train
from models.training.networks import PieceNet
from models.training.onnx_weights import STATISTICS_SAMPLES, take_up
from models.training.resume import find_named_outputs
from vision.pieces.crops import STAND_CHANNELS, STAND_PX
from vision.runtime.onnx import MODELS

STEPS = 5000
"""Default number of steps in a cycle. A guess."""
RATE, FURTHER_RATE = 2e-3, 8e-4
"""Peak learning rates of the first cycle: from scratch, and from committed weights. A guess."""
NAMES_WEIGHT = 1.2
"""Weight of a name's cross-entropy beside that of presence; half of the pictures have no name. A guess."""
HARD_SHARE, HARD_WEIGHT = 0.25, 0.4
"""Share of a batch that is hardest, and its extra weight in the loss (online hard example mining, Shrivastava et al.,
2016): most pictures are plain, and missed pieces are few. A guess."""
OUTPUTS = 1 + len(COLOUR_NAMES) + len(POSE_NAMES) + 2
POSES = slice(1 + len(COLOUR_NAMES), 1 + len(COLOUR_NAMES) + len(POSE_NAMES))


def compute_loss(net: nn.Module, batch: list[Tensor]) -> Tensor:
    """Compute cross-entropy of presence, colour and pose, with weight on the hardest, and L1 of the foot's offset."""
    out = net(batch[0].permute(0, 3, 1, 2).float(), batch[1])
    here, colour, pose, offset = batch[2].float(), *batch[3:6]
    each = F.binary_cross_entropy_with_logits(out[:, 0], here, reduction="none")
    for names, truth in ((slice(1, POSES.start), colour), (POSES, pose)):
        each = each + NAMES_WEIGHT * F.cross_entropy(out[:, names], truth, ignore_index=-1, reduction="none")
    hardest = each.topk(max(1, round(HARD_SHARE * len(each)))).values
    mask = here * torch.isfinite(offset[:, 0])
    wrong = F.smooth_l1_loss(out[:, -2:], torch.nan_to_num(offset), reduction="none", beta=0.02).sum(1)
    off = (wrong * mask).sum() / (mask.sum() + 1)
    return (1 - HARD_WEIGHT) * each.mean() + HARD_WEIGHT * hardest.mean() + 4 * off


def start(net: nn.Module, file: Path, sources: Sources, seed: int) -> None:
    """Load into `net` the weights of a file, with the statistics of samples like those of the training."""
    samples = list(islice(stream_stand_samples(sources, np.random.default_rng(seed)), STATISTICS_SAMPLES))
    pictures = torch.from_numpy(np.stack([sample[0] for sample in samples]))
    leans = torch.tensor([float(sample[1]) for sample in samples])
    outputs = find_named_outputs(file, COLOUR_NAMES, POSE_NAMES, last=OUTPUTS - POSES.stop)
    take_up(net, file, [pictures.permute(0, 3, 1, 2).float(), leans], outputs)


def main() -> None:
    options = parse_arguments(__doc__ or "", STEPS, continues=True)
    net, rate = PieceNet(OUTPUTS), FURTHER_RATE if options.start else RATE
    recipe = Recipe("pieces", stream_stand_samples, compute_loss, batch=80, steps=options.steps, rate=rate)
    material = cache(partial(gather_training_material, options.art, options.photos, options.labels))

    def begin(net: nn.Module) -> None:
        start(net, options.start, material(options.seed), options.seed)

    net = train(recipe, net, options, material, begin if options.start else None)
    metadata = {
        "colours": list(COLOUR_NAMES),
        "poses": list(POSE_NAMES),
        "seed": options.seed,
        "steps": options.steps,
        "cycles": options.cycles,
    }
    file = MODELS / "pieces.onnx"
    size = (STAND_PX, STAND_PX)
    export(net, file, size, ["pieces"], metadata, free_size=False, numbers=["leans"], channels=STAND_CHANNELS)


if __name__ == "__main__":
    main()
