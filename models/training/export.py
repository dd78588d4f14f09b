"""Export of a trained net to ONNX: (n, h, w, 3) uint8 BGR pictures in, optionally with a number each; named outputs,
metadata.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import onnx
import torch
from torch import Tensor, nn


class _FromPictures(nn.Module):
    """A wrapper that converts uint8 pictures to the input that the nets are trained on."""

    def __init__(self, net: nn.Module) -> None:
        super().__init__()
        self.net = net

    def forward(self, pictures: Tensor, *numbers: Tensor) -> Tensor | tuple[Tensor, ...]:
        result: Tensor | tuple[Tensor, ...] = self.net(pictures.permute(0, 3, 1, 2).float(), *numbers)
        return result


def export(
    net: nn.Module,
    file: Path,
    size: tuple[int, int],
    outputs: Sequence[str],
    metadata: Mapping[str, object],
    free_size: bool,
    numbers: Sequence[str] = (),
    channels: int = 3,
) -> None:
    """Write `net` for any number of pictures of `size` (h, w) and `channels`; their size is free if `free_size`.

    `numbers` name inputs that have one float for each picture.
    """
    picture = torch.zeros((2, *size, channels), dtype=torch.uint8)
    axes: dict[int, str] = {0: "n"} | ({1: "h", 2: "w"} if free_size else {})
    deep = {name: {0: "n"} for name in (*numbers, *outputs)}
    torch.onnx.export(
        _FromPictures(net.eval()),
        (picture, *(torch.zeros(2) for _ in numbers)),
        str(file),
        input_names=["pictures", *numbers],
        output_names=list(outputs),
        dynamic_axes={"pictures": axes, **deep},
        opset_version=17,
        dynamo=False,
    )
    model = onnx.load(str(file))
    onnx.helper.set_model_props(model, {key: json.dumps(value) for key, value in metadata.items()})
    onnx.save(model, str(file))
