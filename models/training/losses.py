"""Losses used to train more than one net."""

from __future__ import annotations

import torch
from torch import Tensor


def compute_peak_loss(logits: Tensor, heat: Tensor, mask: Tensor | None = None) -> Tensor:
    """Compute the focal loss per peak (Zhou et al., Objects as Points, 2019) of (n, h, w) heat, on known pixels."""
    odds = torch.sigmoid(logits).clamp(1e-4, 1 - 1e-4)
    peak = (heat > 0.9).float()
    hit = peak * (1 - odds) ** 2 * torch.log(odds)
    miss = (1 - peak) * (1 - heat) ** 4 * odds**2 * torch.log(1 - odds)
    loss = hit + miss if mask is None else (hit + miss) * mask
    return -loss.sum() / (peak.sum() + 1)
