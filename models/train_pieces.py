"""Train the piece classifier: `python -m models.train_pieces`."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

from models.export import export
from models.nets import PieceNet
from models.samples import COLOUR_NAMES, KIND_NAMES, POSE_NAMES
from models.stand_samples import stand_samples
from models.training import Recipe, arguments, train
from vision.stands import STAND_CHANNELS, STAND_PX

STEPS = 5000
OUTPUTS = 1 + len(COLOUR_NAMES) + len(POSE_NAMES) + len(KIND_NAMES) + 2
POSES = slice(1 + len(COLOUR_NAMES), 1 + len(COLOUR_NAMES) + len(POSE_NAMES))
KINDS = slice(POSES.stop, POSES.stop + len(KIND_NAMES))
SELDOM = -2.0
"""How much less than standing a new net takes a piece to stand on its head."""


def loss(net: nn.Module, batch: list[Tensor]) -> Tensor:
    """Cross-entropy of presence, colour, pose and kind, L1 of the foot's offset (tiles) where a piece stands."""
    out = net(batch[0].permute(0, 3, 1, 2).float(), batch[1])
    here, colour, pose, kind, offset = batch[2].float(), *batch[3:7]
    presence = F.binary_cross_entropy_with_logits(out[:, 0], here)
    named = F.cross_entropy(out[:, 1 : POSES.start], colour, ignore_index=-1)
    posed = F.cross_entropy(out[:, POSES], pose, ignore_index=-1)
    cut = F.cross_entropy(out[:, KINDS], kind, ignore_index=-1)
    known = here * torch.isfinite(offset[:, 0])
    wrong = F.smooth_l1_loss(out[:, -2:], torch.nan_to_num(offset), reduction="none", beta=0.02).sum(1)
    off = (wrong * known).sum() / (known.sum() + 1)
    return presence + 0.5 * named + 2 * posed + cut + 4 * off


def take_over(net: PieceNet, known: Mapping[str, Tensor]) -> None:
    """Begin with the weights of a net for meeples that stand, lie or are discs; upside down begins as standing."""
    widened = {name: own for name, own in net.state_dict().items() if own.shape != known[name].shape}
    for name, own in widened.items():
        over = known[name][POSES.start] + (SELDOM if name.endswith("bias") else 0.0)
        widened[name] = torch.cat([known[name][: POSES.stop - 1], over[None], 0.1 * own[KINDS], known[name][-2:]])
    net.load_state_dict({**known, **widened})


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--start", type=Path, help="checkpoint of a net that knows no kinds")
    options = arguments(__doc__ or "", STEPS, parser=parser)
    recipe = Recipe("pieces", stand_samples, loss, batch=64, steps=options.steps, rate=2e-3)
    net: nn.Module = PieceNet(OUTPUTS)
    if options.start:
        take_over(net, torch.load(options.start, weights_only=False)["average"])
    net = train(recipe, net, options)
    metadata = {
        "colours": list(COLOUR_NAMES),
        "poses": list(POSE_NAMES),
        "kinds": list(KIND_NAMES),
        "seed": options.seed,
        "steps": options.steps,
        "cycles": options.cycles,
        "warm_start": options.start is not None,
    }
    file = Path(__file__).parent / "pieces.onnx"
    size = (STAND_PX, STAND_PX)
    export(net, file, size, ["pieces"], metadata, free_size=False, numbers=["leans"], channels=STAND_CHANNELS)


if __name__ == "__main__":
    main()
