"""Committed weights for further training: an ONNX file's folded convolutions become trainable ones."""

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
"""Samples from which the statistics of the batch norms are computed. A guess."""


def take_up(net: nn.Module, file: Path, batch: list[Tensor], outputs: Sequence[int]) -> None:
    """Load into `net` the weights of an exported file, with these `outputs`; raises ValueError for another shape.

    If a convolution of the net has more inputs or outputs, the further ones leave the file's function unchanged. Export
    folds each batch norm into the convolution before it. The folded convolution stays here, and its norm is set to have
    no effect in evaluation, and next to none in training: its statistics are those of `batch`, the net's own inputs.
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
    """Return the weight and bias of a convolution, extended to the layer's inputs, which weigh nothing, and outputs.

    The further outputs keep the layer's own initial values. A linear layer, or a convolution with fewer inputs or
    outputs than the file's, is returned unchanged.
    """
    (outputs, inputs), wanted = weight.shape[:2], layer.weight.shape
    if isinstance(layer, nn.Linear) or outputs > wanted[0] or inputs > wanted[1] or weight.shape[2:] != wanted[2:]:
        return weight, bias
    wide = layer.weight.clone()
    wide[:outputs] = 0
    wide[:outputs, :inputs] = weight
    return wide, torch.cat([bias, torch.zeros(wanted[0] - outputs)])


def load_weights(file: Path) -> list[tuple[Tensor, Tensor]]:
    """Load the weight and bias of each convolution and linear layer in order, with integers dequantised."""
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
    """Return the convolutions and linear layers in the order of their calls, which is that of an exported graph."""
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
    """Return each convolution with the norm that directly follows it."""
    pairs = []
    for block in net.modules():
        parts = list(block.children()) if isinstance(block, nn.Sequential) else []
        for conv, norm in pairwise(parts):
            if isinstance(conv, nn.Conv2d) and isinstance(norm, nn.BatchNorm2d):
                pairs.append((conv, norm))
    return pairs


def _set(norm: nn.BatchNorm2d, mean: Tensor, variance: Tensor, bias: Tensor) -> None:
    """Set the statistics of a norm, and the weight and bias with which it adds `bias` to its input."""
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
