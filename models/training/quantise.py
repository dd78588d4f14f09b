"""Quantise convolutions to integers, which makes nets a third faster: `python -m models.training.quantise classifier
pieces`.

Weights become int8 with one scale per channel, and activations between convolutions uint8, with the ranges seen on
samples like those of training (ONNX Runtime's static quantisation; its dynamic one recomputes ranges for each picture,
which costs more than it saves here). The first convolution, whose input is the picture itself, and the linear layers at
the end, or the last convolution of a dense net, stay in floating point. `models.training.onnx_weights` loads such a
file for further training, as it does one in floating point.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import onnx
from numpy.typing import NDArray
from onnxruntime.quantization import (
    CalibrationDataReader,
    CalibrationMethod,
    QuantFormat,
    QuantType,
    quantize_static,
)
from onnxruntime.quantization.shape_inference import quant_pre_process

from models.samples.feet import stream_foot_samples
from models.samples.pieces import stream_stand_samples
from models.samples.splits import gather_training_material
from models.samples.tiles import Sample, Sources, stream_localiser_samples, stream_tile_samples
from models.training.loop import add_material_arguments
from vision.runtime.onnx import MODELS, Net

Array = NDArray[np.generic]
Stream = Callable[[Sources, np.random.Generator], Iterator[Sample]]

BATCH = 32
"""Samples in a batch of the calibration. Bounds memory."""


@dataclass(frozen=True, slots=True)
class _Way:
    """The quantisation of one net: `samples` samples set the ranges, one of every `skipped` neighbours.

    The operators in `whole` are done in integers, the last convolution only if the net is not `dense`. A dense net has
    an output for each place, and few are large: its ranges leave out the largest values.
    """

    stream: Stream
    samples: int = 768
    skipped: int = 3
    whole: tuple[str, ...] = ("Conv",)
    dense: bool = False
    ranges: Mapping[str, object] = field(default_factory=dict)


def _dense(stream: Stream) -> _Way:
    ranges = {"calibrate_method": CalibrationMethod.Percentile, "extra_options": {"CalibPercentile": 99.9999}}
    return _Way(stream, 96, 24, ("Conv", "Add", "Relu", "Resize"), dense=True, ranges=ranges)


WAYS: Mapping[str, _Way] = {
    "classifier": _Way(stream_tile_samples),
    "pieces": _Way(stream_stand_samples),
    "localiser": _dense(stream_localiser_samples),
    "meeples": _dense(stream_foot_samples),
}
"""The nets that are quantised, with their sampling. The numbers are a guess."""


class _Samples(CalibrationDataReader):
    """Batches of a stream's pictures, with the numbers that the net takes beside them."""

    def __init__(self, way: _Way, stream: Iterator[Sample], numbers: list[str]) -> None:
        self._stream, self._numbers = islice(stream, 0, way.samples * way.skipped, way.skipped), numbers

    def get_next(self) -> dict[str, Array] | None:
        batch = list(islice(self._stream, BATCH))
        if not batch:
            return None
        rest = {name: np.array([sample[1 + i] for sample in batch], np.float32) for i, name in enumerate(self._numbers)}
        return {"pictures": np.stack([sample[0] for sample in batch]).astype(np.uint8), **rest}


def quantise(file: Path, way: _Way, stream: Iterator[Sample]) -> None:
    """Overwrite a net with its convolutions quantised; its metadata stay."""
    entries = {entry.key: entry.value for entry in onnx.load(str(file)).metadata_props}
    with TemporaryDirectory() as folder:
        ready, done = Path(folder) / "ready.onnx", Path(folder) / "done.onnx"
        quant_pre_process(str(file), str(ready), skip_symbolic_shape=True)
        graph = onnx.load(str(ready)).graph
        numbers = [one.name for one in graph.input if one.name != "pictures"]
        first, *_, last = (node.name for node in graph.node if node.op_type == "Conv")
        quantize_static(
            str(ready),
            str(done),
            _Samples(way, stream, numbers),
            quant_format=QuantFormat.QDQ,
            activation_type=QuantType.QUInt8,
            weight_type=QuantType.QInt8,
            per_channel=True,
            # 7 bits: with 8, sums overflow on processors without VNNI.
            reduce_range=True,
            op_types_to_quantize=[*way.whole],
            nodes_to_exclude=[first, last] if way.dense else [first],
            **way.ranges,
        )
        model = onnx.load(str(done))
    onnx.helper.set_model_props(model, entries)
    onnx.save(model, str(file))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("nets", nargs="+", choices=sorted(WAYS))
    add_material_arguments(parser)
    options = parser.parse_args()
    sources = gather_training_material(options.art, options.photos, options.labels, options.seed)
    for name in options.nets:
        way = WAYS[name]
        quantise(MODELS / f"{name}.onnx", way, way.stream(sources, np.random.default_rng(options.seed)))
        print(f"{name}: {Net(MODELS / f'{name}.onnx').metadata.keys()}")


if __name__ == "__main__":
    main()
