"""A last layer learns from features, and is written into the net's file."""

from __future__ import annotations

from pathlib import Path

import pytest

torch = pytest.importorskip("torch", reason="training needs the extra [train]")

from torch import nn  # noqa: E402

from models.training.fit_head import fit_layer, write_last_layer  # noqa: E402
from models.training.networks import PieceNet  # noqa: E402
from models.training.onnx_weights import load_weights  # noqa: E402
from models.training.train_pieces import OUTPUTS  # noqa: E402
from vision.pieces.crops import STAND_CHANNELS, STAND_PX  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::torch.jit.TracerWarning")


def test_presence_and_names_are_trained_from_features() -> None:
    torch.manual_seed(1)
    features = 4 * torch.randn(2000, 12)
    here = (features[:, 0] > 0).long()
    names = [torch.where(here > 0, features[:, first : first + 4].argmax(1), -1) for first in (1, 5)]
    offset = torch.where(here[:, None] > 0, 0.02 * features[:, 9:11], torch.nan)
    layer = nn.Linear(12, OUTPUTS)
    before, after = fit_layer(layer, features, [here, *names, offset], epochs=400)
    assert after < before / 2
    assert ((layer(features)[:, 0] > 0).long() == here).float().mean() > 0.9


def test_the_written_file_contains_the_fitted_layer(tmp_path: Path) -> None:
    pytest.importorskip("onnxscript", reason="training needs the extra [train]")
    from models.training.export import export

    file, net, layer = tmp_path / "net.onnx", PieceNet(OUTPUTS), nn.Linear(192, OUTPUTS)
    for values in net.parameters():
        nn.init.normal_(values, std=0.1)  # identical ones would be exported once
    size = (STAND_PX, STAND_PX)
    export(net, file, size, ["pieces"], {}, free_size=False, numbers=["leans"], channels=STAND_CHANNELS)
    write_last_layer(file, layer)
    weight, bias = load_weights(file)[-1]
    assert torch.equal(weight, layer.weight)
    assert torch.equal(bias, layer.bias)
