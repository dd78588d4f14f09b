"""Average a net's weights before and after a training: `python -m models.training.average_weights BEFORE AFTER --out
FILE`.

If one training continues another, their weights are so close that their mean generalises to unseen art better than
either (Wortsman et al., 2022). Both files are as exported; `BEFORE` may be quantised. The mean is in floating point and
has the metadata of `AFTER`. A colour or pose that `BEFORE` does not know starts there as a similar one
(`models.training.resume`); `models.training.fit_head` then fits the last layer to the mean.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import onnx
from onnx import numpy_helper

from models.training.onnx_weights import list_layers, load_weights
from models.training.resume import find_named_outputs
from vision.runtime.onnx import Net


def average_nets(before: Path, after: Path, share: float, file: Path) -> None:
    """Write the mean of two nets, with weight `share` for the one after; raises ValueError if shapes differ.

    `after` must be in floating point.
    """
    model = onnx.load(str(after))
    initializers = {one.name: one for one in model.graph.initializer}
    former, layers = load_weights(before), list_layers(model.graph)
    if len(former) != len(layers):
        raise ValueError(f"{before.name} has {len(former)} layers, {after.name} {len(layers)}")
    names, former_names = Net(after).metadata, Net(before).metadata
    if "colours" in names:
        weight, bias = former[-1]
        named = find_named_outputs(before, former_names["colours"], former_names["poses"])
        outputs = find_named_outputs(before, names["colours"], names["poses"], last=len(bias) - len(named))
        former[-1] = weight[outputs], bias[outputs]
    for layer, parts in zip(layers, former, strict=True):
        for name, old in zip(layer.input[1:], parts, strict=True):
            if name not in initializers:
                raise ValueError(f"{after.name} is in whole numbers")
            new = numpy_helper.to_array(initializers[name])
            if new.shape != old.shape:
                raise ValueError(f"{before.name} has {tuple(old.shape)} where {after.name} has {new.shape}")
            mixed = (1 - share) * old.numpy() + share * new
            initializers[name].CopyFrom(numpy_helper.from_array(mixed.astype(new.dtype), name))
    onnx.save(model, str(file))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("before", type=Path)
    parser.add_argument("after", type=Path)
    parser.add_argument("--share", type=float, default=0.5, help="weight of the second net")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    average_nets(options.before, options.after, options.share, options.out)


if __name__ == "__main__":
    main()
