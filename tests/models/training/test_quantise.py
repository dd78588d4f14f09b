"""A quantised dense net marks nearly the same places, in pictures of any size."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training needs the extra [train]")
pytest.importorskip("onnxscript", reason="training needs the extra [train]")

from models.training.export import export  # noqa: E402
from models.training.networks import DenseNet  # noqa: E402
from models.training.quantise import WAYS, quantise  # noqa: E402
from vision.runtime.onnx import Net  # noqa: E402

OUTPUTS = 2


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::torch.jit.TracerWarning")
def test_a_quantised_dense_net_gives_nearly_the_same_maps(tmp_path: Path) -> None:
    torch.manual_seed(7)
    file = tmp_path / "dense.onnx"
    export(DenseNet(OUTPUTS, (8, 8, 8, 8, 8)).eval(), file, (64, 64), ["maps"], {"seed": 7}, True)
    noise = np.random.default_rng(7).integers(0, 256, (12, 8, 8, 3), np.uint8)
    pictures = noise.repeat(8, axis=1).repeat(8, axis=2)
    wide = np.concatenate([pictures[:1], pictures[1:2]], axis=2)
    (before,) = Net(file)(wide)
    quantise(file, WAYS["localiser"], iter([(picture,) for picture in pictures for _ in range(24)]))
    net = Net(file)
    (after,) = net(wide)
    assert net.metadata == {"seed": 7}
    assert after.shape == before.shape == (1, OUTPUTS, 16, 32)
    assert 0 < np.abs(after - before).mean() < 0.1 * before.std()
