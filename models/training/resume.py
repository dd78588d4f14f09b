"""Dense nets resumed from exported weights: those of the localiser and the meeple finder."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path

import numpy as np
import torch
from torch import nn

from models.samples.tiles import Sample, Sources
from models.training.onnx_weights import take_up
from vision.runtime.onnx import Net

STATISTICS_SAMPLES = 96
"""Samples from which the statistics of a resumed net are computed. A guess."""
LIKE_NAMES = {
    "grey": "white",
    "purple": "pink",
    "orange": "red",
    "wood": "yellow",
    "disc": "lying",
    "upside_down": "lying",
}
"""The known name whose weights initialise a name that the weights do not have yet."""


def find_named_outputs(file: Path, colours: Sequence[str], poses: Sequence[str], last: int = 0) -> list[int]:
    """Return the exported outputs that initialise presence, these colours and poses, and the `last` outputs."""
    metadata = Net(file).metadata
    outputs, first = [0], 1
    for names, wanted in ((metadata["colours"], colours), (metadata["poses"], poses)):
        outputs += [first + names.index(name if name in names else LIKE_NAMES[name]) for name in wanted]
        first += len(names)
    return [*outputs, *range(-last, 0)]


def take_up_dense(
    net: nn.Module,
    outputs: Sequence[int],
    file: Path,
    stream: Callable[[Sources, np.random.Generator], Iterator[Sample]],
    sources: Sources,
    seed: int,
) -> None:
    """Load into a dense `net` the weights of a file, restricted to `outputs`, with the net's statistics."""
    samples = islice(stream(sources, np.random.default_rng(seed)), STATISTICS_SAMPLES)
    pictures = torch.from_numpy(np.stack([sample[0] for sample in samples]))
    take_up(net, file, [pictures.permute(0, 3, 1, 2).float()], outputs)
