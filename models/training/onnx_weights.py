"""Weights as committed, taken up again: an ONNX file's folded convolutions become those that training works on."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn

STATISTICS_SAMPLES = 512
"""Samples that the batch norms' statistics are taken from."""


def take_up(net: nn.Module, file: Path, batch: list[Tensor], outputs: Sequence[int]) -> None:
    """Give `net` the weights of an exported file, of whose `outputs` it has these; raises ValueError for another shape.

    Where a convolution of the net has more inputs or outputs, the further ones change nothing of what the file's did.

    Export folds each batch norm into the convolution before it. Here the folded convolution stays, and its norm is set
    so that it changes nothing in a net that is asked, and next to nothing in one that learns: its statistics are those
    of `batch`, the net's own inputs.
    """
    folded = load_weights(file)
    last, bias = folded[-1]
    folded[-1] = last[list(outputs)], bias[list(outputs)]
    layers = _layers(net, [part[:1] for part in batch])
    norms = {id(conv): norm for conv, norm in _pairs(net)}
    if len(layers) != len(folded):
        raise ValueError(f"{file.name} has {len(folded)} layers, the net {len(layers)}")
    with torch.no_grad():
        for layer, (weight, bias) in zip(layers, folded, strict=True):
            weight, bias = _widened(layer, weight, bias)
            if layer.weight.shape != weight.shape:
                raise ValueError(f"{file.name} has {tuple(weight.shape)} where the net has {tuple(layer.weight.shape)}")
            layer.weight.copy_(weight)
            if id(layer) in norms:
                _set(norms[id(layer)], torch.zeros(len(bias)), torch.ones(len(bias)), bias)
            elif layer.bias is not None:
                layer.bias.copy_(bias)
        _take_statistics(net, batch)


def _widened(layer: nn.Conv2d | nn.Linear, weight: Tensor, bias: Tensor) -> tuple[Tensor, Tensor]:
    """The weight and bias of a convolution, with the layer's further inputs, which count nothing, and outputs.

    These begin as the layer itself begins. What is not a convolution, or has fewer of either, stays as it is.
    """
    (outputs, inputs), wanted = weight.shape[:2], layer.weight.shape
    if isinstance(layer, nn.Linear) or outputs > wanted[0] or inputs > wanted[1] or weight.shape[2:] != wanted[2:]:
        return weight, bias
    wide = layer.weight.clone()
    wide[:outputs] = 0
    wide[:outputs, :inputs] = weight
    return wide, torch.cat([bias, torch.zeros(wanted[0] - outputs)])


def load_weights(file: Path) -> list[tuple[Tensor, Tensor]]:
    """Load the weight and bias of each convolution and linear layer, in the graph's order, whole numbers scaled."""
    graph = onnx.load(str(file)).graph
    values = {one.name: np.array(numpy_helper.to_array(one)) for one in graph.initializer}
    for node in graph.node:
        if node.op_type == "DequantizeLinear" and node.input[0] in values:
            whole, scale = values[node.input[0]], values[node.input[1]]
            values[node.output[0]] = whole * scale.reshape(-1, *[1] * (whole.ndim - 1)).astype(np.float32)
    layers = list_layers(graph)
    return [(torch.from_numpy(values[node.input[1]]), torch.from_numpy(values[node.input[2]])) for node in layers]


def list_layers(graph: onnx.GraphProto) -> list[onnx.NodeProto]:
    """Return the convolutions and linear layers in their order in the graph."""
    return [node for node in graph.node if node.op_type in ("Conv", "Gemm")]


def _layers(net: nn.Module, batch: list[Tensor]) -> list[nn.Conv2d | nn.Linear]:
    """The convolutions and linear layers in the order in which they are asked, which is that of an exported graph."""
    order: list[nn.Conv2d | nn.Linear] = []

    def keep(layer: nn.Module, *_: object) -> None:
        assert isinstance(layer, nn.Conv2d | nn.Linear)
        order.append(layer)

    hooks = [layer.register_forward_hook(keep) for layer in net.modules() if isinstance(layer, nn.Conv2d | nn.Linear)]
    net.eval()
    net(*batch)
    for hook in hooks:
        hook.remove()
    return order


def _pairs(net: nn.Module) -> list[tuple[nn.Conv2d, nn.BatchNorm2d]]:
    """Each convolution with the norm that comes right after it."""
    pairs = []
    for block in net.modules():
        parts = list(block.children()) if isinstance(block, nn.Sequential) else []
        for conv, norm in pairwise(parts):
            if isinstance(conv, nn.Conv2d) and isinstance(norm, nn.BatchNorm2d):
                pairs.append((conv, norm))
    return pairs


def _set(norm: nn.BatchNorm2d, mean: Tensor, variance: Tensor, bias: Tensor) -> None:
    """Statistics, and the weight and bias with which the norm adds `bias` to what comes in."""
    norm.running_mean.copy_(mean)
    norm.running_var.copy_(variance)
    norm.weight.copy_(torch.sqrt(variance + norm.eps))
    norm.bias.copy_(bias + mean)


def _take_statistics(net: nn.Module, batch: list[Tensor]) -> None:
    outputs: dict[int, Tensor] = {}

    def keep(norm: nn.Module, inputs: tuple[Tensor, ...], _: Tensor) -> None:
        outputs[id(norm)] = inputs[0]

    norms = [norm for _, norm in _pairs(net)]
    hooks = [norm.register_forward_hook(keep) for norm in norms]
    net.eval()
    net(*batch)
    for hook in hooks:
        hook.remove()
    for norm in norms:
        out = outputs[id(norm)]
        _set(norm, out.mean((0, 2, 3)), out.var((0, 2, 3)), norm.bias - norm.running_mean)
