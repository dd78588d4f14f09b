"""Calibrate the classifier, on art and table tops neither trained on nor measured: `python -m
models.training.calibrate_classifier`.

One temperature for all logits (Guo et al., 2017) minimises the log-loss; it is written into the model's metadata.
"""

from __future__ import annotations

import argparse
from itertools import islice
from pathlib import Path

import numpy as np
import onnx

from models.samples.splits import gather_calibration_material
from models.samples.tiles import stream_tile_samples
from models.training.temperature import fit_temperature
from vision.runtime.onnx import MODELS, Net
from vision.squares.classifier import average_over_turns


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--art", type=Path, default=Path("../shared/tiles"))
    parser.add_argument("--crops", type=int, default=6000)
    parser.add_argument("--seed", type=int, default=11)
    options = parser.parse_args()
    sources = gather_calibration_material(options.art, options.seed)
    samples = list(islice(stream_tile_samples(sources, np.random.default_rng(options.seed)), options.crops))
    crops, labels = np.stack([s[0] for s in samples]).astype(np.uint8), np.array([s[1] for s in samples])
    net = Net(MODELS / "classifier.onnx")
    parts = [crops[i : i + 256] for i in range(0, len(crops), 256)]
    once = np.concatenate([net(part)[0] for part in parts])
    logits = np.concatenate([average_over_turns(net, part)[0] for part in parts])
    right, before = (float((outputs.argmax(1) == labels).mean()) for outputs in (logits, once))
    temperature = fit_temperature(logits, labels)
    print(f"{len(labels)} held-out crops: {right:.4f} right, {before:.4f} at one look; temperature {temperature:.3f}")
    write_metadata(MODELS / "classifier.onnx", "temperature", str(temperature))


def write_metadata(file: Path, key: str, value: str) -> None:
    """Set one metadata entry of an ONNX file."""
    model = onnx.load(str(file))
    entries = {entry.key: entry.value for entry in model.metadata_props} | {key: value}
    onnx.helper.set_model_props(model, entries)
    onnx.save(model, str(file))


if __name__ == "__main__":
    main()
