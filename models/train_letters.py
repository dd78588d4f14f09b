"""Train the net that reads letters on building tiles: `python -m models.train_letters` (some minutes of one core)."""

from __future__ import annotations

import argparse
import time
from copy import deepcopy

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812

from models.calibrate import write_metadata
from models.export import export
from models.letter_samples import Squares, letter_samples
from models.nets import Normalise, crop_body, default_device
from models.temperature import temperature_of
from models.training import follow
from vision.nets import MODELS, Net
from vision.world_wonders.letters import LETTERS, SEEN_PX, letter_logits

SAMPLES, TRIED = 20_000, 2000
BATCH, STEPS = 64, 3000
RATE, KEPT = 3e-3, 0.995
TOLD_EACH = 200

Ints = NDArray[np.int64]


class LetterNet(nn.Module):
    """(n, 3, SEEN_PX, SEEN_PX) pictures of squares to (n, 1 + letters) logits, no letter first."""

    outputs = ("letters",)

    def __init__(self) -> None:
        super().__init__()
        body = crop_body(3, (10, 18, 26, 36), (0, 1, 1, 0), cells=3, hidden=32)
        self.body = nn.Sequential(Normalise(), *body, nn.Linear(32, 1 + len(LETTERS)))

    def forward(self, x: Tensor) -> Tensor:
        result: Tensor = self.body(x)
        return result


def batch(squares: Squares, which: Ints, rng: np.random.Generator) -> tuple[Tensor, Tensor]:
    """Some of the samples after quarter turns; each now and then in negative: ink may be darker or lighter."""
    pictures = np.rot90(squares.pictures[which], int(rng.integers(4)), (1, 2)).copy()
    negative = rng.random(len(which)) < 0.1
    pictures[negative] = 255 - pictures[negative]
    shown = torch.from_numpy(pictures).to(default_device()).permute(0, 3, 1, 2).float()
    return shown, torch.from_numpy(squares.letters[which]).to(default_device())


def train(squares: Squares, options: argparse.Namespace) -> nn.Module:
    """The net's running mean after `options.steps` steps."""
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    net = LetterNet().to(default_device())
    average = deepcopy(net).eval()
    optimiser = torch.optim.AdamW(net.parameters(), lr=RATE, weight_decay=0.02)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, RATE, options.steps + 1, pct_start=0.15)
    rng, began, recent = np.random.default_rng(options.seed), time.monotonic(), list[float]()
    net.train()
    for step in range(options.steps):
        which = rng.integers(len(squares.pictures), size=BATCH)
        pictures, letters = batch(squares, which, rng)
        amiss = F.cross_entropy(net(pictures), letters)
        optimiser.zero_grad(set_to_none=True)
        amiss.backward()
        optimiser.step()
        schedule.step()
        follow(average, net, min(KEPT, (1 + step) / (10 + step)))
        recent.append(float(amiss.detach()))
        if (step + 1) % TOLD_EACH == 0:
            pace = (step + 1) / (time.monotonic() - began)
            print(f"letters step {step + 1}/{options.steps} loss {np.mean(recent):.4f} {pace:.1f} steps/s", flush=True)
            recent = []
    return average


def calibrate(squares: Squares) -> None:
    """Write the temperature that fits squares which were not trained on, and print how many are right."""
    file = MODELS / "letters.onnx"
    logits = letter_logits(squares.pictures, Net(file))
    temperature = temperature_of(logits, squares.letters)
    write_metadata(file, "temperature", str(temperature))
    right = logits.argmax(1) == squares.letters
    print(f"{len(right)} squares not trained on: {right.mean():.4f} right; temperature {temperature:.3f}")


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split(":")[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--samples", type=int, default=SAMPLES)
    parser.add_argument("--steps", type=int, default=STEPS)
    parser.add_argument("--threads", type=int, default=1)
    options = parser.parse_args()
    net = train(letter_samples(options.samples, options.seed), options).cpu()
    metadata = {name: getattr(options, name) for name in ("samples", "seed", "steps")} | {"temperature": 1.0}
    size = (SEEN_PX, SEEN_PX)
    export(net, MODELS / "letters.onnx", size, LetterNet.outputs, metadata, free_size=False)
    calibrate(letter_samples(TRIED, options.seed + 1))


if __name__ == "__main__":
    main()
