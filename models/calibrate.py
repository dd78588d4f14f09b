"""Calibrate the classifier, on art and table tops neither trained on nor measured: `python -m models.calibrate`.

One temperature for all logits (Guo et al., 2017), and then another for what sets apart tiles that are alike but for a
coat of arms (`vision.coats`), each chosen for the least log-loss, written into the model's metadata.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from itertools import islice
from pathlib import Path

import numpy as np
import onnx

from models.material import calibration_material
from models.samples import tile_samples
from models.temperature import coat_decisions, temperature_of
from vision.nets import MODELS, Net
from vision.tiles import twins_of

SURE = float(np.log(9))
"""Log-odds of a coat of arms that is no doubt."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--art", type=Path, default=Path("../shared/tiles"))
    parser.add_argument("--crops", type=int, default=6000)
    parser.add_argument("--seed", type=int, default=11)
    options = parser.parse_args()
    sources = calibration_material(options.art, options.seed)
    samples = list(islice(tile_samples(sources, np.random.default_rng(options.seed)), options.crops))
    crops, labels = np.stack([s[0] for s in samples]).astype(np.uint8), np.array([s[1] for s in samples])
    net = Net(MODELS / "classifier.onnx")
    logits = np.concatenate([net(crops[i : i + 256])[0] for i in range(0, len(crops), 256)]).astype(np.float64)
    right = logits.argmax(1) == labels
    temperature = temperature_of(logits, labels)
    print(f"{len(labels)} held-out crops: {right.mean():.4f} right; temperature {temperature:.3f}")
    coats, which = coat_decisions(logits / temperature, labels, twins_of(tuple(net.metadata["classes"])))
    coat_temperature = temperature_of(coats, which)
    right = coats.argmax(1) == which
    print(f"{len(which)} of them with or without a coat of arms: {right.mean():.4f} right; {coat_temperature:.3f}")
    for name, factor in (("as they are", 1.0), ("tempered", coat_temperature)):
        sure = np.abs(coats[:, 1] - coats[:, 0]) / factor > SURE
        print(f"  {name}: surer than 0.9 {sure.sum()}, of these wrong {(sure & ~right).sum()}")
    write_metadata(MODELS / "classifier.onnx", {"temperature": temperature, "coat_temperature": coat_temperature})


def write_metadata(file: Path, entries: Mapping[str, float]) -> None:
    """Set metadata entries of an ONNX file."""
    model = onnx.load(str(file))
    kept = {entry.key: entry.value for entry in model.metadata_props} | {k: str(v) for k, v in entries.items()}
    onnx.helper.set_model_props(model, kept)
    onnx.save(model, str(file))


if __name__ == "__main__":
    main()
