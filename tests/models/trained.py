"""Nets in the state after a training, without running one."""

from __future__ import annotations

from pathlib import Path

import torch
from torch import nn

from models.training.export import export
from models.training.networks import KindNet
from vision.pieces.kind_classifier import OUTLINE_CHANNELS, OUTLINE_PX

KINDS = 5


def stirred(net: nn.Module, seed: int = 5) -> nn.Module:
    """Return the net with non-trivial statistics in its norms."""
    torch.manual_seed(seed)
    with torch.no_grad():
        for part in net.modules():
            if isinstance(part, nn.BatchNorm2d):
                part.running_mean.normal_(0, 0.5)
                part.running_var.uniform_(0.5, 2)
                part.weight.uniform_(0.5, 1.5)
                part.bias.normal_()
    return net


def exported(file: Path, seed: int = 5, kinds: int = KINDS) -> Path:
    """Return the path of such a net of the pieces' kind, exported."""
    torch.manual_seed(seed)
    net, size = stirred(KindNet(kinds), seed), (OUTLINE_PX, OUTLINE_PX)
    export(net, file, size, ["kinds"], {"seed": seed}, False, numbers=["leans"], channels=OUTLINE_CHANNELS)
    return file
