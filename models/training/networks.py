"""The nets in torch: two dense ones of one architecture, and those that classify tiles and pieces, with
normalisation."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812 - torch's own name for it

from vision.pieces.ground_classifier import GROUND_CHANNELS

LOCALISER_OUTPUTS = 10
"""Logits of area, corner and seam, log(tile px / 40), shape a and b, cos and sin of 4 phi, offset x and y."""


class Normalise(nn.Module):
    """Normalisation of BGR float images (n, 3, h, w), 0 to 255, to zero mean and about unit deviation."""

    def forward(self, x: Tensor) -> Tensor:
        return (x - 118.0) / 62.0


def build_convolution(inputs: int, outputs: int, stride: int = 1, kernel: int = 3) -> nn.Sequential:
    """Build a convolution with its norm and activation."""
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(inplace=True),
    )


class Residual(nn.Module):
    """A residual block of two convolutions of the same width."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.first = build_convolution(width, width)
        self.second = nn.Sequential(nn.Conv2d(width, width, 3, 1, 1, bias=False), nn.BatchNorm2d(width))

    def forward(self, x: Tensor) -> Tensor:
        return F.relu(x + self.second(self.first(x)))


class DenseNet(nn.Module):
    """A U-Net: (n, inputs, h, w) to (n, outputs, h/4, w/4); h and w are multiples of 32."""

    def __init__(
        self, outputs: int, widths: tuple[int, int, int, int, int] = (16, 32, 56, 80, 112), inputs: int = 3
    ) -> None:
        super().__init__()
        w2, w4, w8, w16, w32 = widths
        self.normalise = Normalise()
        self.stem = build_convolution(inputs, w2, 2)
        self.down4 = nn.Sequential(build_convolution(w2, w4, 2), Residual(w4))
        self.down8 = nn.Sequential(build_convolution(w4, w8, 2), Residual(w8))
        self.down16 = nn.Sequential(build_convolution(w8, w16, 2), Residual(w16), Residual(w16))
        self.down32 = nn.Sequential(build_convolution(w16, w32, 2), Residual(w32), Residual(w32))
        self.side16, self.side8, self.side4 = (
            build_convolution(a, b, kernel=1) for a, b in ((w32, w16), (w16, w8), (w8, w4))
        )
        self.up16, self.up8, self.up4 = Residual(w16), Residual(w8), Residual(w4)
        self.head = nn.Sequential(build_convolution(w4, w4), nn.Conv2d(w4, outputs, 1))

    def forward(self, x: Tensor) -> Tensor:
        x4 = self.down4(self.stem(self.shown(x)))
        x8 = self.down8(x4)
        x16 = self.down16(x8)
        x32 = self.down32(x16)
        y16 = self.up16(x16 + F.interpolate(self.side16(x32), scale_factor=2.0, mode="nearest"))
        y8 = self.up8(x8 + F.interpolate(self.side8(y16), scale_factor=2.0, mode="nearest"))
        y4 = self.up4(x4 + F.interpolate(self.side4(y8), scale_factor=2.0, mode="nearest"))
        result: Tensor = self.head(y4)
        return result

    def shown(self, x: Tensor) -> Tensor:
        """Return the input of the first convolution for a batch."""
        normalised: Tensor = self.normalise(x)
        return normalised


class FootNet(DenseNet):
    """A dense net of (n, 7, h, w) pictures: the table, the table without pieces, and the trust in the latter."""

    def __init__(self, outputs: int) -> None:
        super().__init__(outputs, (24, 28, 48, 64, 80), inputs=7)

    def shown(self, x: Tensor) -> Tensor:
        """Normalise a batch; unknown print counts as grey."""
        return torch.cat([self.normalise(x[:, :3]), *_printed(self.normalise, x)], dim=1)


def _printed(normalise: nn.Module, x: Tensor) -> tuple[Tensor, Tensor]:
    """Return the table without pieces, grey where it is unknown, and the trust in it, from (n, 7, h, w) pictures."""
    trust = x[:, 6:] / 255
    return normalise(x[:, 3:6]) * (trust > 0), trust


def build_crop_body(
    inputs: int, widths: tuple[int, ...], blocks: tuple[int, ...], cells: int, hidden: int
) -> list[nn.Module]:
    """Build layers from a crop to `hidden` features: one halving per width, with `blocks` residual blocks each."""
    layers: list[nn.Module] = []
    before, kernel = inputs, 5
    for width, count in zip(widths, blocks, strict=True):
        layers += [build_convolution(before, width, 2, kernel=kernel), *(Residual(width) for _ in range(count))]
        before, kernel = width, 3
    return [*layers, nn.Flatten(), nn.Linear(before * cells**2, hidden), nn.ReLU(inplace=True)]


TILE_FEATURES = 256
"""Number of features of a tile. A guess."""


class TileNet(nn.Module):
    """A net of (n, 3, 64, 64) crops with (n, classes) logits of turned layouts and (n, 16) of the four edges.

    It also returns the (n, 256) features of both, all at least 0, by which enrolled tiles are recognised. No loss uses
    them.
    """

    outputs = ("layouts", "edges", "features")

    def __init__(self, classes: int) -> None:
        super().__init__()
        body = build_crop_body(3, (32, 56, 96, 160), (1, 2, 2, 1), cells=4, hidden=TILE_FEATURES)
        self.body = nn.Sequential(Normalise(), *body)
        self.layouts = nn.Linear(TILE_FEATURES, classes)
        self.edges = nn.Linear(TILE_FEATURES, 16)

    def forward(self, x: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        features = self.body(x)
        return self.layouts(features), self.edges(features), features


class PieceNet(nn.Module):
    """A net of (n, 7, 80, 80) pictures and (n,) lengths of leans, with (n, 1 + colours + poses + 2) outputs.

    The outputs are a piece's logit, those of its names, and its foot's offset. The pictures show the table, the table
    without pieces and the trust in that; the lean is the length that a standing piece would have.
    """

    def __init__(self, outputs: int) -> None:
        super().__init__()
        self.normalise = Normalise()
        body = build_crop_body(8, (24, 48, 80, 128), (0, 2, 2, 2), cells=5, hidden=192)
        self.body = nn.Sequential(*body, nn.Linear(192, outputs))

    def forward(self, x: Tensor, leans: Tensor) -> Tensor:
        lean = leans[:, None, None, None].expand(-1, 1, x.shape[2], x.shape[3])
        result: Tensor = self.body(torch.cat([self.normalise(x[:, :3]), lean, *_printed(self.normalise, x)], dim=1))
        return result


class KindNet(nn.Module):
    """A net of (n, 4, 72, 72) pictures of pieces and (n,) lengths of their leans, with (n, kinds) logits."""

    def __init__(self, kinds: int) -> None:
        super().__init__()
        self.normalise = Normalise()
        body = build_crop_body(5, (12, 24, 40, 64), (0, 1, 1, 1), cells=5, hidden=64)
        self.body = nn.Sequential(*body, nn.Linear(64, kinds))

    def forward(self, x: Tensor, leans: Tensor) -> Tensor:
        lean = leans[:, None, None, None].expand(-1, 1, x.shape[2], x.shape[3])
        result: Tensor = self.body(torch.cat([self.normalise(x), lean], dim=1))
        return result


class CoatNet(nn.Module):
    """A net of (n, 9, 64, 64) views (`vision.squares.coat_classifier`) with (n, 1) logits of a coat of arms."""

    def __init__(self) -> None:
        super().__init__()
        self.normalise = Normalise()
        body = build_crop_body(11, (24, 48, 80, 112), (1, 1, 1, 1), cells=4, hidden=96)
        self.body = nn.Sequential(*body, nn.Linear(96, 1))

    def forward(self, x: Tensor) -> Tensor:
        copies = [x[:, first : first + 3] for first in (3, 6)]
        there = [(copy.amax(dim=(1, 2, 3), keepdim=True) > 0).float() for copy in copies]
        normalised = [self.normalise(copy) * presence for copy, presence in zip(copies, there, strict=True)]
        masks = [mask.expand(-1, 1, x.shape[2], x.shape[3]) for mask in there]
        result: Tensor = self.body(torch.cat([self.normalise(x[:, :3]), *normalised, *masks], dim=1))
        return result


class GroundNet(nn.Module):
    """A net of (n, 8, 64, 64) pictures (`vision.pieces.ground_classifier`) with (n, 1) logits of one feature.

    The drawing is scaled to -1 and 1; the photo is normalised.
    """

    def __init__(self) -> None:
        super().__init__()
        self.normalise = Normalise()
        body = build_crop_body(GROUND_CHANNELS, (24, 40, 64, 96), (0, 1, 1, 1), cells=4, hidden=96)
        self.body = nn.Sequential(*body, nn.Linear(96, 1))

    def forward(self, x: Tensor) -> Tensor:
        result: Tensor = self.body(torch.cat([self.normalise(x[:, :3]), x[:, 3:] / 127.5 - 1], dim=1))
        return result


def compute_peak_loss(logits: Tensor, heat: Tensor, mask: Tensor | None = None) -> Tensor:
    """Compute the focal loss per peak (Zhou et al., Objects as Points, 2019) of (n, h, w) heat, on known pixels."""
    odds = torch.sigmoid(logits).clamp(1e-4, 1 - 1e-4)
    peak = (heat > 0.9).float()
    hit = peak * (1 - odds) ** 2 * torch.log(odds)
    miss = (1 - peak) * (1 - heat) ** 4 * odds**2 * torch.log(1 - odds)
    loss = hit + miss if mask is None else (hit + miss) * mask
    return -loss.sum() / (peak.sum() + 1)


def choose_device() -> torch.device:
    """Return the GPU if there is one, else the CPU."""
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")
