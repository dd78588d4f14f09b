"""Train the net that recognises kinds of pieces, and calibrate it: `python -m models.training.train_kinds`."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import islice
from pathlib import Path

import numpy as np
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

from models.samples.kinds import stream_kind_samples, stream_new_kind_samples
from models.samples.splits import gather_piece_calibration_material, gather_piece_material
from models.samples.tiles import KIND_NAMES
from models.training.calibrate_classifier import write_metadata
from models.training.export import export
from models.training.loop import Recipe, parse_arguments, train
from models.training.networks import KindNet
from models.training.temperature import fit_temperature
from vision.pieces.kind_classifier import OUTLINE_CHANNELS, OUTLINE_PX
from vision.runtime.onnx import MODELS, Net

STEPS = 800
"""Default number of steps in a cycle. A guess."""
CALIBRATION_SEED, CALIBRATION_SAMPLES = 13, 3000
"""Seed and number of samples of the calibration. A guess."""


def compute_loss(net: nn.Module, batch: Sequence[Tensor]) -> Tensor:
    """Compute the cross-entropy of the kind."""
    return F.cross_entropy(net(batch[0].permute(0, 3, 1, 2).float(), batch[1]), batch[2])


def calibrate(file: Path, art: Path) -> None:
    """Write the temperature that fits pieces on art and table tops neither trained on nor measured into the model."""
    sources, rng = gather_piece_calibration_material(art, CALIBRATION_SEED), np.random.default_rng(CALIBRATION_SEED)
    samples = list(islice(stream_new_kind_samples(sources, rng), CALIBRATION_SAMPLES))
    pictures, kinds = np.stack([s[0] for s in samples]).astype(np.uint8), np.array([s[2] for s in samples])
    (logits,) = Net(file)(pictures, leans=np.array([s[1] for s in samples], np.float32))
    temperature = fit_temperature(logits.astype(np.float64), kinds)
    print(f"{len(kinds)} held-out pieces; temperature {temperature:.3f}; read as {', '.join(KIND_NAMES)}:")
    for k, kind in enumerate(KIND_NAMES):
        print(kind, np.bincount(logits[kinds == k].argmax(1), minlength=len(KIND_NAMES)).tolist())
    write_metadata(file, "temperature", str(temperature))


def main() -> None:
    options = parse_arguments(__doc__ or "", STEPS)
    recipe = Recipe("kinds", stream_kind_samples, compute_loss, batch=64, steps=options.steps, rate=3e-3)
    material = partial(gather_piece_material, options.art, options.photos, options.labels)
    net = train(recipe, KindNet(len(KIND_NAMES)), options, material)
    metadata = {
        "kinds": list(KIND_NAMES),
        "seed": options.seed,
        "steps": options.steps,
        "cycles": options.cycles,
        "temperature": 1.0,
    }
    file = MODELS / "kinds.onnx"
    size = (OUTLINE_PX, OUTLINE_PX)
    export(net, file, size, ["kinds"], metadata, free_size=False, numbers=["leans"], channels=OUTLINE_CHANNELS)
    calibrate(file, options.art)


if __name__ == "__main__":
    main()
