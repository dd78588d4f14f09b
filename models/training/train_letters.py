"""Train the net that reads letters on building tiles: `python -m models.training.train_letters` (some minutes on one
core).

Its samples are drawn first. An interrupted run resumes from its checkpoint in the folder of runs.
"""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

from models.samples.letters import Squares, draw_letter_samples, list_fonts
from models.training import in_memory_loop as in_memory
from models.training.calibrate_classifier import write_metadata
from models.training.export import export
from models.training.in_memory_loop import Course
from models.training.networks import Normalise, build_crop_body
from models.training.temperature import fit_temperature
from vision.runtime.onnx import MODELS, Net
from vision.world_wonders.letters import LETTERS, SEEN_PX, compute_letter_logits

NAME = "letters"
SAMPLES, TRIED = 24_000, 2000
"""Default number of samples for training, and the number for calibration. A guess."""
BATCH, STEPS = 64, 8000
"""Batch size and default number of steps. A guess."""
RATE, RISING_SHARE, AVERAGE_KEPT_SHARE = 3e-3, 0.15, 0.995
"""Peak learning rate, share of steps before the peak, and share of the averaged weights kept at a step. A guess."""
REPORT_EVERY_STEPS = 200
"""Steps between lines of progress. A guess."""


class LetterNet(nn.Module):
    """A net of (n, 3, SEEN_PX, SEEN_PX) pictures of squares with (n, 1 + letters) logits, no letter first."""

    outputs = ("letters",)

    def __init__(self) -> None:
        super().__init__()
        body = build_crop_body(3, (14, 26, 40, 56), (0, 1, 1, 0), cells=3, hidden=48)
        self.body = nn.Sequential(Normalise(), *body, nn.Linear(48, 1 + len(LETTERS)))

    def forward(self, x: Tensor) -> Tensor:
        result: Tensor = self.body(x)
        return result


def draw_batch(squares: Squares, rng: np.random.Generator) -> list[Tensor]:
    """Draw some samples after quarter turns, sometimes as negatives: ink may be darker or lighter than the tile."""
    which = rng.integers(len(squares.pictures), size=BATCH)
    pictures = np.rot90(squares.pictures[which], int(rng.integers(4)), (1, 2)).copy()
    negative = rng.random(len(which)) < 0.1
    pictures[negative] = 255 - pictures[negative]
    inputs = torch.from_numpy(pictures).permute(0, 3, 1, 2).float()
    return [inputs, torch.from_numpy(squares.letters[which])]


def compute_loss(net: nn.Module, batch: list[Tensor]) -> Tensor:
    """Compute the cross-entropy of the letter."""
    return F.cross_entropy(net(batch[0]), batch[1])


def train(squares: Squares, options: argparse.Namespace) -> nn.Module:
    """Return the averaged net, from the last checkpoint if there is one."""
    course = Course(
        NAME, partial(draw_batch, squares), compute_loss, RATE, RISING_SHARE, AVERAGE_KEPT_SHARE, REPORT_EVERY_STEPS
    )
    return in_memory.train(course, LetterNet, options)


def calibrate(squares: Squares) -> None:
    """Write the temperature that fits squares outside the training, and print how many are right."""
    file = MODELS / "letters.onnx"
    logits = compute_letter_logits(squares.pictures, Net(file))
    temperature = fit_temperature(logits, squares.letters)
    write_metadata(file, "temperature", str(temperature))
    right = logits.argmax(1) == squares.letters
    print(f"{len(right)} squares not trained on: {right.mean():.4f} right; temperature {temperature:.3f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split(":")[0])
    parser.add_argument("--runs", type=Path, default=Path("runs"), help="folder of the checkpoint")
    parser.add_argument(
        "--fonts", type=Path, nargs="*", default=[], help="folders of fonts in which letters are drawn as well"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--samples", type=int, default=SAMPLES)
    parser.add_argument("--steps", type=int, default=STEPS)
    parser.add_argument("--threads", type=int, default=1)
    parser.set_defaults(cycles=1)
    options = parser.parse_args()
    fonts = list_fonts(options.fonts)
    net = train(draw_letter_samples(options.samples, options.seed, fonts), options)
    settings = {name: getattr(options, name) for name in ("samples", "seed", "steps")}
    metadata = settings | {"fonts": len(fonts), "temperature": 1.0}
    size = (SEEN_PX, SEEN_PX)
    export(net, MODELS / "letters.onnx", size, LetterNet.outputs, metadata, free_size=False)
    calibrate(draw_letter_samples(TRIED, options.seed + 1, fonts))


if __name__ == "__main__":
    main()
